"""Drop three: drop stones into five columns; three in a row, also diagonally, win."""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

ROWS, COLS = 4, 5
BOARD = Board("drop", ROWS, COLS)


class State(NamedTuple):
    stones: tuple[int, ...]
    side: int


def start():
    return State((0,) * (ROWS * COLS), 1)


def moves(s):
    for col in range(COLS):
        if s.stones[col] == 0:
            yield col


def play(s, col):
    row = ROWS - 1
    while s.stones[row * COLS + col]:
        row -= 1
    return State(put(s.stones, row * COLS + col, s.side), 3 - s.side)


def result(s):
    for row in range(ROWS):
        for col in range(COLS):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if row + 2 * down < ROWS and 0 <= col + 2 * right < COLS:
                    cell, step = row * COLS + col, down * COLS + right
                    if s.stones[cell] == s.stones[cell + step] == s.stones[cell + 2 * step] == 3 - s.side:
                        return -1
    return None if 0 in s.stones else 0
