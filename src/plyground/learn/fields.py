"""Features of a game without a board: the numbers of its State, each seen as a cell.

A small number is a content. Large numbers are mostly bitboards, so each of their bits is a cell. What never changes is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.compile.structure import Item
from plyground.learn.reader import FIELDS, Reader, Spot
from plyground.learn.sample import Ply
from plyground.rules.game import Game

MOST_ITEMS = 256
LARGEST = 63
"""Numbers with a wider range are seen as bits."""


def items_of(game: Game, games: Sequence[Ply]) -> tuple[Item, ...]:
    """The numbers of the state that change from one state to another, or their bits."""
    found: list[Item] = []
    for i, f in enumerate(game.layout.fields):
        columns = np.array([np.ravel(np.array(p.s[i], dtype=object)) for p in games], dtype=object)
        for j in range(columns.shape[1]):
            numbers = [int(x) for x in columns[:, j]]
            found += _seen(i, j if f.shape else -1, numbers)
    return tuple(found[:MOST_ITEMS])


def _seen(field: int, item: int, numbers: list[int]) -> list[Item]:
    low, high = min(numbers), max(numbers)
    if low == high:
        return []
    if high - low <= LARGEST:
        return [Item(field, item, low, high, -1)]
    changing = [bit for bit in range(64) if len({x >> bit & 1 for x in numbers}) == 2]
    return [Item(field, item, 0, 1, bit) for bit in changing]


def reader_of_fields(items: Sequence[Item], sides: int) -> Reader:
    """A reader that writes the content of each item into a byte."""
    spots = tuple(Spot(i // 8, i % 8 * 8, 8, i, 0) for i in range(len(items)))
    return Reader(FIELDS, (), (spots,) * sides, tuple(items))
