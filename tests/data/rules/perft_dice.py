"""Roll, then take; a roll of 1 ends the game."""

from typing import NamedTuple


class State(NamedTuple):
    left: int
    die: int
    turn: int


def start():
    return State(3, 0, 0)


def chance(s):
    if s.die == 0:
        yield 1, 1.0
        yield 2, 0.5


def turn(s):
    return s.turn


def moves(s):
    if s.die == 0:
        yield 99  # never to be asked: chance moves here
    for m in range(1, s.die + 1):
        yield m


def play(s, m):
    return State(s.left, m, s.turn) if s.die == 0 else State(s.left - m, 0, 1 - s.turn)


def result(s):
    return 1 if s.left <= 0 or s.die == 1 else None
