"""Levels: weaker play through less depth and a random choice among moves that are nearly as good as the best."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from plyground.play.limit import Limit

if TYPE_CHECKING:
    from plyground.engine.options import Scale

FULL = 10
"""The level at full strength."""
CAREFUL = 5
"""From this level up, the engine makes no mistake that it can see."""
LEVELS = {1: (1, 2.0), 2: (1, 1.0), 3: (2, 0.8), 4: (2, 0.5), 5: (3, 0.25), 6: (4, 0.2), 7: (5, 0.12), 8: (6, 0.06), 9: (8, 0.0)}
"""For each level: the depth, and how close to the best a move must be."""


class Level(NamedTuple):
    """What a level means in one game; `search/root.py` says which moves are near the best."""

    depth: int
    near: float
    careful: bool


def at_level(level: int, scale: Scale) -> Level:
    """What a level below FULL means."""
    depth, near = LEVELS[level]
    if scale.chance:
        depth = max(1, depth // 2)  # in games of chance, a ply takes many times the work
    return Level(depth, near, level >= CAREFUL)


def limit_at(level: int, limit: Limit | None, scale: Scale) -> Limit:
    """The limit with the level's depth added."""
    depth = at_level(level, scale).depth
    return Limit(depth=depth, time=2) if limit is None or limit.infinite else replace(limit, depth=depth)
