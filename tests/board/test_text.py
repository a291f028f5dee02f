"""A board in characters."""

import math

from plyground import Board
from plyground.board import text

NINE = Board(
    "free",
    at=[(x, y) for y in range(3) for x in range(3)],
    lines=((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (3, 6), (1, 4), (0, 4), (4, 8), (2, 4), (4, 6)),
    names=["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"],
    pieces="XO",
)


def drawn(board, cells, flip=False):
    return text.text(text.rows(board, cells, ("X", "O"), 0, flip)).split("\n")


def test_a_free_board_has_names_and_lines():
    assert drawn(NINE, [1, 0, 2, 0, 1, 0, 0, 0, 0]) == [
        "Xa3--.b3--Oc3",
        "| \\  |  /",
        ".a2--Xb2--.c2",
        "| /     \\",
        ".a1  .b1  .c1",
    ]
    assert drawn(NINE, [1, 0, 2, 0, 1, 0, 0, 0, 0], flip=True)[-1] == "c3O--b3.--a3X"


def test_lines_that_cross():
    board = Board("free", at=((1, 0), (0, 1), (2, 1), (1, 2)), lines=((0, 3), (1, 2)), pieces="XO")
    assert drawn(board, [1, 0, 0, 2]) == ["    X1", "    |", ".2--+---.3", "    |", "    O4"]


def test_cells_anywhere_are_drawn_once_each():
    """Cells on a circle, and cells nearer to each other than characters are."""
    circle = Board("free", at=[(3 * math.cos(i), 3 * math.sin(i)) for i in range(40)], pieces="XO")
    heap = Board("free", at=[(i / 1e4, i % 3 / 1e4) for i in range(40)], pieces="XO")
    for board in (circle, heap):
        lines = drawn(board, [1] * 40)
        assert sorted(" ".join(lines).split(), key=lambda token: int(token[1:])) == [f"X{i + 1}" for i in range(40)]
        assert len(lines) < 250


def test_dropped_stones_stay_below_when_the_board_is_turned():
    board = Board("drop", 2, 2, pieces="XO")
    assert drawn(board, [0, 0, 1, 2], flip=True) == [". .", "O X", "2 1"]


def test_a_board_turned_round():
    board = Board("squares", 2, 2, pieces="XO")
    assert drawn(board, [0, 1, 2, 0], flip=True) == ["b a", ". O 1", "X . 2"]
