"""Learning in rounds: while the rows of one round are studied, self-play with its weights makes the rows of the next.

The result of a round depends neither on the number of threads nor on which thread does what: each stream of games has its own
random numbers and a search without memory, and rows are studied in the order of streams. So the same seed gives the same net.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from plyground.compile.native import Native
from plyground.compile.net_structure import NOTHING
from plyground.errors import GameError, PlygroundError
from plyground.kernels.search import EXACT_OPTIONS, USE_EXTENSIONS, USE_LIKELY, USE_QUIET, USE_REPLIES, USE_TABLE
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.selfplay import self_play, weight_update
from plyground.kernels.selfplay.self_play import FIRST_PROGRESS_WORD, ROW_HEADER_BYTES, GameStream
from plyground.kernels.selfplay.weight_update import BOUNDED, LINEAR, LOGIT, UpdateMemory
from plyground.nets.features import Array, Features
from plyground.nets.net import LoadedNet, Net
from plyground.rules.game import Game
from plyground.system.runner import ThreadPool
from plyground.train.weights import Weights

STREAMS = 16
ROWS = 512
"""Rows of a stream after which it waits for the next round, at the end of a game; at the latest after twice as many."""
LAMBDA, HIDDEN_LAMBDA = 0.7, 0.5
"""The lambda of TD(lambda); smaller with hidden units, because luck disturbs them more."""
RANDOM_MOVE_INTERVAL = 20
"""One move in this many is random."""
MAX_GAME_PLIES = 600
"""Plies after which a game of two sides is broken off."""
OPENING = 10
"""The largest number of random moves at the beginning of a game; if games are short, fewer."""
RESTART_MIN_PLIES = 32
"""In a solitaire with chance, a game of at least AGAIN plies is played once more from one of its positions: so the hard part, the
end of a good game, is studied more often (Matsuzaki 2017)."""
AVERAGE_EVERY, AVERAGED = 10, 100_000
"""Rounds after which the weights are added to their mean: AVERAGE_EVERY, or one for each AVERAGED weights if that is more."""
SLICE = 1 << 16
"""Weights that a thread takes at once."""
NO_LIMIT = 1 << 60
TECHNIQUES = EXACT_OPTIONS & ~USE_TABLE | USE_QUIET | USE_EXTENSIONS | USE_REPLIES | USE_LIKELY
"""No table: its entries would be stale when weights change."""
POSITIONS = 40_000_000
"""Positions of the games in which uses of weights are counted."""

Job = Callable[[int], None]
"""Called with the number of the thread."""


class Snapshot(NamedTuple):
    """The weights of a net at some time."""

    weights: Array
    scale: float


class TrialMatch(NamedTuple):
    """The result of a short match between two nets."""

    games: int
    won: int
    lost: int
    points: float
    other_points: float

    @property
    def share(self) -> float:
        """The share of the points to win, from 0 to 1; in a solitaire, of all points."""
        if self.other_points:
            return self.points / (self.points + self.other_points)
        return 0.5 + (self.won - self.lost) / (2 * max(1, self.games))

    @property
    def mean(self) -> float:
        """The points of a game, in a solitaire: each net plays every second game."""
        return 2 * self.points / max(1, self.games)


@dataclass
class TrainingProgress:
    """The progress of training so far."""

    games: int = 0
    positions: int = 0
    rounds: int = 0
    error: float = 0.0
    """The root of the mean squared error of the last rounds: from -1 to 1, or in points."""
    depth: int = 1
    """The depth of the search, in plies."""
    quiet: bool = False
    """Whether the search plays loud moves out at its horizon."""


@dataclass(frozen=True)
class PlayedStream:
    """A stream that was played elsewhere: its words, and its rows."""

    words: bytes
    rows: bytes


class StreamPlayers(Protocol):
    """Plays streams in place of the local threads, such as `remote.RemoteSelfPlay`."""

    trouble: str
    """Why they can't be used any more; empty if they can."""

    def submit(self, streams: Sequence[GameStream], net: Net, scale: float) -> None:
        """Hand over the streams of a round."""

    def collect(self, take: Callable[[int, PlayedStream], None]) -> None:
        """Wait for the streams of a round, and pass each to `take`."""


