"""Chess: what a position is worth, and hints for the search."""

from plyground.bits import bits, byteswap, lowest, popcount

from .attacks import (
    FILE_A,
    FILE_H,
    FILES,
    KING_STEPS,
    KNIGHT_STEPS,
    LIGHT,
    ONE,
    RANK_1,
    bishop_attacks,
    pawn_attacks_down,
    pawn_attacks_up,
    rook_attacks,
)
from .rules import BISHOP, KNIGHT, PAWN, QUEEN, ROOK, in_check, is_capture, swap_sides, without_en_passant
from .squares import WORTH, endgame, kind_at, make_score, middlegame


def forced(s):
    """Return whether the side to move is in check."""
    return in_check(s)


def may_pass(s):
    """Return whether a pass is allowed: not in check, and not with pawns only, where zugzwang is likely."""
    return (s.mine & ~(s.pawns | s.kings)) != 0 and not in_check(s)


def passes(s):
    return without_en_passant(swap_sides(s))


EXCHANGE_VALUE = (1, 3, 3, 5, 9, 100)  # of a piece in an exchange, by kind


def attackers(s, square, both):
    """Return the pieces of both sides that attack a square if these squares are occupied."""
    here = ONE << square
    pawns = pawn_attacks_down(here) & s.mine | pawn_attacks_up(here) & s.theirs
    found = pawns & s.pawns | KNIGHT_STEPS[square] & s.knights | KING_STEPS[square] & s.kings
    return (found | bishop_attacks(square, both) & s.diagonal | rook_attacks(square, both) & s.straight) & both


def smallest(s, pieces):
    """Return the smallest of these pieces."""
    pawns, knights, bishops, rooks = pieces & s.pawns, pieces & s.knights, pieces & s.diagonal, pieces & s.straight
    found = pawns
    if not found:
        found = knights
    if not found:
        found = bishops & ~rooks
    if not found:
        found = rooks & ~bishops
    if not found:
        found = bishops
    if not found:
        found = pieces
    return found & (~found + ONE)


def loses_exchange(s, m):
    """Return whether a capture loses material if both sides go on to take on its square: a static exchange evaluation.

    Each side takes with its smallest piece or stops; pins are ignored. `surplus` is what the side to take has, less what it
    needs: the other side has to win material, this one only not to lose any. A side that can't take, or is behind even after
    taking, has lost the exchange; one that is not behind even if it is taken in turn has won it.
    """
    square, to = m & 63, m >> 6 & 63
    here = ONE << square
    standing, victim = (
        EXCHANGE_VALUE[kind_at(s, square)],
        EXCHANGE_VALUE[kind_at(s, to)],
    )  # a pawn taken en passant counts: 0 is its kind
    if standing <= victim:
        return False
    both = (s.mine | s.theirs) ^ here
    theirs, surplus = True, -victim - 1
    while True:
        pieces = attackers(s, to, both)
        takers = pieces & (s.theirs if theirs else s.mine)
        surplus += standing
        taker = smallest(s, takers)
        if not takers or surplus < 0 or (taker & s.kings and pieces & ~takers):
            return not theirs
        standing = EXCHANGE_VALUE[kind_at(s, lowest(taker))]
        if surplus >= standing:
            return theirs
        theirs, surplus = not theirs, -surplus - 1
        both ^= taker


def loud(s, m):
    """Return whether a move promotes, or captures without losing material."""
    return m >> 12 != 0 or (is_capture(s, m) and not loses_exchange(s, m))


