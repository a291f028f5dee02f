"""Several small numbers in one word.

Each part is defined once, then read and written by name:

    DEPTH, BOUND = BitField(16, 8), BitField(24, 2)
    data = put_part(depth, DEPTH) | put_part(LOWER, BOUND)
    part(data, DEPTH)

Nothing checks that a number fits: excess bits are cut off.
"""

from __future__ import annotations

from typing import NamedTuple


class BitField(NamedTuple):
    """Some bits of a word: the index of the lowest, and how many there are."""

    shift: int
    bits: int


def part(data, where):
    """Return the number in a part of a word.

    >>> part(0x1234, BitField(4, 8))
    35
    """
    return (data >> where.shift) & ((1 << where.bits) - 1)


def signed_part(data, where):
    """Return the number in a signed part.

    >>> signed_part(0xFFFE, BitField(0, 16)), signed_part(5, BitField(0, 16))
    (-2, 5)
    """
    half = 1 << (where.bits - 1)
    return (part(data, where) ^ half) - half


def put_part(value, where):
    """Return a word that is zero except for a number in one part.

    >>> hex(put_part(-2, BitField(16, 16)))
    '0xfffe0000'
    """
    return (value & ((1 << where.bits) - 1)) << where.shift


def with_part(data, value, where):
    """Return the word with another number in one part.

    >>> hex(with_part(0x123456, -2, BitField(8, 8)))
    '0x12fe56'
    """
    return data & ~put_part(-1, where) | put_part(value, where)
