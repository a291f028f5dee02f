"""A board in characters."""

from plyground import Board
from plyground.board import text


def test_a_free_board_is_drawn_where_its_cells_are():
    board = Board("free", at=((1, 0), (0, 1), (2, 1)), pieces="XO")
    assert text.text(text.rows(board, [1, 0, 2], ("X", "O"), 0)) == "    X\n\n.       O"


def test_a_board_turned_round():
    board = Board("squares", 2, 2, pieces="XO")
    rows = text.rows(board, [0, 1, 2, 0], ("X", "O"), 0)
    assert text.text(text.turned(rows)) == "b a\n. O 1\nX . 2"
    assert text.turned(text.turned(rows)) == rows
