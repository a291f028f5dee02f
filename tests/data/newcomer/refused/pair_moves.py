# refused: a move must be an int (pack several numbers into one)
"""Wythoff's game with moves as pairs."""

from typing import NamedTuple


class State(NamedTuple):
    a: int
    b: int


def start():
    return State(5, 3)


def moves(s):
    for n in range(1, s.a + 1):
        yield (n, 0)
    for n in range(1, s.b + 1):
        yield (0, n)
    for n in range(1, min(s.a, s.b) + 1):
        yield (n, n)


def play(s, m):
    x, y = m
    return State(s.a - x, s.b - y)


def result(s):
    return -1 if s == (0, 0) else None
