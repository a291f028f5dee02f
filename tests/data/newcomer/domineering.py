"""Domineering: one side lays dominoes upright, the other lying; whoever cannot lay one loses."""

from typing import NamedTuple

from plyground import parameters
from plyground.bits import bits, popcount, u64

N = parameters(n=5)
TITLE = "Domineering"
SIDES = ("vertical", "horizontal")
FULL = u64((1 << N * N) - 1)
NOT_RIGHT = u64(sum(1 << r * N + c for r in range(N) for c in range(N - 1)))


class State(NamedTuple):
    filled: u64
    side: int


def start():
    return State(u64(0), 0)


def places(filled, side):
    """The upper or left squares where a domino of this side fits."""
    free = FULL & ~filled
    return free & free >> N if side == 0 else free & free >> 1 & NOT_RIGHT


def moves(s):
    return bits(places(s.filled, s.side))


def play(s, m):
    domino = u64(1) << m | u64(1) << (m + (1 if s.side else N))
    return State(s.filled | domino, 1 - s.side)


def result(s):
    return None if places(s.filled, s.side) else -1


def evaluate(s):
    return popcount(places(s.filled, s.side)) - popcount(places(s.filled, 1 - s.side))


def show(s):
    return "\n".join("".join("#" if s.filled >> r * N + c & 1 else "." for c in range(N)) for r in range(N))


def format_move(s, m):
    return f"{chr(97 + m % N)}{m // N + 1}"
