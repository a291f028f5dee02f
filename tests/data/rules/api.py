"""Count down."""

from typing import NamedTuple


class State(NamedTuple):
    left: int


def start():
    return State(7)


def moves(s):
    return range(1, min(3, s.left) + 1)


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None
