"""The solver's table: bounds on the values of states, with no false hits.

A game whose `key` is injective declares KEY_BITS, the number of bits in a key. The key is then mixed by a one-to-one function;
part of the result is the index of the entry and the rest is stored in it: one word per entry, eight words per cache line. A word
is read and written atomically, so threads need no lock. Near the end of the game (LOCAL plies), each thread keeps these entries
in a table of its own that fits the processor's cache: there are many such states, they are cheap to search again, and they soon
recur. NARROW is the layout of the data; REST is the rest of the key, above it.

Other games store the whole state after a word of data, which has wider parts (WIDE) and a counter (from bit BUSY up) that is odd
while a thread is writing.

A bound is stored as an offset from the middle of its part's range. A lower bound of 0 and an upper bound of all ones mean "none".
Moves are numbered from 1 in the order of `moves`; 0 means that the best move is unknown or its number does not fit. Work is the
logarithm of the nodes, halved if the part is narrow.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plyground.bits import highest, i64, u64
from plyground.compile.blocks import Address, Block, Shared, Word
from plyground.compile.vocabulary import (
    DENSE,
    HAS_CANONICAL,
    HAS_REMAINING,
    KEY_BITS,
    LOCAL,
    MARGIN,
    MIRRORED,
    WORDS,
    address,
    canonical,
    code,
    compare_and_swap,
    key,
    load,
    load_byte,
    load_shared,
    remaining,
    store,
    store_byte,
    store_shared,
    write_state,
)
from plyground.kernels.bit_fields import BitField, part, put_part, with_part
from plyground.kernels.search.transposition_table import zeros
from plyground.score import MAX_MARGIN, final

SLOTS = 4
FIRST_MIX, SECOND_MIX = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
LOCAL_MB = 0.5
"""The size of a local table: about that of a core's own cache."""
NONE = MAX_MARGIN + 1
"""Beyond every score: the absolute value of an unknown bound."""
MAX_CODE = 127
"""Narrow codes represent wins in up to 126 plies and margins up to 126; other bounds are stored as weaker ones."""
CODE_BASE = final(1, MAX_CODE, False)


class Parts(NamedTuple):
    """The layout of an entry's data."""

    low: BitField
    high: BitField
    number: BitField
    work: BitField


NARROW, DATA, REST = Parts(BitField(0, 8), BitField(8, 8), BitField(16, 4), BitField(20, 4)), BitField(0, 24), BitField(24, 40)
WIDE, BUSY = Parts(BitField(0, 16), BitField(16, 16), BitField(32, 6), BitField(38, 5)), 1 << 43


class TableLines(Block):
    """The location of a table."""

    begin = Address("the address of its first line")
    bits = Word("the bits of a line's index")


class StateEntry(Block):
    """An entry for a whole state: the words of the state follow it."""

    data = Shared()


