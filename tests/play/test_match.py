"""A match: whose turn, how it ended, repetition, taking back, and its text."""

import json
import random
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA, DOCS
from plyground import Match, PlygroundError, TextError, load
from plyground.play.clock import Clock

SHUFFLE = (DATA / "rules" / "match_shuffle.py").read_text(encoding="utf-8")


def test_who_has_won():
    match = Match(load("tictactoe"), moves="a1 a2 b1 b2 c1")
    assert (match.result, match.winner, match.describe_end()) == (-1, 0, "X wins")
    assert match.legal() == []
    with pytest.raises(TextError):
        match.play(0)


def test_a_draw():
    match = Match(load("tictactoe"), moves="b2 a1 c1 a3 a2 c2 b3 b1 c3")
    assert (match.result, match.winner, match.describe_end()) == (0, None, "drawn")


def test_a_long_game_with_dice_does_not_become_slower(monkeypatch):
    """Whose turn it is depends on how often chance has moved; that is counted once, not again for each move."""
    game, dice, asked = load("2048"), random.Random(1), 0
    match, is_chance = Match(game), game.is_chance

    def counted(s):
        nonlocal asked
        asked += 1
        return is_chance(s)

    monkeypatch.setattr(game, "is_chance", counted)
    while match.result is None:
        match.play(dice.choice(match.legal()))
        assert match.turn == 0
    assert len(match.moves) > 100
    assert asked < 10 * len(match.moves)


MAYBE = """
from typing import NamedTuple


class State(NamedTuple):
    left: int
    rolling: int


def start():
    return State(9, 0)


def chance(s):
    if s.rolling:
        yield 1, 1
        yield 2, 1


def moves(s):
    yield from (0, 1)


def play(s, m):
    return State(s.left - m, 0) if s.rolling else State(s.left - 1, m)


def result(s):
    return -1 if s.left <= 0 else None
"""


def test_whose_turn_it_is_if_a_roll_is_taken_back_and_not_made_again(rules_file):
    """A move of 1 rolls a die, a move of 0 does not; dice take no turn."""
    game = load(str(rules_file(MAYBE)))
    match = Match(game)
    for m in (1, 2, 1):
        match.play(m)
    assert match.turn == 0
    match.undo()
    match.undo()
    match.undo()
    for m, turn in ((0, 1), (0, 0), (1, 1), (1, 1), (0, 0)):
        match.play(m)
        assert match.turn == turn


def test_sides_take_turns_where_the_rules_do_not_tell():
    match = Match(load("nim"))
    assert match.side == "first"
    match.play(match.legal()[0])
    assert match.side == "second"


def test_repetition(rules_file):
    game = load(str(rules_file(SHUFFLE)))
    match = Match(game, moves="1 1 1")
    assert match.result is None
    match.play(1)
    assert (match.result, match.describe_end()) == (0, "drawn by repetition")
    assert game.result(match.s) is None
    match.undo()
    match.play(9)
    assert (match.result, match.winner, match.describe_end()) == (-3, 1, "second wins by 3")


def test_undo_goes_back_to_the_first_state():
    match = Match(load("connect4"), moves="4455")
    for _ in range(4):
        match.undo()
    assert match.s == load("connect4").start()
    with pytest.raises(TextError, match="no move to take back"):
        match.undo()


@pytest.mark.parametrize("name", ["nim", "connect4(rows=5, cols=4, k=3)", "othello"])
def test_its_text_leads_back_to_it(name):
    match = Match(load(name))
    dice = random.Random(5)
    while match.result is None:
        match.play(dice.choice(match.legal()))
        again = Match.from_text(match.to_text())
        assert (again.game.spec, again.moves, again.s) == (match.game.spec, match.moves, match.s)
    assert again.result == match.result


def test_a_game_of_ones_own_and_a_state_are_kept(rules_file):
    path = rules_file(SHUFFLE)
    match = Match(load(str(path)), "at=1 mover=1", "1 9")
    data = json.loads(match.to_text())
    assert data["game"] == str(path)
    assert data["start"] == "at=1 mover=1"
    assert Match.from_text(match.to_text()).states == match.states


