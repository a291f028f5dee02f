"""Ratings of several players, and results in words, as tables, as data and as plots."""

import math
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena import statistics, tables
from plyground.arena.statistics import MAX_ELO, Estimate, Sprt, elo, expected_score
from plyground.arena.tally import Tally, ratings


def result(pairs, points=(), duplicates=0):
    """A tally with these counts of pairs; in an even pair, both have won a game."""
    ll, ld, even, wd, ww = pairs
    results = [n for n, count in enumerate(pairs) for _ in range(count)]
    return Tally(2 * ww + wd + even, wd + ld, 2 * ll + ld + even, list(pairs), list(points), results, duplicates)


counts = st.lists(st.integers(0, 20), min_size=5, max_size=5)
EVEN = result([2, 4, 10, 4, 2])
GOOD = result([1, 2, 5, 6, 6])
ALL = result([0, 0, 0, 0, 9])

# -- ratings ------------------------------------------------------------------------------------------------------------------


@settings(max_examples=30)
@given(counts)
def test_two_players_differ_in_rating_by_their_elo(pairs):
    """But for the half of a drawn game that keeps ratings finite."""
    pairs = [n + 3 for n in pairs]
    one, two = ratings(2, {(0, 1): result(pairs)})
    assert one.value == pytest.approx(-two.value)
    games = 2 * sum(pairs)
    score = (statistics.score(pairs).value * games + 0.25) / (games + 0.5)
    assert one.value - two.value == pytest.approx(statistics.elo_from_score(score), abs=0.01)


def test_the_interval_is_that_of_a_match_if_there_are_two_players():
    pairs = [20, 40, 100, 60, 30]
    one, two = ratings(2, {(0, 1): result(pairs)})
    match = elo(pairs)
    assert (one.high - one.low) * 2 == pytest.approx(match.high - match.low, rel=0.02)
    assert (one.low, one.high) == pytest.approx((-two.high, -two.low))


def test_unbeaten_players_stay_finite_with_open_intervals():
    best, middle, worst = ratings(3, {(0, 1): ALL, (1, 2): ALL, (0, 2): ALL})
    assert best.high == MAX_ELO
    assert worst.low == -MAX_ELO
    assert MAX_ELO > best.value > middle.value + 300 > worst.value + 600 > -MAX_ELO
    assert middle.bounded == (True, True)


def test_without_games_all_are_alike():
    assert ratings(3, {(0, 1): Tally(), (0, 2): Tally(), (1, 2): Tally()}) == [Estimate(0, -MAX_ELO, MAX_ELO)] * 3


def test_players_who_never_met_are_compared_through_a_third():
    found = ratings(3, {(0, 1): GOOD, (0, 2): result([6, 6, 5, 2, 1])})
    assert found[2].value > found[0].value > found[1].value
    assert found[2].value - found[1].value == pytest.approx(2 * (found[0].value - found[1].value), rel=0.01)


def test_a_great_many_wins_are_no_problem():
    many = result([0, 0, 0, 0, 100_000])
    found = ratings(6, {(a, b): many for a in range(6) for b in range(a + 1, 6)})
    assert all(math.isfinite(n) for player in found for n in (player.value, player.low, player.high))
    assert [player.value for player in found] == sorted((player.value for player in found), reverse=True)


@pytest.mark.parametrize(
    ("n", "runs"), [(20, 40), pytest.param(5, 2000, marks=pytest.mark.long), pytest.param(100, 2000, marks=pytest.mark.long)]
)
def test_the_intervals_of_ratings_cover_the_truth(n, runs):
    true = np.array([150.0, 0.0, -150.0])
    random, hits = np.random.default_rng(n), np.zeros(3)
    base = statistics._chances([100, 200, 400, 200, 100])
    for _ in range(runs):
        found = {}
        for a, b in ((0, 1), (0, 2), (1, 2)):
            p = np.array(statistics._given_mean(base, expected_score(true[a] - true[b])))
            found[a, b] = result(random.multinomial(n, p / p.sum()).tolist())
        hits += [e.low <= t <= e.high for e, t in zip(ratings(3, found), true, strict=True)]
    assert hits.mean() / runs > 0.92


# -- words --------------------------------------------------------------------------------------------------------------------


def test_the_conclusion_names_the_stronger_one():
    found = tables.conclusion("a", "b", GOOD)
    assert found.startswith("a is stronger than b: +127 Elo, between +20 and +226, after 40 games: ")
    assert found.endswith("23 won, 8 drawn, 9 lost")
    assert tables.conclusion("b", "a", result(GOOD.pairs[::-1])) == found


