"""Worker pools: they play the pairs of a match and report how each job ended.

There are two: `Workers` on this machine and `cluster.Cluster` on Dask. The same job gives the same games in both.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Protocol

import plyground
from plyground.arena.messages import Job, MatchSetup, PlayedPair, WorkerReply
from plyground.errors import PlygroundError
from plyground.system.codec import decode, encode
from plyground.system.processes import EXIT_TIMEOUT_SECONDS, exit_description, new_process_group
from plyground.system.runner import Worker

COMMAND = [sys.executable, "-P", "-m", "plyground.arena.worker"]
"""Without the current folder on the path: a rules file there may be called `queue.py`."""
HOME = Path(plyground.__file__).parent.parent
MAX_START_ATTEMPTS = 3
"""How many times in a row a worker may die before it is ready."""
STDERR_TAIL_BYTES = 4096
"""The number of bytes kept from the end of a worker's stderr."""
STACK = 1 << 20
"""Stack size of the threads here, which only wait."""
EXIT_GRACE_SECONDS = 1.0
"""Seconds for a process that closed its stdout to end by itself, so that its exit code can be reported."""


@dataclass(frozen=True)
class PairFinished:
    """A pair was played."""

    job: Job
    result: PlayedPair


@dataclass(frozen=True)
class WorkerLost:
    """The worker died while it played this pair, which must be submitted again."""

    job: Job
    why: str


@dataclass(frozen=True)
class PairFailed:
    """A pair can't be played, and trying again would not help."""

    job: Job
    message: str
    """One line for the user."""
    trace: str = ""
    """The traceback, if the cause may be a mistake in Plyground or in the rules."""


Event = PairFinished | WorkerLost | PairFailed


def outcome(job: Job, answer: WorkerReply) -> PairFinished | PairFailed:
    """Return what a worker's answer to a job means."""
    if answer.result is not None:
        return PairFinished(job, answer.result)
    return PairFailed(job, answer.error or "a worker gave no answer", answer.trace)


class WorkerPool(Protocol):
    """Plays pairs in other processes; use it in a `with` block, whose end stops all pairs in progress."""

    def __enter__(self) -> WorkerPool: ...

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None: ...

    def free_slots(self) -> int:
        """Return how many more jobs can be submitted now: slightly more than there are workers, so that none is idle."""

    def submit(self, job: Job) -> None:
        """Submit a job."""

    def wait(self, seconds: float) -> list[Event]:
        """Return what happened since the last call; wait for the first event, at most `seconds`."""


# -- the pool on this machine ------------------------------------------------------------------------------------------------


class _WorkerExitedError(Exception):
    """A worker has exited; the text says how."""


