"""The weights of a net while it learns, as floats, and how the search gets them."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.compile.structure import DIRECT_BITS
from plyground.learn.dense import ONE, Dense
from plyground.learn.features import Features
from plyground.learn.net import Net, NetInMemory
from plyground.search.lesson import LARGEST, Lesson
from plyground.search.net import FRACTION

SLICE = 1 << 20
"""Weights that are rounded off at once."""
POINT, LOGIT_UNIT = 100.0, 200.0
"""In the engine's unit: a point of a margin, and one of the logit of winning."""
SMALLEST = 2.0**-20
"""In games of chance: what a weight of 1 is worth at first. It doubles when weights become too large."""
START, SPREAD = 0.3, 0.1
"""Hidden units begin with this bias and weights up to this size."""
RECENT = 3
"""How much more recent weights count in the mean over time: the share of a time in the past grows with this power."""
HURRY = 0.1
"""The share of its past that a weight keeps when targets change."""
WIDEST = 31.0
"""What the input of a hidden unit may add up to: native code adds with 16 bits."""

Array = np.ndarray[Any, Any]


def unit_of(margin: int) -> float:
    """What 1 on the scale of targets is in the engine's unit: a point of a margin, or one of the logit."""
    return min(POINT, 8000 / margin) if margin else LOGIT_UNIT


class Weights:
    """The weights of a net that learns."""

    def __init__(self, features: Features, chance: bool, curved: bool, margin: int, threads: int, seed: int) -> None:
        self.features, self.chance = features, chance
        self.unit = unit_of(margin)
        """Without chance: what 1 on the scale of targets is in the engine's unit."""
        self.net = Net.blank(features, SMALLEST if chance else 0.0, curved)
        self.memory = NetInMemory(self.net, threads)
        self.values = np.zeros((features.weights, 4))
        """Each with what it has learned from: see `Weight`."""
        self.averaged = 0
        """How often the weights were added to their mean."""
        self.width = len(features.lanes) or len(features.structure.chunks) * features.structure.listed
        """How many numbers a row has at most."""
        if features.hidden:
            dice, dense = np.random.default_rng(seed), Dense(features, self.values[:, 0])
            dense.first[:] = dice.uniform(-SPREAD, SPREAD, dense.first.shape)
            dense.bias[:] = START
            dense.out[:, :-1] = dice.uniform(-SPREAD, SPREAD, dense.out[:, :-1].shape)
        else:
            self.ties = padded(features.ties())
            self.chain = _chain(self.ties)
        self.round_all()

    @property
    def factor(self) -> float:
        """What a weight of 1 (of the output, with hidden units) is for the search."""
        return 1 / self.net.scale if self.chance else self.unit * (1 << FRACTION)

    def tell(self, lesson: Lesson) -> None:
        """Says where everything is."""
        features = self.features
        lesson.weights, lesson.short, lesson.factor = self.values.ctypes.data, self.net.stored.ctypes.data, self.factor
        lesson.numbers, lesson.hidden, lesson.apart = self.width, features.hidden, features.view.apart
        if features.hidden:
            lesson.outputs = features.before
            dense = Dense(features, self.values[:, 0])
            lesson.directs = features.before - dense.direct.size
            lesson.biases = lesson.directs - dense.bias.size
        else:
            lesson.ties, lesson.chain = self.ties.ctypes.data, self.chain.ctypes.data

    def hurry(self) -> None:
        """Lets errors to come count more than those in the past; the mean begins anew."""
        self.averaged = 0
        for some in self._slices():
            part = self.values[some]
            used = np.flatnonzero(part[:, 0])
            part[used, 1:3] *= HURRY
            part[used, 3] = part[used, 0]

    def next_share(self) -> float:
        """How far the mean over time moves now; it is steadier than the weights (Shamir and Zhang 2013)."""
        self.averaged += 1
        return (RECENT + 1) / (RECENT + self.averaged)

    def mean(self) -> Array:
        """The mean weights as a search reads them."""
        found = self.net.weights.copy()
        if self.averaged:
            self._round(self.values[:, 3], found)
        return found

    def round_all(self) -> None:
        """Gives the search all weights as they are now."""
        while self.chance and self._too_large():
            self.net.scale *= 2
        self._round(self.values[:, 0], self.net.weights)
        self.memory.rescale(self.net.scale)

    def _round(self, values: Array, to: Array) -> None:
        """Rounds weights off; those that are tied are equal."""
        if self.features.hidden:
            dense, short = Dense(self.features, values), Dense(self.features, to)
            most = min(LARGEST, int(ONE * WIDEST / (1 + len(self.features.view.mirror))))
            short.first[:] = np.clip(_rounded(dense.first * ONE), -most, most)
            short.bias[:] = np.clip(_rounded(dense.bias * ONE), -most, most)
            short.direct[:] = np.clip(_rounded(dense.direct * self.factor / (1 << DIRECT_BITS)), -self._direct, self._direct)
            short.out[:] = _rounded(dense.out * self.factor)
            return
        for some in self._slices():
            to[some] = _rounded(values[self.ties[some]] * self.factor)

    def _slices(self) -> list[slice]:
        size = self.features.weights
        return [slice(at, min(at + SLICE, size)) for at in range(0, size, SLICE)]

    @property
    def _direct(self) -> int:
        """What a weight that leads to the output directly may be: native code adds them with 16 bits."""
        return LARGEST // len(self.features.view.mirror)

    def _too_large(self) -> bool:
        """In games of chance: are weights too large for 16 bits?"""
        most = _size(self.values[self.features.before :, 0]) / LARGEST
        if self.features.hidden:
            most = max(most, _size(Dense(self.features, self.values[:, 0]).direct) / (self._direct << DIRECT_BITS))
        return most * self.factor > 1


def _size(x: Array) -> float:
    """The size of the largest number; without a copy, which may be large."""
    return float(max(x.max(), -x.min()))


def _rounded(x: Array) -> Array:
    """Rounded as `lesson.rounded` does it: halves away from zero."""
    found: Array = np.clip(np.trunc(x + np.copysign(0.5, x)), -LARGEST, LARGEST).astype(np.int16)
    return found


def padded(numbers: Array) -> Array:
    """Numbers of 32 bits, with one more at the end: native code reads two at once."""
    return np.append(numbers.astype(np.uint32), np.uint32(0))


def _chain(ties: Array) -> Array:
    """The weights that are tied to each other, linked in circles."""
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
