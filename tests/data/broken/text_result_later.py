"""Ten stones; whoever takes the last one wins. The result is a text, but only at the end."""

from typing import NamedTuple


class State(NamedTuple):
    stones: int


def start():
    return State(10)


def moves(s):
    for m in range(1, 4):
        if m <= s.stones:
            yield m


def play(s, m):
    return State(s.stones - m)


def result(s):
    if s.stones == 0:
        return "lost"
    return None
