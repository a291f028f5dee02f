"""The solver's table: bounds on the values of states, and no false hit, ever.

A game whose `key` is injective says so with KEY_BITS, the bits that a key takes. The key is then mixed by a one-to-one function,
part of the result says where the entry lies and the rest is kept in it: one word per entry, eight of them on a line of the
cache. One word is read and written in one step, so that threads need no lock. Near the end of the game (LOCAL plies) such entries
lie in a table of each thread's own that fits the processor's cache: states there are many, cheap to search again, and met again
soon. NARROW says what lies where in the data, REST where the rest of the key lies above it.

Other games keep the whole state behind a word of data, which has wider parts (WIDE) and a counter that is odd while somebody
writes (from the bit BUSY on).

A bound is kept as a code: how far it lies above the middle of what its part can hold. A bound from below of 0, and a bound from
above of all ones, say that there is none. The number of the best move, in the order of `moves`, begins at 1; 0 says that it is
not known, or that it does not fit. Work is the logarithm of the nodes, half of it where the part is narrow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.bits import highest, i64, u64
from plyground.compile.blocks import Address, Block, Shared, Word
from plyground.compile.vocabulary import KEY_BITS, MARGIN, WORDS, address, claim, load, load_shared, store, store_shared
from plyground.score import MAX_MARGIN, final
from plyground.search.memory import zeros
from plyground.search.packed import Part, part, put_part, with_part

SLOTS = 4
FIRST_MIX, SECOND_MIX = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
LOCAL_MB = 0.5
"""The size of a local table: about what the cache next to a core holds."""
NONE = MAX_MARGIN + 1
"""Beyond every score: the size of a bound that is not known."""
LONG = 127
"""The narrow codes count wins of up to 126 plies and margins of up to 126; what lies beyond is kept as a weaker bound."""
FAR = final(1, LONG, False)


class Parts(NamedTuple):
    """What lies where in the data of an entry."""

    low: Part
    high: Part
    number: Part
    work: Part


NARROW, DATA, REST = Parts(Part(0, 8), Part(8, 8), Part(16, 4), Part(20, 4)), Part(0, 24), Part(24, 40)
WIDE, BUSY = Parts(Part(0, 16), Part(16, 16), Part(32, 6), Part(38, 5)), 1 << 43


class Lines(Block):
    """Where a table lies."""

    begin = Address("where its first line begins")
    bits = Word("the bits of a line's number")


class Entry(Block):
    """An entry that holds a whole state: the words of the state lie behind it."""

    data = Shared()


class ExactTable:
    """A table of bounded size for one game; several searchers may use it at once."""

    def __init__(self, megabytes: float, key_bits: int, words: int, dense: int = 0) -> None:
        self.slot_words = 1 if key_bits else words + 1
        line = 8 * self.slot_words * SLOTS
        bits = max(1, key_bits - REST.bits)
        # A line for every key is all that a small game can use.
        while line << (bits + 1) <= megabytes * (1 << 20) and (not key_bits or bits < key_bits):
            bits += 1
        self.index_bits = bits
        self.words = zeros((line << bits) // 8 + 8)
        self.dense = zeros(dense // 8 + 1)
        """A byte for each of the first codes."""
        self.address = (int(self.words.ctypes.data) + 63) // 64 * 64
        self.begin = (self.address - int(self.words.ctypes.data)) // 8

    def describe(self, lines: Lines) -> None:
        """Tells a kernel where the table lies."""
        lines.begin, lines.bits = self.address, self.index_bits

    def clear(self) -> None:
        """Empties the table."""
        self.words[:] = 0
        self.dense[:] = 0

    def fill(self) -> float:
        """The share of entries in use, from a sample of the table."""
        used = self.slot_words * SLOTS << self.index_bits
        sample: np.ndarray[Any, Any] = self.words[self.begin : self.begin + min(used, 1 << 16)]
        return float((sample[:: self.slot_words] != 0).mean())


# -- the data of an entry: bounds as scores, seen from the state --------------------------------------------------------------


def parts():
    """What lies where in the data of this game's entries."""
    return NARROW if KEY_BITS else WIDE


def no_data():
    """The data of a state of which nothing is known."""
    return i64(put_part(-1, parts().high))


def middle():
    """The code of a draw."""
    return i64(1 << (parts().low.bits - 1))


def to_code(value):
    """A score as it is kept; one that is too far off gives a draw, or the end of the range."""
    if not KEY_BITS:
        return max(i64(-NONE), min(i64(NONE), value))
    if MARGIN:
        return max(i64(-LONG), min(i64(LONG), value))
    return max(i64(0), value - FAR) if value > 0 else min(i64(0), value + FAR)


def to_score(code):
    """The score that is kept as a code."""
    if not KEY_BITS or MARGIN or code == 0:
        return code
    return code + FAR if code > 0 else code - FAR


def low_of(data):
    """The bound from below, -NONE where there is none."""
    code = part(data, parts().low)
    return to_score(code - middle()) if code else i64(-NONE)


def high_of(data):
    """The bound from above, NONE where there is none."""
    code = part(data, parts().high)
    return to_score(code - middle()) if code != 2 * middle() - 1 else i64(NONE)


