"""A pair is the same wherever, whenever and in whatever order it is played."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playing import match_settings, through_json
from playing import untimed as without_times

from plyground import Match
from plyground.arena.contest import Schedule
from plyground.arena.messages import Adjudication, PlayedPair
from plyground.arena.openings import Openings
from plyground.arena.pair import Adjudicator, StoppedError, check_sides, open_match, play_game, play_pair, prepare
from plyground.arena.sources import UnpackedSetup, collect
from plyground.errors import PlygroundError
from plyground.play.report import Analysis
from plyground.rules.game import Game
from plyground.rules.load import builtin_games
from plyground.system.codec import decode, encode

MATCHES = [
    ("connect4", ["engine:depth=4", "level:3"]),
    ("connect4", ["engine:nodes=700", "textbook:alphabeta_fixed,depth=2"]),
    ("nim", ["solver", "random"]),
    ("nim", ["textbook:proof_number", "level:9"]),
    ("2048", ["level:1", "random"]),
]
"""Every kind of player, and dice."""
PLAY = """
import json, sys
from plyground.arena.messages import Job, MatchSetup
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup
from plyground.system.codec import decode, encode

for setup, jobs in json.load(sys.stdin):
    setup = UnpackedSetup.unpack(decode(MatchSetup, setup))
    print(json.dumps([encode(play_pair(setup, decode(Job, job))) for job in reversed(jobs)]))
