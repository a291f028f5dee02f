"""The weights of a net while it learns, as floats, and how the search gets them."""

from __future__ import annotations

import numpy as np

from plyground.compile.net_structure import DIRECT_BITS
from plyground.kernels.selfplay.weight_update import MAX_WEIGHT, UpdateMemory
from plyground.nets.features import Array, Features
from plyground.nets.leaf import FRACTION
from plyground.nets.net import ONE, HiddenLayer, LoadedNet, Net, unit_of

SLICE = 1 << 20
"""Weights that are rounded at once."""
SMALLEST = 2.0**-20
"""In games of chance: what a weight of 1 is worth at first. It doubles when weights become too large."""
START, SPREAD = 0.3, 0.1
"""Hidden units begin with this bias and weights up to this size."""
RECENT = 3
"""How much more recent weights count in the mean over time: the share of a time in the past grows with this power."""
ERROR_DECAY = 0.1
"""The share of its past errors that a weight keeps when targets change."""
MAX_INPUT_SUM = 31.0
"""The largest sum of the inputs of a hidden unit: native code adds with 16 bits."""


class Weights:
    """The weights of a net that learns."""

    def __init__(self, features: Features, chance: bool, curved: bool, margin: int, threads: int, seed: int) -> None:
        self.features, self.chance = features, chance
        self.unit = unit_of(margin)
        """Without chance: what 1 on the scale of targets is in the engine's unit."""
        self.net = Net.zero(features, SMALLEST if chance else 0.0, curved)
        self.memory = LoadedNet(self.net, threads)
        self.values = np.zeros((features.weights, 4))
        """Each with what it has learned from: see `Weight`."""
        self.averaged = 0
        """The number of times that the weights were added to their mean."""
        self.width = len(features.lanes) or len(features.structure.chunks) * features.structure.listed
        """The most numbers that a row has."""
        if features.hidden:
            dice, layer = np.random.default_rng(seed), HiddenLayer(features, self.values[:, 0])
            layer.first[:] = dice.uniform(-SPREAD, SPREAD, layer.first.shape)
            layer.bias[:] = START
            layer.out[:, :-1] = dice.uniform(-SPREAD, SPREAD, layer.out[:, :-1].shape)
        else:
            self.ties = as_uint32(features.ties())
            self.chain = link_ties(self.ties)
        self.round_all()

    @property
    def factor(self) -> float:
        """What a weight of 1 (of the output, with hidden units) is for the search."""
        return 1 / self.net.scale if self.chance else self.unit * (1 << FRACTION)

    def point(self, update: UpdateMemory) -> None:
        """Fill in the addresses and sizes."""
        features = self.features
        update.weights, update.short, update.factor = self.values.ctypes.data, self.net.stored.ctypes.data, self.factor
        update.numbers, update.hidden, update.apart = self.width, features.hidden, features.view.apart
        if features.hidden:
            update.outputs = features.weights_before_sets
            layer = HiddenLayer(features, self.values[:, 0])
            update.directs = features.weights_before_sets - layer.direct.size
            update.biases = update.directs - layer.bias.size
        else:
            update.ties, update.chain = self.ties.ctypes.data, self.chain.ctypes.data

    def reset_step_sizes(self) -> None:
        """Let later errors count more than earlier ones; restart the mean."""
        self.averaged = 0
        for some in self._slices():
            part = self.values[some]
            used = np.flatnonzero(part[:, 0])
            part[used, 1:3] *= ERROR_DECAY
            part[used, 3] = part[used, 0]

    def next_share(self) -> float:
        """Return the share by which the mean over time moves now; it is steadier than the weights (Shamir and Zhang 2013)."""
        self.averaged += 1
        return (RECENT + 1) / (RECENT + self.averaged)

    def mean(self) -> Array:
        """Return the mean weights as a search reads them."""
        found = self.net.weights.copy()
        if self.averaged:
            self._round(self.values[:, 3], found)
        return found

    def round_all(self) -> None:
        """Copy all current weights to the search."""
        while self.chance and self._too_large():
            self.net.scale *= 2
        self._round(self.values[:, 0], self.net.weights)
        self.memory.rescale(self.net.scale)

    def _round(self, values: Array, to: Array) -> None:
        """Round weights; tied ones stay equal."""
        if self.features.hidden:
            layer, short = HiddenLayer(self.features, values), HiddenLayer(self.features, to)
            limit = min(MAX_WEIGHT, int(ONE * MAX_INPUT_SUM / (1 + len(self.features.view.mirror))))
            short.first[:] = np.clip(_round_half_away(layer.first * ONE), -limit, limit)
            short.bias[:] = np.clip(_round_half_away(layer.bias * ONE), -limit, limit)
            direct = _round_half_away(layer.direct * self.factor / (1 << DIRECT_BITS))
            short.direct[:] = np.clip(direct, -self._most_direct, self._most_direct)
            short.out[:] = _round_half_away(layer.out * self.factor)
            return
        for some in self._slices():
            to[some] = _round_half_away(values[self.ties[some]] * self.factor)

    def _slices(self) -> list[slice]:
        size = self.features.weights
        return [slice(at, min(at + SLICE, size)) for at in range(0, size, SLICE)]

    @property
    def _most_direct(self) -> int:
        """The largest weight that may lead to the output directly: native code adds them with 16 bits."""
        return MAX_WEIGHT // len(self.features.view.mirror)

    def _too_large(self) -> bool:
        """Return whether, in a game of chance, weights are too large for 16 bits."""
        most = _largest(self.values[self.features.weights_before_sets :, 0]) / MAX_WEIGHT
        if self.features.hidden:
            most = max(most, _largest(HiddenLayer(self.features, self.values[:, 0]).direct) / (self._most_direct << DIRECT_BITS))
        return most * self.factor > 1


def _largest(x: Array) -> float:
    """Return the size of the largest number, without a copy, which may be large."""
    return float(max(x.max(), -x.min()))


def _round_half_away(x: Array) -> Array:
    """Round as `weight_update.to_short` does: halves away from zero."""
    found: Array = np.clip(np.trunc(x + np.copysign(0.5, x)), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)
    return found


def as_uint32(numbers: Array) -> Array:
    """Return numbers of 32 bits, with one more at the end: native code reads two at once."""
    return np.append(numbers.astype(np.uint32), np.uint32(0))


def link_ties(ties: Array) -> Array:
    """Return, for each weight, the next one that is tied to it: tied weights form a ring."""
    chain = np.arange(len(ties), dtype=np.uint32)
    others = np.flatnonzero(ties[:-1] != chain[:-1])
    others = others[np.argsort(ties[others], kind="stable")]
    owners = ties[others]
    if len(others):
        last = np.append(owners[1:] != owners[:-1], True)
        first = np.append(True, last[:-1])
        chain[owners[first]] = others[first]
        chain[others[~last]] = others[1:][~last[:-1]]
        chain[others[last]] = owners[last]
    return chain
