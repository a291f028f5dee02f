from typing import NamedTuple
from plyground.bits import u64
from plyground.bits import mix


class State(NamedTuple):
    heap: int
    side: int
    one: u64
    two: u64


def made(heap, side):
    return State(heap, side, mix(u64(heap)), mix(u64(heap + 1000)))


def start():
    return made(40, 0)


def moves(s):
    return range(1, min(3, s.heap) + 1)


def play(s, m):
    return made(s.heap - m, s.side if m == 2 else 1 - s.side)


def result(s):
    return None if s.heap else -1


def turn(s):
    return s.side
