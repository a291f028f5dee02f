"""Amazons on a small board: a queen moves and shoots an arrow that closes a square; who cannot move loses."""

from typing import NamedTuple

from plyground import Board, parameters
from plyground.bits import put

SIZE = parameters(size=6)
CELLS = SIZE * SIZE
EMPTY, WHITE, ARROW, BLACK = range(4)

TITLE = "Amazons"
SIDES = ("white", "black")
BOARD = Board("squares", SIZE, SIZE, pieces=("W#", "B"), checkered=True)


STEPS = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))


class State(NamedTuple):
    squares: tuple[int, ...]
    side: int


def start():
    squares = [EMPTY] * CELLS
    squares[1] = squares[SIZE - 2] = BLACK
    squares[CELLS - 2] = squares[CELLS - SIZE + 1] = WHITE
    return State(tuple(squares), 0)


def turn(s):
    return s.side


ALTERNATE = True


def reach(squares, cell):
    for down, right in STEPS:
        row, col = cell // SIZE + down, cell % SIZE + right
        while 0 <= row < SIZE and 0 <= col < SIZE and squares[row * SIZE + col] == EMPTY:
            yield row * SIZE + col
            row, col = row + down, col + right


def moves(s):
    own = BLACK if s.side else WHITE
    for source in range(CELLS):
        if s.squares[source] == own:
            for to in reach(s.squares, source):
                moved = put(put(s.squares, source, EMPTY), to, own)
                for arrow in reach(moved, to):
                    yield (source * CELLS + to) * CELLS + arrow


def play(s, m):
    source, to, arrow = m // CELLS // CELLS, m // CELLS % CELLS, m % CELLS
    moved = put(put(s.squares, to, s.squares[source]), source, EMPTY)
    return State(put(moved, arrow, ARROW), 1 - s.side)


def result(s):
    return None


def stuck(s):
    return -1


def touch(s, m):
    yield m // CELLS // CELLS
    yield m // CELLS % CELLS
    yield m % CELLS
