"""The tree of every textbook: three moves for max, three answers each for min; the leaves are estimates, worth what LEAVES says.

Alpha-beta prunes c2 and c3: after c1 min can force 2, and max has 3 elsewhere.
"""

from typing import NamedTuple

TITLE = "Figure"
SIDES = ("max's", "min's")
LEAVES = (3, 12, 8, 2, 4, 6, 14, 5, 2)


class State(NamedTuple):
    at: int  # 0 the root, 1 to 3 the nodes B, C, D, from 4 on the leaves


def start():
    return State(0)


def moves(s):
    yield from range(3)


def play(s, m):
    return State(3 * s.at + m + 1)


def result(s):
    return None


def evaluate(s):
    return LEAVES[s.at - 4] if 4 <= s.at < 13 else 0


def format_move(s, m):
    return "BCD"[m] if s.at == 0 else f"{'bcd'[s.at - 1]}{m + 1}" if s.at < 4 else str(m)


def show(s):
    return f"<node {s.at}> & </script>"
