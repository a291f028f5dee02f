"""2048: slide all tiles one way; equal tiles that meet become their sum. After each slide chance places a 2 or a 4.

Rules: Gabriele Cirulli's game (2014). A slide must change the board; a tile merges once per slide, those nearest the edge first.
A new tile is a 2 nine times out of ten, otherwise a 4; all empty cells are equally likely. The game goes on after 2048: it is
over when no slide changes the board.

The board is one word, four bits per cell: the exponent of the tile (0: empty, 1: a 2, 2: a 4, ... 15: a 32768). Cell numbers:

         a   b   c   d
    1    0   1   2   3
    2    4   5   6   7
    3    8   9  10  11
    4   12  13  14  15

A player's move is a direction: 0 up, 1 right, 2 down, 3 left. A move of chance is 2 * cell for a 2, 2 * cell + 1 for a 4.
Two tiles of 32768 don't merge. The game is a solitaire whose result is the score: the sum of all tiles made by merging.
"""

from typing import NamedTuple

from plyground import Board
from plyground.bits import i64, popcount, u64

TITLE = "2048"
SIDES = ("player",)
MARGIN = 16 * 14 * 32768  # no board is worth more: a tile of 2**e has scored at most (e - 1) * 2**e

UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")
TILES = tuple(str(2 << e) for e in range(15))
BOARD = Board("tiles", "1234", 4, pieces=(TILES,), buttons=dict(enumerate(DIRECTIONS)), fields=("score",))
GROUPS = ((0, 1, 2, 3, 4, 5), (4, 5, 6, 7, 8, 9), (0, 1, 2, 4, 5, 6), (4, 5, 6, 8, 9, 10))
CELLS = 0x1111111111111111  # the lowest bit of each cell
ROWS = 0x0001000100010001  # the lowest bit of each row
FROM = (0xFFFF, 0xFFF0, 0xFF00)  # within a row, cell i and those to its right
LEFT_THREE = 0x0FFF0FFF0FFF0FFF  # columns
TOP_THREE = 0x0000FFFFFFFFFFFF  # rows
CUBE = tuple(e**3 for e in range(16))
TILE_POTENTIAL = 40_000  # roughly what a well-ordered board still scores


class State(NamedTuple):
    cells: u64
    score: int
    tiles: int  # how many tiles chance has to place before the player moves


def start():
    return State(0, 0, 2)


def filled(x):
    """Return the lowest bit of each cell that is not empty."""
    return (x | x >> 1 | x >> 2 | x >> 3) & CELLS


def pairs(x, d):
    """Return the lowest bit of each cell whose tile merges with the one d bits further."""
    largest = x & x >> 1 & x >> 2 & x >> 3
    return filled(x) & ~filled(x ^ x >> d) & ~largest


def pull(x, rows, i):
    """Move the cells to the right of cell i one to the left, over cell i, in the marked rows."""
    area = rows * FROM[i]
    return x & ~area | x >> 4 & area & LEFT_THREE


def slide_left(x):
    """Return the board after a slide to the left, all rows at once, and what the merges score."""
    for i in (2, 1, 0):
        x = pull(x, ~filled(x) >> 4 * i & ROWS, i)
    gain = 0
    for i in (0, 1, 2):
        merge = pairs(x, 4) >> 4 * i & ROWS
        if merge:
            x = pull(x, merge, i) + (merge << 4 * i)
            for row in range(4):
                gain += i64(merge >> 16 * row & 1) << i64(x >> 16 * row + 4 * i & 15)
    return x, gain


def transpose(x):
    """Return the board mirrored along the diagonal from a1 to d4: first within blocks of 2x2 cells, then the blocks."""
    t = (x ^ x >> 12) & 0x0000F0F00000F0F0
    x ^= t ^ t << 12
    t = (x ^ x >> 24) & 0x00000000FF00FF00
    return x ^ t ^ t << 24


def mirror(x):
    """Return the board with left and right swapped."""
    x = x >> 4 & 0x0F0F0F0F0F0F0F0F | (x & 0x0F0F0F0F0F0F0F0F) << 4
    return x >> 8 & 0x00FF00FF00FF00FF | (x & 0x00FF00FF00FF00FF) << 8


def slide(x, m):
    """Return the board after a slide, and what the merges score."""
    if m == LEFT:
        return slide_left(x)
    if m == RIGHT:
        y, gain = slide_left(mirror(x))
        return mirror(y), gain
    if m == UP:
        y, gain = slide_left(transpose(x))
        return transpose(y), gain
    y, gain = slide_left(mirror(transpose(x)))
    return transpose(mirror(y)), gain


