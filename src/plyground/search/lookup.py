"""Where the solver keeps what it knows of a state: which table, under which key. The entries themselves are in `exact.py`."""

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
    """The state that stands for s in the table: its representative where boards mirror each other and that still saves work."""
    if HAS_CANONICAL:
        if not HAS_REMAINING or remaining(s) > MIRRORED:
            return canonical(s)
    return s


def numbered(s):
    """Does the number of a move in the table mean the same move here? It does where symmetric states are not merged."""
    return not HAS_CANONICAL or (MARGIN and HAS_REMAINING and remaining(s) <= MIRRORED)


def table_key(s):
    """The key under which a state is looked up."""
    return mixed(code(twin(s))) if KEY_BITS else u64(key(twin(s)))


def table_of(s, mem):
    """The table that a state belongs in: the thread's own near the end of the game."""
    if LOCAL and remaining(s) <= LOCAL:
        return mem.local
    return mem.table


def line(s, k, mem):
    """The place in the table where a state and its key belong."""
    return narrow_line(k, table_of(s, mem)) if KEY_BITS else wide_line(k, table_of(s, mem))


def probe(s, k, mem):
    """What the table holds for a state and its key."""
    if KEY_BITS:
        return narrow_probe(k, table_of(s, mem))
    write_state(mem.end, twin(s))
    return wide_probe(k, mem.end, table_of(s, mem))


def keep(s, k, data, mem):
    """Puts what is known of a state into the table."""
    if KEY_BITS:
        narrow_keep(k, data, table_of(s, mem))
    else:
        write_state(mem.end, twin(s))
        wide_keep(k, mem.end, data, table_of(s, mem))


# -- states with a small code, of which a byte tells the value ----------------------------------------------------------------


def is_dense(s):
    """Has the state a small code?"""
    return DENSE > 0 and u64(code(s)) < u64(DENSE)


def dense_place(s, mem):
    """Where the byte of such a state lies: its margin less what is banked, 128 more; 0 while it is not worked out."""
    return mem.dense + u64(code(s))


def dense_probe(place):
    """The margin at a place, less what is banked; NONE while it is not worked out."""
    entry = load_byte(place)
    return entry - 128 if entry else i64(NONE)


def dense_keep(place, margin):
    """Keeps a margin less what is banked."""
    store_byte(place, margin + 128)