def number_of(data):
    """The number of the best move, from 1; 0 where it is not known."""
    return part(data, parts().number)


def with_low(data, value):
    """The data with a bound from below put in, where the code can tell it."""
    code = to_code(value)
    if MARGIN and (code > value if KEY_BITS else value <= -NONE):  # so small that it tells next to nothing
        return data
    # A win too far off for the code is at least a draw; a loss too far off is at least the last loss the code can tell.
    if KEY_BITS and not MARGIN and code == 0 and value < 0:
        code = i64(-1)
    return with_part(data, code + middle(), parts().low)


def with_high(data, value):
    """The data with a bound from above put in, where the code can tell it."""
    code = to_code(value)
    if MARGIN and (code < value or code == LONG if KEY_BITS else value >= NONE):
        return data
    if KEY_BITS and not MARGIN and code == 0 and value > 0:
        code = i64(1)
    return with_part(data, code + middle(), parts().high)


def with_number(data, number):
    """The data with the number of the best move put in."""
    where = parts().number
    return with_part(data, number if number < 1 << where.bits else i64(0), where)


def with_work(data, nodes):
    """The data with the work put in."""
    log = i64(min(highest(nodes | 1), i64(30)))
    return with_part(data, log >> 1 if KEY_BITS else log, parts().work)


# -- one word per entry: for games whose key is injective ---------------------------------------------------------------------


def mixed(k):
    """The key, mixed one to one within its KEY_BITS bits."""
    mask = u64((1 << KEY_BITS) - 1)
    x = (u64(k) * u64(FIRST_MIX)) & mask
    x ^= x >> u64(KEY_BITS // 2)
    x = (x * u64(SECOND_MIX)) & mask
    return x ^ (x >> u64(KEY_BITS // 2))


def rest_bits(table):
    """How many bits of a mixed key the number of its line does not tell."""
    return u64(KEY_BITS) - u64(table.bits)


def narrow_line(x, table):
    """Where the entries lie among which a mixed key belongs."""
    return u64(table.begin) + (x >> rest_bits(table)) * u64(8 * SLOTS)


def narrow_rest(x, table):
    """What of a mixed key is kept in its entry."""
    return x & ((u64(1) << rest_bits(table)) - u64(1))


def narrow_probe(x, table):
    """The data kept for a mixed key."""
    at = narrow_line(x, table)
    rest = narrow_rest(x, table)
    for i in range(SLOTS):
        entry = u64(load(at + u64(8 * i)))
        data = i64(part(entry, DATA))
        if part(entry, REST) == rest and data:
            return data
    return no_data()


def narrow_keep(x, data, table):
    """Keeps data for a mixed key: in its place, else in place of what took the least work."""
    at = narrow_line(x, table)
    rest = narrow_rest(x, table)
    victim = at
    least = i64(99)
    for i in range(SLOTS):
        entry = u64(load(at + u64(8 * i)))
        if part(entry, REST) == rest or entry == u64(0):
            victim = at + u64(8 * i)
            break
        work = i64(part(entry, NARROW.work))
        if work <= least:
            least = work
            victim = at + u64(8 * i)
    store(victim, i64(put_part(rest, REST) | u64(data)))


# -- whole states: for games whose key is not injective -----------------------------------------------------------------------


def wide_line(k, table):
    """Where the entries lie among which a key belongs."""
    index = (u64(k) * u64(FIRST_MIX)) >> (u64(64) - u64(table.bits))
    return u64(table.begin) + index * u64(8 * SLOTS * (WORDS + 1))


def wide_same(entry, state):
    """Does the entry hold the words of the state at that address?"""
    same = True
    for i in range(WORDS):
        if load_shared(entry.end + u64(8 * i)) != load(state + u64(8 * i)):
            same = False
    return same


def wide_probe(k, state, table):
    """The data kept for the state whose words lie at `state`."""
    at = wide_line(k, table)
    for i in range(SLOTS):
        entry = Entry(at + u64(8 * (WORDS + 1) * i))
        data = entry.data
        if data != 0 and data & BUSY == 0 and wide_same(entry, state) and entry.data == data:
            return data & i64(BUSY - 1)
    return no_data()


def wide_keep(k, state, data, table):
    """Keeps data for a state: in its place, else in place of what took the least work. Where another writes, nothing is kept."""
    at = wide_line(k, table)
    victim, seen, least = Entry(at), i64(0), i64(1 << 40)
    for i in range(SLOTS):
        entry = Entry(at + u64(8 * (WORDS + 1) * i))
        old = entry.data
        if old == 0 or (old & BUSY == 0 and wide_same(entry, state)):
            victim, seen = entry, old
            break
        work = part(old, WIDE.work)
        if work <= least:
            victim, seen, least = entry, old, work
    if seen & BUSY:
        return
    counter = seen & ~i64(BUSY - 1)
    if not claim(address(victim), seen, counter + BUSY):
        return
    for i in range(WORDS):
        store_shared(victim.end + u64(8 * i), load(state + u64(8 * i)))
    victim.data = counter + 2 * BUSY | data
