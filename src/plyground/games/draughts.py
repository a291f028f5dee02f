"""International draughts: 10x10, flying kings, men capture backwards too, and the largest capture must be made.

Rules: the FMJD rules of international draughts (Annex 1). White moves first. Captured pieces leave the board after the whole
capture and may be jumped only once; a man is crowned only if its move ends on the king row. A side that can't move has lost.
Draws, without a claim: the third occurrence of a position; 25 moves each by kings only, without a capture; 16 moves each with
three kings, two kings and a man, or a king and two men against a king; 5 moves each with two kings, a king and a man, or a king
against a king. Where editions differ: the 16 and the 5 moves count from when such an ending arises, whichever piece moves, and a
capture that leads from the 16 to the 5 starts a new count; a king on the long diagonal doesn't shorten it; king against king is
not drawn at once.

One bit per dark square; a spare bit after every second row makes each diagonal step the same shift on the whole board:

      .  0  .  1  .  2  .  3  .  4        squares  1  2  3  4  5    black's home row, where white crowns
      5  .  6  .  7  .  8  .  9  . (10)            6  7  8  9 10
      . 11  . 12  . 13  . 14  . 15                11 12 13 14 15
     16  . 17  . 18  . 19  . 20  . (21)           16 17 18 19 20
      . 22  . 23  . 24  . 25  . 26                21 22 23 24 25
     27  . 28  . 29  . 30  . 31  . (32)           26 27 28 29 30
      . 33  . 34  . 35  . 36  . 37                31 32 33 34 35
     38  . 39  . 40  . 41  . 42  . (43)           36 37 38 39 40
      . 44  . 45  . 46  . 47  . 48                41 42 43 44 45
     49  . 50  . 51  . 52  . 53  .                46 47 48 49 50    white's home row, where black crowns

Directions: 0 down left (+5), 1 down right (+6), 2 up left (-6), 3 up right (-5); direction 3 - d is the opposite of d.

A move is `captured << 12 | from << 6 | to`: bits as drawn, and the captured squares as a mask without the spare bits, so that
everything fits in 62 bits. Captures of the same pieces between the same squares are one move, whatever their path.
"""

import re
from typing import NamedTuple

from plyground.bits import i64, lowest, mix, popcount
from plyground.rules.dark_squares import DarkSquares

TITLE = "Draughts"
SIDES = ("white", "black")
ALTERNATE = True
REPETITION = 3

