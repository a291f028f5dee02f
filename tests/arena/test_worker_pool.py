"""Worker processes: the same games as here, whatever the rules print, and whoever is killed."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import pytest
from playing import first_event, kill_the_one_that_hangs, play_all, rules, small, untimed

from plyground import PlygroundError
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup
from plyground.arena.worker_pool import PairFailed, WorkerLost, Workers
from plyground.system.codec import encode
from plyground.system.runner import Worker
from running import FOREVER, gone, wait_until

posix = pytest.mark.skipif(os.name == "nt", reason="signals and /proc")


def pids(pool):
    return [process.popen.pid for process in pool._processes.values()]


def test_workers_play_the_same_games_as_this_process():
    setup, jobs = small("tictactoe", ["textbook:alphabeta,depth=3", "random"])
    with Workers(setup, 2) as pool:
        assert pool.free_slots() == 4
        results, _ = play_all(pool, jobs)
        assert pool.free_slots() == 4
        workers = pids(pool)
    unpacked = UnpackedSetup.unpack(setup)
    for job in jobs:
        assert list(map(untimed, results[job.pair].games)) == list(map(untimed, play_pair(unpacked, job).games))
    assert all(map(gone, workers))


@posix
def test_a_killed_worker_costs_one_pair_which_is_played_again(rules_file, tmp_path):
    hanging = tmp_path / "hanging"
    setup, jobs = small(rules_file(rules(f"hang_once({str(hanging)!r})")), ["random", "random"])
    with Workers(setup, 2) as pool:
        killer = Worker(lambda: kill_the_one_that_hangs(hanging))
        results, events = play_all(pool, jobs)
        killed = killer.result()
        workers = pids(pool)
    assert [event.why for event in events if isinstance(event, WorkerLost)] == ["SIGKILL"]
    assert sorted(results) == [job.pair for job in jobs]
    assert all(map(gone, [*workers, killed]))


@posix
def test_a_worker_that_was_killed_without_a_job_costs_nothing():
    setup, jobs = small("nim", ["random", "random"])
    with Workers(setup, 1) as pool:
        play_all(pool, jobs[:1])
        (worker,) = pids(pool)
        os.kill(worker, signal.SIGKILL)
        wait_until(lambda: not pool._processes[0].alive)
        results, events = play_all(pool, jobs[1:])
        assert pids(pool) != [worker]
    assert len(results) == len(events) == len(jobs) - 1


@posix
def test_leaving_ends_workers_in_mid_game(rules_file, tmp_path):
    begun = tmp_path / "begun"
    setup, jobs = small(rules_file(rules(f"open({str(begun)!r}, 'w').close(); time.sleep({FOREVER})")), ["random", "random"])
    with Workers(setup, 1) as pool:
        pool.submit(jobs[0])
        pool.submit(jobs[1])
        assert pool.free_slots() == 0
        wait_until(begun.exists)
        workers = pids(pool)
    assert all(map(gone, workers))


def test_rules_may_print_and_read(rules_file):
    effect = "print('{not JSON}', flush=True); sys.stdin.read(); print('loud', file=sys.stderr)"
    setup, jobs = small(rules_file(rules(effect)), ["random", "random"], games=2)
    with Workers(setup, 1) as pool:
        results, _ = play_all(pool, jobs)
    assert len(results[0].games) == 2


def given(pool, job):
    pool.submit(job)
    return pool


def test_rules_that_raise_are_told_in_one_line(rules_file):
    setup, jobs = small(rules_file(rules("raise ValueError('what\\n  now')")), ["random", "random"])
    with Workers(setup, 1) as pool:
        event = first_event(given(pool, jobs[0]))
    assert isinstance(event, PairFailed)
    assert "ValueError: what now" in event.message
    assert "\n" not in event.message
    assert "Traceback" in event.trace


NAMED = """
import enum


class Name(enum.StrEnum):
    ONE = "1"
    TWO = "2"


def format_move(s, m):
    return {name}
