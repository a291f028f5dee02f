"""Progress displays for long-running work, and running that work so that Ctrl-C interrupts it."""

from __future__ import annotations

import json
import re
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TextIO, TypeVar

from plyground.system.runner import Worker
from plyground.system.streams import can_show, json_text, print_error, printable

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live
    from rich.text import Text

    from plyground.engine.engine import Engine

T = TypeVar("T")


class Stoppable(Protocol):
    """A live display on the terminal."""

    def stop(self) -> None:
        """Remove the display."""


PROGRESS_DELAY = 1.0
"""Seconds of silence before progress is shown."""
REDRAW = 0.2
"""Seconds between two redraws of a line."""
STACK = 1 << 20
"""Stack size of the thread that draws a line."""

MAX_CELL_WIDTH = 200
"""Characters of a cell in a table."""

_live: list[Stoppable] = []
"""Live displays on the terminal (lines, bars)."""
_faults: set[str] = set()
"""Cache faults already reported."""
_compiling: set[str] = set()
"""The games that are being compiled: their line is the only one meanwhile."""


def clear_displays() -> None:
    """Remove live displays and restore the cursor, when work is interrupted."""
    from plyground.compile import progress

    progress.line.stop()
    while _live:
        _live.pop().stop()


def print_json(value: object) -> None:
    """Print the one JSON object of a command."""
    text = json_text(value)
    print(text if can_show(text) else json.dumps(value))


def run_interruptible(job: Callable[[], T]) -> T:
    """Run a job on another thread, so that this one can catch Ctrl-C while native code runs; return its value."""
    return Worker(job).result()


def report_stopped(what: str) -> None:
    """Say on stderr, after Ctrl-C, how far the work got; what was found by then is printed as usual."""
    clear_displays()
    end = "\n" if sys.stderr.isatty() else ""  # the terminal has printed ^C
    print_error(f"{end}stopped: {what}")


def print_advice(*engines: Engine) -> None:
    """Say once, on stderr, what would make these engines stronger."""
    for sentence in dict.fromkeys(engine.advice for engine in engines if engine.advice):
        print_error(sentence)


def warn_uncached() -> None:
    """Say on stderr why compiled rules can't be cached, if they can't; once for each reason."""
    if fault := uncached():
        print_error(f"plyground: {fault}")


def uncached() -> str | None:
    """Return, once for each reason, that compiled rules can't be cached and why; None if they can, or if it was said before."""
    from plyground.compile import cache

    fault = cache.fault()
    if not fault or fault in _faults:
        return None
    _faults.add(fault)
    return f"compiled rules are not cached: {fault}"


def show_compiling() -> None:
    """Show cold compiles on stderr from now on: a line that counts down on a terminal, elsewhere one line per game at once, and
    more if it takes long.

    If kernels can't be cached, a warning says so once.
    """
    from plyground.compile import progress

    _faults.clear()
    lines: dict[str, tuple[StatusLine, float]] = {}

    def show(now: progress.Compiling) -> None:
        warn_uncached()
        (_compiling.discard if now.done else _compiling.add)(now.game)
        if sys.stderr.isatty():
            progress.line(now)
        elif now.game not in lines:
            lines[now.game] = StatusLine(waits=False), time.monotonic()
            lines[now.game][0].add(str(now))
        elif not now.done:
            line, began = lines[now.game]
            line.show(str(now), (time.monotonic() - began) / 2)  # the first line was written at once

    progress.on_compile(show)


def live(picture: Callable[[], RenderableType]) -> Live:
    """Show a picture on stderr that is drawn anew when `refresh` is called, until `clear_displays`; for terminals only."""
    from rich.console import Console
    from rich.live import Live

    display = Live(get_renderable=picture, console=Console(stderr=True), auto_refresh=False, transient=True)
    display.start(refresh=True)
    _live.append(display)
    return display


