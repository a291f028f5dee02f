# refused: State.board is list ([' ',
"""Noughts and crosses with a list of strings."""

from typing import NamedTuple


class State(NamedTuple):
    board: list[str]
    player: int


def start():
    return State([" "] * 9, 0)


def moves(s):
    return [i for i, x in enumerate(s.board) if x == " "]


def play(s, m):
    board = list(s.board)
    board[m] = "XO"[s.player]
    return State(board, 1 - s.player)


def result(s):
    b = s.board
    for i in range(3):
        if b[i] == b[i + 3] == b[i + 6] != " ":
            return -1
    return 0 if " " not in b else None
