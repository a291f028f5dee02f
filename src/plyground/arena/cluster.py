"""A worker pool on a Dask cluster: the same pairs, played by workers on other machines.

    dask scheduler                                          on one machine
    dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8   on each of the others
    plyground arena connect4 engine:depth=8 engine:depth=6 --cluster tcp://HOST:8786

Only data travels: the setup of the match with its rules files, a job, and a result, all JSON; and nets, once to each worker.
Plyground must be installed on all machines in the same version, which each worker checks. What one process compiles, the others
on its machine find in the cache. Records are written here alone. If a worker is lost, the scheduler gives its pairs to others;
a pair that was finished twice is written once.
"""

from __future__ import annotations

import contextlib
import functools
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from plyground.arena.messages import Job, MatchSetup, NetFile, PlayedPair, WorkerReply
from plyground.arena.pair import StoppedError, play_pair
from plyground.arena.sources import UnpackedSetup, read_setup
from plyground.arena.worker import reply_text
from plyground.arena.worker_pool import Event, PairFailed, WorkerLost, outcome
from plyground.cluster.remote_work import TIMEOUT_SECONDS, Connection, one_line
from plyground.errors import PlygroundError
from plyground.system.codec import decode, encode
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from distributed import Future
    from distributed import Worker as DaskWorker

IN_FLIGHT = 3
"""Jobs per worker process: one in play, the others on their way."""
POLL = 0.01


# -- on the cluster ------------------------------------------------------------------------------------------------------------

_one_pair_at_a_time = threading.Lock()
"""One pair at a time in a process, even if the worker has several threads: engines would slow each other down."""


def play(setup: str, job: str) -> str:
    """Play a pair on a worker: JSON in, JSON out, as in `worker.py`."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    with _one_pair_at_a_time:
        # A thread of its own, with the stack that textbook players need.
        return Worker(lambda: _answer(setup, job, worker, cancelled)).result()


def _answer(setup: str, job: str, worker: DaskWorker, cancelled: Callable[[], bool]) -> str:
    def pair() -> PlayedPair:
        if cancelled():
            raise StoppedError
        try:
            unpacked = _unpack_setup(setup, worker.local_directory)
        except PlygroundError as e:
            raise PlygroundError(f"on the worker {worker.address}: {e}") from e
        return play_pair(unpacked, decode(Job, json.loads(job)), cancelled)

    return reply_text(pair)


@functools.lru_cache(maxsize=4)
def _unpack_setup(setup: str, folder: str) -> UnpackedSetup:
    unpacked = UnpackedSetup.unpack(read_setup(json.loads(setup)), Path(folder))
    unpacked.check_programs()
    return unpacked


# -- on this machine -----------------------------------------------------------------------------------------------------------


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, setup: MatchSetup, address: str) -> None:
        self.address = address
        self._setup, self._nets = json.dumps(encode(setup)), setup.nets.values()
        self._flying: dict[Future, Job] = {}
        self._given = 0
        self._dask = Connection(address, self._cancel_all)

    def __enter__(self) -> Cluster:
        with contextlib.ExitStack() as stack:
            stack.enter_context(self._dask)
            self._send_nets()
            stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._dask.__exit__(kind, e, trace)

    def _cancel_all(self) -> None:
        """Cancel the running jobs and remove the nets from the workers."""
        self._dask.client.cancel(list(self._flying), force=True)
        for net in self._nets:
            self._dask.client.unregister_worker_plugin(self._plugin(net))

    def _send_nets(self) -> None:
        """Send nets once to each worker, also to those that come later."""
        from distributed.diagnostics.plugin import UploadFile

        for net in self._nets:
            sent = UploadFile(net.file, load=False)
            sent.filename = f"{net.checksum}.net"
            with self._dask.reachable():
                self._dask.client.register_plugin(sent, name=self._plugin(net))

    def _plugin(self, net: NetFile) -> str:
        return f"plyground-{self._dask.run}-{net.checksum[:16]}"

    @property
    def workers(self) -> int:
        """The current number of worker processes."""
        return len(self._dask.threads)

    def free_slots(self) -> int:
        """Return how many more jobs can be submitted now: a few per worker."""
        return IN_FLIGHT * self.workers - len(self._flying)

    def submit(self, job: Job) -> None:
        """Submit a job."""
        self._given += 1
        name = f"plyground-{self._dask.run}-{job.pair}-{self._given}"
        with self._dask.reachable():
            self._flying[self._dask.client.submit(play, self._setup, json.dumps(encode(job)), key=name, pure=False)] = job

    def wait(self, seconds: float) -> list[Event]:
        """Return what happened since the last call; wait for the first event, at most `seconds`."""
        until = time.monotonic() + seconds
        while True:
            with self._dask.reachable():
                events = [event for future in list(self._flying) if (event := self._event(future)) is not None]
            if events or time.monotonic() >= until:
                return events
            time.sleep(POLL)

    def _event(self, future: Future) -> Event | None:
        """Return how a job ended; None if it is not done."""
        from distributed import CancelledError, KilledWorker

        status = future.status
        if status == "pending":
            return None
        job = self._flying[future]
        event: Event
        if status == "finished":
            try:
                answer = decode(WorkerReply, json.loads(future.result(timeout=TIMEOUT_SECONDS)))
            except TimeoutError:
                return None  # it was lost with its worker, and is played again
            except CancelledError as e:
                event = WorkerLost(job, one_line(e))
            else:
                event = outcome(job, answer)
        elif status == "error":
            why = future.exception(timeout=TIMEOUT_SECONDS)
            if isinstance(why, KilledWorker):
                event = PairFailed(job, f"it was lost with {why.allowed_failures + 1} workers, one after the other")
            else:
                event = PairFailed(job, one_line(why))
        else:
            event = WorkerLost(job, status)
        del self._flying[future]
        return event
