"""Fox and geese on the cross of 33 points: the fox jumps over geese and takes them, the geese hem it in.

Rules: thirteen geese that step forwards or sideways; the fox steps or jumps along a line, one goose at a time. With fewer than
six geese left the fox has won; after sixty plies it has too.
"""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

TITLE = "Fox and geese"
SIDES = ("fox", "geese")
PLACES = tuple((x, y) for y in range(7) for x in range(7) if 2 <= x <= 4 or 2 <= y <= 4)
POINTS = len(PLACES)
STEPS = ((0, -1), (-1, 0), (1, 0), (0, 1))


def point(x, y):
    return PLACES.index((x, y)) if (x, y) in PLACES else -1


NEXT = tuple(tuple(point(x + dx, y + dy) for dx, dy in STEPS) for x, y in PLACES)
BEYOND = tuple(tuple(point(x + 2 * dx, y + 2 * dy) for dx, dy in STEPS) for x, y in PLACES)
LINES = tuple((i, j) for i in range(POINTS) for j in NEXT[i] if j > i)
BOARD = Board("free", at=PLACES, lines=LINES, pieces="FG", glyphs="◆○")


class State(NamedTuple):
    points: tuple[int, ...]
    side: int
    ply: int


def start():
    return State(tuple(1 if i == 16 else 2 if i >= 20 else 0 for i in range(POINTS)), 0, 0)


def turn(s):
    return s.side


ALTERNATE = True


def moves(s):
    for i in range(POINTS):
        if s.points[i] == 1 + s.side:
            for way in range(4):
                near, far = NEXT[i][way], BEYOND[i][way]
                if near >= 0 and s.points[near] == 0 and (s.side == 0 or way < 3):
                    yield i * POINTS + near
                elif s.side == 0 and far >= 0 and s.points[near] == 2 and s.points[far] == 0:
                    yield i * POINTS + far


def play(s, m):
    source, to = m // POINTS, m % POINTS
    points = put(put(s.points, source, 0), to, s.points[source])
    for way in range(4):
        if BEYOND[source][way] == to:
            points = put(points, NEXT[source][way], 0)
    return State(points, 1 - s.side, s.ply + 1)


def result(s):
    geese = 0
    for x in s.points:
        geese += x == 2
    if geese < 6 or s.ply >= 60:
        return -1 if s.side else 1
    return None


def stuck(s):
    return -1


def touch(s, m):
    yield m // POINTS
    yield m % POINTS
