"""Quarto: place the piece you were given, then choose the next one for the other side; four with something in common win."""

from typing import NamedTuple

TITLE = "Quarto"
EMPTY = -1
NONE = 16  # no piece in hand: at the start, and after the last one
LINES = [
    *[[4 * r + c for c in range(4)] for r in range(4)],
    *[[4 * r + c for r in range(4)] for c in range(4)],
    [0, 5, 10, 15],
    [3, 6, 9, 12],
]


class State(NamedTuple):
    board: tuple[int, ...]
    hand: int  # the piece that must be placed


def start():
    return State((EMPTY,) * 16, NONE)


def moves(s):
    # The first move only chooses a piece: it is coded as if placed nowhere.
    places = [i for i, p in enumerate(s.board) if p == EMPTY] if s.hand != NONE else [16]
    pieces = [p for p in range(16) if p not in s.board and p != s.hand] or [NONE]
    for i in places:
        for p in pieces:
            yield i * 17 + p


def play(s, m):
    place, piece = divmod(m, 17)
    if place == 16:
        return State(s.board, piece)
    board = tuple(s.hand if i == place else p for i, p in enumerate(s.board))
    return State(board, piece)


def won(board):
    for a, b, c, d in LINES:
        if (w := board[a]) != EMPTY and (x := board[b]) != EMPTY and (y := board[c]) != EMPTY and (z := board[d]) != EMPTY:
            if w & x & y & z or ~w & ~x & ~y & ~z & 15:
                return True
    return False


def result(s):
    if won(s.board):
        return -1
    if EMPTY not in s.board:
        return 0
    return None


def show(s):
    def sign(p):
        return "...." if p == EMPTY else f"{p:04b}"

    rows = [" ".join(sign(p) for p in s.board[r : r + 4]) for r in range(0, 16, 4)]
    return "\n".join(rows + ["in hand: " + ("nothing" if s.hand == NONE else sign(s.hand))])


def format_move(s, m):
    place, piece = divmod(m, 17)
    text = "" if place == 16 else "abcd"[place % 4] + "4321"[place // 4]
    return text + ("" if piece == NONE else f":{piece}")
