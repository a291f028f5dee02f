"""Head start: in turn, both runners go one, two or three steps; whoever is first at the end of the track wins.

The first runner moves first and starts two steps ahead: that can't be fair, and a report must say so.
"""

from typing import NamedTuple

TRACK = 12


class State(NamedTuple):
    mine: int
    theirs: int


def start():
    return State(2, 0)


def moves(s):
    yield from range(1, 4)


def play(s, m):
    return State(s.theirs, s.mine + m)


def result(s):
    return -1 if s.theirs >= TRACK else None


def evaluate(s):
    return s.mine - s.theirs
