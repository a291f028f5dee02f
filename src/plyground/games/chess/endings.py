"""Chess: endings as tables store them, a position in one word."""

import re

from plyground.bits import bitreverse, bits, byteswap, i64, lowest, popcount, u64

from .attacks import CORNERS, KING_STEPS, ONE, RANK_1, RANK_6
from .rules import BISHOP, KNIGHT, LETTERS, PAWN, QUEEN, ROOK, State, in_check, swap_sides, with_sums
from .squares import kind_at

ENDINGS = ("KQK",)
MOST = 7  # pieces that fit in a word
PASSED_PAWN, CASTLING_ROOK = 5, 6  # the kinds, in a word, of a pawn to be taken en passant and of a rook that may castle


def ending(text):
    """Read `KBNK`, the pieces of each side, king first: four bits per piece but kings, kind + 1, and 8 for the second side."""
    if not re.fullmatch(r"K[QRBNP]*K[QRBNP]*", text) or not 3 <= len(text) <= 5:
        raise ValueError("write the pieces of both sides, such as KQK, KBNK or KRKP; at least 3 and at most 5")
    first, second = text[1:].split("K")
    men = 0
    for side, letters in ((0, first), (8, second)):
        for letter in letters:
            men = men << 4 | side + LETTERS.index(letter) + 1
    return men


def arrange(men, swap, squares):
    """Place these pieces (as in `ending`; with `swap`, sides exchanged) on squares of six bits each, mine to move.

    The kings are on the first two squares. An empty board if two pieces share a square or a pawn is where none can be.
    """
    mine, theirs = ONE << (squares & 63), ONE << (squares >> 6 & 63)
    kings, pawns, knights, diagonal, straight = mine | theirs, u64(0), u64(0), u64(0), u64(0)
    count = 2
    while men:
        squares >>= 6
        square, kind = squares >> 6 & 63, (men & 7) - 1
        here = ONE << square
        if men >> 3 & 1 != swap:
            theirs |= here
        else:
            mine |= here
        pawns |= u64(kind == PAWN) << square
        knights |= u64(kind == KNIGHT) << square
        diagonal |= u64(kind in (BISHOP, QUEEN)) << square
        straight |= u64(kind in (ROOK, QUEEN)) << square
        count += 1
        men >>= 4
    if popcount(mine | theirs) != count or pawns & (RANK_1 | RANK_1 << 56):
        mine = u64(0)
    return State(mine, theirs, pawns, knights, diagonal, straight, kings, u64(0), 0, 0, 0, u64(0))


def positions(men):
    """Yield every position of an ending; by symmetry, the king of the side to move stays on one part of the board."""
    count, pawns, rest = 2, False, men
    while rest:
        pawns |= rest & 7 == 1
        count += 1
        rest >>= 4
    for swap in range(2):
        for squares in range(1 << 6 * count):
            file, rank = squares & 7, squares >> 3 & 7
            if file < 4 and (pawns or rank <= file):
                s = arrange(men, swap, squares)
                if s.mine and not in_check(swap_sides(s)) and not KING_STEPS[squares & 63] >> (squares >> 6 & 63) & 1:
                    yield with_sums(s)


def flip_horizontal(s):
    """Return the state with left and right exchanged."""
    return State(
        bitreverse(byteswap(s.mine)), bitreverse(byteswap(s.theirs)), bitreverse(byteswap(s.pawns)),
        bitreverse(byteswap(s.knights)), bitreverse(byteswap(s.diagonal)), bitreverse(byteswap(s.straight)),
        bitreverse(byteswap(s.kings)), bitreverse(byteswap(s.rights)), s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def flip_vertical(s):
    """Return the state with top and bottom exchanged, but not the sides."""
    return State(
        byteswap(s.mine), byteswap(s.theirs), byteswap(s.pawns), byteswap(s.knights), byteswap(s.diagonal),
        byteswap(s.straight), byteswap(s.kings), byteswap(s.rights), s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def transpose_board(board):
    """Return a word with files and ranks exchanged: blocks of 4, 2 and 1 squares swap across the diagonal."""
    x = (board ^ board << 28) & u64(0x0F0F0F0F00000000)
    board ^= x ^ x >> 28
    x = (board ^ board << 14) & u64(0x3333000033330000)
    board ^= x ^ x >> 14
    x = (board ^ board << 7) & u64(0x5500550055005500)
    return board ^ x ^ x >> 7


def transpose(s):
    """Return the state with files and ranks exchanged."""
    return State(
        transpose_board(s.mine), transpose_board(s.theirs), transpose_board(s.pawns), transpose_board(s.knights),
        transpose_board(s.diagonal), transpose_board(s.straight), transpose_board(s.kings), transpose_board(s.rights),
        s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def encode(s):
    """Return the squares of the kings, mine lowest, then ten bits per piece: its square, its kind, whether it is theirs."""
    found = u64(0)
    for square in bits((s.mine | s.theirs) & ~s.kings):
        kind = kind_at(s, square)
        if (s.rights & CORNERS) >> square & 1:
            kind = CASTLING_ROOK
        if kind == PAWN and s.rights & RANK_6 and s.rights >> (square + 8) & s.theirs >> square & 1:
            kind = PASSED_PAWN
        found = found << 10 | u64(square | kind << 6) | (s.theirs >> square & 1) << 9
    return found << 12 | u64(lowest(s.kings & s.theirs) << 6 | lowest(s.kings & s.mine))


def pack(s):
    """Return the position as one word, without clocks: of its symmetric images, the one with my king in the lower left.

    With pawns only left and right may be exchanged, with castling rights nothing.
    """
    if popcount(s.mine | s.theirs) > MOST:
        return u64(0)
    king = lowest(s.kings & s.mine)
    whole = not s.pawns and not s.rights
    if king & 4 and not s.rights & CORNERS:
        s, king = flip_horizontal(s), king ^ 7
    if king & 32 and whole:
        s, king = flip_vertical(s), king ^ 56
    if king >> 3 > king & 7 and whole:
        s, king = transpose(s), king >> 3 | (king & 7) << 3
    found = encode(s)
    if king >> 3 == king & 7 and whole:
        found = min(found, encode(transpose(s)))
    return found


def unpack(x):
    mine, theirs = ONE << (x & 63), ONE << (x >> 6 & 63)
    kings, pawns, knights, diagonal, straight, rights = mine | theirs, u64(0), u64(0), u64(0), u64(0), u64(0)
    x >>= 12
    while x:
        square, kind = i64(x & 63), i64(x >> 6 & 7)
        here = ONE << square
        if x & 512:
            theirs |= here
        else:
            mine |= here
        if kind == PASSED_PAWN:
            kind, rights = PAWN, rights | here << 8
        if kind == CASTLING_ROOK:
            kind, rights = ROOK, rights | here
        pawns |= u64(kind == PAWN) << square
        knights |= u64(kind == KNIGHT) << square
        diagonal |= u64(kind in (BISHOP, QUEEN)) << square
        straight |= u64(kind in (ROOK, QUEEN)) << square
        x >>= 10
    return with_sums(State(mine, theirs, pawns, knights, diagonal, straight, kings, rights, 0, 0, 0, u64(0)))
