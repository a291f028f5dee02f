"""Layouts of boards whose cells hold counts: pits with seeds, heaps of stones, stacks of checkers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyground.board.board import OFF, POINTS, Board
from plyground.board.layouts import BoardLayout, Margins, Place
from plyground.board.pieces import die
from plyground.board.svg import circle, dots, dotted, fitting, number, path, rect, text


def _tally(n: int, x: float, y: float, size: float, width: float) -> str:
    """Return how many they are."""
    return text("count" if n else "count none", x, y, fitting(str(n), size, width), str(n))


class Pits(BoardLayout):
    """The second side's pits from right to left above, the first side's from left to right below; its store is on the right."""

    WIDE, HIGH, RADIUS = 12, 16, 5.1
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
        return circle("", self.WIDE / 2, 6 if place.set == self.BELOW else self.HIGH - 6, self.RADIUS + 0.5)

    def from_opposite_side(self, place: Place) -> Place:
        other = {self.BELOW: self.ABOVE, self.ABOVE: self.BELOW}
        return super().from_opposite_side(place)._replace(set=other.get(place.set, place.set))

    def sets(self) -> list[list[str]]:
        counts = range(self.board.most + 1)
        return [
            [self._pit(n, 6, 13.8) for n in counts],
            [self._pit(n, self.HIGH - 6, 2.2) for n in counts],
            [self._store(n) for n in counts],
        ]

    def _pit(self, n: int, y: float, below: float) -> str:
        """Draw seeds in a spiral like a sunflower's, closer together if there are many; a full pit shows no more of them."""
        shown = min(n, 30)
        apart = min(1.45, 3.8 / math.sqrt(shown)) if shown else 0
        found = [(apart * math.sqrt(i + 0.5), 2.4 * i) for i in range(shown)]
        places = [(r * math.cos(turn), r * math.sin(turn)) for r, turn in found]
        x0, y0 = (sum(place[axis] for place in places) / max(1, shown) for axis in (0, 1))
        places = [(self.WIDE / 2 + x - x0, y + dy - y0) for x, dy in places]
        seeds = dots("seeds", places[::2], 1.3 * apart) + dots("seeds other", places[1::2], 1.3 * apart)
        return circle("pit", self.WIDE / 2, y, self.RADIUS) + seeds + _tally(n, self.WIDE / 2, below, 4.2, 11)

    def _store(self, n: int) -> str:
        """Draw seeds in rows from below, each row between those of the next, smaller if there are many."""
        each, left, rows = 3, n, []
        while each < 7 and n > self._room(each):
            each += 1
        apart = 7.2 / each
        for row in range(self._high(each)):
            wide = each - row % 2
            rows.append((self.WIDE / 2 - (wide - 1) / 2 * apart, 23 - 0.84 * apart * row, max(0, min(wide, left))))
            left -= wide
        seeds = dotted("seeds", rows[::2], 0.8 * apart, apart) + dotted("seeds other", rows[1::2], 0.8 * apart, apart)
        return rect("pit", 1, 1, 10, 25, 5) + seeds + _tally(n, self.WIDE / 2, 29.2, 4.2, 11)

    def _high(self, each: int) -> int:
        """Return how many rows a store has room for, with `each` seeds in every other row."""
        return 1 + int(18 * each / (0.84 * 7.2))

    def _room(self, each: int) -> int:
        """Return how many seeds they are, with one less in the rows between."""
        high = self._high(each)
        return each * high - high // 2

    def ground(self, places: Sequence[Place]) -> str:
        return rect("ground wood", 0, 0, self.width, self.height, 4)

    def labels(self, places: Sequence[Place], turn: int) -> str:
        found = []
        for i, (place, name) in enumerate(zip(places, self.names, strict=True)):
            side, store = i // (len(places) // 2), place.set == self.STORE
            x, up = place.middle[0], place.x < self.width / 2 if store else place.set == self.ABOVE
            words = self.sides[side] if store and side < len(self.sides) else name
            y = -2.9 if up else self.height + 2.9
            found.append(text("coordinate", x, y, fitting(words, 3.4, self.WIDE), words))
        return "".join(found)


class Heaps(BoardLayout):
    """A row for each heap: its stones, and how many they are. It looks the same from both sides."""

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
        """Draw stones in as many lines as make them largest."""

        def size(lines: int) -> float:
            return min(self.ROOM / math.ceil(n / lines), 9 / lines, 5.6)

        lines = max(range(1, 10), key=size) if n else 1
        step, each = size(lines) if n else 0, math.ceil(n / lines)
        rows = []
        for row in range(lines):
            here = min(each, n - row * each)
            rows.append((26 - (here - 1) / 2 * step, self.HIGH / 2 + (row - (lines - 1) / 2) * step, here))
        stones = dotted("pebbles edge", rows, 0.9 * step, step) + dotted("pebbles", rows, 0.72 * step, step)
        return stones + _tally(n, self.WIDE - 5, self.HIGH / 2, 5.2, 9.6)

    def ground(self, places: Sequence[Place]) -> str:
        lines = "".join(f"M2 {place.y}H{self.WIDE - 2}" for place in places[1:])
        return super().ground(places) + (path("rule thin", lines) if lines else "")

    def labels(self, places: Sequence[Place], turn: int) -> str:
        both = zip(places, self.names, strict=True)
        return "".join(text("coordinate", -3.5, place.middle[1], fitting(name, 4, 5), name) for place, name in both)


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
            [die(n, tone, self.DIE) if n else "" for n, tone in each],
        ]

    def _stack(self, n: int, tone: str, up: bool) -> str:
        """Up to five checkers one above the other; the last one says how many if there are more."""
        if not n:
            return ""
        x, shown = self.POINT / 2, min(n, 5)
        first, step = (self.HIGH - 3.4, -6.3) if up else (3.4, 6.3)
        last = first + (shown - 1) * step
        end = number(last + (-0.01 if up else 0.01))
        drawn = "".join(path(f"stack {part} {tone}", f"M{x} {first}V{end}") for part in ("rim", "body", "groove", "top"))
        return drawn + (circle(f"plate {tone}", x, last, 2.6) + text(f"on {tone}", x, last, 3.9, str(n)) if n > 5 else "")

    def _slabs(self, n: int, tone: str, up: bool) -> str:
        """Draw checkers seen from the side, and how many they are."""
        if not n:
            return ""
        first, step = (self.HIGH - 0.4, -1.9) if up else (0.4, 1.9)
        last = number(first + n * step)
        drawn = "".join(path(f"slabs {part} {tone}", f"M{self.POINT / 2} {first}V{last}") for part in ("rim", "body"))
        return drawn + _tally(n, self.POINT / 2, last + (-2.5 if up else 2.5), 3.6, self.POINT)

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
