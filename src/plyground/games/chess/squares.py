"""Piece-square tables: the value and Zobrist hash of each piece on each square.

The sums over all pieces are fields of a state, updated with each move: `worth`, with which `evaluate` begins, and
`hash`, with which `key` begins. `worth` is mine minus theirs, a middlegame and an endgame value in one word; see `make_score`.
"""

from random import Random

from plyground.bits import bits, u64


def make_score(middle, end):
    """Return a middlegame and an endgame value in one word: pairs are added and negated as plain ints."""
    return middle + (end << 16)


def middlegame(both):
    return both - (endgame(both) << 16)


def endgame(both):
    return both + 0x8000 >> 16


# For each kind, in the middlegame and in the endgame: the piece, its ranks from the first, its files a to d (e to h mirror them).
SQUARES = (
    ((84, (0, 0, 0, 4, 10, 26, 46, 0), (-12, -2, 0, 10)), (104, (0, 4, 4, 8, 18, 38, 64, 0), (4, 4, 0, 0))),
    ((338, (-10, 4, 6, 6, 6, 6, -4, -10), (-6, 2, 2, 4)), (318, (-8, -2, 2, 4, 4, 4, 0, -6), (-6, -2, 2, 4))),
    ((322, (-24, -10, 2, 10, 16, 16, 2, -30), (-26, -8, 6, 12)), (306, (-18, -8, 2, 10, 12, 6, -4, -18), (-20, -6, 4, 10))),
    ((472, (0, -6, -6, -4, 0, 4, 12, 6), (-6, -2, 4, 8)), (530, (-4, -4, -2, 2, 4, 6, 8, 6), (0, 0, 0, 0))),
    ((965, (-4, 2, 4, 2, 0, 2, -2, 0), (-6, 0, 2, 2)), (990, (-20, -12, 0, 10, 14, 12, 8, 0), (-12, -2, 6, 12))),
    ((0, (16, 0, -30, -50, -60, -60, -60, -60), (14, 20, -6, -14)), (0, (-32, -12, 4, 16, 24, 24, 14, -8), (-20, -4, 8, 14))),
)


def square_values():
    """Return a pair for each kind and square of the side to move: at 64 * kind + square."""
    table = []
    for middle, end in SQUARES:
        for square in range(64):
            rank, file = square >> 3, min(square & 7, 7 - (square & 7))
            table.append(make_score(*(piece + ranks[rank] + files[file] for piece, ranks, files in (middle, end))))
    return tuple(table)


WORTH = square_values()
_random = Random(1)
HASH = tuple(u64(_random.getrandbits(64)) for _ in range(2 * 6 * 64))  # at 384 * side + 64 * kind + the square as White sees it


def kind_at(s, square):
    """Return the kind of the piece on a square; the kinds are numbered so that no branch is needed."""
    diagonal, knight, straight, king = s.diagonal >> square, s.knights >> square, s.straight >> square, s.kings >> square
    return (diagonal & 1) + (knight & 1) * 2 + (straight & 1) * 3 + (king & 1) * 5


def my_hash(s, kind, square):
    """Return the hash of a piece of the side to move."""
    return HASH[(s.ply & 1) * 384 + kind * 64 + (square ^ (s.ply & 1) * 56)]


def their_hash(s, kind, square):
    """Return the hash of a piece of the other side."""
    return HASH[(~s.ply & 1) * 384 + kind * 64 + (square ^ (s.ply & 1) * 56)]


def sums_of(s):
    """Return the sums of a state, added up."""
    worth, hash = 0, u64(0)
    for square in bits(s.mine | s.theirs):
        kind = kind_at(s, square)
        if s.mine >> square & 1:
            worth += WORTH[64 * kind + square]
            hash ^= my_hash(s, kind, square)
        else:
            worth -= WORTH[64 * kind + (square ^ 56)]
            hash ^= their_hash(s, kind, square)
    return worth, hash
