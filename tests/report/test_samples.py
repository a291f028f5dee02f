"""Intervals: they hold about as often as they say, also for few and for one-sided games."""

import random

import pytest

from plyground.report import samples


@pytest.mark.parametrize(("chances", "n"), [((0.5, 0.0), 20), ((0.8, 0.1), 30), ((0.1, 0.85), 40), ((0.97, 0.0), 60)])
def test_the_interval_of_a_score_holds_about_as_often_as_it_says(chances, n):
    win, draw = chances
    dice, held = random.Random(7), 0
    for _ in range(1000):
        found = samples.score(dice.choices((1.0, 0.5, 0.0), (win, draw, 1 - win - draw), k=n))
        assert 0 <= found.low <= found.value <= found.high <= 1
        held += found.low <= win + draw / 2 <= found.high
    assert 920 <= held <= 1000


@pytest.mark.parametrize(("p", "n"), [(0.02, 50), (0.3, 20), (0.5, 100)])
def test_the_interval_of_a_share_holds_about_as_often_as_it_says(p, n):
    dice, held = random.Random(7), 0
    for _ in range(1000):
        found = samples.share(sum(dice.random() < p for _ in range(n)), n)
        held += found.low <= p <= found.high
    assert held >= 910


def test_more_games_say_more():
    few, many = (samples.score([1.0, 0.5, 0.0, 1.0] * n) for n in (5, 500))
    assert many.high - many.low < (few.high - few.low) / 5


def test_nothing_is_known_from_nothing():
    assert samples.share(0, 0)[1:3] == samples.score([])[1:3] == (0.0, 1.0)
    assert samples.quantiles([]) is None
