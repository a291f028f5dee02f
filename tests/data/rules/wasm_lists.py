"""Rules that make lists of lists, sets and sorted lists, call themselves, take logarithms, and fail where told to."""

import math
from typing import NamedTuple


class State(NamedTuple):
    heaps: tuple[int, int, int]
    fails: int


def start():
    return State((3, 4, 5), 0)


def moves(s):
    rows = [[heap * 10 + n for n in range(1, s.heaps[heap] + 1)] for heap in range(3)]
    for row in rows:
        for m in row:
            yield m


def play(s, m):
    heaps = list(s.heaps)
    heaps[m // 10] -= m % 10
    if s.fails and min(heaps) == 0:
        raise ValueError("a heap is empty")
    return State((heaps[0], heaps[1], heaps[2]), s.fails)


def result(s):
    return -1 if sum(s.heaps) == 0 else None


def ways(n):
    return 1 if n < 2 else ways(n - 1) + ways(n - 2)


def evaluate(s):
    different = set(s.heaps)
    ordered = sorted(s.heaps, reverse=True)
    real = 10 * math.log(1 + ordered[0]) + math.sqrt(ordered[1]) + 7.5 % (1 + ordered[2])
    return ways(ordered[0]) - 3 * len(different) + int(real)
