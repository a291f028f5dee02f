"""Othello: what a position is worth, and hints for the search."""

from plyground.bits import popcount, u64

from .rules import FULL, PASS, flips, margin, mobility

GROUPS = (
    (*range(8), 9, 14),  # an edge and its X squares
    *(tuple(range(8 * row, 8 * row + 8)) for row in (1, 2, 3)),
    *(tuple(range(n, 8 * n + 1, 7)) for n in (3, 4, 5, 6, 7)),  # diagonals of four to eight squares
    (0, 1, 2, 8, 9, 10, 16, 17, 18),
    (0, 1, 2, 3, 4, 8, 9, 10, 11, 12),
)

NOT_A = u64(0xFEFEFEFEFEFEFEFE)
NOT_H = u64(0x7F7F7F7F7F7F7F7F)
SIDE_FILES = u64(0x8181818181818181)
SIDE_ROWS = u64(0xFF000000000000FF)
BORDER = u64(SIDE_FILES | SIDE_ROWS)
CORNERS = u64(SIDE_FILES & SIDE_ROWS)
# C squares are next to a corner on the edge, X squares diagonally; both give the corner away while it is empty.
C_SQUARES = u64(0x4281000000008142)
X_SQUARES = u64(0x0042000000004200)
MIDDLE_EDGES = u64(0x3C0081818181003C)

# Hundredths of a disc, by the number of empty squares; interpolated in between. Rounded from a least-squares fit to the
# margins of games that a shallow search played against itself and finished exactly; the rows for 0, 52 and 60 are set by hand,
# because the fit saw few such positions.
#     0 moves, 1 empty squares next to the other side's discs, both as a lead over the other side in percent
#     2 corners held, 3 corners that can be taken at once, 4 corners that the other side could take
#     5 discs on C squares, 6 on X squares, of empty corners; 7 discs that can never be flipped, without corners
#     8 other discs in the middle of edges, 9 all discs, 10 an even number of empty squares: the other side has the last move
WEIGHTS_BY_EMPTIES = {
    0:  (22,  0, -150,   0,   0,  -100,   -30,  20, -85,  95, -180),
    10: (41, -10,  350, 490, 300,  -100,  -120, 100, -45,   0, -500),
    20: (33,   2,  750, 750, 450,   -10,  -310, 165,   5, -45, -420),
    35: (24,  15, 1600, 750, 500,  -130,  -930, 350,  75, -80, -440),
    52: (10,  20, 2800, 700, 500,  -800, -2000, 500,  20, -85, -400),
    60: ( 5,   5, 2800, 700, 500,  -800, -2000, 500,   0, -10,    0),
}  # fmt: skip


def weights(empty):
    """Return the row of weights for a number of empty squares."""
    low = max(n for n in WEIGHTS_BY_EMPTIES if n <= min(empty, 59))
    high = min(n for n in WEIGHTS_BY_EMPTIES if n > low)
    return tuple(
        round(a + (b - a) * (empty - low) / (high - low))
        for a, b in zip(WEIGHTS_BY_EMPTIES[low], WEIGHTS_BY_EMPTIES[high], strict=True)
    )


WEIGHTS = tuple(weights(empty) for empty in range(65))


def with_neighbours(x):
    """Return the squares of x and their neighbours."""
    row = x | (x & NOT_H) << 1 | (x & NOT_A) >> 1
    return row | row << 8 | row >> 8


def extend_stable(discs, found, rows, files, falling, rising):
    """Add to `found`, again and again, the discs that are next to one of them or safe on each of the four axes."""
    before = u64(0)
    while found != before:
        before = found
        across = (found << 1 | found >> 1 | rows) & (found << 8 | found >> 8 | files)
        aslant = (found << 7 | found >> 7 | rising) & (found << 9 | found >> 9 | falling)
        found = discs & across & aslant
    return found


def stable_discs(discs):
    """Return the discs that are next to the edge or another such disc on each of the four axes: they can never be flipped."""
    return extend_stable(discs, discs & CORNERS, SIDE_FILES, SIDE_ROWS, BORDER, BORDER)


def balance(mine, theirs, squares):
    """Return how many more of the squares are in `mine` than in `theirs`."""
    return popcount(mine & squares) - popcount(theirs & squares)


def percent(mine, theirs):
    """Return the lead of `mine` over `theirs`, in percent of both together."""
    return 100 * (mine - theirs) // (mine + theirs + 2)


def evaluate(s):
    """Count moves, room to move, corners and squares near them, stable discs, and the last move, in hundredths of a disc."""
    mine, theirs = s.mine, s.theirs
    my_moves, their_moves = mobility(mine, theirs), mobility(theirs, mine)
    if not my_moves | their_moves:
        return 100 * margin(s)
    empty = ~(mine | theirs) & FULL
    exposed = with_neighbours(empty & CORNERS)
    my_stable, their_stable = stable_discs(mine), stable_discs(theirs)
    w = WEIGHTS[popcount(empty)]
    score = w[0] * percent(popcount(my_moves), popcount(their_moves))
    score += w[1] * percent(popcount(with_neighbours(theirs) & empty), popcount(with_neighbours(mine) & empty))
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
    """Rank corners first, then moves that leave few replies and no corner; squares next to an empty corner come late."""
    if m == PASS:
        return 0
    square = u64(1) << m
    if square & CORNERS:
        return 1000
    flipped = flips(s.mine, s.theirs, m)
    replies = mobility(s.theirs ^ flipped, s.mine ^ flipped ^ square)
    score = -10 * popcount(replies) - 30 * popcount(replies & CORNERS)
    exposed = with_neighbours(CORNERS & ~(s.mine | s.theirs)) & square
    if exposed & X_SQUARES:
        score -= 40
    elif exposed & C_SQUARES:
        score -= 10
    return score


def loud(s, m):
    """Return whether m takes a corner: it changes the estimate most, can't be undone, and happens at most four times."""
    return m != PASS and (u64(1) << m) & CORNERS != 0
