"""Sliding tiles: a puzzle of 2 by 3 with five tiles; put them in order in as few moves as you can."""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

ROWS, COLS, LONGEST = 2, 3, 24
CELLS = ROWS * COLS
SIDES = ("you",)
MARGIN = LONGEST
BOARD = Board("tiles", ROWS, COLS, pieces=("12345",), fields=("made",))


class State(NamedTuple):
    tiles: tuple[int, ...]
    made: int


def start():
    return State((4, 1, 2, 5, 3, 0), 0)


def gap(s):
    return next(i for i in range(CELLS) if s.tiles[i] == 0)


def moves(s):
    hole = gap(s)
    for i in range(CELLS):
        if abs(i // COLS - hole // COLS) + abs(i % COLS - hole % COLS) == 1:
            yield i


def play(s, m):
    hole = gap(s)
    return State(put(put(s.tiles, hole, s.tiles[m]), m, 0), s.made + 1)


def result(s):
    if s.tiles == (1, 2, 3, 4, 5, 0):
        return LONGEST - s.made
    return 0 if s.made >= LONGEST else None
