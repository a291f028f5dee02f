"""Two tokens walk a ring of SIZE places, one step either way; who steps onto the other's token wins, and no token may rest."""

from typing import NamedTuple

from plyground import parameters

SIZE = parameters(size=6)
REPETITION = 3


class State(NamedTuple):
    gap: int  # from the token of the side to move, going up, to the other's


def start():
    return State(SIZE // 2)


def moves(s):
    return (1, 2)


def play(s, m):
    """1 goes up, which makes the gap smaller; seen by the other side the gap is what is missing to a whole round."""
    gap = s.gap - 1 if m == 1 else s.gap + 1
    return State((SIZE - gap) % SIZE)


def result(s):
    return -1 if s.gap == 0 else None


def evaluate(s):
    return s.gap
