"""The techniques of the search by name, and the scale of scores in a game."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.search import options as bits

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
}
"""The bit of each technique (`search/options.py` explains them); `hash` is an evaluation for tests."""
EXACT = ("table", "pvs", "order", "killers", "history", "distance", "symmetry")
"""The techniques that never change the value of a search to a fixed depth."""


def option_bits(game: Game, names: Sequence[str] | None, exact: bool) -> int:
    """The techniques to use: those named, or the usual ones; with `exact`, only the ones that never change the value."""
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


class Scale:
    """The scale of scores in a game: whole numbers for wins and estimates, or expected results in games of chance."""

    def __init__(self, game: Game) -> None:
        self.chance = "chance" in game.has
        # A null window still needs a width: with none, "at least this" and "at most this" would be the same answer.
        self.step: float = 1e-9 * max(1, game.margin) if self.chance else 1
        self.window: float = (game.margin / 20 or math.inf) if self.chance else 30
        """The distance from the last score to either end of an aspiration window."""
        self.bound: float = (game.margin + 1.0 if game.margin else math.inf) if self.chance else scores.INFINITE
        """Larger than any score."""
