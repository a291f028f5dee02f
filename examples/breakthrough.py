"""Breakthrough: move a man straight or diagonally forward, capture diagonally; the first man on the far row wins.

Rules: Dan Troyka's. White moves up and begins. A man moves one square forward, straight or diagonally, to an empty square, or
captures diagonally forward. A side wins when one of its men reaches the far row, or when the other side has no men left.

One bit per square, row by row from the top left. A move is `from * SQUARES + to`.
"""

from typing import NamedTuple

from plyground import Board, Parameter, parameters
from plyground.bits import bits, u64

SIZE = parameters(size=Parameter(6, 4, 8, "squares on a side"))
TITLE = "Breakthrough"
SIDES = ("white", "black")
ALTERNATE = True
SQUARES = SIZE * SIZE
ROW = (1 << SIZE) - 1
TOP = u64(ROW)
BOTTOM = u64(ROW << (SQUARES - SIZE))
BOARD = Board("squares", SIZE, SIZE, pieces="WB", glyphs="○●", checkered=True)


class State(NamedTuple):
    white: u64
    black: u64
    side: int  # 0 white, 1 black


def start():
    return State(BOTTOM | BOTTOM >> SIZE, TOP | TOP << SIZE, 0)


def moves(s):
    mine, theirs = (s.black, s.white) if s.side else (s.white, s.black)
    for square in bits(mine):
        ahead = square + SIZE if s.side else square - SIZE
        col = square % SIZE
        if not (mine | theirs) >> ahead & 1:
            yield square * SQUARES + ahead
        if col > 0 and not mine >> (ahead - 1) & 1:
            yield square * SQUARES + ahead - 1
        if col < SIZE - 1 and not mine >> (ahead + 1) & 1:
            yield square * SQUARES + ahead + 1


def play(s, m):
    source, to = u64(1) << m // SQUARES, u64(1) << m % SQUARES
    if s.side:
        return State(s.white & ~to, s.black ^ source ^ to, 0)
    return State(s.white ^ source ^ to, s.black & ~to, 1)


def result(s):
    """Only the side that has just moved can have won."""
    if s.side:
        return -1 if s.white & TOP or not s.black else None
    return -1 if s.black & BOTTOM or not s.white else None


def turn(s):
    return s.side


def cells(s):
    for square in range(SQUARES):
        yield 1 if s.white >> square & 1 else 2 if s.black >> square & 1 else 0


def touch(s, m):
    yield m // SQUARES
    yield m % SQUARES


def name(square):
    return f"{'abcdefgh'[square % SIZE]}{SIZE - square // SIZE}"


def format_move(s, m):
    source, to = m // SQUARES, m % SQUARES
    return f"{name(source)}{'x' if (s.white | s.black) >> to & 1 else '-'}{name(to)}"
