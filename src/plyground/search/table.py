"""The shared table inside kernels: what a search has found about a state, kept for whoever comes there again.

An entry is two words. The second is the data, the first is the key xor the data: when two threads write one entry at once,
what they leave does not match any key and is not believed.

    bits  0-15  score, 16 bits signed, wins counted from this state (not from the root)
         16-23  depth
         24-25  bound: LOWER 1, UPPER 2, EXACT 3; 0 where only the move is known
            26  solid: no estimate went into the score, so that it holds at any depth
         27-31  age of the search that wrote it
         32-47  number of the best move in the order of `moves`, plus one; 0 for none
         48-57  the countdown of the state, for rules that count plies
         58-63  era: proofs of another era are not believed, as the game's history has changed what they rest on
"""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import HAS_COUNTDOWN, MARGIN, REPETITION, countdown, load, store
from plyground.score import PROVEN, WIN
from plyground.search.memory import AGE, BUCKET_BYTES, BUCKETS, ERA, TABLE

LOWER, UPPER, EXACT = 1, 2, 3
AGES = 32
FAR = 1023
"""A countdown that is as good as none: no win is as far away."""
AHEAD = 8
"""How many plies beyond its depth a search may look, as far as a countdown is concerned: extensions, quiescence."""


def bucket(mem, k):
    """The address of the four entries where the key k belongs."""
    mixed = u64(k) * u64(0x9E3779B97F4A7C15)
    return u64(load(mem + u64(TABLE))) + ((mixed >> u64(20)) & u64(load(mem + u64(BUCKETS)))) * u64(BUCKET_BYTES)


def probe(mem, k):
    """The data kept for the key k, 0 if none."""
    at = bucket(mem, k)
    for i in range(4):
        entry = at + u64(16 * i)
        data = load(entry + u64(8))
        if data != 0 and u64(load(entry)) ^ u64(data) == u64(k):
            return data
    return i64(0)


def plies_left(s):
    """The plies before a counter that the key leaves out can end the game: what an entry remembers of it."""
    if HAS_COUNTDOWN:
        return max(i64(0), min(i64(FAR), i64(countdown(s))))
    return i64(FAR)


def believed(data, mem, left):
    """May the score of an entry settle a node, with `left` plies on the countdown? 0 no, 1 as an estimate, 2 as it stands.

    A win in n plies holds wherever neither countdown ends before; anything else only where the countdown is the same, or, as
    an estimate, too far away for the search that found it. A proof of another era may lead through what has become a draw.
    """
    trust = 2
    score = data & 0xFFFF
    if score >= 0x8000:
        score -= 0x10000
    proof = score >= PROVEN or score <= -PROVEN
    if HAS_COUNTDOWN:
        theirs = (data >> 48) & FAR
        if theirs != left:
            near = min(theirs, left)
            if proof:
                trust = 2 if not MARGIN and WIN - abs(score) < near else 0
            else:
                trust = 1 if near > ((data >> 16) & 0xFF) + AHEAD else 0
    if REPETITION:
        if (data >> 58) & 63 != load(mem + u64(ERA)):
            trust = 0 if proof else min(trust, 1)
    return trust


def keep(mem, k, score, depth, bound, solid, number, left):
    """Keeps an entry: in its own place, else in place of the oldest and shallowest of the bucket."""
    at = bucket(mem, k)
    age = load(mem + u64(AGE)) & 31
    victim = at
    worst = i64(1 << 30)
    for i in range(4):
        entry = at + u64(16 * i)
        data = load(entry + u64(8))
        if data == 0:
            victim = entry
            worst = i64(-(1 << 30))
        elif u64(load(entry)) ^ u64(data) == u64(k):
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
    if HAS_COUNTDOWN:
        data |= left << 48
    if REPETITION:
        data |= load(mem + u64(ERA)) << 58
    store(victim, i64(u64(k) ^ u64(data)))
    store(victim + u64(8), data)


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
