"""What a net sees of a state: groups of cells, or single cells, as the side to move sees them, and the phase of the game.

Everything is plain data, so a net's file can hold it, and its hash tells whether a file fits.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from plyground.compile.structure import Factor, Item, Structure
from plyground.learn.reader import CELLS, FIELDS, PLANES, Reader, Spot
from plyground.learn.view import View
from plyground.rules.game import Game

LAZY = 128
"""With more groups than this, only what has changed since the last leaf is looked at."""
KEPT = 32
"""With more chunks of words than this, only those are added that have changed since the last leaf."""
LANES = 16
"""Rows of tables are filled up to a multiple of this many numbers."""
MOST_COUNT = 1 << 16
"""Counts must stay below this."""


@dataclass(frozen=True)
class Kind:
    """Groups that share weights, because symmetries make one of the other."""

    labels: tuple[int, ...]
    """For each content of a cell, its digit in the number of a group's contents; 0 for an empty cell."""
    groups: tuple[tuple[int, ...], ...]
    """The cells of each group, in the order of digits."""
    ties: tuple[tuple[int, ...], ...]
    """The reorderings of digits under which contents are equal: symmetries of the first group itself."""

    @property
    def base(self) -> int:
        """How many digits there are."""
        return max(self.labels) + 1

    @functools.cached_property
    def size(self) -> int:
        """How many contents a group has."""
        return int(self.base ** len(self.groups[0]))

    def number(self, contents: Sequence[int], group: Sequence[int]) -> int:
        """The number of a group's contents."""
        return sum(self.labels[contents[c]] * self.base**j for j, c in enumerate(group))


