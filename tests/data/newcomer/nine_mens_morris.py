"""Nine men's morris: place nine men each, then move them; whoever closes a mill of three takes a man of the other side.

Rules: men move along the lines, with three men left they jump anywhere; a man in a mill is taken only if there is no other.
A side with fewer than three men, or without a move, loses. The third repetition is a draw.
"""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

TITLE = "Nine men's morris"
SIDES = ("white", "black")
REPETITION = 3
MEN = 9
POINTS = 24
NAMES = (
    "a7", "d7", "g7", "b6", "d6", "f6", "c5", "d5", "e5", "a4", "b4", "c4",
    "e4", "f4", "g4", "c3", "d3", "e3", "b2", "d2", "f2", "a1", "d1", "g1",
)  # fmt: skip
MILLS = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
)  # fmt: skip
LINES = tuple(pair for a, b, c in MILLS for pair in ((a, b), (b, c)))
BOARD = Board(
    "free",
    at=tuple(("abcdefg".index(name[0]), 7 - int(name[1])) for name in NAMES),
    names=NAMES,
    lines=LINES,
    glyphs="○●",
)
NEIGHBOURS = tuple(tuple(sum(pair) - point for pair in LINES if point in pair) for point in range(POINTS))
OF_POINT = tuple(tuple(mill for mill in MILLS if point in mill) for point in range(POINTS))


class State(NamedTuple):
    points: tuple[int, ...]
    side: int
    hand: tuple[int, int]


def start():
    return State((0,) * POINTS, 0, (MEN, MEN))


def turn(s):
    return s.side


ALTERNATE = True


def in_mill(points, point, man):
    return any(all(points[i] == man for i in mill) for mill in OF_POINT[point])


def count(points, man):
    n = 0
    for x in points:
        n += x == man
    return n


def encode(source, to, taken):
    return ((source + 1) * POINTS + to) * (POINTS + 1) + taken + 1


def endings(s, source, to):
    """The moves from `source` (-1 from the hand) to `to`: one for each man that it can take."""
    man, other = 1 + s.side, 2 - s.side
    points = put(s.points, to, man)
    if source >= 0:
        points = put(points, source, 0)
    if not in_mill(points, to, man):
        return [encode(source, to, -1)]
    free = [encode(source, to, i) for i in range(POINTS) if points[i] == other and not in_mill(points, i, other)]
    if free:
        return free
    return [encode(source, to, i) for i in range(POINTS) if points[i] == other]


def moves(s):
    man = 1 + s.side
    if s.hand[s.side]:
        for to in range(POINTS):
            if s.points[to] == 0:
                yield from endings(s, -1, to)
        return
    flies = count(s.points, man) == 3
    for source in range(POINTS):
        if s.points[source] == man:
            for to in range(POINTS):
                if s.points[to] == 0 and (flies or to in NEIGHBOURS[source]):
                    yield from endings(s, source, to)


def parts(m):
    return m // (POINTS + 1) // POINTS - 1, m // (POINTS + 1) % POINTS, m % (POINTS + 1) - 1


def play(s, m):
    source, to, taken = parts(m)
    points, hand = put(s.points, to, 1 + s.side), s.hand
    if source < 0:
        hand = put(hand, s.side, hand[s.side] - 1)
    else:
        points = put(points, source, 0)
    if taken >= 0:
        points = put(points, taken, 0)
    return State(points, 1 - s.side, hand)


def result(s):
    return -1 if s.hand[s.side] == 0 and count(s.points, 1 + s.side) < 3 else None


def stuck(s):
    return -1


def touch(s, m):
    source, to, taken = parts(m)
    if source >= 0:
        yield source
    yield to
    if taken >= 0:
        yield taken
