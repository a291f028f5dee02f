"""Two dice, three boxes: roll two dice, roll some of them once again, then write the score into a free box.

Rules: the boxes are the sum; twice the number that comes most often, times how often; and 15 for a run of two.
"""

from itertools import product
from typing import NamedTuple

TITLE = "Two dice"
SIDES = ("player",)

SUM, ALIKE, RUN = 0, 1, 2
BOXES = 3
KEEP_ALL = 3
ROLL, CHOOSE, WRITE = range(3)


class State(NamedTuple):
    dice: tuple[int, int]  # 0: to be rolled
    phase: int
    again: bool  # has this turn rolled a second time?
    used: int  # a bit for each box that is full
    total: int


def start():
    return State((0, 0), ROLL, False, 0, 0)


def chance(s):
    if s.phase == ROLL:
        for faces in product(range(1, 7), repeat=2):
            # A die that is kept stays as it is: only one of its six faces is a roll.
            if all(d == 0 or d == f for d, f in zip(s.dice, faces)):
                a, b = faces
                yield 10 * a + b, 1


def value(dice, box):
    a, b = sorted(dice)
    match box:
        case 0:
            return a + b
        case 1:
            return max(2 * n * dice.count(n) for n in dice)
        case _:
            return 15 if a + 1 == b else 0


def moves(s):
    if s.phase == CHOOSE:
        yield from range(4)  # a bit for each die that is kept
    else:
        yield from (4 + box for box in range(BOXES) if not s.used >> box & 1)


def play(s, m):
    if s.phase == ROLL:
        dice = divmod(m, 10)
        return s._replace(dice=dice, phase=WRITE if s.again else CHOOSE)
    if s.phase == CHOOSE:
        if m == KEEP_ALL:
            return s._replace(phase=WRITE)
        dice = tuple(d if m >> i & 1 else 0 for i, d in enumerate(s.dice))
        return s._replace(dice=dice, phase=ROLL, again=True)
    box = m - 4
    return State((0, 0), ROLL, False, s.used | 1 << box, s.total + value(s.dice, box))


def result(s):
    return s.total if s.used == (1 << BOXES) - 1 else None


def evaluate(s):
    return s.total + 10.0 * (BOXES - s.used.bit_count())


def format_move(s, m):
    if s.phase == ROLL:
        return f"{m}"
    if m >= 4:
        return ("sum", "alike", "run")[m - 4]
    return "keep " + "".join(str(d) if m >> i & 1 else "-" for i, d in enumerate(s.dice))


def show(s):
    boxes = " ".join(n for i, n in enumerate(("sum", "alike", "run")) if not s.used >> i & 1)
    return f"dice {s.dice}, {s.total} points, free: {boxes}"
