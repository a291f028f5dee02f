"""Chess: castling, en passant, promotion, threefold repetition, fifty moves, dead positions.

Rules: the FIDE Laws of Chess. Draws that a player may claim there end the game here at once: the third occurrence of a position
(9.2) and fifty moves each without a capture or a pawn move (9.3), so the fivefold and the 75-move rule (9.6) never apply. A mate
on the last of the fifty moves counts. Positions are the same if the same moves are possible: an en passant square counts only if
a pawn may take there. Dead positions (5.2.2) are recognised by material alone: bare kings, one knight or bishop, or any number of
bishops on squares of one colour; a wall of blocked pawns is played on.

The board is always seen by the side to move: its pieces start at the bottom and its pawns move up. One bit per square:

    8   56 57 58 59 60 61 62 63      For Black the board is turned top to bottom (a byte swap of each word):
    7   48 49 50 51 52 53 54 55      e2, where White's king's pawn starts, is 12, and e7 is 12 when Black is
    6   40 41 42 43 44 45 46 47      to move. The king's side is always on the right.
    5   32 33 34 35 36 37 38 39
    4   24 25 26 27 28 29 30 31      A move is from | to << 6 | kind << 12, where kind is what a pawn becomes,
    3   16 17 18 19 20 21 22 23      or 0. Castling is a move of the king.
    2    8  9 10 11 12 13 14 15
    1    0  1  2  3  4  5  6  7
         a  b  c  d  e  f  g  h

This file has the rules. `attacks.py` has what each piece attacks, `squares.py` two sums over the pieces, `evaluate.py` what the
engine needs besides, `endings.py` what tables of endings store, `notation.py` the names of moves and positions.
"""

from typing import NamedTuple

from plyground.bits import bits, byteswap, lowest, u64

from .attacks import (
    CORNERS,
    KING_STEPS,
    KNIGHT_STEPS,
    LIGHT,
    LINE,
    ONE,
    RANK_1,
    RANK_2,
    RANK_3,
    RANK_6,
    RANK_7,
    RANK_8,
    between,
    bishop_attacks,
    pawn_attacks_down,
    pawn_attacks_up,
    rook_attacks,
)
from .squares import WORTH, kind_at, my_hash, sums_of, their_hash

TITLE = "Chess"
SIDES = ("white", "black")
ALTERNATE = True
REPETITION = 3
PLAY_ON = True

LETTERS = "PBNRQK"
PAWN, BISHOP, KNIGHT, ROOK, QUEEN, KING = range(6)
A1, B1, C1, D1, E1, F1, G1, H1 = (u64(1 << square) for square in range(8))
LEFT_CASTLING_PATH, RIGHT_CASTLING_PATH = u64(0x0E), u64(0x60)  # what must be empty to castle


class State(NamedTuple):
    mine: u64  # all pieces of the side to move
    theirs: u64  # all pieces of the other side
    pawns: u64  # of both sides, as are the next four
    knights: u64
    diagonal: u64  # bishops and queens
    straight: u64  # rooks and queens
    kings: u64
    rights: u64  # the rooks that may still castle, and on the sixth rank the square where a pawn can be taken en passant
    clock: int  # plies since the last capture or pawn move
    ply: int  # plies since the first move of the game; odd when Black is to move
    worth: int  # for `evaluate` and `key`, sums over the pieces, which each move updates: see `squares.py`
    hash: u64


def start():
    pawns, knights, diagonal, straight, kings = RANK_2 | RANK_7, B1 | G1, C1 | F1 | D1, A1 | H1 | D1, E1
    mine, theirs = RANK_1 | RANK_2, RANK_7 | RANK_8
    pieces = (x | byteswap(x) for x in (knights, diagonal, straight, kings))
    return with_sums(State(mine, theirs, pawns, *pieces, CORNERS, 0, 0, 0, u64(0)))


def attacking_sliders(s, square, both):
    """Return their bishops, rooks and queens that attack a square."""
    return (bishop_attacks(square, both) & s.diagonal | rook_attacks(square, both) & s.straight) & s.theirs


