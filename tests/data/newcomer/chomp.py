"""Chomp: bite a square out of the chocolate, with all that is above and to the right of it; the bottom left one is poisoned."""

from typing import NamedTuple

from plyground import Parameter, parameters

ROWS, COLS = parameters(rows=Parameter(3, 1, 8, "rows of the bar"), cols=Parameter(4, 1, 8, "columns of the bar"))
TITLE = "Chomp"
SIDES = ("first", "second")


class State(NamedTuple):
    bar: tuple[int, ...]  # what is left of each row, from the bottom


def start():
    return State((COLS,) * ROWS)


def moves(s):
    return [row * COLS + col for row, left in enumerate(s.bar) for col in range(left)]


def play(s, m):
    row, col = divmod(m, COLS)
    return s._replace(bar=tuple(min(left, col) if i >= row else left for i, left in enumerate(s.bar)))


def result(s):
    # The poison is gone: whoever ate it, the other side, has lost.
    return 1 if sum(s.bar) == 0 else None


def show(s):
    return "\n".join("# " * left for left in reversed(s.bar))


def format_move(s, m):
    return f"{'abcdefgh'[m % COLS]}{m // COLS + 1}"
