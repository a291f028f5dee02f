"""Breakthrough: move a man straight or diagonally forward, capture diagonally; the first man on the far row wins."""

from enum import IntEnum
from typing import NamedTuple

from plyground import parameters

ROWS, COLS = parameters(rows=6, cols=6)
TITLE = "Breakthrough"
SIDES = ("white", "black")


class Piece(IntEnum):
    NONE = 0
    WHITE = 1
    BLACK = 2


class State(NamedTuple):
    board: tuple[int, ...]
    to_move: Piece


def start():
    board = [Piece.WHITE] * (2 * COLS) + [Piece.NONE] * ((ROWS - 4) * COLS) + [Piece.BLACK] * (2 * COLS)
    return State(tuple(board), Piece.WHITE)


def other(piece):
    return Piece.BLACK if piece == Piece.WHITE else Piece.WHITE


def moves(s):
    up = 1 if s.to_move is Piece.WHITE else -1
    for square, piece in enumerate(s.board):
        if piece != s.to_move:
            continue
        row, col = divmod(square, COLS)
        if not 0 <= row + up < ROWS:
            continue
        for dc in (-1, 0, 1):
            if 0 <= col + dc < COLS:
                to = (row + up) * COLS + col + dc
                target = s.board[to]
                if target == Piece.NONE or dc != 0 and target == other(s.to_move):
                    yield square * ROWS * COLS + to


def play(s, m):
    source, to = divmod(m, ROWS * COLS)
    board = list(s.board)
    board[source], board[to] = Piece.NONE, s.to_move
    return State(tuple(board), other(s.to_move))


def result(s):
    if s.to_move == Piece.WHITE:
        return -1 if Piece.BLACK in s.board[:COLS] or Piece.WHITE not in s.board else None
    return -1 if Piece.WHITE in s.board[-COLS:] or Piece.BLACK not in s.board else None


def evaluate(s):
    """Men, and how far the most advanced ones have come."""
    white = sum(10 + i // COLS for i, p in enumerate(s.board) if p == Piece.WHITE)
    black = sum(10 + ROWS - 1 - i // COLS for i, p in enumerate(s.board) if p == Piece.BLACK)
    return white - black if s.to_move == Piece.WHITE else black - white


def loud(s, m):
    return s.board[m % (ROWS * COLS)] != Piece.NONE


def show(s):
    lines = []
    for row in reversed(range(ROWS)):
        lines.append(f"{row + 1} " + " ".join(".wb"[s.board[row * COLS + col]] for col in range(COLS)))
    return "\n".join([*lines, "  " + " ".join("abcdefgh"[:COLS])])


def format_move(s, m):
    def name(square):
        return f"{'abcdefgh'[square % COLS]}{square // COLS + 1}"

    source, to = divmod(m, ROWS * COLS)
    return f"{name(source)}{'x' if s.board[to] else '-'}{name(to)}"