def attacking_leapers(s, square):
    """Return their pawns and knights that attack a square."""
    return (KNIGHT_STEPS[square] & s.knights | pawn_attacks_up(ONE << square) & s.pawns) & s.theirs


def in_check(s):
    """Return whether the king of the side to move is attacked."""
    king = lowest(s.mine & s.kings)
    return (attacking_leapers(s, king) | attacking_sliders(s, king, s.mine | s.theirs)) != 0


def king_targets(s, king, checked):
    """Return where the king may go, castling included."""
    both = s.mine | s.theirs
    steps = KING_STEPS[king] & ~s.mine
    castles = u64(0)
    if s.rights & H1 and not both & RIGHT_CASTLING_PATH and not checked:
        castles |= G1
    if s.rights & A1 and not both & LEFT_CASTLING_PATH and not checked:
        castles |= C1
    safe = u64(0)
    for square in bits((steps | castles) & ~pawn_attacks_down(s.pawns & s.theirs) & ~KING_STEPS[lowest(s.kings & s.theirs)]):
        if not (attacking_leapers(s, square) | attacking_sliders(s, square, both & ~(ONE << king))):
            safe |= ONE << square
    if not safe & F1:
        safe &= ~(castles & G1)
    if not safe & D1:
        safe &= ~(castles & C1)
    return safe


def pinned_pieces(s, king):
    """Return the pinned pieces: those that alone stand between their king and a slider."""
    found = u64(0)
    for square in bits(attacking_sliders(s, king, s.theirs)):
        shields = between(king, square) & s.mine
        if not shields & (shields - ONE):
            found |= shields
    return found


def en_passant_capturers(s):
    """Return the pawns that may take en passant without leaving their king in check."""
    found = u64(0)
    target = s.rights & RANK_6
    if target:
        king = lowest(s.mine & s.kings)
        taken = target >> 8
        for square in bits(pawn_attacks_down(target) & s.pawns & s.mine):
            both = (s.mine | s.theirs) ^ (ONE << square | target | taken)
            if not (attacking_leapers(s, king) & ~taken | attacking_sliders(s, king, both)):
                found |= ONE << square
    return found


def moves(s):
    both = s.mine | s.theirs
    king = lowest(s.mine & s.kings)
    checkers = attacking_leapers(s, king) | attacking_sliders(s, king, both)
    movers, allowed = s.mine, ~s.mine
    if checkers:
        allowed &= between(king, lowest(checkers))
        if checkers & (checkers - ONE):
            movers = ONE << king
    pinned = pinned_pieces(s, king)
    passing = en_passant_capturers(s)
    by_king = king_targets(s, king, checkers != 0)
    while movers:
        square = lowest(movers)
        here = movers & (~movers + ONE)
        movers ^= here
        becomes = PAWN
        if s.pawns & here:
            targets = here << 8 & ~both
            targets = (targets | (targets & RANK_3) << 8 & ~both | pawn_attacks_up(here) & s.theirs) & allowed
            if passing & here:
                targets |= s.rights & RANK_6
            if here & RANK_7:
                becomes = QUEEN
        elif s.kings & here:
            targets = by_king
        elif s.knights & here:
            targets = KNIGHT_STEPS[square] & allowed
        else:
            targets = u64(0)
            if s.diagonal & here:
                targets = bishop_attacks(square, both)
            if s.straight & here:
                targets |= rook_attacks(square, both)
            targets &= allowed
        if pinned & here:
            targets &= LINE[king << 6 | square]
        # A single yield, with the promotions folded in, so that the compiler turns this generator into a plain loop.
        kind = becomes
        while targets:
            yield square | lowest(targets) << 6 | kind << 12
            if kind > BISHOP:
                kind -= 1
            else:
                kind = becomes
                targets &= targets - ONE


def is_capture(s, m):
    """Return whether a move takes a piece, also en passant."""
    there = ONE << (m >> 6 & 63)
    return (there & s.theirs) != 0 or (there & s.rights & RANK_6 and s.pawns >> (m & 63) & 1) != 0


def move_piece(board, square, to):
    """Return a board with the piece on one square moved to another; a piece there is removed."""
    return board & ~(ONE << square | ONE << to) | (board >> square & ONE) << to


