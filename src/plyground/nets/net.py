"""A net: weights for what a state contains, and the estimate that they add up to.

`Net.value` is the estimate in plain Python; native code (`leaf.py`) computes the same, to the bit.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyground import score
from plyground.compile.net_structure import DIRECT_BITS, EVALUATION, NOTHING, ONE_BITS
from plyground.nets.features import Array, Features
from plyground.nets.leaf import FRACTION
from plyground.rules.evaluation import Judgement, Part, cell_contents, cell_names, share
from plyground.rules.game import Game
from plyground.rules.hooks import State

HIDDEN = 32
"""The number of hidden units."""
ONE = 1 << ONE_BITS
"""The largest output of a hidden unit; also what the output's bias is multiplied by."""
POINT, LOGIT_UNIT = 100.0, 200.0
"""In the engine's unit: a point of a margin, and one of the logit of winning."""


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
        self.direct = weights[split + sides * hidden : features.before].reshape(sides, inputs)
        """From input to output."""
        self.out = weights[features.before : features.weights].reshape(features.sets, hidden + 1)
        """From unit to output, for each phase and side; the last is the output's bias."""

    def total(self, side: int, active: list[int], number: int) -> int:
        """Return the output, in the unit of a sum of weights, for these active inputs and this set of output weights."""
        rows = self.first.reshape(-1, self.first.shape[-1])
        units = self.bias[side if len(self.bias) == 2 else 0].astype(np.int64) + rows[active].astype(np.int64).sum(axis=0)
        units = np.clip(_wrap(units), 0, ONE)
        out = self.out[number].astype(np.int64)
        direct = int(_wrap(self.direct.ravel()[active].astype(np.int64).sum()))
        return (int((units * out[:-1]).sum() + ONE * int(out[-1])) >> ONE_BITS) + (direct << DIRECT_BITS)


def _wrap(x: Any) -> Any:
    """Return sums as native code has them, which adds with 16 bits."""
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
    record: dict[str, Any] = field(default_factory=dict)
    """How it was trained."""
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
    def blank(cls, features: Features, scale: float = 0.0, curved: bool = False) -> Net:
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
        """Return what the net adds to: the points so far, the rules' evaluation, or nothing."""
        if self.features.base == EVALUATION:
            return float(game.evaluate(s))
        return 0.0 if self.features.base == NOTHING else float(s[self.features.base])


def unit_of(margin: int) -> float:
    """Return what 1 on the scale of targets is in the engine's unit: a point of a margin, or one of the logit."""
    return min(POINT, 8000 / margin) if margin else LOGIT_UNIT


# -- what a net sees in a position, part by part ------------------------------------------------------------------------------


def with_net(game: Game, net: Net) -> Game:
    """Return the game with a net as its evaluation, in plain Python."""
    new = copy.copy(game)
    new.has = game.has | {"evaluate"}
    new.evaluate = lambda s: net.value(game, s)
    new.judgement = lambda s: judgement(game, net, s)
    return new


def judgement(game: Game, net: Net, s: State) -> Judgement:
    """Return what a net says about a position: what each group of cells adds, or with hidden units each piece."""
    unit = net.scale if "chance" in game.has else 1 / (1 << FRACTION)
    found = _pieces(game, net, s) if net.features.hidden else _groups(game, net, s)
    names, contents = _labels(game, net.features, s)
    what = "group" if not net.features.hidden else "number" if game.board is None else "piece"
    parts = tuple(Part(cells, unit * adds) for cells, adds in found)
    value = net.value(game, s)
    return Judgement(value, _expects(game, value), unit * net.total(game, s), _how(game, net, s), what, parts, names, contents)


def _expects(game: Game, value: float) -> str:
    """Return what an estimate means."""
    if "chance" in game.has:
        return ""
    expected = value / unit_of(game.margin)
    return f"{expected:+.1f} points" if game.margin else share(math.tanh(expected))


def _how(game: Game, net: Net, s: State) -> str:
    how = "the output for" if net.features.hidden else "the sum of"
    if net.curved:
        how = f"squashed to within {game.margin}, {how}"
    if net.features.base == EVALUATION:
        how = f"{net.base(game, s):+,.6g} by the rules and {how}"
    elif net.features.base != NOTHING:
        how = f"{net.base(game, s):,.0f} points so far and {how}"
    return how


def _groups(game: Game, net: Net, s: State) -> list[tuple[tuple[int, ...], int]]:
    """Return the cells of each group, as the board numbers them, and its active weight."""
    features = net.features
    side, _ = features.cells(game, s)
    active = features.active(game, s)
    return [
        (_on_board(features, side, group), int(net.weights[n])) for (_, _, group), n in zip(features.lanes, active, strict=True)
    ]


def _pieces(game: Game, net: Net, s: State) -> list[tuple[tuple[int, ...], int]]:
    """Return each cell with something on it, and how much the output drops without it."""
    features = net.features
    side, seen = features.cells(game, s)
    layer, active, number = HiddenLayer(features, net.weights), features.active(game, s), features.set_of(side, seen)
    whole = layer.total(side, active, number)
    cells = [c for c, x in enumerate(seen) if x]
    without = [layer.total(side, active[:i] + active[i + 1 :], number) for i in range(len(active))]
    return [(_on_board(features, side, (c,)), whole - less) for c, less in zip(cells, without, strict=True)]


def _on_board(features: Features, side: int, group: tuple[int, ...]) -> tuple[int, ...]:
    """Return cells as the board numbers them, from how the side to move does."""
    return tuple(features.view.mirror[c] for c in group) if side else group


def _labels(game: Game, features: Features, s: State) -> tuple[list[str], list[str]]:
    """Return the name and the content of each cell; without a board, of each number of the state that is seen."""
    cells = features.reader.contents(game, s)
    if game.board is not None:
        return cell_names(game.board, game.sides), cell_contents(game.board, cells)
    names = []
    for item in features.reader.items:
        place = "" if item.item < 0 else f"[{item.item}]"
        bit = "" if item.bit < 0 else f" bit {item.bit}"
        names.append(f"{game.layout.fields[item.field].name}{place}{bit}")
    contents = [str(x if item.bit >= 0 else x + item.low) for x, item in zip(cells, features.reader.items, strict=True)]
    return names, contents
