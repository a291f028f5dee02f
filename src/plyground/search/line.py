"""The line of a move at the root: cut where it can't be played, extended by what the table knows."""

from __future__ import annotations

from plyground.bits import i64, u64
from plyground.compile.vocabulary import CHANCE, GOING, address, chance, clock, key, moves, step, verdict
from plyground.search.moves import table_move
from plyground.search.path import begin
from plyground.search.table import decoded, probe

LINE_NS = 10_000_000
"""The nanoseconds that may be spent on a line if the search has a time limit."""


def prolong(row, one, length, hurry, mem):
    """Cuts a line at its first illegal move, else extends it by hash moves up to a length; returns how long it is then.

    With `hurry`, it is cut rather than late. In games of chance the table has no moves to give.
    """
    s = begin(row, mem)
    until = clock(address(mem.clock)) + LINE_NS if hurry and mem.deadline else i64(0)
    n = i64(0)
    while n < one.length and playable(s, one.line[n]) and (n == 0 or in_time(until, mem)):
        s = step(s, one.line[n])
        n += 1
    whole = n == one.length
    one.length = n
    if CHANCE:
        return n
    while whole and n < length and in_time(until, mem):
        k = u64(key(s))
        m = table_move(s, mem, decoded(probe(mem, k)).number)
        if m < 0 or not playable(s, m) or goes_round(mem, k, one.length, n):
            break
        one.line[n] = m
        s = step(s, m)
        n += 1
    one.length = n
    return n


def in_time(until, mem):
    """Is there time left? Always, if `until` is 0."""
    return until == 0 or clock(address(mem.clock)) < until


def to_choose(s):
    """Does a player move here, and neither chance nor nobody?"""
    n = 0
    if CHANCE:
        for _ in chance(s):
            n += 1
    return n == 0 and verdict(s) == GOING


def playable(s, m):
    """Is this a legal move of a player? Looks at all moves: a generator left early may not free its memory."""
    if not to_choose(s):
        return False
    found = False
    for other in moves(s):
        if i64(other) == m:
            found = True
    return found


def goes_round(mem, k, first, n):
    """Has the line had this key since it was extended? Notes it where the search would keep its path."""
    mem.path[mem.past + n] = k
    at = mem.past + first
    while mem.path[at] != k:
        at += 1
    return at < mem.past + n
