"""Threads that run jobs while another thread waits, and can still catch Ctrl-C."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
STACK = 64 << 20
"""Bytes of stack for a worker: kernels and textbook algorithms recurse."""
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
