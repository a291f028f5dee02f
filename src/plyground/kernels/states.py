"""What all kernels do with states: detect a change of turn and chance, make a working copy, compare, copy and hash words."""

from __future__ import annotations

from plyground.bits import mix, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    CHANCE,
    HAS_CANONICAL,
    IN_PLACE,
    canonical,
    chance,
    load,
    read_state,
    store,
    turn,
    write_state,
)


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
