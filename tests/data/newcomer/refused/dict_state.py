# refused: State.board is dict ({}); a field may be an int
"""Noughts and crosses with a dict from (row, col) to a letter."""

from typing import NamedTuple


class State(NamedTuple):
    board: dict
    player: str


def start():
    return State({}, "X")


def moves(s):
    return [r * 3 + c for r in range(3) for c in range(3) if (r, c) not in s.board]


def play(s, m):
    return State({**s.board, divmod(m, 3): s.player}, "O" if s.player == "X" else "X")


def result(s):
    for i in range(3):
        if all(s.board.get((i, j)) == s.board.get((i, 0)) is not None for j in range(3)):
            return -1
    return 0 if len(s.board) == 9 else None
