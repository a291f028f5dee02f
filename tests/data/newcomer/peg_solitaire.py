"""Peg solitaire on a small cross: jump over a neighbour to take it away; the fewer pegs are left, the better."""

from typing import NamedTuple

TITLE = "Peg solitaire"
SIDES = ("you",)
BOARD = """
 ooo
 ooo
ooooo
oo.oo
ooooo
 ooo
"""
ROWS = BOARD.strip("\n").split("\n")
CELLS = [(r, c) for r, row in enumerate(ROWS) for c, x in enumerate(row) if x != " "]
NUMBER = {cell: i for i, cell in enumerate(CELLS)}
JUMPS = [
    (NUMBER[r, c], NUMBER[r + dr, c + dc], NUMBER[r + 2 * dr, c + 2 * dc])
    for r, c in CELLS
    for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]
    if (r + 2 * dr, c + 2 * dc) in NUMBER and (r + dr, c + dc) in NUMBER
]
MARGIN = len(CELLS)


class State(NamedTuple):
    pegs: int


def start():
    return State(sum(1 << i for i, (r, c) in enumerate(CELLS) if ROWS[r][c] == "o"))


def has(pegs, i):
    return pegs >> i & 1 == 1


def moves(s):
    return [
        i
        for i, (a, b, c) in enumerate(JUMPS)
        if has(s.pegs, a) and has(s.pegs, b) and not has(s.pegs, c)
    ]


def play(s, m):
    a, b, c = JUMPS[m]
    return State(s.pegs ^ (1 << a) ^ (1 << b) ^ (1 << c))


def result(s):
    if len(moves(s)) > 0:
        return None
    return -s.pegs.bit_count()


def show(s):
    lines = []
    for r, row in enumerate(ROWS):
        lines.append(
            "".join(" " if x == " " else "o" if has(s.pegs, NUMBER[r, c]) else "." for c, x in enumerate(row))
        )
    return "\n".join(lines)


def format_move(s, m):
    a, _, c = (CELLS[i] for i in JUMPS[m])
    return f"{a[0] + 1}{a[1] + 1}-{c[0] + 1}{c[1] + 1}"
