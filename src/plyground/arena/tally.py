"""Counts the games of a match pair by pair, and rates its players by these counts; `statistics` says what the counts mean.

Ratings are those of Bradley and Terry's model, fitted by choix, with draws as half wins: Elo differences to the average of the
players. Half a drawn game is added to every pairing, so a player who has won or lost everything has a finite rating; its interval
is open on that side. The intervals come from the model's curvature and from how much the results of pairs vary (a "sandwich"):
games of a pair are not independent, and draws make results vary less than the model alone would say.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plyground.arena.statistics import MAX_ELO, Estimate, Z, variance_at
from plyground.players.player import FORFEITS

ELO = 400 / math.log(10)
"""Elo for one unit of the model's strength."""
HALF = 0.25
"""Half a drawn game, in wins for each of both."""


@dataclass(frozen=True)
class GameOutcome:
    """What is counted of a game, from the first player's view."""

    result: float
    """1, 0.5 or 0."""
    points: float
    reason: str = "rules"
    duplicate: bool = False
    """Whether the same game was played before in this match."""
    forfeiter: int | None = None
    """The number of the player who forfeited it."""
    void: bool = False
    """Whether it does not count, because it was lost on time."""
    replayed: tuple[int, ...] = ()
    """The players who lost earlier plays of this game on time."""
    time_used: tuple[float | None, ...] = ()
    """The share of its time per move that each of the two players has used, if it is known."""

    @property
    def loser(self) -> int:
        """The number of the player who forfeited the game, or else of the one who lost it."""
        return int(self.result == 1) if self.forfeiter is None else self.forfeiter


@dataclass
class Tally:
    """The results of one player against another, from the first one's view.

    >>> found = Tally()
    >>> found.add([GameOutcome(1, 1), GameOutcome(0.5, 0)])
    >>> found.wins, found.draws, found.losses, found.pairs
    (1, 1, 0, [0, 0, 0, 1, 0])
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    points: list[float] = field(default_factory=list)
    """The mean points of a game in each pair without forfeits: a game that was forfeited has no margin."""
    results: list[int] = field(default_factory=list)
    """The result of each pair in order, from 0 for LL to 4 for WW."""
    duplicates: int = 0
    """Games that were played before, which are not counted."""
    unpaired: int = 0
    """Games that are not counted because the other one of their pair is a duplicate or was lost on time."""
    late: list[int] = field(default_factory=lambda: [0, 0])
    """Games that each of the two players lost on time, which are not counted."""
    replayed: list[int] = field(default_factory=lambda: [0, 0])
    """Games that each of the two players lost on time, and that were played again."""
    time_used: tuple[list[float], list[float]] = field(default_factory=lambda: ([], []))
    """The share of its time per move that each of the two players has used in each game, also in games that are not counted."""
    too_long: int = 0
    """Games that were broken off because they took too long; they count as drawn."""
    adjudicated: int = 0
    """Games that ended because both players agreed on the result."""
    forfeits: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    """The games that each of the two players forfeited, by reason."""

    @property
    def games(self) -> int:
        """The number of games that count."""
        return self.wins + self.draws + self.losses

    @property
    def played(self) -> int:
        """The number of games that were played."""
        return self.games + self.duplicates + self.unpaired + sum(self.late)

    @property
    def score(self) -> float:
        """The share of the points: a win is 1, a draw is one half; one half without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def add(self, pair: Sequence[GameOutcome]) -> None:
        """Count the two games of a pair. If one of them is a duplicate or void, neither is counted: half a pair would favour a
        side.
        """
        for player in (player for game in pair for player in game.replayed):
            self.replayed[player] += 1
        for game in pair:
            for used, share in zip(self.time_used, game.time_used, strict=False):
                used += [] if share is None else [share]
            self.late[game.loser] += game.void
            self.duplicates += game.duplicate and not game.void
        left_out = sum(game.void or game.duplicate for game in pair)
        if left_out:
            self.unpaired += len(pair) - left_out
            return
        for game in pair:
            self.wins += game.result == 1
            self.draws += game.result == 0.5
            self.losses += game.result == 0
            self.too_long += game.reason == "length"
            self.adjudicated += game.reason == "adjudicated"
            if game.reason in FORFEITS:
                self.forfeits[game.loser][game.reason] += 1
        self.results.append(round(2 * sum(game.result for game in pair)))
        self.pairs[self.results[-1]] += 1
        if not any(game.reason in FORFEITS for game in pair):
            self.points.append(sum(game.points for game in pair) / 2)


# -- ratings -----------------------------------------------------------------------------------------------------------------


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
    deviations = _deviations(strength.tolist(), tallies)
    perfect = [_perfect(n, tallies) for n in range(players)]
    return [
        Estimate(
            min(max(ELO * value, -MAX_ELO), MAX_ELO),
            -MAX_ELO if lost else max(ELO * (value - Z * deviation), -MAX_ELO),
            MAX_ELO if won else min(ELO * (value + Z * deviation), MAX_ELO),
        )
        for value, deviation, (lost, won) in zip(strength.tolist(), deviations, perfect, strict=True)
    ]


def _deviations(strength: Sequence[float], tallies: Mapping[tuple[int, int], Tally]) -> Sequence[float]:
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
