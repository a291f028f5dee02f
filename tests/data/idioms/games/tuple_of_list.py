"""Tic-tac-toe on a tuple of cells."""

from typing import NamedTuple

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class State(NamedTuple):
    cells: tuple[int, ...]
    mover: int


def start():
    return State((0,) * 9, 1)


def moves(s):
    for m in range(9):
        if s.cells[m] == 0:
            yield m


def play(s, m):
    cells = list(s.cells)
    cells[m] = s.mover
    return State(tuple(cells), 3 - s.mover)


def result(s):
    for a, b, c in LINES:
        if s.cells[a] and s.cells[a] == s.cells[b] == s.cells[c]:
            return -1
    return None if 0 in s.cells else 0
