"""Take one to three stones in turn; each is worth `MARGIN // stones`, the last one what is left of MARGIN. More wins.

`keep=1`: the solver keeps a code that leaves out what is banked. `keep=2`: it keeps whole states, and what is banked is known.
"""

from typing import NamedTuple

from plyground import parameters

STONES, MARGIN, LEAD, KEEP = parameters(stones=7, margin=19_999, lead=0, keep=0)
WORTH = MARGIN // STONES


class State(NamedTuple):
    left: int
    lead: int  # of the side to move


def start():
    return State(STONES, LEAD)


def moves(s):
    return range(1, min(3, s.left) + 1)


def play(s, m):
    gain = m * WORTH + (MARGIN - STONES * WORTH if m == s.left else 0)
    return State(s.left - m, -(s.lead + gain))


def result(s):
    return None if s.left else max(-MARGIN, min(MARGIN, s.lead))


def evaluate(s):
    return s.lead // 4


def loud(s, m):
    return m == 3


def forced(s):
    return s.left < 4


if KEEP:

    def banked(s):
        return s.lead if abs(s.lead) + s.left * WORTH + STONES < MARGIN else 0


if KEEP == 1:
    KEY_BITS = 20

    def code(s):
        return s.left if banked(s) else 16 * (s.lead + MARGIN) + s.left
