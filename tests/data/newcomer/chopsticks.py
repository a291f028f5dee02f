"""Chopsticks: tap a hand of the other side to add your fingers to it, or share yours anew; a hand with five is out."""

from enum import IntEnum
from typing import NamedTuple

TITLE = "Chopsticks"
SIDES = ("first", "second")
REPETITION = 3
FIVE = 5


class Kind(IntEnum):
    TAP = 0
    SPLIT = 1


class State(NamedTuple):
    mine: tuple[int, int]  # the fingers of both hands, the smaller hand first
    yours: tuple[int, int]


def hands(a, b):
    """Both hands in order; five and more is out."""
    a = 0 if a >= FIVE else a
    b = 0 if b >= FIVE else b
    return (a, b) if a <= b else (b, a)


def start():
    return State((1, 1), (1, 1))


# A move is (kind, a, b) in base 8: tap with the hand that has a the hand that has b; or have a and b.
def pack_move(kind, a, b):
    return (kind * 8 + a) * 8 + b


def decode(m):
    kind, rest = divmod(m, 64)
    return Kind(kind), rest // 8, rest % 8


def moves(s):
    out = []
    for a in s.mine:
        for b in s.yours:
            if a and b and (m := pack_move(Kind.TAP, a, b)) not in out:
                out.append(m)
    total = sum(s.mine)
    for a in range(total // 2 + 1):
        b = total - a
        if b < FIVE and (a, b) != s.mine:
            out.append(pack_move(Kind.SPLIT, a, b))
    return out


def play(s, m):
    kind, a, b = decode(m)
    match kind:
        case Kind.TAP:
            x, y = s.yours
            return State(hands(x + a, y) if x == b else hands(x, y + a), s.mine)
        case Kind.SPLIT:
            return State(s.yours, (a, b))


def result(s):
    return -1 if s.mine == (0, 0) else None


def format_move(s, m):
    kind, a, b = decode(m)
    return f"{a}x{b}" if kind == Kind.TAP else f"{a}+{b}"


def show(s):
    return f"mine {s.mine}, yours {s.yours}"
