"""Two sides that take stones in their own ways: an IntEnum in the state, a truth value too, a `match` with a case for each side."""

from enum import IntEnum
from typing import NamedTuple


class Side(IntEnum):
    EVEN = 0
    ODD = 1


class State(NamedTuple):
    stones: int
    side: Side
    hurried: bool


def start():
    return State(12, Side.EVEN, False)


def moves(s):
    found = []
    found += [n for n in (1, 2, 3) if n <= s.stones and (n != 2 or not s.hurried)]
    return found


def play(s, m):
    match s.side:
        case Side.EVEN:
            return s._replace(stones=s.stones - m, side=Side.ODD, hurried=m > 2)
        case Side.ODD:
            return State(s.stones - m, Side.EVEN, False)


def result(s):
    if s.stones == 0:
        return -1 if s.side is Side.EVEN else 1


def show(s):
    return f"{s.stones} {s.side.name}"
