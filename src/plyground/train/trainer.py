"""Training a net for a game, for some time or for some games; what was learned is kept even if it is interrupted.

Most of the time the net plays itself with a search of one ply, which gives the most positions. Then the search looks further, so
that targets become better. Now and then the net plays a short match against the best one so far: only the best is kept.

Unfinished training is saved in a file beside the net, from which it resumes exactly where it was. The file begins with a
mark, the version of the format and a checksum of all that follows: a NumPy archive without pickles.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import struct
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import plyground
from plyground.compile.fingerprint import rules_tag
from plyground.compile.net_structure import EVALUATION
from plyground.errors import PlygroundError
from plyground.kernels.selfplay.self_play import FIRST_PROGRESS_WORD
from plyground.nets import file_format
from plyground.nets.derive import derive_features
from plyground.nets.features import Array
from plyground.nets.net import Net
from plyground.nets.net_evaluation import own_file
from plyground.nets.observe import random_states
from plyground.rules.game import Game
from plyground.system.files import lock_file, make_folder, write_file
from plyground.system.runner import Runner
from plyground.train.learner import Learner, Snapshot, TrainingProgress, TrialMatch
from plyground.train.remote import RemoteSelfPlay

SAVE_EVERY, SAVE_LATEST, SAVE_SHARE = 30.0, 50.0, 0.03
"""Seconds between two saves: SAVE_EVERY, or up to SAVE_LATEST if saving took more than SAVE_SHARE of the time."""
MATCHES, PAIRS = 10, 50
"""Matches in a whole training, and pairs of games in a match."""
MIN_MATCH_SHARE = 0.47
"""A net that gets a smaller share in a match is not better than the best so far."""
QUIESCENCE_START = 0.1
"""The share of training before the search plays loud moves out: with random weights, that would take very long."""
DEEP_TIME, DEEP_GAMES = 0.3, 0.8
"""When the search begins to look further: after this share of the time, or of the games."""
DEEP = 3
"""The depth of that search, in plies."""
MIN_TRAINING_SHARE = 0.25
"""The smallest share of the time for training, however long compiling took: the net may replace one that has learned more."""
STEP_SIZE, LAST_STEP_SIZE = 0.1, 0.01
"""With hidden units: the step size of all weights, at first and in the end; individual step sizes would vanish too soon."""
MARK, VERSION = b"PLYTRAIN", 3
HEAD = struct.Struct("<8sQ32s")
"""The mark, the version, the checksum."""


@dataclass(frozen=True)
class TrainingReport:
    """The state of training."""

    games: int
    positions: int
    seconds: float
    error: float
    done: float
    """The share that is done, from 0 to 1."""
    match: TrialMatch | None
    """The last match against the best net before."""
    trouble: str = ""
    """Why training could not be saved the last time, or why the cluster can't be used any more."""


class TrainingResult(NamedTuple):
    """The result of training."""

    net: Net
    record: dict[str, object]
    file: Path
    finished: bool
    unsaved: str = ""
    """Why unfinished training could not be saved; empty if it was."""


