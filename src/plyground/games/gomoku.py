"""Gomoku: five in a row wins, on a board from 5 x 5 to 22 x 22. An example of rules that play in place.

Rules: free gomoku (freestyle): a stone may go on any empty cell, five or more in a row win, nothing is forbidden to either
side, and a full board is drawn. With `exact=1`, standard gomoku: exactly five wins, a longer row does not. There is no opening
rule (swap, pro). The engine searches only the centre and cells near stones: see `likely`.

A move is the number of a cell. Guard cells (#) surround the board so that no index leaves the array: as many as a five reaches
to one side; those to the right of a row are also those to the left of the next (drawn for 5 x 5):

     72  #  #  #  #  76 77 78 79 80        a5 b5 c5 d5 e5
     ...
     36  #  #  #  #  40 41 42 43 44        a1 b1 c1 d1 e1       and four rows of guards above and below

A state depends only on the stones on the board, and a stone changes only what is around it, by adding to numbers. So `undo` needs
no history: it subtracts what `play` added.

The neighbours of a cell in one direction are a number in base 3, one digit each: 0 empty, 1 own, 2 blocked (by the other side
or the edge). `KIND` says what a stone on the cell would make there. For a stone of X on * :

     X X * X X    five
     . X X * X .  open four: two cells complete a five, and only one of them can be blocked
     X . X * X .  four: one cell completes a five
     . . X * X .  open three: the next stone can make an open four
"""

from typing import NamedTuple

import numpy as np

from plyground import Board, Parameter, parameters
from plyground.bits import lowest, mix, u64

SIZE, EXACT = parameters(
    size=Parameter(15, 5, 22, "cells on a side of the board"),
    exact=Parameter(0, 0, 1, "1: only exactly five in a row wins; 0: six or more win too"),
)
TITLE = "Gomoku"
SIDES = ("X", "O")
BOARD = Board("points", SIZE, SIZE, glyphs="●○")
ALTERNATE = True

REACH = 5 if EXACT else 4  # how far a stone matters: the other four cells of a five, and one more if a sixth stone spoils it
STRIDE = SIZE + REACH
CORNER = REACH * STRIDE + REACH  # a1
AREA = (SIZE + 2 * REACH) * STRIDE + REACH

# The words of a cell in `cells`: four lines through it (for X in the low 16 bits, for O in the next), what a stone of X and one
# of O would make of them, and what is on it: 0 nothing, 1 X, 2 O, 3 a guard. The eighth is spare: a cell is 64 bytes.
RECORD, SHAPE, STONE = 8, 4, 6
# The words of `numbers`: the shapes of all empty cells for X and for O, the count of stones, whether the last one won, the hash.
STONES, WON, HASH = 2, 3, 4

# The neighbours of a cell on its four lines; the direction is the index modulo 4. Each is one digit further up in its line.
DIRECTIONS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
JUMPS = (*range(-REACH, 0), *range(1, REACH + 1))
NEIGHBOURS = tuple(jump * step for jump in JUMPS for step in DIRECTIONS)
DIGITS = tuple(3**i for i in range(2 * REACH) for _ in DIRECTIONS)
SEEN_AS = DIGITS[::-1]  # the digit of a cell in its neighbour's line: what is after one is before the other
OWN_AND_BLOCKED = (0x20001, 0x10002)  # a stone of X, of O: digit 1 for its own side, 2 for the other

DEAD, ONE, OPEN_ONE, TWO, OPEN_TWO, THREE, OPEN_THREE, FOUR, OPEN_FOUR, FIVE = range(10)

# The value of a line: points, and above them counters of winning shapes, so that the larger sum has the greater threat. No sum
# over the board overflows into the next counter: there are at most 4 * 484 lines through empty cells, and since a five to be
# completed needs four stones next to the cell, and a stone is next to two cells in each direction, fewer than 1024 complete it.
POINTS = (1 << 20) - 1
A_THREE, A_FOUR, AN_OPEN_FOUR, A_FIVE = 1 << 20, 1 << 31, 1 << 42, 1 << 53
LINE_VALUE = (0, 0, 0, 2, 8, 12, 40 + A_THREE, 40 + A_FOUR, 200 + AN_OPEN_FOUR, 400 + A_FIVE)

ZOBRIST = np.array([mix(i) for i in range(2 * AREA)], np.uint64).view(np.int64)