@pytest.mark.parametrize(
    "text",
    ["", "x", "[]", "{}", "null", '{"game": "nim"}', '{"game": 3, "moves": []}', '{"game": "nim", "moves": [3]}', "[" * 5000],
)
def test_other_text_is_refused(text):
    with pytest.raises(TextError, match="not a saved game"):
        Match.from_text(text)


def test_a_saved_game_with_a_wrong_move_is_refused():
    with pytest.raises(TextError, match="'z9' is not a legal move"):
        Match.from_text('{"game": "nim", "moves": ["z9"]}')


def test_moves_as_text_and_a_game_by_name():
    match = Match("tictactoe")
    match.play("b2")
    assert match.move_texts() == ["b2"]
    with pytest.raises(TextError, match="'b2' is not a legal move"):
        match.play("b2")


def test_the_package_gives_it_without_a_compiler():
    code = "from plyground import Match; Match('nim').play('a1'); import sys; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_redo():
    match = Match("connect4", moves="4435")
    for _ in range(3):
        match.undo()
    match.redo()
    assert match.move_texts() == ["4", "4"]
    match.play("3")  # the move that was made before: what came after it can still be made again
    match.redo()
    assert match.move_texts() == ["4", "4", "3", "5"]
    with pytest.raises(TextError, match="no move to redo"):
        match.redo()
    match.undo()
    match.play("1")
    with pytest.raises(TextError, match="no move to redo"):
        match.redo()


def test_who_may_move():
    match = Match("2048", seed=3)
    assert match.mover is None
    while match.mover is None:
        match.roll()
    assert match.mover == 0
    assert Match("tictactoe", moves="a1 a2 b1 b2 c1").mover is None


def test_the_dice_depend_on_the_seed_alone():
    one, two, three = Match("backgammon", seed=5), Match("backgammon", seed=5), Match("backgammon", seed=6)
    for match in (one, two, three):
        for _ in range(6):
            match.roll() if match.mover is None else match.play(match.legal()[0])
    assert one.moves == two.moves != three.moves
    while one.moves:
        one.undo()
    one.roll()
    assert one.moves == two.moves[:1]
    with pytest.raises(TextError, match="not chance's turn"):
        Match("nim").roll()


def test_resigning():
    match = Match("connect4", moves="4433")
    match.undo()
    match.undo()
    match.resign()
    assert (match.result, match.winner, match.reason, match.mover, match.legal()) == (-1, 1, "resignation", None, [])
    assert match.describe_end() == "O wins: X has resigned"
    for forbidden in (match.resign, match.agree_draw, match.redo, lambda: match.play("4")):
        with pytest.raises(TextError, match="the game is over"):
            forbidden()
    match.undo()
    assert match.result is None
    match.resign(0)
    assert (match.result, match.winner, match.side) == (1, 1, "O")
    again = Match.from_text(match.to_text())
    assert (again.describe_end(), again.result) == (match.describe_end(), 1)
    with pytest.raises(TextError, match="no side 2"):
        Match("nim").resign(2)


def test_a_draw_by_agreement():
    match = Match("connect4", moves="44")
    match.agree_draw()
    assert (match.result, match.winner, match.reason, match.describe_end()) == (0, None, "agreement", "drawn by agreement")
    with pytest.raises(TextError, match="can't be drawn by agreement"):
        Match("2048").agree_draw()


class Time:
    """A time that a test can set."""

    def __init__(self):
        self.seconds = 100.0

    def __call__(self):
        return self.seconds


def test_clocks():
    now = Time()
    match = Match("connect4", clock=Clock([10, 20], 2, now))
    now.seconds += 5  # nothing runs before the first move
    match.play("4")
    now.seconds += 3
    assert match.clock.all_left() == [10, 17]
    match.play("4")
    now.seconds += 4
    assert match.clock.all_left() == [6, 19]
    assert (match.limit().clock, match.limit().increment) == (6, 2)
    match.undo()
    assert match.clock.all_left() == [10, 20]
    now.seconds += 3
    match.redo()
    match.pause_clock()
    now.seconds += 60
    assert match.clock.all_left() == [10, 19]
    match.start_clock()
    now.seconds += 9.5
    assert match.result is None
    now.seconds += 0.5
    assert (match.result, match.winner, match.reason) == (-1, 1, "time")
    assert match.describe_end() == "O wins: X has run out of time"
    with pytest.raises(TextError, match="the game is over"):
        match.play("4")
    again = Match.from_text(match.to_text())
    assert (again.reason, again.clock.all_left(), again.clock.increment) == ("time", [0, 19], 2)


