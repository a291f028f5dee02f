"""Training that was interrupted: everything that is needed to go on as if nothing had happened.

The file begins with a mark, the version of the format and a checksum of all that follows: a NumPy archive without pickles.
"""

from __future__ import annotations

import hashlib
import io
import json
import struct
import zipfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.kernels.selfplay.self_play import WHERE
from plyground.nets.features import Array
from plyground.system.files import write_file
from plyground.train.learner import Learner, Snapshot, TrainingProgress

MARK = b"PLYTRAIN"
VERSION = 3
HEAD = struct.Struct("<8sQ32s")
"""The mark, the version, the checksum."""


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
class TrainingStory:
    """What else to remember of training."""

    seconds: float = 0.0
    preparing: float = 0.0
    """Seconds of what came before training."""
    matches: list[list[float]] = field(default_factory=list)
    """The number of games before each match against the best net so far, and the share of the points."""
    points: float | None = None
    """In a solitaire: the points of the best net in a game."""


def file_of(out: Path) -> Path:
    """Return the file that holds unfinished training for a net."""
    return out.with_name(out.name + ".training")


def save(path: Path, learner: Learner, best: Snapshot, settings: TrainingSettings, story: TrainingStory) -> None:
    """Write everything to a file."""
    used = np.flatnonzero(learner.weights.values.any(axis=1))
    kept = np.flatnonzero(best.weights)
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
        streams=np.stack([stream.words[WHERE:] for stream in learner.streams]),
        counts=np.array(learner.counts),
        rows=np.concatenate(rows),
    )
    data = room.getbuffer()
    write_file(path, [HEAD.pack(MARK, VERSION, hashlib.blake2b(data, digest_size=32).digest()), data])


def settings_in(path: Path) -> TrainingSettings:
    """Return the settings of the training in a file."""
    head, _ = _read(path)
    try:
        return TrainingSettings(**head["settings"])
    except (KeyError, TypeError) as e:
        raise _damaged(path) from e


def load(path: Path, learner: Learner) -> tuple[Snapshot, TrainingStory]:
    """Go back to what is in a file; return the best net so far, and the story."""
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
            stream.words[WHERE:] = found["streams"][n]
            learner.counts[n] = int(found["counts"][n])
            size = learner.counts[n] * learner.row_words
            learner.rows[learner.half, n, :size] = found["rows"][at : at + size]
            at += size
        story = TrainingStory(**head["story"])
    except (KeyError, ValueError, TypeError, IndexError) as e:
        raise _damaged(path) from e
    learner.weights.round_all()
    return best, story


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    try:
        data = path.read_bytes()
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror or e})") from e
    if len(data) < HEAD.size or data[: len(MARK)] != MARK:
        raise PlygroundError(f"{path}: this is not unfinished training; delete the file, or train with another --out")
    _, version, digest = HEAD.unpack_from(data)
    if version != VERSION:
        raise PlygroundError(f"{path}: this training was begun by another version of Plyground; --restart begins again")
    whole = memoryview(data)[HEAD.size :]
    if hashlib.blake2b(whole, digest_size=32).digest() != digest:
        raise _damaged(path)
    try:
        with np.load(io.BytesIO(whole), allow_pickle=False) as archive:
            found = {name: archive[name] for name in archive.files}
        head = json.loads(bytes(found["head"]))
        if not isinstance(head, dict):
            raise TypeError(head)
        return head, found
    except (zipfile.BadZipFile, ValueError, KeyError, TypeError, EOFError) as e:
        raise _damaged(path) from e


def _damaged(path: Path) -> PlygroundError:
    return PlygroundError(f"{path}: this unfinished training is damaged; --restart begins again")
