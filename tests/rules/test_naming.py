"""Names of moves where the rules have no `format_move`: what the board calls the cells they touch."""

import random

import pytest

from plyground import TextError, load
from plyground.rules.naming import read_name

HEAD = """
from typing import NamedTuple
from plyground import Board
"""
BODY = """
class State(NamedTuple):
    cells: tuple[int, ...]
    plies: int

def start(): return State({start}, 0)
def moves(s): return {moves}
def play(s, m): return {play}
def result(s): return 0 if s.plies == 9 else None
"""
ONE = "State(s.cells, s.plies + 1)"


@pytest.fixture
def names(rules_file):
    """Returns a game with such a board, and the names of its first moves."""

    def made(board, start, moves, play=ONE, more=""):
        text = f"{HEAD}BOARD = {board}\n{BODY.format(start=start, moves=moves, play=play)}\n{more}"
        game = load(str(rules_file(text)))
        return game, [game.format_move(game.start(), m) for m in game.legal(game.start())]

    return made


def test_columns_to_drop_into_have_the_number_below_them(names):
    game, found = names('Board("drop", 4, 5)', "(0,) * 20", "range(5)")
    assert found == ["1", "2", "3", "4", "5"]
    assert game.show(game.start()).endswith("\n1 2 3 4 5")
    assert [game.parse_move(game.start(), text) for text in ("1", "5", "#0")] == [0, 4, 0]
    with pytest.raises(TextError, match=r"^'0' is not a legal move here; legal: 1, 2, 3, 4, 5$"):
        game.parse_move(game.start(), "0")


def test_cells_of_a_free_board_have_their_label(names):
    game, found = names('Board("free", at=((0, 0), (1, 0), (2, 0)))', "(0,) * 3", "range(3)")
    assert found == ["1", "2", "3"]
    game, found = names('Board("free", at=((0, 0), (1, 0), (2, 0)), names=("a7", "d7", "g7"))', "(0,) * 3", "range(3)")
    assert found == ["a7", "d7", "g7"]
    assert game.parse_move(game.start(), "D7") == 1


PATHS = """
def touch(s, m):
    yield m // 16 // 16
    yield m // 16 % 16
    if m % 16:
        yield m % 16
"""


def test_a_path_is_read_however_people_write_it(names):
    game, found = names('Board("squares", 4, 4)', "(0,) * 16", "[5 * 256 + 9 * 16, 5 * 256 + 6 * 16 + 7]", more=PATHS)
    assert found == ["b3-b2", "b3-c3-d3"]
    s = game.start()
    for text in ("b3-b2", "B3B2", "b3 b2", "b3xb2", "b3 x b2", "b3:b2", "1. b3-b2"):
        assert game.parse_move(s, text) == 5 * 256 + 9 * 16
    for text in ("b3-c3-d3", "b3c3d3", "b3-c3/d3", "b3 c3 d3"):
        assert game.parse_move(s, text) == 5 * 256 + 6 * 16 + 7
    assert game.parse_moves(s, "b3b2b3 c3 d3, b3 b2") == [1424, 1383, 1424]
    for text in ("b3", "b2", "b3-d3", "b2-b3", "1424", "5"):
        with pytest.raises(TextError):
            game.parse_move(s, text)


def test_numbers_of_cells_are_not_run_together():
    names = {1: "1-12", 2: "13-1"}
    labels = [str(n) for n in range(1, 33)]
    assert [read_name(names, text, labels) for text in ("1-12", "1 12", "1x12", "112", "11-2", "131", "13")] == [
        1,
        1,
        1,
        *[None] * 4,
    ]


def test_a_label_never_names_another_cell():
    """`12` is a cell, if one where nobody can move; it is not `1-2`, nor `ab` a way from a to b."""
    assert read_name({1: "1-2"}, "12", ["1", "2", "12"]) is None
    assert read_name({1: "a-b"}, "ab", ["a", "b", "ab"]) is None
    assert read_name({1: "a-b"}, "ab", ["a", "b"]) == 1


def test_moves_that_touch_the_same_cells_say_what_they_leave(names):
    play = "State((0, 1 + m), s.plies + 1)"
    touch = "def touch(s, m): yield from (0, 1)"
    game, found = names('Board("squares", 1, 2, pieces=("pqn",))', "(1, 0)", "range(1, 3)", play, touch)
    assert found == ["a1-b1=Q", "a1-b1=N"]
    assert [game.parse_move(game.start(), text) for text in ("a1b1n", "a1-b1=q", "A1XB1=Q")] == [2, 1, 1]
    with pytest.raises(TextError):
        game.parse_move(game.start(), "a1-b1")


def test_a_heap_says_how_many_are_left(names):
    play = "State((s.cells[0] - m,), s.plies + 1)"
    game, found = names('Board("heaps", cols=1, count=9)', "(5,)", "range(1, 4)", play, "def touch(s, m): yield 0")
    assert found == ["a=4", "a=3", "a=2"]
    with pytest.raises(TextError):
        game.parse_move(game.start(), "a2")  # two taken, or two left?


def test_buttons_and_moves_that_nobody_can_touch(names):
    board = 'Board("squares", 1, 2, buttons={7: "pass", 8: "a1"})'
    game, found = names(board, "(0, 0)", "(0, 7, 8, 9)", more="def touch(s, m): return range(m < 2)")
    assert found == ["a1 (0)", "pass", "a1 (8)", "#9"]
    assert [game.parse_move(game.start(), text) for text in found] == [0, 7, 8, 9]
    assert game.format_move(game.start(), 5) == "#5"


def test_without_a_board_a_move_is_its_number(names):
    _, found = names("None", "(0,) * 3", "range(3)")
    assert found == ["0", "1", "2"]


def test_the_names_of_a_page_are_read_in_every_game():
    for name, moves in {"chess": "e2-e4 e7-e5 g1f3", "nim": "a=2 b=0", "backgammon": "3-1 8-5 6-5", "checkers": "11-15"}.items():
        game = load(name)
        assert len(game.parse_moves(game.start(), moves)) == len(moves.split()) - (name == "backgammon")


@pytest.mark.parametrize("name", ["backgammon", "2048", "kalah", "checkers", "connect4"])
def test_no_two_moves_have_one_name(name):
    game, rng = load(name), random.Random(name)
    s = game.start()
    for _ in range(60):
        found = game.touch_names(s)
        assert list(found) == game.options(s)
        assert len(set(found.values())) == len(found)
        assert all(read_name(found, text, game.board.cell_names(game.turn(s) or 0)) == m for m, text in found.items())
        s = game.play(s, rng.choice(list(found))) if found else game.start()
