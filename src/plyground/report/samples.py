"""Sample statistics: shares, means and quantiles, with 95 % intervals that remain valid for few games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

Z = 1.959964
"""A normal variable is within this many standard deviations of its mean 95 times out of 100."""
EXTRA = 2
"""Pseudo-observations of each result, added to a sample before its interval is computed (Agresti and Coull, 1998):
ten wins out of ten do not prove that a side always wins."""


class Interval(NamedTuple):
    """A value found in a sample of this size, and the 95 % interval for the true value."""

    value: float
    low: float
    high: float
    n: int

    def percent(self) -> str:
        """Return the interval as a share, in words.

        >>> Interval(0.78, 0.712, 0.838, 120).percent()
        '78 % (71 to 84)'
        """
        return f"{100 * self.value:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f})"

    def plain(self, digits: int = 1) -> str:
        """Return the interval in words.

        >>> Interval(8.04, 7.1, 8.96, 40).plain()
        '8.0 (7.1 to 9.0)'
        """
        value, low, high = (f"{x:.{digits}f}" for x in self[:3])
        return f"{value} ({low} to {high})"


class Quantiles(NamedTuple):
    """How values are spread: one in ten is below `tenth`, half are below `median`, one in ten is above `ninetieth`."""

    least: float
    tenth: float
    median: float
    ninetieth: float
    most: float
    mean: float
    n: int


def share(count: int, n: int) -> Interval:
    """Return how often something happens (Wilson's interval).

    >>> share(0, 100).percent(), share(50, 100).percent()
    ('0 % (0 to 4)', '50 % (40 to 60)')
    """
    if n == 0:
        return Interval(0.5, 0.0, 1.0, 0)
    p, more = count / n, Z * Z / n
    middle = (p + more / 2) / (1 + more)
    half = Z * math.sqrt(p * (1 - p) / n + more / (4 * n)) / (1 + more)
    return Interval(p, max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half)), n)


def score(results: Sequence[float]) -> Interval:
    """Return the mean of results between 0 and 1.

    >>> score([1.0] * 100).percent(), score([0.5] * 100).percent(), score([1.0, 0.0] * 50).percent()
    ('100 % (95 to 100)', '50 % (48 to 52)', '50 % (40 to 60)')
    """
    if not results:
        return Interval(0.5, 0.0, 1.0, 0)
    padded = [*results, *[0.0] * EXTRA, *[1.0] * EXTRA]
    value = sum(results) / len(results)
    middle = sum(padded) / len(padded)
    half = Z * math.sqrt(sum((x - middle) ** 2 for x in padded)) / len(padded)
    return Interval(value, max(0.0, min(value, middle - half)), min(1.0, max(value, middle + half)), len(results))


def mean(values: Sequence[float]) -> Interval:
    """Return the mean of any numbers; from a single one, nothing is known about its interval.

    >>> mean([1, 2, 3, 4]).plain(), mean([5]).plain()
    ('2.5 (1.2 to 3.8)', '5.0 (-inf to inf)')
    """
    n = len(values)
    middle = sum(values) / n if n else 0.0
    if n < 2:
        return Interval(middle, -math.inf, math.inf, n)
    half = Z * math.sqrt(sum((x - middle) ** 2 for x in values) / (n - 1) / n)
    return Interval(middle, middle - half, middle + half, n)


def quantiles(values: Sequence[float]) -> Quantiles | None:
    """Return how the values are spread; None if there are none.

    >>> quantiles(range(1, 102))[:6]
    (1, 11, 51, 91, 101, 51.0)
    """
    found = sorted(values)
    if not found:
        return None
    tenth, median, ninetieth = (found[round(q * (len(found) - 1))] for q in (0.1, 0.5, 0.9))
    return Quantiles(found[0], tenth, median, ninetieth, found[-1], sum(found) / len(found), len(found))
