"""What a net sees of a state: groups of cells, or single cells, as the side to move sees them, and the phase of the game.

Everything is plain data, so a net's file can hold it, and its hash tells whether a file fits. `Features.structure` is what native
code needs of it.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np

from plyground.compile.net_structure import ALWAYS_FIRST, TURN, Chunk, Factor, Item, Structure
from plyground.rules.game import Game
from plyground.rules.hooks import State

Array = np.ndarray[Any, Any]
PLANES, DIGITS, CELLS, FIELDS = "planes", "digits", "cells", "fields"
CHUNK = {PLANES: 6, DIGITS: 8, CELLS: 8, FIELDS: 8}
"""The bits of one table index: with six, the tables of bitboards stay small enough for the second-level cache."""
INCREMENTAL_GROUPS, INCREMENTAL_CHUNKS = 128, 32
"""With more groups or chunks of words than this, a net is incremental: only changes since the last leaf are looked up."""
LANES = 16
"""Rows of tables are padded to a multiple of this many numbers."""
MAX_COUNT = 1 << 16
"""Counts must stay below this."""


@dataclass(frozen=True)
class SideView:
    """How the second side sees the board."""

    side: int
    """The field of the state that says who moves; TURN if the rules' `turn` does, ALWAYS_FIRST if nothing does."""
    first: int
    """With a field: its value when the first side moves."""
    mirror: tuple[int, ...]
    """For the second side: the cell whose content it sees at each place."""
    swap: tuple[int, ...]
    """For the second side: what it sees in place of each content."""
    apart: bool
    """Whether each side has its own weights."""

    def side_of(self, game: Game, s: State) -> int:
        """Return the side to move."""
        if self.side == TURN:
            return game.turn(s) or 0
        return 0 if self.side == ALWAYS_FIRST else int(int(s[self.side]) != self.first)

    def contents_for(self, side: int, cells: Sequence[int]) -> list[int]:
        """Return what the side sees on each cell."""
        return [self.swap[cells[c]] for c in self.mirror] if side else list(cells)


class BitRange(NamedTuple):
    """The place of a cell, for one side: some bits of a word. Their value is the content; for a plane, `content` is."""

    word: int
    shift: int
    width: int
    cell: int
    content: int


@dataclass(frozen=True)
class CellReader:
    """The places of the contents of cells. `words` are products of factors; `spots` are listed for each side."""

    kind: str
    words: tuple[tuple[Factor, ...], ...]
    spots: tuple[tuple[BitRange, ...], ...]
    items: tuple[Item, ...] = ()
    """Without a board: the numbers of a state that are seen as cells."""

    def contents(self, game: Game, s: State) -> list[int]:
        """Return what lies on each cell as the first side sees it: what the rules say, or the numbers of the state."""
        return [_content(s, item) for item in self.items] if self.items else game.cells(s)

    @property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks of bits, each of which is one table index."""
        width = CHUNK[self.kind]
        used = {(spot.word, spot.shift // width) for side in self.spots for spot in side}
        return tuple(Chunk(word, width * n, min(width, 64 - width * n)) for word, n in sorted(used))

    def cells_in(self, side: int, chunk: Chunk) -> list[tuple[int, Array]]:
        """Return the cells in a chunk, each with its content for every value of the chunk."""
        inside = [s for s in self.spots[side] if s.word == chunk.word and 0 <= s.shift - chunk.shift < chunk.width]
        values = np.arange(1 << chunk.width)
        digits = [values >> spot.shift - chunk.shift & (1 << spot.width) - 1 for spot in inside]
        return [(spot.cell, digit * (spot.content or 1)) for spot, digit in zip(inside, digits, strict=True)]


def _content(s: State, item: Item) -> int:
    field = s[item.field]
    number = int(field if item.item < 0 else np.ravel(field)[item.item])
    return number >> item.bit & 1 if item.bit >= 0 else max(0, min(number - item.low, item.high - item.low))


@dataclass(frozen=True)
class TiedGroups:
    """Groups that share weights because symmetries turn them into each other."""

    labels: tuple[int, ...]
    """For each content of a cell, its digit in the number of a group's contents; 0 for an empty cell."""
    groups: tuple[tuple[int, ...], ...]
    """The cells of each group, in the order of digits."""
    ties: tuple[tuple[int, ...], ...]
    """The reorderings of digits under which contents are equal: symmetries of the first group itself."""

    @property
    def base(self) -> int:
        """The number of digits."""
        return max(self.labels) + 1

    @functools.cached_property
    def size(self) -> int:
        """The number of contents that a group can have."""
        return int(self.base ** len(self.groups[0]))

    def index_of(self, contents: Sequence[int], group: Sequence[int]) -> int:
        """Return the number of a group's contents."""
        return sum(self.labels[contents[c]] * self.base**j for j, c in enumerate(group))

    def representatives(self) -> Array:
        """Return, for each number of contents, the smallest one that symmetry makes equal."""
        index = np.arange(self.size, dtype=np.int32)
        low = index.copy()
        for order in self.ties:
            image = np.zeros_like(index)
            for j, i in enumerate(order):
                image += index // self.base**i % self.base * self.base**j
            np.minimum(low, image, out=low)
        return low


