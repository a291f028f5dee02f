"""Ends games early, if that is asked for: when both players have agreed on the winner for several plies.

Players agree by what they say about their own moves: a win, draw or loss that their search has proven, or with `score` also an
estimate of at least that much. A player that says nothing (random, textbook) never agrees.
"""

from __future__ import annotations

from typing import Any

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.report import Analysis

PLIES = 6
"""How long both must agree, unless the match says otherwise."""
DRAWN = 2
"""What both agree on if nobody wins; otherwise the number of the side that does."""


class Adjudicator:
    """Watches one game."""

    def __init__(self, given: dict[str, Any] | None) -> None:
        """`given`: None for no adjudication, else `plies` (of both together) and, if estimates count, `score`."""
        known = {} if given is None else given
        if known.keys() - {"plies", "score"}:
            raise PlygroundError(f"adjudication has plies and score, not {', '.join(sorted(known))}")
        self.plies = checked.whole("plies of adjudication", known.get("plies", PLIES), 2)
        self.score = None if known.get("score") is None else checked.number("score of adjudication", known["score"], "a number")
        self.on = given is not None
        self._said: list[tuple[int, int | None]] = []  # by ply: who moved, and what is agreed on
        self._margin: int | None = None

    def hear(self, side: int, found: Analysis | None) -> None:
        """Takes what the player with this side found before its move."""
        self._said.append((side, self._claim(side, found)))
        self._margin = None if found is None else self._points(side, found)

    def _claim(self, side: int, found: Analysis | None) -> int | None:
        if found is None:
            return None
        if found.value != "unknown":
            return {"win": side, "loss": 1 - side, "draw": DRAWN}[found.value]
        if self.score is None or abs(found.score) < self.score:
            return None
        return side if found.score > 0 else 1 - side

    def _points(self, side: int, found: Analysis) -> int | None:
        """The margin that was found, for side 0."""
        margin = scores.margin(int(found.score)) if found.value != "unknown" else None
        return margin if margin is None or side == 0 else -margin

    @property
    def value(self) -> int | None:
        """The result for side 0 that both agree on: a margin where it was proven, else 1, 0 or -1; None if they don't agree."""
        last = self._said[-self.plies :] if self.on else []
        if len(last) < self.plies or {side for side, _ in last} != {0, 1}:
            return None
        claims = {claim for _, claim in last}
        if len(claims) > 1 or None in claims:
            return None
        claim = claims.pop()
        return 0 if claim == DRAWN else self._margin or (1 if claim == 0 else -1)