def order(s, m):
    """Rank promotions and captures that don't lose material first, largest victim by smallest piece; losing captures last."""
    square, to, promoted = m & 63, m >> 6 & 63, m >> 12
    if promoted:
        return 1400 + 40 * EXCHANGE_VALUE[kind_at(s, to)] if promoted == QUEEN else -100
    kind = kind_at(s, square)
    if is_capture(s, m):
        victim = kind_at(s, to)
        if loses_exchange(s, m):
            return 8 * (EXCHANGE_VALUE[victim] - EXCHANGE_VALUE[kind]) - 1000
        return 1000 + 40 * EXCHANGE_VALUE[victim] - min(EXCHANGE_VALUE[kind], 20)
    gain = middlegame(WORTH[kind * 64 + to] - WORTH[kind * 64 + square])
    return gain - 8 * min(EXCHANGE_VALUE[kind], 20) if kind != PAWN and pawn_attacks_down(s.pawns & s.theirs) >> to & 1 else gain


PASSED = tuple(make_score(*x) for x in ((0, 0), (2, 8), (4, 12), (8, 26), (24, 52), (54, 96), (92, 150), (0, 0)))
NEAR_PASSED = (0, 0, 0, 1, 2, 4, 5, 0)  # how much the kings' distances to a passed pawn count, by its rank
ISOLATED, DOUBLED, SUPPORTED = make_score(-11, -12), make_score(-6, -16), make_score(7, 5)
BISHOPS = make_score(26, 44)
MOBILITY = tuple(
    make_score(*x) for x in ((0, 0), (5, 6), (5, 5), (3, 5), (2, 3))
)  # by kind, for each square that a piece can go to
ROOK_FILE, ROOK_HALF_FILE, ROOK_SEVENTH = make_score(24, 12), make_score(11, 8), make_score(6, 18)
SHELTER, FAR_SHELTER, BARE_FILE = make_score(16, 0), make_score(9, 0), make_score(-13, 0)
THREAT = make_score(34, 26)  # a pawn attacks a piece
KING_ATTACK = (0, 2, 2, 3, 3)  # by kind, for each square near their king that a piece attacks
TEMPO = 14
FULL_PHASE = 24  # with all pieces on the board: 1 for a knight or bishop, 2 for a rook, 4 for a queen


def with_neighbours(file_set):
    """Return the squares and their neighbours on the same rank."""
    return file_set | file_set << 1 & ~FILE_A | file_set >> 1 & ~FILE_H


def fill_down(squares):
    """Return the given squares and all squares below them."""
    squares |= squares >> 8
    squares |= squares >> 16
    return squares | squares >> 32


def fill_up(squares):
    """Return the given squares and all squares above them."""
    return byteswap(fill_down(byteswap(squares)))


def distance(a, b):
    """Return the number of king moves from a to b."""
    return max(abs((a >> 3) - (b >> 3)), abs((a & 7) - (b & 7)))


def pawn_score(s):
    """Return the pawns of the side to move and the shelter of its king: a pair."""
    mine, theirs = s.pawns & s.mine, s.pawns & s.theirs
    files = fill_down(fill_up(mine))
    lonely = mine & ~(files << 1 & ~FILE_A | files >> 1 & ~FILE_H)
    hits = pawn_attacks_up(mine)
    score = ISOLATED * popcount(lonely) + DOUBLED * popcount(mine & fill_down(mine) >> 8)
    score += SUPPORTED * popcount(mine & (hits | mine << 1 & ~FILE_A)) + THREAT * popcount(hits & s.theirs & ~s.pawns)
    king, their_king = lowest(s.kings & s.mine), lowest(s.kings & s.theirs)
    free = mine & ~with_neighbours(fill_down(theirs) >> 8) & ~(fill_down(mine) >> 8)
    for square in bits(free):
        rank = square >> 3
        score += PASSED[rank]
        step = NEAR_PASSED[rank]
        score += make_score(0, step * (5 * distance(their_king, square + 8) - 2 * distance(king, square + 8)))
        if s.theirs >> (square + 8) & 1:
            score -= make_score(step * 5, step * 8)
    front = with_neighbours(ONE << king)
    score += SHELTER * popcount(mine & front << 8) + FAR_SHELTER * popcount(mine & front << 16)
    return score + BARE_FILE * popcount(fill_down(front) & RANK_1 & ~files)


