"""The dark squares of checkers and draughts: positions in PDN notation, and the board."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from plyground.bits import popcount
from plyground.board.board import Board


class Pieces(Protocol):
    """The fields of a state that are written in PDN."""

    @property
    def mine(self) -> int: ...
    @property
    def theirs(self) -> int: ...
    @property
    def kings(self) -> int: ...
    @property
    def side(self) -> int: ...
    @property
    def quiet(self) -> int: ...


class DarkSquares:
    """A board on which only the dark squares are used, numbered from 1; `bits` has the bit number of each.

    `sides` has the letters of the first and the second side, `crown` the squares where their men become kings.
    """

    def __init__(self, bits: Sequence[int], sides: str, crown: Sequence[int], most: int) -> None:
        self.bits, self.sides, self.crown, self.most = bits, sides, crown, most
        size = round((2 * len(bits)) ** 0.5)
        places = [2 * n + 1 - 2 * n // size % 2 for n in range(len(bits))]
        """The cell of each dark square on the whole board."""
        bit_at, name_at = dict(zip(places, bits, strict=True)), {cell: str(n) for n, cell in enumerate(places, 1)}
        cell_at = dict(zip(bits, places, strict=True))
        self.cell_of = tuple(cell_at.get(b, -1) for b in range(bits[-1] + 1))
        """The cell of each bit; -1 for a spare one."""
        self.cells = dark_cells(tuple(bit_at.get(cell, -1) for cell in range(size * size)))
        pieces, glyphs = {"B": "bB", "W": "wW"}, {"B": "●◆", "W": "○◇"}
        self.board = Board(
            "squares",
            size,
            size,
            [pieces[letter] for letter in sides],
            [glyphs[letter] for letter in sides],
            names=[name_at.get(cell, "") for cell in range(size * size)],
            checkered=True,
        )

    def number(self, bit: int) -> int:
        """Return the usual number of the square with this bit."""
        return self.bits.index(bit) + 1

    def format_state(self, s: Pieces) -> str:
        """Write `B:W18,24,K10:B12,16`: the side to move, then each side's squares, K before kings; `:H7` after 7 quiet plies."""
        pieces = dict(zip(self.sides, self._by_side(s), strict=True))
        lists = ":".join(letter + self._list(pieces[letter], s.kings) for letter in "WB")
        return f"{self.sides[s.side]}:{lists}{f':H{s.quiet}' if s.quiet else ''}"

    def _list(self, pieces: int, kings: int) -> str:
        return ",".join(f"{'K' if kings >> b & 1 else ''}{n}" for n, b in enumerate(self.bits, 1) if pieces >> b & 1)

    def _by_side(self, s: Pieces) -> tuple[int, int]:
        return (s.mine, s.theirs) if s.side == 0 else (s.theirs, s.mine)

    def parse_state(self, text: str) -> tuple[int, int, int, int, int]:
        """Return the pieces of the side to move and of the other side, the kings, the side to move, and the quiet plies."""
        found = re.fullmatch(r"([BW]):([BW])([K\d,]*):(?!\2)([BW])([K\d,]*)(?::H(\d+))?\.?", text.replace(" ", "").upper())
        if found is None:
            raise ValueError(f"a position is written {self.sides[0]}:W18,24,K10:B12,16")
        lists = {found[2]: found[3], found[4]: found[5]}
        (first, crowned), (second, others) = (self._pieces(lists[letter], side) for side, letter in enumerate(self.sides))
        if first & second:
            raise ValueError("two pieces are on the same square")
        side = self.sides.index(found[1])
        mine, theirs = (second, first) if side else (first, second)
        return mine, theirs, crowned | others, side, int(found[6] or 0)

    def _pieces(self, text: str, side: int) -> tuple[int, int]:
        """Return the pieces and the kings of a list of squares."""
        pieces = kings = 0
        for word in text.split(",") if text else ():
            n = int(word.removeprefix("K"))
            if not 1 <= n <= len(self.bits):
                raise ValueError(f"there is no square {n}")
            bit = 1 << self.bits[n - 1]
            if pieces & bit:
                raise ValueError(f"square {n} is given twice")
            if word[0] == "K":
                kings |= bit
            elif bit & self.crown[side]:
                raise ValueError(f"a man on {n} would be a king")
            pieces |= bit
        if popcount(pieces) > self.most:
            raise ValueError(f"a side has at most {self.most} pieces")
        return pieces, kings

    def counts(self, s: Pieces) -> str:
        """Return the piece counts of each side."""
        names = {"B": "black", "W": "white"}
        return ", ".join(
            f"{names[letter]} {popcount(pieces)}" for letter, pieces in zip(self.sides, self._by_side(s), strict=True)
        )


def dark_cells(bits: Sequence[int]) -> Callable[[Pieces], Iterator[int]]:
    """Return `cells` of a board whose squares have these bits, -1 for a light one: 1 and 2 are man and king of the first side."""

    def cells(s: Pieces) -> Iterator[int]:
        for b in bits:
            if b < 0 or not (s.mine | s.theirs) >> b & 1:
                yield 0
            else:
                yield 1 + 2 * (s.side if s.mine >> b & 1 else 1 - s.side) + (s.kings >> b & 1)

    return cells
