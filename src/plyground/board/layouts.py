"""The layout of each shape of board: the place of each cell, and what is drawn below and beside them. Grid cells are 10 wide."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from plyground.board import svg
from plyground.board.board import OFF, POINTS, Board
from plyground.board.svg import CELL, STONES, WIDE, circle, dot_rows, dots, fit_font_size, path, rect, round_coordinate, text


class Place(NamedTuple):
    """A cell: its box, and the number of the set with the drawings of what may lie on it."""

    x: float
    y: float
    width: float = CELL
    height: float = CELL
    set: int = 0

    @property
    def middle(self) -> tuple[float, float]:
        """The centre of the box."""
        return self.x + self.width / 2, self.y + self.height / 2


class Margins(NamedTuple):
    """The room that labels need on each side."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0


class BoardLayout(ABC):
    """A board laid out as the first side sees it; `from_opposite_side` turns a place to how the second side sees it."""

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        self.board, self.sides = board, sides
        self.names = board.cell_names()
        self.tones = svg.tones(board, sides)
        self.places = self.lay()
        self.width = max(place.x + place.width for place in self.places)
        self.height = max(place.y + place.height for place in self.places)
        self.margins = Margins()

    @abstractmethod
    def lay(self) -> list[Place]:
        """Return the place of each cell."""

    def sets(self) -> list[list[str]]:
        """Return the drawings of what may lie on a cell, by number."""
        return [svg.pieces(self.board, self.sides)]

    def mark(self, place: Place) -> str:
        """Return the mark around a cell; nothing if it is never marked."""
        return rect("", 0.4, 0.4, place.width - 0.8, place.height - 0.8, 1)

    def from_opposite_side(self, place: Place) -> Place:
        """Return the place from the other side of the table."""
        return place._replace(x=self.width - place.x - place.width, y=self.height - place.y - place.height)

    def ground(self, places: Sequence[Place]) -> str:
        """Return what is drawn below all pieces."""
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
        """The class of the ground: the look of the board."""
        stones = any(glyph in STONES for group in self.board.glyphs for glyph in group)
        if self.board.shape != "squares":
            return self.board.shape
        return "checkered" if self.board.checkered else "felt" if stones else "sheet"

    def _checkered(self, places: Sequence[Place]) -> str:
        cols = len(self.board.col_names)
        dark = [place for i, place in enumerate(places) if (i // cols + i % cols) % 2]
        return path("dark-square", _squares(dark))

    def _lines(self, places: Sequence[Place]) -> str:
        """Draw lines between squares, or from point to point, where two adjacent cells are both used."""
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
        """Return the dots of a large board, and of Othello's."""
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
                for size in [fit_font_size(name, 2.3, 9.4)]
                if name
            )
        cols, size = len(self.board.col_names), self.font
        y = -0.9 * size if self.on_top else self.height + 0.9 * size + 0.4
        found = [
            text("coordinate", place.middle[0], y, fit_font_size(name, size, 0.95 * CELL), name)
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
        return "".join(
            text("square-number", place.x + 1.1, place.y + 1.2, fit_font_size(name, 2.3, 3.2), name) for place, name in both
        )


# -- cells that hold counts ------------------------------------------------------------------------------------------------


class Pits(BoardLayout):
    """The second side's pits from right to left above, the first side's from left to right below; its store is on the right."""

    WIDE, HIGH = svg.PIT_WIDTH, 16
    BELOW, ABOVE, STORE = range(3)

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        super().__init__(board, sides)
        self.margins = Margins(top=4.5, bottom=4.5)

    def lay(self) -> list[Place]:
        count, wide, high = len(self.board.col_names), self.WIDE, self.HIGH
        below = [Place((i + 1) * wide, high, wide, high, self.BELOW) for i in range(count)]
        above = [Place((count - i) * wide, 0, wide, high, self.ABOVE) for i in range(count)]
        return [
            *below,
            Place((count + 1) * wide, 0, wide, 2 * high, self.STORE),
            *above,
            Place(0, 0, wide, 2 * high, self.STORE),
        ]

    def mark(self, place: Place) -> str:
        if place.set == self.STORE:
            return rect("", 0.5, 0.5, 11, 26, 5.5)
        return circle("", self.WIDE / 2, 6 if place.set == self.BELOW else self.HIGH - 6, svg.PIT_RADIUS + 0.5)

    def from_opposite_side(self, place: Place) -> Place:
        other = {self.BELOW: self.ABOVE, self.ABOVE: self.BELOW}
        return super().from_opposite_side(place)._replace(set=other.get(place.set, place.set))

    def sets(self) -> list[list[str]]:
        counts = range(self.board.most + 1)
        return [
            [svg.seed_pit(n, 6, 13.8) for n in counts],
            [svg.seed_pit(n, self.HIGH - 6, 2.2) for n in counts],
            [svg.seed_store(n) for n in counts],
        ]

    def ground(self, places: Sequence[Place]) -> str:
        return rect("ground wood", 0, 0, self.width, self.height, 4)

    def labels(self, places: Sequence[Place], turn: int) -> str:
        found = []
        for i, (place, name) in enumerate(zip(places, self.names, strict=True)):
            side, store = i // (len(places) // 2), place.set == self.STORE
            x, up = place.middle[0], place.x < self.width / 2 if store else place.set == self.ABOVE
            words = self.sides[side] if store and side < len(self.sides) else name
            y = -2.9 if up else self.height + 2.9
            found.append(text("coordinate", x, y, fit_font_size(words, 3.4, self.WIDE), words))
        return "".join(found)


class Heaps(BoardLayout):
    """A row for each heap: its stones and their number. It looks the same from both sides."""

    WIDE, HIGH, ROOM = 60, 11, 48

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        super().__init__(board, sides)
        self.margins = Margins(left=5)

    def lay(self) -> list[Place]:
        return [Place(0, i * self.HIGH, self.WIDE, self.HIGH) for i in range(self.board.size)]

    def from_opposite_side(self, place: Place) -> Place:
        return place

    def sets(self) -> list[list[str]]:
        return [[self._heap(n) for n in range(self.board.most + 1)]]

    def _heap(self, n: int) -> str:
        """Draw stones in the number of lines that makes them largest."""

        def size(lines: int) -> float:
            return min(self.ROOM / math.ceil(n / lines), 9 / lines, 5.6)

        lines = max(range(1, 10), key=size) if n else 1
        step, each = size(lines) if n else 0, math.ceil(n / lines)
        rows = []
        for row in range(lines):
            here = min(each, n - row * each)
            rows.append((26 - (here - 1) / 2 * step, self.HIGH / 2 + (row - (lines - 1) / 2) * step, here))
        stones = dot_rows("pebbles edge", rows, 0.9 * step, step) + dot_rows("pebbles", rows, 0.72 * step, step)
        return stones + svg.tally(n, self.WIDE - 5, self.HIGH / 2, 5.2, 9.6)

    def ground(self, places: Sequence[Place]) -> str:
        lines = "".join(f"M2 {place.y}H{self.WIDE - 2}" for place in places[1:])
        return super().ground(places) + (path("rule thin", lines) if lines else "")

    def labels(self, places: Sequence[Place], turn: int) -> str:
        both = zip(places, self.names, strict=True)
        return "".join(text("coordinate", -3.5, place.middle[1], fit_font_size(name, 4, 5), name) for place, name in both)


class Backgammon(BoardLayout):
    """Points 13 to 24 of the first side above, 12 to 1 below, the bar in the middle, checkers that are off on the right."""

    POINT, HIGH, DIE, RIM = 7, 34, 7.4, 2
    WIDTH, HEIGHT, BAR, TRAY = 106, 80, 44.5, 96.5
    UP, DOWN, OFF_UP, OFF_DOWN, DIES = range(5)

    def __init__(self, board: Board, sides: Sequence[str]) -> None:
        super().__init__(board, sides)
        self.width, self.height = self.WIDTH, self.HEIGHT
        self.margins = Margins(top=4.5, bottom=4.5)

    def lay(self) -> list[Place]:
        wide, high, low = self.POINT, self.HIGH, self.HEIGHT - self.HIGH - self.RIM

        def point(cell: int) -> Place:
            above = cell >= 12
            column = cell - 12 if above else 11 - cell
            x = self.RIM + column * wide + (8 if column >= 6 else 0)
            return Place(x, self.RIM if above else low, wide, high, self.DOWN if above else self.UP)

        return [
            *map(point, range(POINTS)),
            Place(self.BAR, self.RIM, wide, high, self.UP),
            Place(self.BAR, low, wide, high, self.DOWN),
            Place(self.TRAY, low, wide, high, self.OFF_UP),
            Place(self.TRAY, self.RIM, wide, high, self.OFF_DOWN),
            *(Place(x, (self.HEIGHT - self.DIE) / 2, self.DIE, self.DIE, self.DIES) for x in (64.5, 74.1)),
        ]

    def mark(self, place: Place) -> str:
        return "" if place.set == self.DIES else super().mark(place)

    def from_opposite_side(self, place: Place) -> Place:
        other = {self.UP: self.DOWN, self.DOWN: self.UP, self.OFF_UP: self.OFF_DOWN, self.OFF_DOWN: self.OFF_UP}
        return super().from_opposite_side(place)._replace(set=other.get(place.set, place.set))

    def sets(self) -> list[list[str]]:
        numbers = [self.board.piece(n) for n in range(self.board.most + 1)]
        each = [(piece.number, self.tones[piece.side or 0]) for piece in numbers]
        return [
            [self._stack(n, tone, up=True) for n, tone in each],
            [self._stack(n, tone, up=False) for n, tone in each],
            [self._slabs(n, tone, up=True) for n, tone in each],
            [self._slabs(n, tone, up=False) for n, tone in each],
            [svg.die(n, tone, self.DIE) if n else "" for n, tone in each],
        ]

    def _stack(self, n: int, tone: str, up: bool) -> str:
        """Up to five checkers one above the other; the last one says how many if there are more."""
        if not n:
            return ""
        x, shown = self.POINT / 2, min(n, 5)
        first, step = (self.HIGH - 3.4, -6.3) if up else (3.4, 6.3)
        last = first + (shown - 1) * step
        end = round_coordinate(last + (-0.01 if up else 0.01))
        drawn = "".join(path(f"stack {part} {tone}", f"M{x} {first}V{end}") for part in ("rim", "body", "groove", "top"))
        return drawn + (circle(f"plate {tone}", x, last, 2.6) + text(f"on {tone}", x, last, 3.9, str(n)) if n > 5 else "")

    def _slabs(self, n: int, tone: str, up: bool) -> str:
        """Draw checkers seen from the side, and their number."""
        if not n:
            return ""
        first, step = (self.HIGH - 0.4, -1.9) if up else (0.4, 1.9)
        last = round_coordinate(first + n * step)
        drawn = "".join(path(f"slabs {part} {tone}", f"M{self.POINT / 2} {first}V{last}") for part in ("rim", "body"))
        return drawn + svg.tally(n, self.POINT / 2, last + (-2.5 if up else 2.5), 3.6, self.POINT)

    def ground(self, places: Sequence[Place]) -> str:
        dark: list[str] = []
        light: list[str] = []
        for cell, place in enumerate(places[:POINTS]):
            down = place.set == self.DOWN
            base, tip = (place.y, place.y + 31) if down else (place.y + self.HIGH, place.y + 3)
            x = place.x
            (dark if cell % 2 else light).append(f"M{x + 0.3:g} {base:g}H{x + 6.7:g}L{x + 3.5:g} {tip:g}z")
        halves = sorted({min(p.x for p in places[i : i + 6]) for i in range(0, POINTS, 6)})
        fields = "".join(rect("field", x, self.RIM, 42, self.HEIGHT - 2 * self.RIM) for x in halves)
        tray = rect("field", places[OFF].x - 0.5, self.RIM, 8, self.HEIGHT - 2 * self.RIM)
        whole = rect("ground frame", 0, 0, self.width, self.height, 2)
        return whole + fields + tray + path("point", "".join(light)) + path("point odd", "".join(dark))

    def labels(self, places: Sequence[Place], turn: int) -> str:
        found = []
        for place, name in zip(places[:POINTS], self.board.cell_names(turn), strict=False):
            y = -2.4 if place.set == self.DOWN else self.height + 2.4
            found.append(text("coordinate", place.middle[0], y, 3.4, name))
        return "".join(found)
