"""Self-play on the workers of a Dask cluster, round by round, with the same result as on threads here.

    dask scheduler                                          on one machine
    dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8   on each of the others
    plyground train gomoku --minutes 60 --cluster tcp://HOST:8786

A stream of games is a few words, so it can be played anywhere: the words and the weights of the round go out, rows come back. A
worker keeps the weights of the round before, so usually only those travel that have changed. A worker that has missed a round,
says so and gets all of them. If a worker is lost, its streams go to another one; if all are lost, they are played here.
"""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plyground.cluster.dask import PATIENCE, Connection, short
from plyground.cluster.texts import pack_game, unpack_game
from plyground.errors import PlygroundError
from plyground.learn.features import Features
from plyground.learn.net import Net, NetInMemory
from plyground.learn.playing import Playing
from plyground.learn.weights import padded
from plyground.rules.game import Game
from plyground.search.selfplay import Stream
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from distributed import Future

Array = np.ndarray[Any, Any]
MOST_RUNS = 2
"""Trainings of which a worker remembers the weights."""
POLL = 0.001
LARGE = {"distributed.admin.large-graph-warning-threshold": "1 TB"}
"""Dask's warning about large arguments is meant for graphs of many tasks."""


class Order(NamedTuple):
    """Streams for a worker to play."""

    run: str
    setup: str
    """The game and the features, as JSON; empty if the worker has them already."""
    version: int
    """Of the weights; one more for each round."""
    places: bytes | None
    """Which weights have changed since the version before; None if all of them are here."""
    weights: bytes
    scale: float
    row_words: int
    streams: dict[int, bytes]
    """The words of each stream."""


class Played(NamedTuple):
    """A stream that was played: its words, and its rows."""

    words: bytes
    rows: bytes


# -- on the cluster -------------------------------------------------------------------------------------------------------------

_alone = threading.Lock()
"""One order at a time in a process, on all threads of the worker."""
_tables: OrderedDict[str, _Table] = OrderedDict()


class _Table:
    """The game and the weights of one training."""

    def __init__(self, setup: dict[str, Any], threads: int) -> None:
        self.game, self.features = unpack_game(setup["game"]), Features.from_json(setup["features"])
        self.net = Net.blank(self.features, 0.0, setup["curved"])
        self.memory, self.playing = NetInMemory(self.net, threads), Playing(self.game, self.features, threads)
        self.ties = np.zeros(1, np.uint32) if self.features.hidden else padded(self.features.ties())
        self.start = self.game.layout.row(self.game.start())
        self.version = -1

    def take(self, order: Order) -> None:
        """Takes over the weights of an order."""
        if order.version == self.version:
            return
        weights = np.frombuffer(order.weights, np.int16)
        if order.places is None:
            self.net.weights[:] = weights
        else:
            self.net.weights[np.frombuffer(order.places, np.uint32)] = weights
        self.memory.rescale(order.scale)
        self.version = order.version

    def play(self, order: Order) -> dict[int, Played]:
        """Plays all streams of an order."""
        found: dict[int, Played] = {}

        def one(number: int, thread: int) -> None:
            stream = Stream(2 * self.game.layout.words)
            stream.words[:] = np.frombuffer(order.streams[number], stream.words.dtype)
            rows = np.zeros(stream.room * order.row_words, np.uint64)
            stream.start, stream.rows, stream.ties = (x.ctypes.data for x in (self.start, rows, self.ties))
            stream.net = stream.rival = self.memory.blocks[thread].address
            self.playing.play(stream, thread)
            found[number] = Played(stream.words.tobytes(), rows[: stream.count * order.row_words].tobytes())

        self.playing.run([lambda thread, n=number: one(n, thread) for number in order.streams])  # type: ignore[misc]
        return found


def play(order: Order) -> dict[int, Played] | str | None:
    """Plays an order on a worker. None: it needs all weights; a text: an error in one line."""
    from distributed import get_worker

    threads = get_worker().state.nthreads
    with _alone:
        return Worker(lambda: _answer(order, threads)).result()  # a thread with the stack that a search needs


def _answer(order: Order, threads: int) -> dict[int, Played] | str | None:
    table = _tables.get(order.run)
    if table is None and order.setup:
        try:
            table = _tables[order.run] = _Table(json.loads(order.setup), threads)
        except PlygroundError as e:
            return " ".join(str(e).split())
        while len(_tables) > MOST_RUNS:
            _tables.popitem(last=False)
    if table is None or (order.places is not None and order.version - table.version not in (0, 1)):
        return None
    table.take(order)
    try:
        return table.play(order)
    except PlygroundError as e:
        return " ".join(str(e).split())


# -- here -----------------------------------------------------------------------------------------------------------------------


