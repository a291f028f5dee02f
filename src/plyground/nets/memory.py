"""A net where kernels can read it: tables that turn the words of a state into the numbers of active weights, and the last leaf.

For each side, chunk and value of the chunk, the tables have a row: shares of the number of each group's active weight, or of what
each hidden unit and the output get; and of the count of pieces. An incremental net has a row for each *slot* instead: each bit of
the words that are read, or each value of each of their bytes. Where there are too many groups for rows, slots have *entries*: the
groups that see it, each with what it adds to the number of the group's active weight. `leaf.py` follows both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from plyground.nets.features import MOST_COUNT, Array, Features
from plyground.nets.leaf import NetMemory
from plyground.nets.net import HiddenLayer, Net

ALIGNED = 64
"""Tables begin on a cache line."""


class LoadedNet:
    """A net where kernels can read it. The weights are the net's own; each thread gets a block.

    Call `refresh` after the weights have changed: hidden units and large boards remember what they were.
    """

    def __init__(self, net: Net, threads: int = 1) -> None:
        self.net, features = net, net.features
        unused: Array = np.zeros(1, np.int64)
        self.tables = _aligned(tables(features, net.weights) if features.structure.lanes else unused)
        self.lists = lists(features) if features.hidden else unused
        self.starts, self.entries = (unused, unused) if features.structure.lanes else entries(features)
        self.phases = np.full(MOST_COUNT, features.phases[-1], np.uint8)
        self.phases[: len(features.phases)] = features.phases
        self.last = [_aligned(self._empty_leaf()) for _ in range(threads)]
        self.blocks = [self._block(last) for last in self.last]

    def _block(self, last: Array) -> NetMemory:
        features = self.net.features
        words = len(features.reader.words) + -(-len(features.view.mirror) // 8) + 1
        block = NetMemory(max(words, len(features.structure.chunks)))
        for name, array in self._arrays(last).items():
            setattr(block, name, array.ctypes.data)
        block.scale, block.curved = self.net.scale, float(self.net.curved)
        return block

    def _arrays(self, last: Array) -> dict[str, Array]:
        """Return what the fields of a `NetMemory` point to."""
        return {
            "tables": self.tables,
            "phases": self.phases,
            "weights": self.net.stored[self.net.features.before :],
            "lists": self.lists,
            "last": last,
            "starts": self.starts,
            "entries": self.entries,
        }

    def rescale(self, scale: float) -> None:
        """Take over new weights and, in a game of chance, what a sum of 1 is worth now."""
        self.refresh()
        for block in self.blocks:
            block.scale = scale

    def refresh(self) -> None:
        """Take over new weights."""
        if self.net.features.hidden:
            self.tables[:] = tables(self.net.features, self.net.weights)
        if self.net.features.structure.incremental:
            for last in self.last:
                last[:] = self._empty_leaf()

    def _empty_leaf(self) -> Array:
        """Return what the last leaf would have left if its board had been empty."""
        features, net = self.net.features, self.net.features.structure
        if not net.incremental:
            return np.zeros(1, np.int64)
        found = np.zeros((len(features.reader.spots), net.leaf_bytes // 8), np.int64)
        for side, row in enumerate(found):
            sums = empty_row(features, self.net.weights, side) if net.lanes else empty_groups(features, self.net.weights, side)
            row[net.kept_words :].view(sums.dtype)[: len(sums)] = sums
        return found.ravel()


def _aligned(rows: Array) -> Array:
    """Return a copy that begins on a cache line."""
    room = np.zeros(rows.nbytes + ALIGNED, np.uint8)
    first = -room.ctypes.data % ALIGNED
    copy: Array = room[first : first + rows.nbytes].view(rows.dtype).reshape(rows.shape)
    copy[:] = rows
    return copy


# -- for a program without Python ---------------------------------------------------------------------------------------------


class NetImage(NamedTuple):
    """The memory of a net in one piece: a `NetMemory`, which still needs its addresses, and all that they lead to."""

    data: bytes
    addresses: dict[str, int]
    """For each field that is an address: its distance from the start."""


def net_image(net: Net) -> NetImage:
    """Return the memory of a net for a page in a browser; it must be put at an address that is a multiple of 64."""
    loaded = LoadedNet(net)
    data, addresses = bytearray(loaded.blocks[0].words.tobytes()), {}
    for name, array in loaded._arrays(loaded.last[0]).items():
        data += bytes(-len(data) % ALIGNED)
        addresses[name] = len(data)
        data += array.tobytes()
    return NetImage(bytes(data), addresses)


# -- tables -------------------------------------------------------------------------------------------------------------------


def tables(features: Features, weights: Array) -> Array:
    """Return the rows that native code adds: one per chunk, or for each slot that has changed."""
    net = features.structure
    found = []
    for side in range(net.tables):
        each = shares(features, weights, side)
        if net.incremental:
            found += [slot_row(each, cells) for cells in slots(features, side)]
            continue
        for n, height in enumerate(net.rows):
            rows = np.zeros((height, net.lanes), np.int64)
            for c, contents in cells_in_chunk(features, side, n):
                rows += each[c, contents[:height]]
            if features.hidden and n == 0:  # exactly one row of each chunk is added: the first may carry the bias
                rows[:, : features.hidden] += HiddenLayer(features, weights).bias[side if features.view.apart else 0]
            found.append(rows)
    return np.concatenate(found).astype(lane_type(features))


def lane_type(features: Features) -> type[np.unsignedinteger[Any]]:
    """Return the type of the numbers in a row."""
    return np.uint16 if features.structure.bits == 16 else np.uint32


def slot_row(each: Array, cells: Sequence[tuple[int, int]]) -> Array:
    """Return the row of a slot that shows these contents of cells: what it adds to the row of an empty board."""
    row: Array = np.zeros((1, each.shape[-1]), np.int64)
    for c, content in cells:
        row[0] += each[c, content] - each[c, 0]
    return row


def empty_row(features: Features, weights: Array, side: int) -> Array:
    """Return the sum of rows of an empty board."""
    each = shares(features, weights, side)
    row: Array = np.sum([each[spot.cell, 0] for spot in features.reader.spots[side]], axis=0)
    if features.hidden:
        row[: features.hidden] += HiddenLayer(features, weights).bias[side if features.view.apart else 0]
    found: Array = row.astype(lane_type(features))
    return found


def cells_in_chunk(features: Features, side: int, n: int) -> list[tuple[int, Array]]:
    """Return the cells in a chunk, each with what the side sees there for every value of the chunk."""
    net, swap = features.structure, np.array(features.view.swap)
    found = []
    for c, contents in features.reader.cells_in(side, net.chunks[n]):
        held = np.minimum(contents, net.most)
        found.append((c, swap[held] if net.cells and side else held))
    return found


def shares(features: Features, weights: Array, side: int) -> Array:
    """Return what each content of each cell adds to a row."""
    net, cells = features.structure, len(features.view.mirror)
    found = np.zeros((cells, net.most + 1, net.lanes), np.int64)
    if features.hidden:
        layer, of = HiddenLayer(features, weights), side if features.view.apart else 0
        found[:, 1:, : features.hidden] = layer.first[of].reshape(cells, net.most + 1, -1)[:, 1:]
        found[:, 1:, features.hidden + 1] = layer.direct[of].reshape(cells, net.most + 1)[:, 1:]
    for lane, (_, kind, group) in enumerate(features.lanes):
        for j, c in enumerate(group):
            found[c, :, lane] += np.array(kind.labels) * kind.base**j
    for c, n in enumerate(features.counts):
        found[c, :, features.hidden or len(features.lanes)] = features.counted[n]
    return found


def lists(features: Features) -> Array:
    """Return, for each row of the tables, the numbers of the inputs that are active there, and -1 after the last."""
    net = features.structure
    found = []
    for side in range(net.tables):
        first = side * features.inputs if features.view.apart else 0
        for n, height in enumerate(net.rows):
            rows = np.full((height, net.listed), -1, np.int64)
            for j, (c, contents) in enumerate(cells_in_chunk(features, side, n)):
                held = contents[:height]
                rows[:, j] = np.where(held > 0, first + c * (net.most + 1) + held, -1)
            found.append(rows)
    return np.concatenate(found)


# -- slots --------------------------------------------------------------------------------------------------------------------


def slots(features: Features, side: int) -> list[list[tuple[int, int]]]:
    """Return, for each bit of the words or each value of each of their bytes, the cells that it shows with their contents."""
    net, view = features.structure, features.view
    values = net.byte_values
    found: list[list[tuple[int, int]]] = [[] for _ in range(net.compared * (8 * values or 64))]
    for spot in features.reader.spots[side]:
        if not values:
            found[64 * spot.word + spot.shift].append((spot.cell, spot.content))
            continue
        first, shift = (8 * spot.word + spot.shift // 8) * values, spot.shift % 8
        for value in range(values):
            content = min(value >> shift & (1 << spot.width) - 1, net.most)
            content = view.swap[content] if net.cells and side else content
            if content:
                found[first + value].append((spot.cell, content))
    return found


def entries(features: Features) -> tuple[Array, Array]:
    """Return where the entries of each slot begin, and all entries: pairs of a group and a number."""
    groups: list[list[tuple[int, int]]] = [[] for _ in features.view.mirror]
    for number, (_, kind, group) in enumerate(features.lanes):
        for j, c in enumerate(group):
            groups[c].append((number, kind.base**j))
    kinds = [kind for _, kind, _ in features.lanes]
    starts, found = [0], []
    for side in range(features.structure.tables):
        for cells in slots(features, side):
            for c, content in cells:
                found += [(n, kinds[n].labels[content] * power) for n, power in groups[c] if kinds[n].labels[content]]
            starts.append(len(found))
    return np.array(starts, np.int64), np.array(found, np.int64).reshape(-1, 2)


def empty_groups(features: Features, weights: Array, side: int) -> Array:
    """Return the sum of the active weights of an empty board, and their numbers."""
    first = features.size * (side if features.view.apart else 0)
    numbers = np.array([first + at for at, _, _ in features.lanes], np.int64)
    return np.concatenate([[int(weights[numbers].astype(np.int64).sum())], numbers])
