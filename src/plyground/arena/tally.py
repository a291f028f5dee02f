"""Counts the games of two players, pair by pair; `statistics` says what the counts mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from plyground.players.player import FORFEITS


@dataclass(frozen=True)
class GameOutcome:
    """What is counted of a game, from the first player's view."""

    result: float
    """1, 0.5 or 0."""
    points: float
    reason: str = "rules"
    duplicate: bool = False
    """Whether the same game was played before in this match."""


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
    """The mean points of a game in each pair."""
    results: list[int] = field(default_factory=list)
    """The result of each pair in order, from 0 for LL to 4 for WW."""
    duplicates: int = 0
    """Games that were played before, which are not counted."""
    unpaired: int = 0
    """Games that are not counted because the other one of their pair is a duplicate."""
    too_long: int = 0
    """Games that were broken off because they took too long; they count as drawn."""
    adjudicated: int = 0
    """Games that ended because both players agreed on the result."""
    forfeits: tuple[Counter[str], Counter[str]] = field(default_factory=lambda: (Counter(), Counter()))
    """Games that each of the two players lost by its own fault, by the reason."""

    @property
    def games(self) -> int:
        """The number of games that count."""
        return self.wins + self.draws + self.losses

    @property
    def played(self) -> int:
        """The number of games that were played."""
        return self.games + self.duplicates + self.unpaired

    @property
    def score(self) -> float:
        """The share of the points: a win is 1, a draw is one half; one half without games."""
        return (self.wins + self.draws / 2) / self.games if self.games else 0.5

    def add(self, pair: Sequence[GameOutcome]) -> None:
        """Count the two games of a pair. If one of them is a duplicate, neither is counted: half a pair would favour a side."""
        repeated = sum(game.duplicate for game in pair)
        if repeated:
            self.duplicates += repeated
            self.unpaired += len(pair) - repeated
            return
        for game in pair:
            self.wins += game.result == 1
            self.draws += game.result == 0.5
            self.losses += game.result == 0
            self.too_long += game.reason == "length"
            self.adjudicated += game.reason == "adjudicated"
            if game.reason in FORFEITS:
                self.forfeits[int(game.result == 1)][game.reason] += 1
        self.results.append(round(2 * sum(game.result for game in pair)))
        self.pairs[self.results[-1]] += 1
        self.points.append(sum(game.points for game in pair) / 2)
