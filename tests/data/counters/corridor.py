"""Corridor: the first to take five steps wins, unless twelve plies go by first. The key leaves the count of plies out."""

from typing import NamedTuple


class State(NamedTuple):
    mine: int  # steps taken
    theirs: int
    plies: int


def start():
    return State(0, 0, 0)


def moves(s):
    yield 0
    yield 1


def play(s, m):
    return State(s.theirs, s.mine + m, s.plies + 1)


def result(s):
    if s.theirs == 5:
        return -1
    return 0 if s.plies == 12 else None


def key(s):
    return s.mine * 100 + s.theirs


def countdown(s):
    return 12 - s.plies
