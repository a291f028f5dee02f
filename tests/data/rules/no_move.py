"""Take two or three of nine stones; taking the last one wins, and nothing says what one left over means."""

from typing import NamedTuple


class State(NamedTuple):
    left: int


def start():
    return State(9)


def moves(s):
    for m in (2, 3):
        if m <= s.left:
            yield m


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None
