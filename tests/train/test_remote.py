"""Self-play elsewhere: the same net as with threads here, bit by bit, whoever is lost meanwhile."""

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dask_cluster import Dask
from plyground import load
from plyground.cli import main
from plyground.kernels.selfplay.self_play import FIRST_PROGRESS_WORD
from plyground.nets.derive import derive_features
from plyground.system.codec import MessageError, decode, encode
from plyground.train import remote
from plyground.train.learner import Learner
from plyground.train.remote import RemoteSelfPlay, StreamJob, TrainingSetup, WorkerAnswer
from plyground.train.trainer import Trainer
from running import wait_until

GAME = "tictactoe"
unix = pytest.mark.skipif(os.name == "nt", reason="signals")


def learner(spec=GAME, rounds=0, threads=1):
    game = load(spec)
    made = Learner(game, derive_features(game), 1, threads, length=8.0)
    for _ in range(rounds):
        made.round()
    return made


def orders(made, version, whole):
    """All streams of a round for one worker, with all weights or with those that have changed."""
    far = RemoteSelfPlay("tcp://nowhere:1", made.game, made.net, made.row_words)
    far._sent[:] = made.net.weights
    far._version = version
    streams = {n: made._prepare(n).words.tobytes() for n in range(len(made.streams))}
    order = replace(far._full_order(made.net.scale, streams), run="test")
    return order if whole else replace(order, setup="", places=b"", weights=b"")


def test_a_worker_plays_what_would_have_been_played_here(monkeypatch):
    monkeypatch.setattr(remote, "_nets", type(remote._nets)())
    made = learner(rounds=3)
    assert remote._answer(orders(made, 4, whole=False), 1) == WorkerAnswer(lacks_weights=True), "it has no weights yet"
    played = remote._answer(orders(made, 4, whole=True), 2).played
    again = remote._answer(orders(made, 5, whole=False), 2).played
    assert remote._answer(orders(made, 9, whole=False), 2) == WorkerAnswer(lacks_weights=True), "it has missed rounds"
    made.round()
    for number, stream in enumerate(made.streams):
        rows = made.rows[made.half, number, : made.counts[number] * made.row_words]
        assert np.array_equal(np.frombuffer(played[number].rows, np.uint64), rows)
        assert np.array_equal(
            np.frombuffer(played[number].words, np.uint64)[FIRST_PROGRESS_WORD:], stream.words[FIRST_PROGRESS_WORD:]
        )
        assert again[number] == replace(played[number], words=again[number].words)


def test_only_changed_weights_are_taken_over(monkeypatch):
    monkeypatch.setattr(remote, "_nets", type(remote._nets)())
    made = learner(rounds=1)
    remote._answer(orders(made, 1, whole=True), 1)
    before = made.net.weights.copy()
    made.round()
    changed = np.flatnonzero(made.net.weights != before).astype(np.uint32)
    assert 0 < len(changed) < len(before)
    order: StreamJob = orders(made, 2, whole=False)
    remote._answer(replace(order, places=changed.tobytes(), weights=made.net.weights[changed].tobytes()), 1)
    assert np.array_equal(remote._nets["test"].net.weights, made.net.weights)


def test_a_setup_is_the_same_after_its_journey():
    made = learner()
    setup = TrainingSetup.of(made.game, made.net)
    assert TrainingSetup.decode(setup.encode()).features == json.loads(json.dumps(setup.features))
    assert TrainingSetup.decode(setup.encode()).encode() == setup.encode()


def test_orders_and_answers_are_checked_on_both_sides(monkeypatch):
    monkeypatch.setattr(remote, "_nets", type(remote._nets)())
    order = orders(learner(), 1, whole=True)
    assert decode(StreamJob, encode(order)) == order
    answer = remote._answer(order, 1)
    assert answer.played
    assert decode(WorkerAnswer, encode(answer)) == answer
    with pytest.raises(MessageError, match="version must be a whole number"):
        encode(replace(order, version="1"))
    with pytest.raises(MessageError, match="streams must be an object"):
        decode(StreamJob, encode(order) | {"streams": {"0": b""}})
    with pytest.raises(MessageError, match="lacks 'weights'"):
        decode(StreamJob, {name: x for name, x in encode(order).items() if name != "weights"})
    with pytest.raises(MessageError, match=r"played\[0\]"):
        decode(WorkerAnswer, {"played": {0: b"words"}})