def moves(s):
    """Yield each slide that moves a tile: it has an empty cell ahead or merges with the next one."""
    full, beside, below = filled(s.cells), pairs(s.cells, 4) & LEFT_THREE, pairs(s.cells, 16)
    if below or ~full & full >> 16:
        yield UP
    if beside or full & ~(full >> 4) & LEFT_THREE:
        yield RIGHT
    if below or full & ~(full >> 16) & TOP_THREE:
        yield DOWN
    if beside or ~full & full >> 4 & LEFT_THREE:
        yield LEFT


def chance(s):
    if s.tiles > 0:
        empty = ~filled(s.cells) & CELLS
        for cell in range(16):
            if empty >> 4 * cell & 1:
                yield 2 * cell, 9
                yield 2 * cell + 1, 1


def play(s, m):
    if s.tiles > 0:
        return State(s.cells | u64((m & 1) + 1) << 4 * (m >> 1), s.score, s.tiles - 1)
    cells, gain = slide(s.cells, m)
    return State(cells, s.score + gain, 1)


def result(s):
    """Return the score once the board is full and no two neighbours are equal."""
    if s.tiles > 0 or filled(s.cells) != CELLS or pairs(s.cells, 4) & LEFT_THREE or pairs(s.cells, 16):
        return None
    return s.score


def disorder(row):
    """Return how far a row of four cells is from rising or falling all the way, in cubes of exponents."""
    rise, fall = 0, 0
    for i in (0, 4, 8):
        change = CUBE[row >> i + 4 & 15] - CUBE[row >> i & 15]
        if change > 0:
            rise += change
        else:
            fall -= change
    return min(rise, fall)


def evaluate(s):
    """Estimate the final score: more with empty cells, possible merges, few large tiles, ordered rows and columns."""
    x = s.cells
    rows, columns, large = 0, 0, 0
    y = transpose(x)
    for i in (0, 16, 32, 48):
        rows += disorder(x >> i & 0xFFFF)
        columns += disorder(y >> i & 0xFFFF)
    for i in range(16):
        large += CUBE[x >> 4 * i & 15]
    merges = popcount(pairs(x, 4) & LEFT_THREE) + popcount(pairs(x, 16))
    empty = 16 - popcount(filled(x))
    return float(s.score + max(0, TILE_POTENTIAL + 20 * empty + 12 * merges - rows - columns - large))


def canonical(s):
    """Return the smallest of the board's eight rotations and reflections."""
    x = s.cells
    least = x
    for _ in range(4):
        x = mirror(x)
        least = min(least, x)
        x = transpose(x)
        least = min(least, x)
    return State(least, s.score, s.tiles)


# -- text and board ---------------------------------------------------------------------------------------------------------


def cells(s):
    for i in range(16):
        yield i64(s.cells >> 4 * i & 15)


def touch(s, m):
    return range(0)


def format_move(s, m):
    """Write a direction, or what chance places: `a1=2` is a 2 in the upper left corner."""
    if s.tiles > 0:
        cell, four = m >> 1, m & 1
        return f"{'abcd'[cell % 4]}{cell // 4 + 1}={4 if four else 2}"
    return DIRECTIONS[m]


def parse_move(s, text):
    text = text.lower().replace(" ", "")
    if s.tiles > 0:
        (col, row), tile = text.split("=")
        return 2 * (4 * "1234".index(row) + "abcd".index(col)) + ("2", "4").index(tile)
    if text not in (*DIRECTIONS, *"urdl"):
        raise ValueError(text)
    return "urdl".index(text[0])


def format_state(s):
    """Write the rows from the top, separated by slashes, then the score and the number of tiles that chance has to place."""
    tiles = [(".", *TILES)[e] for e in cells(s)]
    return f"{'/'.join(' '.join(tiles[i : i + 4]) for i in (0, 4, 8, 12))} score={s.score} tiles={s.tiles}"


def parse_state(text):
    """Read a state; score and tiles may be left out: they are then 0, and the player is to move."""
    words = [word.split("=") for word in text.replace("/", " / ").split()]
    given = {name: int(value) for name, value in (w for w in words if len(w) == 2)}
    lines = " ".join(w[0] for w in words if len(w) == 1).split("/")
    tiles = [[0 if tile == "." else int(tile) for tile in line.split()] for line in lines]
    if len(tiles) != 4 or any(len(row) != 4 for row in tiles) or not set(given) <= {"score", "tiles"}:
        raise ValueError("a board is four rows of four tiles")
    cells = 0
    for i, tile in enumerate(tile for row in tiles for tile in row):
        if tile and (tile not in range(2, 32769) or tile & tile - 1):
            raise ValueError("a tile is a power of two from 2 to 32768")
        cells |= (tile.bit_length() - 1 if tile else 0) << 4 * i
    s = State(cells, given.get("score", 0), given.get("tiles", 0))
    empty = 16 - popcount(filled(cells))
    if not (0 <= s.score <= MARGIN and 0 <= s.tiles <= min(2, empty)) or (empty == 16 and s.tiles == 0):
        raise ValueError("the score or the number of tiles to place is impossible")
    return s
