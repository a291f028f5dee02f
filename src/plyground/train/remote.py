"""Self-play on the workers of a Dask cluster, round by round, with the same result as on threads here.

    dask scheduler                                          on one machine
    dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8   on each of the others
    plyground train gomoku --minutes 60 --cluster tcp://HOST:8786

A stream of games is a few words, so it can be played anywhere: the words and the weights of the round go out, rows come back. A
worker keeps the weights of the round before, so usually only those travel that have changed. A worker that missed a round reports
it and gets all of them. If a worker is lost, its streams go to another one; if all are lost, they are played here.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING

import numpy as np

from plyground.cluster.remote_work import TIMEOUT_SECONDS, Connection, PackedGame, one_line, pack_game, unpack_game
from plyground.errors import PlygroundError
from plyground.kernels.selfplay.self_play import GameStream
from plyground.nets.features import Features
from plyground.nets.net import LoadedNet, Net
from plyground.rules.game import Game
from plyground.system import codec
from plyground.system.runner import Worker
from plyground.train.learner import PlayedStream, SelfPlay
from plyground.train.weights import as_uint32

if TYPE_CHECKING:
    from distributed import Future

MAX_RUNS = 2
"""The number of trainings whose weights a worker keeps."""
POLL = 0.001
LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TB"}
"""Dask's warning about large arguments is meant for graphs of many tasks."""


# -- messages -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingSetup:
    """The game and the features of a training, which a worker needs once."""

    game: PackedGame
    features: dict[str, object]
    """From `Features.as_json`."""
    curved: bool

    @classmethod
    def of(cls, game: Game, net: Net) -> TrainingSetup:
        """Return the setup of a training."""
        return cls(pack_game(game, game.spec), net.features.as_json(), net.curved)

    def encode(self) -> str:
        """Return this as JSON."""
        return json.dumps(codec.encode(self))

    @classmethod
    def decode(cls, text: str) -> TrainingSetup:
        """Return the setup that `encode` gave."""
        return codec.decode(cls, json.loads(text))


@dataclass(frozen=True)
class StreamJob:
    """Streams for a worker to play."""

    run: str
    setup: str
    """An encoded `TrainingSetup`; empty if the worker has it already."""
    version: int
    """The version of the weights; one more for each round."""
    weights: bytes
    scale: float
    row_words: int
    streams: dict[int, bytes]
    """The words of each stream."""
    places: bytes | None = None
    """The numbers of the weights that have changed since the version before; None if `weights` has all."""


@dataclass(frozen=True)
class WorkerAnswer:
    """The answer of a worker to an order."""

    played: dict[int, PlayedStream] = field(default_factory=dict)
    lacks_weights: bool = False
    """Whether the worker needs all weights first."""
    error: str = ""
    """What went wrong, in one line."""


# -- on the cluster -------------------------------------------------------------------------------------------------------------

_one_order_at_a_time = threading.Lock()
"""One order at a time in a process, on all threads of the worker."""
_nets: OrderedDict[str, WorkerNet] = OrderedDict()


class WorkerNet:
    """The game and the weights of one training."""

    def __init__(self, setup: TrainingSetup, threads: int) -> None:
        self.game, self.features = unpack_game(setup.game), Features.from_json(setup.features)
        self.net = Net.zero(self.features, 0.0, setup.curved)
        self.memory, self.playing = LoadedNet(self.net, threads), SelfPlay(self.game, self.features, threads)
        self.ties = np.zeros(1, np.uint32) if self.features.hidden else as_uint32(self.features.ties())
        self.start = self.game.layout.row(self.game.start())
        self.version = -1

    def take(self, order: StreamJob) -> None:
        """Use the weights of an order from now on."""
        if order.version == self.version:
            return
        weights = np.frombuffer(order.weights, np.int16)
        if order.places is None:
            self.net.weights[:] = weights
        else:
            self.net.weights[np.frombuffer(order.places, np.uint32)] = weights
        self.memory.rescale(order.scale)
        self.version = order.version

    def play(self, order: StreamJob) -> dict[int, PlayedStream]:
        """Play all streams of an order."""
        found: dict[int, PlayedStream] = {}

        def one(number: int, thread: int) -> None:
            stream = GameStream(2 * self.game.layout.words)
            stream.words[:] = np.frombuffer(order.streams[number], stream.words.dtype)
            rows = np.zeros(stream.room * order.row_words, np.uint64)
            stream.start, stream.rows, stream.ties = (x.ctypes.data for x in (self.start, rows, self.ties))
            stream.net = stream.rival = self.memory.blocks[thread].address
            self.playing.play(stream, thread)
            found[number] = PlayedStream(stream.words.tobytes(), rows[: stream.count * order.row_words].tobytes())

        self.playing.run([lambda thread, n=number: one(n, thread) for number in order.streams])  # type: ignore[misc]
        return found


def play(data: dict[str, object]) -> dict[str, object]:
    """Play an order on a worker: an encoded `StreamJob` in, an encoded `WorkerAnswer` out."""
    from distributed import get_worker

    order, threads = codec.decode(StreamJob, data), get_worker().state.nthreads
    with _one_order_at_a_time:
        return codec.encode(Worker(lambda: _answer(order, threads)).result())  # a thread with the stack that a search needs


