from typing import NamedTuple

MARGIN = 19_999


class State(NamedTuple):
    left: int
    lead: int


def start():
    return State(7, MARGIN - 9)


def moves(s):
    return range(2)


def play(s, m):
    return State(s.left - 1, -(s.lead + m - (2 * MARGIN - 20 if s.left == 1 else 0)))


def result(s):
    return None if s.left else s.lead


def banked(s):
    return s.lead
