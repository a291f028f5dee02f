"""Pawns: on a board of 4 by 5 pawns go straight and take sideways; on the last row one becomes a rook or a knight.

Rules: a rook is worth two points, a knight three if it stands on a dark square. The game ends with the first such piece.
"""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

ROWS, COLS = 5, 4
CELLS = ROWS * COLS
PAWN, ROOK, KNIGHT = 1, 2, 3
SIDES = ("white", "black")
MARGIN = 3
BOARD = Board("squares", ROWS, COLS, pieces=("PRN", "prn"), glyphs=("♙♖♘", "♟♜♞"), checkered=True)


class State(NamedTuple):
    squares: tuple[int, ...]
    side: int


def start():
    return State((-PAWN,) * COLS + (0,) * (CELLS - 2 * COLS) + (PAWN,) * COLS, 1)


def turn(s):
    return 0 if s.side == 1 else 1


ALTERNATE = True


def moves(s):
    last = 0 if s.side == 1 else ROWS - 1
    for i in range(CELLS):
        if s.squares[i] != s.side * PAWN:
            continue
        for right in (-1, 0, 1):
            row, col = i // COLS - s.side, i % COLS + right
            if not (0 <= row < ROWS and 0 <= col < COLS):
                continue
            there = s.squares[row * COLS + col]
            if (there * s.side < 0) if right else there == 0:
                way = 4 * (i * CELLS + row * COLS + col)
                if row == last:
                    yield way + ROOK
                    yield way + KNIGHT
                else:
                    yield way + PAWN


def play(s, m):
    source, to, piece = m // 4 // CELLS, m // 4 % CELLS, m % 4
    return State(put(put(s.squares, source, 0), to, s.side * piece), -s.side)


def result(s):
    for i in range(CELLS):
        piece = s.squares[i] * -s.side
        if piece == ROOK:
            return -2
        if piece == KNIGHT:
            return -3 if (i // COLS + i % COLS) % 2 else -1
    return None


def stuck(s):
    return 0


def touch(s, m):
    yield m // 4 // CELLS
    yield m // 4 % CELLS
