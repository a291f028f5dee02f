"""Learning in rounds: some positions of self-play at the weights of the round before, while those of that round are studied.

What a round does never depends on the number of threads, nor on which thread does what: each stream of games has its own random
numbers and meets a search without memory, and rows are studied in the order of streams. So the same seed gives the same net.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plyground.compile.structure import NOTHING
from plyground.learn.features import Features
from plyground.learn.net import Net, NetInMemory
from plyground.learn.playing import FOREVER, Job, Playing
from plyground.learn.weights import Weights
from plyground.rules.game import Game
from plyground.search import lesson
from plyground.search.lesson import BOUNDED, LINEAR, LOGIT, Lesson
from plyground.search.selfplay import HEAD, WHERE, Stream

if TYPE_CHECKING:
    from plyground.learn.far import Far, Played

STREAMS = 16
ROWS = 512
"""Rows of a stream after which it waits for the next round, at the end of a game; at the latest after twice as many."""
TRACE, HIDDEN_TRACE = 0.7, 0.5
"""How much of what came of a position counts, from one ply to the next; smaller with hidden units, which luck disturbs more."""
MISTAKES = 20
LONGEST = 600
"""Plies of a game of two sides."""
OPENING = 10
"""Random moves at the beginning of a game, at most; shorter games have fewer."""
AGAIN = 32
"""In a solitaire with chance, a game of at least so many plies is played once more from one of its positions: so what is hard,
the end of a good game, is studied more often (Matsuzaki 2017)."""
AVERAGE_EVERY, AVERAGED = 10, 100_000
"""Rounds after which the weights are added to their mean; more if there are more than so many weights for each round."""
SLICE = 1 << 16
"""Weights that a thread takes at once."""


Array = np.ndarray[Any, Any]


class Kept(NamedTuple):
    """The weights of a net at some time."""

    weights: Array
    scale: float


class Tally(NamedTuple):
    """The result of a short match."""

    games: int
    won: int
    lost: int
    points: float
    other_points: float

    @property
    def share(self) -> float:
        """Of the points to win, from 0 to 1; in a solitaire, of all points."""
        if self.other_points:
            return self.points / (self.points + self.other_points)
        return 0.5 + (self.won - self.lost) / (2 * max(1, self.games))

    @property
    def mean(self) -> float:
        """The points of a game, in a solitaire: each net plays every second game."""
        return 2 * self.points / max(1, self.games)


@dataclass
class Progress:
    """What was done so far."""

    games: int = 0
    positions: int = 0
    rounds: int = 0
    error: float = 0.0
    """The root of the mean squared error of the last rounds: from -1 to 1, or in points."""
    depth: int = 1
    """How far the search looks, in plies."""
    quiet: bool = False
    """Does it play loud moves out at its horizon?"""


class Learner:
    """A net that plays itself and learns from it."""

    def __init__(self, game: Game, features: Features, seed: int = 1, threads: int = 1, length: float = 60.0) -> None:
        """`length`: the plies of a random game, roughly."""
        self.game, self.features, self.seed, self.threads = game, features, seed, threads
        self.chance, self.alone = "chance" in game.has, len(game.sides) == 1
        curved = self.chance and not self.alone and bool(game.margin) and features.base == NOTHING
        self.weights = Weights(features, self.chance, curved, game.margin, threads, seed)
        self.net = self.weights.net
        self.rivals = [NetInMemory(Net.blank(features, 0.0, curved), threads) for _ in range(2)]
        self.progress = Progress()
        self.pace = 0.0
        """The pace of all weights; 0: to each its own."""
        self.far: Far | None = None
        """Who plays instead of the threads here."""
        self._opening = 0 if self.alone else max(1, min(OPENING, int(length / 4)))
        self._start = game.layout.row(game.start())
        self.row_words = HEAD // 8 + self.weights.width
        self.rows = np.zeros((2, STREAMS, 2 * ROWS * self.row_words), np.uint64)
        self.counts = [0] * STREAMS
        self.half = 0
        """Which half of the rows is to be studied."""
        self.playing = Playing(game, features, threads)
        self.streams = [self._stream(n) for n in range(STREAMS)]
        self._bind()

    def _bind(self) -> None:
        from plyground.compile.native import Native

        native = Native(self.game, net=self.features.structure)
        study = lesson.study_hidden if self.features.hidden else lesson.study
        self._study = native.bind(study, lesson.SIGNATURE, rules=False)
        self._average = native.bind(lesson.average, lesson.AVERAGE, rules=False)
        self._round_off = native.bind(lesson.round_off, lesson.ROUND, rules=False)
        self._round_slice = native.bind(lesson.round_slice, lesson.ROUND_SLICE, rules=False)

    def _stream(self, number: int) -> Stream:
        stream = Stream(2 * self.game.layout.words)
        stream.start, stream.random = self._start.ctypes.data, random.Random(f"{self.seed} {number}").getrandbits(63) | 1
        stream.ties = 0 if self.features.hidden else self.weights.ties.ctypes.data
        stream.most_games, stream.longest = FOREVER, FOREVER if self.alone else LONGEST
        stream.opening, stream.mistakes = self._opening, 0 if self.alone else MISTAKES
        stream.trace = HIDDEN_TRACE if self.features.hidden else TRACE
        stream.scale, stream.set_size = self.weights.unit, self.features.size
        stream.alone, stream.depth = self.alone, 1
        stream.again = AGAIN if self.alone and self.chance else 0
        return stream

    # -- rounds --------------------------------------------------------------------------------------------------------------

    def round(self) -> None:
        """Studies the rows of the last round and plays those of the next."""
        far = None if self.far is None or self.far.trouble else self.far
        lessons = [self._lesson() for _ in range(self._shares(far is not None))]
        studying = [functools.partial(self._study_all, lessons, share) for share in range(len(lessons))]
        playing = [functools.partial(self._play_rows, n) for n in range(STREAMS)]
        if far is None:
            self.playing.run([*studying, *playing])
        else:
            self._play_far(far, studying, playing)
        self._refresh()
        self.half = 1 - self.half
        self.counts = [int(stream.count) for stream in self.streams]
        self._note(lessons)
        if self.progress.rounds % max(AVERAGE_EVERY, self.features.weights // AVERAGED) == 0:
            self.average()

    def _shares(self, undisturbed: bool) -> int:
        """How many threads study at once. Each looks at all rows, so half of them are enough if the others play meanwhile."""
        if self.features.hidden:
            return 1
        return min(self.threads if undisturbed else (self.threads + 1) // 2, self.features.sets)

    def _play_far(self, far: Far, studying: Sequence[Job], playing: Sequence[Job]) -> None:
        """Studies here while others play; what nobody has played in the end is played here."""
        for number in range(STREAMS):
            self._prepare(number)
        far.give(self.streams, self.net, self.net.scale)
        self.playing.run(studying)
        left = set(range(STREAMS))

        def take(number: int, played: Played) -> None:
            rows = np.frombuffer(played.rows, np.uint64)
            self.rows[1 - self.half, number, : len(rows)] = rows
            self.streams[number].words[WHERE:] = np.frombuffer(played.words, self.streams[number].words.dtype)[WHERE:]
            left.discard(number)

        far.collect(take)
        self.playing.run([playing[number] for number in sorted(left)])

    def look_further(self, depth: int) -> None:
        """From now on the search looks so many plies ahead. Targets change, so weights become faster again."""
        if depth > self.progress.depth:
            self.progress.depth = depth
            self.weights.hurry()

    def _note(self, lessons: list[Lesson]) -> None:
        done, count = self.progress, sum(x.count for x in lessons)
        done.rounds += 1
        done.positions += count
        done.games = sum(stream.games for stream in self.streams)
        if count:
            error = (sum(x.error for x in lessons) / count) ** 0.5
            done.error = 0.98 * done.error + 0.02 * error if done.error else error

    def _lesson(self) -> Lesson:
        at = Lesson(self.features.hidden)
        self.weights.tell(at)
        at.curve = BOUNDED if self.net.curved else LINEAR if self.chance or self.game.margin else LOGIT
        at.bound, at.pace = float(self.game.margin or 1), self.pace
        return at

    def _study_all(self, lessons: list[Lesson], share: int, thread: int) -> None:
        for row, count in zip(self.rows[self.half], self.counts, strict=True):
            self._study(lessons[share].address, row.ctypes.data, count, share, len(lessons))

    def _prepare(self, number: int) -> Stream:
        """A stream that is ready for the next round, but for the net."""
        rows, stream = self.rows[1 - self.half][number], self.streams[number]
        stream.rows, stream.room, stream.wanted, stream.count = rows.ctypes.data, 2 * ROWS, ROWS, 0
        stream.depth, stream.quiet = self.progress.depth, self.progress.quiet
        return stream

    def _play_rows(self, number: int, thread: int) -> None:
        stream = self._prepare(number)
        stream.net = stream.rival = self.weights.memory.blocks[thread].address
        self.playing.play(stream, thread)

    def _refresh(self) -> None:
        """Gives the search the weights that have changed."""
        if self.features.hidden:
            self.weights.round_all()
            return
        large: list[int] = []
        at = self._lesson()

        def rows(n: int, thread: int) -> None:
            large.append(self._round_off(at.address, self.rows[self.half][n].ctypes.data, self.counts[n]))

        if self.features.weights < sum(self.counts) * self.weights.width:
            self._in_slices(lambda first, count: large.append(self._round_slice(at.address, first, count)))
        else:
            self.playing.run([functools.partial(rows, n) for n in range(STREAMS)])
        if self.chance and any(large):
            self.weights.round_all()
        self.weights.memory.refresh()

    def average(self) -> None:
        """Adds the weights to their mean over time."""
        at, share = self._lesson(), self.weights.next_share()
        self._in_slices(lambda first, count: self._average(at.address, first, count, share))

    def _in_slices(self, job: Callable[[int, int], Any]) -> None:
        """Does a job for all weights: it is called with the first number and the count of each slice."""
        size = self.features.weights

        def one(first: int, thread: int) -> None:
            job(first, min(SLICE, size - first))

        self.playing.run([functools.partial(one, first) for first in range(0, size, SLICE)])

    # -- without learning --------------------------------------------------------------------------------------------------------

    def take_over(self, net: Net) -> None:
        """Plays with the weights of this net from now on."""
        self.net.weights[:], self.net.scale = net.weights, net.scale
        self.weights.memory.rescale(net.scale)

    def watch(self) -> Iterator[Array]:
        """Plays a round; for each stream, rows with the numbers of the weights that were active in a position."""
        self.playing.run([functools.partial(self._play_rows, n) for n in range(STREAMS)])
        for rows, stream in zip(self.rows[1 - self.half], self.streams, strict=True):
            yield rows[: int(stream.count) * self.row_words].reshape(-1, self.row_words)[:, HEAD // 8 :]

    # -- matches ---------------------------------------------------------------------------------------------------------------

    def now(self) -> Kept:
        """What was learned up to now."""
        return Kept(self.weights.mean(), self.net.scale)

    def match(self, one: Kept, other: Kept, pairs: int, depth: int) -> Tally:
        """A short match between two nets; the same openings for both."""
        for kept, memory in zip((one, other), self.rivals, strict=True):
            memory.net.weights[:] = kept.weights
            memory.rescale(kept.scale)
        streams = [self._stream(-1 - n) for n in range(min(pairs, STREAMS))]
        for n, stream in enumerate(streams):
            stream.most_games = 2 * (pairs * (n + 1) // len(streams) - pairs * n // len(streams))
            stream.paired, stream.fixed, stream.mistakes, stream.depth, stream.quiet = 1, 1, 0, depth, self.progress.quiet
            stream.wanted, stream.again = FOREVER, 0

        def job(stream: Stream, thread: int) -> None:
            stream.net, stream.rival = (memory.blocks[thread].address for memory in self.rivals)
            self.playing.play(stream, thread)

        self.playing.run([functools.partial(job, stream) for stream in streams])
        names = ("games", "won", "lost", "points", "other_points")
        return Tally(*(sum(getattr(stream, name) for stream in streams) for name in names))