class StatusLine:
    """A line of progress on stderr, shown once work has taken a second.

    A terminal redraws it. Elsewhere a line is added each time the work has taken twice as long, unless nothing has changed: hours
    leave a dozen lines.
    """

    def __init__(self, waits: bool = True) -> None:
        """Start hidden; with `waits`, stay hidden while rules are compiled."""
        self.live, self.waits = sys.stderr.isatty(), waits
        self.due = PROGRESS_DELAY
        """The seconds of work after which the next line is added."""
        self.drawn: float | None = None
        """When the line was last drawn."""
        self.added = ""
        """The last line that was added."""

    def __enter__(self) -> StatusLine:
        return self

    def show(self, text: str, seconds: float) -> None:
        """Show the text for work that has taken some seconds, unless it is too early for it."""
        now = time.monotonic()
        if seconds < self.due or (self.waits and _compiling):
            return
        if self.live and self.drawn is not None and now - self.drawn < REDRAW:
            return
        self.drawn = now
        if self.live:
            print_error(f"\r{text[: shutil.get_terminal_size().columns - 1]}\x1b[K", end="")  # a line that wraps can't be redrawn
        elif text != self.added:
            self.due = 2 * seconds
            self.add(text)

    def add(self, text: str) -> None:
        """Add a line where lines stay."""
        self.added = text
        print_error(text)

    def note(self, text: str) -> None:
        """Show a line that stays."""
        print_error(f"\r{text}\x1b[K" if self.live else text)

    def stop(self) -> None:
        """Remove the line from a terminal."""
        if self.live and self.drawn is not None:
            print_error("\r\x1b[K", end="")
        self.drawn = None

    def __exit__(self, *why: object) -> None:
        self.stop()


class Countdown:
    """A status line for work in steps of similar length: what is done, how many steps of it, and how long the others will take.

    A thread draws it, because one step may take long. Work that is one step, with a `total` of 0, begins at once, otherwise the
    first tick is the beginning: the time before it was compilation.
    """

    def __init__(self, text: str, total: int = 0) -> None:
        self.text, self.total, self.done = text, total, 0
        self.line = StatusLine()
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._began: float | None = None
        self._before = 0

    def __enter__(self) -> Countdown:
        if not self.total:
            self.tick(0)
        return self

    def tick(self, n: int = 1) -> None:
        """Advance by n steps; call `tick(0)` when work begins."""
        self.done += n
        if self._began is None:
            self._began, self._before = time.monotonic(), n
            _live.append(self)
            Worker(self._draw, STACK)

    def reach(self, done: int, total: int, before: int) -> None:
        """Take over the count of work that counts its own steps; `before` of them were done when it began."""
        if self.total != total:
            self._began, self._before = time.monotonic(), before
        self.done, self.total = done, total

    def _draw(self) -> None:
        assert self._began is not None
        while not self._over.wait(REDRAW):
            with self._lock:
                if not self._over.is_set():
                    seconds = time.monotonic() - self._began
                    self.line.show(progress_text(self.text, self.done, self.total, seconds, self._before), seconds)

    def stop(self) -> None:
        """Remove the line."""
        with self._lock:
            self._over.set()
            self.line.stop()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        if self in _live:
            _live.remove(self)
        self.stop()


def progress_text(text: str, done: int, total: int, seconds: float, before: int = 0) -> str:
    """Return how far work has got after some seconds; `before` steps were done when they began.

    >>> progress_text("check chess", 12, 50, 6.0), progress_text("check chess", 0, 50, 6.0)
    ('check chess: 12 of 50, 19 s left', 'check chess: 0 of 50, 6 s so far')
    >>> progress_text("write chess.html", 0, 0, 6.0)
    'write chess.html: 6 s so far'
    """
    from plyground.play import words

    count = f"{done:,} of {total:,}, " if total else ""
    if before < done < total:
        return f"{text}: {count}{words.duration(seconds * (total - done) / (done - before))} left"
    return f"{text}: {count}{words.duration(seconds)} so far"


def columns(rows: list[list[str]]) -> str:
    """Return rows of text in columns; columns of numbers are right-aligned. A cell that is too long is cut."""
    if not rows:
        return ""
    rows = [
        [printable(cell if len(cell) <= MAX_CELL_WIDTH else f"{cell[: MAX_CELL_WIDTH - 1]}…") for cell in row] for row in rows
    ]
    count = max(map(len, rows))
    full = [row + [""] * (count - len(row)) for row in rows]
    widths = [max(len(row[i]) for row in full) for i in range(count)]
    numeric = [all(row[i].lstrip("+-")[:1].isdigit() or not row[i] for row in full[1:]) and len(full) > 1 for i in range(count)]
    return "\n".join(
        "  ".join(cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, numeric, strict=True)).rstrip()
        for row in full
    )


