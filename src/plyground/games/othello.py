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

A move is the number of a square, or 64: a pass, the only move of a side that can't turn any disc while the other side can. The
game is over when neither can. The result is the margin in discs, with the empty squares counted for the winner.
"""

from typing import NamedTuple

import numpy as np

from plyground import Board, Tuning
from plyground.bits import bitreverse, byteswap, highest, lowest, mix, popcount, u64

TITLE = "Othello"
SIDES = ("black", "white")
ALTERNATE = True
MARGIN = 64
KEEP_FINISHED = True
PASS = 64
BOARD = Board("squares", "12345678", 8, glyphs="●○", buttons={PASS: "pass"})
GROUPS = (
    (*range(8), 9, 14),  # an edge and its X squares
    *(tuple(range(8 * row, 8 * row + 8)) for row in (1, 2, 3)),
    *(tuple(range(n, 8 * n + 1, 7)) for n in (3, 4, 5, 6, 7)),  # diagonals of four to eight squares
    (0, 1, 2, 8, 9, 10, 16, 17, 18),
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
)
FULL = u64(2**64 - 1)
INNER = u64(0x7E7E7E7E7E7E7E7E)  # files b to g
NOT_A = u64(0xFEFEFEFEFEFEFEFE)
NOT_H = u64(0x7F7F7F7F7F7F7F7F)
SIDE_FILES = u64(0x8181818181818181)
SIDE_ROWS = u64(0xFF000000000000FF)
BORDER = u64(SIDE_FILES | SIDE_ROWS)
CORNERS = u64(SIDE_FILES & SIDE_ROWS)


class State(NamedTuple):
    mine: u64  # discs of the side to move
    theirs: u64
    turn: int  # 0 black, 1 white


def start():
    return State(1 << 28 | 1 << 35, 1 << 27 | 1 << 36, 0)


def beyond(mine, theirs, d):
    """The squares, of any kind, behind the runs of `theirs` that start beside `mine`, both ways along step d."""
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
    """The squares where `mine` can move: the empty squares at the ends of runs, which are doubled at each step."""
    inner = theirs & INNER
    found = beyond(mine, inner, 1) | beyond(mine, inner, 7) | beyond(mine, inner, 9) | beyond(mine, theirs, 8)
    return found & ~(mine | theirs) & FULL


def moves(s):
    found = mobility(s.mine, s.theirs)
    if not found and mobility(s.theirs, s.mine):
        yield PASS
    while found:
        yield lowest(found)
        found &= found - 1


def ray(square, file_step, row_step):
    """The squares from `square`, not included, to the edge of the board."""
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
    """The discs of `theirs` that a disc of `mine` on the square turns.

    Upwards, with all squares off the ray filled, a carry runs through the other side's discs on the ray and stops at the first
    square that isn't theirs; downwards, that square is the highest bit. If it is mine, it outflanks them.
    """
    turned = u64(0)
    for i in range(4):
        line = UPWARD[square][i]
        end = ((theirs | ~line) + (2 << square)) & line & mine
        turned |= (end - 1) & line if end else 0
        line = DOWNWARD[square][i]
        end = (1 << highest(line & ~theirs | 1)) & line & mine
        turned |= -2 * end & line
    return turned


def play(s, m):
    if m == PASS:
        return State(s.theirs, s.mine, 1 - s.turn)
    turned = flips(s.mine, s.theirs, m)
    return State(s.theirs ^ turned, s.mine ^ turned ^ 1 << m, 1 - s.turn)


def margin(s):
    """The discs of the side to move minus the other's, with the empty squares counted for the winner."""
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
    """The discs of the side to move and of the other; which colour they have doesn't matter."""
    return mix(mix(s.mine) ^ s.theirs)


# -- symmetries -------------------------------------------------------------------------------------------------------------