class ExactTable:
    """A table of bounded size for one game; several searchers can use it at once."""

    def __init__(self, megabytes: float, key_bits: int, words: int, dense: int = 0) -> None:
        self.slot_words = 1 if key_bits else words + 1
        line = 8 * self.slot_words * SLOTS
        bits = max(1, key_bits - REST.bits)
        # A small game can't use more than one line per key.
        while line << (bits + 1) <= megabytes * (1 << 20) and (not key_bits or bits < key_bits):
            bits += 1
        self.index_bits = bits
        self.words = zeros((line << bits) // 8 + 8)
        self.dense = zeros(dense // 8 + 1)
        """One byte for each code below `dense`."""
        self.address = (int(self.words.ctypes.data) + 63) // 64 * 64
        self.begin = (self.address - int(self.words.ctypes.data)) // 8

    def describe(self, lines: TableLines) -> None:
        """Give a kernel the location of the table."""
        lines.begin, lines.bits = self.address, self.index_bits

    def clear(self) -> None:
        """Empty the table."""
        self.words[:] = 0
        self.dense[:] = 0

    def fill(self) -> float:
        """Return the share of entries in use, from a sample of the table."""
        used = self.slot_words * SLOTS << self.index_bits
        sample: np.ndarray[Any, Any] = self.words[self.begin : self.begin + min(used, 1 << 16)]
        return float((sample[:: self.slot_words] != 0).mean())


# -- the data of an entry: bounds as scores, counted from the state -----------------------------------------------------------


def parts():
    """Return the layout of the data in this game's entries."""
    return NARROW if KEY_BITS else WIDE


def no_data():
    """Return the data of a state about which nothing is known."""
    return i64(put_part(-1, parts().high))


def middle():
    """Return the code of a draw."""
    return i64(1 << (parts().low.bits - 1))


def to_code(value):
    """Return the code of a score; one that is out of range becomes a draw or the end of the range."""
    if not KEY_BITS:
        return max(i64(-NONE), min(i64(NONE), value))
    if MARGIN:
        return max(i64(-MAX_CODE), min(i64(MAX_CODE), value))
    return max(i64(0), value - CODE_BASE) if value > 0 else min(i64(0), value + CODE_BASE)


def to_score(code):
    """Return the score that a code stands for."""
    if not KEY_BITS or MARGIN or code == 0:
        return code
    return code + CODE_BASE if code > 0 else code - CODE_BASE


def lower_bound(data):
    """Return the lower bound, -NONE if there is none."""
    code = part(data, parts().low)
    return to_score(code - middle()) if code else i64(-NONE)


def upper_bound(data):
    """Return the upper bound, NONE if there is none."""
    code = part(data, parts().high)
    return to_score(code - middle()) if code != 2 * middle() - 1 else i64(NONE)


def move_number(data):
    """Return the number of the best move, from 1; 0 if unknown."""
    return part(data, parts().number)


def with_low(data, value):
    """Return the data with this lower bound, if a code can represent it."""
    code = to_code(value)
    if MARGIN and (code > value if KEY_BITS else value <= -NONE):  # too low to be useful
        return data
    # A win too distant for the code is at least a draw; a loss too distant is at least the longest loss the code can represent.
    if KEY_BITS and not MARGIN and code == 0 and value < 0:
        code = i64(-1)
    return with_part(data, code + middle(), parts().low)


def with_high(data, value):
    """Return the data with this upper bound, if a code can represent it."""
    code = to_code(value)
    if MARGIN and (code < value or code == MAX_CODE if KEY_BITS else value >= NONE):
        return data
    if KEY_BITS and not MARGIN and code == 0 and value > 0:
        code = i64(1)
    return with_part(data, code + middle(), parts().high)


def with_number(data, number):
    """Return the data with the number of the best move."""
    where = parts().number
    return with_part(data, number if number < 1 << where.bits else i64(0), where)


def with_work(data, nodes):
    """Return the data with the work."""
    log = i64(min(highest(nodes | 1), i64(30)))
    return with_part(data, log >> 1 if KEY_BITS else log, parts().work)


# -- one word per entry: games with an injective key --------------------------------------------------------------------------


def mix_key(k):
    """Return the key, mixed one to one within its KEY_BITS bits."""
    mask = u64((1 << KEY_BITS) - 1)
    x = (u64(k) * u64(FIRST_MIX)) & mask
    x ^= x >> u64(KEY_BITS // 2)
    x = (x * u64(SECOND_MIX)) & mask
    return x ^ (x >> u64(KEY_BITS // 2))


def rest_bits(table):
    """Return how many bits of a mixed key are not part of its line's index."""
    return u64(KEY_BITS) - u64(table.bits)


def narrow_line(x, table):
    """Return the address of the line for a mixed key."""
    return u64(table.begin) + (x >> rest_bits(table)) * u64(8 * SLOTS)


def narrow_rest(x, table):
    """Return the part of a mixed key that is stored in its entry."""
    return x & ((u64(1) << rest_bits(table)) - u64(1))


def narrow_probe(x, table):
    """Return the data stored for a mixed key."""
    at = narrow_line(x, table)
    rest = narrow_rest(x, table)
    for i in range(SLOTS):
        entry = u64(load(at + u64(8 * i)))
        data = i64(part(entry, DATA))
        if part(entry, REST) == rest and data:
            return data
    return no_data()


def narrow_store(x, data, table):
    """Store data for a mixed key, in its own entry or else in the one that took the least work."""
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


# -- whole states: games without an injective key -----------------------------------------------------------------------------


def wide_line(k, table):
    """Return the address of the line for a key."""
    index = (u64(k) * u64(FIRST_MIX)) >> (u64(64) - u64(table.bits))
    return u64(table.begin) + index * u64(8 * SLOTS * (WORDS + 1))


def wide_matches(entry, state):
    """Return whether the entry belongs to the state at this address."""
    same = True
    for i in range(WORDS):
        if load_shared(entry.end + u64(8 * i)) != load(state + u64(8 * i)):
            same = False
    return same


def wide_probe(k, state, table):
    """Return the data stored for the state at the address `state`."""
    at = wide_line(k, table)
    for i in range(SLOTS):
        entry = StateEntry(at + u64(8 * (WORDS + 1) * i))
        data = entry.data
        if data != 0 and data & BUSY == 0 and wide_matches(entry, state) and entry.data == data:
            return data & i64(BUSY - 1)
    return no_data()


def wide_store(k, state, data, table):
    """Store data for a state, in its own entry or else in the one that took the least work; not if another thread is writing."""
    at = wide_line(k, table)
    victim, seen, least = StateEntry(at), i64(0), i64(1 << 40)
    for i in range(SLOTS):
        entry = StateEntry(at + u64(8 * (WORDS + 1) * i))
        old = entry.data
        if old == 0 or (old & BUSY == 0 and wide_matches(entry, state)):
            victim, seen = entry, old
            break
        work = part(old, WIDE.work)
        if work <= least:
            victim, seen, least = entry, old, work
    if seen & BUSY:
        return
    counter = seen & ~i64(BUSY - 1)
    if not compare_and_swap(address(victim), seen, counter + BUSY):
        return
    for i in range(WORDS):
        store_shared(victim.end + u64(8 * i), load(state + u64(8 * i)))
    victim.data = counter + 2 * BUSY | data


# -- a state's table and key ----------------------------------------------------------------------------------------------------


def representative(s):
    """Return the state that represents s in the table: the canonical one, as long as merging symmetric states saves work."""
    if HAS_CANONICAL:
        if not HAS_REMAINING or remaining(s) > MIRRORED:
            return canonical(s)
    return s


def has_move_numbers(s):
    """Return whether a move number in the table means the same move here: yes if symmetric states are not merged."""
    return not HAS_CANONICAL or (MARGIN and HAS_REMAINING and remaining(s) <= MIRRORED)


def table_key(s):
    """Return the key for looking up a state."""
    return mix_key(code(representative(s))) if KEY_BITS else u64(key(representative(s)))


def table_of(s, mem):
    """Return the table for a state: near the end of the game, the thread's own."""
    if LOCAL and remaining(s) <= LOCAL:
        return mem.local
    return mem.table


def line(s, k, mem):
    """Return the address of the table line for a state and its key."""
    return narrow_line(k, table_of(s, mem)) if KEY_BITS else wide_line(k, table_of(s, mem))


def probe(s, k, mem):
    """Return the table's data for a state and its key."""
    if KEY_BITS:
        return narrow_probe(k, table_of(s, mem))
    write_state(mem.end, representative(s))
    return wide_probe(k, mem.end, table_of(s, mem))


def store_entry(s, k, data, mem):
    """Store data for a state in the table."""
    if KEY_BITS:
        narrow_store(k, data, table_of(s, mem))
    else:
        write_state(mem.end, representative(s))
        wide_store(k, mem.end, data, table_of(s, mem))


# -- states with a small code: their values take one byte each ----------------------------------------------------------------


def is_dense(s):
    """Return whether the state has a small code."""
    return DENSE > 0 and u64(code(s)) < u64(DENSE)


def dense_place(s, mem):
    """Return the address of such a state's byte: the margin minus what is banked, plus 128; 0 until it is computed."""
    return mem.dense + u64(code(s))


def dense_probe(place):
    """Return the margin at an address, minus what is banked; NONE until it is computed."""
    entry = load_byte(place)
    return entry - 128 if entry else i64(NONE)


def dense_store(place, margin):
    """Store a margin minus what is banked."""
    store_byte(place, margin + 128)
