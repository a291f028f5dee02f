"""Ataxx on 5 x 5: grow to a neighbour or jump two squares; enemies next to where you land change sides.

Rules: a side without a move passes; the game ends when the board is full, a side has no stones or both sides must pass.
"""

from typing import NamedTuple

SIZE = 5
CELLS = SIZE**2
MARGIN = CELLS
TITLE = "Ataxx"
REPETITION = 3  # jumps can go to and fro
SIDES = ("red", "blue")
PASS = CELLS * CELLS

BOARD = [(r, c) for r in range(SIZE) for c in range(SIZE)]
NEAR = tuple(
    sum(1 << SIZE * r + c for r, c in BOARD if max(abs(r - row), abs(c - col)) == 1) for row, col in BOARD
)
FAR = tuple(
    sum(1 << SIZE * r + c for r, c in BOARD if max(abs(r - row), abs(c - col)) == 2) for row, col in BOARD
)


class State(NamedTuple):
    own: int
    enemy: int


def start():
    corners = [1 << 0, 1 << SIZE - 1, 1 << CELLS - SIZE, 1 << CELLS - 1]
    return State(corners[0] | corners[3], corners[1] | corners[2])


def can_move(stones, other):
    empty = ~(stones | other)
    return any(stones >> i & 1 and (NEAR[i] | FAR[i]) & empty for i in range(CELLS))


def moves(s):
    found = []
    for to in range(CELLS):
        if (s.own | s.enemy) >> to & 1:
            continue
        if NEAR[to] & s.own:
            found.append(to * CELLS + to)  # growing: wherever from, the same
        found += [frm * CELLS + to for frm in range(CELLS) if FAR[to] & s.own & 1 << frm]
    return found or [PASS]


def play(s, m):
    if m == PASS:
        return State(s.enemy, s.own)
    frm, to = m // CELLS, m % CELLS
    own = s.own | 1 << to
    if frm != to:
        own ^= 1 << frm
    flipped = NEAR[to] & s.enemy
    return State(s.enemy ^ flipped, own | flipped)


def result(s):
    if not s.own or not s.enemy or not (can_move(s.own, s.enemy) or can_move(s.enemy, s.own)):
        return s.own.bit_count() - s.enemy.bit_count()


def evaluate(s):
    return s.own.bit_count() - s.enemy.bit_count()


def cell(i):
    return "abcde"[i % SIZE] + "12345"[i // SIZE]


def format_move(s, m):
    if m == PASS:
        return "pass"
    frm, to = divmod(m, CELLS)
    return cell(to) if frm == to else cell(frm) + cell(to)


def show(s):
    return "\n".join(
        "".join("x" if s.own >> i & 1 else "o" if s.enemy >> i & 1 else "." for i in range(r, r + SIZE))
        for r in range(CELLS - SIZE, -1, -SIZE)
    )
