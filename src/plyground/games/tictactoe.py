"""Tic-tac-toe, and any m,n,k game up to 63 cells: k in a row on a board of `rows` by `cols` wins.

Rules: X moves first; a stone may go on any empty cell; k or more in a row win; a full board is drawn.

One bit per cell, row by row from the top left, with a spare column on the right (drawn for 3 x 3):

     0  1  2 |  3
     4  5  6 |  7
     8  9 10 | 11

A move is the number of a cell, counted without the spare column: 0 to 8 from the top left.
"""

from typing import NamedTuple

from plyground import Board, Parameter, Tuning, parameters
from plyground.bits import popcount

ROWS, COLS, K = parameters(
    rows=Parameter(3, 1, 31, "rows of the board; rows * (cols + 1) is at most 63"),
    cols=Parameter(3, 1, 26, "columns of the board"),
    k=Parameter(3, 1, 31, "how many in a row win; at most the longer side"),
)
TITLE = "Tic-tac-toe"
SIDES = ("X", "O")
ALTERNATE = True
W = COLS + 1
if not (ROWS * W <= 63 and max(ROWS, COLS) >= K):
    raise ValueError("tictactoe needs rows * (cols + 1) <= 63 and k <= the longer side; gomoku plays on larger boards")

BOARD = Board("squares", ROWS, COLS)
CELLS = ROWS * COLS
FULL = sum(((1 << COLS) - 1) << row * W for row in range(ROWS))
DIRECTIONS = (1, W - 1, W, W + 1)


class State(NamedTuple):
    mine: int  # stones of the side to move
    both: int  # all stones


def start():
    return State(0, 0)


def bit(m):
    return 1 << m + m // COLS


def moves(s):
    for m in range(CELLS):
        if not s.both & bit(m):
            yield m


def play(s, m):
    return State(s.mine ^ s.both, s.both | bit(m))


def has_row(stones):
    for d in DIRECTIONS:
        run = stones
        for _ in range(K - 1):
            run &= run >> d
        if run:
            return True
    return False


def result(s):
    if has_row(s.mine ^ s.both):
        return -1
    if s.both == FULL:
        return 0
    return None


def turn(s):
    return popcount(s.both) & 1


def completions(stones, taken):
    """Return the free cells on which one more stone makes a row of K."""
    found = 0
    for d in DIRECTIONS:
        for i in range(K):
            row = FULL
            for j in range(K):
                if j != i:
                    row &= stones >> d * j
            found |= row << d * i
    return found & FULL & ~taken


def bounds(s):
    """Return 0 for a side that can't win any more, because the other has a stone in every row."""
    low = -1 if has_row(FULL & ~s.mine) else 0
    high = 1 if has_row(FULL & ~(s.mine ^ s.both)) else 0
    return low, high


def open_rows(mine, theirs):
    """Return the rows of K with stones of `mine` and none of `theirs`, weighted by their stones."""
    free = FULL & ~theirs
    total = 0
    for d in DIRECTIONS:
        row = free
        for i in range(1, K):
            row &= free >> d * i
        for i in range(K):
            total += popcount(row & mine >> d * i)
    return total


def evaluate(s):
    theirs = s.mine ^ s.both
    return open_rows(s.mine, theirs) - open_rows(theirs, s.mine)