def kinds():
    """Return what a stone makes of each line, from full lines to the empty one: as good as the best next stone makes it."""
    width = 2 * REACH
    lines = np.arange(3**width)
    digits = lines[:, None] // 3 ** np.arange(width) % 3
    own = digits == 1
    run = 1 + own[:, REACH - 1 :: -1].cumprod(1).sum(1) + own[:, REACH:].cumprod(1).sum(1)
    five = run == 5 if EXACT else run >= 5
    kind = np.where(five, FIVE, DEAD).astype(np.uint8)
    empties = (digits == 0).sum(1)
    for n in range(1, width + 1):
        here = lines[(empties == n) & ~five]
        after = np.zeros((width, here.size), np.uint8)
        for i in range(width):
            free = digits[here, i] == 0
            after[i, free] = kind[here[free] + 3**i]
        fives = (after == FIVE).sum(0)
        slower = np.maximum(after.max(0), 2) - 2  # open four to open three, four to three, ...
        kind[here] = np.where(fives > 1, OPEN_FOUR, np.where(fives == 1, FOUR, slower))
    return kind


KIND = kinds()


class State(NamedTuple):
    cells: np.ndarray  # RECORD words per cell
    rows: np.ndarray  # the stones of each row, one bit per column, O's 32 bits higher; two empty rows before and after
    numbers: np.ndarray


def empty_board():
    on_board = np.array([CORNER + row * STRIDE + col for row in range(SIZE) for col in range(SIZE)])
    cells = np.zeros((AREA, RECORD), np.int64)
    cells[:, STONE] = 3
    cells[on_board, STONE] = 0
    for i, jump in enumerate(NEIGHBOURS):
        cells[on_board, i % 4] += np.where(cells[on_board + jump, STONE] == 3, 0x20002 * DIGITS[i], 0)
    for side in (0, 1):
        lines = cells[on_board, :4] >> 16 * side & 0xFFFF
        cells[on_board, SHAPE + side] = np.array(LINE_VALUE)[KIND[lines]].sum(1)
    numbers = np.array([*cells[:, SHAPE:STONE].sum(0), 0, 0, 0])
    return State(cells.reshape(-1), np.zeros(SIZE + 4, np.int64), numbers)


EMPTY = empty_board()


def start():
    return State(*(field.copy() for field in EMPTY))


def moves(s):
    rows = s.rows
    for row in range(SIZE):
        first = CORNER + row * STRIDE
        left = int(~(rows[row + 2] | rows[row + 2] >> 32) & (1 << SIZE) - 1)
        while left:
            yield first + lowest(left)
            left &= left - 1


def likely(s):
    """Yield the empty cells within two steps of a stone, diagonals included, and the centre, to keep play out of a corner.

    Every move that makes or stops a four is among them: three of the five cells of a five have stones.
    """
    rows = s.rows
    for row in range(SIZE):
        near = rows[row] | rows[row + 1] | rows[row + 2] | rows[row + 3] | rows[row + 4]
        near |= near >> 32
        near |= near << 1 | near << 2 | near >> 1 | near >> 2
        if row == SIZE // 2:
            near |= 1 << SIZE // 2
        first = CORNER + row * STRIDE
        left = int(near & ~(rows[row + 2] | rows[row + 2] >> 32) & (1 << SIZE) - 1)
        while left:
            yield first + lowest(left)
            left &= left - 1


