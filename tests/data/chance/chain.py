"""Two rolls in a row: a stake, a die, a coin that says whether the die counts; only then the other side moves."""

from typing import NamedTuple

from plyground import parameters

MOVES, MARGIN = parameters(moves=3, margin=0)
DIE, COIN = 1, 2
MOST = 3


class State(NamedTuple):
    lead: int  # of the side to move
    left: int
    chance: int  # 0 a player moves, 1 the die, 2 the coin
    stake: int
    die: int
    side: int


def start():
    return State(0, MOVES, 0, 0, 0, 0)


def turn(s):
    return s.side


def chance(s):
    if s.chance == DIE:
        yield 1, 3
        yield 2, 2
        yield 5, 1
    elif s.chance == COIN:
        yield 0, 1
        yield 1, 1 + s.stake


def moves(s):
    return range(3)


def play(s, m):
    if s.chance == 0:
        return State(s.lead, s.left - 1, DIE, m, 0, s.side)
    if s.chance == DIE:
        return State(s.lead, s.left, COIN, s.stake, m, s.side)
    gain = s.die * s.stake if m == 0 else 1 - s.die
    return State(-(s.lead + gain), s.left, 0, 0, 0, 1 - s.side)


def result(s):
    return max(-MOST, min(MOST, s.lead)) if s.left == 0 and s.chance == 0 else None


def evaluate(s):
    return max(-MOST, min(MOST, s.lead / 2 + s.stake / 4))
