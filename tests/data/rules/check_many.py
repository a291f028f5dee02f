"""Three sides take stones; whoever takes the last one gets it all."""

from typing import NamedTuple

SIDES = ("A", "B", "C")


class State(NamedTuple):
    left: int
    mover: int


def start():
    return State(7, 0)


def turn(s):
    return s.mover


def moves(s):
    return range(1, min(2, s.left) + 1)


def play(s, m):
    return State(s.left - m, (s.mover + 1) % 3)


def result(s):
    if s.left:
        return None
    return tuple(1 if side == (s.mover + 2) % 3 else 0 for side in range(3))