class Trainer:
    """Trains one net."""

    def __init__(
        self,
        game: Game,
        *,
        games: int | None = None,
        seconds: float | None = None,
        threads: int = 1,
        seed: int = 1,
        out: Path | None = None,
        restart: bool = False,
        cluster: str | None = None,
        on_report: Callable[[TrainingReport], None] | None = None,
        on_resume: Callable[[int], None] | None = None,
        on_begin: Callable[[Net], None] | None = None,
        began: float | None = None,
    ) -> None:
        """Prepare to train for `games` or for `seconds`.

        `restart` drops unfinished training instead of resuming it; `cluster` is the address of a Dask scheduler, whose
        workers play instead of the threads here. `on_resume` gets the number of games played before.

        The seconds include everything since `began` (by default now; on the clock of `time.perf_counter`): compiling, and
        `on_begin`, which is called with the net before it is trained. Training gets the rest, at least LEAST of them.
        """
        if len(game.sides) > 2:
            raise PlygroundError(f"{game.name} has {len(game.sides)} sides; nets are for games with one or two")
        self.game, self.games, self.seconds, self.threads, self.seed = game, games, seconds, threads, seed
        self.out = out or own_file(game)
        if self.out.is_dir():
            raise PlygroundError(f"{self.out}: this is a folder; give the name of a file in it")
        self.unfinished = file_of(self.out)
        self._restart, self._on_report, self._cluster = restart, on_report, cluster
        self._on_resume, self._on_begin = on_resume, on_begin
        self._began = time.perf_counter() if began is None else began
        self._story, self._unsaved = TrainingHistory(), ""
        self._last: TrialMatch | None = None

    def run(self) -> TrainingResult:
        """Train until the end or until Ctrl-C, save the best net, and return it."""
        if self.out == own_file(self.game):
            make_folder(self.out.parent)
        elif not self.out.parent.is_dir():
            raise PlygroundError(f"{self.out}: cannot be written (there is no folder {self.out.parent})")
        with lock_file(self.out.with_name(f".{self.out.name}.lock"), f"{self.out}: another process is training this net"):
            self._begin()
            with contextlib.ExitStack() as stack:
                if self._cluster is not None:
                    workers = RemoteSelfPlay(self._cluster, self.game, self.learner.net, self.learner.row_words)
                    self.learner.elsewhere = stack.enter_context(workers)
                finished = self._run()
            return self._end(finished)

    def _run(self) -> bool:
        """Train; return False after Ctrl-C."""
        self._story.preparing += time.perf_counter() - self._began
        if self.seconds is not None:
            self.seconds = max(MIN_TRAINING_SHARE * self.seconds, self.seconds - self._story.preparing)
        runner = Runner(float("inf") if self.seconds is None else max(0.0, self.seconds - self._story.seconds))
        try:
            runner.run(lambda _: self._loop(runner))
        except KeyboardInterrupt:
            return False
        return True

    def _begin(self) -> None:
        """Prepare everything; resume unfinished training if there is some."""
        features = derive_features(self.game)
        self._settings = TrainingSettings(self.game.name, rules_tag(self.game), features.hash, self.seed, self.games is None)
        going_on = not self._restart and self.unfinished.exists()
        if going_on and (found := settings_in(self.unfinished)) != self._settings:
            raise PlygroundError(f"{self.unfinished}: {found.difference(self._settings)}; use --restart to start over")
        ends = [p.ply for p in random_states(self.game, 600) if p.over]
        length = sum(ends) / len(ends) if ends else 300.0
        self.learner = Learner(self.game, features, self.seed, self.threads, length)
        self.best = self.learner.snapshot()
        if going_on:
            self.best, self._story = load_training(self.unfinished, self.learner)
            if self._on_resume is not None:
                self._on_resume(self.learner.progress.games)
        if self._on_begin is not None:
            self._on_begin(self._best_net())

    def _best_net(self) -> Net:
        return Net(self.learner.features, self.best.weights, self.best.scale, self.learner.net.curved)

    # -- the loop ------------------------------------------------------------------------------------------------------------

    def _loop(self, runner: Runner) -> None:
        before, saved, pause = self._story.seconds, time.monotonic(), SAVE_EVERY
        while not runner.stopped and self._done() < 1:
            self._plan()
            self.learner.round()
            self._story.seconds = before + runner.seconds
            if int(self._done() * MATCHES) > len(self._story.matches) and self._done() < 1:
                self._compare()
            if (since := time.monotonic()) - saved >= pause:
                self._save()
                saved = time.monotonic()
                pause = max(SAVE_EVERY, min(SAVE_LATEST, (saved - since) / SAVE_SHARE))
            self._report()
        self._compare()
        self._save()

    def _done(self) -> float:
        """Return the share that is done."""
        if self.games is not None:
            return self.learner.progress.games / self.games
        return self._story.seconds / self.seconds if self.seconds else 0.0

    def _plan(self) -> None:
        """Look further towards the end; not in games of chance, where that takes too long."""
        features = self.learner.features
        self.learner.progress.quiet = self._done() >= QUIESCENCE_START or features.base == EVALUATION
        if features.hidden:
            self.learner.step_size = STEP_SIZE + (LAST_STEP_SIZE - STEP_SIZE) * self._done()
        if not self.learner.chance and self._done() >= (DEEP_TIME if self.games is None else DEEP_GAMES):
            self.learner.set_depth(DEEP)

    def _compare(self) -> None:
        """Play a short match against the best net so far, which is replaced unless it is better."""
        now = self.learner.snapshot()
        self._last = self.learner.match(now, self.best, PAIRS, 1 if self.learner.chance else 2)
        share = self._last.share
        if share >= MIN_MATCH_SHARE:
            self.best = now
            self._story.points = self._last.mean if self.learner.solitaire else None
        self._story.matches.append([self.learner.progress.games, round(share, 4)])

    def _save(self) -> None:
        """Save everything; on failure, such as a full disk, continue and retry later."""
        try:
            save_training(self.unfinished, self.learner, self.best, self._settings, self._story)
            self._unsaved = ""
        except PlygroundError as e:
            self._unsaved = str(e)

    def _report(self) -> None:
        if self._on_report is not None:
            p = self.learner.progress
            elsewhere = "" if self.learner.elsewhere is None else self.learner.elsewhere.trouble
            trouble = "; ".join(filter(None, (self._unsaved, elsewhere)))
            done = min(1.0, self._done())
            self._on_report(TrainingReport(p.games, p.positions, self._story.seconds, p.error, done, self._last, trouble))

    def _end(self, finished: bool) -> TrainingResult:
        """Save the best net with its record."""
        net = self._best_net()
        net.record = self._record(finished)
        try:
            file_format.save(self.out, self.game, net)
        except PlygroundError as e:
            raise self._save_elsewhere(net, e) from e
        if finished:
            self.unfinished.unlink(missing_ok=True)
        return TrainingResult(net, net.record, self.out, finished, self._unsaved)

    def _save_elsewhere(self, net: Net, e: PlygroundError) -> PlygroundError:
        """Save a net elsewhere if it can't be written where it should be."""
        try:
            other = Path(tempfile.mkdtemp(prefix="plyground-")) / self.out.name
            file_format.save(other, self.game, net)
        except (OSError, PlygroundError):
            return e
        return PlygroundError(f"{e}; the net is in {other}")

    def _record(self, finished: bool) -> dict[str, object]:
        p = self.learner.progress
        return {
            "seed": self.seed,
            "games": p.games,
            "positions": p.positions,
            "seconds": round(self._story.seconds, 1),
            "error": round(p.error, 4),
            "matches": self._story.matches,
            **({} if self._story.points is None else {"points": round(self._story.points, 2)}),
            "finished": finished,
            "version": plyground.__version__,
        }


