"""What the terminal shows during long work, and how to run it so that Ctrl-C works."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from plyground.system.runner import Worker
from plyground.system.streams import can_show, tell

if TYPE_CHECKING:
    from plyground.engine.engine import Engine

T = TypeVar("T")
PATIENCE = 1.0
"""Seconds of silence before progress is shown."""

_live: list[Any] = []
"""Live displays on the terminal (spinners, bars)."""


def tidy() -> None:
    """Removes live displays and restores the cursor, when work is interrupted."""
    while _live:
        _live.pop().stop()


def print_json(value: Any) -> None:
    """Prints the one JSON object of a command."""
    text = json.dumps(value, ensure_ascii=False)
    print(text if can_show(text) else json.dumps(value))


def work(job: Callable[[], T]) -> T:
    """Runs a job on another thread, so that this one can catch Ctrl-C while native code runs; returns its value."""
    return Worker(job).result()


def tell_stopped(what: str) -> None:
    """After Ctrl-C: says on stderr how far the work got; what was found by then is printed as usual."""
    tidy()
    end = "\n" if sys.stderr.isatty() else ""  # the terminal has printed ^C
    tell(f"{end}stopped: {what}")


def advise(*engines: Engine) -> None:
    """Says once, on stderr, what would make these engines stronger."""
    for sentence in dict.fromkeys(engine.advice for engine in engines if engine.advice):
        tell(sentence)


def show_compiling() -> None:
    """Shows cold compiles on stderr from now on: with a spinner on a terminal, elsewhere with one line per command.

    Each kernel is compiled once per game, so the text says what for. If kernels can't be cached, a warning says so once.
    """
    from plyground.compile import folder
    from plyground.compile import native as compiler

    told: set[str] = set()

    @contextlib.contextmanager
    def waiting(game: str, what: str) -> Iterator[None]:
        text = f"compiling {game} for {what} … (once)"
        fault = folder.fault()
        if fault:
            text = f"compiling {game} for {what} …"
            if fault not in told:
                told.add(fault)
                print(f"plyground: compiled rules are not cached: {fault}", file=sys.stderr, flush=True)
        if sys.stderr.isatty():
            from rich.console import Console

            with Console(stderr=True).status(text) as status:
                _live.append(status)
                yield
            tidy()
            return
        if game not in told:
            told.add(game)
            tell(text)
        yield

    compiler.on_cold_compile(waiting)


def live(picture: Callable[[], Any]) -> Any:
    """Shows a picture on stderr that is drawn anew when `refresh` is called, until `tidy`; for terminals only."""
    from rich.console import Console
    from rich.live import Live

    display = Live(get_renderable=picture, console=Console(stderr=True), auto_refresh=False, transient=True)
    display.start(refresh=True)
    _live.append(display)
    return display


class Bar:
    """A progress bar on stderr, shown one second after the first tick; nothing if stderr is not a terminal."""

    def __init__(self, text: str, total: int) -> None:
        self.text, self.total, self.done = text, total, 0
        self.timer: threading.Timer | None = None
        self.lock = threading.Lock()
        self.over = False
        self.bar: Any = None
        self.task: Any = None

    def __enter__(self) -> Bar:
        return self

    def tick(self, n: int = 1) -> None:
        """Advances the bar by n; call `tick(0)` when work begins."""
        with self.lock:
            self.done += n
            if self.bar is not None:
                self.bar.update(self.task, completed=self.done)
            elif self.timer is None and sys.stderr.isatty():
                self.timer = threading.Timer(PATIENCE, self._show)
                self.timer.daemon = True
                self.timer.start()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with self.lock:
            if self.over:
                return
            columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self.bar = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = self.bar.add_task(self.text, total=self.total, completed=self.done)
            self.bar.start()
            _live.append(self.bar)

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        with self.lock:
            self.over = True
            if self.timer is not None:
                self.timer.cancel()
            tidy()


class StatusLine:
    """A line of progress on stderr: redrawn on a terminal, elsewhere a new line every few seconds."""

    def __init__(self, every: float) -> None:
        self.live = sys.stderr.isatty()
        self.pause = 0.2 if self.live else every
        self.last = time.monotonic()
        self.drawn = False

    def __enter__(self) -> StatusLine:
        return self

    def show(self, text: str, seconds: float) -> None:
        """Shows the text, unless work has only begun or the last text is recent."""
        now = time.monotonic()
        if seconds >= PATIENCE and now - self.last >= self.pause:
            self.last, self.drawn = now, True
            most = shutil.get_terminal_size().columns - 1  # a line that wraps can't be redrawn
            tell(f"\r{text[:most]}\x1b[K" if self.live else text, end="" if self.live else "\n")

    def note(self, text: str) -> None:
        """Shows a line that stays."""
        tell(f"\r{text}\x1b[K" if self.live else text)

    def __exit__(self, *why: object) -> None:
        if self.live and self.drawn:
            tell("\r\x1b[K", end="")


def columns(rows: list[list[str]]) -> str:
    """Rows of text in columns; columns of numbers are right-aligned."""
    if not rows:
        return ""
    count = max(map(len, rows))
    full = [row + [""] * (count - len(row)) for row in rows]
    widths = [max(len(row[i]) for row in full) for i in range(count)]
    numeric = [all(row[i].lstrip("+-")[:1].isdigit() or not row[i] for row in full[1:]) and len(full) > 1 for i in range(count)]
    return "\n".join(
        "  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, numeric, strict=True)).rstrip()
        for row in full
    )
