"""Who plays whom, and how much of everything: the settings of a report."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from plyground.arena.messages import Job
from plyground.arena.pair import seed_of
from plyground.play.limit import Limit

STRENGTHS = (2, 5, 9)
"""The levels that play against themselves."""
LADDER = ((3, 1), (5, 3), (7, 5), (9, 7))
"""Each level against the one two below it."""
NODES = 20_000
"""The most positions that a player searches for a move, in addition to the depth of its level."""
MOST_PLIES, MOST_ALONE = 1_000, 20_000
"""Games that take longer are stopped; solitaires may take longer than games of two."""
ENOUGH = 400
"""Games of each kind after which a report with time left ends: intervals are then within five points."""
SOLVING, OPENINGS, DECISIONS = 0.35, 0.12, 0.08
"""The largest shares of the time for the exact value, for fair openings, and for the moves close to the best."""
NODES_PER_GAME = 1_000_000
"""What the solver gets for each game if games are counted instead of minutes."""


@dataclass(frozen=True)
class Budget:
    """How much work a report may be: minutes, or a number of games of each kind, which makes it repeatable."""

    minutes: float = 5.0
    games: int | None = None
    seed: int = 1
    workers: int = os.cpu_count() or 1

    def seconds(self, share: float) -> float | None:
        """Return a share of the time; None if games are counted."""
        return None if self.games is not None else 60 * self.minutes * share

    @property
    def pairs(self) -> int:
        """The most pairs of each kind."""
        return (ENOUGH if self.games is None else self.games + 1) // 2


class Matchup(NamedTuple):
    """Two players and the moves from which they begin; `kind` is `self`, `ladder` or `opening`."""

    kind: str
    players: tuple[str, str]
    opening: tuple[str, ...] = ()

    @property
    def levels(self) -> tuple[int, int]:
        """The levels of the two players."""
        first, second = (int(player.partition(":")[2]) for player in self.players)
        return first, second


def matchups() -> list[Matchup]:
    """Return what every report plays."""
    own = [Matchup("self", (f"level:{n}", f"level:{n}")) for n in STRENGTHS]
    return own + [Matchup("ladder", (f"level:{a}", f"level:{b}")) for a, b in LADDER]


def jobs(kinds: list[Matchup], budget: Budget, most_plies: int, first: int = 0) -> Iterator[tuple[Matchup, Job]]:
    """Yield the jobs in the order in which they are played: of each kind one, again and again, so that all get equally many."""
    for number in range(budget.pairs):
        for n, kind in enumerate(kinds):
            yield (
                kind,
                Job(
                    pair=first + number * len(kinds) + n,
                    players=kind.players,
                    seed=seed_of(budget.seed, kind.kind, *kind.players, *kind.opening, number),
                    opening=kind.opening,
                    limit=Limit(nodes=NODES),
                    most_plies=most_plies,
                ),
            )
