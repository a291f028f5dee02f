"""What a game's page keeps and gives away: reload, address, text, and its interface for other pages."""

import pytest
from player import moves_hash, text_of
from selenium.common.exceptions import JavascriptException

from plyground import Match, load


def after(moves):
    """The position of Connect 4 after some moves."""
    return Match("connect4", moves=" ".join(moves)).s


def state_of(moves):
    return load("connect4").format_state(after(moves))


def test_a_reload_in_mid_game(at):
    player = at("tictactoe").play("a1", "b2", "c3")
    player.press("\ue012")
    player.browser.refresh()
    player.wait()
    assert (player.names, player.text("#count")) == (["a1", "b2", "c3"], "2 of 3")
    player.open("play=both", fresh=False)
    assert (player.names, player.text("#count")) == (["a1", "b2", "c3"], "2 of 3"), "the address without the game finds it too"


def test_a_reload_right_after_a_move(at):
    player = at("tictactoe", "play=both&moves=a1").play("b2")
    player.browser.refresh()
    player.wait()
    assert player.names == ["a1", "b2"], "although the address has not followed yet"


@pytest.mark.long
def test_games_with_other_rules_have_a_place_of_their_own(at):
    at("tictactoe").play("a1")
    other = at("tictactoe(rows=4, cols=4)")
    assert other.names == []


def test_a_stored_game_that_does_not_fit_is_set_aside(at):
    player = at("tictactoe").play("a1")
    player.until(lambda p: "moves=a1" in p.browser.current_url)  # from here on the page stores nothing by itself
    player.browser.execute_script('localStorage.setItem(Object.keys(localStorage)[0], \'{"start": "0-0", "moves": [1]}\')')
    player.open("play=both", fresh=False)
    assert player.status.endswith("does not fit these rules; this is a new one.")


def test_the_address_holds_the_game(at):
    player = at("tictactoe").play("a1", "b2")
    player.until(lambda p: "moves=a1,b2" in p.browser.current_url)
    other = at("tictactoe", "play=both&" + moves_hash("c3", "a3", "b1") + "&at=1")
    assert (other.names, other.text("#count")) == (["c3", "a3", "b1"], "1 of 3")
    assert other.status == "The game in the address was loaded. O to move; another move replaces what follows"


def test_the_address_holds_a_position(at):
    player = at("connect4", state=state_of("4453"))
    assert player.ask("plyground.state()") == text_of(player.game, after("4453"))
    player.play("1")
    player.until(lambda p: "moves=1" in p.browser.current_url)
    assert f"start={text_of(player.game, after('4453'))}&moves=1" in player.browser.current_url


def test_the_game_before_is_not_lost(at):
    player = at("tictactoe").play("a1", "b2")
    player.browser.execute_script("location.hash = 'moves=c3'")
    player.until(lambda p: p.names == ["c3"])
    player.click("#status button")
    assert player.names == ["a1", "b2"]
    player.press("n")
    assert player.names == []
    player.click("#status button")
    assert player.names == ["a1", "b2"]


DAMAGED = {
    "moves=zz": "move 1: “zz” is not a legal move; legal: a3, b3, c3, a2, b2, c2, a1, b1, …",
    "moves=a1,a1": "move 2: “a1” is not a legal move; legal: a3, b3, c3, a2, b2, c2, b1, c1",
    "moves=a1&at=7": "at is “7”, not a whole number from 0 to 1",
    "start=12": "“12” is not a position of Tic-tac-toe",
    "moves=%E0%A4%A": "“%E0%A4%A” is damaged",
    "<b>=1": "“<b>” is not part of a game",
    "x" * 100_000: f"“{'x' * 39}…” is not part of a game",
}


def test_a_damaged_address_gets_one_line_and_loses_nothing(at):
    player = at("tictactoe").play("a1", "b2")
    for damaged, told in DAMAGED.items():
        player.browser.execute_script("location.hash = arguments[0]", damaged)
        player.until(lambda p, told=told: p.status == f"⚠ There is no game in the address: {told}")
        assert player.names == ["a1", "b2"]
    player.play("c3")
    assert player.status == "O to move"


