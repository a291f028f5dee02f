"""A watchdog that interrupts interpreted rules that run too long and reports where.

    with patience("mygame.py"):
        list(rules["moves"](s))

Native code can't be interrupted.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plyground.errors import GameError

SECONDS = 10.0
"""How long the rules may take for one state; anything playable takes milliseconds."""


class _RulesTimeout(BaseException):
    """Raised inside rules that run for too long. It is a BaseException, so that `except Exception` does not catch it."""


class _Watchdog:
    """A thread that watches the clock and interrupts threads whose rules run for too long."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Forget the thread that watches: a forked process has none of its parent's threads."""
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

    def pause(self, thread: int) -> float | None:
        """Stop watching a thread; return the seconds that its rules have left, or None if it isn't watched."""
        with self.lock:
            until = self.due.pop(thread, None)
        return None if until is None else until - time.monotonic()

    def _look(self) -> None:
        while True:
            time.sleep(min(0.2, SECONDS / 4))
            with self.lock:
                for thread, until in list(self.due.items()):
                    if time.monotonic() > until:
                        del self.due[thread]
                        _interrupt(thread, _RulesTimeout)


def _interrupt(thread: int, kind: type[BaseException] | None) -> None:
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))


_watchdog = _Watchdog()
if hasattr(os, "register_at_fork"):  # not on Windows
    os.register_at_fork(after_in_child=_watchdog.reset)


def frames_in(e: BaseException, where: str) -> list[traceback.FrameSummary]:
    """Return the frames of a traceback that are in the rules: in their file, or in any file of the folder of a `rules.py`."""
    rules, frames = Path(where), traceback.extract_tb(e.__traceback__)
    if rules.name != "rules.py":
        return [f for f in frames if Path(f.filename).name == rules.name]
    folder = rules.parent.parts
    return [f for f in frames if folder == Path(f.filename).parent.parts[-len(folder) :]]


def shown_file(where: str, file: str) -> str:
    """Return how errors name a file: like the rules if it is their file or one of their folder; else by its path.

    >>> shown_file("chess/rules.py", "/lib/games/chess/attacks.py")
    'chess/attacks.py'
    """
    rules, path = Path(where), Path(file)
    folder = rules.parent.parts
    if rules.name != "rules.py" or not folder:
        return where if path.name == rules.name else file
    return where.removesuffix(rules.name) + path.name if path.parent.parts[-len(folder) :] == folder else file


def place_in(e: BaseException, where: str) -> str:
    """Return the file and line of the rules in which an exception was raised; only the file if it was raised elsewhere."""
    frames = frames_in(e, where)
    if not frames:
        return where
    name = Path(frames[-1].filename).name
    return f"{where.removesuffix(Path(where).name)}{name}:{frames[-1].lineno}"


@contextmanager
def patience(where: str, seconds: float | None = None) -> Iterator[None]:
    """Interrupt rules that run for longer than `seconds`, and report where. Must not be nested."""
    seconds = SECONDS if seconds is None else seconds
    thread = threading.get_ident()
    _watchdog.watch(thread, time.monotonic() + seconds)
    try:
        yield
    except _RulesTimeout as e:
        frames = frames_in(e, where)
        name = f"`{frames[0].name}`" if frames else "a rule"
        raise GameError(f"{place_in(e, where)}: {name} takes too long; it was stopped after {seconds:g} s") from None
    finally:
        _watchdog.leave(thread)


@contextmanager
def paused() -> Iterator[None]:
    """Stop the clock of the rules for work of our own, such as compiling them."""
    thread = threading.get_ident()
    left = _watchdog.pause(thread)
    try:
        yield
    finally:
        if left is not None:
            _watchdog.watch(thread, time.monotonic() + left)
