"""A die before each move, which counts once or, at the price of 3, twice. Nothing tells whose turn it is: sides take turns."""

from typing import NamedTuple

from plyground import parameters

MOVES, MARGIN = parameters(moves=4, margin=0)


class State(NamedTuple):
    lead: int  # of the side to move
    left: int
    die: int  # 0: to be rolled


def start():
    return State(0, MOVES, 0)


def chance(s):
    if s.die == 0:
        for die in range(1, 5):
            yield die, die


def moves(s):
    yield 0
    yield 1


def play(s, m):
    if s.die == 0:
        return State(s.lead, s.left, m)
    return State(-(s.lead + (s.die if m == 0 else 2 * s.die - 3)), s.left - 1, 0)


def result(s):
    return s.lead if s.left == 0 else None


def evaluate(s):
    return s.lead + 0.25 * s.die
