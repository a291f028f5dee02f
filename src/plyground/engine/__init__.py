"""The engine: iterative deepening, clock, threads, levels, players.

Here: the techniques of its search by name, the scale of its scores in a game, and its levels of weaker play.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.kernels import search as bits
from plyground.play.limit import Limit
from plyground.rules.game import Game

OPTIONS = {
    "table": bits.USE_TABLE,
    "pvs": bits.USE_PVS,
    "order": bits.USE_ORDER,
    "killers": bits.USE_KILLERS,
    "history": bits.USE_HISTORY,
    "distance": bits.USE_DISTANCE,
    "symmetry": bits.USE_SYMMETRY,
    "quiescence": bits.USE_QUIET,
    "null": bits.USE_NULL,
    "reductions": bits.USE_REDUCTIONS,
    "internal": bits.USE_INTERNAL,
    "extensions": bits.USE_EXTENSIONS,
    "deeper": bits.USE_DEEPER,
    "replies": bits.USE_REPLIES,
    "hash": bits.HASH_EVALUATE,
    "likely": bits.USE_LIKELY,
    "proofs": bits.USE_PROOFS,
    "rollouts": bits.USE_ROLLOUTS,
    "lookout": bits.USE_LOOKOUT,
    "reverse_futility": bits.USE_REVERSE_FUTILITY,
    "futility": bits.USE_FUTILITY,
    "threats": bits.USE_THREATS,
}
"""The bit of each technique (`kernels/search/__init__.py` explains them); `hash` is an evaluation for tests."""
EXACT = ("table", "pvs", "order", "killers", "history", "distance", "symmetry")
"""The techniques that never change the value of a search to a fixed depth."""


def option_bits(game: Game, names: Sequence[str] | None, exact: bool) -> int:
    """Return the techniques to use: those named, or the default; with `exact`, only the ones that never change the value."""
    unknown = [n for n in names or () if n not in OPTIONS]
    if unknown:
        raise PlygroundError(f"there is no search option {unknown[0]!r:.30}; the options are {', '.join(OPTIONS)}")
    used = set(OPTIONS) - {"hash", "proofs"} if names is None else set(names)
    if names is None and len(game.sides) == 1:
        used.discard("pvs")  # without an opponent, a null window that fails high is always searched again
    if exact:
        used &= {*EXACT, "hash"}
        if game.repetition:
            used.discard("table")  # values then depend on the path, which the table does not store
    return sum(OPTIONS[n] for n in used)


class ScoreScale:
    """The scale of scores in a game: whole numbers for wins and estimates, or expected results in games of chance."""

    def __init__(self, game: Game) -> None:
        self.chance = "chance" in game.has
        # A null window still needs a width: with none, "at least this" and "at most this" would be the same answer.
        self.step: float = 1e-9 * max(1, game.margin) if self.chance else 1
        self.window: float = (game.margin / 20 or math.inf) if self.chance else 30
        """The distance from the last score to either end of an aspiration window."""
        self.bound: float = (game.margin + 1.0 if game.margin else math.inf) if self.chance else scores.INFINITE
        """Larger than any score."""


# -- levels: less depth, and a random choice among moves that are nearly as good as the best ------------------------------------

FULL_STRENGTH = 10
"""The level at full strength."""
FIRST_CAREFUL_LEVEL = 5
"""The first level at which the engine avoids all moves that it knows to lose."""
LEVELS = {1: (1, 2.0), 2: (1, 1.0), 3: (2, 0.8), 4: (2, 0.5), 5: (3, 0.25), 6: (4, 0.2), 7: (5, 0.12), 8: (6, 0.06), 9: (8, 0.0)}
"""For each level: the depth, and how close to the best a move must be."""


class Level(NamedTuple):
    """What a level means in one game; `kernels/search/plan.py` says which moves are near the best."""

    depth: int
    near: float
    careful: bool


def level_settings(level: int, scale: ScoreScale) -> Level:
    """Return what a level below FULL means."""
    depth, near = LEVELS[level]
    if scale.chance:
        depth = max(1, depth // 2)  # in games of chance, a ply takes many times the work
    return Level(depth, near, level >= FIRST_CAREFUL_LEVEL)


def level_limit(level: int, limit: Limit | None, scale: ScoreScale) -> Limit:
    """Return the limit with the level's depth added."""
    depth = level_settings(level, scale).depth
    return Limit(depth=depth, time=2) if limit is None or limit.infinite else replace(limit, depth=depth)
