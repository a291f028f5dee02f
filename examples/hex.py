"""Hex: black joins top and bottom, white joins left and right. No draws: a full board joins one pair of sides.

Each cell touches up to six others: those beside it, above it and above to the right, below it and below to the left. The board is
drawn as points, with lines between those that touch; each row is half a cell further to the right than the one above.

One bit per cell, row by row from the top left; a move is the number of a cell. On a board of 4 by 4:

     0   1   2   3
       4   5   6   7
         8   9  10  11
          12  13  14  15
"""

from typing import NamedTuple

from plyground import Board, Parameter, parameters
from plyground.bits import u64

SIZE = parameters(size=Parameter(7, 2, 8, "cells on a side"))
TITLE = "Hex"
SIDES = ("black", "white")
CELLS = SIZE * SIZE
TOP = u64((1 << SIZE) - 1)
BOTTOM = u64(TOP << (CELLS - SIZE))
LEFT = u64(sum(1 << row * SIZE for row in range(SIZE)))
RIGHT = u64(LEFT << (SIZE - 1))


def name(cell):
    return f"{'abcdefgh'[cell % SIZE]}{cell // SIZE + 1}"


def beside():
    """The pairs of cells that touch: to the right, below, below to the left."""
    for cell in range(CELLS):
        row, col = divmod(cell, SIZE)
        if col < SIZE - 1:
            yield cell, cell + 1
        if row < SIZE - 1:
            yield cell, cell + SIZE
        if row < SIZE - 1 and col > 0:
            yield cell, cell + SIZE - 1


BOARD = Board(
    "free",
    at=tuple((i % SIZE + i // SIZE / 2, float(i // SIZE)) for i in range(CELLS)),
    lines=tuple(beside()),
    names=tuple(name(i) for i in range(CELLS)),
    glyphs="●○",
)


class State(NamedTuple):
    mine: u64  # stones of the side to move
    theirs: u64
    side: int  # 0 black, 1 white


def start():
    return State(0, 0, 0)


def moves(s):
    for cell in range(CELLS):
        if not (s.mine | s.theirs) >> cell & 1:
            yield cell


def play(s, m):
    return State(s.theirs, s.mine | u64(1) << m, 1 - s.side)


def joined(stones, start, end):
    """Does a chain of these stones lead from one side of the board to the other?"""
    reached, found = u64(0), stones & start
    while found != reached:
        reached = found
        to_left, to_right = reached & ~LEFT, reached & ~RIGHT
        found |= stones & (to_left >> 1 | to_right << 1 | reached >> SIZE | reached << SIZE)
        found |= stones & (to_right >> (SIZE - 1) | to_left << (SIZE - 1))
    return found & end != 0


def result(s):
    """Only the side that has just moved can have joined its sides."""
    won = joined(s.theirs, TOP, BOTTOM) if s.side == 1 else joined(s.theirs, LEFT, RIGHT)
    return -1 if won else None


def turn(s):
    return s.side


ALTERNATE = True


def cells(s):
    black = s.mine if s.side == 0 else s.theirs
    for cell in range(CELLS):
        yield 0 if not (s.mine | s.theirs) >> cell & 1 else 1 if black >> cell & 1 else 2


def touch(s, m):
    yield m


def format_move(s, m):
    return name(m)
