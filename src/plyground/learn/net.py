"""A net: weights for what a state contains, and the estimate that they add up to.

`value` is the estimate in plain Python; native code (`search/net.py`) computes the same, to the bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyground import score
from plyground.compile.structure import EVALUATION, NOTHING
from plyground.learn.dense import Dense
from plyground.learn.features import MOST_COUNT, Features
from plyground.learn.lazy import empty, entries
from plyground.learn.tables import kept, lists, tables
from plyground.rules.game import Game
from plyground.search.net import FRACTION, NetMemory

ALIGNED = 64
"""Tables begin on a cache line."""


@dataclass
class Net:
    """The weights of a game, with what they mean."""

    features: Features
    weights: np.ndarray[Any, Any]
    """Of 16 bits: by phase, side if each has its own, and group."""
    scale: float = 0.0
    """In games of chance: what a sum of 1 is worth."""
    curved: bool = False
    """In games of chance: is the sum bent to within MARGIN?"""
    record: dict[str, Any] = field(default_factory=dict)
    """How it was trained."""
    name: str = ""
    """The name of its file and the first letters of its checksum; empty if it has no file."""

    def __post_init__(self) -> None:
        """Makes sure that zeros follow the weights, as many as `Features.spare`; a file has them already."""
        size, spare = self.features.weights, self.features.spare
        self.stored = self.weights
        if len(self.weights) != size + spare:
            self.stored = np.zeros(size + spare, np.int16)
            self.stored[:size] = self.weights
        self.weights = self.stored[:size]

    @classmethod
    def blank(cls, features: Features, scale: float = 0.0, curved: bool = False) -> Net:
        """A net whose weights are all 0."""
        return cls(features, np.zeros(features.weights + features.spare, np.int16), scale, curved)

    def total(self, game: Game, s: Any) -> int:
        """The sum of the active weights of a state; with hidden units, the output."""
        if self.features.hidden:
            side, contents = self.features.seen(game, s)
            dense = Dense(self.features, self.weights)
            return dense.total(side, self.features.active(game, s), self.features.set_of(side, contents))
        return sum(int(self.weights[n]) for n in self.features.active(game, s))

    def value(self, game: Game, s: Any) -> float:
        """The estimate for the side to move: a whole number, or in a game of chance the expected result."""
        total = self.total(game, s)
        if "chance" not in game.has:
            return score.clip(int(self.base(game, s)) + (total >> FRACTION))
        x = float(total) * self.scale
        if self.curved:
            x = game.margin * x / math.sqrt(1.0 + x * x)
        value = self.base(game, s) + x
        return max(-game.margin, min(game.margin, value)) if game.margin else value

    def base(self, game: Game, s: Any) -> float:
        """What the net adds to: the points so far, the rules' evaluation, or nothing."""
        if self.features.base == EVALUATION:
            return float(game.evaluate(s))
        return 0.0 if self.features.base == NOTHING else float(s[self.features.base])


class NetInMemory:
    """A net where kernels can read it. The weights are the net's own; each thread gets a block.

    Call `refresh` after the weights have changed: hidden units and large boards remember what they were.
    """

    def __init__(self, net: Net, threads: int = 1) -> None:
        self.net, features = net, net.features
        none: np.ndarray[Any, Any] = np.zeros(1, np.int64)
        lazy = features.structure.lazy
        self.tables = _aligned(none if lazy else tables(features, net.weights))
        self.lists = lists(features) if features.hidden else none
        self.starts, self.entries = entries(features) if lazy else (none, none)
        self.phases = np.full(MOST_COUNT, features.phases[-1], np.uint8)
        self.phases[: len(features.phases)] = features.phases
        self.last = [_aligned(self._nothing_yet()) for _ in range(threads)]
        self.blocks = [self._block(last) for last in self.last]

    def _block(self, last: np.ndarray[Any, Any]) -> NetMemory:
        features = self.net.features
        words = len(features.reader.words) + -(-len(features.view.mirror) // 8) + 1
        block = NetMemory(max(words, len(features.structure.chunks)))
        block.tables, block.phases, block.lists = (x.ctypes.data for x in (self.tables, self.phases, self.lists))
        block.weights = self.net.stored[features.before :].ctypes.data
        block.lazy, block.starts, block.entries = (x.ctypes.data for x in (last, self.starts, self.entries))
        block.scale, block.curved = self.net.scale, float(self.net.curved)
        return block

    def rescale(self, scale: float) -> None:
        """Takes over new weights and, in a game of chance, what a sum of 1 is worth now."""
        self.refresh()
        for block in self.blocks:
            block.scale = scale

    def refresh(self) -> None:
        """Takes over new weights."""
        if self.net.features.hidden:
            self.tables[:] = tables(self.net.features, self.net.weights)
        if self.net.features.structure.lazy or self.net.features.structure.kept:
            for last in self.last:
                last[:] = self._nothing_yet()

    def _nothing_yet(self) -> np.ndarray[Any, Any]:
        """What was found at the last leaf, if there was none."""
        features = self.net.features
        if features.structure.lazy:
            return empty(features, self.net.weights)
        return kept(features, self.tables) if features.structure.kept else np.zeros(1, np.int64)


def _aligned(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy that begins on a cache line."""
    room = np.zeros(rows.nbytes + ALIGNED, np.uint8)
    first = -room.ctypes.data % ALIGNED
    copy: np.ndarray[Any, Any] = room[first : first + rows.nbytes].view(rows.dtype).reshape(rows.shape)
    copy[:] = rows
    return copy
