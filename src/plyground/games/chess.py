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
"""

import re
from random import Random
from typing import NamedTuple

from plyground import Board
from plyground.bits import bitreverse, bits, byteswap, i64, lowest, popcount, u64

TITLE = "Chess"
SIDES = ("white", "black")
ALTERNATE = True
REPETITION = 3
PLAY_ON = True
ENDINGS = ("KQK",)

LETTERS = "PBNRQK"
BOARD = Board("squares", 8, 8, (LETTERS, LETTERS.lower()), ("♙♗♘♖♕♔", "♟♝♞♜♛♚"), checkered=True)
PAWN, BISHOP, KNIGHT, ROOK, QUEEN, KING = range(6)


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
    worth: int  # material and squares, mine minus theirs: two numbers in one, see `pair`
    hash: u64  # of the pieces on their squares


# -- tables -----------------------------------------------------------------------------------------------------------------

ONE, ALL = u64(1), u64(-1)
FILE_A, FILE_H = u64(0x0101010101010101), u64(0x8080808080808080)
RANK_1, RANK_3, RANK_6, RANK_7 = u64(0xFF), u64(0xFF << 16), u64(0xFF << 40), u64(0xFF << 48)
A1, C1, D1, F1, G1, H1 = (u64(1 << square) for square in (0, 2, 3, 5, 6, 7))
LEFT_GAP, RIGHT_GAP = u64(0x0E), u64(0x60)  # what must be empty to castle
CORNERS = u64(0x8100000000000081)
LIGHT = u64(0x55AA55AA55AA55AA)


def reach(steps, far=False):
    """For each square, the squares that the steps lead to: each step taken once, or repeated to the edge of the board."""
    table = []
    for square in range(64):
        found = 0
        for x, y in steps:
            col, row = square % 8 + x, square // 8 + y
            while 0 <= col < 8 and 0 <= row < 8:
                found |= 1 << 8 * row + col
                col, row = (col + x, row + y) if far else (8, 8)
        table.append(u64(found))
    return tuple(table)


KNIGHT_STEPS = reach([(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)])
KING_STEPS = reach([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
ROWS, FILES, RISING, FALLING = (reach([(x, y), (-x, -y)], far=True) for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)))


def rows_seen():
    """What a rook sees on its rank: at 8 * (the six inner squares of the rank, as bits) + (its file)."""
    table = []
    for inner in range(64):
        for file in range(8):
            seen = 0
            for step in (1, -1):
                col = file + step
                while 0 <= col < 8:
                    seen |= 1 << col
                    col = col + step if not inner << 1 >> col & 1 else 8
            table.append(u64(seen))
    return tuple(table)


def line_through(a, b):
    """The whole line through two squares, 0 if there is none."""
    return u64(sum(line[a] | 1 << a for line in (ROWS, FILES, RISING, FALLING) if line[a] >> b & 1))


ROW_SEEN = rows_seen()
LINE = tuple(line_through(a, b) for a in range(64) for b in range(64))
_random = Random(1)
HASH = tuple(u64(_random.getrandbits(64)) for _ in range(2 * 6 * 64))  # at 384 * side + 64 * kind + the square as White sees it


# -- attacks ----------------------------------------------------------------------------------------------------------------


def line_seen(line, square, both):
    """What a slider sees on a line: a subtraction borrows up to the first piece; again with the board reversed."""
    pieces = both & line
    return ((pieces - (ONE << square)) ^ byteswap(byteswap(pieces) - (ONE << (square ^ 56)))) & line


def bishop_sees(square, both):
    return line_seen(RISING[square], square, both) | line_seen(FALLING[square], square, both)


def rook_sees(square, both):
    row = square & 56
    return line_seen(FILES[square], square, both) | ROW_SEEN[(both >> row & 0x7E) << 2 | square & 7] << row


def hits_up(pawns):
    """The squares that pawns going up attack."""
    return pawns << 7 & ~FILE_H | pawns << 9 & ~FILE_A


def hits_down(pawns):
    """The squares that pawns going down attack."""
    return pawns >> 7 & ~FILE_A | pawns >> 9 & ~FILE_H


def sliders_on(s, square, both):
    """Their bishops, rooks and queens that see a square."""
    return (bishop_sees(square, both) & s.diagonal | rook_sees(square, both) & s.straight) & s.theirs


def leapers_on(s, square):
    """Their pawns and knights that attack a square."""
    return (KNIGHT_STEPS[square] & s.knights | hits_up(ONE << square) & s.pawns) & s.theirs


def in_check(s):
    """Is the king of the side to move attacked?"""
    king = lowest(s.mine & s.kings)
    return (leapers_on(s, king) | sliders_on(s, king, s.mine | s.theirs)) != 0


def way(a, b):
    """The squares from a to b on their line, without a and with b; only b if there is no line."""
    return LINE[a << 6 | b] & ((ALL << a) ^ (ALL << b)) & ~(ONE << a) | ONE << b


# -- rules ------------------------------------------------------------------------------------------------------------------


def start():
    return parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")


def kind_at(s, square):
    """The kind of the piece on a square; the kinds are numbered so that no branch is needed."""
    diagonal, knight, straight, king = s.diagonal >> square, s.knights >> square, s.straight >> square, s.kings >> square
    return (diagonal & 1) + (knight & 1) * 2 + (straight & 1) * 3 + (king & 1) * 5


def king_targets(s, king, checked):
    """Where the king may go, castling included."""
    both = s.mine | s.theirs
    steps = KING_STEPS[king] & ~s.mine
    castles = u64(0)
    if s.rights & H1 and not both & RIGHT_GAP and not checked:
        castles |= G1
    if s.rights & A1 and not both & LEFT_GAP and not checked:
        castles |= C1
    safe = u64(0)
    for square in bits((steps | castles) & ~hits_down(s.pawns & s.theirs) & ~KING_STEPS[lowest(s.kings & s.theirs)]):
        if not (leapers_on(s, square) | sliders_on(s, square, both & ~(ONE << king))):
            safe |= ONE << square
    if not safe & F1:
        safe &= ~(castles & G1)
    if not safe & D1:
        safe &= ~(castles & C1)
    return safe


def pinned_pieces(s, king):
    """The pinned pieces: those that alone stand between their king and a slider."""
    found = u64(0)
    for square in bits(sliders_on(s, king, s.theirs)):
        shields = way(king, square) & s.mine
        if not shields & (shields - ONE):
            found |= shields
    return found


def passers_by(s):
    """The pawns that may take en passant without leaving their king in check."""
    found = u64(0)
    target = s.rights & RANK_6
    if target:
        king = lowest(s.mine & s.kings)
        taken = target >> 8
        for square in bits(hits_down(target) & s.pawns & s.mine):
            both = (s.mine | s.theirs) ^ (ONE << square | target | taken)
            if not (leapers_on(s, king) & ~taken | sliders_on(s, king, both)):
                found |= ONE << square
    return found


def moves(s):
    both = s.mine | s.theirs
    king = lowest(s.mine & s.kings)
    checkers = leapers_on(s, king) | sliders_on(s, king, both)
    movers, allowed = s.mine, ~s.mine
    if checkers:
        allowed &= way(king, lowest(checkers))
        if checkers & (checkers - ONE):
            movers = ONE << king
    pinned = pinned_pieces(s, king)
    passing = passers_by(s)
    by_king = king_targets(s, king, checkers != 0)
    while movers:
        square = lowest(movers)
        here = movers & (~movers + ONE)
        movers ^= here
        becomes = PAWN
        if s.pawns & here:
            targets = here << 8 & ~both
            targets = (targets | (targets & RANK_3) << 8 & ~both | hits_up(here) & s.theirs) & allowed
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
                targets = bishop_sees(square, both)
            if s.straight & here:
                targets |= rook_sees(square, both)
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


def my_hash(s, kind, square):
    return HASH[(s.ply & 1) * 384 + kind * 64 + (square ^ (s.ply & 1) * 56)]


def their_hash(s, kind, square):
    return HASH[(~s.ply & 1) * 384 + kind * 64 + (square ^ (s.ply & 1) * 56)]


def moved(board, square, to):
    """A board with the piece on one square moved to another; a piece there is removed."""
    return board & ~(ONE << square | ONE << to) | (board >> square & ONE) << to


def play(s, m):
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    here, there = ONE << square, ONE << to
    kind = kind_at(s, square)
    mine, theirs = s.mine ^ (here | there), s.theirs & ~there
    pawns, knights, kings = moved(s.pawns, square, to), moved(s.knights, square, to), moved(s.kings, square, to)
    diagonal, straight = moved(s.diagonal, square, to), moved(s.straight, square, to)
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

    new = turned(State(mine, theirs, pawns, knights, diagonal, straight, kings, rights, clock, s.ply, worth, hash))
    # A square on which no pawn can take is dropped: the position is the same without it.
    return unpassed(new) if passed and not passers_by(new) else new


def with_sums(s):
    """The same board with its value and hash recomputed."""
    worth, hash = 0, u64(0)
    for square in bits(s.mine | s.theirs):
        kind = kind_at(s, square)
        if s.mine >> square & 1:
            worth += WORTH[64 * kind + square]
            hash ^= my_hash(s, kind, square)
        else:
            worth -= WORTH[64 * kind + (square ^ 56)]
            hash ^= their_hash(s, kind, square)
    return State(
        s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, s.rights, s.clock, s.ply, worth, hash,
    )  # fmt: skip


def turned(s):
    """The same board for the other side to move."""
    return State(
        byteswap(s.theirs), byteswap(s.mine), byteswap(s.pawns), byteswap(s.knights), byteswap(s.diagonal), byteswap(s.straight),
        byteswap(s.kings), byteswap(s.rights), s.clock, s.ply + 1, -s.worth, s.hash,
    )  # fmt: skip


def unpassed(s):
    """The same state with nothing to take en passant."""
    rights = s.rights & CORNERS
    return State(s.mine, s.theirs, s.pawns, s.knights, s.diagonal, s.straight, s.kings, rights, s.clock, s.ply, s.worth, s.hash)


def result(s):
    """A draw by dead position or by fifty moves each; a mate on the last of them counts."""
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
    """Mate or stalemate."""
    return -1 if in_check(s) else 0


def turn(s):
    return s.ply & 1


def key(s):
    """The pieces, the rights and the side to move: what repetition compares, without clocks."""
    x = u64((s.rights ^ s.rights >> 29 ^ (s.ply & 1) << 1) * 0x9E3779B97F4A7C15)
    return s.hash ^ x ^ x >> 32


def countdown(s):
    """The plies left before fifty moves each are over."""
    return 100 - s.clock


# -- hints for the search ---------------------------------------------------------------------------------------------------


def forced(s):
    """In check."""
    return in_check(s)


def may_pass(s):
    """Not in check, and not with pawns only, where having to move may lose."""
    return (s.mine & ~(s.pawns | s.kings)) != 0 and not in_check(s)


def passes(s):
    return unpassed(turned(s))


def loud(s, m):
    """Captures and promotions."""
    there = ONE << (m >> 6 & 63)
    return m >> 12 != 0 or (there & s.theirs) != 0 or (there & s.rights & RANK_6 and s.pawns >> (m & 63) & 1) != 0


PRICE = (1, 3, 3, 5, 9, 20)


def order(s, m):
    """Captures and promotions, largest victim by smallest piece: 1000 or more. Then quiet moves to better squares."""
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    if promoted:
        return 1400 + 40 * PRICE[kind_at(s, to)] if promoted == QUEEN else -100
    kind = kind_at(s, square)
    guarded = hits_down(s.pawns & s.theirs) >> to & 1
    if s.theirs >> to & 1:
        victim = kind_at(s, to)
        if guarded and PRICE[kind] > PRICE[victim]:
            return 8 * (PRICE[victim] - PRICE[kind])
        return 1000 + 40 * PRICE[victim] - PRICE[kind]
    if kind == PAWN and s.rights & RANK_6 & ONE << to:
        return 1000 + 40 * PRICE[PAWN] - PRICE[PAWN]
    gain = middlegame(WORTH[kind * 64 + to] - WORTH[kind * 64 + square])
    return gain - 8 * PRICE[kind] if guarded and kind != PAWN else gain


# -- evaluation: hundredths of a pawn -----------------------------------------------------------------------------------------


def pair(middle, end):
    """A middlegame and an endgame value in one word: pairs are added and negated as plain ints."""
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


def worth_table():
    """A pair for each kind and square of the side to move: at 64 * kind + square."""
    table = []
    for middle, end in SQUARES:
        for square in range(64):
            rank, file = square >> 3, min(square & 7, 7 - (square & 7))
            table.append(pair(*(piece + ranks[rank] + files[file] for piece, ranks, files in (middle, end))))
    return tuple(table)


WORTH = worth_table()
PASSED = tuple(pair(*x) for x in ((0, 0), (2, 8), (4, 12), (8, 26), (24, 52), (54, 96), (92, 150), (0, 0)))
NEAR_PASSED = (0, 0, 0, 1, 2, 4, 5, 0)  # how much the kings' distances to a passed pawn count, by its rank
ISOLATED, DOUBLED, SUPPORTED = pair(-11, -12), pair(-6, -16), pair(7, 5)
BISHOPS = pair(26, 44)
MOBILITY = tuple(pair(*x) for x in ((0, 0), (5, 6), (5, 5), (3, 5), (2, 3)))  # by kind, for each square that a piece can go to
ROOK_FILE, ROOK_HALF_FILE, ROOK_SEVENTH = pair(24, 12), pair(11, 8), pair(6, 18)
SHELTER, FAR_SHELTER, BARE_FILE = pair(16, 0), pair(9, 0), pair(-13, 0)
THREAT = pair(34, 26)  # a pawn attacks a piece
ASSAULT = (0, 2, 2, 3, 3)  # by kind, for each square near their king that a piece attacks
TEMPO = 14
FULL_PHASE = 24  # with all pieces on the board: 1 for a knight or bishop, 2 for a rook, 4 for a queen


def side_of(file_set):
    """The squares and their neighbours on the same rank."""
    return file_set | file_set << 1 & ~FILE_A | file_set >> 1 & ~FILE_H


def below(squares):
    """The given squares and all squares below them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def above(squares):
    """The given squares and all squares above them."""
    return byteswap(below(byteswap(squares)))


