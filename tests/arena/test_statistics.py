"""Elo, its interval and the sequential test: known values, hard cases, and whether the promised 95 % are 95 %."""

import math
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyground.arena import statistics
from plyground.arena.statistics import (
    MAX_ELO,
    MODELS,
    NELO_PER_T,
    SCORES,
    Sprt,
    elo,
    elo_from_score,
    expected_score,
    llr,
    los,
    nelo,
    points,
    score,
)
from plyground.arena.tally import GameOutcome, Tally
from plyground.errors import PlygroundError

counts = st.lists(st.integers(0, 60), min_size=5, max_size=5)
few = settings(max_examples=40)
bounds = st.tuples(st.floats(-150, 140), st.floats(5, 50)).map(lambda b: (b[0], b[0] + b[1]))


@pytest.mark.parametrize(
    ("pairs", "bounds", "known"),
    [((379, 10170, 21828, 10640, 343), (0, 2), 2.946), ((39, 8843, 26675, 9240, 44), (0.5, 2.5), 2.942)],
)
def test_the_ratio_has_its_published_values(pairs, bounds, known):
    assert llr(pairs, bounds, "normalized") == pytest.approx(known, abs=0.001)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("pairs", [(3, 10, 20, 15, 4), (40, 0, 1, 0, 60), (0, 5, 90, 9, 1)])
def test_the_ratio_is_that_of_the_best_chances(pairs, model):
    """The same maximum, found by a general optimizer that knows only the likelihood and the condition."""
    from scipy.optimize import minimize

    def condition(p, elo):
        mean = p @ SCORES
        if model == "logistic":
            return mean - expected_score(elo)
        return mean - 0.5 - elo / NELO_PER_T * math.sqrt(2 * (p @ (np.array(SCORES) - mean) ** 2))

    def best(elo):
        found = minimize(
            lambda p: -(np.array(pairs) @ np.log(p)) / sum(pairs),
            (np.array(pairs) + 1) / (sum(pairs) + 5),
            bounds=[(1e-9, 1)] * 5,
            constraints=[{"type": "eq", "fun": lambda p: sum(p) - 1}, {"type": "eq", "fun": lambda p: condition(p, elo)}],
            options={"ftol": 1e-9, "maxiter": 1000},
        )
        assert found.success
        return -found.fun * sum(pairs)

    assert llr(pairs, (0, 50), model) == pytest.approx(best(50) - best(0), abs=0.02)


def test_elo_of_wins_and_losses_alone_is_wilsons_interval():
    n, p, z = 50, 0.7, 1.959964
    middle, width = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    found = score([15, 0, 0, 0, 35])
    assert (found.low, found.high) == pytest.approx([(middle + sign * width) / (1 + z * z / n) for sign in (-1, 1)], abs=1e-4)
    assert elo([15, 0, 0, 0, 35]).value == pytest.approx(400 * math.log10(7 / 3))


def test_normalized_elo_of_a_large_match():
    """Mean 0.51 and deviation 0.2 per pair: 0.05 deviations of a pair, fewer by √2 of a game."""
    pairs = [0, 2400, 4000, 3600, 0]
    mean = 0.53
    deviation = math.sqrt(0.24 * 0.28**2 + 0.4 * 0.03**2 + 0.36 * 0.22**2)
    found = nelo(pairs)
    assert found.value == pytest.approx(NELO_PER_T * (mean - 0.5) / deviation / math.sqrt(2), rel=1e-5)
    assert found.high - found.low == pytest.approx(2 * 1.96 * NELO_PER_T / math.sqrt(2 * 10000), rel=0.02)


@few
@example([11, 1, 0, 0, 0])
@given(st.lists(st.sampled_from([0, 1, 2, 5, 11, 300]), min_size=5, max_size=5))
def test_both_elos_agree_on_who_is_stronger(pairs):
    difference, normalized = elo(pairs), nelo(pairs)
    for a, b in zip(astuple(difference), astuple(normalized), strict=True):
        assert (a > 1e-6, a < -1e-6) == (b > 1e-6, b < -1e-6)


@pytest.mark.parametrize("n", [1, 3, 1000])
@pytest.mark.parametrize("result", range(5))
def test_one_result_only_has_finite_and_honest_answers(n, result):
    pairs = [0] * 5
    pairs[result] = n
    for found in (elo(pairs), nelo(pairs)):
        assert -MAX_ELO <= found.low < found.value + 1e-9
        assert found.value - 1e-9 < found.high <= MAX_ELO
        assert found.bounded == (result != 0 and not (found.low <= -MAX_ELO), result != 4 and not (found.high >= MAX_ELO))
    assert elo(pairs).bounded == (result != 0, result != 4)
    assert 0 < los(pairs) <= 1
    for model in MODELS:
        assert math.isfinite(llr(pairs, (0, 10), model))


def test_three_wins_do_not_prove_much_and_a_thousand_do():
    assert elo([0, 0, 0, 0, 3]).low < 0
    assert los([0, 0, 0, 0, 3]) < 0.975
    assert elo([0, 0, 0, 0, 1000]).low > 900
    assert elo([0, 0, 3, 0, 0]).high > 200
    assert elo([0, 0, 1000, 0, 0]).high < 2