def test_moves_from_before_there_was_a_clock_can_be_taken_back():
    match = Match("connect4", moves="44")
    match.clock = Clock([10, 20], 0, Time())
    match.undo()
    assert (match.clock.all_left(), match.clock.running) == ([10, 20], None)


def test_a_clock_stands_still_when_the_game_is_over():
    now = Time()
    match = Match("tictactoe", moves="a1 a2 b1 b2", clock=Clock([10, 10], 0, now))
    match.start_clock()
    match.play("c1")
    now.seconds += 60
    assert (match.reason, match.clock.all_left()) == ("rules", [10, 10])
    match.undo()
    assert match.clock.running == 0


@pytest.mark.parametrize("text", ["", "0", "-3", "5+", "+5", "x", "nan", "1e9", "5+3+1"])
def test_other_clocks_are_refused(text):
    with pytest.raises(PlygroundError, match="a clock is written"):
        Match("nim", clock=text)


def test_events():
    match = Match("tictactoe", moves="a1 a2 b1 b2")
    told: list[Any] = []
    match.listeners.append(told.append)
    match.play("c3")
    match.undo()
    match.redo()
    match.undo()
    match.play("c1")
    assert [(e.kind, e.side) for e in told] == [("move", 0), ("undo", 0), ("redo", 0), ("undo", 0), ("move", 0), ("end", None)]
    assert match.game.format_move(told[0].s, told[0].move) == "c3"


def test_all_of_it_is_kept():
    match = Match("backgammon", players=["person", "engine:level=3"], seed=11, clock="300+2")
    match.notes["flipped"] = True
    match.roll()
    match.pause_clock()
    again = Match.from_text(match.to_text())
    assert (again.players, again.seed, again.notes) == (("person", "engine:level=3"), 11, {"flipped": True})
    assert again.to_text() == match.to_text()
    again.play(again.legal()[0])
    match.play(match.legal()[0])
    assert again.roll() == match.roll()


@pytest.mark.parametrize(
    "more",
    [
        {"players": ["person"]},
        {"players": 3},
        {"players": [1, 2]},
        {"seed": "x"},
        {"notes": []},
        {"clock": 5},
        {"clock": {"left": [1], "increment": 0}},
        {"clock": {"left": [1, "x"], "increment": 0}},
        {"clock": {"left": [1, 2], "increment": -1}},
        {"ending": "time"},
        {"ending": ["time", 2]},
        {"ending": ["agreement", 1]},
        {"ending": [[], 1]},
    ],
)
def test_a_damaged_file_is_refused(more):
    with pytest.raises(TextError, match="this saved game is damaged"):
        Match.from_text(json.dumps({"game": "nim", "moves": [], **more}))


@settings(max_examples=50)
@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_any_json_is_read_or_refused(value):
    for text in (json.dumps(value), json.dumps({"game": "nim", "moves": value}), json.dumps({"game": value, "moves": []})):
        try:
            Match.from_text(text)
        except PlygroundError as e:
            assert str(e)


def test_the_page_about_it_is_true(capsys):
    page = (DOCS / "match.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(block, {})
    *first, last = capsys.readouterr().out.splitlines()
    told = re.search(r"It prints (.*?)\.\n\n", page, re.DOTALL)[1]
    assert first == [line.replace("\n", " ") for line in re.findall(r"`(.*?)`", told, re.DOTALL)]
    assert last == "drawn"
    table = page.partition("## At the terminal")[0]  # what follows lists the commands of `plyground play`
    names = re.findall(r"`(\w+)", " ".join(re.findall(r"^\| (.*?) \|", table, re.MULTILINE)))
    match = Match("nim")
    assert all(hasattr(match, name) for name in names if name != "Match")
    assert len(names) > 20
