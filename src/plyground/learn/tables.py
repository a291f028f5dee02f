"""The tables by which native code adds up what the chunks of a state say: for each side, chunk and value one row."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.learn.dense import Dense
from plyground.learn.features import Features

Array = np.ndarray[Any, Any]


def tables(features: Features, weights: Array) -> Array:
    """The rows: shares of each group's number, or of what each hidden unit and the output get; and of the count of pieces."""
    net = features.structure
    found = []
    for side in range(net.tables):
        each = shares(features, weights, side)
        for n, height in enumerate(net.rows):
            rows = np.zeros((height, net.lanes), np.int64)
            for c, contents in meaning(features, side, n):
                rows += each[c, contents[:height]]
            if features.hidden and n == 0:  # exactly one row of each chunk is added: the first may carry the bias
                rows[:, : features.hidden] += Dense(features, weights).bias[side if features.view.apart else 0]
            found.append(rows)
    return np.concatenate(found).astype(np.uint16 if net.bits == 16 else np.uint32)


def kept(features: Features, rows: Array) -> Array:
    """What is kept of an empty board, for each side: words of zeros, and the sum of rows. `rows` are the tables."""
    net = features.structure
    first = np.cumsum((0, *net.rows[:-1]))
    found = np.zeros((2, net.kept_bytes), np.uint8)
    for side in range(2):
        sums = rows[first + (sum(net.rows) * side if net.tables == 2 else 0)].sum(axis=0, dtype=rows.dtype)
        found[side, 8 * net.kept_words :][: net.row_bytes] = sums.view(np.uint8)
    return found.view(np.int64).ravel()


def meaning(features: Features, side: int, n: int) -> list[tuple[int, Array]]:
    """The cells in a chunk, each with what the side sees there for every value of the chunk."""
    net, swap = features.structure, np.array(features.view.swap)
    found = []
    for c, contents in features.reader.meaning(side, net.chunks[n]):
        held = np.minimum(contents, net.most)
        found.append((c, swap[held] if net.cells and side else held))
    return found


def shares(features: Features, weights: Array, side: int) -> Array:
    """What each content of each cell adds to a row."""
    net = features.structure
    found = np.zeros((len(features.view.mirror), net.most + 1, net.lanes), np.int64)
    if features.hidden:
        dense, of = Dense(features, weights), side if features.view.apart else 0
        found[:, 1:, : features.hidden] = dense.first[of].reshape(len(features.view.mirror), net.most + 1, -1)[:, 1:]
        found[:, 1:, features.hidden + 1] = dense.direct[of].reshape(len(features.view.mirror), net.most + 1)[:, 1:]
    for lane, (_, kind, group) in enumerate(features.lanes):
        for j, c in enumerate(group):
            found[c, :, lane] += np.array(kind.labels) * kind.base**j
    for c, n in enumerate(features.counts):
        found[c, :, features.hidden or len(features.lanes)] = features.counted[n]
    return found


def lists(features: Features) -> Array:
    """For each row of the tables, the numbers of the inputs that are active there, and -1 after the last."""
    net = features.structure
    found = []
    for side in range(net.tables):
        first = side * features.inputs if features.view.apart else 0
        for n, height in enumerate(net.rows):
            rows = np.full((height, net.listed), -1, np.int64)
            for j, (c, contents) in enumerate(meaning(features, side, n)):
                held = contents[:height]
                rows[:, j] = np.where(held > 0, first + c * (net.most + 1) + held, -1)
            found.append(rows)
    return np.concatenate(found)
