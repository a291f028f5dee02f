"""Fox and hounds: four hounds, which only move forwards, hem in the fox; the fox wins if it gets past them.

Rules: the fox moves first, a step along a diagonal each way; a hound a step up the board. A side without a move has lost.
"""

from enum import IntEnum
from typing import NamedTuple


class Side(IntEnum):
    FOX = 0
    HOUNDS = 1


TITLE = "Fox and hounds"
SIDES = ("fox", "hounds")
ALTERNATE = True
N = 8


def squares(deltas):
    """Where a step along each of the deltas leads, for all 64 squares."""
    return tuple(
        tuple((r + dr) * N + c + dc for dr, dc in deltas if 0 <= r + dr < N and 0 <= c + dc < N)
        for r in range(N)
        for c in range(N)
    )


ALL_WAYS = squares([(-1, -1), (-1, 1), (1, -1), (1, 1)])
UP = squares([(1, -1), (1, 1)])


class State(NamedTuple):
    fox: int
    hounds: tuple[int, int, int, int]
    side: Side


def start():
    return State(60 - 1, (0, 2, 4, 6), Side.FOX)


def turn(s):
    return s.side


def moves(s):
    if s.side == Side.FOX:
        return [to for to in ALL_WAYS[s.fox] if to not in s.hounds]
    return [
        64 * (1 + i) + to for i, h in enumerate(s.hounds) for to in UP[h] if to != s.fox and to not in s.hounds
    ]


def play(s, m):
    match s.side:
        case Side.FOX:
            return s._replace(fox=m, side=Side.HOUNDS)
        case Side.HOUNDS:
            i, to = divmod(m, 64)
            hounds = [h for j, h in enumerate(s.hounds) if j != i - 1]
            a, b, c, d = sorted([*hounds, to])
            return State(s.fox, (a, b, c, d), Side.FOX)


def result(s):
    if s.fox // N <= min(h // N for h in s.hounds):  # the fox is past them
        return 1 if s.side is Side.FOX else -1
    return None


def stuck(s):
    return -1


def evaluate(s):
    score = 10 * (7 - s.fox // N) + len([to for to in ALL_WAYS[s.fox] if to not in s.hounds])
    return score if s.side == Side.FOX else -score


def name(i):
    return "abcdefgh"[i % N] + str(i // N + 1)


def format_move(s, m):
    return name(m) if s.side == Side.FOX else f"{name(s.hounds[m // 64 - 1])}-{name(m % 64)}"


def show(s):
    rows = []
    for r in reversed(range(N)):
        rows.append(" ".join("F" if (i := r * N + c) == s.fox else "h" if i in s.hounds else "." for c in range(N)))
    return "\n".join(rows)
