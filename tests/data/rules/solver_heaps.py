"""Take one to three from a heap, in place; who finds no heap loses, but two heaps of one are a draw."""

from typing import Any, NamedTuple
import numpy as np


class State(NamedTuple):
    heaps: Any


def start():
    return State(np.array([3, 4, 5], np.int64))


def moves(s):
    for heap in range(3):
        for n in range(1, min(3, s.heaps[heap]) + 1):
            yield 4 * heap + n


def play(s, m):
    s.heaps[m // 4] -= m % 4


def undo(s, m):
    s.heaps[m // 4] += m % 4


def result(s):
    return 0 if s.heaps.sum() == 2 and s.heaps.max() == 1 else None


def stuck(s):
    return -1