# -- unfinished training -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingSettings:
    """What must be the same when training goes on."""

    game: str
    rules: str
    """A hash of the rules."""
    features: str
    """The hash of the features."""
    seed: int
    timed: bool
    """Whether training lasts for some time and not for some games."""

    def difference(self, asked: TrainingSettings) -> str:
        """Return how unfinished training with these settings differs from what is asked for."""
        if self.seed != asked.seed:
            return f"this unfinished training has --seed {self.seed}, not {asked.seed}"
        if self.timed != asked.timed:
            return f"this unfinished training counts {'minutes' if self.timed else 'games'}"
        return "this unfinished training is for other rules"


@dataclass
class TrainingHistory:
    """What happened in training so far."""

    seconds: float = 0.0
    preparing: float = 0.0
    """Seconds of preparation, before training."""
    matches: list[list[float]] = field(default_factory=list)
    """The number of games before each match against the best net so far, and the share of the points."""
    points: float | None = None
    """In a solitaire: the points of the best net in a game."""


def file_of(out: Path) -> Path:
    """Return the file that holds unfinished training for a net."""
    return out.with_name(out.name + ".training")


def save_training(path: Path, learner: Learner, best: Snapshot, settings: TrainingSettings, story: TrainingHistory) -> None:
    """Write everything to a file."""
    used, kept = np.flatnonzero(learner.weights.values.any(axis=1)), np.flatnonzero(best.weights)
    head = {
        "settings": asdict(settings),
        "story": asdict(story),
        "progress": asdict(learner.progress),
        "scales": [learner.net.scale, best.scale],
        "averaged": learner.weights.averaged,
    }
    rows = [learner.rows[learner.half, n, : count * learner.row_words] for n, count in enumerate(learner.counts)]
    room = io.BytesIO()
    np.savez(
        room,
        head=np.frombuffer(json.dumps(head).encode(), np.uint8),
        used=used,
        weights=learner.weights.values[used],
        best=kept,
        best_weights=best.weights[kept],
        streams=np.stack([stream.words[FIRST_PROGRESS_WORD:] for stream in learner.streams]),
        counts=np.array(learner.counts),
        rows=np.concatenate(rows),
    )
    data = room.getbuffer()
    write_file(path, [HEAD.pack(MARK, VERSION, hashlib.blake2b(data, digest_size=32).digest()), data])