def transposed(x):
    """The board mirrored along the diagonal from a1 to h8: blocks of 1, 2 and 4 squares change places."""
    swap = (x ^ x >> 7) & 0x00AA00AA00AA00AA
    x = x ^ swap ^ swap << 7
    swap = (x ^ x >> 14) & 0x0000CCCC0000CCCC
    x = x ^ swap ^ swap << 14
    swap = (x ^ x >> 28) & 0x00000000F0F0F0F0
    return x ^ swap ^ swap << 28


def canonical(s):
    """The smallest of the board's eight symmetric images."""
    mine, theirs = s.mine, s.theirs
    low_mine, low_theirs = mine, theirs
    for i in range(1, 8):
        if i == 4:
            mine, theirs = transposed(mine), transposed(theirs)
        elif i & 1:
            mine, theirs = byteswap(mine), byteswap(theirs)
        else:
            mine, theirs = bitreverse(mine), bitreverse(theirs)
        if mine < low_mine or (mine == low_mine and theirs < low_theirs):
            low_mine, low_theirs = mine, theirs
    return State(low_mine, low_theirs, s.turn)


# -- what a position is worth -----------------------------------------------------------------------------------------------

# C squares are next to a corner on the edge, X squares diagonally; both give the corner away while it is empty.
C_SQUARES = u64(0x4281000000008142)
X_SQUARES = u64(0x0042000000004200)
MIDDLE_EDGES = u64(0x3C0081818181003C)

# Hundredths of a disc, by the number of empty squares; interpolated in between. Rounded from a least-squares fit to the
# margins of games that a shallow search played against itself and finished exactly; the rows for 0, 52 and 60 are set by hand,
# because the fit saw few such positions.
#     0 moves, 1 empty squares next to the other side's discs, both as a lead over the other side in percent
#     2 corners held, 3 corners that can be taken at once, 4 corners that the other side could take
#     5 discs on C squares, 6 on X squares, of empty corners; 7 discs that can never be turned, without corners
#     8 other discs in the middle of edges, 9 all discs, 10 an even number of empty squares: the other side has the last move
KNOTS = {
    0:  (22,  0, -150,   0,   0,  -100,   -30,  20, -85,  95, -180),
    10: (41, -10,  350, 490, 300,  -100,  -120, 100, -45,   0, -500),
    20: (33,   2,  750, 750, 450,   -10,  -310, 165,   5, -45, -420),
    35: (24,  15, 1600, 750, 500,  -130,  -930, 350,  75, -80, -440),
    52: (10,  20, 2800, 700, 500,  -800, -2000, 500,  20, -85, -400),
    60: ( 5,   5, 2800, 700, 500,  -800, -2000, 500,   0, -10,    0),
}  # fmt: skip


def weights(empty):
    """The row of weights for a number of empty squares."""
    low = max(n for n in KNOTS if n <= min(empty, 59))
    high = min(n for n in KNOTS if n > low)
    return tuple(round(a + (b - a) * (empty - low) / (high - low)) for a, b in zip(KNOTS[low], KNOTS[high], strict=True))


WEIGHTS = tuple(weights(empty) for empty in range(65))


def around(x):
    """The squares of x and their neighbours."""
    row = x | (x & NOT_H) << 1 | (x & NOT_A) >> 1
    return row | row << 8 | row >> 8


def leaning(discs, found, rows, files, falling, rising):
    """The discs that, on each of the four axes, are next to one of `found` (repeated) or on a square where that axis is safe."""
    before = u64(0)
    while found != before:
        before = found
        across = (found << 1 | found >> 1 | rows) & (found << 8 | found >> 8 | files)
        aslant = (found << 7 | found >> 7 | rising) & (found << 9 | found >> 9 | falling)
        found = discs & across & aslant
    return found


def stable(discs):
    """The discs that, on each of the four axes, are next to the edge or to another such disc: they can never be turned."""
    return leaning(discs, discs & CORNERS, SIDE_FILES, SIDE_ROWS, BORDER, BORDER)


