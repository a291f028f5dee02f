"""Large boards: what has changed since the last leaf, instead of everything.

For each bit of the words that are read (or each content of each cell), the *entries* are the groups that see it, each with what
it adds to the number of the group's active weight. `search/net.py` follows them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.learn.features import Features

Array = np.ndarray[Any, Any]


def entries(features: Features) -> tuple[Array, Array]:
    """Where the entries of each bit or content begin, and all entries: pairs of a group and a number."""
    groups: list[list[tuple[int, int]]] = [[] for _ in features.view.mirror]
    for number, (_, kind, group) in enumerate(features.lanes):
        for j, c in enumerate(group):
            groups[c].append((number, kind.base**j))
    kinds = [kind for _, kind, _ in features.lanes]
    starts, found = [0], []
    for side in range(len(features.reader.spots)):
        for c, content in _slots(features, side):
            if content:
                found += [(n, kinds[n].labels[content] * power) for n, power in groups[c] if kinds[n].labels[content]]
            starts.append(len(found))
    return np.array(starts, np.int64), np.array(found, np.int64).reshape(-1, 2)


def _slots(features: Features, side: int) -> list[tuple[int, int]]:
    """For each bit of the words, or each content of each cell: the cell and the content that the side sees there."""
    reader, view = features.reader, features.view
    if reader.words:
        slots = [(0, 0)] * (64 * len(reader.words))
        for spot in reader.spots[side]:
            slots[64 * spot.word + spot.shift] = (spot.cell, spot.content)
        return slots
    cells, contents = 8 * -(-len(view.mirror) // 8), range(len(view.swap))
    slots = [(0, 0)] * (cells * len(contents))
    for spot in reader.spots[side]:
        at = (8 * spot.word + spot.shift // 8) * len(contents)
        slots[at : at + len(contents)] = [(spot.cell, view.swap[x] if side else x) for x in contents]
    return slots


def empty(features: Features, weights: Array) -> Array:
    """What is found on an empty board, for each side: the sum, words of zeros, and the numbers of the active weights."""
    words = len(features.reader.words) or -(-len(features.view.mirror) // 8)
    rows = []
    for side in range(len(features.reader.spots)):
        first = features.size * (side if features.view.apart else 0)
        numbers = np.array([first + at for at, _, _ in features.lanes], np.int64)
        rows.append(np.concatenate([[int(weights[numbers].astype(np.int64).sum())], np.zeros(words, np.int64), numbers]))
    return np.concatenate(rows).astype(np.int64)