def test_the_conclusion_is_open_if_zero_is_within_the_interval():
    found = tables.conclusion("a", "b", result([2, 4, 10, 5, 2]))
    assert found.startswith("it is not clear yet whether a or b is stronger: a has +8 Elo, between -")
    assert "games show it" in found
    assert "games show it" not in tables.conclusion("a", "b", EVEN)


def test_the_conclusion_promises_no_upper_bound_after_wins_alone():
    found = tables.conclusion("a", "b", ALL)
    assert found == "a is stronger than b: at least +148 Elo, after 18 games: 18 won, 0 drawn, 0 lost"
    assert tables.conclusion("b", "a", result([9, 0, 0, 0, 0])) == found
    assert tables.conclusion("a", "b", Tally()) == "no pair of games between a and b has been played yet"


@pytest.mark.parametrize(
    ("ended", "text"),
    [
        ("accepted", "the test has accepted: +10 normalized Elo explains the results better than +0"),
        ("rejected", "the test has rejected: +0 normalized Elo explains the results better than +10"),
        ("duplicates", "games began to repeat themselves"),
        ("late", "games were lost on time, one after the other"),
        (None, "the test of +0 against +10 normalized Elo is undecided"),
    ],
)
def test_the_state_of_a_test_as_text(ended, text):
    assert text in tables.verdict(Sprt(0, 10), GOOD, ended)


def test_details_have_what_there_is():
    assert len(tables.details(EVEN, margins=True)) == 2
    lines = tables.details(result([0, 0, 2, 0, 0], points=[4.0, 6.0], duplicates=3), margins=True)
    assert lines[2].startswith("points in a game: +5.00, between -7.7")
    assert lines[3] == "3 duplicate games counted once"


# -- tables -------------------------------------------------------------------------------------------------------------------

THREE = {(0, 1): result([6, 6, 5, 2, 1]), (0, 2): GOOD, (1, 2): ALL}


def test_standings_are_sorted_by_rating():
    rows = tables.standings_rows(["x", "y", "z"], THREE)
    assert [row[1] for row in rows] == ["player", "y", "x", "z"]
    assert rows[1][4:] == ["58", "77.6 %", "41", "8", "9"]
    assert sum(int(row[6]) for row in rows[1:]) == sum(int(row[8]) for row in rows[1:])


def test_the_cross_table_has_both_views():
    rows = tables.cross_table(["x", "y", "z"], THREE)
    assert rows[0] == ["", "player", "1", "2", "3"]
    assert rows[1][1:] == ["y", "", "27/40", "18/18"]
    assert rows[2][1:] == ["x", "13/40", "", "27/40"]
    assert rows[3][1:] == ["z", "0/18", "13/40", ""]


def test_players_who_do_not_meet_have_an_empty_cell():
    rows = tables.cross_table(["x", "y", "z"], {(0, 1): GOOD, (0, 2): ALL})
    cells = {row[1]: row[2:] for row in rows[1:]}
    assert cells["y"].count("") == cells["z"].count("") == 2


def test_facts_have_the_promised_keys():
    elos = {"elo", "elo_low", "elo_high", "nelo", "nelo_low", "nelo_high"}
    found = tables.facts(GOOD)
    assert set(found) == elos | {
        "games",
        "wins",
        "draws",
        "losses",
        "pairs",
        "los",
        "llr",
        "duplicates",
        "unpaired",
        "too_long",
        "adjudicated",
        "late",
        "replayed",
        "time_used",
        "forfeits",
    }
    assert found["llr"] is None
    tested: dict[str, Any] = tables.facts(GOOD, Sprt(0, 10))
    assert tested["llr"] > 0
    margins: dict[str, Any] = tables.facts(result([0, 0, 2, 0, 0], points=[4.0, 6.0]), margins=True)
    assert (margins["points"], margins["points_low"] < 4, margins["points_high"] > 6) == (5.0, True, True)


# -- plots --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("results", [[], [4], [4] * 30, [2, 1, 4, 0, 3] * 100])
def test_elo_over_games_is_drawn(results):
    drawn = tables.elo_plot(["a <b>", "c"], results)
    root = ElementTree.fromstring(drawn.file())
    assert "a <b> against c" in root[0].text
    if len(results) > 1:
        assert f"after {2 * len(results):,}" in drawn.words
    assert ("∞" in drawn.words) == (set(results) == {4})


def test_ratings_are_drawn():
    drawn = tables.ratings_plot(["x", "y", "z"], THREE)
    ElementTree.fromstring(drawn.file())
    assert drawn.words.index("y:") < drawn.words.index("x:") < drawn.words.index("z:")