def balance(mine, theirs, squares):
    """How many more of the squares are in `mine` than in `theirs`."""
    return popcount(mine & squares) - popcount(theirs & squares)


def percent(mine, theirs):
    """The lead of `mine` over `theirs`, in percent of both together."""
    return 100 * (mine - theirs) // (mine + theirs + 2)


def evaluate(s):
    """Moves, room to move, corners and squares near them, stable discs, and the last move; in hundredths of a disc."""
    mine, theirs = s.mine, s.theirs
    my_moves, their_moves = mobility(mine, theirs), mobility(theirs, mine)
    if not my_moves | their_moves:
        return 100 * margin(s)
    empty = ~(mine | theirs) & FULL
    exposed = around(empty & CORNERS)
    my_stable, their_stable = stable(mine), stable(theirs)
    w = WEIGHTS[popcount(empty)]
    score = w[0] * percent(popcount(my_moves), popcount(their_moves))
    score += w[1] * percent(popcount(around(theirs) & empty), popcount(around(mine) & empty))
    score += w[2] * balance(mine, theirs, CORNERS)
    score += w[3] * popcount(my_moves & CORNERS) - w[4] * popcount(their_moves & CORNERS)
    score += w[5] * balance(mine, theirs, C_SQUARES & exposed) + w[6] * balance(mine, theirs, X_SQUARES & exposed)
    score += w[7] * balance(my_stable, their_stable, ~CORNERS)
    score += w[8] * balance(mine & ~my_stable, theirs & ~their_stable, MIDDLE_EDGES)
    score += w[9] * balance(mine, theirs, FULL)
    if popcount(empty) & 1 == 0:
        score += w[10]
    return max(-6400, min(6400, score))


def order(s, m):
    """Corners first; then moves that leave the other side few replies and no corner; squares next to an empty corner late."""
    if m == PASS:
        return 0
    square = u64(1) << m
    if square & CORNERS:
        return 1000
    turned = flips(s.mine, s.theirs, m)
    replies = mobility(s.theirs ^ turned, s.mine ^ turned ^ square)
    score = -10 * popcount(replies) - 30 * popcount(replies & CORNERS)
    exposed = around(CORNERS & ~(s.mine | s.theirs)) & square
    if exposed & X_SQUARES:
        score -= 40
    elif exposed & C_SQUARES:
        score -= 10
    return score


def loud(s, m):
    """Taking a corner: it changes the estimate most, can't be undone, and happens at most four times."""
    return m != PASS and (u64(1) << m) & CORNERS != 0


# -- for the solver ---------------------------------------------------------------------------------------------------------

SOLVER = Tuning(
    shallow=2 * 8,
    peek=2 * 9,
    mirrored=2 * 60,  # symmetric boards hardly ever occur in an endgame
    survey=2 * 12,
    unit=100,
    solvable=2 * 26,
)
FEW = 8  # up to this many empty squares, `finish` searches on its own, without a table
SORTED = 7  # from here up it sorts by the number of replies
ANCHORED = 5  # from here up it counts discs that can never be turned
NOTHING = -99  # below every margin: the value before any move was found
QUARTER = u64(0x0F0F0F0F)
NEAR = tuple(u64(around(1 << square) & FULL ^ 1 << square) for square in range(64))
ANTIDIAGONAL = tuple(u64(ray(square, 1, -1) | ray(square, -1, 1)) for square in range(64))
DIAGONAL = tuple(u64(ray(square, 1, 1) | ray(square, -1, -1)) for square in range(64))
FILE_A, ROW_OF_FILE = u64(0x0101010101010101), u64(0x0102040810204080)


def count_on_line(place, line):
    """How many discs a disc at the place turns on a line of eight: the bits are mine, all others theirs."""
    turned = 0
    for step in (-1, 1):
        n = 1
        while 0 <= place + n * step < 8 and not line >> (place + n * step) & 1:
            n += 1
        turned += n - 1 if 0 <= place + n * step < 8 else 0
    return turned


