"""The results of a match as a plot: Elo with its interval over the games, or the ratings of several players."""

from __future__ import annotations

import math
from collections.abc import Sequence

from plyground.arena.statistics import Estimate, elo
from plyground.arena.tables import Tallies, standings
from plyground.pages import plot

POINTS = 150
"""Points of a curve, at most."""


def over_games(names: Sequence[str], results: Sequence[int]) -> plot.Plot:
    """Elo with its interval after each pair; the results are numbers 0 (LL) to 4 (WW), in order."""
    pairs, points = [0] * 5, []
    step = -(-len(results) // POINTS) or 1
    first = len(results) // 20  # the first intervals are so wide that the others would look like none
    for n, result in enumerate(results, 1):
        pairs[result] += 1
        if (n > first and n % step == 0) or n == len(results):
            points.append(plot.Point(2 * n, *_open(elo(pairs))))
    title = f"{names[0]} against {names[1]}"
    return plot.line(title, points, x="games", y="Elo", level=0, write=_signed)


def of_players(names: Sequence[str], tallies: Tallies) -> plot.Plot:
    """Return the ratings of all players with their intervals."""
    rows = [plot.Dot(names[row.player], *_open(row.elo)) for row in standings(len(names), tallies)]
    return plot.dots("Ratings", rows, x="Elo above the average", level=0, write=_signed)


def _open(found: Estimate) -> tuple[float, float, float]:
    """Return a value and its bounds; infinite where there is none."""
    below, above = found.bounded
    return found.value, found.low if below else -math.inf, found.high if above else math.inf


def _signed(value: float) -> str:
    value = round(value) if math.isfinite(value) else value
    return f"{'+' if value > 0 else ''}{plot.short(value)}"
