"""A small net with one layer of hidden units: where there are no groups of cells to judge together.

Each content of each cell is an input. A hidden unit adds the weights of the active inputs and a bias; below 0 it gives 0, above
ONE it gives ONE (a clipped rectifier). The output adds what the units give, each times a weight, which depends on the phase.
Inputs also have weights that lead to the output directly: what pieces are worth, or how far they have to go, needs no units.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from plyground.compile.structure import DIRECT_BITS, ONE_BITS

if TYPE_CHECKING:
    from plyground.learn.features import Features

Array = np.ndarray[Any, Any]
HIDDEN = 32
ONE = 1 << ONE_BITS
"""What a hidden unit gives at most; also what the output's bias is multiplied by."""


class Dense:
    """The weights of such a net, by their meaning: views of one row of numbers, of any type."""

    def __init__(self, features: Features, weights: Array) -> None:
        sides, hidden, inputs = 2 if features.view.apart else 1, features.hidden, features.inputs
        split = sides * inputs * hidden
        self.first = weights[:split].reshape(sides, inputs, hidden)
        """From input to unit, for each side that has weights of its own. Empty cells are no inputs: their weights don't count."""
        self.bias = weights[split : split + sides * hidden].reshape(sides, hidden)
        self.direct = weights[split + sides * hidden : features.before].reshape(sides, inputs)
        """From input to output."""
        self.out = weights[features.before : features.weights].reshape(features.sets, hidden + 1)
        """From unit to output, for each phase and side; the last is the output's bias."""

    def total(self, side: int, active: list[int], which: int) -> int:
        """The output, in the unit of a sum of weights, for these active inputs and this set of output weights."""
        rows = self.first.reshape(-1, self.first.shape[-1])
        units = self.bias[side if len(self.bias) == 2 else 0].astype(np.int64) + rows[active].astype(np.int64).sum(axis=0)
        units = np.clip(_wrapped(units), 0, ONE)
        out = self.out[which].astype(np.int64)
        direct = int(_wrapped(self.direct.ravel()[active].astype(np.int64).sum()))
        return (int((units * out[:-1]).sum() + ONE * int(out[-1])) >> ONE_BITS) + (direct << DIRECT_BITS)


def _wrapped(x: Any) -> Any:
    """Sums as native code has them, which adds with 16 bits."""
    return (x + (1 << 15)) % (1 << 16) - (1 << 15)
