"""Where the solver stores what it knows about a state: in which table, under which key. The entries are in `exact.py`."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import (
    DENSE,
    HAS_CANONICAL,
    HAS_REMAINING,
    KEY_BITS,
    LOCAL,
    MARGIN,
    MIRRORED,
    canonical,
    code,
    key,
    load_byte,
    remaining,
    store_byte,
    write_state,
)
from plyground.search.exact import NONE, mixed, narrow_keep, narrow_line, narrow_probe, wide_keep, wide_line, wide_probe


def twin(s):
    """The state that represents s in the table: the canonical one, as long as merging symmetric states saves work."""
    if HAS_CANONICAL:
        if not HAS_REMAINING or remaining(s) > MIRRORED:
            return canonical(s)
    return s


def numbered(s):
    """Does a move number in the table mean the same move here? Yes if symmetric states are not merged."""
    return not HAS_CANONICAL or (MARGIN and HAS_REMAINING and remaining(s) <= MIRRORED)


def table_key(s):
    """The key for looking up a state."""
    return mixed(code(twin(s))) if KEY_BITS else u64(key(twin(s)))


def table_of(s, mem):
    """The table for a state: near the end of the game, the thread's own."""
    if LOCAL and remaining(s) <= LOCAL:
        return mem.local
    return mem.table


def line(s, k, mem):
    """The address of the table line for a state and its key."""
    return narrow_line(k, table_of(s, mem)) if KEY_BITS else wide_line(k, table_of(s, mem))


def probe(s, k, mem):
    """The table's data for a state and its key."""
    if KEY_BITS:
        return narrow_probe(k, table_of(s, mem))
    write_state(mem.end, twin(s))
    return wide_probe(k, mem.end, table_of(s, mem))


def keep(s, k, data, mem):
    """Stores data for a state in the table."""
    if KEY_BITS:
        narrow_keep(k, data, table_of(s, mem))
    else:
        write_state(mem.end, twin(s))
        wide_keep(k, mem.end, data, table_of(s, mem))


# -- states with a small code: their values take one byte each ----------------------------------------------------------------


def is_dense(s):
    """Does the state have a small code?"""
    return DENSE > 0 and u64(code(s)) < u64(DENSE)


def dense_place(s, mem):
    """The address of such a state's byte: the margin minus what is banked, plus 128; 0 until it is computed."""
    return mem.dense + u64(code(s))


def dense_probe(place):
    """The margin at an address, minus what is banked; NONE until it is computed."""
    entry = load_byte(place)
    return entry - 128 if entry else i64(NONE)


def dense_keep(place, margin):
    """Stores a margin minus what is banked."""
    store_byte(place, margin + 128)
