"""The crew on a Dask cluster: the same pairs, played by the workers of a scheduler that runs somewhere else.

    dask scheduler                                          on one machine
    dask worker tcp://HOST:8786 --nthreads 1 --nworkers 8   on each of the others
    plyground arena connect4 engine:depth=8 engine:depth=6 --cluster tcp://HOST:8786

Only data travels: the setup of the match with its rules files, a job, and a result, all JSON; and nets, once to each worker.
Plyground must be installed on all machines in the same version, which each worker checks; what one process has compiled, the
others on its machine find in the cache. Records are written here alone. If a worker is lost, the scheduler gives its pairs to
others; a pair that was finished twice is written once.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import plyground
from plyground.arena.crew import Event, Failed, Job, Lost, answered
from plyground.arena.pair import StoppedError, play_pair
from plyground.arena.sources import Setup, code
from plyground.arena.worker import one_line
from plyground.errors import PlygroundError
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from distributed import Client, Future

IN_FLIGHT = 3
"""Jobs per worker process: one in play, the others on their way."""
PATIENCE = 10.0
"""Seconds to wait for the scheduler, for its first worker, or for a result that must be fetched."""
FAILURES = 20
"""With how many workers a pair may be lost. Dask's own 3 are few: a pair that only waited on a lost worker counts as well."""
POLL = 0.01


# -- on the cluster ------------------------------------------------------------------------------------------------------------

_alone = threading.Lock()
"""One pair at a time in a process, even if the worker has several threads: engines would slow each other down."""


