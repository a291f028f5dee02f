"""Take stones."""

from typing import NamedTuple


class State(NamedTuple):
    stones: int


def start():
    return State(10)


def moves(s):
    for m in range(1, 4):
        if m <= s.stones:
            yield m


def play(s, m):
    return State(s.stones - m)


def result(s):
    return -1 if s.stones == 0 else None
