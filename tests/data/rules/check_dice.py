"""A die, then a stone."""

from typing import NamedTuple


class State(NamedTuple):
    left: int
    die: int
    turn: int


def start():
    return State(4, 0, 0)


def turn(s):
    return s.turn


def chance(s):
    if s.die == 0:
        yield 1, 0.5
        yield 2, 1.0 / s.left - 0.25 if s.left > 1 else 0.5


def moves(s):
    return range(1, s.die + 1)


def play(s, m):
    return State(s.left, m, s.turn) if s.die == 0 else State(max(0, s.left - m), 0, 1 - s.turn)


def result(s):
    return -1 if s.left == 0 else None


def evaluate(s):
    return s.left / 7
