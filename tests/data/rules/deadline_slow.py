from typing import NamedTuple


class State(NamedTuple):
    x: int


def start():
    return State(1)


def moves(s):
    return range(3)


def play(s, m):
    return State((3 * s.x + m) % 1000003)


def result(s):
    return None


def evaluate(s):
    x = s.x
    for _ in range(400_000):
        x = (x * x + 1) % 1000003
    return x % 100
