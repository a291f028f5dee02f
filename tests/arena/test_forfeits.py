"""An engine that misbehaves loses the game, the record says why, and the match goes on."""

import json
import sys
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from playing import match_settings, through_json

from here import DATA
from plyground import Limit, load
from plyground.arena import cluster, pair
from plyground.arena.contest import Contest, OrderedTally, Schedule
from plyground.arena.messages import MatchSettings, OpeningLines
from plyground.arena.openings import Openings
from plyground.arena.pair import StoppedError, play_game, play_pair, prepare
from plyground.arena.sources import UnpackedSetup, collect
from plyground.arena.tables import clock_remarks, facts, remarks
from plyground.arena.tally import GameOutcome, Tally
from plyground.arena.worker_pool import Workers
from plyground.cli import main
from plyground.errors import PlygroundError
from plyground.players import external_engine
from plyground.players.player import LATE
from plyground.players.process import log_of
from plyground.players.spec import make_player
from plyground.records.rows import Forfeit
from plyground.records.store import Records, records_path
from plyground.system.codec import encode
from running import gone, wait_until

SCRIPT = DATA / "engines" / "engine.py"
ENGINE = f"ugi:{sys.executable} {SCRIPT} tictactoe"
OPENINGS = OpeningLines("openings", ("moves: b2 a1", "moves: a1 b2", "moves: b1 b2"))
"""Openings without a search, which needs the engine."""


def one_job(*players, **more):
    """The setup and the first job of a match."""
    setup = UnpackedSetup.unpack(through_json(collect("tictactoe", players)))
    openings = Openings(setup.game, 1, OPENINGS)
    schedule = Schedule(players, openings, match_settings(**{"games": 2, "limit": {"time": 60}, **more}), 1)
    return setup, schedule.job(0)


@pytest.mark.parametrize(
    ("how", "reason"), [("crashes", "crashed"), ("rubbish", "unparsable"), ("illegal", "illegal move"), ("ends", "crashed")]
)
def test_a_fault_loses_the_game_whoever_moves_first(how, reason):
    bad = f"{ENGINE} {how}"
    games = play_pair(*one_job(ENGINE, bad)).games
    assert [(game.result, game.points, game.reason) for game in games] == [(1.0, 1, reason)] * 2
    for game in games:
        assert game.forfeit.player == 1
        assert game.players == (ENGINE, bad)
        assert len(game.moves) == len(game.scores) == len(game.times) >= 2
        assert "\n" not in game.forfeit.text
    if how != "ends":
        assert games[0].engines == ("Test Engine", f"Test Engine {how}")
    if how == "crashes":
        assert games[0].forfeit.stderr.endswith("the net is broken\n")
    tally = Tally()
    tally.add([GameOutcome(game.result, game.points, game.reason) for game in games])
    assert [dict(faults) for faults in tally.forfeits] == [{}, {reason: 2}]
    assert remarks([tally]) == [f"2 games forfeited by an engine: {reason} 2"]


@pytest.mark.parametrize(("how", "reason"), [("hangs", "hung"), ("late", "overstepped its time")])
def test_time_runs_out(how, reason, monkeypatch):
    monkeypatch.setattr(external_engine, "STOP_GRACE_SECONDS", 60.0 if how == "late" else 0.1)
    setup, job = one_job(f"{ENGINE} {how},time=1", ENGINE)
    game = play_game(setup, job, 0)
    assert (game.result, game.reason, game.forfeit.player) == (0.0, reason, 0)
    assert game.engines == (f"Test Engine {how}", "Test Engine")


