"""Playing against the engine on a game's page."""

import pytest
from selenium.webdriver.support.ui import Select


def choose(player, what, text):
    Select(player.find(f"#{what}")).select_by_visible_text(text)
    return player


def test_a_game_against_the_engine(at):
    player = at("tictactoe", "play=X&level=10&time=0.2")
    assert player.status == "Your move: you play X"
    player.touch("a1")
    player.until(lambda p: len(p.names) == 2)
    assert player.names[1] == "b2", "any other reply to a corner loses"
    while not player.ask("document.querySelector('#status.done')"):
        before = len(player.names)
        player.touch(player.cells_with("legal")[0])
        player.until(lambda p, n=before: len(p.names) == n + 2 or p.ask("document.querySelector('#status.done')"))
    assert player.status in ("O wins", "Drawn")


@pytest.mark.long
def test_the_engine_begins_if_the_person_plays_second(at):
    player = at("tictactoe", "play=O&level=10&time=0.2")
    player.until(lambda p: len(p.names) == 1)
    player.until(lambda p: p.status == "Your move: you play O")
    before = player.names
    choose(player, "side", "both sides")
    assert player.status == "O to move"
    choose(player, "side", "X")
    player.until(lambda p: len(p.names) == 2)
    assert player.names[:1] == before


def test_undo_takes_back_the_reply_too(at):
    player = at("tictactoe", "play=X&level=10&time=0.2").touch("a1")
    player.until(lambda p: len(p.names) == 2)
    player.click("#undo")
    assert (player.text("#count"), player.status) == ("0 of 2", "Your move: you play X; another move replaces what follows")
    player.click("#redo")
    assert player.text("#count") == "2 of 2"
    player.press("\ue012")
    assert player.status == "It is the engine’s move (O)."
    player.click("#status button")
    player.until(lambda p: p.text("#count") == "2 of 2")


def test_a_hint_is_shown_and_then_played(at):
    player = at("connect4", "play=X&level=1&time=0.2&moves=3,1,4,1")
    player.press(" ")
    player.until(lambda p: p.status.startswith("Hint: "))
    assert player.status in ("Hint: 2", "Hint: 5"), "three in a row, open at both ends"
    assert player.all(".arrows *")
    player.press(" ")
    player.until(lambda p: len(p.names) >= 5)
    assert not player.all(".arrows *")


def test_the_engine_says_that_it_thinks_and_can_be_stopped(at):
    player = at("connect4", "play=X&level=10&time=60").touch(3)
    player.until(lambda p: p.status == "The engine is thinking for O…")
    player.touch(3)
    assert player.names == ["4"], "it is not the person's turn"
    player.click("#status button")
    player.until(lambda p: p.status == "It is the engine’s move (O).")
    player.click("#undo")
    assert player.text("#count") == "0 of 1"


@pytest.mark.long
def test_a_new_game_while_the_engine_thinks(at):
    player = at("connect4", "play=X&level=10&time=60").touch(3)
    player.until(lambda p: "thinking" in p.status)
    player.press("n")
    assert player.status.startswith("New game.")
    assert player.names == []


def test_a_reload_while_the_engine_thinks(at):
    player = at("connect4", "play=X&level=10&time=60").touch(3)
    player.until(lambda p: "thinking" in p.status)
    player.browser.refresh()
    player.wait().until(lambda p: "thinking" in p.status)
    assert player.names == ["4"]


@pytest.mark.long
def test_the_engine_plays_itself(at):
    player = at("tictactoe", "play=none&level=10&time=0.1")
    player.until(lambda p: p.ask("document.querySelector('#status.done')"))
    assert player.status == "Drawn"


def test_thinking_through_the_interface(at):
    player = at("connect4", "play=both&moves=3,1,4,1")
    think = "const done = arguments[0]; plyground.think({ depth: 6, exact: true, seed: 1 }).then(done)"
    found = player.browser.execute_async_script(think)
    assert found["move"] in ("2", "5")
    assert found["score"] == 10_000 - 3
    assert found["line"][0] == found["move"]
    assert player.browser.execute_async_script(think) == found


def test_the_answer_of_the_interface_is_about_the_position_it_was_asked_for(watched):
    player = watched("connect4", "play=both&moves=4,1,4,1,4,1")
    found = player.browser.execute_async_script(
        "plyground.think({ depth: 9 }).then(arguments[0]); plyground.load('4, 4, 4, 4, 4, 4')"
    )
    assert player.text("#count") == "6 of 6"
    assert "4" not in player.ask("plyground.moves()"), "the other position is on show"
    assert found["move"] == "4"
    stopped = player.browser.execute_async_script(
        "plyground.think({ depth: 60 }).then(arguments[0]); reported().then(() => plyground.think({ depth: 1 }))"
    )
    assert stopped["stopped"]
    assert stopped["move"] is None or stopped["move"] in player.ask("plyground.moves()")


INTERRUPTED = """
const answer = arguments[0], next = () => plyground.think({ depth: 4 });
deaf = true;
plyground.think({ depth: 60 });
reported().then(next).then((found) => answer(found.depth), (error) => answer(error.message));
"""


def test_a_worker_that_is_replaced_answers_the_next_question(watched):
    """A Worker deep in a search doesn't hear that it should stop; the one in its place has to unpack the net first."""
    player = watched("connect4")
    assert [player.browser.execute_async_script(INTERRUPTED) for _ in range(3)] == [4, 4, 4]


def test_a_hint_stays_on_the_board(at):
    player = at("connect4", "play=both&moves=3,1,4,1").click("#hint")
    player.until(lambda p: p.status.startswith("Hint: "))
    player.browser.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(() => arguments[0]()))")
    assert player.all(".arrows > *")


@pytest.mark.long
def test_captures_whose_numbers_are_large(at):
    player = at("draughts", "play=black&level=10&time=0.2", state="W:W36,37,45,46,47,49,50:B1,3,4,5,6,10,11,13,15,20,44")
    player.until(lambda p: len(p.names) == 1)
    assert int(player.stored["moves"][0]) > 1 << 53
