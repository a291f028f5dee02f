"""Where the solver stores what it knows about a state: in which table, under which key. The entries are in `solver_table.py`."""

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
from plyground.kernels.solve.solver_table import (
    NONE,
    mix_key,
    narrow_keep,
    narrow_line,
    narrow_probe,
    wide_keep,
    wide_line,
    wide_probe,
)


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


def keep(s, k, data, mem):
    """Store data for a state in the table."""
    if KEY_BITS:
        narrow_keep(k, data, table_of(s, mem))
    else:
        write_state(mem.end, representative(s))
        wide_keep(k, mem.end, data, table_of(s, mem))


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


def dense_keep(place, margin):
    """Store a margin minus what is banked."""
    store_byte(place, margin + 128)
