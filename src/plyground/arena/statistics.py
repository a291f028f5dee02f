"""Match statistics: Elo with its confidence interval, and a sequential test that stops by itself.

The unit is a pair: one opening, both sides. A pair has one of five results, counted as `[LL, LD, DD+WL, WD, WW]` from the first
player's view. The games of a pair share their opening, so they are not independent; pairs are.

Everything here rests on one estimate: the chances of the five results that fit the counts best if a hypothesis is true. It
is a mean score (logistic Elo), or how many standard deviations the mean score is above one half (normalized Elo). The interval
holds all hypotheses that explain the counts well enough; a sequential test looks at the ratio of two likelihoods. Results that
never occurred keep a tiny weight, so there are answers for all wins or all draws too: after three pairs, all won, a weaker
player could still have been lucky, and the interval says so.

Sources: Wilson (1927) for the interval, here with five results instead of two; Wald (1945) for the sequential test; Michel Van
den Bergh's notes on the generalized sequential test and on normalized Elo (2020).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from plyground.errors import PlygroundError

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The mean score of a game in a pair with each of the five results."""
Z = 1.959964
"""Standard deviations on each side of a 95 % interval."""
MAX_ELO = 4000.0
"""The largest Elo difference. As the bound of an interval it means that there is no bound: no game was lost, or none was won."""
NELO_PER_T = 800 / math.log(10)
"""Normalized Elo is the mean score above one half in standard deviations of a game, times this. Then both Elos agree for equal
players without draws."""
ELLIPSE_STEPS = 180
"""The angles at which the ellipse of a normalized Elo is looked at, on one half of it."""
PSEUDO_COUNT = 1e-3
"""The weight of a result that did not occur, in pairs."""
MIN_CHANCE = 1e-12
"""The smallest chance of a result: floating point can't tell smaller ones from none. Less than that weight only after a
billion pairs."""
SCORE_EPSILON = 1e-9
"""Scores nearer to 0 or 1 than this are taken as this far away."""
SPRT_PAIR_CORRECTION = 4
"""Pairs that a sequential test does not count; found by simulation."""
MAX_SPRT_BOUND = 200.0
"""The largest Elo, with either sign, that a sequential test takes as a bound."""
MODELS = ("normalized", "logistic")

Pairs = Sequence[int]
"""Counts of pairs by result: `[LL, LD, DD+WL, WD, WW]`."""


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def bounded(self) -> tuple[bool, bool]:
        """Whether the interval has a lower bound, and an upper one."""
        return self.low > -MAX_ELO, self.high < MAX_ELO


# -- chances of the five results ----------------------------------------------------------------------------------------------


def _total(pairs: Pairs) -> int:
    """Check the counts; return the number of pairs."""
    if len(pairs) != 5 or not all(math.isfinite(n) and n >= 0 for n in pairs):
        raise PlygroundError(f"pairs must be five counts [LL, LD, DD+WL, WD, WW], not {list(pairs)!r:.60}")
    return sum(pairs)


def _chances(pairs: Pairs) -> list[float]:
    """Return the chance of each result as observed, a tiny one for results that did not occur."""
    weights = [max(n, PSEUDO_COUNT, MIN_CHANCE * sum(pairs)) for n in pairs]
    return [w / sum(weights) for w in weights]


def _moments(chances: Sequence[float]) -> tuple[float, float]:
    """Return the mean score of a pair and its variance."""
    mean = sum(p * x for p, x in zip(chances, SCORES, strict=True))
    return mean, sum(p * (x - mean) ** 2 for p, x in zip(chances, SCORES, strict=True))


def _reweight(chances: Sequence[float], g: Sequence[float]) -> list[float]:
    """Return the most likely chances under which the mean of `g` is 0: p / (1 + c g), with the c that makes it so (Lagrange).

    No chance exceeds 1, so 1 + c g is at least p: that bounds c, on each side by the result with the largest or smallest g.
    """
    from scipy.optimize import brentq

    top, bottom = g.index(max(g)), g.index(min(g))
    low, high = -(1 - chances[top]) / g[top], -(1 - chances[bottom]) / g[bottom]

    def mean(c: float) -> float:
        return sum(p * x / (1 + c * x) for p, x in zip(chances, g, strict=True))

    c = low if mean(low) <= 0 else high if mean(high) >= 0 else brentq(mean, low, high, xtol=1e-16, rtol=1e-15)
    return [p / (1 + c * x) for p, x in zip(chances, g, strict=True)]


def _given_mean(chances: Sequence[float], score: float) -> list[float]:
    """Return the most likely chances with this mean score."""
    return _reweight(chances, [x - score for x in SCORES])


def variance_at(pairs: Pairs, score: float) -> float:
    """Return the variance of a pair's mean score under the most likely chances with this mean score."""
    return _moments(_given_mean(_chances(pairs), min(max(score, SCORE_EPSILON), 1 - SCORE_EPSILON)))[1]


