"""One die, alone: keep what it shows, or roll again while there are rolls left. What you keep, less `price`, is the result."""

from typing import NamedTuple

from plyground import parameters

ROLLS, PRICE, MARGIN = parameters(rolls=3, price=0, margin=0)
SIDES = ("player",)
KEEP, AGAIN = 0, 1


class State(NamedTuple):
    die: int  # 0: to be rolled
    left: int
    kept: int


def start():
    return State(0, ROLLS, 0)


def chance(s):
    if s.die == 0:
        for die in range(1, 7):
            yield die, 1


def moves(s):
    yield KEEP
    if s.left:
        yield AGAIN


def play(s, m):
    if s.die == 0:
        return State(m, s.left - 1, 0)
    return State(s.die, s.left, 1) if m == KEEP else State(0, s.left, 0)


def result(s):
    return s.die - PRICE if s.kept else None


def evaluate(s):
    return (s.die if s.die else 3.5) - PRICE
