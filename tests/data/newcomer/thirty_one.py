"""Race to thirty-one: count on by one, two or three, but not by what the other has just said; who says thirty-one wins."""

from typing import NamedTuple

from plyground import Board

GOAL = 31
BOARD = Board("squares", 1, GOAL, buttons={1: "one", 2: "two", 3: "three", 9: "skip"}, fields=("total",))


class State(NamedTuple):
    total: int
    said: int
    side: int


def start():
    return State(0, 0, 1)


def moves(s):
    some = False
    for n in range(1, 4):
        if n != s.said and s.total + n <= GOAL:
            some = True
            yield n
    if not some:
        yield 9


def play(s, m):
    return State(s.total, 0, 3 - s.side) if m == 9 else State(s.total + m, m, 3 - s.side)


def result(s):
    return -1 if s.total == GOAL else None


def cells(s):
    for i in range(GOAL):
        yield 3 - s.side if i == s.total - 1 else 0


def touch(s, m):
    return range(0)
