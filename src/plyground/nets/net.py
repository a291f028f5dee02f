"""A net: weights for what a state contains, and the estimate that they add up to.

`Net.value` is the estimate in plain Python; native code (`leaf.py`) computes the same, to the bit. It reads a `LoadedNet`: tables
that turn the words of a state into the numbers of active weights, and the last leaf.

For each side, chunk and value of the chunk, the tables have a row: shares of the number of each group's active weight, or of what
each hidden unit and the output get; and of the count of pieces. An incremental net has a row for each *slot* instead: each bit of
the words that are read, or each value of each of their bytes. Where there are too many groups for rows, slots have *entries*: the
groups that see it, each with what it adds to the number of the group's active weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from plyground import score
from plyground.compile.net_structure import DIRECT_BITS, EVALUATION, NOTHING, ONE_BITS
from plyground.nets.features import MAX_COUNT, Array, Features
from plyground.nets.leaf import FRACTION, NetMemory
from plyground.rules.game import Game
from plyground.rules.hooks import State

HIDDEN = 32
"""The number of hidden units."""
ONE = 1 << ONE_BITS
"""The largest output of a hidden unit; also what the output's bias is multiplied by."""
POINT, LOGIT_UNIT = 100.0, 200.0
"""In the engine's unit: a point of a margin, and one of the logit of winning."""
ALIGNED = 64
"""Tables begin on a cache line."""


class HiddenLayer:
    """The weights of a small net with one hidden layer, by their meaning: views of one row of numbers, of any type.

    Each content of each cell is an input. A hidden unit adds the weights of the active inputs and a bias; below 0 it gives 0,
    above ONE it gives ONE (a clipped rectifier). The output is the weighted sum of the units, with weights that depend on the
    phase. Inputs also have weights that lead to the output directly: the value of a piece, or its distance from the goal, needs
    no unit.
    """

    def __init__(self, features: Features, weights: Array) -> None:
        sides, hidden, inputs = features.sides, features.hidden, features.inputs
        split = sides * inputs * hidden
        self.first = weights[:split].reshape(sides, inputs, hidden)
        """From input to unit, for each side that has its own weights. Empty cells are no inputs: their weights are unused."""
        self.bias = weights[split : split + sides * hidden].reshape(sides, hidden)
        self.direct = weights[split + sides * hidden : features.weights_before_sets].reshape(sides, inputs)
        """From input to output."""
        self.out = weights[features.weights_before_sets : features.weights].reshape(features.sets, hidden + 1)
        """From unit to output, for each phase and side; the last is the output's bias."""

    def total(self, side: int, active: list[int], number: int) -> int:
        """Return the output, in the unit of a sum of weights, for these active inputs and this set of output weights."""
        rows = self.first.reshape(-1, self.first.shape[-1])
        units = self.bias[side if len(self.bias) == 2 else 0].astype(np.int64) + rows[active].astype(np.int64).sum(axis=0)
        units = np.clip(_wrap(units), 0, ONE)
        out = self.out[number].astype(np.int64)
        direct = int(_wrap(self.direct.ravel()[active].astype(np.int64).sum()))
        return (int((units * out[:-1]).sum() + ONE * int(out[-1])) >> ONE_BITS) + (direct << DIRECT_BITS)


def _wrap(x: Array) -> Array:
    """Return sums as native code computes them, with 16 bits."""
    return (x + (1 << 15)) % (1 << 16) - (1 << 15)


