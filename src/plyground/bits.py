"""64-bit words and small tuples: what rules need beyond plain Python. Each function has a native twin in `compile/intrinsics.py`.

Interpreted rules use these functions on plain ints; for most of them, the compiler emits a single machine instruction.

>>> popcount(0b1011), lowest(0b1000), highest(0b1011)
(3, 3, 3)
>>> put((5, 6, 7), 1, 9)
(5, 9, 7)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import SupportsInt, TypeVar

T = TypeVar("T")
MASK = (1 << 64) - 1


class u64(int):
    """An unsigned 64-bit word: a field type, a cast, and a marker for constants (`FILE_A = u64(0x0101010101010101)`)."""

    def __new__(cls, value: SupportsInt = 0) -> u64:
        return super().__new__(cls, int(value) & MASK)


class i64(int):
    """A signed 64-bit word, the type of a plain `int` in compiled rules."""

    def __new__(cls, value: SupportsInt = 0) -> i64:
        return super().__new__(cls, ((int(value) + (1 << 63)) & MASK) - (1 << 63))


def popcount(x: int) -> int:
    """Return the number of set bits in the word x."""
    return (x & MASK).bit_count()


def lowest(x: int) -> int:
    """Return the index of the lowest set bit of the word x; 64 if none is set."""
    x &= MASK
    return (x & -x).bit_length() - 1 if x else 64


def highest(x: int) -> int:
    """Return the index of the highest set bit of the word x; -1 if none is set."""
    return (x & MASK).bit_length() - 1


def byteswap(x: int) -> int:
    """Return the word x with its eight bytes in reverse order: a bitboard mirrored top to bottom."""
    return int.from_bytes((x & MASK).to_bytes(8, "little"), "big")


def bitreverse(x: int) -> int:
    """Return the word x with its 64 bits in reverse order: a bitboard rotated by 180 degrees."""
    return int(f"{x & MASK:064b}"[::-1], 2)


def bits(x: int) -> Iterator[int]:
    """Yield the indices of the set bits of the word x, lowest first."""
    x &= MASK
    while x:
        yield (x & -x).bit_length() - 1
        x &= x - 1


def put(t: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    """Return the tuple t with item i replaced, such as a board with one more stone; raise IndexError if there is no item i."""
    items = list(t)
    items[i] = value
    return tuple(items)


def mix(x: int) -> int:
    """Return the word x scrambled: every bit of the result depends on every bit of x (splitmix64)."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)
