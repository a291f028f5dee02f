from typing import NamedTuple


class State(NamedTuple):
    left: int


def at_most(n, table=(0, 5)):
    def top(left):
        return min(n, left) + table[0]

    return top


two, three = at_most(2), at_most(3)


def start():
    return State(12)


def moves(s):
    for m in range(1, (two(s.left) if s.left % 2 else three(s.left)) + 1):
        yield m


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left <= 0 else None
