"""Roll a die up to twice and keep it, less one. The die is all that counts."""

from typing import NamedTuple

SIDES = ("player",)


class State(NamedTuple):
    die: int
    left: int
    kept: int


def start():
    return State(0, 2, 0)


def chance(s):
    if s.die == 0:
        for die in range(1, 7):
            yield die, 7 - die


def moves(s):
    yield 0
    if s.left:
        yield 1


def play(s, m):
    if s.die == 0:
        return State(m, s.left - 1, 0)
    return State(s.die, s.left, 1) if m == 0 else State(0, s.left, 0)


def result(s):
    return s.die - 1 if s.kept else None


def evaluate(s):
    return s.die - 0.5