def piece_score(s):
    """Return the mobility of the pieces of the side to move and their attack on the other king: a pair."""
    both = s.mine | s.theirs
    queens = s.diagonal & s.straight
    my_pawns = s.pawns & s.mine
    area = ~(my_pawns | s.kings & s.mine | pawn_attacks_down(s.pawns & s.theirs))
    their_king = lowest(s.kings & s.theirs)
    near = KING_STEPS[their_king] | KING_STEPS[their_king] >> 8
    score, assault, attackers = 0, 0, 0
    for square in bits(s.mine & s.knights):
        seen = KNIGHT_STEPS[square]
        score += MOBILITY[KNIGHT] * popcount(seen & area)
        assault += KING_ATTACK[KNIGHT] * popcount(seen & near)
        attackers += (seen & near) != 0
    for square in bits(s.mine & s.diagonal):
        seen = bishop_attacks(square, both ^ queens & s.mine)
        kind = QUEEN if queens >> square & 1 else BISHOP
        score += MOBILITY[kind] * popcount(seen & area)
        assault += KING_ATTACK[kind] * popcount(seen & near)
        attackers += (seen & near) != 0
    for square in bits(s.mine & s.straight):
        seen = rook_attacks(square, both ^ s.straight & s.mine)
        kind = QUEEN if queens >> square & 1 else ROOK
        score += MOBILITY[kind] * popcount(seen & area)
        assault += KING_ATTACK[kind] * popcount(seen & near)
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


def piece_value(s, side):
    """Return the value of a side's pieces without king and pawns, in pawns."""
    side &= ~s.kings
    lone = popcount(side & s.knights) + popcount(side & s.diagonal)
    return 3 * lone + 5 * popcount(side & s.straight) + popcount(side & s.diagonal & s.straight)


def scale_factor(s, strong, weak):
    """Return how many sixteenths of an advantage count: few without pawns or with bishops of opposite colours."""
    if not strong & s.pawns:
        ahead = piece_value(s, strong) - piece_value(s, weak)
        if ahead <= 3 or (ahead == 6 and not strong & ~(s.knights | s.kings)):
            return 2
    bishops = s.diagonal & ~s.straight
    if s.knights | s.straight or popcount(bishops & strong) != 1 or popcount(bishops & weak) != 1:
        return 16
    return 9 if bishops & LIGHT and bishops & ~LIGHT else 16


def mating_bonus(s, bare, king):
    """Reward driving a bare king to the edge, or to a corner of a lone bishop's colour, and bringing the other king up."""
    score = 160 - 10 * distance(bare, king)
    if not s.pawns | s.straight and s.diagonal and not s.diagonal & (s.diagonal - ONE):
        one, two = (7, 56) if s.diagonal & LIGHT else (0, 63)
        score += 30 * (7 - min(distance(bare, one), distance(bare, two)))
    return score


def evaluate(s):
    """Count material and squares, pawns, mobility, attacks on the king; interpolate between middlegame and endgame."""
    other = swap_sides(s)
    score = s.worth + pawn_score(s) - pawn_score(other) + piece_score(s) - piece_score(other)
    middle, end = middlegame(score) + TEMPO, endgame(score)
    if s.theirs & ~s.kings == 0:
        end += mating_bonus(s, lowest(s.theirs), lowest(s.mine & s.kings))
    elif s.mine & ~s.kings == 0:
        end -= mating_bonus(s, lowest(s.mine), lowest(s.theirs & s.kings))
    phase = popcount(s.knights) + popcount(s.diagonal) + 2 * popcount(s.straight) + popcount(s.diagonal & s.straight)
    phase = min(phase, FULL_PHASE)
    score = (middle * phase + end * (FULL_PHASE - phase)) // FULL_PHASE
    score = score * (scale_factor(s, s.mine, s.theirs) if score > 0 else scale_factor(s, s.theirs, s.mine)) // 16
    return max(-8999, min(8999, score))


def countdown(s):
    """Return the plies left before fifty moves each are over."""
    return 100 - s.clock
