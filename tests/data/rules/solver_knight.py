"""A knight on three rows of five that never returns to a cell; who cannot move loses."""

from typing import NamedTuple


class State(NamedTuple):
    at: int
    seen: int


def start():
    return State(2, 4)


def moves(s):
    row, col = s.at // 5, s.at % 5
    for to in range(15):
        if (abs(to // 5 - row), abs(to % 5 - col)) in ((1, 2), (2, 1)) and not s.seen >> to & 1:
            yield to


def play(s, m):
    return State(m, s.seen | 1 << m)


def result(s):
    return None


def stuck(s):
    return -1