def play(s, m):
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    here, there = ONE << square, ONE << to
    kind = kind_at(s, square)
    mine, theirs = s.mine ^ (here | there), s.theirs & ~there
    pawns, knights, kings = move_piece(s.pawns, square, to), move_piece(s.knights, square, to), move_piece(s.kings, square, to)
    diagonal, straight = move_piece(s.diagonal, square, to), move_piece(s.straight, square, to)
    rights = s.rights & CORNERS & ~(here | there)
    clock = 0 if kind == PAWN else s.clock + 1
    worth = s.worth + WORTH[kind * 64 + to] - WORTH[kind * 64 + square]
    hash = s.hash ^ my_hash(s, kind, square) ^ my_hash(s, kind, to)
    passed = False

    if s.theirs & there:
        victim = kind_at(s, to)
        clock = 0
        worth += WORTH[victim * 64 + (to ^ 56)]
        hash ^= their_hash(s, victim, to)
    if kind == PAWN:
        if promoted:
            pawns ^= there
            knights |= u64(promoted == KNIGHT) << to
            diagonal |= u64(promoted in (BISHOP, QUEEN)) << to
            straight |= u64(promoted in (ROOK, QUEEN)) << to
            worth += WORTH[promoted * 64 + to] - WORTH[to]
            hash ^= my_hash(s, PAWN, to) ^ my_hash(s, promoted, to)
        elif to - square == 16:
            passed = True
            rights |= here << 8
        elif s.rights & RANK_6 & there:
            pawns ^= there >> 8
            theirs ^= there >> 8
            worth += WORTH[(to - 8) ^ 56]
            hash ^= their_hash(s, PAWN, to - 8)
    elif kind == KING:
        rights &= ~RANK_1
        if abs(to - square) == 2:
            corner, beside = (7, 5) if to > square else (0, 3)
            mine ^= ONE << corner | ONE << beside
            straight ^= ONE << corner | ONE << beside
            worth += WORTH[ROOK * 64 + beside] - WORTH[ROOK * 64 + corner]
            hash ^= my_hash(s, ROOK, corner) ^ my_hash(s, ROOK, beside)

    new = swap_sides(State(mine, theirs, pawns, knights, diagonal, straight, kings, rights, clock, s.ply, worth, hash))
    # A square on which no pawn can take is dropped: the position is the same without it.
    return without_en_passant(new) if passed and not en_passant_capturers(new) else new


def with_sums(s):
    """Return the same board with its sums recomputed."""
    worth, hash = sums_of(s)
    return State(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.rights, s.clock, s.ply, worth, hash,
    )  # fmt: skip


def swap_sides(s):
    """Return the same board for the other side to move."""
    return State(
        byteswap(s.theirs), byteswap(s.mine), byteswap(s.pawns), byteswap(s.knights), byteswap(s.diagonal), byteswap(s.straight),
        byteswap(s.kings), byteswap(s.rights), s.clock, s.ply + 1, -s.worth, s.hash,
    )  # fmt: skip


def without_en_passant(s):
    """Return the same state with nothing to take en passant."""
    rights = s.rights & CORNERS
    return State(s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, rights, s.clock, s.ply, s.worth, s.hash)


def result(s):
    """Return a draw for a dead position or after fifty moves each, unless the last of them is mate; None otherwise."""
    if not (s.pawns | s.straight):
        if not s.knights:
            if not s.diagonal & LIGHT or not s.diagonal & ~LIGHT:
                return 0
        elif not (s.diagonal | s.knights & (s.knights - ONE)):
            return 0
    if s.clock >= 100:
        for _ in moves(s):
            return 0
        return stuck(s)
    return None


def stuck(s):
    """Return a loss for mate, a draw for stalemate."""
    return -1 if in_check(s) else 0


def turn(s):
    return s.ply & 1


def key(s):
    """Hash the pieces, the rights and the side to move: what repetition compares, without clocks."""
    x = u64((s.rights ^ s.rights >> 29 ^ (s.ply & 1) << 1) * 0x9E3779B97F4A7C15)
    return s.hash ^ x ^ x >> 32
