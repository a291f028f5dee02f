"""Oware: sow the seeds of a pit; the last seed takes twos and threes from the other side's pits.

Rules: the pit that was emptied is skipped; no rule about starving the other side. Whoever has no seeds to sow ends the game.
"""

from typing import NamedTuple

from plyground import Board

PITS, SEEDS = 4, 3
TOTAL = 2 * PITS * SEEDS
TITLE = "Oware"
SIDES = ("south", "north")
MARGIN = TOTAL
LONGEST = 100
BOARD = Board("pits", cols=PITS, count=TOTAL)


class State(NamedTuple):
    pits: tuple[int, ...]
    stores: tuple[int, int]
    side: int
    ply: int


def start():
    return State((SEEDS,) * (2 * PITS), (0, 0), 0, 0)


def turn(s):
    return s.side


ALTERNATE = True


def moves(s):
    for i in range(PITS):
        if s.pits[s.side * PITS + i]:
            yield i


def play(s, m):
    pits, stores = list(s.pits), list(s.stores)
    origin = at = s.side * PITS + m
    seeds, pits[origin] = pits[origin], 0
    while seeds:
        at = (at + 1) % (2 * PITS)
        if at != origin:
            pits[at] += 1
            seeds -= 1
    while at // PITS != s.side and 2 <= pits[at] <= 3:
        stores[s.side] += pits[at]
        pits[at] = 0
        at = (at - 1) % (2 * PITS)
    return State(tuple(pits), (stores[0], stores[1]), 1 - s.side, s.ply + 1)


def result(s):
    mine = sum(s.pits[s.side * PITS : s.side * PITS + PITS])
    lead = s.stores[s.side] - s.stores[1 - s.side]
    if mine == 0:
        return lead - sum(s.pits)
    return lead if s.ply >= LONGEST else None


def cells(s):
    for side in range(2):
        for i in range(PITS):
            yield s.pits[side * PITS + i]
        yield s.stores[side]


def touch(s, m):
    yield m + s.side * (PITS + 1)
