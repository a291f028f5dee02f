"""How a board looks, as declared in a rules file: `BOARD = Board("squares", 3, 3)`. The terminal and pages draw from it.

`cells(s)` gives a number for each cell, always seen from the same side: 0 for an empty cell, then the pieces of the first side,
then those of the second. In chess, 1 to 6 are white's pieces and 7 to 12 black's. If cells hold counts, the number is the count.
The order of the cells:

    squares, points, drop, tiles    row by row, from the top left
    heaps                           from the first to the last
    pits                            the first side's pits and its store, the second side's pits and its store
    backgammon                      points 1 to 24 as the first side counts them, the two bars, the two places for checkers that
                                    are off, two dice; a number above COUNT is the second side's, with COUNT subtracted
    free                            in the order of `at`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

GRIDS = ("squares", "points", "drop", "tiles")
SHAPES_WITH_COUNTS = ("pits", "heaps", "backgammon")
SHAPES = (*GRIDS, *SHAPES_WITH_COUNTS, "free")
POINTS, BARS, OFF, DICE = 24, 24, 26, 28
"""Backgammon: the number of points, and the first of the two cells for bars, checkers that are off, and dice."""
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Piece(NamedTuple):
    """What a number on a cell stands for."""

    side: int | None
    letter: str
    glyph: str
    number: int


def _part(meaning: str, default: object = ()) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True)
class Board:
    """The shape of a board, the names of its cells, and its pieces."""

    shape: str = _part('`"squares"`, `"points"`, `"drop"`, `"tiles"`, `"pits"`, `"heaps"`, `"backgammon"` or `"free"`', None)
    rows: int | Sequence[str] = _part("how many rows, or their names from the top; by default they are counted from below", 1)
    cols: int | Sequence[str] = _part("how many columns, pits of a side, or heaps; or their names, by default `a`, `b`, `c`", 1)
    pieces: Sequence[Sequence[str]] = _part(
        'the pieces of each side as text, in the order of their numbers: `("KQRBNP", "kqrbnp")`; by default one for each side, '
        "its name if that is a letter, else X and O"
    )
    glyphs: Sequence[Sequence[str]] = _part(
        "the same in Unicode, where it differs; in pictures `●` and `○` are stones, `◆` and `◇` kings, `♔` to `♟` chess pieces"
    )
    count: int = _part("cells hold counts up to this: seeds, stones, checkers", 0)
    names: Sequence[str] = _part("the names of the cells, if not made of column and row; a cell without a name is never used")
    buttons: Mapping[int, str] = field(
        default_factory=dict, metadata={"meaning": 'names for the moves that touch no cell: `{64: "pass"}`'}
    )
    fields: Sequence[str] = _part('fields of the state to show below the board, each one number: `("score",)`')
    checkered: bool = _part("are the squares dark and light?", False)
    at: Sequence[tuple[float, float]] = _part("for `free`: where each cell is, x to the right and y down, a cell being 1 wide")
    lines: Sequence[tuple[int, int]] = _part("for `free`: the pairs of cells that a line connects")

    @property
    def row_names(self) -> tuple[str, ...]:
        """The names of the rows from the top; empty if stones are dropped into the board."""
        if isinstance(self.rows, int):
            return tuple("" if self.shape == "drop" else str(self.rows - i) for i in range(self.rows))
        return tuple(self.rows)

    @property
    def col_names(self) -> tuple[str, ...]:
        """The names of the columns from the left."""
        if not isinstance(self.cols, int):
            return tuple(self.cols)
        letters = self.shape not in ("drop", "pits") and self.cols <= len(LETTERS)
        return tuple(LETTERS[i] if letters else str(i + 1) for i in range(self.cols))

    @property
    def size(self) -> int:
        """The number of cells."""
        cols = len(self.col_names)
        known = {"pits": 2 * (cols + 1), "heaps": cols, "backgammon": DICE + 2, "free": len(self.at)}
        return known.get(self.shape, len(self.row_names) * cols)

    @property
    def most(self) -> int:
        """The largest number that may lie on a cell."""
        if self.count:
            return 2 * self.count if self.shape == "backgammon" else self.count
        return sum(map(len, self.pieces))

    def cell_names(self, turn: int = 0) -> tuple[str, ...]:
        """Return the name of each cell as the side to move calls it: in backgammon each side counts from its own home."""
        if self.names:
            return tuple(self.names)
        if self.shape == "backgammon":
            points = tuple(str(POINTS - i if turn else i + 1) for i in range(POINTS))
            return (*points, "bar", "bar", "off", "off", "die", "die")
        if self.shape == "pits":
            return (*self.col_names, "store") * 2
        if self.shape == "free":
            return tuple(str(i + 1) for i in range(self.size))
        rows = ("",) if self.shape == "heaps" else self.row_names
        return tuple(col + row for row in rows for col in self.col_names)

    def near(self, cell: int) -> range:
        """Return the cells that a touch may change: the whole column if stones are dropped into the board."""
        cols = len(self.col_names)
        return range(cell % cols, self.size, cols) if self.shape == "drop" else range(cell, cell + 1)

    def piece(self, n: int) -> Piece:
        """Return what a number on a cell stands for."""
        if self.count:
            side = None if self.shape != "backgammon" or n == 0 else int(n > self.count)
            letter, glyph = ("", "") if side is None else (self.pieces[side][0], self._glyph(side, 0))
            return Piece(side, letter, glyph, n - self.count if side else n)
        if n == 0:
            return Piece(None, ".", ".", 0)
        side, n = 0, n - 1
        while n >= len(self.pieces[side]):
            side, n = side + 1, n - len(self.pieces[side])
        return Piece(side, self.pieces[side][n], self._glyph(side, n), 1)

    def _glyph(self, side: int, n: int) -> str:
        return self.glyphs[side][n] if self.glyphs else self.pieces[side][n]

    def fault(self, sides: int) -> str | None:
        """Return what is wrong with this board for a game with this many sides; None if nothing is."""
        if self.shape not in SHAPES:
            return f"the shape {self.shape!r:.40} is none of {', '.join(SHAPES)}"
        for name in ("rows", "cols"):
            value = getattr(self, name)
            if not (value >= 1 if type(value) is int else _texts(value)):
                return f"{name} is {value!r:.40}; it must be a number from 1 up, or the names of the {name}"
        if type(self.count) is not int or self.count < 0 or (self.shape in SHAPES_WITH_COUNTS and not self.count):
            return f"count is {self.count!r:.40}; for {self.shape} it must be the largest number that a cell can hold"
        if len(self.pieces) > sides or not all(_texts(group) for group in self.pieces):
            return f'pieces is {self.pieces!r:.60}; it must have the pieces of each side, such as ("KQRBNP", "kqrbnp")'
        if self.glyphs and [len(group) for group in self.glyphs] != [len(group) for group in self.pieces]:
            return "glyphs must have as many signs for each side as pieces has"
        if self.names and (len(self.names) != self.size or not all(isinstance(name, str) for name in self.names)):
            return f"names has {len(self.names)} names for {self.size} cells"
        if self.shape == "free" and not self.at:
            return "a free board needs `at`, the place of each cell: at=((0, 0), (1, 0.5), ...)"
        if any(not 0 <= cell < self.size for line in self.lines for cell in line):
            return f"lines must connect cells from 0 to {self.size - 1}"
        return None

    def as_json(self, sides: int = 2) -> dict[str, object]:
        """Return what a page needs to draw the board, as data; `pieces` has the side, letter, glyph and count of each number."""
        return {
            "shape": self.shape,
            "rows": self.row_names,
            "cols": self.col_names,
            "size": self.size,
            "count": self.count,
            "names": [self.cell_names(turn) for turn in range(sides)],
            "numbered": bool(self.names),
            "pieces": [self.piece(n) for n in range(self.most + 1)],
            "buttons": {str(m): name for m, name in self.buttons.items()},
            "fields": list(self.fields),
            "checkered": self.checkered,
            "at": [list(place) for place in self.at],
            "lines": [list(line) for line in self.lines],
        }


def _texts(given: object) -> bool:
    """Return whether this is a nonempty text, or a nonempty tuple or list of texts."""
    return isinstance(given, str | tuple | list) and len(given) > 0 and all(isinstance(x, str) for x in given)


def pieces_of(sides: Sequence[str]) -> tuple[str, ...]:
    """Return one piece for each side: its name if that is a letter, else X and O; the initials of three sides or more.

    >>> pieces_of(("X", "O")), pieces_of(("black", "white")), pieces_of(("red", "green", "blue"))
    (('X', 'O'), ('X', 'O'), ('R', 'G', 'B'))
    """
    if all(len(side) == 1 for side in sides):
        return tuple(sides)
    return ("X", "O")[: len(sides)] if len(sides) <= 2 else tuple(side[0].upper() for side in sides)


# -- the defaults of `cells` and `touch` --------------------------------------------------------------------------------------


def cells_of_field(at: int, own: int) -> Callable[[Sequence[Sequence[int]]], Iterator[int]]:
    """Return `cells` for a state whose field number `at` has a number for each cell; -2 is the second side's second piece."""

    def cells(s: Sequence[Sequence[int]]) -> Iterator[int]:
        for x in s[at]:
            yield int(x) if x >= 0 else own - int(x)

    return cells


def cells_of_array(at: int, own: int) -> Callable[[Sequence[Sequence[int]]], Iterator[int]]:
    """Return `cells` for a state whose field number `at` is an array, read row by row."""

    def cells(s: Any) -> Iterator[int]:
        for x in s[at].flat:
            yield int(x) if x >= 0 else own - int(x)

    return cells


def touch_cell(size: int) -> Callable[[object, int], Iterator[int]]:
    """Return `touch` for games in which a move is the number of a cell or column; larger numbers are buttons."""

    def touch(s: object, m: int) -> Iterator[int]:
        if m < size:
            yield m

    return touch
