"""Othello: exact values of the last squares, for the solver."""

import numpy as np

from plyground import Tuning
from plyground.bits import highest, lowest, popcount, u64

from .evaluate import BORDER, CORNERS, SIDE_FILES, SIDE_ROWS, X_SQUARES, extend_stable, with_neighbours
from .rules import FULL, PASS, State, flips, margin, mobility, ray

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
STABILITY_CUTOFF_MIN = 5  # from here up it counts discs that can never be flipped
NOTHING = -99  # below every margin: the value before any move was found
QUARTER = u64(0x0F0F0F0F)
NEAR = tuple(u64(with_neighbours(1 << square) & FULL ^ 1 << square) for square in range(64))
ANTIDIAGONAL = tuple(u64(ray(square, 1, -1) | ray(square, -1, 1)) for square in range(64))
DIAGONAL = tuple(u64(ray(square, 1, 1) | ray(square, -1, -1)) for square in range(64))
FILE_A, ROW_OF_FILE = u64(0x0101010101010101), u64(0x0102040810204080)


def count_on_line(place, line):
    """Return how many discs a disc at the place turns on a line of eight: the bits are mine, all others theirs."""
    flipped = 0
    for step in (-1, 1):
        n = 1
        while 0 <= place + n * step < 8 and not line >> (place + n * step) & 1:
            n += 1
        flipped += n - 1 if 0 <= place + n * step < 8 else 0
    return flipped


LAST = np.array([[count_on_line(place, line) for line in range(256)] for place in range(8)], np.int8)


def remaining(s):
    """Return the maximum plies left: every pass comes between two moves."""
    return 2 * popcount(~(s.mine | s.theirs) & FULL)


def count_last(mine, square):
    """Return how many discs a disc on the last empty square turns; all squares that aren't mine are the other side's.

    A multiplication brings the squares of a line side by side: a diagonal has one square per file, a file one per row.
    """
    file, row = square & 7, square >> 3
    across = mine >> (square & 56) & 255
    upright = ((mine >> file & FILE_A) * ROW_OF_FILE & FULL) >> 56
    falling = ((mine & DIAGONAL[square]) * FILE_A & FULL) >> 56
    rising = ((mine & ANTIDIAGONAL[square]) * FILE_A & FULL) >> 56
    return int(LAST[file, across]) + int(LAST[row, upright]) + int(LAST[file, falling]) + int(LAST[file, rising])


def last_one(mine, square, beta):
    """Return the value for the side to move with one empty square left."""
    flipped = count_last(mine, square)
    without = 2 * popcount(mine) - 62
    if flipped or without < beta:
        return without + 2 * flipped
    flipped = count_last(~mine & FULL ^ 1 << square, square)
    return without - 2 - 2 * flipped if flipped or without <= 0 else without


def try_two(mine, theirs, a, b, beta):
    """Return the value with two empty squares left and the nodes; NOTHING if the side to move can't move."""
    best, nodes = NOTHING, 0
    if NEAR[a] & theirs:
        flipped = flips(mine, theirs, a)
        if flipped:
            best, nodes = -last_one(theirs ^ flipped, b, 1 - beta), 1
            if best >= beta:
                return best, nodes
    if NEAR[b] & theirs:
        flipped = flips(mine, theirs, b)
        if flipped:
            best, nodes = max(best, -last_one(theirs ^ flipped, a, 1 - beta)), nodes + 1
    return best, nodes


def last_two(mine, theirs, a, b, beta):
    """Return the value for the side to move with two empty squares left, and the nodes."""
    best, nodes = try_two(mine, theirs, a, b, beta)
    if best == NOTHING:
        best, nodes = try_two(theirs, mine, a, b, 1 - beta)
        best = -best
        if best == -NOTHING:
            best = margin(State(mine, theirs, 0))
    return best, nodes + 1


def odd_regions(empty):
    """Return the quarters of the board with an odd number of empty squares: the side that moves there first also moves last."""
    odd = u64(0)
    for shift in (0, 4, 32, 36):
        odd |= QUARTER << shift if popcount(empty >> shift & QUARTER) & 1 else 0
    return odd


def try_three(mine, theirs, a, b, c, beta):
    """Return the value with three empty squares left and the nodes; NOTHING if the side to move can't move."""
    best, nodes = NOTHING, 0
    if NEAR[a] & theirs:
        flipped = flips(mine, theirs, a)
        if flipped:
            value, nodes = last_two(theirs ^ flipped, mine ^ flipped ^ u64(1) << a, b, c, 1 - beta)
            best = -value
            if best >= beta:
                return best, nodes
    if NEAR[b] & theirs:
        flipped = flips(mine, theirs, b)
        if flipped:
            value, n = last_two(theirs ^ flipped, mine ^ flipped ^ u64(1) << b, a, c, 1 - beta)
            best, nodes = max(best, -value), nodes + n
            if best >= beta:
                return best, nodes
    if NEAR[c] & theirs:
        flipped = flips(mine, theirs, c)
        if flipped:
            value, n = last_two(theirs ^ flipped, mine ^ flipped ^ u64(1) << c, a, b, 1 - beta)
            best, nodes = max(best, -value), nodes + n
    return best, nodes


def last_three(mine, theirs, empty, beta):
    """Return the value with three empty squares left and the nodes; a square alone in its region comes first."""
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