"""


def named_moves(rules_file, name):
    """Rules whose moves have names."""
    return rules_file(rules("pass") + NAMED.format(name=name))


def test_moves_may_be_named_by_a_text_of_another_type(rules_file):
    setup, jobs = small(named_moves(rules_file, "list(Name)[m - 1]"), ["random", "random"])
    with Workers(setup, 1) as pool:
        results, events = play_all(pool, jobs)
    assert len(events) == len(jobs)
    assert {move for pair in results.values() for game in pair.games for move in game.moves} == {"1", "2"}


def test_a_result_that_cannot_be_sent_is_told_in_one_line(rules_file):
    setup, jobs = small(named_moves(rules_file, "m if IN_A_WORKER and s.left < 3 else str(m)"), ["random", "random"])
    with Workers(setup, 1) as pool:
        event = first_event(given(pool, jobs[0]))
        assert isinstance(event, PairFailed)
        assert re.match(r"WorkerReply\.result\.games\.moves must be a text, not [12]$", event.message)


def test_a_job_that_cannot_be_sent_ends_no_worker():
    setup, jobs = small("nim", ["random", "random"])
    with Workers(setup, 1) as pool:
        pool.submit(replace(jobs[0], seed=1.5))
        with pytest.raises(PlygroundError, match=r"^Job\.seed must be a whole number, not 1\.5$"):
            first_event(pool)


def test_a_worker_that_ends_itself_says_why(rules_file):
    effect = "print('first\\nno more paper', file=sys.stderr, flush=True); os._exit(7)"
    setup, jobs = small(rules_file(rules(effect)), ["random", "random"])
    with Workers(setup, 1) as pool:
        assert first_event(given(pool, jobs[0])) == WorkerLost(jobs[0], "exit code 7: no more paper")
        assert isinstance(first_event(given(pool, jobs[0])), WorkerLost)  # by the next worker


def test_another_version_is_refused():
    setup, jobs = small("nim", ["random", "random"])
    with (
        Workers(replace(setup, code="0" * 32), 1) as pool,
        pytest.raises(PlygroundError, match=r"^this match was started by Plyground .* \(00000000\)"),
    ):
        first_event(given(pool, jobs[0]))


def test_a_worker_that_cannot_start_is_told(monkeypatch):
    setup, jobs = small("nim", ["random", "random"])
    monkeypatch.setattr("plyground.arena.worker_pool.COMMAND", [sys.executable, "-c", "raise SystemExit('no room')"])
    with (
        Workers(setup, 1) as pool,
        pytest.raises(PlygroundError, match=r"could not be started \(exit code 1: no room\)"),
    ):
        first_event(given(pool, jobs[0]))


COORDINATOR = """
import json, sys, time
from plyground.arena.messages import Job, MatchSetup
from plyground.arena.worker_pool import Workers
from plyground.system.codec import decode
setup, jobs = json.load(sys.stdin)
setup, jobs = decode(MatchSetup, setup), [decode(Job, job) for job in jobs]
with Workers(setup, 2) as pool:
    for job in jobs[:4]:
        pool.submit(job)
    time.sleep(600)
"""


@posix
def test_a_killed_coordinator_leaves_no_workers(rules_file, tmp_path):
    playing = tmp_path / "playing"
    playing.mkdir()
    effect = f"open(os.path.join({str(playing)!r}, str(os.getpid())), 'w').close(); time.sleep(600)"
    setup, jobs = small(rules_file(rules(effect)), ["random", "random"])
    with subprocess.Popen([sys.executable, "-c", COORDINATOR], stdin=subprocess.PIPE, text=True) as coordinator:
        coordinator.stdin.write(json.dumps([encode(setup), list(map(encode, jobs))]))
        coordinator.stdin.close()
        wait_until(lambda: len(list(playing.iterdir())) == 2)
        workers = [int(path.name) for path in playing.iterdir()]
        assert not any(map(gone, workers))
        coordinator.kill()
    wait_until(lambda: all(map(gone, workers)))
