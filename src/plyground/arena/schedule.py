"""Which pairs a match plays, in which order.

Pair number n of a match belongs to round n // pairings; each round has one pair of every pairing, all with the same opening. So a
match that is cut short has played every pairing equally often, give or take one pair.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from plyground.arena.messages import Job, MatchSettings
from plyground.arena.openings import Openings
from plyground.arena.pair import seed_of
from plyground.errors import PlygroundError
from plyground.play import checked


def pairings_of(players: int, gauntlet: bool = False) -> list[tuple[int, int]]:
    """Return who meets whom: everyone everyone else, or in a gauntlet the first all others.

    >>> pairings_of(3), pairings_of(3, gauntlet=True)
    ([(0, 1), (0, 2), (1, 2)], [(0, 1), (0, 2)])
    """
    if players < 2:
        raise PlygroundError("a match needs two players or more")
    return [(0, n) for n in range(1, players)] if gauntlet else list(itertools.combinations(range(players), 2))


class Schedule:
    """The pairs of a match by number, from a seed."""

    def __init__(
        self,
        players: Sequence[str],
        openings: Openings,
        settings: MatchSettings,
        seed: int,
    ) -> None:
        self.players, self.openings, self.settings, self.seed = list(players), openings, settings, seed
        self.pairings = pairings_of(len(self.players), settings.gauntlet)
        self.rounds = -(-checked.whole("games", settings.games, 1) // 2)

    def __len__(self) -> int:
        """Return the number of pairs."""
        return self.rounds * len(self.pairings)

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * len(self)

    def pairing(self, pair: int) -> tuple[int, int]:
        """Return the numbers of the two players of a pair."""
        return self.pairings[pair % len(self.pairings)]

    def job(self, pair: int, match: int = 0) -> Job:
        """Return the job of a pair."""
        number, (a, b) = pair // len(self.pairings), self.pairing(pair)
        opening = self.openings[number]
        return Job(
            pair=pair,
            players=(self.players[a], self.players[b]),
            seed=seed_of(self.seed, "pair", a, b, number),
            match=match,
            start=opening.start,
            opening=opening.moves,
            limit=self.settings.limit,
            adjudicate=self.settings.adjudicate,
            most_plies=self.settings.most_plies,
        )

    def jobs(self, match: int = 0, first: int = 0) -> Iterator[Job]:
        """Return the jobs of all pairs in order, each made when it is asked for."""
        return (self.job(pair, match) for pair in range(first, len(self)))