def order(s, m):
    """Rank wins first, then blocks, then the centre."""
    if has_row(s.mine | bit(m)):
        return 1000
    if has_row((s.mine ^ s.both) | bit(m)):
        return 900
    return -abs(2 * (m // COLS) - ROWS + 1) - abs(2 * (m % COLS) - COLS + 1)


def loud(s, m):
    """Return whether a move completes a row."""
    return completions(s.mine, s.both) & bit(m) != 0


def replies(s):
    """Yield the only moves worth trying where a side can complete a row: complete ours, or else block theirs."""
    cells = completions(s.mine, s.both)
    if not cells:
        cells = completions(s.mine ^ s.both, s.both)
    if cells:
        for m in range(CELLS):
            if cells & bit(m):
                yield m


def threats(s):
    """Yield the moves that complete a row or threaten to; if the other side threatens one, only those that also block it."""
    own = completions(s.mine, s.both)
    must = completions(s.mine ^ s.both, s.both)
    for m in range(CELLS):
        if own & bit(m):
            yield m
        elif own or s.both & bit(m) or (must and not must & bit(m)):
            continue
        elif completions(s.mine | bit(m), s.both | bit(m)):
            yield m


def flip_horizontal(stones):
    """Return the board mirrored left to right."""
    out = 0
    for m in range(CELLS):
        if stones & bit(m):
            out |= bit(m // COLS * COLS + COLS - 1 - m % COLS)
    return out


def flip_vertical(stones):
    """Return the board mirrored top to bottom."""
    out = 0
    for row in range(ROWS):
        out |= (stones >> row * W & (1 << COLS) - 1) << (ROWS - 1 - row) * W
    return out


def transpose(stones):
    """Return the board mirrored along its diagonal; only for square boards."""
    out = 0
    for m in range(CELLS):
        if stones & bit(m):
            out |= bit(m % COLS * COLS + m // COLS)
    return out


def canonical(s):
    """Return the smallest of the board's four symmetric images, or eight if it is square."""
    mine, both = s
    low_mine, low_both = mine, both
    for i in range(8 if ROWS == COLS else 4):
        if i == 4:
            mine, both = transpose(mine), transpose(both)
        elif i & 1:
            mine, both = flip_horizontal(mine), flip_horizontal(both)
        elif i:
            mine, both = flip_vertical(mine), flip_vertical(both)
        if both < low_both or (both == low_both and mine < low_mine):
            low_mine, low_both = mine, both
    return State(low_mine, low_both)


# -- for the solver ---------------------------------------------------------------------------------------------------------

KEY_BITS = 2 * ROWS * W if 2 * ROWS * W <= 60 else 0


def code(s):
    return s.both << ROWS * W | s.mine


SOLVER = Tuning(solvable=20)


def remaining(s):
    return CELLS - popcount(s.both)


def safe(s):
    """Yield the cell that blocks the other side's threat of a row, if one does; without a threat, any free cell."""
    stop = completions(s.mine ^ s.both, s.both)
    free = stop if stop else FULL & ~s.both
    if stop & stop - 1:
        free = 0
    for m in range(CELLS):
        if free & bit(m):
            yield m


def pressure(s):
    """Return the cells that would complete a row of the side that has just moved and, among equals, the rows still open to it."""
    theirs = s.mine ^ s.both
    return 8 * popcount(completions(theirs, s.both)) + open_rows(theirs, s.mine)


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    first = s.mine ^ s.both if turn(s) else s.mine
    for m in range(CELLS):
        yield 0 if not s.both & bit(m) else 1 if first & bit(m) else 2


def format_move(s, m):
    """Return column and row, counted from the bottom left: a1."""
    return f"{chr(97 + m % COLS)}{ROWS - m // COLS}"


def parse_move(s, text):
    text = text.replace(" ", "")
    if not (len(text) >= 2 and text[1:].isdecimal() and 1 <= int(text[1:]) <= ROWS and 0 <= ord(text[0].lower()) - 97 < COLS):
        raise ValueError(text)
    return (ROWS - int(text[1:])) * COLS + ord(text[0].lower()) - 97


def format_state(s):
    """Write the rows from the top, separated by slashes."""
    text = "".join(".XO"[x] for x in cells(s))
    return "/".join(text[row * COLS : row * COLS + COLS] for row in range(ROWS))


def parse_state(text):
    rows = text.split("/")
    if len(rows) != ROWS or any(len(row) != COLS for row in rows):
        raise ValueError(text)
    stones = [0, 0]
    for m, c in enumerate("".join(rows)):
        if c != ".":
            stones[SIDES.index(c)] |= bit(m)
    if popcount(stones[0]) - popcount(stones[1]) not in (0, 1):
        raise ValueError("X must have as many stones as O, or one more")
    both = stones[0] | stones[1]
    return State(stones[popcount(both) & 1], both)
