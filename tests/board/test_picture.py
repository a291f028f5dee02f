"""A board as a picture: every cell has its place and every content its drawing, from both sides of the table."""

import re
from xml.etree import ElementTree

import pytest

from plyground import Board, load
from plyground.board.picture import picture
from plyground.rules.load import builtin_games

CROSS = Board("free", at=((1, 0), (0, 1), (2, 1)), lines=((0, 1), (0, 2)), pieces="XO")
HOLED = Board("points", 3, 3, names=["a", "b", "c", "d", "", "f", "g", "h", "i"], pieces="XO")


def boards():
    """The boards of all games, and of shapes that none of them has."""
    for name in builtin_games():
        game = load(name)
        yield pytest.param(game.board, game.sides, id=name)
    yield pytest.param(CROSS, ("X", "O"), id="free")
    yield pytest.param(HOLED, ("X", "O"), id="holed")


@pytest.mark.parametrize(("board", "sides"), [*boards()])
def test_every_cell_has_a_place_and_every_content_a_drawing(board, sides):
    drawn = picture(board, sides)
    for view in drawn.views:
        assert len(view.cells) == board.size
        assert len(view.labels) == len(sides)
        x, y, wide, high = view.bare
        for left, top, width, height, which in view.cells:
            assert x <= left < left + width <= x + wide
            assert y <= top < top + height <= y + high
            assert len(drawn.sets[int(which)]) == board.most + 1
    for drawings in drawn.sets:
        shown = {drawing for n, drawing in enumerate(drawings) if n <= 15}
        assert len(shown) == min(board.most + 1, 16), "contents look different"


@pytest.mark.parametrize(("board", "sides"), [*boards()])
def test_it_is_well_formed(board, sides):
    drawn = picture(board, sides)
    for n in range(board.most + 1):
        for flipped in (False, True):
            ElementTree.fromstring(drawn.svg([n] * board.size, 0, flipped, True, lambda cell: cell == 0))


def test_the_second_side_sees_the_board_turned():
    chess = picture(load("chess").board, ("white", "black"))
    first, second = (view.cells for view in chess.views)
    assert first[0][:2] == second[63][:2] == [0, 0]
    drop = picture(load("connect4").board, ("X", "O"))
    first, second = (view.cells for view in drop.views)
    assert first[0][:2] == second[6][:2] == [0, 0], "discs never fall upwards"


def test_lines_lead_only_between_cells_that_are_used():
    """From both sides: the cell that lacks a name is on the left, then on the right."""
    board = Board("points", 2, 2, names=["a", "b", "", "d"], pieces="XO")
    lines = [re.search(r'class="rule" d="([^"]*)"', view.ground)[1] for view in picture(board, ("X", "O")).views]
    assert lines == ["M5 5h10M15 5v10", "M5 15h10M5 5v10"]


@pytest.mark.parametrize("text", ["<b>", '"&"'])
def test_a_letter_is_text_and_nothing_else(text):
    drawn = picture(Board("squares", 2, 2, pieces=((text,), ("o",))), ("X", "O"))
    root = ElementTree.fromstring(drawn.svg([1, 0, 0, 0]))
    assert next(root.iter("text")).text == text
    assert not re.search(r"<b>", drawn.svg([1, 0, 0, 0]))