def _answer(order: StreamJob, threads: int) -> WorkerAnswer:
    net = _nets.get(order.run)
    try:
        if net is None and order.setup:
            net = _nets[order.run] = WorkerNet(TrainingSetup.decode(order.setup), threads)
            while len(_nets) > MAX_RUNS:
                _nets.popitem(last=False)
        if net is None or (order.places is not None and order.version - net.version not in (0, 1)):
            return WorkerAnswer(lacks_weights=True)
        net.take(order)
        return WorkerAnswer(net.play(order))
    except PlygroundError as e:
        return WorkerAnswer(error=" ".join(str(e).split()))


# -- here -----------------------------------------------------------------------------------------------------------------------


class RemoteSelfPlay:
    """The workers of a Dask scheduler, which play streams."""

    def __init__(self, address: str, game: Game, net: Net, row_words: int) -> None:
        self._dask = Connection(address, self._cancel)
        self._setup, self._row_words = TrainingSetup.of(game, net).encode(), row_words
        self._sent = net.weights.copy()
        self._version = 0
        self._known: dict[str, int] = {}
        """The last version of the weights that each worker had."""
        self._pending: dict[Future, tuple[str, StreamJob]] = {}
        self.trouble = ""
        """Why the cluster can't be used any more; empty if it can."""

    def __enter__(self) -> RemoteSelfPlay:
        self._dask.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._dask.__exit__(kind, e, trace)

    def _cancel(self) -> None:
        self._dask.client.cancel(list(self._pending), force=True)

    def submit(self, streams: Sequence[GameStream], net: Net, scale: float) -> None:
        """Hand over the streams of a round, which are played with these weights."""
        try:
            self._give(streams, net, scale)
        except PlygroundError as e:
            self._give_up(e)

    def _give(self, streams: Sequence[GameStream], net: Net, scale: float) -> None:
        changed = np.flatnonzero(net.weights != self._sent)
        self._sent[changed] = net.weights[changed]
        self._version += 1
        slots = [address for address, threads in sorted(self._dask.threads.items()) for _ in range(threads)]
        shares: dict[str, dict[int, bytes]] = {}
        for n, stream in enumerate(streams):
            if slots:
                shares.setdefault(slots[n % len(slots)], {})[n] = stream.words.tobytes()
        places, weights = changed.astype(np.uint32).tobytes(), self._sent[changed].tobytes()
        few = len(changed) < len(self._sent) // 3
        for address, share in shares.items():
            if few and self._known.get(address) == self._version - 1:
                order = StreamJob(self._dask.run, "", self._version, weights, scale, self._row_words, share, places)
            else:
                order = self._full_order(scale, share)
            self._submit(address, order)

    def _full_order(self, scale: float, streams: dict[int, bytes]) -> StreamJob:
        """Return an order with everything that a worker needs."""
        weights = self._sent.tobytes()
        return StreamJob(self._dask.run, self._setup, self._version, weights, scale, self._row_words, streams)

    def _submit(self, address: str, order: StreamJob) -> None:
        import dask

        with self._dask.reachable(), dask.config.set(LARGE):
            future = self._dask.client.submit(play, codec.encode(order), workers=[address], pure=False)
        self._pending[future] = address, order

    def collect(self, take: Callable[[int, PlayedStream], None]) -> None:
        """Wait for the streams of this round, and pass each to `take`. If no workers are left, some are missing."""
        seen = time.monotonic()
        try:
            while self._pending:
                over = [future for future in self._pending if future.status != "pending"]
                for future in over:
                    self._end(future, take)
                if not over:
                    with self._dask.reachable():
                        time.sleep(POLL)
                    seen = time.monotonic() if self._dask.threads else seen
                    if time.monotonic() - seen > TIMEOUT_SECONDS:
                        self._drop(list(self._pending))
                    self._move_orders()
        except PlygroundError as e:
            self._give_up(e)

    def _move_orders(self) -> None:
        """Give the orders of lost workers to others."""
        there = sorted(self._dask.threads)
        gone = [future for future, (address, _) in self._pending.items() if address not in there] if there else []
        orders = self._drop(gone)
        for n, order in enumerate(orders):
            self._submit(there[n % len(there)], self._full_order(order.scale, order.streams))

    def _drop(self, futures: Sequence[Future]) -> list[StreamJob]:
        if futures:
            with self._dask.reachable():
                self._dask.client.cancel(futures, force=True)
        return [self._pending.pop(future)[1] for future in futures]

    def _end(self, future: Future, take: Callable[[int, PlayedStream], None]) -> None:
        """Handle the end of an order."""
        from distributed import CancelledError

        address, order = self._pending[future]
        try:
            with self._dask.reachable():
                answer = codec.decode(WorkerAnswer, future.result(timeout=TIMEOUT_SECONDS))
        except TimeoutError:
            return  # the worker is lost: `_move_orders` gives its orders to others
        except CancelledError:
            answer = WorkerAnswer(lacks_weights=True)
        except PlygroundError:
            raise
        except Exception as e:
            raise PlygroundError(f"the cluster failed ({one_line(e)})") from e
        del self._pending[future]
        if answer.error:
            raise WorkerError(answer.error)
        if answer.lacks_weights:
            self._known.pop(address, None)
            self._submit(address, self._full_order(order.scale, order.streams))
            return
        self._known[address] = order.version
        for number, played in answer.played.items():
            take(number, played)

    def _give_up(self, e: PlygroundError) -> None:
        """Stop using the cluster, unless the error is in the rules."""
        if isinstance(e, WorkerError):
            raise e
        self.trouble = str(e)
        self._pending.clear()


class WorkerError(PlygroundError):
    """An error on a worker that would also occur without a cluster."""
