"""Tug of war: each side in turn pulls the rope one or two steps; SIZE steps over the line win. It can go to and fro for ever."""

from typing import NamedTuple

from plyground import parameters

SIZE, LEAD = parameters(size=4, lead=0)
REPETITION = 3


class State(NamedTuple):
    lead: int  # how far the rope is on the side of whoever pulls next


def start():
    return State(LEAD)


def moves(s):
    return (1, 2)


def play(s, m):
    return State(-s.lead - m)


def result(s):
    return -1 if s.lead <= -SIZE else None


def evaluate(s):
    return s.lead
