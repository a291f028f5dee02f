"""Othello: outflank the other side's discs to turn them over; the side with more discs at the end wins.

Rules: those of the World Othello Federation. Black has d5 and e4 and moves first. A side that can't turn any disc must
pass, otherwise it may not; the game is over when neither side can move. Empty squares count for the winner; a tie is a draw.

One bit per square, row by row from a1, at the top left as the board is printed:

         a  b  c  d  e  f  g  h
     1   0  1  2  3  4  5  6  7
     2   8  9 10 11 12 13 14 15
     3  16 17 18 19 20 21 22 23
     4  24 25 26 27 28 29 30 31
     5  32 33 34 35 36 37 38 39
     6  40 41 42 43 44 45 46 47
     7  48 49 50 51 52 53 54 55
     8  56 57 58 59 60 61 62 63

A move is the number of a square, or 64 for a pass. The result is the margin in discs.

This file has the rules. `evaluate.py` has what the engine needs besides, `endgame.py` what the solver does with the last squares,
`notation.py` the names of moves and positions.
"""

from typing import NamedTuple

from plyground.bits import bitreverse, byteswap, highest, lowest, mix, popcount, u64

TITLE = "Othello"
SIDES = ("black", "white")
ALTERNATE = True
MARGIN = 64
KEEP_FINISHED = True
PASS = 64
FULL = u64(2**64 - 1)
INNER = u64(0x7E7E7E7E7E7E7E7E)  # files b to g


class State(NamedTuple):
    mine: u64  # discs of the side to move
    theirs: u64
    turn: int  # 0 black, 1 white


def start():
    return State(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 0)


def run_ends(mine, theirs, d):
    """Return the squares, of any kind, behind the runs of `theirs` that start beside `mine`, both ways along step d."""
    up = theirs & mine << d
    down = theirs & mine >> d
    up |= theirs & up << d
    down |= theirs & down >> d
    pairs = theirs & theirs << d
    up |= pairs & up << 2 * d
    down |= pairs >> d & down >> 2 * d
    up |= pairs & up << 2 * d
    down |= pairs >> d & down >> 2 * d
    return up << d | down >> d


def mobility(mine, theirs):
    """Return the squares where `mine` can move: the empty squares at the ends of runs, which are doubled at each step."""
    inner = theirs & INNER
    found = run_ends(mine, inner, 1) | run_ends(mine, inner, 7) | run_ends(mine, inner, 9) | run_ends(mine, theirs, 8)
    return found & ~(mine | theirs) & FULL


def moves(s):
    found = mobility(s.mine, s.theirs)
    if not found and mobility(s.theirs, s.mine):
        yield PASS
    while found:
        yield lowest(found)
        found &= found - 1


def ray(square, file_step, row_step):
    """Return the squares from `square`, not included, to the edge of the board."""
    file, row = square % 8 + file_step, square // 8 + row_step
    found = 0
    while 0 <= file < 8 and 0 <= row < 8:
        found |= 1 << 8 * row + file
        file, row = file + file_step, row + row_step
    return u64(found)


# For each square, the rays to higher squares and those to lower ones.
UPWARD = tuple(tuple(ray(square, *step) for step in ((1, 0), (-1, 1), (0, 1), (1, 1))) for square in range(64))
DOWNWARD = tuple(tuple(ray(square, *step) for step in ((-1, 0), (1, -1), (0, -1), (-1, -1))) for square in range(64))


def flips(mine, theirs, square):
    """Return the discs of `theirs` that a disc of `mine` on the square turns.

    Upwards, with all squares off the ray filled, a carry runs through the other side's discs on the ray and stops at the first
    square that isn't theirs; downwards, that square is the highest bit. If it is mine, it outflanks them.
    """
    flipped = u64(0)
    for i in range(4):
        line = UPWARD[square][i]
        end = ((theirs | ~line) + (2 << square)) & line & mine
        flipped |= (end - 1) & line if end else 0
        line = DOWNWARD[square][i]
        end = (1 << highest(line & ~theirs | 1)) & line & mine
        flipped |= -2 * end & line
    return flipped


def play(s, m):
    if m == PASS:
        return State(s.theirs, s.mine, 1 - s.turn)
    flipped = flips(s.mine, s.theirs, m)
    return State(s.theirs ^ flipped, s.mine ^ flipped ^ 1 << m, 1 - s.turn)


def margin(s):
    """Return the discs of the side to move minus the other's, with the empty squares counted for the winner."""
    ahead = popcount(s.mine) - popcount(s.theirs)
    empty = 64 - popcount(s.mine | s.theirs)
    return ahead + empty if ahead > 0 else ahead - empty if ahead < 0 else 0


def result(s):
    return margin(s) if s.mine | s.theirs == FULL else None


def stuck(s):
    return margin(s)


def turn(s):
    return s.turn


def key(s):
    """Return the discs of the side to move and of the other; which colour they have doesn't matter."""
    return mix(mix(s.mine) ^ s.theirs)


def transpose(x):
    """Return the board mirrored along the diagonal from a1 to h8: blocks of 1, 2 and 4 squares change places."""
    swap = (x ^ x >> 7) & 0x00AA00AA00AA00AA
    x = x ^ swap ^ swap << 7
    swap = (x ^ x >> 14) & 0x0000CCCC0000CCCC
    x = x ^ swap ^ swap << 14
    swap = (x ^ x >> 28) & 0x00000000F0F0F0F0
    return x ^ swap ^ swap << 28


def canonical(s):
    """Return the smallest of the board's eight symmetric images."""
    mine, theirs = s.mine, s.theirs
    low_mine, low_theirs = mine, theirs
    for i in range(1, 8):
        if i == 4:
            mine, theirs = transpose(mine), transpose(theirs)
        elif i & 1:
            mine, theirs = byteswap(mine), byteswap(theirs)
        else:
            mine, theirs = bitreverse(mine), bitreverse(theirs)
        if mine < low_mine or (mine == low_mine and theirs < low_theirs):
            low_mine, low_theirs = mine, theirs
    return State(low_mine, low_theirs, s.turn)
