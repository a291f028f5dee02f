"""Connect 4: drop stones into columns; four in a row wins. Any rows, cols and k that fit 63 bits.

Rules: as published by Milton Bradley (1974). X moves first; k or more in a row, a column or a diagonal win; a full board is
drawn.

One bit per cell, column by column, each with a spare bit on top (drawn for 6 rows, 7 columns):

     6 13 20 27 34 41 48      the spare row, always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42

A move is a column, counted from 0; people count from 1.
"""

from typing import NamedTuple

from plyground import Board, Parameter, Tuning, parameters
from plyground.bits import lowest, popcount

ROWS, COLS, K = parameters(
    rows=Parameter(6, 1, 62, "rows of the board; (rows + 1) * cols is at most 63"),
    cols=Parameter(7, 1, 31, "columns of the board"),
    k=Parameter(4, 2, 62, "how many in a row win; at most the longer side"),
)
TITLE = "Connect 4"
SIDES = ("X", "O")
ALTERNATE = True
if not ((ROWS + 1) * COLS <= 63 and max(ROWS, COLS) >= K):
    raise ValueError("connect4 needs (rows + 1) * cols <= 63 and 2 <= k <= the longer side")

H = ROWS + 1
BOTTOM = sum(1 << col * H for col in range(COLS))
FULL = BOTTOM * ((1 << ROWS) - 1)
CENTRE_FIRST = tuple(sorted(range(COLS), key=lambda col: (abs(2 * col - COLS + 1), col)))
DIRECTIONS = (1, H - 1, H, H + 1)
COLUMN = (1 << ROWS) - 1
ODD = BOTTOM * sum(1 << row for row in range(0, ROWS, 2))  # counted from 1: the first, third and fifth row
MIDDLE = COLUMN << COLS // 2 * H | COLUMN << (COLS - 1) // 2 * H  # the middle column, or the middle two
COLUMN_NAMES = "123456789abcdefghijklmnopqrstuvw"
BOARD = Board("drop", ROWS, COLUMN_NAMES[:COLS], glyphs="●○")


class State(NamedTuple):
    mine: int  # stones of the side to move
    both: int  # all stones


def start():
    return State(0, 0)


def moves(s):
    for col in CENTRE_FIRST:
        if not s.both >> (col * H + ROWS - 1) & 1:
            yield col


def play(s, col):
    stone = (s.both + (1 << col * H)) & (((1 << ROWS) - 1) << col * H)
    return State(s.mine ^ s.both, s.both | stone)


def has_row(stones):
    """Return whether there are K stones in a row, in any direction."""
    for d in DIRECTIONS:
        run = stones
        for _ in range(K - 1):
            run &= run >> d
        if run:
            return True
    return False


def result(s):
    if has_row(s.mine ^ s.both):
        return -1
    if s.both == FULL:
        return 0
    return None


def turn(s):
    return popcount(s.both) & 1


def key(s):
    """Return the stones of the side to move and a bit on top of each column, which shows its height; this is injective."""
    return s.mine + s.both + BOTTOM


def holes(stones, both):
    """Return the empty cells that would complete a row of K for `stones`."""
    found = above(stones) | gaps(stones, H - 1) | gaps(stones, H) | gaps(stones, H + 1)
    return found & ~both & FULL


def above(stones):
    """Return the cells that complete a column of K."""
    cells = stones << 1
    for i in range(2, K):
        cells &= stones << i
    return cells


def gaps(stones, d):
    """Return the cells that complete a row of K in the direction d."""
    found = 0
    for gap in range(K):
        cells = FULL
        for i in range(1, gap + 1):
            cells &= stones << d * i
        for i in range(1, K - gap):
            cells &= stones >> d * i
        found |= cells
    return found


def evaluate(s):
    """Count open threats, more on odd rows for the first player and on even rows for the second, and the centre."""
    theirs = s.mine ^ s.both
    mine, other = holes(s.mine, s.both), holes(theirs, s.both)
    own = FULL & ~ODD if popcount(s.both) & 1 else ODD
    score = 8 * (popcount(mine) - popcount(other)) + 4 * (popcount(mine & own) - popcount(other & ~own))
    return score + 2 * (popcount(s.mine & MIDDLE) - popcount(theirs & MIDDLE))


def order(s, col):
    """Rank a winning drop first, then one that blocks a row, then the centre."""
    stone = (s.both + (1 << col * H)) & COLUMN << col * H
    if stone & holes(s.mine, s.both):
        return 2000
    if stone & holes(s.mine ^ s.both, s.both):
        return 1000
    return -abs(2 * col - COLS + 1)


def loud(s, col):
    """Return whether a drop wins or blocks a row."""
    return (s.both + (1 << col * H)) & (holes(s.mine, s.both) | holes(s.mine ^ s.both, s.both)) & COLUMN << col * H != 0


# -- for the solver ---------------------------------------------------------------------------------------------------------

