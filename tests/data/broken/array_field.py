"""Take one to three stones; whoever takes the last one wins."""

from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    stones: np.ndarray


def start():
    return State(np.array([10]))


def moves(s):
    for m in range(1, 4):
        if m <= s.stones[0]:
            yield m


def play(s, m):
    return State(np.array([s.stones[0] - m]))


def result(s):
    return -1 if s.stones == 0 else None
