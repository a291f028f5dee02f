"""A watchdog that interrupts interpreted rules that run for too long, and names them.

    with patience("mygame.py"):
        list(rules["moves"](s))

Native code can't be interrupted.
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
"""How long the rules may take for one state; anything playable takes milliseconds."""


class _Enough(BaseException):
    """Raised inside rules that run for too long; a BaseException, so that `except Exception` does not catch it."""


class _Watchdog:
    """A thread that watches the clock and interrupts threads whose rules run for too long."""

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
                _interrupt(thread, None)  # cancels an interrupt that was sent but not yet raised

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
    """Interrupts rules that run for longer than `seconds`, and reports where. Must not be nested."""
    seconds = SECONDS if seconds is None else seconds
    thread = threading.get_ident()
    _watchdog.watch(thread, time.monotonic() + seconds)
    try:
        yield
    except _Enough as e:
        frames = [f for f in traceback.extract_tb(e.__traceback__) if Path(f.filename).name == Path(where).name]
        name = f"`{frames[0].name}`" if frames else "a rule"
        line = f":{frames[-1].lineno}" if frames else ""
        raise GameError(f"{where}{line}: {name} takes too long; it was stopped after {seconds:g} s") from None
    finally:
        _watchdog.leave(thread)
