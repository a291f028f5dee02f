"""Three rows of three, in place, with every kind of helper."""

from typing import NamedTuple

import numpy as np

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
WEIGHT = [3, 2, 3, 2, 4, 2, 3, 2, 3]


class State(NamedTuple):
    cells: np.ndarray
    made: np.ndarray


def start():
    return State(np.zeros(9, np.int8), np.zeros(1, np.int64))


def mover(s):
    return 1 if s.made[0] % 2 == 0 else -1


def moves(s):
    return [m for m in range(9) if s.cells[m] == 0]


def play(s, m):
    s.cells[m] = mover(s)
    s.made[0] += 1


def undo(s, m):
    s.cells[m] = 0
    s.made[0] -= 1


def result(s):
    for a, b, c in LINES:
        if int(s.cells[a]) + int(s.cells[b]) + int(s.cells[c]) == -3 * mover(s):
            return -1
    return 0 if s.made[0] == 9 else None


def evaluate(s):
    total = 0
    for m in range(9):
        total += WEIGHT[m] * int(s.cells[m])
    return total * mover(s)


def order(s, m):
    return WEIGHT[m]
