"""Three men's morris: place three men each, then slide one along a line; three in a row win.

Rules: a man slides to a free neighbouring point along a line; the diagonals count. The third repetition is a draw.
"""

from enum import IntEnum
from typing import NamedTuple


class Point(IntEnum):
    EMPTY = 0
    WHITE = 1
    BLACK = 2


class Phase(IntEnum):
    PLACING = 0
    SLIDING = 1


TITLE = "Three men's morris"
SIDES = ("white", "black")
REPETITION = 3
ALTERNATE = True
MEN = 3

LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)  # fmt: skip
NEIGHBOURS = tuple(
    tuple(
        sorted({b for line in LINES for a, b in [*zip(line, line[1:]), *zip(line[1:], line)] if a == point})
    )
    for point in range(9)
)


class State(NamedTuple):
    points: tuple[int, int, int, int, int, int, int, int, int]
    side: Point
    placed: int


def start():
    return State((Point.EMPTY,) * 9, Point.WHITE, 0)


def turn(s):
    return 0 if s.side == Point.WHITE else 1


def phase(s):
    return Phase.PLACING if s.placed < 2 * MEN else Phase.SLIDING


def other(side):
    return Point.BLACK if side == Point.WHITE else Point.WHITE


def moves(s):
    match phase(s):
        case Phase.PLACING:
            for i, p in enumerate(s.points):
                if p == Point.EMPTY:
                    yield 9 * i + i
        case Phase.SLIDING:
            for i in range(9):
                if s.points[i] == s.side:
                    for j in NEIGHBOURS[i]:
                        if s.points[j] == Point.EMPTY:
                            yield 9 * i + j


def play(s, m):
    a, b = divmod(m, 9)
    points = list(s.points)
    points[a] = Point.EMPTY
    points[b] = s.side
    return State(tuple(points), other(s.side), min(s.placed + 1, 2 * MEN))


def result(s):
    enemy = other(s.side)
    if any(all(s.points[i] == enemy for i in line) for line in LINES):
        return -1
    return None


def stuck(s):
    return -1


def evaluate(s):
    return 10 if s.points[4] == s.side else -10 if s.points[4] == other(s.side) else 0


def show(s):
    return "\n".join(" ".join(".wb"[p] for p in s.points[r : r + 3]) for r in (0, 3, 6))


def format_move(s, m):
    a, b = divmod(m, 9)
    return str(b + 1) if a == b else f"{a + 1}-{b + 1}"