def settings_in(path: Path) -> TrainingSettings:
    """Return the settings of the training in a file."""
    try:
        return TrainingSettings(**_read(path)[0]["settings"])
    except (KeyError, TypeError) as e:
        raise _damaged(path) from e


def load_training(path: Path, learner: Learner) -> tuple[Snapshot, TrainingHistory]:
    """Restore the training in a file; return the best net so far, and the story."""
    head, found = _read(path)
    try:
        learner.progress = TrainingProgress(**head["progress"])
        learner.net.scale, scale = head["scales"]
        learner.weights.averaged = int(head["averaged"])
        learner.weights.values[found["used"]] = found["weights"]
        best = Snapshot(np.zeros(learner.features.weights, np.int16), scale)
        best.weights[found["best"]] = found["best_weights"]
        at = 0
        for n, stream in enumerate(learner.streams):
            stream.words[FIRST_PROGRESS_WORD:] = found["streams"][n]
            learner.counts[n] = int(found["counts"][n])
            size = learner.counts[n] * learner.row_words
            learner.rows[learner.half, n, :size] = found["rows"][at : at + size]
            at += size
        story = TrainingHistory(**head["story"])
    except (KeyError, ValueError, TypeError, IndexError) as e:
        raise _damaged(path) from e
    learner.weights.round_all()
    return best, story


def _read(path: Path) -> tuple[Any, dict[str, Array]]:
    try:
        data = path.read_bytes()
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror or e})") from e
    if len(data) < HEAD.size or data[: len(MARK)] != MARK:
        raise PlygroundError(f"{path}: this is not unfinished training; delete the file, or train with another --out")
    _, version, digest = HEAD.unpack_from(data)
    if version != VERSION:
        raise PlygroundError(f"{path}: this training was started by another version of Plyground; use --restart to start over")
    whole = memoryview(data)[HEAD.size :]
    if hashlib.blake2b(whole, digest_size=32).digest() != digest:
        raise _damaged(path)
    try:
        with np.load(io.BytesIO(whole), allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        return json.loads(bytes(found["head"])), found
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError) as e:
        raise _damaged(path) from e


def _damaged(path: Path) -> PlygroundError:
    return PlygroundError(f"{path}: this unfinished training is damaged; use --restart to start over")
