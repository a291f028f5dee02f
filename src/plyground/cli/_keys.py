"""Reads single keys from a terminal, without Enter."""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Any

NAMES = {"A": "up", "B": "down", "C": "right", "D": "left"}
"""The last letter of an arrow key's sequence: ESC [ A, or ESC O A."""
PAUSE = 0.03
"""Seconds within which the rest of a key's sequence follows its first byte."""


def available() -> bool:
    """Are stdin and stdout terminals that can be read key by key?"""
    try:
        import termios  # noqa: F401 (not on every system)
    except ImportError:
        return False
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def name(key: str) -> str:
    """The name of a key: up, down, left, right, enter, end (Ctrl-D), escape for other control sequences, else its character.

    >>> name("\\x1b[A"), name("\\x1bOD"), name("\\x1b[3~"), name("\\r"), name("a"), name("\\x04")
    ('up', 'left', 'escape', 'enter', 'a', 'end')
    """
    if key.startswith("\x1b"):
        return NAMES.get(key[-1], "escape") if len(key) > 1 else "escape"
    return {"\r": "enter", "\n": "enter", "\x04": "end"}.get(key, key)


class Keys:
    """While this is open, keys arrive one by one and are not echoed; Ctrl-C still interrupts."""

    def __init__(self) -> None:
        self.fd = sys.stdin.fileno()
        self.old: Any = None

    def __enter__(self) -> Keys:
        import termios
        import tty

        self.old = termios.tcgetattr(self.fd)
        tty.setcbreak(self.fd, termios.TCSADRAIN)
        return self

    def read(self, seconds: float | None = None) -> str | None:
        """The name of the next key; None if there is none within `seconds`."""
        if not self._ready(seconds):
            return None
        data = os.read(self.fd, 1)  # only this key: the rest may be a line for `input`
        if not data:
            return "end"
        if data == b"\x1b":
            while self._ready(PAUSE) and (len(data) < 3 or not (data[-1:].isalpha() or data[-1:] == b"~")):
                data += os.read(self.fd, 1)
        while data[0] >= 0xC0 and len(data) < 4 and self._ready(PAUSE) and not _whole(data):
            data += os.read(self.fd, 1)
        return name(data.decode(errors="replace"))

    def _ready(self, seconds: float | None) -> bool:
        import select

        return bool(select.select([self.fd], [], [], seconds)[0])

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        import termios

        termios.tcsetattr(self.fd, termios.TCSADRAIN, self.old)


def _whole(data: bytes) -> bool:
    """Is this a complete UTF-8 character?"""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
