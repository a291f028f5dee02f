"""The shared table inside kernels: what a search has found about a state, kept for whoever comes there again.

An entry is two words. The second is the data, the first is the key xor the data: when two threads write one entry at once,
what they leave does not match any key and is not believed.

    bits  0-15  score, 16 bits signed, wins counted from this state (not from the root)
         16-23  depth
         24-25  bound: LOWER 1, UPPER 2, EXACT 3; 0 where only the move is known
            26  solid: no estimate went into the score, so that it holds at any depth
         27-31  age of the search that wrote it
         32-47  number of the best move in the order of `moves`, plus one; 0 for none
"""

from __future__ import annotations

from numba import int64, uint64

from plyground.score import PROVEN, WIN
from plyground.search.memory import AGE, BUCKET_BYTES, BUCKETS, TABLE
from plyground.search.rules import MARGIN, load, store

LOWER, UPPER, EXACT = 1, 2, 3
AGES = 32


def bucket(mem, k):
    """The address of the four entries where the key k belongs."""
    mixed = uint64(k) * uint64(0x9E3779B97F4A7C15)
    return uint64(load(mem + uint64(TABLE))) + ((mixed >> uint64(20)) & uint64(load(mem + uint64(BUCKETS)))) * uint64(
        BUCKET_BYTES
    )


def probe(mem, k):
    """The data kept for the key k, 0 if none."""
    at = bucket(mem, k)
    for i in range(4):
        entry = at + uint64(16 * i)
        data = load(entry + uint64(8))
        if data != 0 and uint64(load(entry)) ^ uint64(data) == uint64(k):
            return data
    return int64(0)


def keep(mem, k, score, depth, bound, solid, number):
    """Keeps an entry: in its own place, else in place of the oldest and shallowest of the bucket."""
    at = bucket(mem, k)
    age = load(mem + uint64(AGE)) & 31
    victim = at
    worst = int64(1 << 30)
    for i in range(4):
        entry = at + uint64(16 * i)
        data = load(entry + uint64(8))
        if data == 0:
            victim = entry
            worst = int64(-(1 << 30))
        elif uint64(load(entry)) ^ uint64(data) == uint64(k):
            if number == 0:
                number = (data >> 32) & 0xFFFF
            # A result of this very position that is deeper and just as telling stays.
            if bound != EXACT and (data >> 16) & 0xFF > depth + 3 and (data >> 24) & 3 and (data >> 27) & 31 == age:
                return
            victim = entry
            break
        else:
            value = ((data >> 16) & 0xFF) - 4 * ((age - ((data >> 27) & 31)) & 31) + 2 * ((data >> 26) & 1)
            if value < worst:
                worst = value
                victim = entry
    data = (score & 0xFFFF) | depth << 16 | bound << 24 | solid << 26 | age << 27 | number << 32
    store(victim, int64(uint64(k) ^ uint64(data)))
    store(victim + uint64(8), data)


def score_of(data, ply):
    """The score of an entry, wins counted from the root again."""
    score = data & 0xFFFF
    if score >= 0x8000:
        score -= 0x10000
    if not MARGIN:
        if score >= PROVEN and score <= WIN:
            return score - ply
        if score <= -PROVEN and score >= -WIN:
            return score + ply
    return score


def from_here(score, ply):
    """A score with wins counted from this state, as the table keeps it."""
    if not MARGIN:
        if score >= PROVEN and score <= WIN:
            return score + ply
        if score <= -PROVEN and score >= -WIN:
            return score - ply
    return score