@dataclass(frozen=True)
class Features:
    """What a net for one game sees."""

    board: str
    """The shape and the size of the board: another one doesn't fit."""
    view: View
    reader: Reader
    kinds: tuple[Kind, ...]
    """The groups, if contents are judged together."""
    hidden: int
    """Instead of groups: how many hidden units there are, each fed by single cells (`dense.py`)."""
    counted: tuple[tuple[int, ...], ...]
    """By kind of cell: how much each content adds to the count that decides the phase."""
    counts: tuple[int, ...]
    """For each cell, its kind in `counted`."""
    phases: tuple[int, ...]
    """The phase for each count."""
    base: int
    """What the net adds to: NOTHING, the rules' EVALUATION, or the field that has the points so far."""

    # -- numbers -----------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def lanes(self) -> list[tuple[int, Kind, tuple[int, ...]]]:
        """All groups: where their weights begin, their kind and their cells."""
        found, at = [], 0
        for kind in self.kinds:
            found += [(at, kind, group) for group in kind.groups]
            at += kind.size
        return found

    @functools.cached_property
    def size(self) -> int:
        """The weights of one phase, and side if each has its own; with hidden units, those that lead from them to the output."""
        return self.hidden + 1 if self.hidden else sum(kind.size for kind in self.kinds)

    @functools.cached_property
    def sets(self) -> int:
        """How many such sets there are."""
        return (max(self.phases) + 1) * (2 if self.view.apart else 1)

    @functools.cached_property
    def weights(self) -> int:
        """How many weights there are."""
        return self.before + self.size * self.sets

    @property
    def inputs(self) -> int:
        """With hidden units: how many inputs there are, one for each content of each cell."""
        return len(self.view.mirror) * len(self.view.swap)

    @property
    def before(self) -> int:
        """With hidden units: the weights from the inputs to them, a bias each, and those to the output, which come first."""
        return (2 if self.view.apart else 1) * (self.hidden * (self.inputs + 1) + self.inputs) if self.hidden else 0

    @property
    def spare(self) -> int:
        """How many zeros must follow the weights: a state that can't be, with two pieces on a cell, has numbers up to 65,535."""
        return (1 << 16) - self.kinds[-1].size if self.kinds and self.reader.kind == PLANES else 0

    def seen(self, game: Game, s: Any) -> tuple[int, list[int]]:
        """The side to move, and what it sees on each cell."""
        side = self.view.side_of(game, s)
        contents = self.view.seen(side, self.reader.contents(game, s))
        return side, [x if c in self.looked_at else 0 for c, x in enumerate(contents)]

    @functools.cached_property
    def looked_at(self) -> frozenset[int]:
        """The cells that are looked at: not the dice of backgammon."""
        return frozenset(spot.cell for spot in self.reader.spots[0])

    def set_of(self, side: int, contents: Sequence[int]) -> int:
        """Which set of weights is used, by phase and side."""
        count = sum(self.counted[kind][x] for kind, x in zip(self.counts, contents, strict=True))
        phase = self.phases[min(count, len(self.phases) - 1)]
        return 2 * phase + side if self.view.apart else phase

    def active(self, game: Game, s: Any) -> list[int]:
        """The numbers of the active weights of a state, one for each group; with hidden units, those of the active inputs."""
        side, contents = self.seen(game, s)
        if self.hidden:
            first, each = side * self.inputs if self.view.apart else 0, len(self.view.swap)
            return [first + c * each + x for c, x in enumerate(contents) if x]
        first = self.size * self.set_of(side, contents)
        return [first + at + kind.number(contents, group) for at, kind, group in self.lanes]

    def ties(self) -> np.ndarray[Any, Any]:
        """For each weight, the number of the one that stands for all that symmetry makes equal."""
        if self.hidden:
            return np.arange(self.weights)
        found, at = [], 0
        for kind in self.kinds:
            index = np.arange(kind.size, dtype=np.int32)
            low = index.copy()
            for order in kind.ties:
                image = np.zeros_like(index)
                for j, i in enumerate(order):
                    image += index // kind.base**i % kind.base * kind.base**j
                np.minimum(low, image, out=low)
            found.append(low + at)
            at += kind.size
        one = np.concatenate(found)
        return np.concatenate([one + self.size * k for k in range(self.sets)])

    # -- for native code ---------------------------------------------------------------------------------------------------

    @functools.cached_property
    def structure(self) -> Structure:
        """What native code depends on."""
        asked = self.reader.kind in (CELLS, FIELDS)
        lanes = -(-(self.hidden + 2 if self.hidden else len(self.lanes) + 1) // LANES) * LANES
        lazy = len(self.lanes) > LAZY
        swapped = asked and self.view.swap != tuple(range(len(self.view.swap)))  # `cells` gives what the first side sees
        same = len({*map(frozenset, self.reader.spots)}) == 1 and not swapped and not (self.hidden and self.view.apart)
        return Structure(
            side=self.view.side,
            first=self.view.first,
            words=self.reader.words,
            items=self.reader.items,
            cells=len(self.view.mirror) if asked else 0,
            most=len(self.view.swap) - 1,
            chunks=() if lazy else self.reader.chunks,
            tables=1 if same else 2,
            lanes=0 if lazy else lanes,
            bits=16 if all(kind.size <= 1 << 16 for kind in self.kinds) else 32,
            offsets=tuple(at for at, _, _ in self.lanes),
            size=self.size,
            sides=2 if self.view.apart else 1,
            lazy=lazy,
            hidden=self.hidden,
            kept=not asked and not lazy and len(self.reader.chunks) > KEPT,
            base=self.base,
        )

    # -- as data -----------------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Features:
        """Features from plain data; ValueError, KeyError or TypeError if the data is none."""
        view, reader = data["view"], data["reader"]
        return cls(
            str(data["board"]),
            View(*(_numbers(view[name]) for name in ("side", "first", "mirror", "swap", "apart"))),
            Reader(
                str(reader["kind"]),
                tuple(tuple(Factor(*f) for f in word) for word in _numbers(reader["words"])),
                tuple(tuple(Spot(*spot) for spot in side) for side in _numbers(reader["spots"])),
                tuple(Item(*item) for item in _numbers(reader["items"])),
            ),
            tuple(Kind(*(_numbers(kind[name]) for name in ("labels", "groups", "ties"))) for kind in data["kinds"]),
            _numbers(data["hidden"]),
            _numbers(data["counted"]),
            _numbers(data["counts"]),
            _numbers(data["phases"]),
            _numbers(data["base"]),
        )

    @functools.cached_property
    def hash(self) -> str:
        """A hash of all this: equal if and only if weights mean the same."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()


def _numbers(x: Any) -> Any:
    """Lists of whole numbers as tuples."""
    if isinstance(x, list):
        return tuple(map(_numbers, x))
    if not isinstance(x, int) or abs(x) >= 1 << 63:
        raise TypeError(x)
    return x


def board_text(game: Game) -> str:
    """What a net depends on: the shape of the board and the fields of the state."""
    board = game.board
    shape = "" if board is None else f"{board.shape} {len(board.row_names)}x{len(board.col_names)}, contents 0 to {board.most}; "
    return shape + ", ".join(f"{f.name} {f.type}{list(f.shape) if f.shape else ''}" for f in game.layout.fields)