class _WorkerProcess:
    """A worker process."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self.popen = subprocess.Popen(COMMAND, stdin=pipe, stdout=pipe, stderr=pipe, env=_environment(), **new_process_group())
        self.tail = b""
        self.reader = Worker(self._read_errors, STACK)

    def _read_errors(self) -> None:
        assert self.popen.stderr is not None
        while part := os.read(self.popen.stderr.fileno(), STDERR_TAIL_BYTES):
            self.tail = (self.tail + part)[-STDERR_TAIL_BYTES:]

    def ask(self, message: MatchSetup | Job) -> WorkerReply:
        """Send a message and wait for the answer; raise `_WorkerExitedError` if the process ends before."""
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        line = json.dumps(encode(message)).encode() + b"\n"
        try:
            self.popen.stdin.write(line)
            self.popen.stdin.flush()
            answer = json.loads(self.popen.stdout.readline())
        except (OSError, ValueError):  # no line, or half a line
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.popen.wait(EXIT_GRACE_SECONDS)
            self.end()
            raise _WorkerExitedError(exit_description(self.popen.returncode, self.tail)) from None
        return decode(WorkerReply, answer)

    @property
    def alive(self) -> bool:
        """Whether it still runs."""
        return self.popen.poll() is None

    def end(self) -> None:
        """End the process, which has nothing to save, and close its pipes."""
        self.popen.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(EXIT_TIMEOUT_SECONDS)
        if self.reader.wait(EXIT_TIMEOUT_SECONDS):  # a process that the rules started may still hold the pipe
            assert self.popen.stderr is not None
            self.popen.stderr.close()
        for pipe in (self.popen.stdin, self.popen.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):  # what is still in the buffer has no reader
                pipe.close()


def _environment() -> dict[str, str]:
    """Return the environment of a worker, which finds the Plyground that runs here even if it is not installed."""
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    if HOME.name not in ("site-packages", "dist-packages") and str(HOME) not in paths:
        paths.append(str(HOME))
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


class Workers:
    """Processes that play one pair at a time, each watched by a thread that replaces it if it dies.

    The threads take their jobs from one queue, so no worker waits while another has two, and none waits while a pair is written
    to the disk. A worker is in a session of its own: Ctrl-C reaches this program only, which ends the workers by closing their
    stdin.
    """

    def __init__(self, setup: MatchSetup, count: int) -> None:
        self.setup, self.count = setup, count
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._events: queue.SimpleQueue[Event | Exception] = queue.SimpleQueue()
        self._unfetched = 0
        """Submitted jobs whose event has not been fetched yet."""
        self._lock = threading.Lock()
        self._closed = False
        self._processes: dict[int, _WorkerProcess] = {}
        self._threads: list[Worker[None]] = []

    def __enter__(self) -> Workers:
        for number in range(self.count):
            self._threads.append(Worker(lambda number=number: self._supervise(number), STACK))  # type: ignore[misc]
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        with self._lock:
            self._closed = True
        for process in self._processes.values():
            process.popen.kill()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.wait(2 * EXIT_TIMEOUT_SECONDS)
        for process in self._processes.values():
            process.end()

    def free_slots(self) -> int:
        """Return how many more jobs can be submitted now: one in play and one waiting per worker."""
        return 2 * self.count - self._unfetched

    def submit(self, job: Job) -> None:
        """Submit a job."""
        self._unfetched += 1
        self._jobs.put(job)

    def wait(self, seconds: float) -> list[Event]:
        """Return what happened since the last call; wait for the first event, at most `seconds`."""
        events: list[Event] = []
        with contextlib.suppress(queue.Empty):
            while True:
                event = self._events.get(timeout=0 if events else seconds)
                if isinstance(event, Exception):
                    raise event
                events.append(event)
                self._unfetched -= 1
        return events

    # -- on the thread of one worker ---------------------------------------------------------------------------------------

    def _supervise(self, number: int) -> None:
        """Keep one worker running and send it one job after another."""
        try:
            process = self._start(number)
            while (job := self._jobs.get()) is not None:
                if not process.alive:  # it died without a job
                    process.end()
                    process = self._start(number)
                try:
                    answer = process.ask(job)
                except _WorkerExitedError as e:
                    if self._closed:
                        return
                    self._events.put(WorkerLost(job, str(e)))
                    process = self._start(number)
                    continue
                self._events.put(outcome(job, answer))
        except _WorkerExitedError:
            pass  # the pool is closing
        except Exception as e:
            self._events.put(e)

    def _start(self, number: int) -> _WorkerProcess:
        """Start a process and give it its setup."""
        why = ""
        for _ in range(MAX_START_ATTEMPTS):
            with self._lock:
                if self._closed:
                    raise _WorkerExitedError
                process = self._processes[number] = self._new()
            try:
                answer = process.ask(self.setup)
            except _WorkerExitedError as e:
                why = str(e)
                continue
            if answer.error is not None:
                process.end()
                raise PlygroundError(answer.error)
            return process
        raise PlygroundError(f"a worker could not be started ({why})")

    def _new(self) -> _WorkerProcess:
        try:
            return _WorkerProcess()
        except OSError as e:
            raise PlygroundError(f"a worker could not be started ({e.strerror or e})") from e