@dataclass
class Net:
    """The weights of a game, with what they mean."""

    features: Features
    weights: Array
    """Of 16 bits: by phase, side if each has its own, and group."""
    scale: float = 0.0
    """In games of chance: what a sum of 1 is worth."""
    curved: bool = False
    """In games of chance: whether the sum is squashed to within MARGIN."""
    record: dict[str, object] = field(default_factory=dict)
    """How it was trained: games, seconds, seed and more."""
    name: str = ""
    """The name of its file and the first letters of its checksum; empty if it has no file."""

    def __post_init__(self) -> None:
        """Make sure that `Features.spare` zeros follow the weights; weights from a file have them already."""
        size, spare = self.features.weights, self.features.spare
        self.stored = self.weights
        if len(self.weights) != size + spare:
            self.stored = np.zeros(size + spare, np.int16)
            self.stored[:size] = self.weights
        self.weights = self.stored[:size]

    @classmethod
    def zero(cls, features: Features, scale: float = 0.0, curved: bool = False) -> Net:
        """Return a net whose weights are all 0."""
        return cls(features, np.zeros(features.weights + features.spare, np.int16), scale, curved)

    def total(self, game: Game, s: State) -> int:
        """Return the sum of the active weights of a state; with hidden units, the output."""
        active = self.features.active(game, s)
        if self.features.hidden:
            side, contents = self.features.cells(game, s)
            return HiddenLayer(self.features, self.weights).total(side, active, self.features.set_of(side, contents))
        return sum(int(self.weights[n]) for n in active)

    def value(self, game: Game, s: State) -> float:
        """Return the estimate for the side to move: a whole number, or in a game of chance the expected result."""
        total = self.total(game, s)
        if "chance" not in game.has:
            return score.clip(int(self.base(game, s)) + (total >> FRACTION))
        x = float(total) * self.scale
        if self.curved:
            x = game.margin * x / math.sqrt(1.0 + x * x)
        value = self.base(game, s) + x
        return max(-game.margin, min(game.margin, value)) if game.margin else value

    def base(self, game: Game, s: State) -> float:
        """Return the value that the net adds to: the points so far, the rules' evaluation, or 0."""
        if self.features.base == EVALUATION:
            return float(game.evaluate(s))
        return 0.0 if self.features.base == NOTHING else float(s[self.features.base])


def unit_of(margin: int) -> float:
    """Return what 1 on the scale of targets is in the engine's unit: a point of a margin, or one of the logit."""
    return min(POINT, 8000 / margin) if margin else LOGIT_UNIT


# -- for native code ------------------------------------------------------------------------------------------------------------


class LoadedNet:
    """A net in the form that kernels read, with a block of memory for each thread; the weights are not copied.

    Call `refresh` after the weights have changed: tables and last leaves depend on them.
    """

    def __init__(self, net: Net, threads: int = 1) -> None:
        self.net, features = net, net.features
        unused: Array = np.zeros(1, np.int64)
        self.tables = _align(tables(features, net.weights) if features.structure.lanes else unused)
        self.lists = active_input_lists(features) if features.hidden else unused
        self.starts, self.entries = (unused, unused) if features.structure.lanes else entries(features)
        self.phases = np.full(MAX_COUNT, features.phases[-1], np.uint8)
        self.phases[: len(features.phases)] = features.phases
        self.last = [_align(self._empty_leaf()) for _ in range(threads)]
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
        """Return the arrays that the fields of a `NetMemory` point to."""
        return {
            "tables": self.tables,
            "phases": self.phases,
            "weights": self.net.stored[self.net.features.weights_before_sets :],
            "lists": self.lists,
            "last": last,
            "starts": self.starts,
            "entries": self.entries,
        }

    def rescale(self, scale: float) -> None:
        """Update what depends on the weights and, in a game of chance, what a sum of 1 is worth."""
        self.refresh()
        for block in self.blocks:
            block.scale = scale

    def refresh(self) -> None:
        """Update what depends on the weights."""
        if self.net.features.hidden:
            self.tables[:] = tables(self.net.features, self.net.weights)
        if self.net.features.structure.incremental:
            for last in self.last:
                last[:] = self._empty_leaf()

    def _empty_leaf(self) -> Array:
        """Return what is kept of a last leaf with an empty board."""
        features, net = self.net.features, self.net.features.structure
        if not net.incremental:
            return np.zeros(1, np.int64)
        found = np.zeros((len(features.reader.spots), net.leaf_bytes // 8), np.int64)
        for side, row in enumerate(found):
            sums = empty_row(features, self.net.weights, side) if net.lanes else empty_groups(features, self.net.weights, side)
            row[net.kept_words :].view(sums.dtype)[: len(sums)] = sums
        return found.ravel()


def _align(rows: Array) -> Array:
    """Return a copy that begins on a cache line."""
    room = np.zeros(rows.nbytes + ALIGNED, np.uint8)
    first = -room.ctypes.data % ALIGNED
    copy: Array = room[first : first + rows.nbytes].view(rows.dtype).reshape(rows.shape)
    copy[:] = rows
    return copy


# -- for a page in a browser --------------------------------------------------------------------------------------------------


class NetImage(NamedTuple):
    """The memory of a net in one piece: a `NetMemory`, which still needs its addresses, and all that they lead to."""

    data: bytes
    addresses: dict[str, int]
    """For each field that is an address: its distance from the start."""


def net_image(net: Net) -> NetImage:
    """Return the memory of a net for a page; it must be put at an address that is a multiple of 64."""
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


def lane_type(features: Features) -> type[np.uint16 | np.uint32]:
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


def active_input_lists(features: Features) -> Array:
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
