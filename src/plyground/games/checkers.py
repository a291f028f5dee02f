"""Checkers (English draughts): 8x8, short kings, men capture forwards only; captures are compulsory, but any may be chosen.

Rules: the WCDF Rules of Draughts. Black moves first. A capture goes on until the piece can capture no more, but a man that
reaches the king row is crowned and stops there. A side that can't move has lost. Draws that a player may claim there end the game
here at once: the third occurrence of a position, and forty moves each without a capture and without a move of a man (1.32).

One bit per dark square; a spare bit after every second row makes each diagonal step the same shift on the whole board:

      .  0  .  1  .  2  .  3        squares  1  2  3  4    black's home row, where white crowns
      4  .  5  .  6  .  7  . (8)             5  6  7  8
      .  9  . 10  . 11  . 12                 9 10 11 12
     13  . 14  . 15  . 16  . (17)           13 14 15 16
      . 18  . 19  . 20  . 21                17 18 19 20
     22  . 23  . 24  . 25  . (26)           21 22 23 24
      . 27  . 28  . 29  . 30                25 26 27 28
     31  . 32  . 33  . 34  .                29 30 31 32    white's home row, where black crowns

Directions: 0 down left (+4), 1 down right (+5), 2 up left (-5), 3 up right (-4); direction 3 - d is the opposite of d.

A move is `path << 7 | jump << 6 | from`: the path is a 1 followed by two bits per step, the first step highest. So captures that
end on the same square are different moves if their paths differ, even if the same pieces are captured in another order.
"""

import re
from typing import NamedTuple

from plyground.bits import highest, i64, lowest, mix, popcount, u64
from plyground.rules.dark_squares import DarkSquares

TITLE = "Checkers"
SIDES = ("black", "white")
ALTERNATE = True
REPETITION = 3
ENDINGS = ("2", "3")

