"""Read a terminal key by key: single keys without Enter, and lines with editing, history, Tab, and a prompt that may change.

`readline` can't change its prompt, and its Tab listing can't be customised.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Container, Iterator
from types import TracebackType

NAMES = {"A": "up", "B": "down", "C": "right", "D": "left", "H": "home", "F": "end of line"}
"""The last letter of a key's sequence: ESC [ A, or ESC O A."""
NUMBERED = {"1": "home", "3": "delete", "4": "end of line", "7": "home", "8": "end of line"}
"""The number in a key's sequence: ESC [ 3 ~."""
CONTROL = {
    "\r": "enter", "\n": "enter", "\t": "tab", "\x7f": "backspace", "\x08": "backspace", "\x04": "end", "\x01": "home",
    "\x05": "end of line", "\x02": "left", "\x06": "right", "\x10": "up", "\x0e": "down", "\x15": "erase line",
    "\x17": "erase word", "\x0b": "erase rest", "\x0c": "redraw",
}  # fmt: skip
"""The control characters of line editors, such as Ctrl-A and Ctrl-U."""
POLL_SECONDS = 0.1
"""Seconds between two looks at the clock; and for Ctrl-C, since a signal that comes just before a wait doesn't end it."""
ESCAPE_TIMEOUT = 0.03
"""Seconds within which the rest of a key's sequence follows its first byte."""
BELL = "\a"
MIN_INPUT_WIDTH = 10
"""Columns that a prompt leaves at least for what is typed."""
NOT_DRAWN = ("", 0)
"""What is drawn before the first time: a row, and how far before its end the cursor is."""


def available() -> bool:
    """Return whether stdin and stdout are terminals that can be read key by key."""
    try:
        import termios  # noqa: F401 (not on every system)
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def name(key: str) -> str:
    """Return the name of a key: up, enter, tab, end (Ctrl-D), …, escape for other control sequences, else its character.

    >>> name("\\x1b[A"), name("\\x1bOD"), name("\\x1b[3~"), name("\\x1b[5~"), name("\\r"), name("a"), name("\\x04")
    ('up', 'left', 'delete', 'escape', 'enter', 'a', 'end')
    """
    if not key.startswith("\x1b"):
        return CONTROL.get(key, key)
    if key.endswith("~"):
        return NUMBERED.get(key[2:-1], "escape")
    return NAMES.get(key[-1], "escape") if len(key) > 1 else "escape"


class KeyReader:
    """While this is open, keys arrive one by one and are not echoed; Ctrl-C still interrupts."""

    def __init__(self) -> None:
        self.fd = sys.stdin.fileno()
        self.old: list[int | list[bytes | int]] = []

    def __enter__(self) -> KeyReader:
        import termios

        self.old = termios.tcgetattr(self.fd)
        self.listen()
        return self

    def listen(self) -> None:
        """Set the terminal's mode; again after the program was suspended, since the shell has changed it."""
        import termios
        import tty

        tty.setcbreak(self.fd, termios.TCSADRAIN)

    def read(self, seconds: float | None = None) -> str | None:
        """Return the name of the next key; None if there is none within `seconds`."""
        if not self._ready(seconds):
            return None
        data = os.read(self.fd, 1)  # only this key: the rest may be a line for `input`
        if not data:
            return "end"
        if data == b"\x1b":
            while self._ready(ESCAPE_TIMEOUT) and (len(data) < 3 or not (data[-1:].isalpha() or data[-1:] == b"~")):
                data += os.read(self.fd, 1)
        while data[0] >= 0xC0 and len(data) < 4 and self._ready(ESCAPE_TIMEOUT) and not _is_complete_utf8(data):
            data += os.read(self.fd, 1)
        return name(data.decode(errors="replace"))

    def _ready(self, seconds: float | None) -> bool:
        import select

        while not select.select([self.fd], [], [], POLL_SECONDS if seconds is None else seconds)[0]:
            if seconds is not None:
                return False
        return True

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        import termios

        termios.tcsetattr(self.fd, termios.TCSADRAIN, self.old)


class Lines:
    """Lines of a pipe, or of a terminal in its own mode; unlike `readline`, waiting for one ends when a clock says so."""

    def __init__(self, fd: int) -> None:
        self.fd, self.seen = fd, b""

    def read(self, over: Callable[[], bool]) -> str | None:
        """Return the next line; None if `over` becomes true before it has come."""
        import select

        while b"\n" not in self.seen:
            if over():
                return None
            if select.select([self.fd], [], [], POLL_SECONDS)[0]:
                data = os.read(self.fd, 1 << 16)
                if not data and not self.seen:
                    raise EOFError
                self.seen += data or b"\n"
        line, _, self.seen = self.seen.partition(b"\n")
        return line.decode(errors="replace")