def in_columns(texts: list[str], width: int) -> str:
    """Return moves in order, side by side; one per line if they have several parts.

    >>> in_columns(["10", "9", "a1"], 80)
    '9 10 a1'
    """
    texts = in_order(texts)
    if any(" " in text for text in texts):
        return "\n".join(texts)
    most = max(map(len, texts))
    each = max(1, (width + 1) // (most + 1))
    if len(texts) <= each:
        return " ".join(texts)
    rows = [texts[i : i + each] for i in range(0, len(texts), each)]
    return "\n".join(" ".join(text.ljust(most) for text in row).rstrip() for row in rows)


def in_order(texts: Iterable[str]) -> list[str]:
    """Return the texts sorted as people expect, numbers by value."""
    return sorted(texts, key=natural_sort_key)


def natural_sort_key(text: str) -> list[tuple[int, int, str]]:
    """Return a sort key that orders numbers in a text by value, and before letters."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.findall(r"[0-9]+|[^0-9]+", text)]


# -- the screen of a game --------------------------------------------------------------------------------------------------


def rich_terminal(console: Console) -> bool:
    """Return whether this terminal can show Unicode signs."""
    return console.is_terminal and not console.is_dumb_terminal and console.encoding.lower().startswith("utf")


class Screen:
    """The terminal screen on which a game is shown."""

    def __init__(self, out: TextIO) -> None:
        from rich.console import Console

        self.console = Console(file=out, highlight=False)
        self.unicode = rich_terminal(self.console)
        self.live = self.console.is_terminal and not self.console.is_dumb_terminal
        """Whether text can be drawn over."""
        self.squares = self.unicode and self.console.color_system in ("256", "truecolor") and not self.console.no_color
        """Whether there are colours for dark and light squares."""
        self.rows = 0
        """How many rows were printed since `begin`."""
        self._size = self.console.size

    @property
    def width(self) -> int:
        """The columns that a list may use."""
        return self.console.width if self.live else 100

    def say(self, text: str = "", style: str = "") -> None:
        """Print a line of text, without markup or control characters; a terminal never breaks it within a word."""
        from rich.text import Text

        self.show(Text(printable(text, "\n"), style), wrap=self.live)

    def show(self, text: Text, wrap: bool = False) -> None:
        """Print text as it is, or wrapped."""
        with self.console.capture() as captured:
            self.console.print(text, soft_wrap=not wrap)
        written = captured.get()
        self.console.file.write(written)
        self.console.file.flush()
        lines = [0] * written.count("\n") if wrap else [line.cell_len for line in text.split(allow_blank=True)]
        self.rows += sum(max(1, -(-length // self.console.width)) for length in lines)

    def begin(self) -> None:
        """Start drawing; on a terminal, over the previous drawing and everything printed below it."""
        if self.live and self.rows:
            size, height = self.console.size, self.console.height
            up = "\x1b[H" if size != self._size else f"\x1b[{min(self.rows, height - 1)}A\r"
            self.console.file.write(f"{up}\x1b[J")
            self._size = size
        self.rows = 0

    def forget(self) -> None:
        """Keep everything printed so far; the next drawing goes below it."""
        self.rows = 0

    def fits(self, text: str) -> bool:
        """Return whether the text and a line to type in fit below the picture."""
        return self.rows + text.count("\n") + 3 <= self.console.height

    def glossary(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print terms with their meanings in two columns, or one below the other on a narrow terminal."""
        rows = list(rows)
        first = max(len(word) for word, _ in rows)
        for word, meaning in rows:
            if not self.live:
                self.say(f"  {word:{first}} {meaning}")
            elif self.console.width < 60:
                self.say(word, "bold")
                self._indented(meaning, 2)
            else:
                self._indented(meaning, first + 4, f"  {word}")

    def _indented(self, text: str, by: int, before: str = "") -> None:
        import textwrap

        lines = textwrap.wrap(text, max(20, self.console.width - by), break_long_words=False) or [""]
        for i, line in enumerate(lines):
            self.say(f"{before if i == 0 else '':{by}}{line}")
