"""Work on other threads, while this one waits, keeps the time, and can still catch Ctrl-C."""

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
"""Bytes of stack for a worker: kernels and textbook algorithms recurse."""
LOOK = 0.2
"""Seconds between two looks at work that goes on."""
_starting = threading.Lock()
"""Held while a thread starts: the size of stacks is one setting for the whole process."""


class Worker(Generic[T]):
    """A job on a daemon thread of its own, started at once.

    Waiting never calls `Thread.join`: if Ctrl-C interrupts a join, Python before 3.13 marks the thread as ended while it
    still runs (gh-90882). Whoever asks again would then take the memory away that the job works in.

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
        """Waits for the end of the job, at most so long; has it ended?"""
        return self._over.wait(seconds)

    def result(self) -> T:
        """Waits for the end of the job; what it returned, or its exception."""
        while not self.wait(0.1):
            pass
        if self._failed:
            raise self._failed[0]
        return self._done[0]


class Runner:
    """One search, or another long job: its clock, its stop, and its threads.

    The clock starts now. A stop is asked for by `stop`, by the deadline, or by Ctrl-C; jobs look at `stopped`, and native code
    at the word at `address`, which is also set when another thread has the answer.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        *,
        tick: Callable[[], None] | None = None,
        every: float = LOOK,
        on_stop: Callable[[], None] | None = None,
    ) -> None:
        """`tick` is called again and again while jobs run; `on_stop` again and again after a stop, until they have ended."""
        self.began = time.perf_counter()
        self.deadline = self.began + seconds
        self.stopped = False
        self._tick, self._every, self._on_stop = tick, every, on_stop
        self._word = (ctypes.c_int64 * 8)()  # a cache line: nothing else that is written often may lie beside it
        self.address = ctypes.addressof(self._word)

    @property
    def seconds(self) -> float:
        """Since the beginning."""
        return time.perf_counter() - self.began

    @property
    def left(self) -> float:
        """Seconds to the deadline."""
        return self.deadline - time.perf_counter()

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """The clock stands meanwhile: nobody's time is spent on compiling."""
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
        """Runs a job on threads, each told its number from 0 on; the first answer other than None ends the others.

        Returns that answer, or raises a job's exception. In any case, Ctrl-C too, all have ended by then.

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
                workers.append(Worker(functools.partial(body, number), stack))  # one by one: Ctrl-C must find those that run
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
