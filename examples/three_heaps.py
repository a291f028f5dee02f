"""Three players take one to three stones from one of three heaps; the last stone scores 2, and the player before gets 1.

A game with more than two sides: `result` gives a value for each side, and `turn` says whose turn it is. `plyground` plays it with
max^n.
A move is heap * 10 + stones: 12 takes two stones from the second heap.
"""

from typing import NamedTuple

from plyground import Board, parameters
from plyground.bits import put

A, B, C = parameters(a=1, b=2, c=3)
TITLE = "Three heaps"
SIDES = ("red", "green", "blue")
BOARD = Board("heaps", cols=3, count=99)


class State(NamedTuple):
    heaps: tuple[int, ...]
    side: int


def start():
    return State((A, B, C), 0)


def moves(s):
    for heap in range(3):
        for stones in range(1, min(3, s.heaps[heap]) + 1):
            yield heap * 10 + stones


def play(s, m):
    heap = m // 10
    return State(put(s.heaps, heap, s.heaps[heap] - m % 10), (s.side + 1) % 3)


def result(s):
    if sum(s.heaps):
        return None
    last, before = (s.side + 2) % 3, (s.side + 1) % 3
    return tuple(2 if side == last else 1 if side == before else 0 for side in range(3))


def turn(s):
    return s.side


def touch(s, m):
    yield m // 10


def format_move(s, m):
    return f"{'abc'[m // 10]}{m % 10}"


def parse_move(s, text):
    return "abc".index(text[0].lower()) * 10 + int(text[1:])