def add(s, m, side, sign):
    """Add a stone of `side` on m to its neighbours' lines (sign 1), or remove it (sign -1)."""
    stone = sign * OWN_AND_BLOCKED[side]
    x_change, o_change = 0, 0
    for i in range(len(NEIGHBOURS)):
        cell = RECORD * (m + NEIGHBOURS[i]) & 0xFFFF  # the mask only tells the compiler that no index is negative
        old = int(s.cells[cell + (i & 3)])
        new = old + stone * SEEN_AS[i]
        s.cells[cell + (i & 3)] = new
        if s.cells[cell + STONE] == 0:
            x = LINE_VALUE[KIND[new & 0xFFFF]] - LINE_VALUE[KIND[old & 0xFFFF]]
            o = LINE_VALUE[KIND[new >> 16 & 0xFFFF]] - LINE_VALUE[KIND[old >> 16 & 0xFFFF]]
            s.cells[cell + SHAPE] += x
            s.cells[cell + SHAPE + 1] += o
            x_change += x
            o_change += o
    s.numbers[0] += x_change
    s.numbers[1] += o_change
    s.numbers[STONES] += sign
    s.numbers[HASH] ^= ZOBRIST[2 * m + side]
    s.rows[(m - CORNER) // STRIDE + 2] ^= 1 << (m - CORNER) % STRIDE + 32 * side


def put(s, m, side):
    """Put a stone of `side` on the empty cell m."""
    for i in range(2):
        s.numbers[i] -= s.cells[RECORD * m + SHAPE + i]
        s.cells[RECORD * m + SHAPE + i] = 0
    s.cells[RECORD * m + STONE] = side + 1
    add(s, m, side, 1)


def play(s, m):
    side = turn(s)
    won = s.cells[RECORD * m + SHAPE + side] >= A_FIVE
    put(s, m, side)
    s.numbers[WON] = won


def undo(s, m):
    s.numbers[WON] = 0
    add(s, m, 1 - turn(s), -1)
    s.cells[RECORD * m + STONE] = 0
    for i in range(2):
        shape = 0
        for d in range(4):
            shape += LINE_VALUE[kind(s, m, d, i)]
        s.cells[RECORD * m + SHAPE + i] = shape
        s.numbers[i] += shape


def kind(s, m, d, side):
    """Return what a stone of `side` on m makes in direction d."""
    return KIND[s.cells[RECORD * m + d] >> 16 * side & 0xFFFF]


def result(s):
    if s.numbers[WON]:
        return -1
    if s.numbers[STONES] == SIZE * SIZE:
        return 0
    return None


def turn(s):
    return int(s.numbers[STONES]) & 1


def key(s):
    return u64(s.numbers[HASH])


def label(s):
    """Yield the stones, one number per row."""
    for row in range(SIZE):
        yield s.rows[row + 2]


def shape(s, m, side):
    """Return what a stone of `side` on m would make, summed over its four lines."""
    return int(s.cells[RECORD * m + SHAPE + side])


def evaluate(s):
    """Return what all empty cells are worth to one side minus the other; the side to move counts for more."""
    me = turn(s)
    mine, theirs = int(s.numbers[me]), int(s.numbers[1 - me])
    if mine >= A_FIVE:
        return 8900
    if theirs >= 2 * A_FIVE:  # more than one five to stop
        return -8800
    if mine >= AN_OPEN_FOUR and theirs < A_FIVE:
        return 8700
    value = 5 * (mine & POINTS) - 4 * (theirs & POINTS)
    return max(-8000, min(8000, value))


def order(s, m):
    """Rank by threat: five, stop five, open four or two fours, four and three, stop these, four or open three, then points."""
    me = turn(s)
    mine, theirs = shape(s, m, me), shape(s, m, 1 - me)
    points = 2 * (mine & POINTS) + (theirs & POINTS)
    if mine >= A_FIVE:
        return 9000
    if theirs >= A_FIVE:
        return 8000
    if mine >= 2 * A_FOUR:  # or an open four, which counts for more than any number of fours
        return 7000
    if mine >= A_FOUR + A_THREE:
        return 6000
    if theirs >= 2 * A_FOUR:
        return 4000 + points
    if theirs >= A_FOUR + A_THREE:
        return 3000 + points
    if mine >= A_THREE:
        return 1000 + points
    return points


def loud(s, m):
    """Return whether a move makes five, stops five, or, if neither side can make five, makes a four."""
    me = turn(s)
    if s.numbers[me] >= A_FIVE:
        return shape(s, m, me) >= A_FIVE
    if s.numbers[1 - me] >= A_FIVE:
        return shape(s, m, 1 - me) >= A_FIVE
    return shape(s, m, me) >= A_FOUR


def forced(s):
    """Return whether the other side threatens five while we can't make five ourselves."""
    me = turn(s)
    return s.numbers[me] < A_FIVE and s.numbers[1 - me] >= A_FIVE


def replies(s):
    """Return the only moves worth trying when a side is about to win; leaving out the others changes neither who wins nor when.

    1. We can make five: we win at once.
    2. They can: any move not on such a cell loses in two plies, and nothing loses faster.
    3. We can make an open four: they have no five to answer with and can block one of its two cells, so we win in three plies,
       and nothing wins faster.
    4. They can: a move that makes no four and leaves them an open four gives us no five to answer with, so by 3 we lose in four
       plies, and nothing loses faster.
    """
    me = turn(s)
    mine, theirs = s.numbers[me], s.numbers[1 - me]
    if mine >= A_FIVE:
        return makes(s, me, A_FIVE)
    if theirs >= A_FIVE:
        return makes(s, 1 - me, A_FIVE)
    if mine >= AN_OPEN_FOUR:
        return makes(s, me, AN_OPEN_FOUR)
    if theirs >= AN_OPEN_FOUR:
        lines = open_fours(s, 1 - me)
        cell = lines[0] // RECORD
        far = REACH * DIRECTIONS[lines[0] % RECORD]
        return [m for m in likely(s) if shape(s, m, me) >= A_FOUR or (abs(m - cell) <= far and stops(s, m, lines, 1 - me))]
    return list(range(0))


def makes(s, side, least):
    """Return the moves where a stone of `side` would make at least this much."""
    return [m for m in likely(s) if shape(s, m, side) >= least]


def threats(s):
    """List fives, fours and open threes; when a side is about to win, only those also in `replies`."""
    me = turn(s)
    if max(s.numbers[0], s.numbers[1]) >= AN_OPEN_FOUR:
        return [m for m in replies(s) if shape(s, m, me) >= A_THREE]
    return makes(s, me, A_THREE)


def open_fours(s, side):
    """Return the indexes in `cells` of the lines on which `side` can make an open four, each from the cell where it can."""
    return [
        RECORD * m + d
        for m in likely(s)
        if shape(s, m, side) >= AN_OPEN_FOUR
        for d in range(4)
        if kind(s, m, d, side) == OPEN_FOUR
    ]


def stops(s, m, lines, side):
    """Return whether an opposing stone on m spoils the open four of `side` on each of these lines."""
    for word in lines:
        jump, off = divmod(m - word // RECORD, DIRECTIONS[word % RECORD])
        if off != 0 or jump < -REACH or jump > REACH:
            return False
        if jump != 0:
            digit = DIGITS[4 * (jump + REACH - (jump > 0))]
            if KIND[(s.cells[word] >> 16 * side & 0xFFFF) + 2 * digit] >= OPEN_FOUR:
                return False
    return True


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    for row in range(SIZE - 1, -1, -1):
        for col in range(SIZE):
            yield int(s.cells[RECORD * (CORNER + row * STRIDE + col) + STONE])


def touch(s, m):
    row, col = divmod(m - CORNER, STRIDE)
    yield (SIZE - 1 - row) * SIZE + col


def format_move(s, m):
    """Return column and row, counted from the bottom left: a1."""
    row, col = divmod(m - CORNER, STRIDE)
    return f"{chr(97 + col)}{row + 1}"


def parse_move(s, text):
    text = text.replace(" ", "")
    col, row = ord(text[0].lower()) - 97, int(text[1:]) - 1
    m = CORNER + row * STRIDE + col
    if not (0 <= col < SIZE and 0 <= row < SIZE and format_move(s, m) == text.lower()):
        raise ValueError(text)
    return m


def format_state(s):
    """Write the rows from the top, separated by slashes; X moves first, so the stones tell whose turn it is."""
    text = "".join(".XO"[x] for x in cells(s))
    return "/".join(text[row * SIZE : row * SIZE + SIZE] for row in range(SIZE))


def parse_state(text):
    lines = text.split("/")[::-1]
    if len(lines) != SIZE or any(len(line) != SIZE for line in lines):
        raise ValueError(f"{SIZE} rows of {SIZE} are needed, separated by slashes")
    if set(text) - set("./XO"):
        raise ValueError("a square is written . or X or O")
    if text.count("X") - text.count("O") not in (0, 1):
        raise ValueError("X must have as many stones as O, or one more")
    s = start()
    for row, line in enumerate(lines):
        for col, c in enumerate(line):
            if c != ".":
                put(s, CORNER + row * STRIDE + col, SIDES.index(c))
    if has_five(s, turn(s)):
        raise ValueError("the side to move has already won")
    s.numbers[WON] = has_five(s, 1 - turn(s))
    return s


def has_five(s, side):
    stones = np.flatnonzero(s.cells[STONE::RECORD] == side + 1)
    return any(kind(s, m, d, side) == FIVE for m in stones for d in range(4))
