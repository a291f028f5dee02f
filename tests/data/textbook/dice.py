"""A race with a die of three: a roll moves the own token on or the other's back. First at the end wins, twice if the other
stands at the start.

`after=1`: a roll belongs to the side that has just moved, so that the side changes after chance and not before it. `rare=1`: a
3 is nine times less likely than the others.
"""

from typing import NamedTuple

from plyground import parameters

SIZE, AFTER, RARE = parameters(size=5, after=0, rare=0)
MARGIN = 2


class State(NamedTuple):
    mine: int
    theirs: int
    die: int  # 0: to be rolled
    side: int


def start():
    return State(0, 0, 0, 0)


def chance(s):
    if s.die == 0:
        for die in (1, 2, 3):
            yield die, (9 if die < 3 else 1) if RARE else 4 - die


def moves(s):
    yield 0
    if s.theirs:
        yield 1


def play(s, m):
    if s.die == 0:
        return State(s.theirs, s.mine, m, 1 - s.side) if AFTER else State(s.mine, s.theirs, m, s.side)
    mine = min(SIZE, s.mine + s.die) if m == 0 else s.mine
    theirs = s.theirs if m == 0 else max(0, s.theirs - s.die)
    return State(mine, theirs, 0, s.side) if AFTER else State(theirs, mine, 0, 1 - s.side)


def result(s):
    if s.mine >= SIZE:
        return 2 if s.theirs == 0 else 1
    if s.theirs >= SIZE:
        return -2 if s.mine == 0 else -1
    return None


def turn(s):
    return s.side


def evaluate(s):
    return (s.mine - s.theirs) / SIZE
