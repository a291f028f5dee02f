from typing import Any, NamedTuple
import numpy as np


class State(NamedTuple):
    heaps: Any


def start():
    return State(np.array([2, 3, 4, 0], np.int8))


def moves(s):
    for heap in range(3):
        for n in range(1, int(s.heaps[heap]) + 1):
            yield heap * 10 + n


def play(s, m):
    s.heaps[m // 10] = int(s.heaps[m // 10]) - m % 10
    s.heaps[3] = int(s.heaps[3]) + 1


def undo(s, m):
    s.heaps[m // 10] = int(s.heaps[m // 10]) + m % 10
    s.heaps[3] = int(s.heaps[3]) - 1


def result(s):
    return -1 if s.heaps[:3].sum() == 0 else None
