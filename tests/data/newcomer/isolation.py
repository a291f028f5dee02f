"""Isolation: step like a king, then remove any free square; whoever cannot step has lost."""

from typing import NamedTuple

from plyground import parameters
from plyground.bits import bits

SIZE = parameters(size=5)
if not 2 <= SIZE <= 7:
    raise ValueError("size must be from 2 to 7")

TITLE = "Isolation"
CELLS = SIZE * SIZE
FULL = (1 << CELLS) - 1
STEPS = tuple(
    sum(
        1 << r * SIZE + c
        for r in range(row - 1, row + 2)
        for c in range(col - 1, col + 2)
        if 0 <= r < SIZE and 0 <= c < SIZE and (r, c) != (row, col)
    )
    for row in range(SIZE)
    for col in range(SIZE)
)


class State(NamedTuple):
    me: int  # the square of the side to move
    you: int
    removed: int  # a bit for each square that is gone


def start():
    return State(SIZE // 2, CELLS - 1 - SIZE // 2, 0)


def free(s):
    return FULL & ~(s.removed | 1 << s.me | 1 << s.you)


def moves(s):
    room = free(s)
    for to in bits(STEPS[s.me] & room):
        # The square just left may be removed, the one stepped on may not.
        for gone in bits((room | 1 << s.me) & ~(1 << to)):
            yield to * CELLS + gone


def play(s, m):
    to, gone = divmod(m, CELLS)
    return State(s.you, to, s.removed | 1 << gone)


def result(s):
    return None


def stuck(s):
    return -1


def evaluate(s):
    room = free(s)
    return 10 * ((STEPS[s.me] & room).bit_count() - (STEPS[s.you] & room).bit_count())


def name(cell):
    return f"{'abcdefg'[cell % SIZE]}{cell // SIZE + 1}"


def format_move(s, m):
    to, gone = divmod(m, CELLS)
    return f"{name(to)}/{name(gone)}"


def show(s):
    def sign(i):
        return "M" if i == s.me else "Y" if i == s.you else " " if s.removed >> i & 1 else "."

    return "\n".join(" ".join(sign(r * SIZE + c) for c in range(SIZE)) for r in reversed(range(SIZE)))
