"""How many moves are close to the best: is a choice a decision?"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from plyground.engine import LEVELS
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.report import samples
from plyground.report.replay import Replay
from plyground.report.samples import Interval
from plyground.rules.game import Game

SAMPLE = 240
"""Positions that are looked at, if there is time."""
NEAR_LEVEL = 5
"""Close to the best is what this level still plays: within a quarter of the way from the best move to the middle one."""
NODES = 10_000
"""Nodes for a position."""


class Decisions(NamedTuple):
    """Positions with more than one legal move, each searched move by move."""

    positions: int
    close: Interval | None
    """The mean number of moves that are close to the best, itself included."""
    only: Interval
    """The share of positions in which one move stands out."""
    all_alike: Interval
    """The share of positions in which the search sees no difference between any two moves."""


def decisions(
    game: Game,
    replays: Sequence[Replay],
    seed: int,
    seconds: float | None,
    most: int = SAMPLE,
    on_position: Callable[[int], None] = lambda done: None,
) -> Decisions:
    """Look at positions that are drawn at random from some games, until there are enough or the time is over."""
    there = [ply.s for replay in replays for ply in replay.plies if len(ply.legal) > 1]
    random.Random(seed).shuffle(there)
    engine = Engine(game, memory=16, seed=seed)
    until = None if seconds is None else time.monotonic() + seconds
    counts, alike = [], 0
    for s in there[:most]:
        if until is not None and time.monotonic() > until:
            break
        engine.forget()
        found = [worth for _, worth in engine.analyse(s, Limit(nodes=NODES), lines=0).moves]
        counts.append(close(found))
        alike += len(found) > 1 and found[0] == found[-1]
        on_position(len(counts))
    return Decisions(
        len(counts),
        samples.mean(counts) if counts else None,
        samples.share(counts.count(1), len(counts)),
        samples.share(alike, len(counts)),
    )


def close(found: Sequence[Any]) -> int:
    """Return how many of these scores, best first, are close to the first.

    >>> close([100, 95, 60, 20, -50]), close([0, 0, 0]), close([9993, 0, 0])
    (2, 3, 1)
    """
    slack = LEVELS[NEAR_LEVEL][1] * (found[0] - found[len(found) // 2])
    return sum(found[0] - worth <= slack for worth in found)
