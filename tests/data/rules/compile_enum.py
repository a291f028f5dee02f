from enum import IntEnum
from typing import NamedTuple


class P(IntEnum):
    A = 2


class State(NamedTuple):
    left: int


def start():
    return State(12)


def moves(s):
    return range(1, P.A + 1)


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left <= 0 else None
