# refused: State.board must be a flat tuple of ints
"""Tic-tac-toe with the board as rows of rows."""

from typing import NamedTuple

LINES = [[(r, c) for c in range(3)] for r in range(3)] + [[(r, c) for r in range(3)] for c in range(3)]


class State(NamedTuple):
    board: tuple[tuple[int, ...], ...]
    side: int


def start():
    return State(((0,) * 3,) * 3, 1)


def moves(s):
    return [3 * r + c for r in range(3) for c in range(3) if s.board[r][c] == 0]


def play(s, m):
    r, c = divmod(m, 3)
    rows = [list(row) for row in s.board]
    rows[r][c] = s.side
    return State(tuple(tuple(row) for row in rows), -s.side)


def result(s):
    if any(all(s.board[r][c] == -s.side for r, c in line) for line in LINES):
        return -1
    return 0 if all(0 not in row for row in s.board) else None
