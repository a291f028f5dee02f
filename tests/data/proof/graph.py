"""A walk on a directed graph, which is part of the state: who cannot move loses, and play may go round for ever.

Each node has up to three edges; an edge is four bits, the number of its end plus one, 0 for none.
"""

from typing import NamedTuple

NODES = 9


class State(NamedTuple):
    node: int
    edges: tuple[int, ...]


def start():
    return State(0, (0x432, 0x51, 0x61, 0x28, 0x9, 0, 0x71, 0x1, 0))


def moves(s):
    edges = s.edges[s.node]
    for i in range(3):
        if edges >> 4 * i & 15:
            yield i


def play(s, m):
    return State((s.edges[s.node] >> 4 * m & 15) - 1, s.edges)


def result(s):
    return None


def stuck(s):
    return -1
