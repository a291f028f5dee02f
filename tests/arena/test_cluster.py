"""A real Dask scheduler with real worker processes: the same games as here, and one of them is killed."""

import os
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from playing import OPENINGS, first_event, kill_the_one_that_hangs, match_settings, play_all, rules, small, untimed

import plyground
from dask_cluster import Dask
from plyground import PlygroundError
from plyground.arena.cluster import Cluster
from plyground.arena.contest import Contest
from plyground.arena.messages import Job
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup, collect
from plyground.arena.worker_pool import PairFailed, Workers
from plyground.cli import main
from plyground.cluster.remote_work import FAILURES, Connection
from plyground.records.store import Records
from plyground.system.codec import decode, encode
from plyground.system.runner import Worker
from running import FOREVER, gone, wait_until

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals and /proc")
PLAYERS = ["random", "random"]


@pytest.fixture
def dask(tmp_path):
    with Dask(tmp_path) as made:
        yield made


def played(records, match=1):
    return [untimed(game._asdict()) for game in records.games(match)]


def test_a_killed_worker_of_two_changes_no_record(dask, rules_file, tmp_path):
    dask.worker()
    dask.worker()
    hanging = tmp_path / "hanging"
    game = rules_file(rules(f"hang_once({str(hanging)!r})"))
    with Records(tmp_path / "records.db") as records:
        contest = Contest.new(records, str(game), PLAYERS, match_settings(games=24, openings=OPENINGS), seed=1)
        killer = Worker(lambda: kill_the_one_that_hangs(hanging))
        with Cluster(contest.setup, dask.address) as pool:
            wait_until(lambda: pool.workers == 2)
            assert contest.run(pool).ended == "games"
        assert gone(killer.result())
        found = played(records)
        unpacked = UnpackedSetup.unpack(contest.setup)
        here = [play_pair(unpacked, decode(Job, job)).games for job in records.jobs(1)]
    names = ("side", "players", "seed", "start", "opening", "moves", "result", "points", "reason")
    assert [[game[name] for name in names] for game in found] == [
        [{"start": None, **encode(game)}[name] for name in names] for pair in here for game in pair
    ]
    assert len(found) == 24


@pytest.mark.long
def test_the_same_games_on_a_cluster_and_on_this_machine(dask, tmp_path):
    dask.worker()
    dask.worker()
    made = []
    with Records(tmp_path / "records.db") as records:
        for crew_of in (lambda setup: Workers(setup, 2), lambda setup: Cluster(setup, dask.address)):
            contest = Contest.new(records, "connect4", ["engine:nodes=500", "level:3"], match_settings(games=40), seed=1)
            contest.prepare()
            with crew_of(contest.setup) as pool:
                contest.run(pool)
            made.append([{**game, "match": 0} for game in played(records, contest.match)])
    assert len(made[0]) == 40
    assert made[0] == made[1]


@pytest.mark.long
def test_a_worker_with_several_threads_plays_one_pair_at_a_time(dask, rules_file, tmp_path):
    dask.worker(threads=4)
    busy = tmp_path / "busy"
    setup, jobs = small(rules_file(rules(f"os.mkdir({str(busy)!r}); time.sleep(0.02); os.rmdir({str(busy)!r})")), PLAYERS)
    with Cluster(setup, dask.address) as pool:
        assert len(play_all(pool, jobs)[0]) == 4  # `mkdir` fails if the folder is there


@pytest.mark.long
def test_leaving_stops_what_is_being_played(dask, rules_file, tmp_path):
    dask.worker()
    begun = tmp_path / "begun"
    slow = f"open({str(begun)!r}, 'a').close(); time.sleep({FOREVER}) if s.left == 1 else time.sleep(1)"
    setup, jobs = small(rules_file(rules(slow).replace("s.left < 3", "s.left < 7")), PLAYERS)
    with Cluster(setup, dask.address) as pool:
        pool.submit(jobs[0])
        wait_until(begun.exists)
    setup, jobs = small("nim", PLAYERS)
    with Cluster(setup, dask.address) as pool:
        assert len(play_all(pool, jobs)[0]) == 4


@pytest.mark.long
def test_a_pair_that_ends_every_worker_stops_the_match(dask, rules_file, monkeypatch):
    monkeypatch.setattr("plyground.cluster.remote_work.FAILURES", 1)
    dask.worker()
    dask.worker()
    setup, jobs = small(rules_file(rules("os._exit(3)")), PLAYERS)
    with Cluster(setup, dask.address) as pool:
        wait_until(lambda: pool.workers == 2)
        pool.submit(jobs[0])
        event = first_event(pool)
    assert event.message == "it was lost with 2 workers, one after the other"
    assert FAILURES > 3