BIT = tuple(n + n // 10 for n in range(50))
SQUARES = sum(1 << b for b in BIT)
STEP = (5, 6, -6, -5)
ROW = tuple(0b11111 << BIT[5 * row] for row in range(10))
CROWN = (ROW[0], ROW[9])
DARK = DarkSquares(BIT, "WB", CROWN, 20)
BOARD, cells, DARK_CELL = DARK.board, DARK.cells, DARK.cell_of
CENTRE = sum(1 << BIT[n - 1] for n in (17, 18, 19, 22, 23, 24, 27, 28, 29, 32, 33, 34))
DIAGONAL = sum(1 << BIT[n - 1] for n in (5, 10, 14, 19, 23, 28, 32, 37, 41, 46))
LEFT = sum(1 << BIT[n] for n in range(50) if n % 5 < 2)
RIGHT = sum(1 << BIT[n] for n in range(50) if n % 5 > 2)
ADVANCE = (0, 0, 1, 2, 3, 4, 6, 10, 20, 0)  # of a man, by its row counted from its home row
PAIR = (1 << 10) - 1  # two rows


class State(NamedTuple):
    mine: int  # pieces of the side to move
    theirs: int
    kings: int  # of both sides
    side: int  # 0 white, which moves up; 1 black, which moves down
    quiet: int  # plies that count towards a draw: see `draw_after`


def start():
    white = sum(1 << b for b in BIT[30:])
    black = sum(1 << b for b in BIT[:20])
    return State(white, black, 0, 0, 0)


def shift(x, d):
    """Return the squares x, each one step on in direction d."""
    return x << STEP[d] if d < 2 else x >> -STEP[d]


def squeeze(x):
    """Return a mask without its spare bits."""
    return x & PAIR | x >> 1 & PAIR << 10 | x >> 2 & PAIR << 20 | x >> 3 & PAIR << 30 | x >> 4 & PAIR << 40


def spread(x):
    """Return a mask with its spare bits again."""
    return x & PAIR | (x & PAIR << 10) << 1 | (x & PAIR << 20) << 2 | (x & PAIR << 30) << 3 | (x & PAIR << 40) << 4


def jumpers(s):
    """Return the pieces that can capture."""
    empty = SQUARES & ~(s.mine | s.theirs)
    crowned = s.mine & s.kings
    found = 0
    for d in range(4):
        near = shift(shift(empty, 3 - d) & s.theirs, 3 - d)
        found |= near & s.mine
        if crowned:
            while near:
                found |= near & crowned
                near = shift(near & empty, 3 - d)
    return found


def reach(at, d, empty, king):
    """Return the square beside `at` in direction d; for a king, the first one that isn't empty."""
    over = shift(at, d)
    if king:
        while over & empty:
            over = shift(over, d)
    return over


def extend(s, origin, at, left, after, best):
    """Return `best`, or a better capture that continues from `at` with the pieces `left`; captured pieces still block.

    `best` is the largest size, the lowest capture of that size above `after`, and the highest: compared by number, each capture
    counts once, however many ways there are to make it.
    """
    king = origin & s.kings
    empty = SQUARES & ~(s.mine | s.theirs) | origin
    ended = True
    for d in range(4):
        over = reach(at, d, empty, king)
        land = shift(over & left, d) & empty
        while land:
            ended = False
            best = extend(s, origin, land, left & ~over, after, best)
            land = shift(land, d) & empty if king else 0
    if not ended:
        return best
    size, low, high = best
    captured = s.theirs & ~left
    n = popcount(captured)
    if n < size:
        return best
    m = squeeze(captured) << 12 | lowest(origin) << 6 | lowest(at)
    if n > size:
        return n, m if m > after else -1, m
    return size, m if after < m and (low < 0 or m < low) else low, max(high, m)


def largest_captures(s, pieces, after):
    """Return the lowest above `after`, and the highest, of the largest captures of these pieces."""
    best = i64(0), i64(-1), i64(-1)  # as words: the compiler would make a version of `extend` for each constant
    while pieces:
        origin = pieces & -pieces
        pieces ^= origin
        best = extend(s, origin, origin, s.theirs, after, best)
    return best[1], best[2]


def moves(s):
    pieces = jumpers(s)
    if pieces:
        m, last = largest_captures(s, pieces, i64(-1))
        yield m
        while m != last:
            m, last = largest_captures(s, pieces, m)
            yield m
        return
    empty = SQUARES & ~(s.mine | s.theirs)
    men, crowned = s.mine & ~s.kings, s.mine & s.kings
    forward = 2 - 2 * s.side
    for d in range(forward, forward + 2):
        targets = shift(men, d) & empty
        while targets:
            to = lowest(targets)
            targets &= targets - 1
            yield to - STEP[d] << 6 | to
    while crowned:
        origin = crowned & -crowned
        crowned ^= origin
        for d in range(4):
            at = shift(origin, d) & empty
            while at:
                yield lowest(origin) << 6 | lowest(at)
                at = shift(at, d) & empty


def draw_after(mine, theirs, kings):
    """Return how many counted plies make a draw: 16 moves each with three pieces against a king, 5 with two or one.

    In these endings, with a king on both sides, every ply counts from when they arise. Elsewhere, plies since the last capture
    or move of a man count: 25 moves each.
    """
    n = popcount(mine | theirs)
    if n > 4 or not mine & kings or not theirs & kings or popcount(mine) == popcount(theirs) == 2:
        return 50
    return 32 if n == 4 else 10


def play(s, m):
    captured, origin, to = spread(m >> 12), 1 << (m >> 6 & 63), 1 << (m & 63)
    mine, theirs = s.mine & ~origin | to, s.theirs & ~captured
    king = s.kings & origin
    kings = s.kings & ~(origin | captured)
    if king or to & CROWN[s.side]:
        kings |= to
    limit = draw_after(mine, theirs, kings)
    if (king and not captured) or (limit < 50 and limit == draw_after(s.mine, s.theirs, s.kings)):
        return State(theirs, mine, kings, 1 - s.side, s.quiet + 1)
    return State(theirs, mine, kings, 1 - s.side, 0)


def movers(mine, kings, side, d):
    """Return the pieces that may move, without capturing, in direction d."""
    return mine if d >> 1 != side else mine & kings


def can_move(s):
    """Return whether the side to move has a legal move."""
    free = 0
    for d in range(4):
        free |= shift(movers(s.mine, s.kings, s.side, d), d) & SQUARES & ~(s.mine | s.theirs)
    return free != 0 or forced(s)


def result(s):
    if s.quiet < 10 or s.quiet < draw_after(s.mine, s.theirs, s.kings):
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
    return draw_after(s.mine, s.theirs, s.kings) - s.quiet


def forced(s):
    """Return whether the side to move must capture."""
    return jumpers(s) != 0


# -- heuristics, in hundredths of a man -----------------------------------------------------------------------------------------


def worth(pieces, others, kings, side):
    """Count material, advance, the home row held while the other side has men, the centre, even wings, squares to move to."""
    men, crowned = pieces & ~kings, pieces & kings
    score = 100 * popcount(men) + 300 * popcount(crowned) + 10 * popcount(crowned & DIAGONAL)
    for row in range(2, 9):
        score += ADVANCE[row] * popcount(men & ROW[9 - row if side == 0 else row])
    if others & ~kings:
        score += 4 * popcount(men & CROWN[1 - side])
    score += 2 * popcount(men & CENTRE) - abs(popcount(men & LEFT) - popcount(men & RIGHT))
    free = 0
    for d in range(4):
        free |= shift(movers(pieces, kings, side, d), d) & SQUARES & ~(pieces | others)
    return score + popcount(free)


def evaluate(s):
    """Return the difference in value, close to 0 in endings that a lone king can hold."""
    share = 1 if draw_after(s.mine, s.theirs, s.kings) == 50 else 8
    return worth(s.mine, s.theirs, s.kings, s.side) // share - worth(s.theirs, s.mine, s.kings, 1 - s.side) // share + 3


def order(s, m):
    """Rank captures first, kings before men; then crowning; then advancing men, those on the home row last."""
    if m >> 12:
        return 1000 + popcount(spread(m >> 12) & s.kings)
    origin, to = 1 << (m >> 6 & 63), 1 << (m & 63)
    if origin & s.kings:
        return 4 if to & DIAGONAL else 2
    if to & CROWN[s.side]:
        return 1000
    if origin & CROWN[1 - s.side]:
        return 0
    return (53 - (m & 63) if s.side == 0 else m & 63) // 5


def loud(s, m):
    """Return whether a move captures or crowns."""
    return m >> 12 != 0 or (s.kings >> (m >> 6 & 63) & 1 == 0 and 1 << (m & 63) & CROWN[s.side] != 0)


# -- text and board ---------------------------------------------------------------------------------------------------------


def find_way(s, origin, at, left, to, found):
    """Return whether a capture of all that is left can go on from `at` to `to`; add its cells, the last one first."""
    if not left:
        return at == to
    king = origin & s.kings
    empty = SQUARES & ~(s.mine | s.theirs) | origin
    for d in range(4):
        over = reach(at, d, empty, king)
        land = shift(over & left, d) & empty
        while land:
            if find_way(s, origin, land, left & ~over, to, found):
                found.append(DARK_CELL[lowest(land)])
                return True
            land = shift(land, d) & empty if king else 0
    return False


def touch(s, m):
    """Return from and to; of a capture also the squares between, by the first way there is to make it."""
    origin, to = m >> 6 & 63, m & 63
    if not m >> 12:
        return [DARK_CELL[origin], DARK_CELL[to]]
    found = [DARK_CELL[origin]]
    find_way(s, 1 << origin, 1 << origin, spread(m >> 12), 1 << to, found)
    return [found[0], *found[:0:-1]]


def routes(s, m):
    """Yield each way to make a move, as the squares it visits, as people number them."""
    origin, to = 1 << (m >> 6 & 63), 1 << (m & 63)
    empty = SQUARES & ~(s.mine | s.theirs) | origin

    def go(at, left, path):
        if not left and at == to:
            yield path
        for d in range(4):
            over = shift(at, d)
            while s.kings & origin and over & empty:
                over = shift(over, d)
            land = shift(over & left, d) & empty
            while land:
                yield from go(land, left & ~over, [*path, DARK.number(lowest(land))])
                land = shift(land, d) & empty if s.kings & origin else 0

    ends = [DARK.number(m >> 6 & 63), DARK.number(m & 63)]
    yield from go(origin, spread(m >> 12), ends[:1]) if m >> 12 else [ends]


def format_move(s, m):
    """Write `32-28` or `19x30`; the whole path, `19x28x39x30`, only if another capture has the same ends."""
    alike = [other for other in moves(s) if other & 0xFFF == m & 0xFFF]
    path = next(routes(s, m))
    return ("x" if m >> 12 else "-").join(map(str, path if len(alike) > 1 else (path[0], path[-1])))


def parse_move(s, text):
    given = [int(n) for n in re.split(r"\s*[-x:\s]\s*", text.lower())]
    ends = [m for m in moves(s) if [DARK.number(m >> 6 & 63), DARK.number(m & 63)] == [given[0], given[-1]]]
    (m,) = [m for m in ends if len(given) == 2 or given in routes(s, m)]
    return m


def parse_state(text):
    *pieces, side, quiet = DARK.parse_state(text)
    if quiet > draw_after(*pieces):
        raise ValueError("the game was already drawn earlier")
    return State(*pieces, side, quiet)


format_state, show = DARK.format_state, DARK.counts
