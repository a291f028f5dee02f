"""Ends games early, if that is asked for: when both players have agreed on the winner for several plies.

Players agree by what they say about their own moves: a win, draw or loss that their search has proven, or with `score` also an
estimate of at least that much. A player that says nothing (random, textbook) never agrees.
"""

from __future__ import annotations

from plyground import score as scores
from plyground.arena.messages import Adjudication
from plyground.play.report import Analysis

DRAWN = 2
"""What both agree on if nobody wins; otherwise the number of the side that does."""


class Adjudicator:
    """Watches one game."""

    def __init__(self, rules: Adjudication | None) -> None:
        """Without rules, no game ends early."""
        self.rules = rules
        self._said: list[tuple[int, int | None]] = []  # by ply: who moved, and what is agreed on
        self._margin: int | None = None

    def hear(self, side: int, found: Analysis) -> None:
        """Take what the player with this side found before its move."""
        self._said.append((side, self._claim(side, found)))
        self._margin = self._points(side, found)

    def _claim(self, side: int, found: Analysis) -> int | None:
        if not found.scored:
            return None
        if found.value != "unknown":
            return {"win": side, "loss": 1 - side, "draw": DRAWN}[found.value]
        if self.rules is None or self.rules.score is None or abs(found.score) < self.rules.score:
            return None
        return side if found.score > 0 else 1 - side

    def _points(self, side: int, found: Analysis) -> int | None:
        """Return the margin that was found, for side 0."""
        margin = scores.margin(int(found.score)) if found.value != "unknown" else None
        return margin if margin is None or side == 0 else -margin

    @property
    def value(self) -> int | None:
        """The result for side 0 that both agree on: a margin where it was proven, else 1, 0 or -1; None if they don't agree."""
        if self.rules is None:
            return None
        last = self._said[-self.rules.plies :]
        if len(last) < self.rules.plies or {side for side, _ in last} != {0, 1}:
            return None
        claims = {claim for _, claim in last}
        if len(claims) > 1 or None in claims:
            return None
        claim = claims.pop()
        return 0 if claim == DRAWN else self._margin or (1 if claim == 0 else -1)
