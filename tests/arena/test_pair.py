"""A pair is the same wherever it is played."""

import json

import pytest

from plyground.arena.openings import Openings
from plyground.arena.pair import play_pair
from plyground.arena.schedule import Schedule
from plyground.arena.sources import Setup, collect


def through_json(data):
    return json.loads(json.dumps(data))


def prepared(game, players, **options):
    """The unpacked setup and the jobs of a small match, as workers get them."""
    setup = Setup.unpack(through_json(collect(game, players)))
    schedule = Schedule(players, Openings(setup.game, 1), **{"games": 4, "seed": 1, **options})
    return setup, through_json(list(schedule.jobs(match=1)))


def untimed(result):
    """A result without what the clock says."""
    return [{k: v for k, v in game.items() if k not in ("times", "seconds")} for game in result["games"]]


@pytest.mark.parametrize("player", ["engine:depth=4", "engine:nodes=500", "level:3", "random", "textbook:alphabeta,depth=2"])
def test_a_pair_is_the_same_again(player):
    setup, (job, other) = prepared("connect4", [player, "random"])
    first = untimed(play_pair(setup, job))
    play_pair(setup, other)
    assert untimed(play_pair(setup, job)) == first
    assert [game["side"] for game in first] == [0, 1]
    assert first[0]["moves"][: first[0]["opening"]] == first[1]["moves"][: first[1]["opening"]]
