"""Runs jobs on other threads while this one waits, watches the deadline and can still catch Ctrl-C."""

from __future__ import annotations

import ctypes
import functools
import math
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")
STACK = 64 << 20
"""Stack size of a worker in bytes: kernels and textbook algorithms are recursive."""
POLL_SECONDS = 0.2
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

    def __init__(self, job: Callable[[], T], stack: int = STACK, among: list[Worker[T]] | None = None) -> None:
        """Start the job. The worker is in `among` before its job begins; if Ctrl-C comes before that, the job never does."""
        self._done: list[T] = []
        self._failed: list[BaseException] = []
        self._over = threading.Event()
        known, ready = [] if among is None else among, threading.Event()

        def body() -> None:
            try:
                ready.wait()
                if self in known:
                    self._done.append(job())
            except BaseException as e:
                self._failed.append(e)
            finally:
                self._over.set()

        with _starting:
            old = threading.stack_size(stack)
            try:
                threading.Thread(target=body, daemon=True, name="plyground-worker").start()
                known.append(self)
            finally:
                threading.stack_size(old)
                ready.set()

    @property
    def over(self) -> bool:
        """Whether the job has ended."""
        return self._over.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the job to end, at most `seconds`; return whether it has ended."""
        return self._over.wait(seconds)

    def result(self) -> T:
        """Wait for the job to end; return its value or raise its exception."""
        while not self.wait(0.1):
            pass
        if self._failed:
            raise self._failed[0]
        return self._done[0]


class ThreadPool:
    """Threads that stay, for many short jobs: starting a thread takes longer than some of them.

    >>> done = []
    >>> ThreadPool(2).run([lambda number: done.append(6 * 7)] * 2)
    >>> done
    [42, 42]
    """

    def __init__(self, threads: int) -> None:
        """Start the threads; the one that calls `run` is one of them."""
        self._orders: list[SimpleQueue[Callable[[int], None] | None]] = [SimpleQueue() for _ in range(threads - 1)]
        self._ended: SimpleQueue[BaseException | None] = SimpleQueue()
        for number, orders in enumerate(self._orders, 1):
            Worker(functools.partial(_serve, orders, self._ended, number))
        weakref.finalize(self, _dismiss, self._orders)

    def run(self, jobs: Iterable[Callable[[int], None]]) -> None:
        """Do all jobs, each on the next free thread, and call them with its number; raise the exception of a job."""
        some = list(jobs)
        if len(some) < 2:  # waking the others would take longer
            for job in some:
                job(0)
            return
        waiting = iter(some)

        def drain(number: int) -> None:
            for job in waiting:
                job(number)

        for orders in self._orders:
            orders.put(drain)
        try:
            drain(0)
        finally:
            failed = [e for e in [self._ended.get() for _ in self._orders] if e is not None]
        try:
            if failed:
                raise failed[0]
        finally:
            del failed  # an exception that refers to itself would keep the threads alive


def _serve(orders: SimpleQueue[Callable[[int], None] | None], ended: SimpleQueue[BaseException | None], number: int) -> None:
    """Carry out orders until one is None: the life of a thread of a pool."""
    while (order := orders.get()) is not None:
        try:
            order(number)
        except BaseException as e:
            ended.put(e)
        else:
            ended.put(None)
        del order  # what it refers to must not live until the next one


def _dismiss(orders: Sequence[SimpleQueue[Callable[[int], None] | None]]) -> None:
    for waiting in orders:
        waiting.put(None)


class Runner:
    """A search or another long job: its clock, its stop flag and its threads.

    The clock starts now. `stop`, the deadline or Ctrl-C request a stop; jobs check `stopped`, and native code the word at
    `address`, which is also set when another thread has the answer.
    """

    def __init__(self, seconds: float = math.inf) -> None:
        self.began = time.perf_counter()
        self.deadline = self.began + seconds
        self.stopped = False
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
    def pause_clock(self) -> Iterator[None]:
        """Stop the clock meanwhile: compiling does not count."""
        since = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - since
            self.began += took
            self.deadline += took

    def stop(self) -> None:
        """Ask all jobs to end."""
        self.stopped = True
        self._word[0] = 1

    def run(
        self,
        job: Callable[[int], T | None],
        threads: int = 1,
        stack: int = STACK,
        *,
        tick: Callable[[], None] | None = None,
        every: float = POLL_SECONDS,
        on_stop: Callable[[], None] | None = None,
    ) -> T | None:
        """Run a job on several threads, with their numbers from 0; the first answer other than None stops the others.

        Returns that answer, or raises a job's exception. All threads have ended by then, even after Ctrl-C. `tick` is called
        repeatedly while jobs run; `on_stop` repeatedly after a stop, until they have ended. Neither is kept: an owner that
        the runner refers to would wait for the collector, with its tables.

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
                Worker(functools.partial(body, number), stack, workers)  # Ctrl-C must find all that run
            for worker in workers:
                while not worker.wait(0.01 if self.stopped else max(0.001, min(every, self.left))):
                    self._look(tick, on_stop)
        except BaseException:
            self.stop()
            raise
        finally:
            for worker in workers:
                while not worker.wait(0.01):
                    self._look(tick, on_stop)
            self._word[0] = int(self.stopped)
        for worker in workers:
            worker.result()
        return found[0] if found else None

    def _look(self, tick: Callable[[], None] | None, on_stop: Callable[[], None] | None) -> None:
        if self.left <= 0:
            self.stop()
        if not self.stopped:
            if tick is not None:
                tick()
            return
        self._word[0] = 1
        if on_stop is not None:
            on_stop()
