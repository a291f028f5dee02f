"""Who meets whom, in which order, and with which seeds."""

import itertools
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Limit, load
from plyground.arena.contest import Schedule, pairings
from plyground.arena.messages import Adjudication, MatchSettings, OpeningLines
from plyground.arena.openings import Openings
from plyground.errors import PlygroundError

PLAYERS = ["engine:depth=1", "engine:depth=2", "level:3", "random"]


FILE = OpeningLines("openings", ("moves: a1", "moves: b1", "moves: c1", "moves: c2"))


def a_schedule(players=2, games=10, seed=1, **options):
    return Schedule(PLAYERS[:players], Openings(load("nim"), seed, FILE), MatchSettings(games, **options), seed)


def test_pairings():
    assert pairings(2) == [(0, 1)]
    assert pairings(4) == list(itertools.combinations(range(4), 2))
    assert pairings(4, gauntlet=True) == [(0, 1), (0, 2), (0, 3)]
    with pytest.raises(PlygroundError, match="a match needs at least two players"):
        pairings(1)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.booleans(), st.integers(1, 9), st.integers(0, 40))
def test_a_match_that_is_cut_is_balanced(players, gauntlet, games, cut):
    schedule = a_schedule(players, games, gauntlet=gauntlet)
    jobs = list(schedule.jobs())
    assert len(jobs) == len(schedule) == schedule.games // 2
    assert games <= schedule.games / len(schedule.pairings) <= games + 1
    met = Counter(job.players for job in jobs[:cut])
    counts = [met[PLAYERS[a], PLAYERS[b]] for a, b in schedule.pairings]
    assert max(counts) - min(counts) <= 1


def test_pairs_of_a_round_share_the_opening_but_no_seed():
    jobs = list(a_schedule(3, 8).jobs(match=7))
    assert len({job.seed for job in jobs}) == len(jobs) == 12
    for start in range(0, 12, 3):
        assert len({job.opening for job in jobs[start : start + 3]}) == 1
    assert [job.pair for job in jobs] == list(range(12))
    assert {job.match for job in jobs} == {7}


def test_a_job_depends_on_the_seed_only():
    assert a_schedule(seed=1).job(3) == a_schedule(seed=1, games=50).job(3) != a_schedule(seed=2).job(3)
    assert next(a_schedule(seed=1).jobs(first=3)) == a_schedule(seed=1).job(3)


def test_limits_are_part_of_a_job():
    job = a_schedule(limit=Limit(nodes=50), adjudicate=Adjudication(4), most_plies=99).job(0)
    assert (job.limit, job.adjudicate, job.most_plies) == (Limit(nodes=50), Adjudication(4), 99)


@pytest.mark.parametrize("games", [0, -1, 1.5, True])
def test_a_wrong_number_of_games(games):
    with pytest.raises(PlygroundError, match="games must be a whole number from 1 up"):
        a_schedule(games=games)
