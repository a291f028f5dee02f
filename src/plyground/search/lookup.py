"""Where the solver keeps what it knows of a state: which table, under which key. The entries themselves are in `exact.py`."""

from __future__ import annotations

from plyground.bits import u64
from plyground.compile.vocabulary import (
    HAS_CANONICAL,
    HAS_REMAINING,
    KEY_BITS,
    LOCAL,
    MARGIN,
    MIRRORED,
    canonical,
    code,
    key,
    load,
    remaining,
    write_state,
)
from plyground.search.block import DENSE_TABLE, LOCAL_TABLE, SCRATCH, TABLE
from plyground.search.exact import mixed, narrow_bucket, narrow_keep, narrow_probe, wide_bucket, wide_keep, wide_probe


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
    """Where the head tells of the table that a state belongs in: the thread's own near the end of the game."""
    if LOCAL and remaining(s) <= LOCAL:
        return mem + u64(LOCAL_TABLE)
    return mem + u64(TABLE)


def bucket(s, k, mem):
    """The place in the table where a state and its key belong."""
    return narrow_bucket(k, table_of(s, mem)) if KEY_BITS else wide_bucket(k, table_of(s, mem))


def probe(s, k, mem):
    """What the table holds for a state and its key."""
    if KEY_BITS:
        return narrow_probe(k, table_of(s, mem))
    scratch = mem + u64(SCRATCH)
    write_state(scratch, twin(s))
    return wide_probe(k, scratch, table_of(s, mem))


def keep(s, k, data, mem):
    """Puts what is known of a state into the table."""
    if KEY_BITS:
        narrow_keep(k, data, table_of(s, mem))
    else:
        scratch = mem + u64(SCRATCH)
        write_state(scratch, twin(s))
        wide_keep(k, scratch, data, table_of(s, mem))


def dense_place(s, mem):
    """The byte of a state with a small code: its margin less what is banked, 128 more; 0 while it is not worked out."""
    return u64(load(mem + u64(DENSE_TABLE))) + u64(code(s))
