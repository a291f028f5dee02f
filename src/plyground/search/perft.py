"""Perft: how many lines of play there are, to a depth. The standard test of rules, and a fair measure of their speed."""

from __future__ import annotations

from plyground.search.rules import CHANCE, back, chance, moves, read_state, result, step, stuck


def walk(s, depth):
    """The number of lines of just `depth` plies from s; chance outcomes count as moves."""
    if depth == 0:
        return 1
    if result(s) is not None:
        return 0
    n = 0
    if CHANCE:
        for m, _ in chance(s):
            n += walk(step(s, m), depth - 1)
            back(s, m)
        if n:
            return n
    if depth == 1:
        for _ in moves(s):
            n += 1
        return n
    for m in moves(s):
        n += walk(step(s, m), depth - 1)
        back(s, m)
    return n


def perft(address, depth):
    """Entry: leaves below the state at an address."""
    return walk(read_state(address), depth)


def ended(s, depth):
    """How many games end within `depth` plies of s."""
    if result(s) is not None:
        return 1
    n = 0
    options = 0
    if CHANCE:
        for m, _ in chance(s):
            options += 1
            if depth > 0:
                n += ended(step(s, m), depth - 1)
                back(s, m)
    if options == 0:
        for m in moves(s):
            options += 1
            if depth > 0:
                n += ended(step(s, m), depth - 1)
                back(s, m)
            else:
                break
    if options == 0:
        stuck(s)
        return 1
    return n


def finished(address, depth):
    """Entry: games that end within `depth` plies of the state at an address."""
    return ended(read_state(address), depth)