LAST = np.array([[count_on_line(place, line) for line in range(256)] for place in range(8)], np.int8)


def remaining(s):
    """The maximum plies left: every pass comes between two moves."""
    return 2 * popcount(~(s.mine | s.theirs) & FULL)


def count_last(mine, square):
    """How many discs a disc on the last empty square turns; all squares that aren't mine are the other side's.

    A multiplication brings the squares of a line side by side: a diagonal has one square per file, a file one per row.
    """
    file, row = square & 7, square >> 3
    across = mine >> (square & 56) & 255
    upright = ((mine >> file & FILE_A) * ROW_OF_FILE & FULL) >> 56
    falling = ((mine & DIAGONAL[square]) * FILE_A & FULL) >> 56
    rising = ((mine & ANTIDIAGONAL[square]) * FILE_A & FULL) >> 56
    return int(LAST[file, across]) + int(LAST[row, upright]) + int(LAST[file, falling]) + int(LAST[file, rising])


def last_one(mine, square, beta):
    """With one empty square left, the value for the side to move."""
    turned = count_last(mine, square)
    without = 2 * popcount(mine) - 62
    if turned or without < beta:
        return without + 2 * turned
    turned = count_last(~mine & FULL ^ 1 << square, square)
    return without - 2 - 2 * turned if turned or without <= 0 else without


def try_two(mine, theirs, a, b, beta):
    """With two empty squares left, the value for the side to move and the nodes; NOTHING if it can't move."""
    best, nodes = NOTHING, 0
    if NEAR[a] & theirs:
        turned = flips(mine, theirs, a)
        if turned:
            best, nodes = -last_one(theirs ^ turned, b, 1 - beta), 1
            if best >= beta:
                return best, nodes
    if NEAR[b] & theirs:
        turned = flips(mine, theirs, b)
        if turned:
            best, nodes = max(best, -last_one(theirs ^ turned, a, 1 - beta)), nodes + 1
    return best, nodes


def last_two(mine, theirs, a, b, beta):
    """With two empty squares left, the value for the side to move and the nodes."""
    best, nodes = try_two(mine, theirs, a, b, beta)
    if best == NOTHING:
        best, nodes = try_two(theirs, mine, a, b, 1 - beta)
        best = -best
        if best == -NOTHING:
            best = margin(State(mine, theirs, 0))
    return best, nodes + 1


def odd_regions(empty):
    """The quarters of the board with an odd number of empty squares: the side that moves there first also moves last."""
    odd = u64(0)
    for shift in (0, 4, 32, 36):
        odd |= QUARTER << shift if popcount(empty >> shift & QUARTER) & 1 else 0
    return odd


def try_three(mine, theirs, a, b, c, beta):
    """With three empty squares left, the value for the side to move and the nodes; NOTHING if it can't move."""
    best, nodes = NOTHING, 0
    if NEAR[a] & theirs:
        turned = flips(mine, theirs, a)
        if turned:
            value, nodes = last_two(theirs ^ turned, mine ^ turned ^ u64(1) << a, b, c, 1 - beta)
            best = -value
            if best >= beta:
                return best, nodes
    if NEAR[b] & theirs:
        turned = flips(mine, theirs, b)
        if turned:
            value, n = last_two(theirs ^ turned, mine ^ turned ^ u64(1) << b, a, c, 1 - beta)
            best, nodes = max(best, -value), nodes + n
            if best >= beta:
                return best, nodes
    if NEAR[c] & theirs:
        turned = flips(mine, theirs, c)
        if turned:
            value, n = last_two(theirs ^ turned, mine ^ turned ^ u64(1) << c, a, b, 1 - beta)
            best, nodes = max(best, -value), nodes + n
    return best, nodes


