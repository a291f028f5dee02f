"""Pop Out: drop a disc, or pop one of your own out of the bottom row; K in a row win. Rules in place, with NumPy.

Rules: if a pop makes a line for both sides, the side that popped wins.
"""

from typing import NamedTuple

import numpy as np

from plyground import parameters

ROWS, COLS, K = parameters(rows=4, cols=4, k=3)
TITLE = "Pop Out"
SIDES = ("X", "O")
REPETITION = 3


class State(NamedTuple):
    board: np.ndarray  # 0 empty, 1 and 2 the discs; row 0 is the bottom
    player: np.ndarray


def start():
    return State(np.zeros((ROWS, COLS), dtype=np.int8), np.ones(1, dtype=np.int8))


def moves(s):
    for c in range(COLS):
        if s.board[ROWS - 1, c] == 0:
            yield c
    for c in range(COLS):
        if s.board[0, c] == s.player[0]:
            yield COLS + c


def play(s, m):
    c = m % COLS
    if m < COLS:
        r = 0
        while s.board[r, c] != 0:
            r += 1
        s.board[r, c] = s.player[0]
    else:
        for r in range(ROWS - 1):
            s.board[r, c] = s.board[r + 1, c]
        s.board[ROWS - 1, c] = 0
    s.player[0] = 3 - int(s.player[0])


def undo(s, m):
    s.player[0] = 3 - int(s.player[0])
    c = m % COLS
    if m < COLS:
        r = ROWS - 1
        while s.board[r, c] == 0:
            r -= 1
        s.board[r, c] = 0
    else:
        s.board[1:, c] = s.board[:-1, c].copy()
        s.board[0, c] = s.player[0]


def line(board, player):
    for r in range(ROWS):
        for c in range(COLS):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if 0 <= r + (K - 1) * dr < ROWS and 0 <= c + (K - 1) * dc < COLS:
                    if all(board[r + i * dr, c + i * dc] == player for i in range(K)):
                        return True
    return False


def result(s):
    if line(s.board, 3 - int(s.player[0])):
        return -1
    if line(s.board, s.player[0]):
        return 1
    return None


def stuck(s):
    return 0


def show(s):
    return "\n".join("".join(".XO"[s.board[r, c]] for c in range(COLS)) for r in range(ROWS - 1, -1, -1))


def format_move(s, m):
    return f"{m + 1}" if m < COLS else f"pop{m - COLS + 1}"
