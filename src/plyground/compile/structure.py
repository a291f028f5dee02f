"""The structure of a net: everything about it that is compiled. Its tables and weights are not; `compile/net.py` says more."""

from __future__ import annotations

from typing import NamedTuple

TURN, ALWAYS_FIRST = -1, -2
"""`Structure.side`, if no field of the state tells it."""


ONE_BITS = 10
"""What a hidden unit gives at most, as a power of two."""
DIRECT_BITS = 3
"""By how much weights that lead from inputs to the output directly are coarser than others, as a power of two."""


class Factor(NamedTuple):
    """A word of the state: the number of its field, of the item in a tuple or an array (or -1), and whether it is inverted."""

    field: int
    item: int
    inverted: bool


class Item(NamedTuple):
    """A number in a state without a board, seen as a cell: the item of a field, or one of its bits.

    Its content is the number less `low`, from 0 to `high - low`; with `bit` from 0 up, that bit.
    """

    field: int
    item: int
    low: int
    high: int
    bit: int


class Chunk(NamedTuple):
    """Some bits of a word."""

    word: int
    shift: int
    width: int


class Structure(NamedTuple):
    """What native code depends on."""

    side: int
    """The field that says who moves, TURN or ALWAYS_FIRST."""
    first: int
    """With a field: its value when the first side moves."""
    words: tuple[tuple[Factor, ...], ...]
    """Each the product of factors; none if `cells` gives the contents."""
    items: tuple[Item, ...]
    """Without a board: what is seen as a cell."""
    cells: int
    """How many cells there are, if `cells` or `items` give the contents."""
    most: int
    """The largest content of a cell."""
    chunks: tuple[Chunk, ...]
    """The bits that are looked up together; with `cells`, cell n is byte n of the words."""
    tables: int
    """Are there tables for each side (2), or do both share them (1)?"""
    lanes: int
    """How many numbers a row has: one for each group or hidden unit, one for the count, one for the output, and zeros."""
    bits: int
    """The bits of a lane: 16 or 32."""
    offsets: tuple[int, ...]
    """Where the weights of each group begin."""
    size: int
    """The weights of one phase (and side)."""
    sides: int
    """Has each side weights of its own (2), or do both share them (1)?"""
    lazy: bool
    """Are there so many groups that only what has changed since the last leaf is looked at?"""
    hidden: int
    """How many hidden units there are, 0 if groups have weights."""
    kept: bool
    """Is the sum of rows kept, so that only chunks are looked up that have changed since the last leaf?"""
    base: int
    """The field that has the points so far, -1 if there is none."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of each chunk's table."""
        return tuple(self.most + 1 if self.cells else 1 << chunk.width for chunk in self.chunks)

    @property
    def listed(self) -> int:
        """How many cells a chunk has at most."""
        return 1 if self.cells else max((chunk.width for chunk in self.chunks), default=0)

    @property
    def kept_words(self) -> int:
        """The words that are kept for each side, filled up to whole cache lines; the sum follows them."""
        return -(-len(self.words) // 8) * 8

    @property
    def kept_bytes(self) -> int:
        """The bytes of what is kept for each side."""
        return 8 * self.kept_words + -(-self.row_bytes // 64) * 64

    @property
    def row_bytes(self) -> int:
        """The bytes of a row."""
        return self.lanes * self.bits // 8