def distance(a, b):
    """The number of king moves from a to b."""
    return max(abs((a >> 3) - (b >> 3)), abs((a & 7) - (b & 7)))


def pawn_score(s):
    """The pawns of the side to move and the shelter of its king: a pair."""
    mine, theirs = s.pawns & s.mine, s.pawns & s.theirs
    files = below(above(mine))
    lonely = mine & ~(files << 1 & ~FILE_A | files >> 1 & ~FILE_H)
    hits = hits_up(mine)
    score = ISOLATED * popcount(lonely) + DOUBLED * popcount(mine & below(mine) >> 8)
    score += SUPPORTED * popcount(mine & (hits | mine << 1 & ~FILE_A)) + THREAT * popcount(hits & s.theirs & ~s.pawns)
    king, their_king = lowest(s.kings & s.mine), lowest(s.kings & s.theirs)
    free = mine & ~side_of(below(theirs) >> 8) & ~(below(mine) >> 8)
    for square in bits(free):
        rank = square >> 3
        score += PASSED[rank]
        step = NEAR_PASSED[rank]
        score += pair(0, step * (5 * distance(their_king, square + 8) - 2 * distance(king, square + 8)))
        if s.theirs >> (square + 8) & 1:
            score -= pair(step * 5, step * 8)
    front = side_of(ONE << king)
    score += SHELTER * popcount(mine & front << 8) + FAR_SHELTER * popcount(mine & front << 16)
    return score + BARE_FILE * popcount(below(front) & RANK_1 & ~files)