KEY_BITS = H * COLS
SOLVER = Tuning(peek=12, mirrored=ROWS * COLS // 2, local=20)
EARLY = 16  # with at least this many plies left, open rows count in move ordering
FEW = 11  # with at most this many plies left, `finish` takes over
SURE = 1 << 30
WIN = 10_000
COLUMNS = tuple(COLUMN << col * H for col in CENTRE_FIRST)


def remaining(s):
    return ROWS * COLS - popcount(s.both)


def safe_cells(s, theirs):
    """Return the cells to drop into after which the opponent can't fill any of his threats, `theirs`, at once.

    After a drop the opponent can reach the cell above it and all other cells that we could have filled. So no threat may be
    directly above the cell, and a reachable threat must be the cell itself: with two reachable threats no cell is left.
    """
    reach = s.both + BOTTOM & FULL
    quiet = reach & ~(theirs >> 1)
    urgent = popcount(reach & theirs)
    if urgent == 0:
        return quiet
    return quiet & theirs if urgent == 1 else 0


def safe(s):
    """Yield the drops after which the opponent can't win at once: they block his threat and open no other."""
    free = safe_cells(s, holes(s.mine ^ s.both, s.both))
    while free:
        yield lowest(free) // H
        free &= free - 1


def finish(s, beta):
    """Return the value and the nodes it took, if few cells are empty."""
    return last_few(s.mine, s.both, popcount(s.both), beta) if remaining(s) <= FEW else (0, 0)


def last_few(mine, both, begun, beta):
    """Search without a table or sorting: a bound on the score, at least beta or below it, and the nodes."""
    ply = popcount(both) - begun
    free = safe_cells(State(mine, both), holes(mine ^ both, both))
    if not free:
        return ply + 2 - WIN, 1
    if popcount(both) > ROWS * COLS - 3:
        return 0, 1
    if WIN - ply - 3 < beta:
        return WIN - ply - 3, 1
    if ply + 4 - WIN >= beta:
        return ply + 4 - WIN, 1
    best, nodes = -WIN, 1
    for column in COLUMNS:
        stone = free & column
        if stone:
            value, n = last_few(mine ^ both, both | stone, begun, 1 - beta)
            nodes += n
            best = max(best, -value)
            if best >= beta:
                return best, nodes
    return best, nodes


def points(s, plies):
    """Return the usual score of a win: 1 with the winner's last stone, 2 with the one before, and so on."""
    return (ROWS * COLS + 2 - popcount(s.both) - plies) // 2


def promise(s, col, child):
    """Rank threats first, minus one that can be blocked on top of the stone; then forcing moves, open rows, the centre."""
    mine = child.mine ^ child.both
    flat = (gaps(mine, H - 1) | gaps(mine, H) | gaps(mine, H + 1)) & ~child.both & FULL
    threats = flat | above(mine) & ~child.both & FULL
    if safe_cells(child, threats) == 0:
        return SURE
    score = 128 * popcount(threats) + 8 * popcount(threats & (ODD if popcount(s.both) & 1 == 0 else ~ODD))
    if flat & (s.both ^ child.both) << 1:
        score -= 256
    if threats & child.both + BOTTOM:
        score += 32
    if remaining(s) >= EARLY:
        score += 4 * open_rows(mine, FULL & ~child.mine)
    return score - 2 * abs(2 * col - COLS + 1)


def open_rows(mine, free):
    """Return the number of non-vertical rows of K that are still open and have two or more stones."""
    count = 0
    for d in (H - 1, H, H + 1):
        rows, one, two = free, mine, 0
        for i in range(1, K):
            rows &= free >> d * i
            two |= one & mine >> d * i
            one |= mine >> d * i
        count += popcount(rows & two)
    return count


def mirror(stones):
    mirrored = 0
    for col in range(COLS):
        mirrored |= (stones >> col * H & ((1 << H) - 1)) << (COLS - 1 - col) * H
    return mirrored


def canonical(s):
    other = State(mirror(s.mine), mirror(s.both))
    return other if key(other) < key(s) else s


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    first = s.mine ^ s.both if turn(s) else s.mine
    for row in range(ROWS - 1, -1, -1):
        for col in range(COLS):
            stone = 1 << col * H + row
            yield 0 if not s.both & stone else 1 if first & stone else 2


def format_move(s, m):
    return COLUMN_NAMES[m]


def parse_move(s, text):
    if len(text) != 1:
        raise ValueError(text)
    return COLUMN_NAMES.index(text.lower())


def format_state(s):
    """Write the rows from the top, separated by slashes."""
    text = "".join(".XO"[x] for x in cells(s))
    return "/".join(text[row * COLS : row * COLS + COLS] for row in range(ROWS))


def parse_state(text):
    rows = text.split("/")[::-1]
    if len(rows) != ROWS or any(len(row) != COLS for row in rows):
        raise ValueError(text)
    stones = [0, 0]
    for row, line in enumerate(rows):
        for col, c in enumerate(line):
            if c != ".":
                stones[SIDES.index(c)] |= 1 << col * H + row
    both = stones[0] | stones[1]
    for col in range(COLS):
        column = both >> col * H & (1 << H) - 1
        if column & column + 1:
            raise ValueError("a stone has an empty cell below it")
    if popcount(stones[0]) - popcount(stones[1]) not in (0, 1):
        raise ValueError("X must have as many stones as O, or one more")
    mover = popcount(both) & 1
    return State(stones[mover], both)
