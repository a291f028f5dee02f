"""What all kernels do with states: detect a change of turn and chance, choose a random move, copy, compare and hash words."""

from __future__ import annotations

from plyground.bits import i64, mix, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    CHANCE,
    HAS_CANONICAL,
    IN_PLACE,
    canonical,
    chance,
    load,
    moves,
    read_state,
    store,
    turn,
    write_state,
)
from plyground.rules.rollouts import move_priority


def changes_turn(me, child):
    """Return whether a side other than `me` is to move in the child."""
    return ALTERNATE or turn(child) != me


def is_chance(s):
    """Return whether chance is to move."""
    n = 0
    if CHANCE:
        for _ in chance(s):
            n += 1
    return n > 0


def any_move(s, x):
    """Return a random move, from the random word x; -1 if there is none. For chance, by the weights."""
    found, n = i64(-1), i64(0)
    if CHANCE:
        total = 0.0
        for m, weight in chance(s):
            total += weight
            if float(move_priority(x, n) >> u64(33)) * total < weight * 2147483648.0:
                found = i64(m)
            n += 1
        if n > 0:
            return found
    highest = u64(0)
    for m in moves(s):
        drawn = move_priority(x, n)
        if drawn >= highest:
            highest, found = drawn, i64(m)
        n += 1
    return found


def own_state(address, work):
    """Return the state at an address; for in-place rules, a copy at `work` that may be changed."""
    if IN_PLACE:
        write_state(work, read_state(address))
        return read_state(work)
    return read_state(address)


def write_canonical(at, s):
    """Write the canonical words of s at an address; symmetric states share them."""
    if HAS_CANONICAL and not IN_PLACE:
        write_state(at, canonical(s))
    else:
        write_state(at, s)


def hash_words(at, count, h):
    """Hash the words at an address, starting from h."""
    for i in range(count):
        h = mix(h ^ u64(load(at + u64(8) * u64(i))))
    return h


def same_words(one, other, count):
    """Return whether the words at two addresses are equal."""
    i = 0
    while i < count and load(one + u64(8) * u64(i)) == load(other + u64(8) * u64(i)):
        i += 1
    return i == count


def copy_words(to, at, count):
    """Copy words from address `at` to address `to`."""
    for i in range(count):
        store(to + u64(8) * u64(i), load(at + u64(8) * u64(i)))