def _is_complete_utf8(data: bytes) -> bool:
    """Return whether this is a complete UTF-8 character."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class LineEditor:
    """A line editor.

    `complete` gives what may stand where a text has been begun, `show` prints a list of these, and `on_resume` is called when the
    program goes on after Ctrl-Z.
    """

    def __init__(
        self, complete: Callable[[str], list[str]], show: Callable[[list[str]], None], on_resume: Callable[[], None]
    ) -> None:
        self.complete, self.show, self.on_resume = complete, show, on_resume
        self.history: list[str] = []
        self.rows = 0
        """Rows that the last `read` left above the cursor."""
        self._text, self._at, self._drawn = "", 0, NOT_DRAWN

    def read(self, prompt: Callable[[], str], keys: Container[str] = (), over: Callable[[], bool] | None = None) -> str | None:
        """Return the line that a person types, or the name of one of `keys` pressed on an empty line; None once `over` is true.

        The prompt is drawn anew whenever its text has changed, with what has been typed so far.
        """
        self._text, self._at, self._drawn, self.rows = "", 0, NOT_DRAWN, 0
        with KeyReader() as pressed:

            def again() -> None:
                self.rows = 0
                self.on_resume()
                pressed.listen()
                self._draw(prompt(), force=True)

            with _on_resume(again):
                return self._type(pressed, prompt, keys, over)

    def _type(
        self, pressed: KeyReader, prompt: Callable[[], str], keys: Container[str], over: Callable[[], bool] | None
    ) -> str | None:
        lines, shown = [*self.history, ""], len(self.history)  # the last one is the line being typed
        while True:
            self._draw(prompt())
            key = pressed.read(None if over is None else POLL_SECONDS)
            if over is not None and over():
                self._leave()
                return None
            if key is None:
                continue
            if key == "enter" or (key in keys and not self._text):
                self._set(self._text if key == "enter" else key)
                self._draw(prompt())
                self._leave()
                return self._keep()
            if key == "end" and not self._text:
                raise EOFError
            if key in ("up", "down"):
                lines[shown] = self._text
                shown = max(0, min(len(lines) - 1, shown + (1 if key == "down" else -1)))
                self._set(lines[shown])
            elif key == "tab":
                self._complete()
            else:
                self._edit(key)

    def _keep(self) -> str:
        if self._text.strip() and self._text not in self.history[-1:]:
            self.history.append(self._text)
        return self._text

    def _set(self, text: str, at: int | None = None) -> None:
        self._text, self._at = text, len(text) if at is None else at

    def _edit(self, key: str) -> None:
        """Change the line, or moves in it."""
        before, after = self._text[: self._at], self._text[self._at :]
        if len(key) == 1 and key.isprintable():
            self._set(before + key + after, self._at + 1)
        elif key == "backspace":
            self._set(before[:-1] + after, max(0, self._at - 1))
        elif key in ("delete", "end"):
            self._set(before + after[1:], self._at)
        elif key == "erase line":
            self._set(after, 0)
        elif key == "erase rest":
            self._set(before)
        elif key == "erase word":
            kept = before.rstrip().rpartition(" ")
            start = kept[0] + kept[1]
            self._set(start + after, len(start))
        elif key == "redraw":
            self._drawn = NOT_DRAWN
        else:
            steps = {"left": self._at - 1, "right": self._at + 1, "home": 0, "end of line": len(self._text)}
            self._at = max(0, min(len(self._text), steps.get(key, self._at)))

    def _complete(self) -> None:
        """Complete the text as far as it is clear; if it is not, list what it can become."""
        found = self.complete(self._text[: self._at])
        common = os.path.commonprefix(found)  # noqa: RUF071 (these are no paths: letter by letter is right)
        if len(common) > self._at or (len(found) == 1 and common != self._text):
            self._set(common)
        elif len(found) > 1:
            self._leave()
            self.show(found)
            self._drawn = NOT_DRAWN
        else:
            self._write(BELL)

    def _draw(self, prompt: str, force: bool = False) -> None:
        """Draw the prompt and the line in one row: of a long line, the part around the cursor."""
        from rich.cells import cell_len

        width = max(2 * MIN_INPUT_WIDTH, shutil.get_terminal_size().columns)
        while cell_len(prompt) > width - MIN_INPUT_WIDTH:  # whole words from its end, if there are any
            prompt = prompt.partition(" ")[2] if " " in prompt.rstrip() else prompt[1:]
        room = width - 1 - cell_len(prompt)
        text = self._text[max(0, self._at - room) :]
        at = min(self._at, room)
        while cell_len(text) > room:
            text, at = (text[:-1], at) if len(text) > at else (text[1:], at - 1)
        back, row = cell_len(text[at:]), prompt + text
        if force or (row, back) != self._drawn:
            typed = not force and self._drawn[0] and not back and not self._drawn[1] and row.startswith(self._drawn[0])
            moved = f"\x1b[{back}D" if back else ""
            self._write(row[len(self._drawn[0]) :] if typed else f"\r{row}\x1b[K{moved}")
        self._drawn = row, back

    def _leave(self) -> None:
        """End the row."""
        self.rows += 1
        self._write("\n")

    def _write(self, text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()


@contextlib.contextmanager
def _on_resume(again: Callable[[], None]) -> Iterator[None]:
    """Call `again` when the program goes on after Ctrl-Z."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    old = signal.signal(signal.SIGCONT, lambda number, frame: again())
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, old)
