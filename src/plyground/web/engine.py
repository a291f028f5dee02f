"""What the engine's Worker needs to know: the tasks of a root, sizes, techniques, levels and the scale of scores."""

from __future__ import annotations

import math
from typing import Any

from plyground import score as scores
from plyground.engine.levels import FULL, at_level
from plyground.engine.options import Scale, option_bits
from plyground.rules.game import Game
from plyground.search import memory, root

TASKS = ("BEGIN", "ITERATE", "EQUALS", "SHARPEN", "NEAR", "GO_ON")
TABLE_MB = 32
"""The size of the table, a power of two."""


def engine_facts(game: Game) -> dict[str, Any]:
    """The facts of a game for the engine in a browser."""
    scale = Scale(game)
    return {
        "levels": [at_level(level, scale)._asdict() for level in range(1, FULL)],
        "scale": {
            **{name: _finite(getattr(scale, name)) for name in ("step", "window", "bound")},
            "proven": scores.LIMIT + 1,
        },
        "engine": {
            "tasks": {name: getattr(root, name) for name in TASKS},
            "options": {"all": option_bits(game, None, False), "exact": option_bits(game, None, True)},
            "limited": "likely" in game.has,
            "full": FULL,
            "maxDepth": root.MAX_DEPTH,
            "maxPast": memory.MAX_PAST,
            "seenSize": memory.SEEN_SIZE,
            "stackWords": memory.STACK_WORDS,
            "firstStep": memory.FIRST_STEP,
            "eras": memory.ERAS,
            "bucketBytes": memory.BUCKET_BYTES,
            "buckets": (TABLE_MB << 20) // memory.BUCKET_BYTES,
        },
    }


def _finite(number: float) -> float | None:
    """A number as JSON can say it: None stands for infinity."""
    return None if math.isinf(number) else number


def first_choice(game: Game) -> Any:
    """The first state in which a player is to move, if chance rolls its first outcomes."""
    s = game.start()
    while game.is_chance(s):
        s = game.play(s, game.outcomes(s)[0][0])
    return s