def play(setup: str, job: str) -> str:
    """Plays a pair on a worker: JSON in, JSON out, as in `worker.py`."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def cancelled() -> bool:
        task = worker.state.tasks.get(key)
        return task is None or task.state == "cancelled"

    with _alone:
        # A thread of its own, with the stack that textbook players need.
        answer = Worker(lambda: _answer(setup, json.loads(job), worker, cancelled)).result()
    return json.dumps(answer)


def _answer(setup: str, job: Job, worker: Any, cancelled: Callable[[], bool]) -> dict[str, Any]:
    try:
        if cancelled():
            raise StoppedError
        try:
            unpacked = _unpacked(setup, worker.local_directory)
        except PlygroundError as e:
            raise PlygroundError(f"on the worker {worker.address}: {e}") from e
        return {"result": play_pair(unpacked, job, cancelled)}
    except Exception as e:
        return one_line(e)


@functools.lru_cache(maxsize=4)
def _unpacked(setup: str, folder: str) -> Setup:
    return Setup.unpack(json.loads(setup), Path(folder))


def describe() -> list[str]:
    """The version of Plyground on a worker, and the hash of its source files."""
    return [plyground.__version__, code()]


def allow_failures(number: int, dask_scheduler: Any = None) -> int:
    """Sets, on the scheduler, with how many workers a task may be lost; returns the number before."""
    before = int(dask_scheduler.allowed_failures)
    dask_scheduler.allowed_failures = number
    return before


# -- here ----------------------------------------------------------------------------------------------------------------------


class Cluster:
    """The workers of a Dask scheduler."""

    def __init__(self, setup: dict[str, Any], address: str) -> None:
        self.address = address
        self._setup, self._nets = json.dumps(setup), setup.get("nets", {}).values()
        self._flying: dict[Future, Job] = {}
        self._run = secrets.token_hex(4)
        self._given = 0
        self._counted = (-1.0, 0)
        self._allowed: int | None = None
        self._client: Client
        self._open: contextlib.ExitStack

    def __enter__(self) -> Cluster:
        with contextlib.ExitStack() as stack:
            self._client = _connected(self.address)
            stack.enter_context(_quiet())
            stack.callback(self._leave)
            self._check_workers()
            self._raise_failures()
            self._send_nets()
            self._open = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def _leave(self) -> None:
        """Cancels what is being played and leaves the scheduler as it was."""
        with contextlib.suppress(OSError, RuntimeError):
            if self._client.status == "running":
                self._client.cancel(list(self._flying), force=True)
                if self._allowed is not None and self._allowed < FAILURES:
                    self._client.run_on_scheduler(allow_failures, self._allowed)
                for net in self._nets:
                    self._client.unregister_worker_plugin(self._plugin(net))
        with contextlib.suppress(OSError, RuntimeError):
            self._client.close(timeout=PATIENCE)

    def _check_workers(self) -> None:
        """Refuses a cluster without workers, or with another version of Plyground on one of them."""
        try:
            self._client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise PlygroundError(
                f"the Dask scheduler at {self.address} has no workers; start some with `dask worker {self.address}`"
            ) from None
        mine = describe()
        for worker, found in sorted(self._client.run(describe, on_error="return").items()):
            if isinstance(found, Exception):
                raise PlygroundError(f"the worker {worker} can't use Plyground ({_short(found)}); install it there")
            if found != mine:
                told = [f"{version} ({source[:8]})" for version, source in (found, mine)]
                raise PlygroundError(f"the worker {worker} has Plyground {told[0]}; it must be {told[1]}, as here")

    def _raise_failures(self) -> None:
        try:
            self._allowed = self._client.run_on_scheduler(allow_failures, FAILURES)
        except Exception as e:
            raise PlygroundError(
                f"the scheduler at {self.address} can't use Plyground ({_short(e)}); install it there too"
            ) from e

    def _send_nets(self) -> None:
        """Sends nets once to each worker, also to those that come later."""
        from distributed.diagnostics.plugin import UploadFile

        for net in self._nets:
            sent = UploadFile(net["file"], load=False)
            sent.filename = f"{net['checksum']}.net"
            with self._reachable():
                self._client.register_plugin(sent, name=self._plugin(net))

    def _plugin(self, net: dict[str, str]) -> str:
        return f"plyground-{self._run}-{net['checksum'][:16]}"

    @property
    def workers(self) -> int:
        """The number of worker processes now."""
        if time.monotonic() - self._counted[0] > 1:
            with self._reachable():
                self._counted = time.monotonic(), len(self._client.nthreads())
        return self._counted[1]

    @contextlib.contextmanager
    def _reachable(self) -> Iterator[None]:
        """Turns the loss of the scheduler into one clear line."""
        try:
            yield
        except (OSError, RuntimeError) as e:
            raise self._gone() from e
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> PlygroundError:
        return PlygroundError(f"the connection to the Dask scheduler at {self.address} is lost")

    def room(self) -> int:
        """How many more jobs it takes now: a few per worker."""
        return IN_FLIGHT * self.workers - len(self._flying)

    def give(self, job: Job) -> None:
        """Hands over a job."""
        self._given += 1
        name = f"plyground-{self._run}-{job['pair']}-{self._given}"
        with self._reachable():
            self._flying[self._client.submit(play, self._setup, json.dumps(job), key=name, pure=False)] = job

    def wait(self, seconds: float) -> list[Event]:
        """What happened since the last call; waits for the first event, at most `seconds`."""
        until = time.monotonic() + seconds
        while True:
            with self._reachable():
                events = [event for future in list(self._flying) if (event := self._event(future)) is not None]
            if events or time.monotonic() >= until:
                return events
            time.sleep(POLL)

    def _event(self, future: Future) -> Event | None:
        """What became of a job; None if it is not over."""
        from distributed import CancelledError, KilledWorker

        status = future.status
        if status == "pending":
            return None
        job = self._flying[future]
        event: Event
        if status == "finished":
            try:
                answer = json.loads(future.result(timeout=PATIENCE))
            except TimeoutError:
                return None  # it was lost with its worker, and is played again
            except CancelledError as e:
                event = Lost(job, _short(e))
            else:
                event = answered(job, answer)
        elif status == "error":
            why = future.exception(timeout=PATIENCE)
            if isinstance(why, KilledWorker):
                event = Failed(job, f"it was lost with {why.allowed_failures + 1} workers, one after the other")
            else:
                event = Failed(job, _short(why))
        else:
            event = Lost(job, status)
        del self._flying[future]
        return event


def check_scheduler(address: str) -> None:
    """Asks the scheduler who it is: a client that gets no answer, or one from something else, can take minutes to give up."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise PlygroundError("--cluster needs Dask: pip install 'plyground[cluster]'") from None
    with _answering(address):
        kind = Worker(lambda: asyncio.run(asyncio.wait_for(_who_is(address), PATIENCE))).result()
    if kind != "Scheduler":
        raise PlygroundError(f"{address} is not a Dask scheduler but a {kind}")


def _connected(address: str) -> Client:
    """A client of the scheduler."""
    check_scheduler(address)
    from distributed import Client

    with _answering(address):
        return Client(address, timeout=PATIENCE, set_as_default=False, name="plyground-arena")


@contextlib.contextmanager
def _answering(address: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as e:  # a time-out is an OSError
        raise PlygroundError(f"no Dask scheduler answers at {address} ({_short(e)})") from None


async def _who_is(address: str) -> str:
    from distributed import Security, rpc

    async with rpc(address, timeout=PATIENCE, connection_args=Security().get_connection_args("client")) as server:
        return str((await server.identity())["type"])


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Dask's own log stays silent: what went wrong is told in one line."""
    names = [name for name in logging.Logger.manager.loggerDict if name.partition(".")[0] in ("distributed", "tornado")]
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


def _short(e: BaseException | None) -> str:
    """An exception in one line."""
    text = "no answer" if isinstance(e, TimeoutError) else f"{e}"
    return " ".join(text.split())[:200] or type(e).__name__