def _given_t(chances: Sequence[float], t: float) -> list[float]:
    """Return the most likely chances whose mean is `t` standard deviations above one half.

    At chances with mean m and deviation d, the condition m - 1/2 = t d has the slope x - t d (1 + ((x - m) / d)²) / 2 in the
    chance of the result x, up to a constant, and the mean of that is 0. It is solved for the chances, then for m and d, until
    they stay.
    """
    found = [0.2] * 5
    for _ in range(200):
        mean, variance = _moments(found)
        d = math.sqrt(variance)
        before, found = found, _reweight(chances, [x - 0.5 - t * d * (1 + ((x - mean) / d) ** 2) / 2 for x in SCORES])
        if max(abs(a - b) for a, b in zip(before, found, strict=True)) < 1e-9:
            break
    return found


# -- Elo ----------------------------------------------------------------------------------------------------------------------


def elo_from_score(score: float) -> float:
    """Return the Elo difference at which a player is expected to have this score; at most 4000.

    >>> round(elo_from_score(0.75)), round(elo_from_score(0.25)), elo_from_score(0.5), elo_from_score(1)
    (191, -191, 0.0, 4000.0)
    """
    least = expected_score(-MAX_ELO)
    if not least < score < 1 - least:
        return math.copysign(MAX_ELO, score - 0.5)
    return 400 * math.log10(score / (1 - score))