@dataclass(frozen=True)
class Features:
    """What a net for one game sees."""

    board: str
    """The shape and the size of the board: another one doesn't fit."""
    view: SideView
    reader: CellReader
    kinds: tuple[TiedGroups, ...]
    """The groups, if cells are evaluated together."""
    hidden: int
    """Instead of groups: the number of hidden units, each fed by single cells (`net.HiddenLayer`)."""
    counted: tuple[tuple[int, ...], ...]
    """By kind of cell: how much each content adds to the count that decides the phase."""
    counts: tuple[int, ...]
    """For each cell, its kind in `counted`."""
    phases: tuple[int, ...]
    """The phase for each count."""
    base: int
    """The value that the net adds to: NOTHING, the rules' EVALUATION, or the field that has the points so far."""

    # -- numbers -----------------------------------------------------------------------------------------------------------

    @functools.cached_property
    def lanes(self) -> list[tuple[int, TiedGroups, tuple[int, ...]]]:
        """All groups, each with the start of its weights, its kind and its cells."""
        found, at = [], 0
        for kind in self.kinds:
            found += [(at, kind, group) for group in kind.groups]
            at += kind.size
        return found

    @property
    def sides(self) -> int:
        """The number of sides that have their own weights: 2, or 1 if both share them."""
        return 2 if self.view.apart else 1

    @functools.cached_property
    def size(self) -> int:
        """The number of weights in one set, for one phase and side; with hidden units, of those from units to the output."""
        return self.hidden + 1 if self.hidden else sum(kind.size for kind in self.kinds)

    @functools.cached_property
    def sets(self) -> int:
        """The number of sets of weights."""
        return (max(self.phases) + 1) * self.sides

    @functools.cached_property
    def weights(self) -> int:
        """The number of weights."""
        return self.weights_before_sets + self.size * self.sets

    @property
    def inputs(self) -> int:
        """With hidden units: the number of inputs, one for each content of each cell."""
        return len(self.view.mirror) * len(self.view.swap)

    @property
    def weights_before_sets(self) -> int:
        """With hidden units: the number of weights before the sets (from inputs to units, biases, from inputs to the output)."""
        return self.sides * (self.hidden * (self.inputs + 1) + self.inputs) if self.hidden else 0

    @property
    def spare(self) -> int:
        """The number of zeros after the weights: an impossible state, with two pieces on a cell, has numbers up to 65,535."""
        return (1 << 16) - self.kinds[-1].size if self.kinds and self.reader.kind == PLANES else 0

    def cells(self, game: Game, s: State) -> tuple[int, list[int]]:
        """Return the side to move, and what it sees on each cell."""
        side = self.view.side_of(game, s)
        contents = self.view.contents_for(side, self.reader.contents(game, s))
        return side, [x if c in self.used_cells else 0 for c, x in enumerate(contents)]

    @functools.cached_property
    def used_cells(self) -> frozenset[int]:
        """The cells that the net sees: not the dice of backgammon."""
        return frozenset(spot.cell for spot in self.reader.spots[0])

    def set_of(self, side: int, contents: Sequence[int]) -> int:
        """Return the number of the set of weights that is used, by phase and side."""
        count = sum(self.counted[kind][x] for kind, x in zip(self.counts, contents, strict=True))
        phase = self.phases[min(count, len(self.phases) - 1)]
        return 2 * phase + side if self.view.apart else phase

    def active(self, game: Game, s: State) -> list[int]:
        """Return the numbers of a state's active weights, one for each group; with hidden units, those of its active inputs."""
        side, contents = self.cells(game, s)
        if self.hidden:
            first, each = side * self.inputs if self.view.apart else 0, len(self.view.swap)
            return [first + c * each + x for c, x in enumerate(contents) if x]
        first = self.size * self.set_of(side, contents)
        return [first + at + kind.index_of(contents, group) for at, kind, group in self.lanes]

    def ties(self) -> Array:
        """Return, for each weight, the number of the one that stands for all that symmetry makes equal."""
        if self.hidden:
            return np.arange(self.weights)
        found, at = [], 0
        for kind in self.kinds:
            found.append(kind.representatives() + at)
            at += kind.size
        one = np.concatenate(found)
        return np.concatenate([one + self.size * k for k in range(self.sets)])

    # -- for native code ---------------------------------------------------------------------------------------------------

    @functools.cached_property
    def structure(self) -> Structure:
        """The part of this that is compiled."""
        by_bytes = self.reader.kind in (CELLS, FIELDS)
        lanes = -(-(self.hidden + 2 if self.hidden else len(self.lanes) + 1) // LANES) * LANES
        many = len(self.lanes) > INCREMENTAL_GROUPS
        swapped = by_bytes and self.view.swap != tuple(range(len(self.view.swap)))  # `cells` gives what the first side sees
        same = len({*map(frozenset, self.reader.spots)}) == 1 and not swapped and not (self.hidden and self.view.apart)
        return Structure(
            side=self.view.side,
            first=self.view.first,
            words=self.reader.words,
            items=self.reader.items,
            cells=len(self.view.mirror) if by_bytes else 0,
            most=len(self.view.swap) - 1,
            digits=self.reader.kind == DIGITS,
            chunks=() if many else self.reader.chunks,
            tables=1 if same and not many else len(self.reader.spots),
            lanes=0 if many else lanes,
            bits=16 if all(kind.size <= 1 << 16 for kind in self.kinds) else 32,
            offsets=tuple(at for at, _, _ in self.lanes),
            size=self.size,
            sides=self.sides,
            incremental=many or (not by_bytes and len(self.reader.chunks) > INCREMENTAL_CHUNKS),
            hidden=self.hidden,
            base=self.base,
        )

    # -- as data -----------------------------------------------------------------------------------------------------------

    def as_json(self) -> dict[str, object]:
        """Return everything as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: object) -> Features:
        """Return the features that data from JSON describes; raise ValueError, KeyError or TypeError if it describes none."""
        known = _members(data)
        view, reader = _members(known["view"]), _members(known["reader"])
        return cls(
            str(known["board"]),
            SideView(*(_numbers(view[name]) for name in ("side", "first", "mirror", "swap", "apart"))),
            CellReader(
                str(reader["kind"]),
                tuple(tuple(Factor(*f) for f in word) for word in _numbers(reader["words"])),
                tuple(tuple(BitRange(*spot) for spot in side) for side in _numbers(reader["spots"])),
                tuple(Item(*item) for item in _numbers(reader["items"])),
            ),
            tuple(TiedGroups(*(_numbers(_members(x)[name]) for name in ("labels", "groups", "ties"))) for x in known["kinds"]),
            *(_numbers(known[name]) for name in ("hidden", "counted", "counts", "phases", "base")),
        )

    @functools.cached_property
    def hash(self) -> str:
        """A hash of all this: equal if and only if the weights have the same meaning."""
        return hashlib.sha256(json.dumps(self.as_json(), sort_keys=True).encode()).hexdigest()


def _members(data: object) -> dict[str, Any]:
    """Return an object from JSON; TypeError if it is something else."""
    if not isinstance(data, dict):
        raise TypeError(data)
    return data


def _numbers(x: object) -> Any:
    """Return a whole number, or nested lists of them as tuples."""
    if isinstance(x, list):
        return tuple(map(_numbers, x))
    if not isinstance(x, int) or abs(x) >= 1 << 63:
        raise TypeError(x)
    return x


def board_text(game: Game) -> str:
    """Return what a net depends on as text: the shape of the board and the fields of the state."""
    board = game.board
    shape = "" if board is None else f"{board.shape} {len(board.row_names)}x{len(board.col_names)}, contents 0 to {board.most}; "
    return shape + ", ".join(f"{f.name} {f.type}{list(f.shape) if f.shape else ''}" for f in game.layout.fields)