@pytest.fixture
def changed_copy(tmp_path):
    """A folder with a copy of Plyground that differs in a comment."""
    other = tmp_path / "other" / "plyground"
    shutil.copytree(Path(plyground.__file__).parent, other, ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "score.py").open("a") as file:
        print("# changed", file=file)
    return str(other.parent)


@pytest.mark.long
def test_other_source_code_is_refused(dask, changed_copy):
    dask.worker(PYTHONPATH=changed_copy)
    setup, _ = small("nim", PLAYERS)
    with pytest.raises(PlygroundError, match=r"^the worker tcp://\S+ has Plyground \S+ \(\w{8}\); it must be "):
        Cluster(setup, dask.address).__enter__()


@pytest.mark.long
def test_other_source_code_that_comes_later_is_refused(dask, changed_copy):
    dask.worker()
    setup, jobs = small("nim", PLAYERS)
    with Cluster(setup, dask.address) as pool:
        dask.worker(PYTHONPATH=changed_copy)
        wait_until(lambda: pool.workers == 2)
        for _ in range(20):
            pool.submit(jobs[0])
        events: list[Any] = []
        while len(events) < 20:
            events += pool.wait(0.1)
    (message,) = {event.message for event in events if isinstance(event, PairFailed)}
    assert message.startswith("on the worker tcp://127.0.0.1:")
    assert "both must be the same" in message


@pytest.mark.long
@pytest.mark.parametrize("who", ["scheduler", "worker"])
def test_a_machine_without_plyground_is_told(tmp_path, who):
    nothing = tmp_path / "nothing" / "plyground"
    nothing.mkdir(parents=True)
    (nothing / "__init__.py").write_text("raise ImportError('not here')")
    without = {"PYTHONPATH": str(nothing.parent)}
    setup, _ = small("nim", PLAYERS)
    with Dask(tmp_path, **(without if who == "scheduler" else {})) as dask:
        dask.worker(**(without if who == "worker" else {}))
        with pytest.raises(PlygroundError, match=rf"^the {who} (at )?tcp://\S+ can't use Plyground \(.*not here.*\)"):
            Cluster(setup, dask.address).__enter__()


@pytest.mark.long
def test_a_lost_scheduler_is_told_in_one_line(dask, rules_file):
    dask.worker()
    setup, jobs = small(rules_file(rules("time.sleep(600)")), PLAYERS)
    with Cluster(setup, dask.address) as pool:
        pool.submit(jobs[0])
        dask.processes[0].kill()
        with pytest.raises(PlygroundError, match=r"^the connection to the Dask scheduler at \S+ is lost$"):
            wait_until(lambda: pool.free_slots() < 0 or pool.wait(0.1))


def test_leaving_does_not_wait_for_a_scheduler_that_no_longer_answers(monkeypatch):
    monkeypatch.setattr("plyground.cluster.remote_work.LOST", 0.05)
    never, closed = threading.Event(), []

    class Silent:
        status = "running"

        def run_on_scheduler(self, *args):
            never.wait(FOREVER)

        nthreads = run_on_scheduler

        def close(self, timeout):
            closed.append(timeout)

    connection = Connection("tcp://127.0.0.1:1")
    connection.client, connection._allowed = Silent(), 3
    connection._disconnect()
    assert closed
    with pytest.raises(PlygroundError, match=r"^the connection to the Dask scheduler at \S+ is lost$"):
        _ = connection.threads
    never.set()


def test_a_cluster_that_is_not_there(monkeypatch):
    monkeypatch.setattr("plyground.cluster.remote_work.TIMEOUT_SECONDS", 0.5)
    setup, _ = small("nim", PLAYERS)
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(PlygroundError, match=f"^no Dask scheduler answers at {address} "):
            Cluster(setup, address).__enter__()
        nobody.listen()  # now something answers, but it never says who it is
        with pytest.raises(PlygroundError, match=rf"^no Dask scheduler answers at {address} \(no answer\)$"):
            Cluster(setup, address).__enter__()
    with pytest.raises(PlygroundError, match=r"^no Dask scheduler answers at nowhere \(missing port number"):
        Cluster(setup, "nowhere").__enter__()


def test_the_command_tells_it_in_one_line_and_writes_nothing(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("plyground.cluster.remote_work.TIMEOUT_SECONDS", 0.5)
    records = tmp_path / "records.db"
    assert main(["arena", "nim", *PLAYERS, "--cluster", "tcp://127.0.0.1:1", "--records", str(records)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("plyground: no Dask scheduler answers at tcp://127.0.0.1:1 (")
    assert not records.exists()


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(PlygroundError, match=r"^--cluster needs Dask: pip install 'plyground\[cluster\]'$"):
        Cluster(collect("nim", PLAYERS), "tcp://127.0.0.1:8786").__enter__()