def expected_score(elo: float) -> float:
    """Return the score that a player with this Elo difference can expect.

    >>> expected_score(0), round(expected_score(100), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-elo / 400))


def _mean(pairs: Pairs) -> float:
    """Return the mean score. If all is won (or lost), as if half a game had been drawn: still more than with one game really
    drawn.
    """
    n = sum(pairs)
    return min(max(sum(k * x for k, x in zip(pairs, SCORES, strict=True)) / n, 1 / (8 * n)), 1 - 1 / (8 * n))


def score(pairs: Pairs) -> Estimate:
    """Return the mean score of a game with its interval: all scores s that are at most 1.96 deviations from the observed mean,
    with the deviation that the most likely chances with mean s have. With only wins and losses that is Wilson's interval.

    >>> wins = score([0, 0, 0, 0, 3])
    >>> round(wins.low, 2), wins.high
    (0.44, 1.0)
    """
    n = _total(pairs)
    if not n:
        return Estimate(0.5, 0.0, 1.0)
    mean = sum(k * x for k, x in zip(pairs, SCORES, strict=True)) / n

    def beyond(s: float) -> float:
        return float(n * (mean - s) ** 2 - Z * Z * variance_at(pairs, s))

    return Estimate(_mean(pairs), _crossing(beyond, mean, 0.0), _crossing(beyond, mean, 1.0))


def _crossing(beyond: Callable[[float], float], inside: float, end: float) -> float:
    """Return where a function becomes positive on the way from `inside` to `end`; the end if it never does."""
    from scipy.optimize import brentq

    inside, last = min(max(inside, SCORE_EPSILON), 1 - SCORE_EPSILON), min(max(end, SCORE_EPSILON), 1 - SCORE_EPSILON)
    if inside == last or beyond(last) <= 0:
        return end
    if beyond(inside) >= 0:
        return inside
    return float(brentq(beyond, inside, last, xtol=1e-12))


def elo(pairs: Pairs) -> Estimate:
    """Return the Elo difference with its 95 % interval.

    >>> found = elo([10, 20, 40, 60, 20])
    >>> round(found.value), round(found.low), round(found.high)
    (70, 38, 101)
    """
    found = score(pairs)
    return Estimate(elo_from_score(found.value), elo_from_score(found.low), elo_from_score(found.high))


def nelo(pairs: Pairs) -> Estimate:
    """Return the normalized Elo difference with its 95 % interval.

    Two parts make the interval. Along the mean score: at each end of its interval, the most likely chances have a deviation of
    their own. Across it: the deviation is itself only an estimate, which multiplies the value. Both distances add up as squares
    do, so the interval is that of all values on an ellipse. It excludes 0 where that of the Elo difference does.
    """
    n = _total(pairs)
    found, chances = score(pairs), _chances(pairs)
    if not n:
        return Estimate(0.0, -MAX_ELO, MAX_ELO)

    def at(s: float, variance: float) -> float:
        value = NELO_PER_T * (s - 0.5) / math.sqrt(2 * max(variance, 1 / (32 * n)))
        return min(max(value, -MAX_ELO), MAX_ELO)

    mean, variance = _moments(chances)
    value = at(found.value, variance)
    across = _across(chances, mean, variance, n)
    alike = max(pairs) == n  # with a single kind of result, the deviation has no lower limit
    side = math.copysign(1, value) if value else 0

    def end(s: float, sign: int) -> float:
        if s in (0.0, 1.0) or (alike and sign == side):
            return sign * MAX_ELO
        way = sign * abs(at(s, variance_at(pairs, s)) - value)
        angles = (math.pi * n / ELLIPSE_STEPS for n in range(-ELLIPSE_STEPS // 2, ELLIPSE_STEPS // 2 + 1))
        ends = [(value + way * math.cos(angle)) * math.exp(across * math.sin(angle)) for angle in angles]
        return max(min(max(ends) if sign > 0 else min(ends), MAX_ELO), -MAX_ELO)

    return Estimate(value, end(found.low, -1), end(found.high, 1))


def _across(chances: Sequence[float], mean: float, variance: float, n: float) -> float:
    """Return by which factor, as a logarithm, the normalized Elo is uncertain because its deviation is only an estimate."""
    if variance < 1 / (32 * n):
        return 0.0
    d = math.sqrt(variance)
    third, fourth = (sum(p * ((x - mean) / d) ** k for p, x in zip(chances, SCORES, strict=True)) for k in (3, 4))
    return Z / 2 * math.sqrt(max(fourth - 1 - third**2, 0) / n)


def los(pairs: Pairs) -> float:
    """Return the likelihood of superiority: how sure the results make it that the first player is the stronger one, from 0 to 1.

    >>> los([0, 0, 0, 0, 0]), round(los([0, 0, 1, 0, 3]), 3)
    (0.5, 0.958)
    """
    from scipy.special import ndtr

    n = _total(pairs)
    if not n:
        return 0.5
    mean = sum(k * x for k, x in zip(pairs, SCORES, strict=True)) / n
    return float(ndtr((mean - 0.5) * math.sqrt(n / variance_at(pairs, 0.5))))


def points(each: Sequence[float]) -> Estimate | None:
    """Return the mean points of a game with its interval (Student's), from those of each pair; None with fewer than two pairs.

    Equal points in all pairs do not prove that the next pair has them too: at least one point in one pair is taken as luck.
    """
    from scipy.special import stdtrit

    n = len(each)
    if n < 2:
        return None
    mean = sum(each) / n
    variance = max(sum((x - mean) ** 2 for x in each) / (n - 1), 1 / n)
    width = float(stdtrit(n - 1, 0.975)) * math.sqrt(variance / n)
    return Estimate(mean, mean - width, mean + width)


# -- the sequential test ------------------------------------------------------------------------------------------------------


def llr(pairs: Pairs, bounds: tuple[float, float], model: str = "normalized") -> float:
    """Return the logarithm of how much more likely the results are if the Elo difference is the upper bound than if it is the
    lower one.

    >>> round(llr([379, 10170, 21828, 10640, 343], (0, 2), "normalized"), 2)
    2.95
    """
    n, chances = _total(pairs), _chances(pairs)
    if not n:
        return 0.0
    lower, upper = (_most_likely(chances, elo, model) for elo in bounds)
    return n * sum(p * math.log(b / a) for p, a, b in zip(chances, lower, upper, strict=True))


def _most_likely(chances: Sequence[float], elo: float, model: str) -> list[float]:
    if model == "logistic":
        return _given_mean(chances, expected_score(elo))
    return _given_t(chances, elo / NELO_PER_T * math.sqrt(2))  # a pair's deviation is that of a game by √2


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test, which decides between an Elo difference of `elo0` or less and `elo1` or more.

    It stops as soon as the results are clear. If the truth is one of the bounds, the answer is wrong with a chance of at most
    `alpha` (accepted at `elo0`) or `beta` (rejected at `elo1`).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: str = "normalized"

    def __post_init__(self) -> None:
        if not (
            math.isfinite(self.elo0) and math.isfinite(self.elo1) and -MAX_SPRT_BOUND <= self.elo0 < self.elo1 <= MAX_SPRT_BOUND
        ):
            raise PlygroundError(
                f"an SPRT needs two bounds in Elo, the lower one first, between -{MAX_SPRT_BOUND:g} and {MAX_SPRT_BOUND:g}, "
                f"not {self.elo0:g} and {self.elo1:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise PlygroundError(f"{name} must be between 0 and 0.5, not {getattr(self, name)!r:.20}")
        if self.model not in MODELS:
            raise PlygroundError(f"the model of an SPRT is {' or '.join(MODELS)}, not {self.model!r:.20}")

    @property
    def lower(self) -> float:
        """The test rejects when the log-likelihood ratio falls to this."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The test accepts when the log-likelihood ratio rises to this."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Pairs) -> float:
        """Return the log-likelihood ratio of the two bounds, as if a few pairs fewer had been played.

        How much results vary is itself estimated from them. Without this, short tests are wrong more often than they promise.
        """
        n = _total(pairs)
        return llr(pairs, (self.elo0, self.elo1), self.model) * max(n - SPRT_PAIR_CORRECTION, 0) / max(n, 1)

    def state(self, pairs: Pairs) -> str | None:
        """Return `accepted`, `rejected`, or None if more games are needed."""
        ratio = self.llr(pairs)
        return "accepted" if ratio >= self.upper else "rejected" if ratio <= self.lower else None
