"""Leap: men step forwards or leap over an enemy and take it; after a leap the same side moves again. Reach the last row to win."""

from typing import NamedTuple

from plyground import Board
from plyground.bits import put

N = 5
SIDES = ("white", "black")
BOARD = Board("squares", N, N, pieces="WB", glyphs="○●")


class State(NamedTuple):
    men: tuple[int, ...]
    side: int
    ply: int


def start():
    return State((2,) * N + (0,) * (N * N - 2 * N) + (1,) * N, 0, 0)


def turn(s):
    return s.side


def moves(s):
    forward = 1 if s.side else -1
    for i in range(N * N):
        if s.men[i] == 1 + s.side:
            for right in (-1, 0, 1):
                row, col = i // N + forward, i % N + right
                if not (0 <= row < N and 0 <= col < N):
                    continue
                to = row * N + col
                if s.men[to] == 0:
                    yield i * N * N + to
                elif s.men[to] == 2 - s.side:
                    row, col = row + forward, col + right
                    if 0 <= row < N and 0 <= col < N and s.men[row * N + col] == 0:
                        yield i * N * N + row * N + col


def leaps(m):
    return abs(m // (N * N) // N - m % (N * N) // N) == 2


def play(s, m):
    source, to = m // (N * N), m % (N * N)
    men = put(put(s.men, source, 0), to, s.men[source])
    if leaps(m):
        return State(put(men, (source + to) // 2, 0), s.side, s.ply + 1)
    return State(men, 1 - s.side, s.ply + 1)


def result(s):
    for col in range(N):
        if s.men[col] == 1:
            return -1 if s.side else 1
        if s.men[N * N - N + col] == 2:
            return 1 if s.side else -1
    return None


def stuck(s):
    return -1


def touch(s, m):
    yield m // (N * N)
    yield m % (N * N)