def move_groups(mine, theirs, found, empty, left):
    """Return the moves in four groups, best group first: by the replies they leave, or only by odd regions."""
    odd = odd_regions(empty)
    first, second, third, fourth = found & odd, found & ~odd, u64(0), u64(0)
    if left < SORTED:
        return first, second, third, fourth
    first, second = u64(0), u64(0)
    while found:
        square = lowest(found)
        bit = u64(1) << square
        found ^= bit
        flipped = flips(mine, theirs, square)
        replies = mobility(theirs ^ flipped, mine ^ flipped ^ bit)
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


def squares_near_edge(n, file_step, row_step):
    """Return the squares from which n steps lead off the board."""
    inside = [s for s in range(64) if 0 <= s % 8 + n * file_step < 8 and 0 <= s // 8 + n * row_step < 8]
    return u64(~sum(1 << s for s in inside))


# For 1, 2 and 4 steps.
OFF_LEFT = tuple(squares_near_edge(n, -1, 0) for n in (1, 2, 4))
OFF_RIGHT = tuple(squares_near_edge(n, 1, 0) for n in (1, 2, 4))
OFF_UP = tuple(squares_near_edge(n, 0, -1) for n in (1, 2, 4))
OFF_DOWN = tuple(squares_near_edge(n, 0, 1) for n in (1, 2, 4))
OFF_UP_LEFT = tuple(squares_near_edge(n, -1, -1) for n in (1, 2, 4))
OFF_DOWN_RIGHT = tuple(squares_near_edge(n, 1, 1) for n in (1, 2, 4))
OFF_UP_RIGHT = tuple(squares_near_edge(n, 1, -1) for n in (1, 2, 4))
OFF_DOWN_LEFT = tuple(squares_near_edge(n, -1, 1) for n in (1, 2, 4))


def full_lines(filled, d, before, after):
    """Return the squares whose whole line along step d is filled; off the board counts as filled."""
    down = filled & (filled << d | before[0])
    up = filled & (filled >> d | after[0])
    down &= down << 2 * d | before[1]
    up &= up >> 2 * d | after[1]
    down &= down << 4 * d | before[2]
    up &= up >> 4 * d | after[2]
    return down & up


def full_line_stable(discs, filled):
    """Return the discs that can never be flipped: on each axis the line is full, or the edge or another such disc is beside."""
    rows = SIDE_FILES | full_lines(filled, 1, OFF_LEFT, OFF_RIGHT)
    files = SIDE_ROWS | full_lines(filled, 8, OFF_UP, OFF_DOWN)
    falling = BORDER | full_lines(filled, 9, OFF_UP_LEFT, OFF_DOWN_RIGHT)
    rising = BORDER | full_lines(filled, 7, OFF_UP_RIGHT, OFF_DOWN_LEFT)
    return extend_stable(discs, discs & rows & files & falling & rising, rows, files, falling, rising)


def upper_bound(mine, theirs, beta):
    """Return an upper bound from the discs that the other side can never lose; 64 if they can't be enough to stay below beta."""
    if 2 * popcount(theirs) <= 64 - beta or not theirs & CORNERS:
        return 64
    return 64 - 2 * popcount(full_line_stable(theirs, mine | theirs))


def last_squares(mine, theirs, beta):
    """Return the value for the side to move with four or more empty squares left, and the nodes."""
    empty = ~(mine | theirs) & FULL
    found = mobility(mine, theirs)
    if not found:
        if not mobility(theirs, mine):
            return margin(State(mine, theirs, 0)), 1
        value, nodes = last_squares(theirs, mine, 1 - beta)
        return -value, nodes + 1
    left = popcount(empty)
    if left >= STABILITY_CUTOFF_MIN:
        high = upper_bound(mine, theirs, beta)
        if high < beta:
            return high, 1
    best, nodes = NOTHING, 1
    first, second, third, fourth = move_groups(mine, theirs, found, empty, left)
    while first | second | third | fourth:
        if not first:
            first, second, third, fourth = second, third, fourth, u64(0)
            continue
        square = lowest(first)
        first &= first - 1
        flipped = flips(mine, theirs, square)
        bit = u64(1) << square
        if left == 4:
            value, n = last_three(theirs ^ flipped, mine ^ flipped ^ bit, empty ^ bit, 1 - beta)
        else:
            value, n = last_squares(theirs ^ flipped, mine ^ flipped ^ bit, 1 - beta)
        nodes += n
        best = max(best, -value)
        if best >= beta:
            return best, nodes
    return best, nodes


def finish(s, beta):
    """Return the value and the nodes it took, if few squares are empty or stable discs decide."""
    left = popcount(~(s.mine | s.theirs) & FULL)
    if 4 <= left <= FEW:
        return last_squares(s.mine, s.theirs, beta)
    if left > FEW:
        high = upper_bound(s.mine, s.theirs, beta)
        if high < beta:
            return high, 1
    return 0, 0


def promise(s, m, child):
    """Rank moves that leave few replies, no corner, few empty squares next to my discs, or play in odd regions."""
    if m == PASS:
        return 0
    square, empty = u64(1) << m, ~(s.mine | s.theirs) & FULL
    replies = mobility(child.mine, child.theirs)
    score = -64 * (popcount(replies) + popcount(replies & CORNERS))
    score -= 16 * popcount(with_neighbours(child.theirs) & empty)
    if square & odd_regions(empty):
        score += 32
    if square & X_SQUARES & with_neighbours(CORNERS & empty):
        score -= 64
    return score


def spot(s, m):
    return m
