"""Ratings of many players, from all their games together: Bradley and Terry's model, fitted by choix; draws are half wins.

Ratings are Elo differences to the average of the players. Every pairing gets half a drawn game on top, so a player who has won or
lost everything has a finite rating; its interval is open on that side. The intervals come from the model's curvature and from how
much the results of pairs vary (a "sandwich"): games of a pair are not independent, and draws make results vary less than the
model alone would say.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from plyground.arena.statistics import MOST, Estimate, Z, variance_at
from plyground.arena.tally import Tally

ELO = 400 / math.log(10)
"""Elo for one unit of the model's strength."""
HALF = 0.25
"""Half a drawn game, in wins for each of both."""


def ratings(players: int, tallies: Mapping[tuple[int, int], Tally]) -> list[Estimate]:
    """Return the Elo of each player above the average of all, with 95 % intervals; tallies are by the numbers of two players.

    >>> won = Tally(wins=15, losses=5, pairs=[1, 0, 3, 0, 6])
    >>> found = ratings(3, {(0, 1): won, (1, 2): won, (0, 2): won})
    >>> [round(player.value) for player in found]
    [127, 0, -127]
    """
    import choix
    import numpy as np

    wins = np.zeros((players, players))
    for (a, b), tally in tallies.items():
        wins[a, b] += tally.wins + tally.draws / 2 + HALF
        wins[b, a] += tally.losses + tally.draws / 2 + HALF
    strength = choix.ilsr_pairwise_dense(wins, max_iter=10_000, tol=1e-9)
    strength -= strength.mean()
    deviations = _deviations(strength, tallies)
    perfect = [_perfect(n, tallies) for n in range(players)]
    return [
        Estimate(
            min(max(ELO * value, -MOST), MOST),
            -MOST if lost else max(ELO * (value - Z * deviation), -MOST),
            MOST if won else min(ELO * (value + Z * deviation), MOST),
        )
        for value, deviation, (lost, won) in zip(strength.tolist(), deviations, perfect, strict=True)
    ]


def _deviations(strength: Any, tallies: Mapping[tuple[int, int], Tally]) -> Sequence[float]:
    """Return the standard deviation of each strength: H⁻¹ V H⁻¹, with the model's curvature H and the variance V of the
    scores.
    """
    import numpy as np

    size = len(strength)
    curvature, variance = np.zeros((size, size)), np.zeros((size, size))
    for (a, b), tally in tallies.items():
        score = 1 / (1 + math.exp(strength[b] - strength[a]))
        one = np.zeros(size)
        one[[a, b]] = 1, -1
        apart = np.outer(one, one)
        pairs = sum(tally.pairs) + HALF
        curvature += pairs * score * (1 - score) * apart
        variance += pairs * variance_at(tally.pairs, score) * apart
    inverse = np.linalg.pinv(curvature, hermitian=True)
    found: list[float] = np.sqrt(np.diag(inverse @ variance @ inverse)).tolist()
    return found


def _perfect(player: int, tallies: Mapping[tuple[int, int], Tally]) -> tuple[bool, bool]:
    """Return whether a player has lost every game, and whether it has won every game; both are true without games."""
    met = [(t, a == player) for (a, b), t in tallies.items() if player in (a, b)]
    wins = sum(t.wins if first else t.losses for t, first in met)
    losses = sum(t.losses if first else t.wins for t, first in met)
    draws = sum(t.draws for t, _ in met)
    return wins + draws == 0, losses + draws == 0
