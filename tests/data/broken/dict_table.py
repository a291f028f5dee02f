"""Take one to three stones; whoever takes the last one wins."""

from typing import NamedTuple


class State(NamedTuple):
    stones: int


def start():
    return State(10)


TAKES = {0: 1, 1: 2, 2: 3}


def moves(s):
    for i in range(3):
        m = TAKES[i]
        if m <= s.stones:
            yield m


def play(s, m):
    return State(s.stones - m)


def result(s):
    return -1 if s.stones == 0 else None
