"""Pig: roll as often as you like and hold in time; a 1 loses what the turn has brought. First to the goal wins.

`margin=1` gives the size of the results; without it the engine must do as well.
"""

from typing import NamedTuple

from plyground import parameters

GOAL, MARGIN = parameters(goal=30, margin=0)
HOLD, ROLL = 0, 1


class State(NamedTuple):
    mine: int
    theirs: int
    pot: int
    rolling: int  # 1: the die is in the air
    side: int


def start():
    return State(0, 0, 0, 0, 0)


def turn(s):
    return s.side


def chance(s):
    if s.rolling:
        for die in range(1, 7):
            yield die, 1


def moves(s):
    yield ROLL
    if s.pot:
        yield HOLD


def play(s, m):
    if s.rolling:
        if m == 1:
            return State(s.theirs, s.mine, 0, 0, 1 - s.side)
        return State(s.mine, s.theirs, s.pot + m, 0, s.side)
    if m == ROLL:
        return State(s.mine, s.theirs, s.pot, 1, s.side)
    return State(s.theirs, s.mine + s.pot, 0, 0, 1 - s.side)


def result(s):
    return -1 if s.theirs >= GOAL else None


def evaluate(s):
    return max(-1.0, min(1.0, (s.mine + s.pot - s.theirs) / GOAL))
