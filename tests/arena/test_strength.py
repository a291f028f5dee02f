"""Real matches of Connect 4: does the arena find what is known to be true?"""

import os

import pytest
from playing import match_settings

from plyground.arena.contest import Contest
from plyground.arena.statistics import elo
from plyground.arena.worker_pool import Workers
from plyground.records.store import Records


def played(players, seed, **settings):
    """The results of a match between two players."""
    with Records() as records:
        contest = Contest.new(records, "connect4", players, match_settings(**settings), seed=seed)
        with Workers(contest.setup, min(2, os.cpu_count() or 1)) as pool:
            summary = contest.run(pool)
    (tally,) = summary.tallies.values()
    return tally, summary.ended


@pytest.mark.long
def test_more_depth_is_ahead_and_a_repeated_match_agrees():
    tallies = [played(["engine:depth=8", "engine:depth=6"], seed, games=1000)[0] for seed in (1, 2)]
    one, two = (elo(tally.pairs) for tally in tallies)
    assert all(tally.played == 1000 for tally in tallies)
    assert min(one.low, two.low) > 0
    assert one.low < two.value < one.high
    assert two.low < one.value < two.high
    assert one.high - one.low < 60


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_a_player_is_as_strong_as_itself(seed):
    tally, _ = played(["engine", "engine"], seed, games=1000, limit={"nodes": 1000})
    found = elo(tally.pairs)
    assert found.low < 0 < found.high
    assert abs(found.value) < 20
    assert tally.duplicates < 50


@pytest.mark.long
@pytest.mark.parametrize(("nodes", "answer"), [((3000, 300), "accepted"), ((300, 3000), "rejected")])
def test_a_sequential_test_ends_a_match_by_itself(nodes, answer):
    players = [f"engine:nodes={n}" for n in nodes]
    tally, ended = played(players, 1, games=4000, sprt={"elo0": 0, "elo1": 20, "model": "normalized"})
    assert ended == answer
    assert tally.games < 2000
