"""Which weights of a net matter in the games that it plays itself: a net that travels can leave the others out.

Leaving out a weight changes the estimate of each position in which it is active. What counts is how often that is, and the square
of the weight.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.learn.learner import Learner
from plyground.learn.net import Net
from plyground.rules.game import Game

POSITIONS = 40_000_000
"""Of the games that show which weights are used."""

Array = np.ndarray[Any, Any]


def main_weights(
    game: Game,
    net: Net,
    most: int,
    positions: int = POSITIONS,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Array:
    """The weights of a net, but 0 for all except those that matter most; at most `most` of them, and tied ones all or none.

    `on_progress` gets the positions of each round.
    """
    if net.features.hidden:
        raise PlygroundError(f"the net of {game.name} has hidden units: all of its weights are needed")
    matter = uses(game, net, positions, threads, on_progress) * np.square(net.weights, dtype=np.float64)
    least = 0.0 if most >= len(matter) else -np.partition(-matter, most)[most]
    return np.where(matter > least, net.weights, np.int16(0))


def uses(game: Game, net: Net, positions: int, threads: int = 1, on_progress: Callable[[int], None] = lambda _: None) -> Array:
    """How often each weight is active in games that the net plays itself; the same on any number of threads."""
    learner = Learner(game, net.features, threads=threads)
    learner.take_over(net)
    counts: Array = np.zeros(net.features.weights, np.uint64)
    seen = 0
    while seen < positions:
        before = seen
        for rows in learner.watch():
            np.add.at(counts, rows.ravel().astype(np.int64), np.uint64(1))
            seen += len(rows)
        on_progress(seen - before)
    tied: Array = counts[net.features.ties()]
    return tied
