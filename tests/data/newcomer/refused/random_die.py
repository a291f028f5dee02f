# refused: define `chance(s)`, which yields each outcome with its weight
"""A race in which `play` rolls the die itself."""

import random
from typing import NamedTuple


class State(NamedTuple):
    mine: int
    theirs: int


def start():
    return State(0, 0)


def moves(s):
    return [0, 1]


def play(s, m):
    return State(s.theirs, s.mine + (random.randint(1, 6) if m else 3))


def result(s):
    return -1 if s.theirs >= 20 else None
