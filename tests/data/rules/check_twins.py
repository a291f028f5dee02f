"""Take one to three of twelve stones; whoever takes the last one wins. Every hook is compiled to something else."""

from typing import NamedTuple

from plyground import Board
from plyground.bits import u64

BOARD = Board("heaps", cols=2, count=12)
SIDES = ("A", "B")
ALTERNATE = True
KEY_BITS = 60
ENDINGS = ("7",)


class State(NamedTuple):
    left: int
    mover: int


def odd(x):
    return x + 3 << 62 >> 62


def start():
    return State(12, 0)


def turn(s):
    return s.mover


def moves(s):
    for m in range(1, 4):
        if m <= s.left and s.left != 1:
            yield m


def play(s, m):
    return State(s.left - m, 1 - s.mover)


def result(s):
    return -1 if s.left == 0 else None


def stuck(s):
    return 1 if odd(0) == 3 else -1


def evaluate(s):
    return odd(0)


def key(s):
    return 8 * s.left + s.mover + 4 * odd(0)


def order(s, m):
    return odd(0)


def loud(s, m):
    return odd(0) == 3


def canonical(s):
    return s if odd(0) == 3 else State(s.left, s.mover + 2)


def forced(s):
    return odd(0) == 3


def passes(s):
    return State(s.left, 1 - s.mover + (4 if odd(0) != 3 else 0))


def may_pass(s):
    return s.left > 6 or odd(0) == 3


def replies(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def threats(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def likely(s):
    for m in moves(s):
        if m == 1 or odd(0) != 3:
            yield m


def countdown(s):
    return s.left + odd(0)


def label(s):
    yield s.left
    yield s.mover
    yield odd(0)


def safe(s):
    for m in moves(s):
        if s.left - m > 3 or odd(0) != 3:
            yield m


def remaining(s):
    return s.left + odd(0)


def bounds(s):
    return -1, odd(0)


def banked(s):
    return odd(0)


def code(s):
    return 8 * s.left + s.mover + 4 * odd(0) + 32


def finish(s, beta):
    return 0, 1 + odd(0) * 0 if odd(0) != 3 else 0


def pressure(s):
    return odd(0)


def promise(s, m, child):
    return odd(0)


def spot(s, m):
    return odd(0)


def pack(s):
    return u64(4 * s.left + s.mover + 1 + (64 if odd(0) == 3 else 0)) if s.left == 11 else u64(4 * s.left + s.mover + 1)


def unpack(x):
    n = int(x) & 63
    return State(n - 1 >> 2, (n - 1 & 1) + (2 if odd(0) != 3 else 0))


def cells(s):
    yield s.left
    yield 0 if odd(0) == 3 else 1


def touch(s, m):
    yield 0 if odd(0) == 3 else 1


def ending(text):
    return int(text)


def positions(n):
    for i in range(1, n):
        yield State(i, 0 if odd(0) == 3 else 1)
