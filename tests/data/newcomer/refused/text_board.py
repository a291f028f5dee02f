# refused: State.board is str ('         '); a field may be an int
"""Tic-tac-toe with the board as text."""

from typing import NamedTuple


class State(NamedTuple):
    board: str
    player: str


def start():
    return State(" " * 9, "X")


def moves(s):
    return [i for i, c in enumerate(s.board) if c == " "]


def play(s, m):
    return State(s.board[:m] + s.player + s.board[m + 1 :], "O" if s.player == "X" else "X")


def result(s):
    for a, b, c in [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]:
        if s.board[a] == s.board[b] == s.board[c] != " ":
            return -1
    return 0 if " " not in s.board else None