@pytest.mark.parametrize("n", [10**9, 10**12, 10**18])
@pytest.mark.parametrize("shape", [(0, 0, 0, 0, 1), (0, 0, 1, 0, 0), (1, 0, 0, 0, 1), (1, 2, 3, 2, 2)])
def test_any_number_of_pairs_has_an_answer(n, shape):
    pairs = [n * k for k in shape]
    for found in (elo(pairs), nelo(pairs)):
        assert -4000 <= found.low <= found.value <= found.high <= 4000
    assert math.isfinite(llr(pairs, (0, 5)))
    assert los(pairs) >= 0.5


def test_a_thousand_times_the_pairs_narrow_the_interval_as_they_should():
    """The odds of a lost game fall with the number of pairs won, the interval of drawn ones with its square root or faster."""
    assert elo([0, 0, 0, 0, 10**9]).low == pytest.approx(elo([0, 0, 0, 0, 10**6]).low + 1200, abs=1)
    assert elo([0, 0, 10**9, 0, 0]).high == pytest.approx(elo([0, 0, 10**6, 0, 0]).high / 1000, rel=0.01)
    assert elo([10**9, 0, 0, 0, 10**9]).high == pytest.approx(elo([10**6, 0, 0, 0, 10**6]).high / math.sqrt(1000), rel=1e-3)
    few = [1, 0, 10**12, 0, 1]
    assert 0 < elo(few).high < 1e-8


def test_without_games_nothing_is_known():
    for found in (elo([0] * 5), nelo([0] * 5)):
        assert (found.value, found.low, found.high) == (0, -MAX_ELO, MAX_ELO)
        assert found.bounded == (False, False)
    assert los([0] * 5) == 0.5
    assert [llr([0] * 5, (0, 10), model) for model in MODELS] == [0, 0]
    assert points([]) is None
    assert points([3.0]) is None


@few
@given(counts)
def test_swapping_the_players_changes_the_sign(pairs):
    swapped = pairs[::-1]
    for function in (elo, nelo):
        one, other = function(pairs), function(swapped)
        assert (other.value, other.low, other.high) == pytest.approx((-one.value, -one.high, -one.low), abs=1e-3)
    assert los(swapped) == pytest.approx(1 - los(pairs), abs=1e-9)


@few
@given(counts, bounds, st.sampled_from(MODELS))
def test_swapping_players_and_bounds_changes_the_sign_of_the_ratio(pairs, bounds, model):
    low, high = bounds
    assert llr(pairs[::-1], (-high, -low), model) == pytest.approx(-llr(pairs, bounds, model), abs=1e-4)


@few
@given(counts, st.integers(0, 3), st.integers(1, 4))
def test_a_better_result_never_lowers_elo(pairs, result, better):
    pairs[result] += 1
    improved = list(pairs)
    improved[result] -= 1
    improved[min(4, result + better)] += 1
    one, other = elo(pairs), elo(improved)
    assert other.value > one.value
    assert other.low >= one.low - 1e-6
    assert other.high >= one.high - 1e-6
    assert los(improved) >= los(pairs) - 1e-9


@few
@given(counts)
def test_the_interval_surrounds_the_value_and_agrees_with_los(pairs):
    for found in (elo(pairs), nelo(pairs)):
        assert found.low <= found.value <= found.high
    assert (elo(pairs).low > 1e-6) == (los(pairs) > 0.9750001)


@few
@given(counts)
def test_ten_times_the_games_narrow_the_interval(pairs):
    many = [10 * n for n in pairs]
    one, ten = elo(pairs), elo(many)
    assert ten.high - ten.low <= one.high - one.low + 1e-6


@few
@given(st.floats(-3999, 3999))
def test_score_and_elo_are_inverse(value):
    # The score is rounded to 1e-16; near 4,000 Elo, where a loss has a chance of 1e-10, that is 2e-4 Elo.
    assert elo_from_score(expected_score(value)) == pytest.approx(value, abs=5e-4)


TRUTHS = {
    "even": (0.1, 0.2, 0.4, 0.2, 0.1),
    "drawn": (0.0, 0.03, 0.94, 0.03, 0.0),
    "strong": (0.01, 0.03, 0.15, 0.25, 0.56),
    "crushing": (0.0, 0.005, 0.02, 0.05, 0.925),
    "no draws": (0.3, 0.0, 0.0, 0.0, 0.7),
    "unfair game": (0.02, 0.02, 0.9, 0.03, 0.03),
}


def covered(truth, n, runs):
    """The share of matches of n pairs whose intervals contain the true Elo, and the true normalized Elo."""
    p = np.array(truth)
    mean = float(p @ SCORES)
    true = [elo_from_score(mean), NELO_PER_T * (mean - 0.5) / math.sqrt(2 * float(p @ (np.array(SCORES) - mean) ** 2))]
    results, times = np.unique(np.random.default_rng(n).multinomial(n, p, size=runs), axis=0, return_counts=True)
    hits = np.zeros(2)
    for pairs, often in zip(results.tolist(), times, strict=True):
        found = elo(pairs), nelo(pairs)
        hits += [often * (f.low <= t <= f.high) for f, t in zip(found, true, strict=True)]
    return hits / runs


