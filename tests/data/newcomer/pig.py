"""Pig: roll as often as you dare; a 1 loses what this turn has brought. The first to reach the goal wins."""

import enum
from typing import NamedTuple

from plyground import parameters

GOAL = parameters(goal=30)
TITLE = "Pig"
SIDES = ("first", "second")


class Move(enum.IntEnum):
    HOLD = 0
    ROLL = 1


class State(NamedTuple):
    mine: int = 0
    theirs: int = 0
    pot: int = 0
    side: int = 0
    rolling: bool = False


def start():
    return State()


def moves(s):
    yield Move.ROLL
    if s.pot > 0:
        yield Move.HOLD


def chance(s):
    if s.rolling:
        for die in range(1, 7):
            yield die, 1


def play(s, m):
    if s.rolling:
        if m == 1:
            return State(s.theirs, s.mine, 0, 1 - s.side)
        return s._replace(pot=s.pot + m, rolling=False)
    if m == Move.ROLL:
        return s._replace(rolling=True)
    return State(mine=s.theirs, theirs=s.mine + s.pot, side=1 - s.side)


def result(s):
    if s.theirs >= GOAL:
        return -1
    if s.mine + s.pot >= GOAL:
        return 1
    return None


def evaluate(s):
    return (s.mine + s.pot - s.theirs) / GOAL


def turn(s):
    return s.side


def show(s):
    return f"you {s.mine} + {s.pot}, opponent {s.theirs}" + (", the die rolls" if s.rolling else "")


def format_move(s, m):
    return str(m) if s.rolling else Move(m).name.lower()
