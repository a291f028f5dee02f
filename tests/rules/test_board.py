"""BOARD, `cells` and `touch`: what a game gets from one line, and what is refused."""

import pytest

from plyground import GameError, load

ROW = """
from typing import NamedTuple
from plyground import Board
from plyground.bits import put

BOARD = {board}


class State(NamedTuple):
    row: tuple[int, ...]
    side: int


def start():
    return State((0,) * 4, 0)


def moves(s):
    for m in range(4):
        if s.row[m] == 0:
            yield m


def play(s, m):
    return State(put(s.row, m, {stone}), 1 - s.side)


def result(s):
    return -1 if all(s.row) else None
"""
LINE = 'Board("squares", 2, 2)'


@pytest.fixture
def game(rules_file):
    def made(board=LINE, stone="1 + s.side", more=""):
        return load(str(rules_file(ROW.format(board=board, stone=stone) + more)))

    return made


@pytest.mark.parametrize("stone", ["1 + s.side", "1 - 2 * s.side"])
def test_one_line_gives_a_board(game, stone):
    """Pieces of the second side may be written 2 or -1."""
    rules = game(stone=stone)
    s = rules.play(rules.play(rules.start(), 1), 2)
    assert rules.cells(s) == [0, 1, 2, 0]
    assert rules.touch(s, 3) == [3]
    assert rules.show(s) == "2 . X\n1 O .\n  a b"


def test_without_a_board_there_is_text(game):
    rules = game("9")
    assert (rules.board, rules.cells(rules.start())) == (None, [])
    assert rules.show(rules.start()) == "row=0.0.0.0 side=0"


def test_show_stands_below_the_board(game):
    rules = game(more='\n\ndef show(s):\n    return "below"\n')
    assert rules.show(rules.start()).splitlines()[-2:] == ["", "below"]


def test_fields_stand_below_the_board(game):
    rules = game('Board("squares", 2, 2, fields=("side",))', more='\n\ndef show(s):\n    return "below"\n')
    assert rules.show(rules.play(rules.start(), 0)).splitlines()[-3:] == ["", "side 1", "below"]


@pytest.mark.parametrize(
    ("board", "more", "told"),
    [
        ('Board("hexes", 2, 2)', "", "the shape 'hexes' is none of squares, points"),
        ('Board("squares", 0, 2)', "", "rows is 0; it must be a number from 1 up"),
        ('Board("squares", 2, 2, pieces=("X", "O", "Z"))', "", "pieces is .* the pieces of each side"),
        ('Board("squares", 2, 2, pieces="XO", glyphs="●")', "", "as many signs for each side"),
        ('Board("squares", 2, 2, names="abc")', "", "3 names for 4 cells"),
        ('Board("heaps", cols=4)', "", "count is 0; for heaps"),
        ('Board("free")', "", "a free board needs `at`"),
        ('Board("squares", 3, 3)', "", "no fields of State have 9 numbers, one for each cell of BOARD; define `cells"),
        ('Board("squares", 2, 2, fields=("sides",))', "", "BOARD: fields names 'sides', but the numbers of State are side"),
        ("9", "def cells(s):\n    return s.row", "`cells` needs BOARD"),
        (LINE, "def cells(s):\n    return s.row[1:]", "`cells` gives 3 numbers, but BOARD has 4 cells"),
        (LINE, "def cells(s):\n    return (3, 0, 0, 0)", r"`cells` gives 3 for cell 0 \(a2\); BOARD has numbers from 0 to 2"),
        (LINE, "def touch(s, m):\n    yield m + 1", "`touch` gives 4; cells are numbered from 0 to 3"),
        (LINE, "def touch(s, m):\n    return m", "`touch` gives 0; it must yield its items"),
    ],
)
def test_what_cannot_be_meant_is_refused(game, board, more, told):
    with pytest.raises(GameError, match=rf"mygame.py:\d+: .*{told}"):
        game(board, more=f"\n\n{more}\n")