@pytest.mark.parametrize(("truth", "n"), [("even", 5), ("crushing", 5), ("strong", 10), ("no draws", 20)])
def test_the_interval_covers_the_truth(truth, n):
    assert covered(TRUTHS[truth], n, 400).min() > 0.9


@pytest.mark.long
@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 20, 50, 200])
@pytest.mark.parametrize("truth", TRUTHS)
def test_the_interval_covers_the_truth_long(truth, n):
    """Chances of whole numbers cannot be 95 % everywhere: Wilson's own interval falls to 91 % for two or three pairs."""
    found = covered(TRUTHS[truth], n, 3000)
    assert found.min() > (0.9 if n <= 10 else 0.94)
    assert n < 200 or found.max() < 0.98


def decided(sprt, p, seed):
    """What a test says of simulated pairs, and after how many."""
    random, pairs = np.random.default_rng(seed), [0] * 5
    while True:
        for result in random.choice(5, size=200, p=p):
            pairs[result] += 1
            verdict = sprt.state(pairs)
            if verdict:
                return verdict


def wrong(sprt, base, runs):
    """The shares of wrong answers of a test if the truth is its lower and its upper bound."""
    shares = []
    for bound, answer in ((sprt.elo0, "accepted"), (sprt.elo1, "rejected")):
        p = np.array(statistics._most_likely(statistics._chances([1000 * x for x in base]), bound, sprt.model))
        shares.append(sum(decided(sprt, p / p.sum(), seed) == answer for seed in range(runs)) / runs)
    return shares


def test_a_sequential_test_is_seldom_wrong():
    assert max(wrong(Sprt(0, 150), TRUTHS["even"], 40)) <= 0.05


@pytest.mark.long
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("bounds", [(0, 100), (-80, 0)])
@pytest.mark.parametrize("truth", ["even", "unfair game"])
def test_a_sequential_test_is_wrong_in_at_most_a_twentieth(truth, bounds, model):
    assert max(wrong(Sprt(bounds[0], bounds[1], model=model), TRUTHS[truth], 1000)) <= 0.05


def test_a_sequential_test_knows_when_to_stop():
    test = Sprt(0, 10)
    assert (test.lower, test.upper) == pytest.approx((-2.944, 2.944), abs=0.001)
    assert test.state([0] * 5) is None
    assert test.state([100, 500, 1000, 900, 200]) == "accepted"
    assert test.state([200, 900, 1000, 500, 100]) == "rejected"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"elo0": 10, "elo1": 0}, "two bounds in Elo, the lower one first"),
        ({"elo0": 0, "elo1": 0}, "not 0 and 0"),
        ({"elo0": 0, "elo1": 1000}, "between -200 and 200"),
        ({"elo0": 0, "elo1": math.nan}, "not 0 and nan"),
        ({"elo0": 0, "elo1": 5, "alpha": 0.7}, "alpha must be between 0 and 0.5"),
        ({"elo0": 0, "elo1": 5, "model": "bayes"}, "normalized or logistic, not 'bayes'"),
    ],
)
def test_wrong_bounds_are_refused(arguments, message):
    with pytest.raises(PlygroundError, match=message):
        Sprt(**arguments)


def test_wrong_counts_are_refused():
    with pytest.raises(PlygroundError, match="five counts"):
        elo([1, 2, 3])
    with pytest.raises(PlygroundError, match="five counts"):
        llr([1, 2, 3, -4, 5], (0, 10))


def game(result, points=0.0, duplicate=False):
    return GameOutcome(result, points, duplicate=duplicate)


def tally(pairs):
    found = Tally()
    for pair in pairs:
        found.add(pair)
    return found


def test_pairs_are_counted_by_their_result():
    results = [(0, 0), (0, 0.5), (0.5, 0), (0.5, 0.5), (0, 1), (1, 0), (1, 0.5), (1, 1), (1, 1)]
    found = tally([[game(a), game(b)] for a, b in results])
    assert found.pairs == [1, 2, 3, 1, 2]
    assert (found.wins, found.draws, found.losses, found.games) == (7, 5, 6, 18)
    assert found.score == pytest.approx(9.5 / 18)


def test_duplicates_are_left_out_and_counted():
    found = tally([[game(1), game(1)], [game(1, duplicate=True), game(1, duplicate=True)], [game(0), game(0.5, duplicate=True)]])
    assert (found.wins, found.draws, found.losses, found.duplicates, found.unpaired) == (2, 0, 0, 3, 1)
    assert found.pairs == [0, 0, 0, 0, 1]


def test_points_have_students_interval():
    found = tally([[game(1, 4), game(0, -2)], [game(1, 6), game(1, 2)], [game(1, 3), game(1, 3)]])
    assert found.points == [1, 4, 3]
    estimate = points(found.points)
    assert estimate.value == pytest.approx(8 / 3)
    assert estimate.high - estimate.value == pytest.approx(4.302653 * math.sqrt(7 / 3 / 3))
    assert points([8.0] * 4).low < 8
