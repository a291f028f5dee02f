"""Attacks on bit boards: the squares that a piece on a square attacks."""

from plyground.bits import byteswap, u64

ONE, ALL = u64(1), u64(-1)
FILE_A, FILE_H = u64(0x0101010101010101), u64(0x8080808080808080)
RANK_1, RANK_2, RANK_3, RANK_6, RANK_7, RANK_8 = (u64(0xFF << 8 * (rank - 1)) for rank in (1, 2, 3, 6, 7, 8))
CORNERS = u64(0x8100000000000081)
LIGHT = u64(0x55AA55AA55AA55AA)


def targets_of_steps(steps, far=False):
    """Return, for each square, where the steps lead to: each step taken once, or repeated to the edge of the board."""
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


KNIGHT_STEPS = targets_of_steps([(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)])
KING_STEPS = targets_of_steps([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y])
ROWS, FILES, RISING, FALLING = (targets_of_steps([(x, y), (-x, -y)], far=True) for x, y in ((1, 0), (0, 1), (1, 1), (1, -1)))


def rank_attacks():
    """Return what a rook sees on its rank: at 8 * (the six inner squares of the rank, as bits) + (its file)."""
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
    """Return the whole line through two squares, 0 if there is none."""
    return u64(sum(line[a] | 1 << a for line in (ROWS, FILES, RISING, FALLING) if line[a] >> b & 1))


RANK_ATTACKS = rank_attacks()
LINE = tuple(line_through(a, b) for a in range(64) for b in range(64))


def line_attacks(line, square, both):
    """Return a slider's attacks on a line by hyperbola quintessence: the subtraction o - 2r, also on the reversed board."""
    pieces = both & line
    return ((pieces - (ONE << square)) ^ byteswap(byteswap(pieces) - (ONE << (square ^ 56)))) & line


def bishop_attacks(square, both):
    return line_attacks(RISING[square], square, both) | line_attacks(FALLING[square], square, both)


def rook_attacks(square, both):
    row = square & 56
    return line_attacks(FILES[square], square, both) | RANK_ATTACKS[(both >> row & 0x7E) << 2 | square & 7] << row


def pawn_attacks_up(pawns):
    """Return the squares that pawns going up attack."""
    return pawns << 7 & ~FILE_H | pawns << 9 & ~FILE_A


def pawn_attacks_down(pawns):
    """Return the squares that pawns going down attack."""
    return pawns >> 7 & ~FILE_A | pawns >> 9 & ~FILE_H


def between(a, b):
    """Return the squares from a to b on their line, without a and with b; only b if there is no line."""
    return LINE[a << 6 | b] & ((ALL << a) ^ (ALL << b)) & ~(ONE << a) | ONE << b
