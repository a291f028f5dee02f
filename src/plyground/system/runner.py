"""Runs jobs on other threads while this one waits, watches the deadline and can still catch Ctrl-C."""

from __future__ import annotations

import ctypes
import functools
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")
STACK = 64 << 20
"""Stack size of a worker in bytes: kernels and textbook algorithms are recursive."""
LOOK = 0.2
"""Seconds between two checks of a running job."""
_starting = threading.Lock()
"""Held while a thread starts: the stack size is set for the whole process."""


class Worker(Generic[T]):
    """A job on its own daemon thread, started at once.

    Waiting never calls `Thread.join`: if Ctrl-C interrupts a join, Python before 3.13 marks the thread as ended while it
    still runs (gh-90882), and memory that the job still uses could be freed.

    >>> Worker(lambda: 6 * 7).result()
    42
    """

    def __init__(self, job: Callable[[], T], stack: int = STACK) -> None:
        self._done: list[T] = []
        self._failed: list[BaseException] = []
        self._over = threading.Event()

        def body() -> None:
            try:
                self._done.append(job())
            except BaseException as e:
                self._failed.append(e)
            finally:
                self._over.set()

        with _starting:
            old = threading.stack_size(stack)
            try:
                threading.Thread(target=body, daemon=True, name="plyground-worker").start()
            finally:
                threading.stack_size(old)

    @property
    def over(self) -> bool:
        """Has the job ended?"""
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Waits for the job to end, at most `seconds`; has it ended?"""
        return self._over.wait(seconds)

    def result(self) -> T:
        """Waits for the job to end; returns its value or raises its exception."""
        while not self.wait(0.1):
            pass
        if self._failed:
            raise self._failed[0]
        return self._done[0]


class Runner:
    """A search or another long job: its clock, its stop flag and its threads.

    The clock starts now. `stop`, the deadline or Ctrl-C request a stop; jobs check `stopped`, and native code the word at
    `address`, which is also set when another thread has the answer.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        *,
        tick: Callable[[], None] | None = None,
        every: float = LOOK,
        on_stop: Callable[[], None] | None = None,
    ) -> None:
        """`tick` is called repeatedly while jobs run; `on_stop` repeatedly after a stop, until they have ended."""
        self.began = time.perf_counter()
        self.deadline = self.began + seconds
        self.stopped = False
        self._tick, self._every, self._on_stop = tick, every, on_stop
        self._word = (ctypes.c_int64 * 8)()  # a whole cache line, to avoid false sharing
        self.address = ctypes.addressof(self._word)

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        """Seconds to the deadline."""
        return self.deadline - time.perf_counter()

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Stops the clock meanwhile: compiling does not count."""
        since = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - since
            self.began += took
            self.deadline += took

    def stop(self) -> None:
        """Asks all jobs to end."""
        self.stopped = True
        self._word[0] = 1

    def run(self, job: Callable[[int], T | None], threads: int = 1, stack: int = STACK) -> T | None:
        """Runs a job on several threads, with their numbers from 0; the first answer other than None stops the others.

        Returns that answer, or raises a job's exception. All threads have ended by then, even after Ctrl-C.

        >>> Runner().run(lambda number: 6 * 7, threads=2)
        42
        """
        found: list[T] = []

        def body(number: int) -> None:
            try:
                answer = job(number)
                if answer is not None:
                    found.append(answer)
                    self._word[0] = 1
            except BaseException:
                self.stop()
                raise

        workers: list[Worker[None]] = []
        try:
            for number in range(threads):
                workers.append(Worker(functools.partial(body, number), stack))  # one by one: Ctrl-C must find all that run
            for worker in workers:
                while not worker.wait(0.01 if self.stopped else max(0.001, min(self._every, self.left))):
                    self._look()
        except BaseException:
            self.stop()
            raise
        finally:
            for worker in workers:
                while not worker.wait(0.01):
                    self._look()
            self._word[0] = int(self.stopped)
        for worker in workers:
            worker.result()
        return found[0] if found else None

    def _look(self) -> None:
        if self.left <= 0:
            self.stop()
        if not self.stopped:
            if self._tick is not None:
                self._tick()
            return
        self._word[0] = 1
        if self._on_stop is not None:
            self._on_stop()
