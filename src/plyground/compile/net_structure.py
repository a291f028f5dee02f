"""The structure of a net: everything about it that is compiled, by `net_code.py`. Its tables and weights are not."""

from __future__ import annotations

from typing import Any, NamedTuple

TURN, ALWAYS_FIRST = -1, -2
"""`Structure.side`, if no field of the state says who moves."""
NOTHING, EVALUATION = -1, -2
"""`Structure.base`, if it is not a field."""
ONE_BITS = 10
"""The largest output of a hidden unit, as a power of two."""
DIRECT_BITS = 3
"""How much coarser the weights from inputs directly to the output are than others, as a power of two."""


class Factor(NamedTuple):
    """A word of the state: the number of its field, of the item in a tuple or an array (or -1), and whether it is inverted."""

    field: int
    item: int
    inverted: bool


class Item(NamedTuple):
    """A number in a state without a board, treated as a cell: the item of a field, or one of its bits.

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
    """Everything about a net that native code depends on."""

    side: int
    """The field that says who moves, TURN or ALWAYS_FIRST."""
    first: int
    """With a field: its value when the first side moves."""
    words: tuple[tuple[Factor, ...], ...]
    """Each the product of factors; none if `cells` gives the contents."""
    items: tuple[Item, ...]
    """Without a board: the numbers treated as cells."""
    cells: int
    """The number of cells, if `cells` or `items` give the contents."""
    most: int
    """The largest content of a cell."""
    digits: bool
    """Whether words hold digits of 4 or 8 bits, and not single bits."""
    chunks: tuple[Chunk, ...]
    """The bits that are looked up together; with `cells`, cell n is byte n of the words."""
    tables: int
    """2 if there are tables for each side, 1 if both share them."""
    lanes: int
    """The numbers in a row: one for each group or hidden unit, one for the count, one for the output, and zeros. 0 if there
    are too many groups for rows; the number of each group's active weight is then tracked on its own."""
    bits: int
    """The bits of a lane: 16 or 32."""
    offsets: tuple[int, ...]
    """Where the weights of each group begin."""
    size: int
    """The weights of one phase (and side)."""
    sides: int
    """2 if each side has its own weights, 1 if both share them."""
    incremental: bool
    """Whether only changes since the last leaf are looked up."""
    hidden: int
    """The number of hidden units, 0 if groups have weights."""
    base: int
    """What the net adds to: NOTHING, the rules' EVALUATION, or the field that has the points so far."""

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of each chunk's table."""
        return tuple(self.most + 1 if self.cells else 1 << chunk.width for chunk in self.chunks)

    @property
    def listed(self) -> int:
        """The most cells that a chunk has."""
        return 1 if self.cells else max((chunk.width for chunk in self.chunks), default=0)

    @property
    def compared(self) -> int:
        """The words that are compared with those of the last leaf."""
        return len(self.words) or -(-self.cells // 8)

    @property
    def kept_words(self) -> int:
        """The words that are kept of the last leaf for each side, padded to whole cache lines; a sum follows them."""
        return -(-self.compared // 8) * 8

    @property
    def leaf_bytes(self) -> int:
        """The bytes that are kept of the last leaf for each side: words, then a sum of rows, or a total and group numbers."""
        return 8 * self.kept_words + -(-(self.row_bytes or 8 * (1 + len(self.offsets))) // 64) * 64

    @property
    def byte_values(self) -> int:
        """The number of values of a byte, if bytes are compared and not bits."""
        return self.most + 1 if self.cells else 256 if self.digits else 0

    @property
    def row_bytes(self) -> int:
        """The bytes of a row."""
        return self.lanes * self.bits // 8


def net_constants(net: Structure) -> dict[str, Any]:
    """Return the constants that kernels see; the whole structure is among them, so that the cache knows it."""
    return {
        "NET": 1,
        "GROUPS": len(net.offsets),
        "COMPARED": net.compared if net.incremental else 0,
        "BYTE_VALUES": net.byte_values,
        "GROUPWISE": net.incremental and not net.lanes,
        "NET_TABLES": net.tables,
        "ROW_BYTES": net.row_bytes,
        "KEPT_WORDS": net.kept_words,
        "LEAF_BYTES": net.leaf_bytes,
        "CHUNKS": len(net.chunks),
        "LISTED": net.listed,
        "STRUCTURE": net,
    }
