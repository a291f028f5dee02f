"""Take one to three; who takes the last one wins. No board: a net has hidden units, and adds to `evaluate`."""

from typing import NamedTuple


class State(NamedTuple):
    left: int


def start():
    return State(50)


def moves(s):
    yield from range(1, min(3, s.left) + 1)


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None


def evaluate(s):
    return s.left % 4
