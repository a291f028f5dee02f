"""Othello: moves and positions as people write them, and the board."""

from plyground import Board
from plyground.bits import popcount

from .rules import PASS, State

BOARD = Board("squares", "12345678", 8, glyphs="●○", buttons={PASS: "pass"})


def cells(s):
    black = s.theirs if s.turn else s.mine
    for square in range(64):
        yield 0 if not (s.mine | s.theirs) >> square & 1 else 1 if black >> square & 1 else 2


def show(s):
    """Return the discs of each side."""
    black, white = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
    return f"black X {popcount(black)}, white O {popcount(white)}"


def format_move(s, m):
    """Return file and row, counted from the top left: a1."""
    return "pass" if m == PASS else f"{'abcdefgh'[m % 8]}{m // 8 + 1}"


def parse_move(s, text):
    text = text.lower().replace(" ", "")
    if text in ("pass", "--"):
        return PASS
    if len(text) != 2:
        raise ValueError(text)
    return "abcdefgh".index(text[0]) + 8 * "12345678".index(text[1])


def format_state(s):
    """Write the squares row by row from a1, X for black, O for white, - for empty, and the side to move."""
    return "".join("-XO"[x] for x in cells(s)) + " " + "XO"[s.turn]


def parse_state(text):
    """Read a position in any case, also with . for empty; ignore text after a semicolon, as in endgame files."""
    squares, side = [*text.partition(";")[0].upper().split(), "", ""][:2]
    if len(squares) != 64 or set(squares) - set("XO-."):
        raise ValueError("64 squares are needed, each X, O or -")
    if side not in ("X", "O") or len(text.partition(";")[0].split()) > 2:
        raise ValueError("after the squares comes the side to move, X or O")
    discs = [sum(1 << i for i, c in enumerate(squares) if c == colour) for colour in "XO"]
    mover = ("X", "O").index(side)
    return State(discs[mover], discs[1 - mover], mover)
