"""Perft: count the lines of play to a depth, the standard test of rules and a fair measure of their speed."""

from __future__ import annotations

from plyground.bits import u64
from plyground.compile.vocabulary import (
    CHANCE,
    KEEP_FINISHED,
    PLAY_ON,
    WORDS,
    chance,
    key,
    moves,
    read_state,
    result,
    step,
    store,
    stuck,
    undo_step,
    write_state,
)


def walk(s, depth):
    """Return the number of lines of exactly `depth` plies from s; chance outcomes count as moves.

    With KEEP_FINISHED, a game that ends earlier counts as a line too.
    """
    if depth == 0:
        return 1
    if not PLAY_ON:
        if result(s) is not None:
            return 1 if KEEP_FINISHED else 0
    n = 0
    if CHANCE:
        rolls = 0
        for m, _ in chance(s):
            rolls += 1
            n += walk(step(s, m), depth - 1)
            undo_step(s, m)
        if rolls:
            return n
    if depth == 1:
        for _ in moves(s):
            n += 1
    else:
        for m in moves(s):
            n += walk(step(s, m), depth - 1)
            undo_step(s, m)
    if KEEP_FINISHED:
        if n == 0:
            return 1
    return n


def perft(address, depth):
    """Entry point: count the leaves below the state at an address."""
    return walk(read_state(address), depth)


def count_ended(s, depth):
    """Count the games that end within `depth` plies of s."""
    if result(s) is not None:
        return 1
    n = 0
    options = 0
    if CHANCE:
        for m, _ in chance(s):
            options += 1
            if depth > 0:
                n += count_ended(step(s, m), depth - 1)
                undo_step(s, m)
    if options == 0:
        for m in moves(s):
            options += 1
            if depth > 0:
                n += count_ended(step(s, m), depth - 1)
                undo_step(s, m)
            else:
                break
    if options == 0:
        stuck(s)
        return 1
    return n


def finished(address, depth):
    """Entry point: count the games that end within `depth` plies of the state at an address."""
    return count_ended(read_state(address), depth)


def put_child(s, m, at, parent):
    """Write the state after m at an address: its words, its key, and the number of its parent."""
    child = step(s, m)
    write_state(at, child)
    store(at + u64(8 * WORDS), key(child))
    store(at + u64(8 * WORDS + 8), parent)
    undo_step(s, m)


def put_children(s, out, room, parent):
    """Write every child of s, starting at an address; return their number, -1 if they do not all fit."""
    size = u64(8 * (WORDS + 2))
    n = 0
    if not PLAY_ON:
        if result(s) is not None:
            return 0
    if CHANCE:
        for m, _ in chance(s):
            if n == room:
                return -1
            put_child(s, m, out + u64(n) * size, parent)
            n += 1
        if n:
            return n
    for m in moves(s):
        if n == room:
            return -1
        put_child(s, m, out + u64(n) * size, parent)
        n += 1
    return n


def expand(rows, out, room, taken, count):
    """Entry point: write the children of `count` adjacent states, for as many states as fit.

    Writes the number of states expanded at `taken` and returns the number of children.
    """
    made = 0
    i = 0
    while i < count:
        s = read_state(rows + u64(8 * WORDS * i))
        n = put_children(s, out + u64(8 * (WORDS + 2) * made), room - made, i)
        if n < 0:
            break
        made += n
        i += 1
    store(taken, i)
    return made
