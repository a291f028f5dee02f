"""A match: whose turn, how it ended, repetition, taking back, and its text."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import PlygroundError, TextError, load
from plyground.match import Match

SHUFFLE = '''"""Step to and fro; the third time a position stands, it is drawn."""

from typing import NamedTuple

REPETITION = 3
MARGIN = 5


class State(NamedTuple):
    at: int
    mover: int


def start():
    return State(0, 0)


def turn(s):
    return s.mover


def moves(s):
    yield 1
    yield 9


def play(s, m):
    return State(1 - s.at if m == 1 else 5, 1 - s.mover)


def result(s):
    return -3 if s.at == 5 else None
'''


def test_who_has_won():
    match = Match(load("tictactoe"), moves="a1 a2 b1 b2 c1")
    assert (match.result, match.winner, match.describe_end()) == (-1, 0, "X wins")
    assert match.legal() == []
    with pytest.raises(TextError):
        match.play(0)


def test_a_draw():
    match = Match(load("tictactoe"), moves="b2 a1 c1 a3 a2 c2 b3 b1 c3")
    assert (match.result, match.winner, match.describe_end()) == (0, None, "drawn")


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


@settings(max_examples=50)
@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)))
def test_any_json_is_read_or_refused(value):
    for text in (json.dumps(value), json.dumps({"game": "nim", "moves": value}), json.dumps({"game": value, "moves": []})):
        try:
            Match.from_text(text)
        except PlygroundError as e:
            assert str(e)
