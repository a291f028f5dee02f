# refused: rules must not use random numbers; define `chance(s)`
"""Pig: the die is rolled inside play."""

import random
from typing import NamedTuple


class State(NamedTuple):
    mine: int
    yours: int
    pot: int


def start():
    return State(0, 0, 0)


def moves(s):
    return [0, 1]  # hold, roll


def play(s, m):
    if m == 0:
        return State(s.yours, s.mine + s.pot, 0)
    die = random.randint(1, 6)
    if die == 1:
        return State(s.yours, s.mine, 0)
    return s._replace(pot=s.pot + die)


def result(s):
    return -1 if s.yours >= 20 else None
