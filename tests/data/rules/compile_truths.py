from typing import NamedTuple
from plyground.bits import popcount, u64

MARGIN = 1000


class State(NamedTuple):
    n: int
    word: u64


def start():
    return State(0, u64(5))


def moves(s):
    if s.n < 5:
        yield 0
        yield 1


def play(s, m):
    return State(s.n + 1, s.word * 3 + m)


def result(s):
    if s.n < 5:
        return None
    even, low = s.word & 1 == 0, s.word & 2 == 0
    total = (even - low) + 3 * (1 - even) + 5 * (even - 1) + 7 * (popcount(s.word) - low) + 11 * (s.n - even) + 13 * -low
    total += even
    total -= low
    return max(-900, min(900, total - 17 * (not s.word & 4))) if s.word & 8 else int(s.word & 7)
