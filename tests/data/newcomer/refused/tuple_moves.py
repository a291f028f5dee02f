# refused: a move must be an int (pack several numbers into one)
"""Chomp with moves (row, column)."""

from typing import NamedTuple


class State(NamedTuple):
    rows: tuple[int, int, int]


def start():
    return State((4, 4, 4))


def moves(s):
    for r, n in enumerate(s.rows):
        for c in range(n):
            yield r, c


def play(s, m):
    r, c = m
    return State(tuple(n if i < r else min(n, c) for i, n in enumerate(s.rows)))


def result(s):
    return 1 if sum(s.rows) == 0 else None
