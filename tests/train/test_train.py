"""Training: the same seed gives the same net, targets and lessons are what they should be, and nothing is lost."""

import io
import itertools
import math
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import random_nets
from here import DATA
from plyground import PlygroundError, load
from plyground.compile.fingerprint import rules_tag
from plyground.kernels.selfplay.self_play import TrainingRow
from plyground.nets import file_format
from plyground.nets.derive import derive_features
from plyground.nets.net_evaluation import net_file
from plyground.train import trainer
from plyground.train.learner import Learner
from plyground.train.trainer import (
    Trainer,
    TrainingHistory,
    TrainingReport,
    TrainingSettings,
    file_of,
    load_training,
    save_training,
)
from plyground.train.weights import _round_half_away, link_ties

GAME = "tictactoe"


@cache
def features(spec):
    return derive_features(load(spec))


def learner(spec=GAME, seed=1, threads=1, rounds=0):
    made = Learner(load(spec), features(spec), seed, threads, length=8.0)
    for _ in range(rounds):
        made.round()
    return made


def rows_of(made, number=0):
    """The rows of a stream that are to be studied next: head and numbers of each."""
    words = made.rows[made.half, number, : made.counts[number] * made.row_words].reshape(-1, made.row_words)
    return [(TrainingRow.from_words(row), row[TrainingRow.size // 8 :].astype(np.int64)) for row in words]


# -- the same seed, the same net ------------------------------------------------------------------------------------------------


def test_the_net_depends_on_the_seed_and_not_on_the_threads():
    nets = [learner(threads=threads, rounds=4) for threads in (1, 2, 3)]
    assert nets[0].progress.games > 100
    for other in nets[1:]:
        assert np.array_equal(other.weights.values, nets[0].weights.values)
        assert np.array_equal(other.net.weights, nets[0].net.weights)
        assert other.progress.games == nets[0].progress.games
    assert not np.array_equal(learner(seed=2, rounds=4).net.weights, nets[0].net.weights)


def test_training_goes_on_as_if_it_had_never_been_interrupted(tmp_path):
    whole, begun = learner(rounds=6), learner(rounds=3)
    path = tmp_path / "x.training"
    save_training(path, begun, begun.snapshot(), TrainingSettings(GAME, "", "", 1, timed=False), TrainingHistory(seconds=2.5))
    again = learner(threads=2)
    best, story = load_training(path, again)
    assert story == TrainingHistory(seconds=2.5)
    assert np.array_equal(best.weights, begun.net.weights)
    assert np.array_equal(again.net.weights, begun.net.weights)
    for _ in range(3):
        again.round()
    assert np.array_equal(again.weights.values, whole.weights.values)
    error = pytest.approx(whole.progress.error)  # added up in another order by two threads
    assert again.progress == replace(whole.progress, error=error)


# -- what is learned ------------------------------------------------------------------------------------------------------------


def test_targets_are_the_results_if_only_they_count():
    made = learner()
    made.progress.quiet = True
    for stream in made.streams:
        stream.trace, stream.mistakes = 1.0, 0
    made.round()
    targets = [head.target for head, _ in rows_of(made)]
    assert set(targets) == {-1.0, 0.0, 1.0}
    opposite = [one == -two for one, two in itertools.pairwise(targets)]  # except from one game to the next
    assert sum(opposite) > 0.7 * len(opposite)


def test_targets_are_what_the_search_saw_if_only_that_counts():
    made = learner(rounds=20)
    for stream in made.streams:
        stream.trace = 0.0
    made.round()
    made.round()
    unit = made.weights.unit
    assert all(abs(head.target) <= 1 for head, _ in rows_of(made))
    # With a search of one ply, a target is a proven result or tanh of a whole number of the engine's units.
    found = [unit * math.atanh(head.target) for head, _ in rows_of(made) if abs(head.target) < 1]
    assert np.allclose(found, np.rint(found), atol=1e-6)


@pytest.mark.parametrize("quiet", [False, True])
def test_a_lesson_equals_plain_python_to_the_bit(quiet):
    made = learner(rounds=3)
    made.progress.quiet = quiet
    made.round()
    values, rows = made.weights.values.copy(), sum(made.counts)
    for number in range(len(made.streams)):
        for head, numbers in rows_of(made, number):
            active = numbers[: head.width]
            rows -= not head.width
            x = 0.0
            for k in active:
                x += values[k, 0]
            error = head.target - math.tanh(x)
            for k in active:
                pace = abs(values[k, 1]) / values[k, 2] if values[k, 2] > 0 else 1.0
                values[k, 0] += error / len(active) * pace
                values[k, 1] += error
                values[k, 2] += abs(error)
    before = made.progress.positions
    made.round()
    assert np.array_equal(values, made.weights.values)
    assert made.progress.positions - before == rows


def test_nothing_is_learned_where_the_best_move_is_loud():
    made = learner(rounds=3)
    for stream in made.streams:
        stream.trace, stream.mistakes = 1.0, 0
    loud = {}
    for quiet in (False, True):
        made.progress.quiet = quiet
        made.round()
        rows = [head for number in range(len(made.streams)) for head, _ in rows_of(made, number)]
        # The last position of a game that was won, and the next row is of another game: the winning move is loud.
        ends = [one for one, two in itertools.pairwise(rows) if one.target == 1.0 and two.target != -1.0]
        loud[quiet] = sum(head.width == 0 for head in ends) / len(ends), sum(head.width == 0 for head in rows) / len(rows)
    assert loud[False] == (0.0, 0.0)
    assert loud[True][0] == 1.0
    assert 0.0 < loud[True][1] < 0.5


@pytest.mark.parametrize("spec", [GAME, "connect4"])  # few weights, which are rounded off as a whole, and many
def test_the_search_reads_the_weights_round_half_away_and_tied(spec):
    made = learner(spec, rounds=5)
    weights, ties = made.weights, features(spec).ties()
    assert np.array_equal(made.net.weights, _round_half_away(weights.values[ties, 0] * weights.factor))
    assert np.count_nonzero(made.net.weights) > 1000


def test_what_is_kept_is_the_mean_over_time():
    made = learner()
    seen = []
    for _ in range(30):
        made.round()
        if made.progress.rounds % 10 == 0:
            seen.append(made.weights.values[:, 0].copy())
    mean = seen[0]
    for share, now in zip((4 / 5, 4 / 6), seen[1:], strict=True):
        mean = np.where(mean == 0.0, now, mean + (now - mean) * share)  # the mean begins where a weight was first used
    assert made.weights.averaged == 3
    assert np.allclose(made.weights.values[:, 3], mean)
    ties = features(GAME).ties()
    assert np.array_equal(made.snapshot().weights, _round_half_away(made.weights.values[ties, 3] * made.weights.factor))


def test_weights_that_are_tied_form_circles():
    ties = np.array([0, 1, 0, 1, 4, 0, 4, 7, 99])
    chain = link_ties(ties)
    for i in range(8):
        circle, at = {i}, chain[i]
        while at != i:
            circle.add(int(at))
            at = chain[at]
        assert circle == {j for j in range(8) if ties[j] == ties[i]}


def test_it_gets_better():
    made = learner(rounds=2)
    weak = made.snapshot()
    for _ in range(60):
        made.round()
    found = made.match(made.snapshot(), weak, 40, 1)
    assert found.games == 80
    assert found.share > 0.55
    assert found.lost < 20
    same = made.match(made.snapshot(), made.snapshot(), 20, 1)
    assert (same.won, same.share) == (same.lost, 0.5)


OTHERS = ["kalah", DATA / "chance" / "pig.py", DATA / "rules" / "game_in_place.py", DATA / "newcomer" / "hexapawn.py", "checkers"]
MORE = [*OTHERS, DATA / "newcomer" / "peg_solitaire.py", "backgammon", "gomoku(size=7)"]


@pytest.mark.long
@pytest.mark.parametrize("spec", MORE)
def test_every_kind_of_game_is_learned_on_any_number_of_threads(spec):
    one, two = learner(str(spec), rounds=12), learner(str(spec), threads=2, rounds=12)
    assert np.array_equal(one.weights.values, two.weights.values)
    assert np.array_equal(one.snapshot().weights, two.snapshot().weights)
    assert np.isfinite(one.weights.values).all()
    assert one.progress.games > 0
    assert one.snapshot().weights.any()
    assert one.match(one.snapshot(), one.snapshot(), 4, 1).share == 0.5


# -- the trainer ----------------------------------------------------------------------------------------------------------------


def test_a_net_is_trained_saved_and_found(tmp_path):
    reports: list[TrainingReport] = []
    found = Trainer(load(GAME), games=4000, seed=3, threads=2, on_report=reports.append).run()
    assert found.finished
    assert net_file(load(GAME)) == found.file
    assert not file_of(found.file).exists()
    read = file_format.load(found.file, load(GAME))
    assert np.array_equal(read.weights, found.net.weights)
    games, matches = read.record["games"], read.record["matches"]
    assert isinstance(games, int)
    assert games >= 4000
    assert read.record["seed"] == 3
    assert isinstance(matches, list)
    assert len(matches) >= 2
    assert [r.games for r in reports] == sorted(r.games for r in reports)
    again = Trainer(load(GAME), games=4000, seed=3, threads=1, out=tmp_path / "again.net").run()
    assert np.array_equal(again.net.weights, found.net.weights)
    assert again.record["matches"] == found.record["matches"]


def begun_training(out, seed=1):
    """Training for a game that was interrupted after two rounds."""
    begun = learner(rounds=2, seed=seed)
    settings = TrainingSettings(GAME, rules_tag(load(GAME)), features(GAME).hash, seed, timed=False)
    save_training(file_of(out), begun, begun.snapshot(), settings, TrainingHistory(seconds=1.0))
    return file_of(out)


@pytest.mark.parametrize(("ago", "least", "most"), [(60, 25, 40), (1000, 25, 25)])
def test_compiling_counts(tmp_path, monkeypatch, ago, least, most):
    """Training gets what is left of the time, and always enough to learn something; a run that goes on counts both times."""
    given = []

    def loop(made, runner):
        given.append(made.seconds)
        made._save()

    monkeypatch.setattr(Trainer, "_loop", loop)
    out = tmp_path / "x.net"
    monkeypatch.setattr(Trainer, "_end", lambda made, finished: None)
    Trainer(load(GAME), seconds=100, out=out, began=time.perf_counter() - ago / 2).run()
    Trainer(load(GAME), seconds=100, out=out, began=time.perf_counter() - ago / 2).run()
    assert least <= given[-1] <= most


def test_unfinished_training_with_other_settings_is_refused(tmp_path, rules_file):
    out = tmp_path / "x.net"
    path = begun_training(out)
    with pytest.raises(PlygroundError, match=r"this unfinished training has --seed 1, not 2; use --restart to start over"):
        Trainer(load(GAME), games=500, seed=2, out=out).run()
    with pytest.raises(PlygroundError, match=r"this unfinished training counts games"):
        Trainer(load(GAME), seconds=1, out=out).run()
    text = Path(load(GAME).file).read_text(encoding="utf-8")
    other = load(rules_file(f"{text}\ndef evaluate(s): return 7\n", "tictactoe.py"))
    for game in (other, load("nim")):
        with pytest.raises(PlygroundError, match=r"this unfinished training is for other rules; use --restart to start over"):
            Trainer(game, games=500, out=out).run()
    assert path.exists()
    assert Trainer(load(GAME), games=500, seed=2, out=out, restart=True).run().finished
    with pytest.raises(PlygroundError, match="there is no folder"):
        Trainer(load(GAME), games=500, out=tmp_path / "no" / "x.net").run()


def test_damaged_and_foreign_training_is_refused(tmp_path):
    made, path = learner(), begun_training(tmp_path / "x.net")
    data, dice = path.read_bytes(), random.Random(1)
    for _ in range(50):
        bad = bytearray(data)
        at = dice.randrange(len(data)) if dice.random() < 0.7 else dice.randrange(60)
        bad[at] ^= 1 << dice.randrange(8)
        path.write_bytes(bad if dice.random() < 0.8 else data[: dice.randrange(len(data))])
        with pytest.raises(
            PlygroundError, match=r"x\.net\.training: this (unfinished )?training|is not unfinished training"
        ) as e:
            load_training(path, made)
        assert "\n" not in str(e.value)
    for foreign in (b"", b"hello", random_bytes(5000), archive_of(np.arange(9)), (tmp_path / "x.net.training").read_bytes()[:48]):
        path.write_bytes(foreign)
        with pytest.raises(PlygroundError, match=r"damaged|is not unfinished training") as e:
            Trainer(load(GAME), games=500, out=tmp_path / "x.net").run()
        assert "\n" not in str(e.value)
    path.unlink()
    path.mkdir()
    with pytest.raises(PlygroundError, match="cannot be read"):
        load_training(path, made)


def random_bytes(count):
    return np.random.default_rng(1).bytes(count)


def archive_of(array):
    """A NumPy archive that is no training."""
    room = io.BytesIO()
    np.savez(room, array=array)
    return room.getvalue()


# -- solitaires -----------------------------------------------------------------------------------------------------------------


def test_a_solitaire_is_played_again_from_one_of_its_positions():
    game = load("2048")
    made = Learner(game, random_nets.features("2048"))
    stream, words = made.streams[0], game.layout.words
    stream.most_games = 1
    while stream.games < 1:
        made._play_rows(0, 0)
    middle = game.layout.read(stream.extra_words[words:])
    assert stream.midway
    assert middle.tiles > 0
    assert 0 <= middle.score < stream.points
    stream.most_games = 2
    made._play_rows(0, 0)
    first = TrainingRow.from_words(made.rows[1 - made.half, 0, : made.row_words])
    assert first.base == middle.score
    while stream.games < 2:
        made._play_rows(0, 0)
    stream.again = 1 << 40
    stream.most_games = 3
    while stream.games < 3:
        made._play_rows(0, 0)
    assert not stream.midway, "a short game is not played again"


# -- kill -9, and disks that are full -------------------------------------------------------------------------------------------


CHILD = """
import os, signal, sys, threading
from pathlib import Path
from plyground import load
from plyground.train import trainer
game, out, games, left = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
saved, save = [], trainer.save_training
def saving(*given):
    save(*given)
    saved.append(1)
def calling(frame, event, argument):
    global left
    left -= len(saved) > 0
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
trainer.save_training = saving
trainer.SAVE_EVERY = trainer.SAVE_LATEST = 0.0
threading.setprofile(calling)
trainer.Trainer(load(game), games=games, out=out).run()
print(left)
"""


def killed(out, games, calls):
    """Trains in another process, killed `calls` function calls after its first save; False if it ended before."""
    child = subprocess.run([sys.executable, "-c", CHILD, GAME, str(out), str(games), str(calls)], capture_output=True, text=True)
    assert "Traceback" not in child.stderr
    return child.returncode == -signal.SIGKILL


def games_in(path):
    made = learner()
    load_training(path, made)
    return made.progress.games


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize(("games", "kills"), [(40_000, 1), pytest.param(400_000, 8, marks=pytest.mark.long)])
def test_after_kill_9_it_goes_on_as_if_nothing_had_happened(games, kills, tmp_path):
    """Killed at any moment, also while it saves: what was saved is whole, and in the end the net is the same to the bit."""
    out, dice = tmp_path / "x.net", random.Random(1)
    path, saved = file_of(out), 0
    for _ in range(kills):
        assert killed(out, games, dice.randrange(1, 150_000))
        assert not out.exists()
        assert games_in(path) > saved, "something new was saved"
        saved = games_in(path)
    reports: list[TrainingReport] = []
    found = Trainer(load(GAME), games=games, out=out, on_report=reports.append).run()
    assert reports[0].games > saved
    assert not path.exists()
    whole = Trainer(load(GAME), games=games, out=tmp_path / "whole.net").run()
    assert np.array_equal(found.net.weights, whole.net.weights)
    assert found.record["matches"] == whole.record["matches"]
    assert trainer.SAVE_EVERY <= trainer.SAVE_LATEST <= 55, "nothing but the last minute is lost"


@pytest.mark.skipif(sys.platform == "win32", reason="RLIMIT_FSIZE")
def test_a_full_disk_does_not_end_training(tmp_path, monkeypatch):
    import resource

    monkeypatch.setattr(trainer, "SAVE_EVERY", 0.0)
    monkeypatch.setattr(trainer, "SAVE_LATEST", 0.0)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    told: list[str] = []

    def room(size):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))

    def on_report(report):
        told.append(report.trouble)
        room(1000 if len(told) < 4 else usual[0])

    try:
        found = Trainer(load(GAME), games=20_000, out=tmp_path / "x.net", on_report=on_report).run()
    finally:
        room(usual[0])
    assert "x.net.training: cannot be written (File too large)" in told[2]
    assert (told[0], told[-1]) == ("", "")
    whole = Trainer(load(GAME), games=20_000, out=tmp_path / "whole.net").run()
    assert np.array_equal(found.net.weights, whole.net.weights)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["whole.net", "x.net"]


def test_a_net_that_cannot_be_written_is_kept_elsewhere(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / "nets"
    folder.mkdir()
    with pytest.raises(PlygroundError, match=r"x\.net: cannot be written \(there is no folder .*\); the net is in ") as e:
        Trainer(load(GAME), games=2000, out=folder / "x.net", on_report=lambda _: shutil.rmtree(folder, True)).run()
    rescued = Path(str(e.value).rpartition("the net is in ")[2])
    games = file_format.load(rescued, load(GAME)).record["games"]
    assert isinstance(games, int)
    assert games >= 2000
