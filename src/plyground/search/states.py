"""What every kernel does with states: whose turn it is after a move, whose memory it may change, words compared and copied."""

from __future__ import annotations

from plyground.bits import mix, u64
from plyground.compile.vocabulary import (
    ALTERNATE,
    HAS_CANONICAL,
    IN_PLACE,
    canonical,
    load,
    read_state,
    store,
    turn,
    write_state,
)


def changes_turn(me, child):
    """Is another side than `me` to move in the child?"""
    return ALTERNATE or turn(child) != me


def own_state(address, work):
    """The state at an address; rules that play in place get a copy of it, in the room at `work`, to change."""
    if IN_PLACE:
        write_state(work, read_state(address))
        return read_state(work)
    return read_state(address)


def write_canonical(at, s):
    """Puts the words at an address that states which mirror each other share."""
    if HAS_CANONICAL and not IN_PLACE:
        write_state(at, canonical(s))
    else:
        write_state(at, s)


def hash_words(at, count, h):
    """A word made of the words at an address and of h."""
    for i in range(count):
        h = mix(h ^ u64(load(at + u64(8) * u64(i))))
    return h


def same_words(one, other, count):
    """Are the words at two addresses equal?"""
    i = 0
    while i < count and load(one + u64(8) * u64(i)) == load(other + u64(8) * u64(i)):
        i += 1
    return i == count


def copy_words(to, at, count):
    """Puts the words at one address to another."""
    for i in range(count):
        store(to + u64(8) * u64(i), load(at + u64(8) * u64(i)))
