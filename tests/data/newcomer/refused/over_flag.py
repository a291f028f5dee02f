# refused: it must give None or an int from -1 to 1
"""Take one or two of seven: result only says whether the game is over."""

from typing import NamedTuple


class State(NamedTuple):
    stones: int


def start():
    return State(7)


def moves(s):
    return [n for n in (1, 2) if n <= s.stones]


def play(s, m):
    return State(s.stones - m)


def result(s):
    return s.stones == 0
