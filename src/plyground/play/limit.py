"""When a search must stop."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.errors import PlygroundError
from plyground.play import checked

ENOUGH = 0.6
"""The share of its time on the clock after which a search starts no new iteration: that would rarely be finished."""


@dataclass(frozen=True)
class Limit:
    """A limit for one search: depth, nodes, time in seconds, a clock, or none (`infinite`); the first one reached stops it.

    >>> Limit(time=0.5).budget()
    (0.5, 0.5)
    >>> Limit(depth=8).budget() is None
    True

    `overhead`: the seconds of each move that are lost on the way, which the clock pays for too.
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
                checked.number(name, getattr(self, name), "a number of seconds")
        for name in ("increment", "overhead"):
            checked.number(name, getattr(self, name), "a number of seconds", zero=True)
        if not isinstance(self.infinite, bool):
            raise PlygroundError(f"infinite must be True or False, not {self.infinite!r:.40}")
        given = [n for n in ("depth", "nodes", "time", "clock") if getattr(self, n) is not None]
        if self.infinite and given:
            raise PlygroundError(f"{given[0]} and infinite contradict each other; give one of them")

    @property
    def open(self) -> bool:
        """Does the search run until it is stopped?"""
        return self.infinite or not (self.depth or self.nodes or self.time or self.clock)

    @property
    def seconds(self) -> float:
        """The seconds after which the search is stopped at the latest."""
        budget = self.budget()
        return math.inf if budget is None else budget[1]

    def budget(self) -> tuple[float, float] | None:
        """The seconds after which no new iteration starts and after which the search is stopped; None without time limits."""
        if self.time is not None:
            return self.time, self.time
        if self.clock is None:
            return None
        left = max(self.clock - self.overhead, 0.005)
        share = left / (self.moves_left or 30) + 0.8 * self.increment
        return min(share, 0.6 * left), min(4 * share, 0.6 * left)

    def late(self, seconds: float) -> bool:
        """Does the clock leave no time for another iteration after this many seconds?

        >>> Limit(clock=60).late(0.5), Limit(clock=60).late(1.5)
        (False, True)
        """
        budget = self.budget()
        return self.clock is not None and budget is not None and seconds > ENOUGH * budget[0]
