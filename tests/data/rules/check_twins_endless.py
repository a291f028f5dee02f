"""Take one or two of nine stones; with few stones left `moves` never ends."""

from typing import NamedTuple


class State(NamedTuple):
    left: int


def start():
    return State(FIRST)


def moves(s):
    m = 1
    while m <= 2 or s.left < 6:
        BODY
        m += s.left > 5


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left < 1 else None