class Far:
    """The workers of a Dask scheduler, which play streams."""

    def __init__(self, address: str, game: Game, net: Net, row_words: int) -> None:
        self._dask = Connection(address, self._forget)
        self._game = game
        setup = {"game": pack_game(game, game.spec), "features": net.features.as_json(), "curved": net.curved}
        self._setup, self._row_words = json.dumps(setup), row_words
        self._sent = net.weights.copy()
        self._version = 0
        self._known: dict[str, int] = {}
        """The weights that each worker had last."""
        self._flying: dict[Future, tuple[str, Order]] = {}
        self.trouble = ""
        """Why the cluster can't be used any more; empty if it can."""

    def __enter__(self) -> Far:
        self._dask.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._dask.__exit__(kind, e, trace)

    def _forget(self) -> None:
        self._dask.client.cancel(list(self._flying), force=True)

    def give(self, streams: Sequence[Stream], net: Net, scale: float) -> None:
        """Hands over the streams of a round, which are played with these weights."""
        try:
            self._give(streams, net, scale)
        except PlygroundError as e:
            self._lose(e)

    def _give(self, streams: Sequence[Stream], net: Net, scale: float) -> None:
        changed = np.flatnonzero(net.weights != self._sent)
        self._sent[changed] = net.weights[changed]
        self._version += 1
        slots = [address for address, threads in sorted(self._dask.threads.items()) for _ in range(threads)]
        shares: dict[str, dict[int, bytes]] = {}
        for n, stream in enumerate(streams):
            if slots:
                shares.setdefault(slots[n % len(slots)], {})[n] = stream.words.tobytes()
        delta = changed.astype(np.uint32).tobytes(), self._sent[changed].tobytes()
        few = len(changed) < len(self._sent) // 3
        for address, share in shares.items():
            if few and self._known.get(address) == self._version - 1:
                order = Order(self._dask.run, "", self._version, *delta, scale, self._row_words, share)
            else:
                order = self._whole(scale, share)
            self._submit(address, order)

    def _whole(self, scale: float, streams: dict[int, bytes]) -> Order:
        """An order with everything that a worker needs."""
        weights = self._sent.tobytes()
        return Order(self._dask.run, self._setup, self._version, None, weights, scale, self._row_words, streams)

    def _submit(self, address: str, order: Order) -> None:
        import dask

        with self._dask.reachable(), dask.config.set(LARGE):
            future = self._dask.client.submit(play, order, workers=[address], pure=False)
        self._flying[future] = address, order

    def collect(self, take: Callable[[int, Played], None]) -> None:
        """Waits for the streams of this round, and hands on each. If there are no workers any more, some are missing then."""
        seen = time.monotonic()
        try:
            while self._flying:
                over = [future for future in self._flying if future.status != "pending"]
                for future in over:
                    self._end(future, take)
                if not over:
                    with self._dask.reachable():
                        time.sleep(POLL)
                    seen = time.monotonic() if self._dask.threads else seen
                    if time.monotonic() - seen > PATIENCE:
                        self._drop(list(self._flying))
                    self._move_orders()
        except PlygroundError as e:
            self._lose(e)

    def _move_orders(self) -> None:
        """Gives the orders of workers that are gone to others."""
        there = sorted(self._dask.threads)
        gone = [future for future, (address, _) in self._flying.items() if address not in there] if there else []
        orders = self._drop(gone)
        for n, order in enumerate(orders):
            self._submit(there[n % len(there)], self._whole(order.scale, order.streams))

    def _drop(self, futures: Sequence[Future]) -> list[Order]:
        if futures:
            with self._dask.reachable():
                self._dask.client.cancel(futures, force=True)
        return [self._flying.pop(future)[1] for future in futures]

    def _end(self, future: Future, take: Callable[[int, Played], None]) -> None:
        """Takes what became of an order."""
        from distributed import CancelledError

        address, order = self._flying[future]
        try:
            with self._dask.reachable():
                answer = future.result(timeout=PATIENCE)
        except TimeoutError:
            return  # it was lost with its worker, whose orders others get
        except CancelledError:
            answer = None
        except PlygroundError:
            raise
        except Exception as e:
            raise PlygroundError(f"the cluster can't play any more ({short(e)})") from e
        del self._flying[future]
        if isinstance(answer, str):
            raise WorkerError(answer)
        if answer is None:
            self._known.pop(address, None)
            self._submit(address, self._whole(order.scale, order.streams))
            return
        self._known[address] = order.version
        for number, played in answer.items():
            take(number, played)

    def _lose(self, e: PlygroundError) -> None:
        """Does without the cluster from now on, unless it was the rules' fault."""
        if isinstance(e, WorkerError):
            raise e
        self.trouble = str(e)
        self._flying.clear()


class WorkerError(PlygroundError):
    """Something that would have gone wrong here, too."""
