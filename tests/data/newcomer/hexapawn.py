"""Hexapawn: three pawns a side on 3x3; reach the far row, or leave the opponent without a move, to win."""

from typing import NamedTuple

TITLE = "Hexapawn"
SIDES = ("white", "black")
SIZE = 3
# A move is a square and a kind: 0 forward, 1 captures to the left, 2 captures to the right.
FORWARD, LEFT, RIGHT = range(3)


class State(NamedTuple):
    white: tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool]
    black: tuple[bool, bool, bool, bool, bool, bool, bool, bool, bool]
    turn: int


def start():
    return State((True,) * 3 + (False,) * 6, (False,) * 6 + (True,) * 3, 0)


def target(s, m):
    square, kind = m // 3, m % 3
    ahead = square + SIZE if s.turn == 0 else square - SIZE
    match kind:
        case 0:
            return ahead
        case 1:
            return ahead - 1 if square % SIZE > 0 else -1
        case 2:
            return ahead + 1 if square % SIZE < SIZE - 1 else -1
        case _:
            return -1


def legal(s, m):
    own, other = (s.white, s.black) if s.turn == 0 else (s.black, s.white)
    if not own[m // 3] or not 0 <= (to := target(s, m)) < 9:
        return False
    return not own[to] and not other[to] if m % 3 == FORWARD else other[to]


def moves(s):
    return (m for m in range(27) if legal(s, m))


def play(s, m):
    to = target(s, m)
    own = s.white if s.turn == 0 else s.black
    other = s.black if s.turn == 0 else s.white
    own = tuple(i == to or (p and i != m // 3) for i, p in enumerate(own))
    other = tuple(p and i != to for i, p in enumerate(other))
    if s.turn == 0:
        return State(own, other, 1)
    return State(other, own, 0)


def result(s):
    if any(s.white[6:]):
        return 1 if s.turn == 0 else -1
    if any(s.black[:3]):
        return 1 if s.turn == 1 else -1
    return None


def stuck(s):
    return -1


def show(s):
    return "\n".join(
        "".join("W" if s.white[r * 3 + c] else "B" if s.black[r * 3 + c] else "." for c in range(3)) for r in (2, 1, 0)
    )