class SelfPlay:
    """The search of each thread, and the kernel that plays a stream with it."""

    def __init__(self, game: Game, features: Features, threads: int) -> None:
        self.game = game
        self._pool = ThreadPool(threads)
        self._never = np.zeros(8, np.int64)
        self._searchers = [self._searcher() for _ in range(threads)]
        self._play = Native(game, net=features.structure).bind(self_play.play_games, self_play.SIGNATURE, "self-play")

    def _searcher(self) -> SearchMemory:
        memory = SearchMemory(self.game.layout.words)
        memory.begin(NO_LIMIT, 0)
        memory.stop, memory.options = self._never.ctypes.data, TECHNIQUES
        return memory

    def play(self, stream: GameStream, thread: int) -> None:
        """Play a stream until it has enough rows; searches of different streams share nothing."""
        searcher = self._searchers[thread]
        searcher.forget()
        if self._play(searcher.address, stream.address) < 0:
            what = f"a result of {searcher.beyond} is beyond its MARGIN" if searcher.beyond else "a search was stopped"
            raise GameError(f"{self.game.where}: {what}")

    def run(self, jobs: Iterable[Job]) -> None:
        """Do all jobs, each on the next free thread."""
        self._pool.run(jobs)


class Learner:
    """A net that plays itself and learns from it."""

    def __init__(self, game: Game, features: Features, seed: int = 1, threads: int = 1, length: float = 60.0) -> None:
        """Begin with an empty net; `length` is the approximate number of plies of a random game."""
        self.game, self.features, self.seed, self.threads = game, features, seed, threads
        self.chance, self.solitaire = "chance" in game.has, len(game.sides) == 1
        curved = self.chance and not self.solitaire and bool(game.margin) and features.base == NOTHING
        self.weights = Weights(features, self.chance, curved, game.margin, threads, seed)
        self.net = self.weights.net
        self.rivals = [LoadedNet(Net.zero(features, 0.0, curved), threads) for _ in range(2)]
        self.progress = TrainingProgress()
        self.step_size = 0.0
        """The step size of all weights; 0: each has its own."""
        self.elsewhere: StreamPlayers | None = None
        """What plays instead of the threads here, if anything does."""
        self._opening = 0 if self.solitaire else max(1, min(OPENING, int(length / 4)))
        self._start = game.layout.row(game.start())
        self.row_words = ROW_HEADER_BYTES // 8 + self.weights.width
        self.rows = np.zeros((2, STREAMS, 2 * ROWS * self.row_words), np.uint64)
        self.counts = [0] * STREAMS
        self.half = 0
        """Which half of the rows is to be studied."""
        self.playing = SelfPlay(game, features, threads)
        self.streams = [self._stream(n) for n in range(STREAMS)]
        self._bind()

    def _bind(self) -> None:
        native = Native(self.game, net=self.features.structure)
        study = weight_update.update_hidden_weights if self.features.hidden else weight_update.update_weights
        self._study = native.bind(study, weight_update.SIGNATURE, "training", rules=False)
        self._average = native.bind(weight_update.update_means, weight_update.UPDATE_MEANS, "training", rules=False)
        self._round_rows = native.bind(weight_update.round_rows, weight_update.ROUND_ROWS, "training", rules=False)
        self._round_slice = native.bind(weight_update.round_slice, weight_update.ROUND_SLICE, "training", rules=False)

    def _stream(self, number: int) -> GameStream:
        stream = GameStream(2 * self.game.layout.words)
        stream.start, stream.random = self._start.ctypes.data, random.Random(f"{self.seed} {number}").getrandbits(63) | 1
        stream.ties = 0 if self.features.hidden else self.weights.ties.ctypes.data
        stream.most_games, stream.longest = NO_LIMIT, NO_LIMIT if self.solitaire else MAX_GAME_PLIES
        stream.opening, stream.mistakes = self._opening, 0 if self.solitaire else RANDOM_MOVE_INTERVAL
        stream.trace = HIDDEN_LAMBDA if self.features.hidden else LAMBDA
        stream.scale, stream.set_size = self.weights.unit, self.features.size
        stream.solitaire, stream.depth = self.solitaire, 1
        stream.again = RESTART_MIN_PLIES if self.solitaire and self.chance else 0
        return stream

    # -- rounds --------------------------------------------------------------------------------------------------------------

    def round(self) -> None:
        """Study the rows of the last round and play those of the next."""
        others = None if self.elsewhere is None or self.elsewhere.trouble else self.elsewhere
        updates = [self._update() for _ in range(self._shares(others is not None))]
        studying = [functools.partial(self._study_all, updates, share) for share in range(len(updates))]
        playing = [functools.partial(self._play_rows, n) for n in range(STREAMS)]
        if others is None:
            self.playing.run([*studying, *playing])
        else:
            self._play_remotely(others, studying, playing)
        self._refresh()
        self.half = 1 - self.half
        self.counts = [int(stream.count) for stream in self.streams]
        self._add_progress(updates)
        if self.progress.rounds % max(AVERAGE_EVERY, self.features.weights // AVERAGED) == 0:
            self.update_means()

    def _shares(self, undisturbed: bool) -> int:
        """Return how many threads study at once: half of them if the others play, because each looks at all rows."""
        if self.features.hidden:
            return 1
        return min(self.threads if undisturbed else (self.threads + 1) // 2, self.features.sets)

    def _play_remotely(self, others: StreamPlayers, studying: Sequence[Job], playing: Sequence[Job]) -> None:
        """Study here while others play; play the streams here that nobody has played in the end."""
        for number in range(STREAMS):
            self._prepare(number)
        others.submit(self.streams, self.net, self.net.scale)
        self.playing.run(studying)
        left = set(range(STREAMS))

        def take(number: int, played: PlayedStream) -> None:
            rows = np.frombuffer(played.rows, np.uint64)
            self.rows[1 - self.half, number, : len(rows)] = rows
            self.streams[number].words[FIRST_PROGRESS_WORD:] = np.frombuffer(played.words, self.streams[number].words.dtype)[
                FIRST_PROGRESS_WORD:
            ]
            left.discard(number)

        others.collect(take)
        self.playing.run([playing[number] for number in sorted(left)])

    def set_depth(self, depth: int) -> None:
        """Search this many plies deep from now on; if that is deeper, targets change, so step sizes grow again."""
        if depth > self.progress.depth:
            self.progress.depth = depth
            self.weights.reset_step_sizes()

    def _add_progress(self, updates: Sequence[UpdateMemory]) -> None:
        done, count = self.progress, sum(x.count for x in updates)
        done.rounds += 1
        done.positions += count
        done.games = sum(stream.games for stream in self.streams)
        if count:
            error = (sum(x.error for x in updates) / count) ** 0.5
            done.error = 0.98 * done.error + 0.02 * error if done.error else error

    def _update(self) -> UpdateMemory:
        at = UpdateMemory(self.features.hidden)
        self.weights.point(at)
        at.curve = BOUNDED if self.net.curved else LINEAR if self.chance or self.game.margin else LOGIT
        at.bound, at.step_size = float(self.game.margin or 1), self.step_size
        return at

    def _study_all(self, updates: Sequence[UpdateMemory], share: int, thread: int) -> None:
        for row, count in zip(self.rows[self.half], self.counts, strict=True):
            self._study(updates[share].address, row.ctypes.data, count, share, len(updates))

    def _prepare(self, number: int) -> GameStream:
        """Return a stream that is ready for the next round, except for the net."""
        rows, stream = self.rows[1 - self.half][number], self.streams[number]
        stream.rows, stream.room, stream.wanted, stream.count = rows.ctypes.data, 2 * ROWS, ROWS, 0
        stream.depth, stream.quiet = self.progress.depth, self.progress.quiet
        return stream

    def _play_rows(self, number: int, thread: int) -> None:
        stream = self._prepare(number)
        stream.net = stream.rival = self.weights.memory.blocks[thread].address
        self.playing.play(stream, thread)

    def _refresh(self) -> None:
        """Copy the changed weights to the search."""
        if self.features.hidden:
            self.weights.round_all()
            return
        large: list[int] = []
        at = self._update()

        def rows(n: int, thread: int) -> None:
            large.append(self._round_rows(at.address, self.rows[self.half][n].ctypes.data, self.counts[n]))

        if self.features.weights < sum(self.counts) * self.weights.width:
            self._in_slices(lambda first, count: large.append(self._round_slice(at.address, first, count)))
        else:
            self.playing.run([functools.partial(rows, n) for n in range(STREAMS)])
        if self.chance and any(large):
            self.weights.round_all()
        self.weights.memory.refresh()

    def update_means(self) -> None:
        """Add the weights to their mean over time."""
        at, share = self._update(), self.weights.next_share()
        self._in_slices(lambda first, count: self._average(at.address, first, count, share))

    def _in_slices(self, job: Callable[[int, int], object]) -> None:
        """Do a job for all weights: call it with the first number and the count of each slice."""
        size = self.features.weights

        def one(first: int, thread: int) -> None:
            job(first, min(SLICE, size - first))

        self.playing.run([functools.partial(one, first) for first in range(0, size, SLICE)])

    # -- matches ---------------------------------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the weights learned so far."""
        return Snapshot(self.weights.mean(), self.net.scale)

    def match(self, one: Snapshot, other: Snapshot, pairs: int, depth: int) -> TrialMatch:
        """Play a short match between two nets, with the same openings for both."""
        for snapshot, loaded in zip((one, other), self.rivals, strict=True):
            loaded.net.weights[:] = snapshot.weights
            loaded.rescale(snapshot.scale)
        streams = [self._stream(-1 - n) for n in range(min(pairs, STREAMS))]
        for n, stream in enumerate(streams):
            stream.most_games = 2 * (pairs * (n + 1) // len(streams) - pairs * n // len(streams))
            stream.paired, stream.fixed, stream.mistakes, stream.depth, stream.quiet = 1, 1, 0, depth, self.progress.quiet
            stream.wanted, stream.again = NO_LIMIT, 0

        def job(stream: GameStream, thread: int) -> None:
            stream.net, stream.rival = (loaded.blocks[thread].address for loaded in self.rivals)
            self.playing.play(stream, thread)

        self.playing.run([functools.partial(job, stream) for stream in streams])
        return TrialMatch(*(sum(getattr(stream, name) for stream in streams) for name in TrialMatch._fields))

    # -- without learning --------------------------------------------------------------------------------------------------------

    def load_weights(self, net: Net) -> None:
        """Use the weights of this net from now on."""
        self.net.weights[:], self.net.scale = net.weights, net.scale
        self.weights.memory.rescale(net.scale)

    def sample_active_weights(self) -> Iterator[Array]:
        """Play a round; yield, for each stream, rows with the numbers of the weights that were active in a position."""
        self.playing.run([functools.partial(self._play_rows, n) for n in range(STREAMS)])
        for rows, stream in zip(self.rows[1 - self.half], self.streams, strict=True):
            yield rows[: int(stream.count) * self.row_words].reshape(-1, self.row_words)[:, ROW_HEADER_BYTES // 8 :]


# -- weights that matter --------------------------------------------------------------------------------------------------------


def main_weights(
    game: Game,
    net: Net,
    most: int,
    positions: int = POSITIONS,
    threads: int = 1,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Array:
    """Return the weights of a net, but 0 for all except the `most` that matter most in its own games; tied ones all or none.

    Leaving out a weight changes the estimate of each position in which it is active. So a weight matters by how often that is,
    times its square. `on_progress` gets the number of positions of each round.
    """
    if net.features.hidden:
        raise PlygroundError(f"the net of {game.name} has hidden units: all of its weights are needed")
    matter = count_uses(game, net, positions, threads, on_progress) * np.square(net.weights, dtype=np.float64)
    least = 0.0 if most >= len(matter) else -np.partition(-matter, most)[most]
    return np.where(matter > least, net.weights, np.int16(0))


def count_uses(
    game: Game, net: Net, positions: int, threads: int = 1, on_progress: Callable[[int], None] = lambda _: None
) -> Array:
    """Count how often each weight is active in games that the net plays itself; the same on any number of threads."""
    learner = Learner(game, net.features, threads=threads)
    learner.load_weights(net)
    counts: Array = np.zeros(net.features.weights, np.uint64)
    seen = 0
    while seen < positions:
        before = seen
        for rows in learner.sample_active_weights():
            np.add.at(counts, rows.ravel().astype(np.int64), np.uint64(1))
            seen += len(rows)
        on_progress(seen - before)
    tied: Array = counts[net.features.ties()]
    return tied