def piece_score(s):
    """The mobility of the pieces of the side to move and their attack on the other king: a pair."""
    both = s.mine | s.theirs
    queens = s.diagonal & s.straight
    my_pawns = s.pawns & s.mine
    area = ~(my_pawns | s.kings & s.mine | hits_down(s.pawns & s.theirs))
    their_king = lowest(s.kings & s.theirs)
    near = KING_STEPS[their_king] | KING_STEPS[their_king] >> 8
    score, assault, attackers = 0, 0, 0
    for square in bits(s.mine & s.knights):
        seen = KNIGHT_STEPS[square]
        score += MOBILITY[KNIGHT] * popcount(seen & area)
        assault += ASSAULT[KNIGHT] * popcount(seen & near)
        attackers += (seen & near) != 0
    for square in bits(s.mine & s.diagonal):
        seen = bishop_sees(square, both ^ queens & s.mine)
        kind = QUEEN if queens >> square & 1 else BISHOP
        score += MOBILITY[kind] * popcount(seen & area)
        assault += ASSAULT[kind] * popcount(seen & near)
        attackers += (seen & near) != 0
    for square in bits(s.mine & s.straight):
        seen = rook_sees(square, both ^ s.straight & s.mine)
        kind = QUEEN if queens >> square & 1 else ROOK
        score += MOBILITY[kind] * popcount(seen & area)
        assault += ASSAULT[kind] * popcount(seen & near)
        attackers += (seen & near) != 0
        if kind == ROOK:
            if not FILES[square] & my_pawns:
                score += ROOK_HALF_FILE if FILES[square] & s.pawns else ROOK_FILE
            if square >> 3 == 6:
                score += ROOK_SEVENTH
    if attackers > 1:
        score += min(assault * assault // 3, 360) if s.mine & queens else min(assault * assault // 8, 120)
    bishops = s.mine & s.diagonal & ~queens
    return score + BISHOPS if bishops & LIGHT and bishops & ~LIGHT else score


def heavy(s, side):
    """The value of a side's pieces without king and pawns, in pawns."""
    side &= ~s.kings
    lone = popcount(side & s.knights) + popcount(side & s.diagonal)
    return 3 * lone + 5 * popcount(side & s.straight) + popcount(side & s.diagonal & s.straight)


def drawish(s, strong, weak):
    """How many sixteenths of an advantage count: few without pawns or with bishops of opposite colours."""
    if not strong & s.pawns:
        ahead = heavy(s, strong) - heavy(s, weak)
        if ahead <= 3 or (ahead == 6 and not strong & ~(s.knights | s.kings)):
            return 2
    bishops = s.diagonal & ~s.straight
    if s.knights | s.straight or popcount(bishops & strong) != 1 or popcount(bishops & weak) != 1:
        return 16
    return 9 if bishops & LIGHT and bishops & ~LIGHT else 16


def cornered(s, bare, king):
    """An endgame bonus: drives a bare king to the edge, or a corner of a lone bishop's colour, and brings the other king up."""
    score = 160 - 10 * distance(bare, king)
    if not s.pawns | s.straight and s.diagonal and not s.diagonal & (s.diagonal - ONE):
        one, two = (7, 56) if s.diagonal & LIGHT else (0, 63)
        score += 30 * (7 - min(distance(bare, one), distance(bare, two)))
    return score


def evaluate(s):
    """Material and squares, pawns, mobility, attacks on the king; interpolated between middlegame and endgame."""
    other = turned(s)
    score = s.worth + pawn_score(s) - pawn_score(other) + piece_score(s) - piece_score(other)
    middle, end = middlegame(score) + TEMPO, endgame(score)
    if s.theirs & ~s.kings == 0:
        end += cornered(s, lowest(s.theirs), lowest(s.mine & s.kings))
    elif s.mine & ~s.kings == 0:
        end -= cornered(s, lowest(s.mine), lowest(s.theirs & s.kings))
    phase = popcount(s.knights) + popcount(s.diagonal) + 2 * popcount(s.straight) + popcount(s.diagonal & s.straight)
    phase = min(phase, FULL_PHASE)
    score = (middle * phase + end * (FULL_PHASE - phase)) // FULL_PHASE
    score = score * (drawish(s, s.mine, s.theirs) if score > 0 else drawish(s, s.theirs, s.mine)) // 16
    return max(-8999, min(8999, score))


# -- endings ----------------------------------------------------------------------------------------------------------------

MOST = 7  # pieces that fit in a word
PASSED_PAWN, CASTLING_ROOK = 5, 6  # the kinds, in a word, of a pawn to be taken en passant and of a rook that may castle


def ending(text):
    """`KBNK`: the pieces of each side, king first. Four bits per piece except kings: 8 for the second side, plus kind + 1."""
    if not re.fullmatch(r"K[QRBNP]*K[QRBNP]*", text) or not 3 <= len(text) <= 5:
        raise ValueError("write the pieces of both sides, such as KQK, KBNK or KRKP; at least 3 and at most 5")
    first, second = text[1:].split("K")
    men = 0
    for side, letters in ((0, first), (8, second)):
        for letter in letters:
            men = men << 4 | side + LETTERS.index(letter) + 1
    return men


def arranged(men, swap, squares):
    """The state with these pieces (as in `ending`; with `swap`, sides exchanged) on squares of six bits each, mine to move.

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
    """Every position of an ending; by symmetry, the king of the side to move stays on one part of the board."""
    count, pawns, rest = 2, False, men
    while rest:
        pawns |= rest & 7 == 1
        count += 1
        rest >>= 4
    for swap in range(2):
        for squares in range(1 << 6 * count):
            file, rank = squares & 7, squares >> 3 & 7
            if file < 4 and (pawns or rank <= file):
                s = arranged(men, swap, squares)
                if s.mine and not in_check(turned(s)) and not KING_STEPS[squares & 63] >> (squares >> 6 & 63) & 1:
                    yield with_sums(s)


def mirrored(s):
    """The state with left and right exchanged."""
    return State(
        bitreverse(byteswap(s.mine)), bitreverse(byteswap(s.theirs)), bitreverse(byteswap(s.pawns)),
        bitreverse(byteswap(s.knights)), bitreverse(byteswap(s.diagonal)), bitreverse(byteswap(s.straight)),
        bitreverse(byteswap(s.kings)), bitreverse(byteswap(s.rights)), s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def upended(s):
    """The state with top and bottom exchanged, but not the sides."""
    return State(
        byteswap(s.mine), byteswap(s.theirs), byteswap(s.pawns), byteswap(s.knights), byteswap(s.diagonal),
        byteswap(s.straight), byteswap(s.kings), byteswap(s.rights), s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def tilted_board(board):
    """A word with files and ranks exchanged: blocks of 4, 2 and 1 squares swap across the diagonal."""
    x = (board ^ board << 28) & u64(0x0F0F0F0F00000000)
    board ^= x ^ x >> 28
    x = (board ^ board << 14) & u64(0x3333000033330000)
    board ^= x ^ x >> 14
    x = (board ^ board << 7) & u64(0x5500550055005500)
    return board ^ x ^ x >> 7


def tilted(s):
    """The state with files and ranks exchanged."""
    return State(
        tilted_board(s.mine), tilted_board(s.theirs), tilted_board(s.pawns), tilted_board(s.knights), tilted_board(s.diagonal),
        tilted_board(s.straight), tilted_board(s.kings), tilted_board(s.rights), s.clock, s.ply, s.worth, s.hash,
    )  # fmt: skip


def word(s):
    """The squares of the kings, mine lowest, then ten bits per piece: its square, its kind, whether it is theirs."""
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
    """The position as one word, without clocks: of its symmetric images, the one with my king in the lower left.

    With pawns only left and right may be exchanged, with castling rights nothing.
    """
    if popcount(s.mine | s.theirs) > MOST:
        return u64(0)
    king = lowest(s.kings & s.mine)
    whole = not s.pawns and not s.rights
    if king & 4 and not s.rights & CORNERS:
        s, king = mirrored(s), king ^ 7
    if king & 32 and whole:
        s, king = upended(s), king ^ 56
    if king >> 3 > king & 7 and whole:
        s, king = tilted(s), king >> 3 | (king & 7) << 3
    found = word(s)
    if king >> 3 == king & 7 and whole:
        found = min(found, word(tilted(s)))
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


# -- text and board ---------------------------------------------------------------------------------------------------------

CASTLING = {"K": 7, "Q": 0, "k": 63, "q": 56}
FEN_RANK = re.compile(r"(?:[1-8](?![1-8])|[PBNRQKpbnrqk])+")
SAN = re.compile(r"([KQRBN])?([a-h])?([1-8])?[x:-]?([a-h][1-8])(?:=?([QRBNqrbn]))?")
UCI = re.compile(r"([a-h][1-8])[\s:x-]*([a-h][1-8])\s*=?([qrbn]?)", re.IGNORECASE)


def name(s, square):
    """The name of a square."""
    square ^= 56 * turn(s)
    return f"{'abcdefgh'[square & 7]}{(square >> 3) + 1}"


def letter_at(s, square):
    """The piece on a square as seen by the side to move: capitals are White's; a dot if there is none."""
    if not (s.mine | s.theirs) >> square & 1:
        return "."
    letter = LETTERS[kind_at(s, square)]
    return letter if (s.mine >> square & 1) ^ turn(s) else letter.lower()


def cells(s):
    flip = 56 * (1 - turn(s))
    for i in range(64):
        square = i ^ flip
        if not (s.mine | s.theirs) >> square & 1:
            yield 0
        else:
            yield i64(kind_at(s, square)) + (1 if s.mine >> square & 1 != turn(s) else 7)


def touch(s, m):
    flip = 56 * (1 - turn(s))
    yield m & 63 ^ flip
    yield m >> 6 & 63 ^ flip


def format_move(s, m):
    """Standard algebraic notation."""
    new = play(s, m)
    mark = ""
    if in_check(new):
        mark = "+" if any(True for _ in moves(new)) else "#"
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    kind = kind_at(s, square)
    if castling(s, m):
        return ("O-O" if to > square else "O-O-O") + mark
    takes = "x" if loud(s, m) and (s.theirs >> to & 1 or not promoted) else ""
    if kind == PAWN:
        origin = name(s, square)[0] if takes else ""
        return origin + takes + name(s, to) + ("=" + LETTERS[promoted] if promoted else "") + mark
    both = s.mine | s.theirs
    near = KNIGHT_STEPS[to] if kind == KNIGHT else bishop_sees(to, both) | rook_sees(to, both)
    rivals = []
    if any(kind_at(s, other) == kind for other in bits(near & s.mine) if other != square):
        rivals = [n & 63 for n in moves(s) if n >> 6 & 63 == to and n & 63 != square and kind_at(s, n & 63) == kind]
    origin = name(s, square)
    if not rivals:
        origin = ""
    elif all(r & 7 != square & 7 for r in rivals):
        origin = origin[0]
    elif all(r >> 3 != square >> 3 for r in rivals):
        origin = origin[1]
    return LETTERS[kind] + origin + takes + name(s, to) + mark


def parse_move(s, text):
    """The legal move named by SAN (e4, Nf3, O-O, exd8=Q+) or UCI (e2e4, e7e8q), ignoring case; also e2-e4, e2 e4 and 0-0."""
    given, text = text, re.sub(r"(\s*e\.?p\.?)?[+#!?]*$", "", text)
    castle = {"OO": 2, "OOO": -2}.get(re.sub(r"[\s-]", "", text.upper().replace("0", "O")))
    if castle:
        found = [m for m in moves(s) if castling(s, m) == castle]
    else:
        matches = filter(None, map(SAN.fullmatch, spellings(text)))
        found = next(filter(None, ([m for m in moves(s) if is_meant(s, m, *match.groups())] for match in matches)), [])
    if not found:
        raise ValueError(given)
    if len(found) > 1:
        raise ValueError(f"which one: from {' or '.join(sorted(name(s, m & 63) for m in found))}?")
    return found[0]


def spellings(text):
    """What a text may mean as SAN, most likely first: as written, a pawn's move, a piece's move.

    A lower-case b is a file if a pawn could take from it, as in bxc3: then it is never a bishop.
    """
    uci = UCI.fullmatch(text)
    if uci:
        return ["".join(uci.groups()).lower()]
    rest = text[1:].lower()
    piece = text[:1].upper() + rest
    pawn = re.fullmatch(r"bx?[ac][1-8].*", text)
    return [text, text[:1] + rest, text.lower(), *([] if pawn else [piece])]


def is_meant(s, m, letter, file, rank, target, becomes):
    """Is this the move that the parts of SAN or UCI describe?"""
    origin = name(s, m & 63)
    if name(s, m >> 6 & 63) != target or file not in (None, origin[0]) or rank not in (None, origin[1]):
        return False
    if (becomes or "P").upper() != LETTERS[m >> 12]:
        return False
    uci = file and rank and not letter  # such a text may mean any piece
    return uci or ((letter or "P") == LETTERS[kind_at(s, m & 63)] and not castling(s, m))


def castling(s, m):
    """How far to the right the king goes if the move castles, otherwise 0."""
    by = (m >> 6 & 63) - (m & 63)
    return by if abs(by) == 2 and kind_at(s, m & 63) == KING else 0


def format_state(s):
    """Forsyth-Edwards notation, with the en passant square only if a pawn may take there."""
    text = "".join(BOARD.piece(x).letter for x in cells(s))
    rows = "/".join(re.sub(r"\.+", lambda dots: str(len(dots[0])), text[i : i + 8]) for i in range(0, 64, 8))
    rights = byteswap(s.rights) if turn(s) else s.rights
    castles = "".join(letter for letter, corner in CASTLING.items() if rights >> corner & 1) or "-"
    passed = s.rights & RANK_6
    return f"{rows} {'wb'[turn(s)]} {castles} {name(s, lowest(passed)) if passed else '-'} {s.clock} {s.ply // 2 + 1}"


def parse_state(text):
    """The state that a FEN describes; the two clocks may be left out."""
    parts = text.split()
    if len(parts) == 4:
        parts += ["0", "1"]
    if len(parts) != 6 or parts[1] not in ("w", "b") or not all(re.fullmatch(r"[0-9]{1,6}", clock) for clock in parts[4:]):
        raise ValueError("a FEN is: ranks, w or b, castling, en passant, two clocks")
    rows, side, castles, passed, clock, number = parts
    if int(number) < 1:
        raise ValueError("moves are counted from 1")
    s = place(rows, 2 * int(number) - 2 + (side == "b"), int(clock))
    s = with_rights(s, castles, passed)
    if in_check(turned(s)) or KING_STEPS[lowest(s.mine & s.kings)] & s.kings:
        raise ValueError("the side that has just moved is in check")
    return s if passers_by(s) else unpassed(s)


def place(rows, ply, clock):
    """The state with the pieces of the first part of a FEN."""
    lines = rows.split("/")
    if len(lines) != 8 or not all(FEN_RANK.fullmatch(line) for line in lines):
        raise ValueError("eight ranks are needed")
    letters = [re.sub(r"\d", lambda n: "." * int(n[0]), line) for line in lines]
    if any(len(line) != 8 for line in letters):
        raise ValueError("a rank has eight squares")
    cells = "".join(letters[::-1])
    white, black = (sum(1 << i for i, c in enumerate(cells) if f(c)) for f in (str.isupper, str.islower))
    pawn, bishop, knight, rook, queen, king = (sum(1 << i for i, c in enumerate(cells.upper()) if c == k) for k in LETTERS)
    for colour in (white, black):
        extra = sum(max(0, popcount(x & colour) - n) for x, n in ((bishop, 2), (knight, 2), (rook, 2), (queen, 1)))
        if popcount(king & colour) != 1 or popcount(pawn & colour) + extra > 8:
            raise ValueError("a side has one king, and at most eight pawns and promoted pieces")
    if pawn & (RANK_1 | RANK_1 << 56):
        raise ValueError("there is a pawn on the first or last rank")
    s = State(white, black, pawn, knight, bishop | queen, rook | queen, king, 0, clock, ply & ~1, 0, 0)
    s = with_sums(s)
    return turned(s) if ply & 1 else s


def with_rights(s, castles, passed):
    """The state with the rights that the FEN gives; they must fit the pieces."""
    flip = 56 * turn(s)
    rights = 0
    if not re.fullmatch(r"-|K?Q?k?q?", castles):
        raise ValueError("castling rights are some of KQkq, or -")
    for letter in castles.strip("-"):
        corner = CASTLING[letter]
        king = corner & 56 | 4
        if letter_at(s, corner ^ flip) != "rR"[letter.isupper()] or letter_at(s, king ^ flip) != "kK"[letter.isupper()]:
            raise ValueError(f"castling {letter}: king or rook is not on its square")
        rights |= 1 << (corner ^ flip)
    if passed != "-":
        if not re.fullmatch(r"[a-h][36]", passed):
            raise ValueError("en passant must be a square such as e3, or -")
        square = "abcdefgh".index(passed[0]) + 8 * (int(passed[1]) - 1) ^ flip
        pawn = s.pawns & s.theirs
        if square >> 3 != 5 or not pawn >> (square - 8) & 1 or (s.mine | s.theirs) & (1 << square | 1 << (square + 8)):
            raise ValueError("no pawn has just moved two squares there")
        rights |= 1 << square
    return State(*s[:7], rights, *s[8:])