BIT = tuple(n + n // 8 for n in range(32))
SQUARES = sum(1 << b for b in BIT)
STEP = (4, 5, -5, -4)
ROW = tuple(0b1111 << BIT[4 * row] for row in range(8))
CROWN = (ROW[7], ROW[0])
DARK = DarkSquares(BIT, "BW", CROWN, 12)
BOARD, cells, DARK_CELL = DARK.board, DARK.cells, DARK.cell_of
GUARD = sum(1 << BIT[n - 1] for n in (1, 3, 30, 32))  # the bridge: two men that keep a whole home row
CENTRE = sum(1 << BIT[n - 1] for n in (10, 11, 14, 15, 18, 19, 22, 23))
ADVANCE = (0, 0, 1, 1, 2, 5, 18, 0)  # of a man, by its row counted from its home row
JUMP = 1 << 6
DRAW = 80  # plies without a capture or a move of a man


class State(NamedTuple):
    mine: int  # pieces of the side to move
    theirs: int
    kings: int  # of both sides
    side: int  # 0 black, which moves down; 1 white, which moves up
    quiet: int  # plies since a capture or a move of a man


def start():
    black = sum(1 << b for b in BIT[:12])
    white = sum(1 << b for b in BIT[20:])
    return State(black, white, 0, 0, 0)


def shift(x, d):
    """Return the squares x, each one step on in direction d."""
    return x << STEP[d] if d < 2 else x >> -STEP[d]


def movers(mine, kings, side, d):
    """Return the pieces that may move in direction d."""
    return mine if d >> 1 == side else mine & kings


def jumpers(s):
    """Return the pieces that can capture."""
    empty = SQUARES & ~(s.mine | s.theirs)
    found = 0
    for d in range(4):
        found |= shift(shift(empty, 3 - d) & s.theirs, 3 - d) & movers(s.mine, s.kings, s.side, d)
    return found


def jumps(s, pieces):
    """Yield each way in which each piece can capture until it can capture no more: depth first, two bits of path per jump."""
    while pieces:
        origin = pieces & -pieces
        pieces ^= origin
        empty = SQUARES & ~(s.mine | s.theirs) | origin
        first, last = (0, 4) if origin & s.kings else (2 * s.side, 2 * s.side + 2)
        at, captured, path, d = origin, 0, 1, first
        extended = False
        while True:
            over = shift(at, d) & s.theirs & ~captured
            land = shift(over, d) & empty
            if land:
                at, captured, path, d = land, captured | over, path << 2 | d, first
                extended = True
                continue
            d += 1
            while d == last and path > 1:
                if extended:
                    yield path << 7 | JUMP | lowest(origin)
                    extended = False
                d = path & 3
                path >>= 2
                captured ^= shift(at, 3 - d)
                at = shift(shift(at, 3 - d), 3 - d)
                d += 1
            if d == last:
                break


def moves(s):
    pieces = jumpers(s)
    if pieces:
        for m in jumps(s, pieces):  # noqa: UP028 (`yield from` does not compile)
            yield m
    else:
        empty = SQUARES & ~(s.mine | s.theirs)
        for d in range(4):
            targets = shift(movers(s.mine, s.kings, s.side, d), d) & empty
            while targets:
                to = lowest(targets)
                targets &= targets - 1
                yield (4 | d) << 7 | to - STEP[d]


def trace(m):
    """Return where a move starts and ends and what it captures, as bits."""
    origin = 1 << (m & 63)
    path = m >> 7
    if not m & JUMP:
        return origin, shift(origin, path & 3), 0
    at, captured = origin, 0
    for i in range(highest(path) - 2, -1, -2):
        over = shift(at, path >> i & 3)
        captured |= over
        at = shift(over, path >> i & 3)
    return origin, at, captured


def play(s, m):
    origin, to, captured = trace(m)
    king = s.kings & origin
    kings = s.kings & ~(origin | captured)
    if king or to & CROWN[s.side]:
        kings |= to
    quiet = s.quiet + 1 if king and not captured else 0
    return State(s.theirs & ~captured, s.mine & ~origin | to, kings, 1 - s.side, quiet)


def can_move(s):
    """Return whether the side to move has a legal move."""
    free = 0
    for d in range(4):
        free |= shift(movers(s.mine, s.kings, s.side, d), d) & SQUARES & ~(s.mine | s.theirs)
    return free != 0 or forced(s)


def result(s):
    if s.quiet < DRAW:
        return None
    return 0 if can_move(s) else -1


def stuck(s):
    return -1


def turn(s):
    return s.side


def key(s):
    """Mix everything but the counter into one word."""
    return mix(s.mine ^ mix(s.theirs ^ mix(s.kings << 1 | s.side)))


def countdown(s):
    """Return the plies left before the counter makes the game a draw."""
    return DRAW - s.quiet


def forced(s):
    """Return whether the side to move must capture."""
    return jumpers(s) != 0


# -- heuristics, in hundredths of a man -----------------------------------------------------------------------------------------


def worth(pieces, others, kings, side):
    """Count material, advance, the home row held while the other side has men, kings in the centre, and squares to move to."""
    men, crowned = pieces & ~kings, pieces & kings
    score = 100 * popcount(men) + 140 * popcount(crowned) + 6 * popcount(crowned & CENTRE)
    for row in range(2, 7):
        score += ADVANCE[row] * popcount(men & ROW[row if side == 0 else 7 - row])
    if others & ~kings:
        score += 14 * popcount(men & CROWN[1 - side] & GUARD)
    free = 0
    for d in range(4):
        free |= shift(movers(pieces, kings, side, d), d) & SQUARES & ~(pieces | others)
    return score + 2 * popcount(free)


def evaluate(s):
    """Return the difference in value; the side with more pieces prefers an emptier board."""
    score = worth(s.mine, s.theirs, s.kings, s.side) - worth(s.theirs, s.mine, s.kings, 1 - s.side)
    mine, theirs = popcount(s.mine), popcount(s.theirs)
    lead = 200 * abs(mine - theirs) // (mine + theirs + 1)
    return score + (lead if mine > theirs else -lead) + 3


def order(s, m):
    """Rank the longest captures first, then crowning, then advancing men, with those on the home row last."""
    if m & JUMP:
        return 1000 + highest(m >> 7)
    origin, to, _ = trace(m)
    if origin & s.kings:
        return 4 if to & CENTRE else 2
    if to & CROWN[s.side]:
        return 1000
    if origin & CROWN[1 - s.side]:
        return 0
    return (m & 63 if s.side == 0 else 34 - (m & 63)) // 4


def loud(s, m):
    """Return whether a move captures or crowns."""
    if m & JUMP:
        return True
    origin, to, _ = trace(m)
    return not origin & s.kings and to & CROWN[s.side] != 0


# -- endings ----------------------------------------------------------------------------------------------------------------

MOST = 8  # pieces that fit into a word
WHITE, KING = 32, 64  # of a piece: its square, and these


def ending(text):
    """Read `4`: every position with at most that many pieces."""
    if not re.fullmatch(r"[1-5]", text):
        raise ValueError("write the maximum number of pieces, 1 to 5")
    return int(text)


def first_misplaced(n, digits):
    """Return how many of n pieces, written as in `pack`, come after the first that can't be there; -1 if all can."""
    last = -1
    for left in range(n - 1, -1, -1):
        digit = digits >> 7 * left & 127
        square = digit & 31
        if square <= last or (not digit & KING and 1 << BIT[square] & CROWN[digit >> 5 & 1]):
            return left
        last = square
    return -1


def state_from_digits(n, digits):
    """Return the state with n pieces, written as in `pack`."""
    mine, theirs, kings = 0, 0, 0
    for left in range(n):
        digit = digits >> 7 * left & 127
        bit = 1 << BIT[digit & 31]
        if digit & WHITE:
            theirs |= bit
        else:
            mine |= bit
        if digit & KING:
            kings |= bit
    return State(mine, theirs, kings, 0, 0)


def positions(pieces):
    """Yield every position with at most that many pieces, as seen by the side to move."""
    for n in range(1, pieces + 1):
        digits = 0
        while digits >> 7 * n == 0:
            left = first_misplaced(n, digits)
            if left < 0:
                yield state_from_digits(n, digits)
                left = 0
            digits = ((digits >> 7 * left) + 1) << 7 * left


def pack(s):
    """Return a 1, then seven bits per piece from square 1 on, the board turned so that black is to move; without the counter."""
    both = s.mine | s.theirs
    if popcount(both) > MOST:
        return u64(0)
    word = u64(1)
    while both:
        b = lowest(both) if s.side == 0 else highest(both)
        both ^= 1 << b
        place = b if s.side == 0 else 34 - b
        word = word << 7 | u64(place - place // 9 | (s.theirs >> b & 1) * WHITE | (s.kings >> b & 1) * KING)
    return word


def unpack(word):
    n = highest(word) // 7
    return state_from_digits(n, i64(word) & (1 << 7 * n) - 1)


# -- text and board ---------------------------------------------------------------------------------------------------------


def touch(s, m):
    """Return the squares a move visits, from first to last."""
    at, path = 1 << (m & 63), m >> 7
    found = [DARK_CELL[m & 63]]
    for i in range(highest(path) - 2, -1, -2):
        at = shift(at, path >> i & 3)
        if m & JUMP:
            at = shift(at, path >> i & 3)
        found.append(DARK_CELL[lowest(at)])
    return found


def squares(m):
    """Return the same, as people number them."""
    return [int(BOARD.names[cell]) for cell in touch(None, m)]


def format_move(s, m):
    """Write `11-15` or `22x15`; the whole path, `22x15x8`, only if another capture has the same ends."""
    path = squares(m)
    alike = [other for other in moves(s) if squares(other)[:: len(squares(other)) - 1] == [path[0], path[-1]]]
    return ("x" if m & JUMP else "-").join(map(str, path if len(alike) > 1 else (path[0], path[-1])))


def parse_move(s, text):
    given = [int(n) for n in re.split(r"\s*[-x:\s]\s*", text.lower())]
    paths = {m: squares(m) for m in moves(s)}
    whole = [m for m, path in paths.items() if given == path]
    (m,) = whole or [m for m, path in paths.items() if given == [path[0], path[-1]]]
    return m


def parse_state(text):
    *pieces, side, quiet = DARK.parse_state(text)
    if quiet > DRAW:
        raise ValueError(f"the game is drawn after {DRAW} quiet plies")
    return State(*pieces, side, quiet)


format_state, show = DARK.format_state, DARK.counts
