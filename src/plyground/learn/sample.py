"""Random games, always the same ones: what features are derived from."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from plyground.rules.game import Game

STATES = 1500
WITNESSES, APART = 40, 5
"""States whose evaluations tell whether `evaluate` is still the same, and how many plies are between them."""
LONGEST = 300
"""Plies of a random game before the next one begins."""


class Ply(NamedTuple):
    """A state of a random game, with the number of plies before it, and whether the game ends there."""

    s: Any
    ply: int
    over: bool


def plies(game: Game, count: int = STATES, seed: int = 1) -> Iterator[Ply]:
    """The states of random games, one game after the other, until there are `count` of them."""
    dice = random.Random(seed)
    found = 0
    while found < count:
        s, ply = game.start(), 0
        while found < count:
            outcomes = game.outcomes(s)
            moves = [] if outcomes else game.legal(s)
            found += 1
            yield Ply(s, ply, not outcomes and not moves)
            if ply == LONGEST or not (outcomes or moves):
                break
            weighted = outcomes or [(m, 1.0) for m in moves]
            m = dice.choices([m for m, _ in weighted], [p for _, p in weighted])[0]
            s, ply = game.play(s, m), ply + 1


def evaluations(game: Game) -> list[float]:
    """What `evaluate` says of some states of random games: this changes with it, or with the rules."""
    return [float(game.evaluate(p.s)) for n, p in enumerate(plies(game, WITNESSES * APART)) if n % APART == 0 and not p.over]
