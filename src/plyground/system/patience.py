"""Rules that never end are stopped and named: a watchdog interrupts interpreted code that runs for too long.

    with patience("mygame.py"):
        list(rules["moves"](s))

Interpreted code only: native code does not look up from its work.
"""

from __future__ import annotations

import ctypes
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plyground.errors import GameError

SECONDS = 10.0
"""How long the rules may think about one state; anything playable takes milliseconds."""


class _Enough(BaseException):
    """Raised inside rules that run for too long; no `except Exception` of theirs may swallow it."""


class _Watchdog:
    """One thread that looks at the clock, and interrupts the thread that has been at its rules for too long."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.due: dict[int, float] = {}
        self.running = False

    def watch(self, thread: int, until: float) -> None:
        with self.lock:
            self.due[thread] = until
            if not self.running:
                self.running = True
                threading.Thread(target=self._look, daemon=True, name="plyground-watchdog").start()

    def leave(self, thread: int) -> None:
        with self.lock:
            if self.due.pop(thread, None) is None:
                _interrupt(thread, None)  # it was due just now, and has not been raised yet

    def _look(self) -> None:
        while True:
            time.sleep(min(0.2, SECONDS / 4))
            with self.lock:
                for thread, until in list(self.due.items()):
                    if time.monotonic() > until:
                        del self.due[thread]
                        _interrupt(thread, _Enough)


def _interrupt(thread: int, kind: type[BaseException] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))


_watchdog = _Watchdog()


@contextmanager
def patience(where: str, seconds: float | None = None) -> Iterator[None]:
    """Interrupts rules that run for longer than so many seconds, and says where they were. Not to be nested."""
    seconds = SECONDS if seconds is None else seconds
    thread = threading.get_ident()
    _watchdog.watch(thread, time.monotonic() + seconds)
    try:
        yield
    except _Enough as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if Path(f.filename).name == Path(where).name]
        name = f"`{frames[0].name}`" if frames else "a rule"
        line = f":{frames[-1].lineno}" if frames else ""
        raise GameError(f"{where}{line}: {name} does not end: it was stopped after {seconds:g} s") from None
    finally:
        _watchdog.leave(thread)