def test_rules_that_fail_on_a_worker_are_told_in_one_line(monkeypatch, rules_file):
    monkeypatch.setattr(remote, "_nets", type(remote._nets)())
    made = learner()
    order = orders(made, 1, whole=True)
    broken = replace(order, setup=order.setup.replace('"spec": "tictactoe"', '"spec": "no such game"'))
    error = remote._answer(broken, 1).error
    assert "no such game" in error
    assert "\n" not in error


def test_no_cluster_is_told_in_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr("plyground.cluster.remote_work.TIMEOUT_SECONDS", 0.5)
    assert main(["train", GAME, "--games", "9", "--cluster", "tcp://127.0.0.1:1", "--out", str(tmp_path / "x.net")]) == 2
    err = capsys.readouterr().err
    assert err.startswith("plyground: no Dask scheduler answers at tcp://127.0.0.1:1 (")
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def dask(tmp_path):
    with Dask(tmp_path) as made:
        yield made


SPECS = (GAME, "kalah(pits=4, seeds=3)", "backgammon")


@unix
@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_the_same_net_on_a_cluster_and_on_threads(spec, dask, tmp_path):
    """With and without chance; a worker with two threads, one that comes later, and one that is killed."""
    dask.worker(threads=2)
    nets = {}
    games = {GAME: 40_000, "backgammon": 3000}.get(spec, 12_000)
    seen = []

    def on_report(report):
        seen.append(report.games)
        if len(seen) == 3:
            dask.worker()
        if len(seen) == 12:
            dask.processes[1].kill()

    for cluster in (None, dask.address):
        out = tmp_path / f"{cluster is None}.net"
        told = None if cluster is None else on_report
        nets[cluster] = Trainer(load(spec), games=games, threads=2, cluster=cluster, out=out, on_report=told).run()
    assert np.array_equal(nets[None].net.weights, nets[dask.address].net.weights)
    assert nets[None].record["matches"] == nets[dask.address].record["matches"]
    assert len(seen) > 12


@unix
@pytest.mark.long
def test_training_goes_on_here_if_the_scheduler_is_lost(dask, tmp_path):
    dask.worker()
    troubles = []

    def on_report(report):
        troubles.append(report.trouble)
        if len(troubles) == 5:
            dask.processes[0].kill()

    found = Trainer(load(GAME), games=40_000, cluster=dask.address, out=tmp_path / "x.net", on_report=on_report).run()
    assert troubles[4] == ""
    assert troubles[-1] == f"the connection to the Dask scheduler at {dask.address} is lost"
    assert np.array_equal(found.net.weights, Trainer(load(GAME), games=40_000, out=tmp_path / "y.net").run().net.weights)


@unix
@pytest.mark.long
def test_workers_that_all_go_are_replaced_by_threads_here(dask, tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "TIMEOUT_SECONDS", 1.0)
    dask.worker()
    made, whole = learner(), learner(rounds=6)
    with RemoteSelfPlay(dask.address, made.game, made.net, made.row_words) as far:
        made.elsewhere = far
        for _ in range(3):
            made.round()
        dask.processes[1].kill()
        for _ in range(3):
            made.round()
        assert far.trouble == ""
        dask.worker()
        wait_until(lambda: far._dask.threads)
        made.round()
        assert far._known
    whole.round()
    assert np.array_equal(made.weights.values, whole.weights.values)


@unix
@pytest.mark.long
def test_rules_of_ones_own_travel(dask, rules_file, tmp_path):
    dask.worker()
    text = Path(load("nim").file).read_text(encoding="utf-8")
    path = rules_file(f"{text}\nTITLE = 'My Nim'\n", "mynim.py")
    found = Trainer(load(path), games=2000, cluster=dask.address, out=tmp_path / "x.net").run()
    assert found.finished
