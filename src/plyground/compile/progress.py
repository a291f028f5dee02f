"""The progress of a compilation: how long it will take, the listeners, and the line that shows it in a terminal."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from plyground.compile.cache import cache_folder
from plyground.errors import PlygroundError
from plyground.system.files import write_text
from plyground.system.runner import Worker
from plyground.system.streams import print_error

DEFAULT_PACE = 0.05
"""Seconds per function, before this machine has compiled anything."""
PACE_WEIGHT = 20
"""The weight of the pace on disk, in functions compiled now."""
REDRAW = 0.2
"""Seconds between two updates of the line."""
STACK = 1 << 20
"""Stack size of the thread that redraws the line."""


@dataclass(frozen=True)
class Compiling:
    """The progress of a compilation."""

    game: str
    functions: int
    """Functions compiled so far; 0 if everything was in the cache."""
    name: str
    """The last function compiled."""
    seconds: float
    done: bool = False
    purpose: str = ""
    """What the kernel is for: search, solver, training, …"""
    left: float = 0.0
    """Seconds until this kernel is compiled, an estimate from the pace of this machine."""

    def __str__(self) -> str:
        """Return a line for people.

        >>> print(Compiling("chess", 10, "moves", 2.0, purpose="search", left=3.4))
        Compiling chess for search (first time only): 4 s left
        """
        return f"Compiling {self.game} for {self.purpose}{first_time_only()}: {max(1, math.ceil(self.left))} s left"


def first_time_only() -> str:
    """Return the words that say that nothing is compiled twice; an empty text if it can't be cached."""
    return " (first time only)" if cache_folder() is not None else ""


Listener = Callable[[Compiling], None]
compile_lock = threading.RLock()
"""Held while the compiler is imported or runs. A half-imported compiler, and the type inference that `dialect` changes, must stay
hidden from other threads."""


class ProgressLine:
    """Shows a compilation as one line on stderr that counts down and then disappears; nothing unless stderr is a terminal."""

    def __init__(self) -> None:
        self._over = threading.Event()
        self._lock = threading.Lock()

    def __call__(self, now: Compiling) -> None:
        """Show the progress."""
        if now.done:
            return self.stop()
        self._now, self._since = now, time.perf_counter()
        if now.functions == 0 and sys.stderr is not None and sys.stderr.isatty():
            over = self._over = threading.Event()
            Worker(lambda: self._draw(over), STACK)
        return None

    def _draw(self, over: threading.Event) -> None:
        while not over.is_set():
            left = self._now.left - (time.perf_counter() - self._since)
            with self._lock:
                if not over.is_set():
                    print_error(f"\r{replace(self._now, left=left)}\x1b[K", end="")
            over.wait(REDRAW)

    def stop(self) -> None:
        """Remove the line."""
        with self._lock:
            drawn = hasattr(self, "_now") and not self._over.is_set() and sys.stderr is not None and sys.stderr.isatty()
            self._over.set()
            if drawn:
                print_error("\r\x1b[K", end="")


line = ProgressLine()
_listener: Listener | None = line
_own = threading.local()
"""The listener that `report_to` set on this thread, instead of the general one."""


def on_compile(listener: Listener | None) -> None:
    """Set the listener that is called while rules are compiled, in place of the line on stderr; with None, compiling is silent.

    It is called with a `Compiling` when a kernel begins, for every function, and when the kernel is done.
    """
    global _listener
    line.stop()
    _listener = listener


@contextlib.contextmanager
def report_to(game: str, listener: Listener | None) -> Iterator[None]:
    """Call the listener for every function that this thread compiles inside this context, and at the end."""
    if listener is None:
        yield
        return
    began, before = time.perf_counter(), 0
    last = Compiling(game, 0, "", 0.0)

    def hear(now: Compiling) -> None:
        nonlocal before, last
        if now.done:
            before += now.functions
        elif now.functions:
            last = replace(now, functions=before + now.functions, seconds=time.perf_counter() - began)
            listener(last)

    _own.listener = hear
    try:
        yield
    finally:
        del _own.listener
    listener(replace(last, seconds=time.perf_counter() - began, done=True, left=0.0))


@contextlib.contextmanager
def compiling(game: str, purpose: str, functions: int) -> Iterator[None]:
    """Report the compilation of a kernel with about this many functions, and keep the pace for the next estimate."""
    from numba.core import event

    hear: Listener | None = getattr(_own, "listener", _listener)
    began, paces = time.perf_counter(), _paces()
    pace = paces.get(purpose, DEFAULT_PACE)
    now = Compiling(game, 0, "", 0.0, purpose=purpose, left=functions * pace)

    class Ended(event.Listener):  # type: ignore[misc]
        def on_start(self, e: event.Event) -> None:
            pass

        def on_end(self, e: event.Event) -> None:
            nonlocal now
            done, seconds = now.functions + 1, time.perf_counter() - began
            by_pace = functions * pace - seconds if purpose in paces else 0.0
            left = max(by_pace, (functions - done) * (PACE_WEIGHT * pace + seconds) / (PACE_WEIGHT + done))
            now = Compiling(game, done, e.data["dispatcher"].py_func.__name__, seconds, purpose=purpose, left=left)
            if hear is not None:
                hear(now)

    if hear is not None:
        hear(now)
    try:
        with event.install_listener("numba:compile", Ended()):
            yield
    finally:
        if hear is not None:
            hear(replace(now, seconds=time.perf_counter() - began, done=True, left=0.0))
    _keep_pace(purpose, (time.perf_counter() - began) / max(functions, 1))


def _paces() -> dict[str, float]:
    """Return the seconds per function, by the purpose of the kernel, as they were the last time on this machine."""
    folder = cache_folder()
    with contextlib.suppress(OSError, ValueError):
        if folder is not None:
            kept = json.loads((folder / "pace.json").read_text(encoding="utf-8"))
            return {str(name): min(10.0, max(0.0, float(pace))) for name, pace in dict(kept).items()}
    return {}


def _keep_pace(purpose: str, pace: float) -> None:
    folder = cache_folder()
    if folder is not None:
        with contextlib.suppress(PlygroundError):  # the disk is full: the next estimate is rougher
            write_text(folder / "pace.json", json.dumps(_paces() | {purpose: round(pace, 4)}))
