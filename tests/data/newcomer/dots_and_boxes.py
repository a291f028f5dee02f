"""Dots and Boxes: draw a line between two dots; whoever closes a box owns it and draws again. More boxes win."""

from typing import NamedTuple

from plyground import parameters

N = parameters(n=2)
TITLE = "Dots and Boxes"
SIDES = ("A", "B")
MARGIN = N * N
HORIZONTAL = N * (N + 1)  # lines 0 .. HORIZONTAL - 1 lie, the others stand
LINES = 2 * HORIZONTAL
ALL = (1 << LINES) - 1


def box(r, c):
    """The four lines around a box, as a mask."""
    top = r * N + c
    left = HORIZONTAL + r * (N + 1) + c
    return 1 << top | 1 << (top + N) | 1 << left | 1 << (left + 1)


BOXES = tuple(box(r, c) for r in range(N) for c in range(N))


class State(NamedTuple):
    lines: int
    score: tuple[int, int]
    player: int


def start():
    return State(0, (0, 0), 0)


def moves(s):
    yield from (i for i in range(LINES) if not s.lines & 1 << i)


def play(s, m):
    lines = s.lines | 1 << m
    closed = sum(1 for b in BOXES if b >> m & 1 and lines & b == b)
    if not closed:
        return State(lines, s.score, 1 - s.player)
    a, b = s.score
    score = (a + closed, b) if s.player == 0 else (a, b + closed)
    return State(lines, score, s.player)


def result(s):
    if s.lines != ALL:
        return None
    return s.score[s.player] - s.score[1 - s.player]


def turn(s):
    return s.player


def evaluate(s):
    return s.score[s.player] - s.score[1 - s.player]


def show(s):
    text = ""
    for r in range(N + 1):
        text += "+" + "+".join("--" if s.lines >> (r * N + c) & 1 else "  " for c in range(N)) + "+\n"
        if r < N:
            text += "  ".join("|" if s.lines >> (HORIZONTAL + r * (N + 1) + c) & 1 else " " for c in range(N + 1)) + "\n"
    return text + f"{s.score[0]} : {s.score[1]}"
