"""A board as a picture: SVG parts are made here once and then only placed, by `Picture.svg` and by `picture.js`.

The web page, the explain page, notebooks and files use the same data, so a board looks the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from plyground.board.board import Board
from plyground.board.layouts import Backgammon, BoardLayout, Free, Grid, Heaps, Pits, Place
from plyground.board.svg import round_coordinate

SCRIPT, STYLE = (Path(__file__).parent / name for name in ("picture.js", "board.css"))
"""What a page needs to show pictures."""
MARGIN = 1
"""The space around the board, for its frame."""

LAYOUTS: dict[str, type[BoardLayout]] = {"pits": Pits, "heaps": Heaps, "backgammon": Backgammon, "free": Free}
"""The other shapes are grids."""
Box = list[int | float]
"""x, y, width, height."""
Fresh = Callable[[int], bool]
"""Whether to mark a cell."""


def never(cell: int) -> bool:
    """Mark no cell."""
    return False


class BoardView(NamedTuple):
    """The board from one side of the table."""

    box: Box
    bare: Box
    """The box without the space for labels."""
    ground: str
    labels: list[str]
    """The names of the cells, for each side to move."""
    cells: list[list[int | float]]
    """x, y, width and height of each cell, and the number of the set with the drawings of what may lie on it."""


class Picture(NamedTuple):
    """A board as the first and as the second side see it; `sets[set][n]` is what content n of a cell looks like."""

    views: list[BoardView]
    sets: list[list[str]]
    marks: list[str]
    """The mark around a cell, for each set."""

    def as_json(self) -> dict[str, object]:
        """Return the picture as data."""
        return {"views": [view._asdict() for view in self.views], "sets": self.sets, "marks": self.marks}

    def svg(self, cells: Sequence[int], turn: int = 0, flipped: bool = False, labelled: bool = True, fresh: Fresh = never) -> str:
        """Draw the board with what lies on its cells, as `drawBoard` in `picture.js` does; `fresh` marks cells."""
        box, drawn = self.parts(cells, turn, flipped, labelled, fresh)
        return f'<svg class="board" viewBox="{" ".join(map(str, box))}" aria-hidden="true">{drawn}</svg>'

    def parts(self, cells: Sequence[int], turn: int, flipped: bool, labelled: bool, fresh: Fresh) -> tuple[Box, str]:
        """Return the box of the drawing and its content."""
        view = self.views[flipped]
        places = [(f"translate({x} {y})", int(which)) for x, y, _, _, which in view.cells]
        parts = [view.ground]
        for i, (place, which) in enumerate(places):
            if fresh(i):
                parts.append(f'<g class="fresh" transform="{place}">{self.marks[which]}</g>')
        for i, (place, which) in enumerate(places):
            drawn = self.sets[which][cells[i]]
            if drawn:
                parts.append(f'<g data-cell="{i}" transform="{place}">{drawn}</g>')
        if labelled:
            parts.append(view.labels[turn])
        return view.box if labelled else view.bare, "".join(parts)


def picture(board: Board, sides: Sequence[str]) -> Picture:
    """Return the picture of a board for these sides."""
    laid = LAYOUTS.get(board.shape, Grid)(board, sides)
    views = [_view(laid, laid.places), _view(laid, [laid.from_opposite_side(place) for place in laid.places])]
    samples = {place.set: place for place in laid.places}
    return Picture(views, laid.sets(), [laid.mark(samples[i]) for i in sorted(samples)])


def _view(laid: BoardLayout, places: Sequence[Place]) -> BoardView:
    left, top, right, bottom = laid.margins
    wide, high = laid.width + 2 * MARGIN, laid.height + 2 * MARGIN
    return BoardView(
        [round_coordinate(x) for x in (-MARGIN - left, -MARGIN - top, wide + left + right, high + top + bottom)],
        [round_coordinate(x) for x in (-MARGIN, -MARGIN, wide, high)],
        laid.ground(places),
        [laid.labels(places, turn) for turn in range(len(laid.sides))],
        [[round_coordinate(x) for x in place] for place in places],
    )
