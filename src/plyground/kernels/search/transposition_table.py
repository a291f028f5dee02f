"""The engine's transposition table: results of earlier searches of a state, which all threads share."""

from __future__ import annotations

import contextlib
import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.bits import i64, u64
from plyground.compile.blocks import Address, Block, Word
from plyground.compile.vocabulary import HAS_COUNTDOWN, MARGIN, REPETITION, countdown
from plyground.errors import PlygroundError
from plyground.kernels.bit_fields import BitField, part, put_part, signed_part
from plyground.kernels.search.search_memory import SearchMemory
from plyground.score import final, proven

LOWER, UPPER, EXACT = 1, 2, 3
BUCKET_BYTES = 64
NO_COUNTDOWN = 1023
"""A countdown that never matters: no win is that far away."""
MAX_OVERSHOOT = 8
"""The plies that extensions and quiescence are assumed to add to a search's depth, for countdowns."""


class TableEntry(Block):
    """One of four entries in a bucket. If two threads write it at once, it matches no key and is ignored."""

    check = Address("the key xor the data")
    data = Word("the parts below; 0 if the entry is empty")


SCORE = BitField(0, 16)  # signed; wins are counted from this state, not from the root
DEPTH = BitField(16, 8)
BOUND = BitField(24, 2)  # 0 if only the move is known
SOLID = BitField(26, 1)  # no estimate went into the score, so it is valid at any depth
AGE = BitField(27, 5)  # of the search that wrote it
NUMBER = BitField(32, 16)  # of the best move in the order of `moves`, plus one; 0 for none
LEFT = BitField(48, 10)  # the countdown of the state, for rules that count plies
ERA = BitField(58, 6)  # the number of the game history; proofs from another era are not trusted, as they may depend on it
MAX_STORED_DEPTH = 255
AGES, ERAS = 32, 64  # then they wrap around


class TableHit(NamedTuple):
    """A decoded table entry; all zero if there is none."""

    score: int
    depth: int
    bound: int
    solid: int
    number: int
    left: int
    era: int


def zeros(words: int) -> NDArray[np.uint64]:
    """Return zeroed words, in huge pages if the system has them: with small pages, each random probe would miss the TLB."""
    if not hasattr(mmap, "MADV_HUGEPAGE"):
        return np.zeros(words, np.uint64)
    try:
        block = mmap.mmap(-1, max(8 * words, 8), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as e:
        raise PlygroundError(f"a table of {words >> 17:,} MB does not fit into memory; choose a smaller one") from e
    with contextlib.suppress(OSError):
        block.madvise(mmap.MADV_HUGEPAGE)
    return np.frombuffer(block, np.uint64)


class TranspositionTable:
    """A table of fixed size that several searchers can use at once: 64-byte buckets of four entries."""

    def __init__(self, megabytes: float) -> None:
        buckets = 1
        while buckets * 2 * BUCKET_BYTES <= megabytes * (1 << 20):
            buckets *= 2
        self.buckets = buckets
        # One extra bucket, so that the first can start on a cache line.
        self.words = zeros((buckets + 1) * BUCKET_BYTES // 8)
        self.words[:: 4096 // 8] = 0  # touch each page now: the system clears it at first use, which would delay a move
        base = int(self.words.ctypes.data)
        self.address = (base + BUCKET_BYTES - 1) // BUCKET_BYTES * BUCKET_BYTES
        self.age = 0

    def clear(self) -> None:
        """Empty the table."""
        self.words[:] = 0
        self.age = 0

    def fill(self) -> float:
        """Return the share of entries in use, from a sample of the table."""
        sample: NDArray[np.uint64] = self.words[: min(len(self.words), 8192)]
        return float((sample[1::2] != 0).mean())

    def attach_to(self, memory: SearchMemory) -> None:
        """Let a searcher use this table."""
        memory.table, memory.last_bucket, memory.age = self.address, self.buckets - 1, self.age


# -- for kernels ----------------------------------------------------------------------------------------------------------------


def bucket(mem, k):
    """Return the address of the bucket for the key k."""
    mixed = u64(k) * u64(0x9E3779B97F4A7C15)
    return mem.table + ((mixed >> u64(20)) & u64(mem.last_bucket)) * u64(BUCKET_BYTES)


def searches_ago(mem, age):
    """Return how many searches ago an entry of this age was written."""
    return (mem.age - age) & (AGES - 1)


def bound_type(best, alpha, beta):
    """Return the kind of value that a fail-soft search found in its window: exact or a bound."""
    return LOWER if best >= beta else UPPER if best <= alpha else EXACT


def bound_allows_cutoff(bound, value, alpha, beta):
    """Return whether a value with this bound settles a search in the window."""
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


def plies_to_countdown(s):
    """Return the plies before a counter that the key leaves out can end the game, as stored in an entry."""
    if HAS_COUNTDOWN:
        return max(i64(0), min(i64(NO_COUNTDOWN), i64(countdown(s))))
    return i64(NO_COUNTDOWN)


def probe(mem, k):
    """Return the data stored for the key k, 0 if there are none."""
    entries = TableEntry(bucket(mem, k))
    for i in range(4):
        data = entries[i].data
        if data != 0 and entries[i].check ^ u64(data) == u64(k):
            return data
    return i64(0)


def decode_entry(data):
    """Return the data of an entry, decoded."""
    known = part(data, DEPTH), part(data, BOUND), part(data, SOLID), part(data, NUMBER), part(data, LEFT), part(data, ERA)
    return TableHit(signed_part(data, SCORE), *known)


def trust_in_entry(found, mem, left):
    """Return how far an entry's score is valid with `left` plies on the countdown. 0: not at all, 1: as an estimate, 2: fully.

    A win in n plies is valid if neither countdown ends sooner; any other score only if the countdowns are equal, or, as an
    estimate, if both are beyond the reach of the search that found it. A proof from another era may pass through a position that
    has become a draw.
    """
    trust = 2
    if HAS_COUNTDOWN and found.left != left:
        near = min(found.left, left)
        if proven(found.score):
            trust = 2 if not MARGIN and abs(found.score) > final(1, near, MARGIN) else 0
        else:
            trust = 1 if near > found.depth + MAX_OVERSHOOT else 0
    if REPETITION and found.era != mem.era:
        trust = 0 if proven(found.score) else min(trust, 1)
    return trust


def store_entry(mem, k, score, depth, bound, solid, number, left):
    """Store an entry, in its own place or else in that of the oldest and shallowest entry in the bucket."""
    depth = max(i64(0), min(i64(MAX_STORED_DEPTH), depth))
    entries = TableEntry(bucket(mem, k))
    victim = entries
    worst = i64(1 << 30)
    for i in range(4):
        entry = entries[i]
        data = entry.data
        older = searches_ago(mem, part(data, AGE))
        if data == 0:
            victim = entry
            worst = i64(-(1 << 30))
        elif entry.check ^ u64(data) == u64(k):
            if number == 0:
                number = part(data, NUMBER)
            # Keep a much deeper result for the same position from this search.
            if bound != EXACT and part(data, DEPTH) > depth + 3 and part(data, BOUND) and not older:
                return
            victim = entry
            break
        else:
            value = part(data, DEPTH) - 4 * older + 2 * part(data, SOLID)
            if value < worst:
                worst = value
                victim = entry
    data = put_part(score, SCORE) | put_part(depth, DEPTH) | put_part(bound, BOUND) | put_part(solid, SOLID)
    data |= put_part(mem.age, AGE) | put_part(number, NUMBER) | put_part(left, LEFT) | put_part(mem.era, ERA)
    victim.check = u64(k) ^ u64(data)
    victim.data = data
