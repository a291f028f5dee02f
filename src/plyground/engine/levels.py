"""Levels: weaker play through less depth and a random choice among moves that are nearly as good as the best."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

from plyground.engine.options import Scale
from plyground.play.limit import Limit
from plyground.play.report import Analysis

FULL = 10
"""The level at full strength."""
CAREFUL = 5
"""From this level up, the engine makes no mistake that it can see."""
LEVELS = {1: (1, 2.0), 2: (1, 1.0), 3: (2, 0.8), 4: (2, 0.5), 5: (3, 0.25), 6: (4, 0.2), 7: (5, 0.12), 8: (6, 0.06), 9: (8, 0.0)}
"""For each level: the depth, and how close to the best a move must be."""


def limit_at(level: int, limit: Limit | None, scale: Scale) -> Limit:
    """The limit with the level's depth added."""
    depth = LEVELS[level][0]
    if scale.chance:
        depth = max(1, depth // 2)  # in games of chance, a ply takes many times the work
    return Limit(depth=depth, time=2) if limit is None or limit.infinite else replace(limit, depth=depth)


def weaken(found: Analysis, level: int, scale: Scale, choice: random.Random) -> None:
    """Chooses again, at random among the moves whose scores are near the best.

    "Near" is a fraction of the distance between the best and the median move, so that it means the same in every game.
    From level 5 up, a move that loses by force or gives away a win is never chosen if there is a better one, nor is a move
    separated by a gap from all better ones.
    """
    scored = found.moves
    if not scored:  # not even one ply was searched in time
        return
    best, middle = scored[0][1], scored[len(scored) // 2][1]
    slack = LEVELS[level][1] * max(best - middle, scale.step)
    near = [scored[0]]
    for (_, before), (m, v) in itertools.pairwise(scored):
        gap = 2 * (before - v) > max(slack, scale.step)
        if v < best - slack or (level >= CAREFUL and (gap or scale.proven(v) != scale.proven(best))):
            break
        near.append((m, v))
    found.move, found.score = choice.choice(near)
    lines = [r.line for r in found.reports if r.line[0] == found.move]
    found.line = lines[-1] if lines else (found.move,)
