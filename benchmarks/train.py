"""How fast nets are trained: positions per second on one thread and on two."""

from __future__ import annotations

import time

from pages import table
from plyground import load
from plyground.nets.derive import derive_features
from plyground.train.learner import Learner

GAMES = ("othello", "connect4", "checkers", "kalah", "backgammon")
TURNS, SECONDS = 6, 2.0
"""One thread and two take turns, so that a machine that is slower for a while slows both."""
WARM_UP = 20
"""Rounds before it is measured: first games are like random ones."""


def train() -> str:
    """Return a row for each game. Seconds are those of the clock, so nothing else may run."""
    rows = [["game", "weights", "positions/s, 1 thread", "2 threads", "ratio"]]
    for spec in GAMES:
        game = load(spec)
        features = derive_features(game)
        learners = [Learner(game, features, threads=threads) for threads in (1, 2)]
        for learner in learners:
            for _ in range(WARM_UP):
                learner.round()
        speeds = [[_speed(learner) for learner in learners] for _ in range(TURNS)]
        one, two = (sum(column) / TURNS for column in zip(*speeds, strict=True))
        rows.append([game.name, f"{features.weights:,}", f"{one:,.0f}", f"{two:,.0f}", f"{two / one:.2f}"])
    return table(rows)


def _speed(learner: Learner) -> float:
    """Return the positions per second, measured for some seconds."""
    before, since = learner.progress.positions, time.perf_counter()
    while (took := time.perf_counter() - since) < SECONDS:
        learner.round()
    return (learner.progress.positions - before) / took
