"""Small Pentago: place a stone on 4 x 4, then give one of the four 2 x 2 corners a quarter turn; four in a row win."""

from typing import NamedTuple

from plyground.bits import u64

TITLE = "Small Pentago"
N = 4
LINES = tuple(
    [sum(1 << N * r + c for c in range(N)) for r in range(N)]
    + [sum(1 << N * r + c for r in range(N)) for c in range(N)]
    + [sum(1 << N * i + i for i in range(N)), sum(1 << N * i + N - 1 - i for i in range(N))]
)
# The four cells of each corner, clockwise.
CORNERS = [[a, a + 1, a + N + 1, a + N] for a in (0, 2, 8, 10)]


class State(NamedTuple):
    me: u64
    you: u64


def start():
    return State(u64(0), u64(0))


def moves(s):
    taken = s.me | s.you
    yield from (cell << 3 | turn for cell in range(16) if not taken >> cell & 1 for turn in range(8))


def rotate(stones, corner, clockwise):
    ring = CORNERS[corner]
    mask = sum(1 << i for i in ring)
    new = stones & ~mask
    for k, i in enumerate(ring):
        if stones >> i & 1:
            new |= 1 << ring[(k + (1 if clockwise else -1)) % 4]
    return new


def play(s, m):
    cell, corner, clockwise = m >> 3, m >> 1 & 3, m & 1
    me = s.me | 1 << cell
    return State(rotate(s.you, corner, clockwise), rotate(me, corner, clockwise))


def has_four(stones):
    return any(stones & line == line for line in LINES)


def result(s):
    if (mine := has_four(s.me)) | (yours := has_four(s.you)):
        return mine - yours
    return 0 if s.me | s.you == 0xFFFF else None


def format_move(s, m):
    return f"{'abcd'[(m >> 3) % 4]}{(m >> 3) // 4 + 1}{m >> 1 & 3}{'LR'[m & 1]}"


def show(s):
    return "\n".join(
        " ".join("x" if s.me >> i & 1 else "o" if s.you >> i & 1 else "." for i in range(r, r + 4)) for r in (12, 8, 4, 0)
    )
