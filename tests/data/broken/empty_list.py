"""Take one to three stones; whoever takes the last one wins."""

from typing import NamedTuple


class State(NamedTuple):
    stones: int


def start():
    return State(10)


def moves(s):
    found = []
    return found or [1] if s.stones < 1 else [m for m in (1, 2, 3) if m <= s.stones]


def play(s, m):
    return State(s.stones - m)


def result(s):
    return -1 if s.stones == 0 else None
