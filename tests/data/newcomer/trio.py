"""Trio: three players take turns to place a stone on a board of 4 by 4; three in a row win."""

from typing import NamedTuple

from plyground import Board

SIDES = ("red", "green", "blue")
BOARD = Board("squares", 4, 4)
LINES = [
    (i, i + step, i + 2 * step)
    for i in range(16)
    for step, fits in ((1, i % 4 < 2), (4, i < 8), (5, i % 4 < 2 and i < 8), (3, i % 4 > 1 and i < 8))
    if fits
]


class State(NamedTuple):
    squares: tuple[int, ...]
    player: int


def start():
    return State((0,) * 16, 0)


def turn(s):
    return s.player


def moves(s):
    return [i for i in range(16) if not s.squares[i]]


def play(s, m):
    return State(s.squares[:m] + (s.player + 1,) + s.squares[m + 1 :], (s.player + 1) % 3)


def result(s):
    for a, b, c in LINES:
        if s.squares[a] and s.squares[a] == s.squares[b] == s.squares[c]:
            return tuple(2 if s.squares[a] == side + 1 else -1 for side in range(3))
    return None if 0 in s.squares else (0, 0, 0)