@pytest.mark.parametrize(("late", "plays"), [("replay", 4), ("void", 1), ("count", 1)])
def test_a_game_lost_on_time_is_played_again(late, plays, monkeypatch):
    """By default, three times; then it is left out with its pair, unless the match counts such games."""
    setup, job = one_job("random", "random", late=late)
    lost = replace(play_game(setup, job, 0), result=0.0, points=-1, reason=LATE, forfeit=Forfeit(0, "too late"))
    played = []

    def play(setup, job, side, stop):
        played.append(side)
        return replace(lost, side=side)

    monkeypatch.setattr(pair, "play_game", play)
    games = play_pair(setup, job).games
    assert played == [0] * plays + [1] * plays
    assert [game.late for game in games] == [(0,) * (plays - 1) or None] * 2
    count = OrderedTally([(0, 1)], count_late=late == "count")
    count.add(0, [through_json(game) for game in games])
    found = count.tallies[0, 1]
    assert found.replayed == [2 * (plays - 1), 0]
    assert (found.games, found.late, found.pairs) == ((2, [0, 0], [1, 0, 0, 0, 0]) if late == "count" else (0, [2, 0], [0] * 5))
    assert found.played == 2
    assert found.points == []


def test_an_engine_that_takes_more_than_its_time_is_named(monkeypatch):
    setup, job = one_job(f"{ENGINE},time=60", ENGINE, limit={"depth": 3})
    game = play_game(setup, job, 0)
    assert game.time_used is not None
    assert game.time_used[1] is None  # nothing limits its time
    assert 0 <= game.time_used[0] < 1
    monkeypatch.setattr(external_engine.ExternalEngine, "time_used", property(lambda one: 3.14159, lambda one, value: None))
    slow = [play_game(setup, job, side) for side in (0, 1)]
    assert [found.time_used for found in slow] == [(3.142, 3.142)] * 2
    count = OrderedTally([(0, 1)])
    count.add(0, [through_json(replace(found, time_used=(None, 3.142))) for found in slow])
    assert clock_remarks(["a", "b"], count.tallies) == ["b used 3.1 times its time: it seems to ignore the clock"]
    known: Any = facts(count.tallies[0, 1])
    assert known["time_used"] == [None, 3.142]
    count.add(1, [replace(found, start=str(n), reason=LATE, forfeit=Forfeit(0, "late")) for n, found in enumerate(slow)])
    assert clock_remarks(["a", "b"], count.tallies)[0].startswith("a lost 2 of 4 games on time and used 3.1 times its time: it ")


def test_seconds_are_a_share_of_those_that_were_given():
    engine = make_player(ENGINE, load("tictactoe"))
    try:
        assert isinstance(engine, external_engine.ExternalEngine)
        assert engine.time_used is None
        for taken in (0.1, 0.5):
            engine.add_time(taken, 0.1, 0.05)
        assert engine.time_used == pytest.approx(2.0)
    finally:
        engine.close()


def test_a_bad_player_is_refused_before_the_match(tmp_path):
    with pytest.raises(PlygroundError, match=r"ends: it has ended \(exit code 1: no licence\)"):
        prepare(*one_job(f"{ENGINE} ends", "random"))
    with Records(tmp_path / "records.db") as records:
        for bad, why in ((f"{ENGINE},Hsh=3", "has no option 'Hsh'"), ("ugi:./none", r"ugi:./none: ./none: there is no such")):
            with pytest.raises(PlygroundError, match=why):
                Contest.new(records, "tictactoe", [bad, "random"], MatchSettings(2, openings=OPENINGS), seed=1)
        assert records.matches() == []


def test_programs_keep_the_path_that_they_had_when_the_match_began(tmp_path, monkeypatch):
    (tmp_path / "my engine").write_text(f"#!/bin/sh\nexec '{sys.executable}' '{SCRIPT}' tictactoe \"$@\"\n")
    (tmp_path / "my engine").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    for text in ("ugi:./my engine", "ugi:'./my engine' crashes,Hash=2"):
        setup, job = one_job(text, "random")
        monkeypatch.chdir("/")
        games = play_pair(setup, job).games
        assert games[0].players == (text, "random")
        assert (games[0].forfeit is not None) == ("crashes" in text)
        monkeypatch.chdir(tmp_path)
    (tmp_path / "my engine").unlink()
    with pytest.raises(PlygroundError, match=r"ugi:'./my engine' crashes,Hash=2: there is no program /.*/my engine; install"):
        setup.check_programs()