def last_three(mine, theirs, empty, beta):
    """With three empty squares left, the value for the side to move and the nodes; a square alone in its region comes first."""
    a = lowest(empty & odd_regions(empty))
    rest = empty ^ u64(1) << a
    b, c = lowest(rest), highest(rest)
    best, nodes = try_three(mine, theirs, a, b, c, beta)
    if best == NOTHING:
        best, nodes = try_three(theirs, mine, a, b, c, 1 - beta)
        best = -best
        if best == -NOTHING:
            best = margin(State(mine, theirs, 0))
    return best, nodes + 1


def in_turns(mine, theirs, found, empty, left):
    """The moves in four groups, best group first: by the replies they leave, or only by odd regions."""
    odd = odd_regions(empty)
    first, second, third, fourth = found & odd, found & ~odd, u64(0), u64(0)
    if left < SORTED:
        return first, second, third, fourth
    first, second = u64(0), u64(0)
    while found:
        square = lowest(found)
        bit = u64(1) << square
        found ^= bit
        turned = flips(mine, theirs, square)
        replies = mobility(theirs ^ turned, mine ^ turned ^ bit)
        n = 2 * popcount(replies) + 2 * popcount(replies & CORNERS) - (1 if bit & odd else 0)
        if n <= 2:
            first |= bit
        elif n <= 4:
            second |= bit
        elif n <= 7:
            third |= bit
        else:
            fourth |= bit
    return first, second, third, fourth


