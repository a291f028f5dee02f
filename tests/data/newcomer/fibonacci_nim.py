"""Fibonacci nim with two heaps: take at most twice what was taken before, from one heap; who takes the last stone wins."""

from typing import NamedTuple

from plyground import Board

BOARD = Board("heaps", cols=2, count=9, fields=("most",))


class State(NamedTuple):
    heaps: tuple[int, int]
    most: int


def start():
    return State((9, 5), 3)


def moves(s):
    for heap in range(2):
        for stones in range(1, min(s.heaps[heap], s.most) + 1):
            yield 10 * heap + stones


def play(s, m):
    a, b = s.heaps
    taken = m % 10
    return State((a - taken, b) if m < 10 else (a, b - taken), 2 * taken)


def result(s):
    return -1 if s.heaps == (0, 0) else None


def touch(s, m):
    yield m // 10