def test_a_damaged_text_gets_one_line_and_loses_nothing(at):
    player = at("tictactoe").play("a1", "b2").press("s")
    assert player.find("#game-text").get_property("value") == "Plyground tictactoe cols=3 k=3 rows=3\nmoves: a1, b2"
    for damaged, told in {
        "": "there is no text",
        "Plyground chess\nmoves: e2-e4": "this is a game of “chess”, not of “tictactoe cols=3 k=3 rows=3”",
        "1. a1 a1": "move 2: “a1” is not a legal move; legal: a3, b3, c3, a2, b2, c2, b1, c1",
        "0.0.0-12345678": "the position has 3 numbers, but Tic-tac-toe needs 2",
    }.items():
        player.browser.execute_script("document.getElementById('game-text').value = arguments[0]", damaged)
        player.click("#load-text")
        assert player.text("#sharing-status") == f"⚠ This can’t be loaded: {told}"
        assert player.names == ["a1", "b2"]


TEXTS = (
    "Plyground tictactoe cols=3 k=3 rows=3\nmoves: b2, a1",
    "1. b2 a1",
    "B2 A1",
    "file:///game.html#moves=b2,a1",
)


def test_texts_that_can_be_loaded(at):
    player = at("tictactoe")
    for text in TEXTS:
        player.play(player.ask("plyground.moves()")[-1]).press("s")
        player.browser.execute_script("document.getElementById('game-text').value = arguments[0]", text)
        player.click("#load-text")
        assert player.names == ["b2", "a1"]
        assert player.status == "The game was loaded. X to move"


def test_the_interface(at):
    player = at("connect4")
    assert player.ask("plyground.game") == "connect4"
    assert player.ask("plyground.moves()") == list("4352617")
    player.play("4", "4")
    assert player.ask("plyground.state()") == text_of(player.game, after("44"))
    player.browser.execute_script("plyground.undo()")
    assert player.ask("plyground.state()") == text_of(player.game, after("4"))
    player.browser.execute_script("plyground.load(arguments[0])", text_of(player.game, after("1234")))
    assert player.ask("plyground.state()") == text_of(player.game, after("1234"))
    for wrong in ("plyground.play('8')", "plyground.load('8')"):
        with pytest.raises(JavascriptException, match="“8” is not a legal move"):
            player.browser.execute_script(wrong)


def test_a_page_in_a_frame(at, browser, tmp_path):
    player = at("tictactoe")
    (tmp_path / "outer.html").write_text(f'<iframe src="{player.path.name}#play=both" sandbox="allow-scripts"></iframe>')
    browser.get((tmp_path / "outer.html").as_uri())
    browser.switch_to.frame(0)
    player.wait().play("a1")
    assert player.names == ["a1"], "even in a frame that may store nothing"
    browser.switch_to.default_content()


def test_rolls_are_part_of_the_text(at):
    player = at("2048", "seed=5")
    player.until(lambda p: len(p.names) == 2)
    player.press("s")
    text = player.find("#game-text").get_property("value")
    assert "seed: 5" in text
    assert load("2048").spec in text


PAIRS = """
from typing import NamedTuple
from plyground import Board
BOARD = Board("squares", rows=1, cols=2, pieces=("AB", "CD"))
class State(NamedTuple):
    cells: tuple[int, int]
def start(): return State((0, 0))
def moves(s): return range(4)
def play(s, m): return State((1 + m % 2, 1 + m // 2))
def touch(s, m): return (0, 1)
def result(s): return -1 if s.cells[0] else None
"""


def test_moves_told_apart_by_several_cells_are_read_back(rules_file, scripts):
    game = load(rules_file(PAIRS))
    scripts.open(game, "rules.js", "match.js", "share.js", kernels=("view", "advance"))
    told = scripts.run("""
        const rules = new Rules(facts, compiled), found = [];
        for (const m of rules.view(rules.start).moves) {
          const match = new Match(facts, rules);
          match.play(m);
          const back = [parseGame(facts, rules, gameText(match)), parseHash(facts, rules, gameHash(match))];
          found.push([match.names[0], ...back.map((other) => other.moves[0])]);
        }
        return found;""")
    assert told == [["a1-b1=A/A", 0, 0], ["a1-b1=B/A", 1, 1], ["a1-b1=A/B", 2, 2], ["a1-b1=B/B", 3, 3]]
