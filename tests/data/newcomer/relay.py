"""Relay: three runners in turn push one counter on by 1, 2 or 3; whoever reaches the goal gets 3, the runner before 1.

A runner who pushed it onto a trap (a multiple of five) pays one point.
"""

from typing import NamedTuple

from plyground import parameters

(GOAL,) = (parameters(goal=11),)
TITLE = "Relay"
SIDES = ("ann", "bob", "cat")
TRAPS = frozenset(range(5, GOAL, 5))


class State(NamedTuple):
    position: int
    points: tuple[int, int, int]
    player: int


def start():
    return State(0, (0, 0, 0), 0)


def moves(s):
    return range(1, min(3, GOAL - s.position) + 1)


def play(s, m):
    position = s.position + m
    points = list(s.points)
    if position in TRAPS:
        points[s.player] -= 1
    if position == GOAL:
        points[s.player] += 3
        points[s.player - 1] += 1
    return State(position, tuple(points), (s.player + 1) % 3)


def turn(s):
    return s.player


def evaluate(s):
    return s.points


def result(s):
    return s.points if s.position == GOAL else None


def show(s):
    return "-" * s.position + "*" + "-" * (GOAL - s.position) + f"  {s.points}"
