"""How strong the engine plays chess when it is told to hold back: one table for UCI's Elo and skill levels.

Between two rows of the table, each move is played as in one of them, by chance: the nearer, the more often.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import NamedTuple

from plyground.engine.settings import FULL
from plyground.play.limit import Limit


class Handicap(NamedTuple):
    """A way to play below full strength: a level of the engine, or full strength with few nodes."""

    elo: int
    level: int
    nodes: int | None


STRENGTHS = (
    Handicap(600, 1, None),
    Handicap(800, 2, None),
    Handicap(1000, 3, None),
    Handicap(1150, 4, None),
    Handicap(1300, 5, None),
    Handicap(1450, 6, None),
    Handicap(1600, 7, None),
    Handicap(1750, 8, None),
    Handicap(1900, 9, None),
    Handicap(2000, FULL, 30_000),
    Handicap(2100, FULL, 100_000),
    Handicap(2200, FULL, 300_000),
)
"""From weak to strong."""
WEAKEST, STRONGEST = STRENGTHS[0].elo, STRENGTHS[-1].elo
FULL_SKILL = 20
"""The skill level that does not hold back."""


def elo_of_skill(skill: int) -> int:
    """Return the Elo of a skill level below 20.

    >>> elo_of_skill(0), elo_of_skill(19)
    (600, 2200)
    """
    return WEAKEST + (STRONGEST - WEAKEST) * skill // (FULL_SKILL - 1)


def strength_at(elo: int, dice: random.Random) -> Handicap:
    """Return how to play the next move at this Elo.

    >>> strength_at(600, random.Random(1)).level, {strength_at(700, random.Random(i)).level for i in range(20)}
    (1, {1, 2})
    """
    for below, above in itertools.pairwise(STRENGTHS):
        if elo < above.elo:
            return above if dice.random() * (above.elo - below.elo) < elo - below.elo else below
    return STRENGTHS[-1]


def limited(limit: Limit, nodes: int | None) -> Limit:
    """Return the limit with at most this many nodes; a search without a limit gets one."""
    if nodes is None:
        return limit
    return Limit(nodes=nodes) if limit.infinite else replace(limit, nodes=min(nodes, limit.nodes or nodes))
