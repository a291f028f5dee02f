"""Limits: when a search must stop."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plyground.errors import PlygroundError
from plyground.play import checked

STABLE_SHARES = (1.2, 0.85, 0.65, 0.55, 0.45, 0.35)
"""The share of the time budget after which a search starts no new iteration, by how many iterations the best move has stayed.

A best move that has just changed may well change again; one that has stayed for long rarely does.
"""
USUAL_EFFORT = 0.4
"""The share of an iteration's nodes that the best move usually takes. If it takes more, the others were easily refuted."""


@dataclass(frozen=True)
class Limit:
    """The limits of one search: depth, nodes, time in seconds, a clock, or none (`infinite`); the first one reached stops it.

    >>> Limit(time=0.5).budget()
    (0.5, 0.5)
    >>> Limit(depth=8).budget() is None
    True

    `overhead`: the seconds per move that are lost in transmission and also run on the clock.
    """

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: float | None = None
    increment: float = 0.0
    moves_left: int | None = None
    infinite: bool = False
    overhead: float = 0.05

    def __post_init__(self) -> None:
        for name in ("depth", "nodes", "moves_left"):
            if getattr(self, name) is not None:
                checked.whole(name, getattr(self, name), 1)
        for name in ("time", "clock"):
            if getattr(self, name) is not None:
                checked.positive(name, getattr(self, name), "a number of seconds")
        for name in ("increment", "overhead"):
            checked.positive(name, getattr(self, name), "a number of seconds", zero=True)
        if not isinstance(self.infinite, bool):
            raise PlygroundError(f"infinite must be True or False, not {self.infinite!r:.40}")
        given = list(self.given())
        if self.infinite and given:
            raise PlygroundError(f"{given[0]} and infinite cannot be combined")

    @classmethod
    def checked(cls, given: Limit | None, default: Limit | None = None, depth: bool = True) -> Limit:
        """Check a limit; None becomes the default. Without `depth`, a depth limit is refused."""
        if given is None and default is not None:
            return default
        if not isinstance(given, Limit):
            raise PlygroundError(f"limit must be a Limit, such as Limit(time=1) or Limit(depth=8), not {given!r:.40}")
        if given.depth is not None and not depth:
            raise PlygroundError("an exact value has no depth; limit the nodes or the time")
        return given

    @property
    def is_unlimited(self) -> bool:
        """Whether the search runs until it is stopped."""
        return self.infinite or not (self.depth or self.nodes or self.time or self.clock)

    @property
    def seconds(self) -> float:
        """The seconds after which the search is stopped at the latest."""
        budget = self.budget()
        return math.inf if budget is None else budget[1]

    def budget(self) -> tuple[float, float] | None:
        """Return the seconds after which no new iteration starts and after which the search stops; None without a time limit."""
        if self.time is not None:
            return self.time, self.time
        if self.clock is None:
            return None
        left = max(self.clock - self.overhead, 0.005)
        share = left / (self.moves_left or 30) + 0.8 * self.increment
        return min(share, 0.6 * left), min(4 * share, 0.6 * left)

    def given(self) -> dict[str, float]:
        """Return those of depth, nodes, time and clock that are set.

        >>> Limit(depth=8, time=2).given()
        {'depth': 8, 'time': 2}
        """
        parts = {"depth": self.depth, "nodes": self.nodes, "time": self.time, "clock": self.clock}
        return {name: value for name, value in parts.items() if value is not None}

    def completed_by(self, own: Limit | None) -> Limit:
        """Return this limit, completed with a player's own; a clock and a time per move replace each other.

        >>> Limit(clock=60).completed_by(Limit(depth=8, time=2)) == Limit(depth=8, clock=60)
        True
        """
        if own is None or self.infinite:
            return self
        timed = self if self.time is not None or self.clock is not None else own
        return replace(timed, depth=self.depth or own.depth, nodes=self.nodes or own.nodes, infinite=False)

    def out_of_time(self, seconds: float, best_moves: Sequence[int] = (), effort: float = USUAL_EFFORT) -> bool:
        """Return whether the clock leaves no time for another iteration.

        `best_moves` has the best move of each iteration so far; `effort` is the share of the last one's nodes that it took.

        >>> limit = Limit(clock=60)  # about two seconds for a move
        >>> limit.out_of_time(1.5, [4, 4, 4, 7]), limit.out_of_time(1.5, [4, 7, 7, 7])
        (False, True)
        """
        budget = self.budget()
        if self.clock is None or budget is None:
            return False
        stable = len(list(itertools.takewhile(lambda m: m == best_moves[-1], reversed(best_moves[:-1]))))
        share = STABLE_SHARES[min(stable, len(STABLE_SHARES) - 1)] * (1 + USUAL_EFFORT - effort)
        return seconds > min(share * budget[0], budget[1])
