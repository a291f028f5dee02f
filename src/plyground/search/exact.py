"""The solver's table: bounds on the values of states, and no false hit, ever.

A game whose `key` is injective says so with KEY_BITS, the bits that a key takes. The key is then mixed by a one-to-one function,
part of the result says where the entry lies and the rest is kept in it: a word an entry, eight of them a line of the cache. One
word is read and written in one step, so that threads need no lock. Near the end of the game (LOCAL plies) such entries lie in a
table of each thread's own that fits the processor's cache: states there are many, cheap to search again, and met again soon.

    bits  0-7   at least: a bound from below, 128 more than its code; 0 for none
          8-15  at most: a bound from above; 255 for none
         16-19  number of the best move in the order of `moves`, plus one; 0 for none or beyond 15
         20-23  how much work went in: half the logarithm of the nodes
         24-63  the rest of the key

Other games keep the whole state beside a word of data, which has the same bits but wider bounds, and a counter that is odd
while somebody writes:

    bits  0-15  at least, 32768 more than the score     16-31  at most     32-37 move     38-42 work     43-63 counter
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.bits import highest, i64, u64
from plyground.compile.vocabulary import KEY_BITS, MARGIN, WORDS, claim, load, load_shared, store, store_shared
from plyground.score import WIN
from plyground.search.memory import zeros

SLOTS = 4
WIDE_SLOTS = 4
FIRST_MIX, SECOND_MIX = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
LOCAL_MB = 0.5
"""The size of a local table: about what the cache next to a core holds."""
NO_DATA = 255 << 8
NO_WIDE_DATA = 0xFFFF << 16
BUSY = 1 << 43
LONG = 127
"""The narrow codes count wins of up to 126 plies and margins of up to 126; what lies beyond is kept as a weaker bound."""


class ExactTable:
    """A table of bounded size for one game; several searchers may use it at once."""

    def __init__(self, megabytes: float, key_bits: int, words: int, dense: int = 0) -> None:
        self.slot_bytes = 8 if key_bits else 8 * (words + 1)
        self.slots = SLOTS if key_bits else WIDE_SLOTS
        bucket = self.slot_bytes * self.slots
        # The rest of the key has 40 bits of the word.
        bits = max(1, key_bits - 40)
        # A line for every key is all that a small game can use.
        while bucket << (bits + 1) <= megabytes * (1 << 20) and (not key_bits or bits < key_bits):
            bits += 1
        self.index_bits = bits
        self.words = zeros((bucket << bits) // 8 + 8)
        self.dense = zeros(dense // 8 + 1)
        """A byte for each of the first codes."""
        self.address = (int(self.words.ctypes.data) + 63) // 64 * 64
        self.begin = (self.address - int(self.words.ctypes.data)) // 8

    def clear(self) -> None:
        """Empties the table."""
        self.words[:] = 0
        self.dense[:] = 0

    def fill(self) -> float:
        """The share of entries in use, from a sample of the table."""
        used = self.slot_bytes // 8 * self.slots << self.index_bits
        sample: np.ndarray[Any, Any] = self.words[self.begin : self.begin + min(used, 1 << 16)]
        step = self.slot_bytes // 8
        return float((sample[step - 1 :: step] != 0).mean())


def mixed(k):
    """The key, mixed one to one within its KEY_BITS bits."""
    mask = u64((1 << KEY_BITS) - 1)
    x = (u64(k) * u64(FIRST_MIX)) & mask
    x ^= x >> u64(KEY_BITS // 2)
    x = (x * u64(SECOND_MIX)) & mask
    return x ^ (x >> u64(KEY_BITS // 2))


def narrow_bucket(x, head):
    """The line of the cache where a mixed key belongs."""
    shift = u64(KEY_BITS) - u64(load(head + u64(8)))
    return u64(load(head)) + (x >> shift) * u64(8 * SLOTS)


def narrow_rest(x, head):
    """What of a mixed key is kept in its entry."""
    shift = u64(KEY_BITS) - u64(load(head + u64(8)))
    return x & ((u64(1) << shift) - u64(1))


def narrow_probe(x, head):
    """The data kept for a mixed key; NO_DATA where there is none."""
    at = narrow_bucket(x, head)
    rest = narrow_rest(x, head)
    for i in range(SLOTS):
        entry = u64(load(at + u64(8 * i)))
        if entry >> u64(24) == rest and entry & u64(0xFFFFFF):
            return i64(entry & u64(0xFFFFFF))
    return i64(NO_DATA)


def narrow_keep(x, data, head):
    """Keeps data for a mixed key: in its place, else in place of what took the least work."""
    at = narrow_bucket(x, head)
    rest = narrow_rest(x, head)
    victim = at
    least = i64(99)
    for i in range(SLOTS):
        entry = u64(load(at + u64(8 * i)))
        if entry >> u64(24) == rest or entry == u64(0):
            victim = at + u64(8 * i)
            break
        work = i64(entry >> u64(20)) & 15
        if work <= least:
            least = work
            victim = at + u64(8 * i)
    store(victim, i64(rest << u64(24) | u64(data)))


def narrow_code(value):
    """The code of a score from -LONG to LONG, and 0 for a draw; scores that do not fit give 0 or the end of the range."""
    if MARGIN:
        return max(i64(-LONG), min(i64(LONG), value))
    if value > 0:
        return max(i64(0), value - (WIN - LONG))
    return min(i64(0), value + (WIN - LONG))


def narrow_score(code):
    """The score of a code."""
    if MARGIN or code == 0:
        return code
    return code + (WIN - LONG) if code > 0 else code - (WIN - LONG)


# -- what the kernel uses: bounds as scores, seen from the state ------------------------------------------------------------


def unpack_low(data):
    """The bound from below, -2 WIN where there is none."""
    if KEY_BITS:
        code = data & 255
        return narrow_score(code - 128) if code else i64(-2 * WIN)
    code = data & 0xFFFF
    return code - 32768 if code else i64(-2 * WIN)


def unpack_high(data):
    """The bound from above, 2 WIN where there is none."""
    if KEY_BITS:
        code = (data >> 8) & 255
        return narrow_score(code - 128) if code != 255 else i64(2 * WIN)
    code = (data >> 16) & 0xFFFF
    return code - 32768 if code != 0xFFFF else i64(2 * WIN)


def unpack_number(data):
    """The number of the best move, from 1; 0 where it is not known."""
    if KEY_BITS:
        return (data >> 16) & 15
    return (data >> 32) & 63


def with_low(data, value):
    """The data with a bound from below put in, where the code can tell it."""
    if KEY_BITS:
        code = narrow_code(value)
        if MARGIN and code > value:
            return data
        # A win too far off for the code is at least a draw; a loss too far off is at least the last loss the code can tell.
        if not MARGIN and code == 0 and value < 0:
            code = i64(-1)
        return data & ~i64(255) | (code + 128)
    if MARGIN and value <= -2 * WIN:  # a margin less what is banked may be as small; it tells next to nothing
        return data
    return data & ~i64(0xFFFF) | (min(value, i64(2 * WIN)) + 32768)


def with_high(data, value):
    """The data with a bound from above put in, where the code can tell it."""
    if KEY_BITS:
        code = narrow_code(value)
        if MARGIN and (code < value or code == LONG):
            return data
        if not MARGIN and code == 0 and value > 0:
            code = i64(1)
        return data & ~i64(255 << 8) | (code + 128) << 8
    if MARGIN and value >= 2 * WIN:
        return data
    return data & ~i64(0xFFFF << 16) | (max(value, i64(-2 * WIN)) + 32768) << 16


def with_number(data, number):
    """The data with the number of the best move put in."""
    if KEY_BITS:
        return data & ~i64(15 << 16) | (number if number <= 15 else i64(0)) << 16
    return data & ~i64(63 << 32) | (number if number <= 63 else i64(0)) << 32


def with_work(data, nodes):
    """The data with the work put in."""
    log = i64(min(highest(nodes | 1), i64(30)))
    if KEY_BITS:
        return data & ~i64(15 << 20) | (log >> 1) << 20
    return data & ~i64(31 << 38) | log << 38


# -- whole states: for games whose key is not injective -----------------------------------------------------------------------


def wide_bucket(k, head):
    """The address of the entries where a key belongs."""
    x = u64(k) * u64(FIRST_MIX)
    index = x >> (u64(64) - u64(load(head + u64(8))))
    return u64(load(head)) + index * u64(8 * WIDE_SLOTS * (WORDS + 1))


def wide_same(entry, state):
    """Does the entry hold the words of the state at that address?"""
    same = True
    for i in range(WORDS):
        if load_shared(entry + u64(8 * i)) != load(state + u64(8 * i)):
            same = False
    return same


def wide_probe(k, state, head):
    """The data kept for the state whose words lie at `state`."""
    at = wide_bucket(k, head)
    for i in range(WIDE_SLOTS):
        entry = at + u64(8 * (WORDS + 1) * i)
        data = load_shared(entry + u64(8 * WORDS))
        if data != 0 and data & BUSY == 0 and wide_same(entry, state):
            if load_shared(entry + u64(8 * WORDS)) == data:
                return data & i64(BUSY - 1)
    return i64(NO_WIDE_DATA)


def wide_keep(k, state, data, head):
    """Keeps data for a state: in its place, else in place of what took the least work. Where another writes, nothing is kept."""
    at = wide_bucket(k, head)
    victim, seen, least = at, i64(0), i64(1 << 40)
    for i in range(WIDE_SLOTS):
        entry = at + u64(8 * (WORDS + 1) * i)
        old = load_shared(entry + u64(8 * WORDS))
        if old == 0 or (old & BUSY == 0 and wide_same(entry, state)):
            victim, seen = entry, old
            break
        work = (old >> 38) & 31
        if work <= least:
            victim, seen, least = entry, old, work
    if seen & BUSY:
        return
    counter = seen & ~i64(BUSY - 1)
    if not claim(victim + u64(8 * WORDS), seen, counter + BUSY):
        return
    for i in range(WORDS):
        store_shared(victim + u64(8 * i), load(state + u64(8 * i)))
    store_shared(victim + u64(8 * WORDS), counter + 2 * BUSY | data)
