"""Words of 64 bits and small tuples: what rules need beyond plain Python, each with a native twin in `compile/intrinsics.py`.

Everything here works on plain ints when the rules are interpreted; the compiler swaps in one machine instruction.

>>> popcount(0b1011), lowest(0b1000), highest(0b1011)
(3, 3, 3)
>>> put((5, 6, 7), 1, 9)
(5, 9, 7)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsInt

MASK = (1 << 64) - 1


class u64(int):
    """A 64-bit unsigned word: as a field's type, as a cast, and to mark constants (`FILE_A = u64(0x0101010101010101)`)."""

    def __new__(cls, value: SupportsInt = 0) -> u64:
        return super().__new__(cls, int(value) & MASK)


class i64(int):
    """A 64-bit signed word, the type of a plain `int` in compiled rules."""

    def __new__(cls, value: SupportsInt = 0) -> i64:
        return super().__new__(cls, ((int(value) + (1 << 63)) & MASK) - (1 << 63))


def popcount(x: int) -> int:
    """How many bits of the word x are set."""
    return (x & MASK).bit_count()


def lowest(x: int) -> int:
    """The number of the lowest set bit of the word x; 64 if none is."""
    x &= MASK
    return (x & -x).bit_length() - 1 if x else 64


def highest(x: int) -> int:
    """The number of the highest set bit of the word x; -1 if none is."""
    return (x & MASK).bit_length() - 1


def byteswap(x: int) -> int:
    """The word x with its eight bytes in reverse order: a bitboard mirrored top to bottom."""
    return int.from_bytes((x & MASK).to_bytes(8, "little"), "big")


def bitreverse(x: int) -> int:
    """The word x with its 64 bits in reverse order: a bitboard turned by 180 degrees."""
    return int(f"{x & MASK:064b}"[::-1], 2)


def bits(x: int) -> Iterator[int]:
    """The numbers of the set bits of the word x, lowest first."""
    x &= MASK
    while x:
        yield (x & -x).bit_length() - 1
        x &= x - 1


def put(t: tuple[Any, ...], i: int, value: Any) -> tuple[Any, ...]:
    """The tuple t with item i replaced: how a board that is a tuple takes a stone. IndexError if there is no item i."""
    items = list(t)
    items[i] = value
    return tuple(items)


def mix(x: int) -> int:
    """One word scrambled so that every bit of it depends on every bit of x (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)
