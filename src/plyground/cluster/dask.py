"""A connection to a Dask scheduler that runs somewhere else, with errors that fit on a line.

Plyground must be installed on all machines in the same version, which is checked for each worker.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import plyground
from plyground.cluster.texts import code
from plyground.errors import PlygroundError
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 10.0
"""Seconds to wait for the scheduler, for its first worker, or for a result that must be fetched."""
FAILURES = 20
"""With how many workers a job may be lost. Dask's own 3 are few: a job that only waited on a lost worker counts as well."""


def describe() -> list[str]:
    """Return the version of Plyground on a worker, and the hash of its source files."""
    return [plyground.__version__, code()]


def allow_failures(number: int, dask_scheduler: Any = None) -> int:
    """Sets, on the scheduler, with how many workers a task may be lost; returns the number before."""
    before = int(dask_scheduler.allowed_failures)
    dask_scheduler.allowed_failures = number
    return before


class Connection:
    """The workers of a Dask scheduler."""

    def __init__(self, address: str, before_leaving: Callable[[], None] = lambda: None) -> None:
        """Remember `before_leaving`, which cancels what is being done; it is not called if the scheduler is gone."""
        self.address, self._before_leaving = address, before_leaving
        self.run = secrets.token_hex(4)
        """The name of this run on the cluster."""
        self._threads: tuple[float, dict[str, int]] = (-1.0, {})
        self._allowed: int | None = None
        self.client: Client
        self._open: contextlib.ExitStack

    def __enter__(self) -> Connection:
        with contextlib.ExitStack() as stack:
            self.client = _connected(self.address)
            stack.enter_context(_quiet())
            stack.callback(self._leave)
            self._check_workers()
            self._raise_failures()
            self._open = stack.pop_all()
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self._open.close()

    def _leave(self) -> None:
        """Leave the scheduler as it was."""
        with contextlib.suppress(OSError, RuntimeError):
            if self.client.status == "running":
                self._before_leaving()
                if self._allowed is not None and self._allowed < FAILURES:
                    self.client.run_on_scheduler(allow_failures, self._allowed)
        with contextlib.suppress(OSError, RuntimeError):
            self.client.close(timeout=PATIENCE)

    def _check_workers(self) -> None:
        """Refuse a cluster without workers, or with another version of Plyground on one of them."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise PlygroundError(
                f"the Dask scheduler at {self.address} has no workers; start some with `dask worker {self.address}`"
            ) from None
        mine = describe()
        for worker, found in sorted(self.client.run(describe, on_error="return").items()):
            if isinstance(found, Exception):
                raise PlygroundError(f"the worker {worker} can't use Plyground ({short(found)}); install it there")
            if found != mine:
                versions = [f"{version} ({source[:8]})" for version, source in (found, mine)]
                raise PlygroundError(f"the worker {worker} has Plyground {versions[0]}; it must be {versions[1]}, as here")

    def _raise_failures(self) -> None:
        try:
            self._allowed = self.client.run_on_scheduler(allow_failures, FAILURES)
        except Exception as e:
            raise PlygroundError(f"the scheduler at {self.address} can't use Plyground ({short(e)}); install it there too") from e

    @property
    def threads(self) -> dict[str, int]:
        """The threads of each worker process that is there now, by its address."""
        if time.monotonic() - self._threads[0] > 1:
            with self.reachable():
                self._threads = time.monotonic(), dict(self.client.nthreads())
        return self._threads[1]

    @contextlib.contextmanager
    def reachable(self) -> Iterator[None]:
        """Turn the loss of the scheduler into one clear line."""
        try:
            yield
        except (OSError, RuntimeError) as e:
            raise self._gone() from e
        if self.client.status != "running":
            raise self._gone()

    def _gone(self) -> PlygroundError:
        return PlygroundError(f"the connection to the Dask scheduler at {self.address} is lost")


def check_scheduler(address: str) -> None:
    """Ask the scheduler who it is: a client that gets no answer, or one from something else, can take minutes to give up."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        raise PlygroundError("--cluster needs Dask: pip install 'plyground[cluster]'") from None
    with _answering(address):
        kind = Worker(lambda: asyncio.run(asyncio.wait_for(_who_is(address), PATIENCE))).result()
    if kind != "Scheduler":
        raise PlygroundError(f"{address} is not a Dask scheduler but a {kind}")


def _connected(address: str) -> Client:
    """Return a client of the scheduler."""
    check_scheduler(address)
    from distributed import Client

    with _answering(address):
        return Client(address, timeout=PATIENCE, set_as_default=False, name="plyground")


@contextlib.contextmanager
def _answering(address: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, TypeError) as e:  # a time-out is an OSError
        raise PlygroundError(f"no Dask scheduler answers at {address} ({short(e)})") from None


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


def short(e: BaseException | None) -> str:
    """Return an exception in one line."""
    text = "no answer" if isinstance(e, TimeoutError) else f"{e}"
    return " ".join(text.split())[:200] or type(e).__name__
