"""Where the cells of a board are, and what is drawn below and beside them. A cell of a grid is 10 wide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from plyground.board.board import Board
from plyground.board.pieces import CELL, STONES, pieces, tones
from plyground.board.svg import WIDE, circle, dots, fitting, path, rect, text


class Place(NamedTuple):
    """A cell: a box, and which set has the drawings of what lies on it."""

    x: float
    y: float
    width: float = CELL
    height: float = CELL
    set: int = 0

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of the box."""
        return self.x + self.width / 2, self.y + self.height / 2


class Margins(NamedTuple):
    """The room that labels need on each side."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0


class BoardLayout(ABC):
    """A board laid out as the first side sees it; `turned` gives the places as the second side sees them."""

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        self.board, self.sides = board, sides
        self.names = board.cell_names()
        self.tones = tones(board, sides)
        self.places = self.lay()
        self.width = max(place.x + place.width for place in self.places)
        self.height = max(place.y + place.height for place in self.places)
        self.margins = Margins()

    @abstractmethod
    def lay(self) -> list[Place]:
        """Return the place of each cell."""

    def sets(self) -> list[list[str]]:
        """Return the drawings of what may lie on a cell, by number."""
        return [pieces(self.board, self.sides)]

    def mark(self, place: Place) -> str:
        """Return what goes around a cell that somebody should look at; nothing for a cell that is never marked."""
        return rect("", 0.4, 0.4, place.width - 0.8, place.height - 0.8, 1)

    def from_opposite_side(self, place: Place) -> Place:
        """Return the place from the other side of the table."""
        return place._replace(x=self.width - place.x - place.width, y=self.height - place.y - place.height)

    def ground(self, places: Sequence[Place]) -> str:
        """Return what lies below all pieces."""
        return rect("ground sheet", 0, 0, self.width, self.height, 2)

    def labels(self, places: Sequence[Place], turn: int) -> str:
        """Return the names of the cells, as the side to move calls them."""
        return ""


class Grid(BoardLayout):
    """Squares, points, columns to drop discs into, or tiles: row by row, from the top left."""

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        super().__init__(board, sides)
        self.used = [bool(name) for name in self.names]
        self.font = max(2.2, 0.042 * max(self.width, self.height))
        self.on_top = board.row_names[0] == "1" and len(board.row_names) > 1
        if not board.names:
            wide = max(WIDE * self.font * len(name) for name in board.row_names)
            beside, below = wide + self.font if wide else 0, 1.5 * self.font
            self.margins = Margins(left=beside, top=below * self.on_top, bottom=below * (not self.on_top))

    def lay(self) -> list[Place]:
        cols = len(self.board.col_names)
        return [Place(i % cols * CELL, i // cols * CELL) for i in range(self.board.size)]

    def mark(self, place: Place) -> str:
        if self.board.shape == "tiles":
            return rect("", 0.1, 0.1, 9.8, 9.8, 1.4)
        return circle("", 5, 5, 4.7) if self.board.shape in ("drop", "points") else super().mark(place)

    def from_opposite_side(self, place: Place) -> Place:
        if self.board.shape == "tiles":
            return place
        from_opposite_side = super().from_opposite_side(place)
        return from_opposite_side._replace(y=place.y) if self.board.shape == "drop" else from_opposite_side

    def ground(self, places: Sequence[Place]) -> str:
        used = [place for place, name in zip(places, self.names, strict=True) if name]
        whole = rect(f"ground {self.look}", -0.6, -0.6, self.width + 1.2, self.height + 1.2, 1.4)
        if self.board.checkered:
            return whole + self._checkered(places)
        if self.board.shape == "drop":
            return whole + "".join(circle("hole", *place.middle, 3.95) for place in used)
        if self.board.shape == "tiles":
            return whole + "".join(rect("slot", place.x + 0.4, place.y + 0.4, 9.2, 9.2, 1.1) for place in used)
        if len(used) < len(places):
            edges = "".join(rect(f"ground {self.look}", place.x, place.y, CELL, CELL) for place in used)
            whole = edges + path(f"ground {self.look} part", _squares(used))
        return whole + path("rule", self._lines(places)) + self._dots()

    @property
    def look(self) -> str:
        """The class of the ground: what the board is made of."""
        stones = any(glyph in STONES for group in self.board.glyphs for glyph in group)
        if self.board.shape != "squares":
            return self.board.shape
        return "checkered" if self.board.checkered else "felt" if stones else "sheet"

    def _checkered(self, places: Sequence[Place]) -> str:
        cols = len(self.board.col_names)
        dark = [place for i, place in enumerate(places) if (i // cols + i % cols) % 2]
        return path("dark-square", _squares(dark))

    def _lines(self, places: Sequence[Place]) -> str:
        """Draw lines between squares, or from point to point, where cells next to each other are both used."""
        found, cols = [], len(self.board.col_names)
        for i, here in enumerate(places):
            for other, across in ((i + 1, True), (i + cols, False)):
                beside = other % cols > 0 if across else other < len(places)
                if beside and self.used[i] and self.used[other]:
                    there = places[other]
                    x, y = max(here.x, there.x), max(here.y, there.y)
                    if self.board.shape == "points":
                        x, y = x + CELL / 2 - CELL * across, y + CELL / 2 - CELL * (not across)
                    along = across == (self.board.shape == "points")
                    found.append(f"M{x:g} {y:g}{'h' if along else 'v'}{CELL}")
        return "".join(found)

    def _dots(self) -> str:
        """Return the marked points of a large board, and of Othello's."""
        rows, cols = len(self.board.row_names), len(self.board.col_names)
        if self.board.shape == "points" and min(rows, cols) >= 9:
            off = 3 if min(rows, cols) >= 13 else 2
            places = [(c, r) for r in (off, rows - 1 - off) for c in (off, cols - 1 - off)]
            places += [(cols // 2, rows // 2)] * (rows % 2 and cols % 2)
            return dots("dot", [((c + 0.5) * CELL, (r + 0.5) * CELL) for c, r in places], 1.9)
        if self.look == "felt" and rows == cols == 8:
            return dots("dot", [(x * CELL, y * CELL) for y in (2, 6) for x in (2, 6)], 1.4)
        return ""

    def labels(self, places: Sequence[Place], turn: int) -> str:
        if self.board.names:
            return "".join(
                text("square-number", place.x + 0.3 + 0.5 * WIDE * size * len(name), place.y + 1.2, size, name)
                for place, name in zip(places, self.names, strict=True)
                for size in [fitting(name, 2.3, 9.4)]
                if name
            )
        cols, size = len(self.board.col_names), self.font
        y = -0.9 * size if self.on_top else self.height + 0.9 * size + 0.4
        found = [
            text("coordinate", place.middle[0], y, fitting(name, size, 0.95 * CELL), name)
            for place, name in zip(places, self.board.col_names, strict=False)
        ]
        x = -0.5 * self.margins.left - 0.6
        found += [
            text("coordinate", x, place.middle[1], size, name)
            for place, name in zip(places[::cols], self.board.row_names, strict=True)
            if name
        ]
        return "".join(found)


def _squares(places: Sequence[Place]) -> str:
    """Return the path around each of these cells of a grid."""
    return "".join(f"M{place.x} {place.y}h{CELL}v{CELL}h-{CELL}z" for place in places)


class Free(BoardLayout):
    """Cells anywhere, joined by lines."""

    def lay(self) -> list[Place]:
        left, top = (min(place[axis] for place in self.board.at) for axis in (0, 1))
        return [Place((x - left) * CELL, (y - top) * CELL) for x, y in self.board.at]

    def ground(self, places: Sequence[Place]) -> str:
        lines = []
        for a, b in self.board.lines:
            (x, y), (to_x, to_y) = places[a].middle, places[b].middle
            lines.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
        spots = "".join(circle("spot", *place.middle, 4.3 if self.board.count else 1.6) for place in places)
        return super().ground(places) + (path("rule", "".join(lines)) if lines else "") + spots

    def labels(self, places: Sequence[Place], turn: int) -> str:
        both = zip(places, self.names, strict=True)
        return "".join(text("square-number", place.x + 1.1, place.y + 1.2, fitting(name, 2.3, 3.2), name) for place, name in both)
