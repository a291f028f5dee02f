"""Plays the pairs of a report with a crew, and keeps their games."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator

from plyground.arena.crew import Crew, Done, Failed
from plyground.arena.messages import Job, PlayedGame
from plyground.errors import PlygroundError
from plyground.report.matchups import Budget, Matchup, jobs

GRACE = 0.25
"""When the time is over, games in play get this much more of it: to leave out long games would make all seem shorter."""
TRIES = 3
"""How often a pair may end its worker."""


class PlayingField:
    """The games of a report, by who played whom."""

    def __init__(self, most_plies: int) -> None:
        self.most_plies = most_plies
        self._pairs: dict[Matchup, dict[int, list[PlayedGame]]] = defaultdict(dict)
        self._first = 0

    def pairs(self, kind: Matchup) -> list[list[PlayedGame]]:
        """Return the pairs of games of one kind, in the order of their numbers."""
        return [games for _, games in sorted(self._pairs[kind].items())] if kind in self._pairs else []

    def games(self, kind: Matchup) -> list[PlayedGame]:
        """Return the games of one kind."""
        return [game for pair in self.pairs(kind) for game in pair]

    @property
    def count(self) -> int:
        """All games so far."""
        return sum(len(pair) for pairs in self._pairs.values() for pair in pairs.values())

    def play(
        self,
        crew: Crew,
        kinds: list[Matchup],
        budget: Budget,
        seconds: float | None,
        on_game: Callable[[int], None] = lambda count: None,
    ) -> None:
        """Play these kinds of games until there are enough of each, or the time is over; call `on_game` now and then."""
        waiting = jobs(kinds, budget, self.most_plies, self._first)
        self._first += budget.pairs * len(kinds)
        began, given, tries = time.monotonic(), dict[int, Matchup](), Counter[int]()
        while True:
            spent = time.monotonic() - began
            late = seconds is not None and spent > seconds
            given |= {} if late else _hand_out(crew, waiting)
            if not given or (late and spent > (1 + GRACE) * (seconds or 0)):
                return
            on_game(self.count)
            for event in crew.wait(0.1):
                pair = event.job.pair
                if isinstance(event, Done):
                    self._pairs[given.pop(pair)][pair] = list(event.result.games)
                elif isinstance(event, Failed) or (tries := tries + Counter([pair]))[pair] == TRIES:
                    raise PlygroundError(event.message if isinstance(event, Failed) else f"a worker ended: {event.why}")
                else:
                    crew.give(event.job)


def _hand_out(crew: Crew, waiting: Iterator[tuple[Matchup, Job]]) -> dict[int, Matchup]:
    """Give the crew as many jobs as it takes; return which."""
    given = {}
    for _ in range(crew.room()):
        for kind, job in waiting:
            crew.give(job)
            given[job.pair] = kind
            break
    return given
