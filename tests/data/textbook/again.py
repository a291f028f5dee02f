"""A heap from which one takes 1 to 3 stones; who takes 2 moves again. The last stone wins, or all stones count."""

from typing import NamedTuple

from plyground import parameters

SIZE, COUNT = parameters(size=9, count=0)
MARGIN = 2 * SIZE if COUNT else 0


class State(NamedTuple):
    heap: int
    side: int
    lead: int  # stones of the side to move less those of the other


def start():
    return State(SIZE, 0, 0)


def moves(s):
    return range(1, min(3, s.heap) + 1)


def play(s, m):
    if m == 2:
        return State(s.heap - m, s.side, s.lead + m)
    return State(s.heap - m, 1 - s.side, -(s.lead + m))


def result(s):
    if s.heap:
        return None
    if COUNT:
        return s.lead
    return 1 if s.lead % 2 else -1


def turn(s):
    return s.side


def evaluate(s):
    return 3 * s.lead - s.heap
