"""What a learned evaluation says about a position, part by part: what it sees, and how much each of that adds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyground.board.board import OFF, POINTS, Board


class Part(NamedTuple):
    """Something that an evaluation sees: some cells and what lies on them. No cells: the position as a whole."""

    cells: tuple[int, ...]
    adds: float
    """For the side to move."""


@dataclass(frozen=True)
class Judgement:
    """An estimate for the side to move, and what it is made of."""

    value: Any
    expects: str
    """What the estimate means: "62 % of the points"; empty if it is the expected result itself."""
    total: float
    """What all parts add, together with anything that belongs to none of them."""
    how: str
    """How the estimate comes from the parts, in words: "the sum of"."""
    what: str
    """What a part is called: "line"."""
    parts: tuple[Part, ...]
    names: Sequence[str]
    """Of the cells."""
    contents: Sequence[str]
    """What lies on each cell."""

    def largest(self, count: int) -> tuple[list[Part], list[Part]]:
        """Return the parts that add most for the side to move, and those that add most against it, at most `count` of each."""
        ordered = sorted(self.parts, key=lambda part: -part.adds)
        return [p for p in ordered[:count] if p.adds > 0], [p for p in ordered[::-1][:count] if p.adds < 0]

    def as_json(self, count: int) -> dict[str, Any]:
        """Return the largest parts as data, and the rest in two numbers."""
        shown = [part for parts in self.largest(count) for part in parts]
        return {
            "value": self.value,
            "expects": self.expects,
            "sum": self.total,
            "parts": [
                {"cells": [self.names[c] for c in p.cells], "contents": [self.contents[c] for c in p.cells], "adds": p.adds}
                for p in shown
            ],
            "others": len(self.parts) - len(shown),
            "rest": self.total - sum(part.adds for part in shown),
        }


def share(expected: float) -> str:
    """Return an expected result from -1 to 1 in words.

    >>> share(0.24), share(-0.999)
    ('62 % of the points', '0 % of the points')
    """
    return f"{(1 + expected) / 2:.0%} of the points".replace("%", " %")


def cell_names(board: Board, sides: Sequence[str]) -> list[str]:
    """Return a name for each cell that no other has, also where players need none.

    >>> cell_names(Board("drop", 2, 2), ("X", "O")), cell_names(Board("pits", 1, 1), ("south", "north"))
    (['1:2', '2:2', '1:1', '2:1'], ['south 1', 'south store', 'north 1', 'north store'])
    """
    names, rows, cols = board.cell_names(), len(board.row_names), len(board.col_names)
    if board.shape == "drop":
        return [f"{board.col_names[i % cols]}:{rows - i // cols}" for i in range(board.size)]
    if board.shape == "pits":
        return [f"{sides[2 * i // board.size]} {name}" for i, name in enumerate(names)]
    if board.shape == "backgammon":
        return [f"{sides[i % 2]} {name}" if POINTS <= i < OFF + 2 else name for i, name in enumerate(names)]
    return list(names)


def cell_contents(board: Board, cells: Sequence[int]) -> list[str]:
    """Return what lies on each cell, in a character or two."""
    found = []
    for n in cells:
        piece = board.piece(n)
        found.append("." if not n else f"{piece.glyph}{piece.number}" if board.count else piece.glyph)
    return found