"""


def a_match(game, players, **options):
    """The setup and the jobs of a small match, as workers get them."""
    setup = through_json(collect(game, players))
    settings = match_settings(**{"games": 4, **options})
    schedule = Schedule(players, Openings(UnpackedSetup.unpack(setup).game, 1), settings, 1)
    return setup, list(map(through_json, schedule.jobs(match=1)))


def untimed(pair):
    """The games of a pair without what the clock says."""
    return [without_times(game) for game in pair.games]


def sent_to_another_process(matches):
    """What the other process prints of these matches, read."""
    sent = json.dumps([(encode(setup), list(map(encode, jobs))) for setup, jobs in matches])
    done = subprocess.run([sys.executable, "-c", PLAY], input=sent, capture_output=True, text=True, check=True)
    return [[untimed(decode(PlayedPair, pair)) for pair in reversed(json.loads(line))] for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def played():
    """Some matches, with their results in order."""
    out = []
    for game, players in MATCHES:
        setup, jobs = a_match(game, players)
        unpacked = UnpackedSetup.unpack(setup)
        out.append((setup, unpacked, jobs, [untimed(play_pair(unpacked, job)) for job in jobs]))
    return out


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_a_pair_is_the_same_in_any_order_and_after_any_other(played, data):
    for n in data.draw(st.lists(st.integers(0, len(MATCHES) - 2), min_size=1, max_size=3)):
        _, setup, jobs, results = played[n]
        pair = data.draw(st.integers(0, len(jobs) - 1))
        assert untimed(play_pair(setup, jobs[pair])) == results[pair]


def test_a_pair_is_the_same_in_another_process(played):
    found = sent_to_another_process([(setup, jobs) for setup, _, jobs, _ in played])
    assert found == [results for _, _, _, results in played]


def test_both_games_have_one_opening_and_exchanged_sides(played):
    for (_, players), (_, setup, jobs, results) in zip(MATCHES, played, strict=True):
        for job, games in zip(jobs, results, strict=True):
            assert [game["side"] for game in games] == [0, 1]
            for game in games:
                assert game["players"] == players
                assert game["moves"][: game["opening"]] == list(job.opening)
                columns = [game[name] for name in ("moves", "scores", "depths", "nodes")]
                assert {len(column) for column in columns} == {len(game["moves"])}
                match = Match(setup.game, game.get("start"))
                for move in game["moves"]:
                    match.play(move)
                assert game["reason"] == match.reason == "rules"
                if len(setup.game.sides) == 2:
                    winner = {1.0: game["side"], 0.0: 1 - game["side"], 0.5: None}[game["result"]]
                    assert match.winner == winner


def test_who_plays_alone_wins_by_points(played):
    _, setup, jobs, results = played[-1]
    for job, (one, two) in zip(jobs, results, strict=True):
        assert one["result"] == two["result"] == (1.0 if one["points"] > two["points"] else 0.0)
        ply = len(job.opening)
        matches = [open_match(setup.game, job) for _ in range(2)]
        assert matches[0].s == matches[1].s
        assert all(score is None for score in two["scores"])  # random says nothing
        assert any(score is not None for score in one["scores"][ply:])


def test_a_match_with_oneself_has_other_seeds_for_both():
    setup, jobs = a_match("connect4", ["random", "random"], games=2)
    one, two = play_pair(UnpackedSetup.unpack(setup), jobs[0]).games
    assert one.moves != two.moves


def test_a_long_game_is_a_draw():
    setup, jobs = a_match("connect4", ["random", "random"], games=2, most_plies=7)
    for game in play_pair(UnpackedSetup.unpack(setup), jobs[0]).games:
        assert (game.reason, game.result, game.points, len(game.moves)) == ("length", 0.5, 0, 7)


def test_a_pair_can_be_stopped():
    setup, jobs = a_match("nim", ["random", "random"], games=2)
    answers = iter([False, True])
    with pytest.raises(StoppedError):
        play_game(UnpackedSetup.unpack(setup), jobs[0], 0, lambda: next(answers))
    assert list(answers) == []


def test_adjudicated_games_end_as_they_would():
    players = ["engine:depth=5", "engine:depth=4"]
    setup, jobs = a_match("connect4", players, adjudicate={"plies": 2})
    whole = a_match("connect4", players)[1]
    unpacked, early = UnpackedSetup.unpack(setup), 0
    for job, other in zip(jobs, whole, strict=True):
        for game, full in zip(play_pair(unpacked, job).games, play_pair(unpacked, other).games, strict=True):
            early += game.reason == "adjudicated"
            assert full.moves[: len(game.moves)] == game.moves
            assert (game.result, game.points) == (full.result, full.points)
    assert early


def said(value, side):
    """What a player with this side says if the value for side 0 is this."""
    value = value if side == 0 else -value
    return Analysis(0, value, exact=abs(value) > 9000 or value == 0)


@pytest.mark.parametrize(
    ("given", "values", "verdict"),
    [
        ({"plies": 2}, [9990, 9991], 1),
        ({"plies": 2}, [9990], None),
        ({"plies": 3}, [9990, 100, 9990, 9991], None),
        ({"plies": 2}, [100, 9990, -9990], None),
        ({"plies": 2}, [0, 0], 0),
        ({"plies": 2}, [-10012, -10012], -12),
        ({"plies": 2}, [500, 700], None),
        ({"plies": 2, "score": 500}, [500, 700], 1),
        ({"plies": 2, "score": 500}, [499, 700], None),
        ({"plies": 2, "score": 500}, [-9990, -700], -1),
        (None, [9990, 9991, 9992, 9993, 9994, 9995, 9996], None),
        ({}, [9990, 9991, 9992, 9993, 9994, 9995], 1),
    ],
)
def test_what_players_agree_on(given, values, verdict):
    judge = Adjudicator(None if given is None else Adjudication(**given))
    for ply, value in enumerate(values):
        judge.record_claim(ply % 2, said(value, ply % 2))
    assert judge.value == verdict


def test_one_side_alone_and_silent_players_do_not_agree():
    judge = Adjudicator(Adjudication(plies=2))
    for _ in range(4):
        judge.record_claim(0, said(9990, 0))
    assert judge.value is None
    judge.record_claim(1, Analysis(0))
    assert judge.value is None


def test_bad_jobs_are_refused():
    setup, jobs = a_match("nim", ["random", "random"], games=2)
    unpacked = UnpackedSetup.unpack(setup)
    with pytest.raises(PlygroundError, match=r"plies of adjudication must be a whole number from 2 up, not 1"):
        prepare(unpacked, replace(jobs[0], adjudicate=Adjudication(plies=1)))
    with pytest.raises(PlygroundError, match=r"^engine:dept=3: 'dept=3' is not an option of the engine"):
        prepare(unpacked, replace(jobs[0], players=("random", "engine:dept=3")))


def test_three_sides_are_refused(three_sides):
    with pytest.raises(PlygroundError, match=r"^three has 3 sides; the arena plays games with one or two$"):
        check_sides(three_sides)


@pytest.fixture
def three_sides():
    from typing import NamedTuple

    class State(NamedTuple):
        ply: int

    rules = {
        "State": State, "SIDES": ("a", "b", "c"), "start": lambda: State(0), "moves": lambda s: range(1),
        "play": lambda s, m: State(s.ply + 1), "result": lambda s: (1, 0, 0) if s.ply > 5 else None, "turn": lambda s: s.ply % 3,
    }  # fmt: skip
    return Game(rules, "three")


@pytest.mark.long
def test_pairs_of_every_game_are_the_same_in_another_process():
    matches = []
    for game in builtin_games():
        setup, jobs = a_match(game, ["engine:nodes=300", "level:2"], games=2, most_plies=200)
        matches.append((setup, jobs, [untimed(play_pair(UnpackedSetup.unpack(setup), job)) for job in jobs]))
    found = sent_to_another_process([(setup, jobs) for setup, jobs, _ in reversed(matches)])
    assert found == [results for _, _, results in reversed(matches)]