def test_a_machine_of_a_cluster_without_the_program_says_so(tmp_path):
    program = tmp_path / "engine"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{SCRIPT}' tictactoe\n")
    program.chmod(0o755)
    setup = collect("tictactoe", [f"ugi:{program}", "random"])
    program.unlink()
    worker = SimpleNamespace(local_directory=str(tmp_path), address="tcp://10.0.0.7:1")
    told = json.loads(cluster._answer(json.dumps(encode(setup)), "", worker, lambda: False))["error"]
    assert told is not None
    assert told.startswith(f"on the worker tcp://10.0.0.7:1: ugi:{program}: there is no program {program}; install it there")


def test_a_stopped_pair_leaves_no_engine():
    setup, job = one_job(f"{ENGINE} stays", "random")
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 2

    with pytest.raises(StoppedError):
        play_pair(setup, job, stop)
    child, owner = stayed()
    wait_until(lambda: gone(child))
    wait_until(lambda: gone(owner))


def stayed():
    """The two processes that the engine has told in its log."""
    words = log_of(sys.executable).read_text().split()
    return int(words[words.index("child") + 1]), int(words[words.index("of") + 1])


def test_the_match_goes_on_in_workers_and_the_records_keep_the_faults(tmp_path):
    players = [f"{ENGINE} stays", f"{ENGINE} crashes"]
    with Records(tmp_path / "records.db") as records:
        contest = Contest.new(records, "tictactoe", players, MatchSettings(6, limit=Limit(time=60), openings=OPENINGS), seed=1)
        with Workers(contest.setup, 2) as pool:
            summary = contest.run(pool)
        (tally,) = summary.tallies.values()
        rows = list(records.games(contest.match))
        again = Contest(records, contest.match).summary()
    assert (summary.ended, tally.wins, tally.losses) == ("games", 6, 0)
    assert [dict(faults) for faults in tally.forfeits] == [{}, {"crashed": 6}]
    assert {row.reason for row in rows} == {"crashed"}
    forfeits: list[Any] = [row.more["forfeit"] for row in rows]
    assert all("the net is broken" in forfeit["stderr"] for forfeit in forfeits)
    assert again.tallies == summary.tallies
    for pid in stayed():
        wait_until(lambda pid=pid: gone(pid))


def test_no_engine_outlives_a_worker_that_is_killed():
    players = [f"{ENGINE} stays", f"{ENGINE} hangs"]
    setup = collect("tictactoe", players)
    openings = Openings(load("tictactoe"), 1, OPENINGS)
    job = Schedule(players, openings, MatchSettings(2, limit=Limit(time=600)), 1).job(0)
    with Workers(setup, 1) as pool:
        pool.submit(job)
        log = log_of(sys.executable)
        wait_until(lambda: log.exists() and "child" in log.read_text() and log.read_text().count("go movetime") > 1)
    for pid in stayed():
        wait_until(lambda pid=pid: gone(pid))


def test_the_records_show_who_failed_and_how(capsys):
    file = records_path().with_name("openings.txt")
    file.write_text("\n".join(OPENINGS.lines))
    bad = f"{ENGINE} crashes"
    words = ["--games", "2", "--openings", str(file), "--time", "60", "--workers", "1"]
    assert main(["arena", "tictactoe", bad, ENGINE, *words]) == 0
    out, err = capsys.readouterr()
    assert "2 games forfeited by an engine: crashed 2" in out
    assert f"{bad} has lost a game (crashed): it has ended (exit code 3: the net is broken)" in err
    assert main(["record", "show", "1.0.0"]) == 0
    out = capsys.readouterr().out
    assert f"X: {bad} (Test Engine crashes)" in out
    assert "O wins (crashed)" in out
    assert f"{bad} has forfeited: it has ended (exit code 3: the net is broken)" in out
    assert "  stderr: the net is broken" in out
    assert main(["record", "show", "1"]) == 0
    assert f"program: {bad} is {sys.executable} {SCRIPT} tictactoe crashes" in capsys.readouterr().out
