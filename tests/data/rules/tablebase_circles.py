from typing import NamedTuple

MARGIN = 9


class State(NamedTuple):
    place: int
    lead: int


def start():
    return State(0, 0)


def moves(s):
    return range(3)


def play(s, m):
    return State((3 * s.place + 5 * m + 1) % 23, -s.lead + (m == 2) * (s.place % 4))


def result(s):
    return s.lead if s.place == 11 or abs(s.lead) > 4 else None
