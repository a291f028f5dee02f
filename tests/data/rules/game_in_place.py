"""Count down, in place."""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    heap: np.ndarray
    turn: np.ndarray


def start():
    return State(np.array([[5, -3]], np.int8), np.zeros(1, np.int64))


def moves(s):
    return range(1, min(3, int(s.heap[0, 0])) + 1)


def play(s, m):
    s.heap[0, 0] = int(s.heap[0, 0]) - m
    s.turn[0] ^= 1


def undo(s, m):
    s.heap[0, 0] = int(s.heap[0, 0]) + m
    s.turn[0] ^= 1


def result(s):
    return -1 if s.heap[0, 0] == 0 else None