def outside(n, file_step, row_step):
    """The squares from which n steps lead off the board."""
    inside = [s for s in range(64) if 0 <= s % 8 + n * file_step < 8 and 0 <= s // 8 + n * row_step < 8]
    return u64(~sum(1 << s for s in inside))


# For 1, 2 and 4 steps.
OFF_LEFT = tuple(outside(n, -1, 0) for n in (1, 2, 4))
OFF_RIGHT = tuple(outside(n, 1, 0) for n in (1, 2, 4))
OFF_UP = tuple(outside(n, 0, -1) for n in (1, 2, 4))
OFF_DOWN = tuple(outside(n, 0, 1) for n in (1, 2, 4))
OFF_UP_LEFT = tuple(outside(n, -1, -1) for n in (1, 2, 4))
OFF_DOWN_RIGHT = tuple(outside(n, 1, 1) for n in (1, 2, 4))
OFF_UP_RIGHT = tuple(outside(n, 1, -1) for n in (1, 2, 4))
OFF_DOWN_LEFT = tuple(outside(n, -1, 1) for n in (1, 2, 4))


def full_lines(filled, d, before, after):
    """The squares whose whole line along step d is filled; off the board counts as filled."""
    down = filled & (filled << d | before[0])
    up = filled & (filled >> d | after[0])
    down &= down << 2 * d | before[1]
    up &= up >> 2 * d | after[1]
    down &= down << 4 * d | before[2]
    up &= up >> 4 * d | after[2]
    return down & up


def anchored(discs, filled):
    """The discs that can never be turned: on each axis the line is full, or the edge or another such disc is next to them."""
    rows = SIDE_FILES | full_lines(filled, 1, OFF_LEFT, OFF_RIGHT)
    files = SIDE_ROWS | full_lines(filled, 8, OFF_UP, OFF_DOWN)
    falling = BORDER | full_lines(filled, 9, OFF_UP_LEFT, OFF_DOWN_RIGHT)
    rising = BORDER | full_lines(filled, 7, OFF_UP_RIGHT, OFF_DOWN_LEFT)
    return leaning(discs, discs & rows & files & falling & rising, rows, files, falling, rising)


def ceiling(mine, theirs, beta):
    """An upper bound from the discs that the other side can never lose; 64 if they can't be enough to stay below beta."""
    if 2 * popcount(theirs) <= 64 - beta or not theirs & CORNERS:
        return 64
    return 64 - 2 * popcount(anchored(theirs, mine | theirs))


def last_few(mine, theirs, beta):
    """With four or more empty squares left, the value for the side to move and the nodes."""
    empty = ~(mine | theirs) & FULL
    found = mobility(mine, theirs)
    if not found:
        if not mobility(theirs, mine):
            return margin(State(mine, theirs, 0)), 1
        value, nodes = last_few(theirs, mine, 1 - beta)
        return -value, nodes + 1
    left = popcount(empty)
    if left >= ANCHORED:
        high = ceiling(mine, theirs, beta)
        if high < beta:
            return high, 1
    best, nodes = NOTHING, 1
    first, second, third, fourth = in_turns(mine, theirs, found, empty, left)
    while first | second | third | fourth:
        if not first:
            first, second, third, fourth = second, third, fourth, u64(0)
            continue
        square = lowest(first)
        first &= first - 1
        turned = flips(mine, theirs, square)
        bit = u64(1) << square
        if left == 4:
            value, n = last_three(theirs ^ turned, mine ^ turned ^ bit, empty ^ bit, 1 - beta)
        else:
            value, n = last_few(theirs ^ turned, mine ^ turned ^ bit, 1 - beta)
        nodes += n
        best = max(best, -value)
        if best >= beta:
            return best, nodes
    return best, nodes


def finish(s, beta):
    """The value and the nodes it took, if few squares are empty or stable discs decide."""
    left = popcount(~(s.mine | s.theirs) & FULL)
    if 4 <= left <= FEW:
        return last_few(s.mine, s.theirs, beta)
    if left > FEW:
        high = ceiling(s.mine, s.theirs, beta)
        if high < beta:
            return high, 1
    return 0, 0


def promise(s, m, child):
    """Fastest first: few replies and no corner for the other side, few empty squares next to my discs, odd regions."""
    if m == PASS:
        return 0
    square, empty = u64(1) << m, ~(s.mine | s.theirs) & FULL
    replies = mobility(child.mine, child.theirs)
    score = -64 * (popcount(replies) + popcount(replies & CORNERS))
    score -= 16 * popcount(around(child.theirs) & empty)
    if square & odd_regions(empty):
        score += 32
    if square & X_SQUARES & around(CORNERS & empty):
        score -= 64
    return score


def spot(s, m):
    return m


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    black = s.theirs if s.turn else s.mine
    for square in range(64):
        yield 0 if not (s.mine | s.theirs) >> square & 1 else 1 if black >> square & 1 else 2


def show(s):
    """The discs of each side."""
    black, white = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
    return f"black X {popcount(black)}, white O {popcount(white)}"


def format_move(s, m):
    """File and row, counted from the top left: a1."""
    return "pass" if m == PASS else f"{'abcdefgh'[m % 8]}{m // 8 + 1}"


def parse_move(s, text):
    text = text.lower().replace(" ", "")
    if text in ("pass", "--"):
        return PASS
    if len(text) != 2:
        raise ValueError(text)
    return "abcdefgh".index(text[0]) + 8 * "12345678".index(text[1])


def format_state(s):
    """The squares row by row from a1, X for black, O for white, - for empty, and the side to move."""
    return "".join("-XO"[x] for x in cells(s)) + " " + "XO"[s.turn]


def parse_state(text):
    """The same, in upper or lower case, also with . for empty; text after a semicolon, as in endgame files, is ignored."""
    squares, side = [*text.partition(";")[0].upper().split(), "", ""][:2]
    if len(squares) != 64 or set(squares) - set("XO-."):
        raise ValueError("64 squares are needed, each X, O or -")
    if side not in ("X", "O") or len(text.partition(";")[0].split()) > 2:
        raise ValueError("after the squares comes the side to move, X or O")
    discs = [sum(1 << i for i, c in enumerate(squares) if c == colour) for colour in "XO"]
    mover = ("X", "O").index(side)
    return State(discs[mover], discs[1 - mover], mover)
