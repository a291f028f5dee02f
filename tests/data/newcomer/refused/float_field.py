# refused: State.cake is float (1.0); a field may be an int
"""Halves: halve the cake; whoever leaves less than a tenth loses."""

from typing import NamedTuple


class State(NamedTuple):
    cake: float


def start():
    return State(1.0)


def moves(s):
    return [2, 3]


def play(s, m):
    return State(s.cake / m)


def result(s):
    return 1 if s.cake < 0.1 else None
