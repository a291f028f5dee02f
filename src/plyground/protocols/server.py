"""What the engine sides of all protocols share: lines come in, answers go out.

A protocol is a subclass of `Server` with `handle(line)`. Lines are read on one thread and handled on another, in order. `handle`
must return quickly, so that `stop` and `quit` are never kept waiting: searches run in the background. Any thread may `say`.

    class Echo(Server):
        def handle(self, line: str) -> None:
            self.say(line)
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import BinaryIO, NoReturn

from plyground.errors import PlygroundError
from plyground.system.runner import Worker
from plyground.system.streams import print_error, protocol_streams, write_error

MAX_LINE_BYTES = 1 << 20
"""The bytes of a line that are kept; the rest is dropped."""
MAX_QUEUED_LINES = 16
"""Lines that wait to be handled; the other program waits with further ones."""
EXIT_TIMEOUT = 2.0
"""Seconds that may pass between the end of the input and the end of the server."""
READER_STACK = 1 << 20


class Server(ABC):
    """The engine side of a protocol."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        self._source, self._target = source, target
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self._speaking = threading.Lock()
        self._ended: float | None = None  # when the input ended or `over` was set
        self.over = False
        """Set it to end the server after this line."""
        self.broken: Exception | None = None
        """The reason why output failed: the other program closed the pipe, or the disk is full."""

    # -- what a protocol says ----------------------------------------------------------------------------------------------

    @abstractmethod
    def handle(self, line: str) -> None:
        """Answer a line. An exception is reported by `complain`, and the next line follows."""

    def send_error(self, text: str) -> None:
        """Report an error to the other program, as far as the protocol allows it."""
        print_error(text)

    def shut_down(self) -> None:  # noqa: B027 (a protocol without a background has nothing to stop)
        """Stop what runs in the background; called once, at the end."""

    # -- lines -------------------------------------------------------------------------------------------------------------

    def say(self, *lines: str) -> None:
        """Send lines to the other program at once, without lines of other threads between them."""
        text = "".join(" ".join(line.splitlines()) + "\n" for line in lines)
        with self._speaking:
            if self.broken:
                return
            try:
                self._target.write(text.encode("utf-8", "replace"))
                self._target.flush()
            except (OSError, ValueError) as e:
                self.broken = e

    @property
    def waiting(self) -> bool:
        """Whether lines wait to be handled after this one."""
        return not self._lines.empty() or self._ended is not None

    def serve(self) -> None:
        """Handle lines until the input ends, `over` is set or nobody reads the answers."""
        Worker(self._read, READER_STACK)
        handler = Worker(self._handle_all)
        while not handler.wait(0.1):
            if self.broken or (self._ended is not None and time.monotonic() > self._ended + EXIT_TIMEOUT):
                return
        handler.result()

    def _read(self) -> None:
        try:
            for line in lines_of(self._source):
                self._lines.put(line)
        finally:
            self._ended = time.monotonic()
            self._lines.put(None)

    def _handle_all(self) -> None:
        try:
            while not self.over and not self.broken and (line := self._lines.get()) is not None:
                self._handle_one(line)
        finally:
            self._ended = time.monotonic()
            self.shut_down()

    def _handle_one(self, line: str) -> None:
        try:
            self.handle(line)
        except Exception as e:
            self.report(e)

    def report(self, e: Exception) -> None:
        """Report an exception in one line; if it wasn't meant for the user, stderr gets the traceback."""
        if isinstance(e, PlygroundError):
            return self.send_error(str(e))
        print_error("".join(traceback.format_exception(e)), end="")
        return self.send_error(f"{type(e).__name__}: {e}")


def lines_of(source: BinaryIO) -> Iterator[str]:
    """Yield the lines of a stream as text, without line ends; very long ones are cut.

    >>> import io
    >>> list(lines_of(io.BytesIO(b"uci\\r\\n\\xff\\0!\\nquit")))
    ['uci', '\ufffd\ufffd!', 'quit']
    """
    with contextlib.suppress(OSError, ValueError):
        while line := source.readline(MAX_LINE_BYTES):
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = source.readline(MAX_LINE_BYTES)
            yield line.decode("utf-8", "replace").replace("\0", "\ufffd").rstrip("\r\n")


def run(protocol: Callable[[BinaryIO, BinaryIO], Server]) -> NoReturn:
    """Serve on stdin and stdout and end the process. Rules may print and read as they like: they get other streams."""
    try:
        streams = protocol_streams()
    except OSError as e:
        raise PlygroundError("a protocol needs stdin and stdout, and one of them is closed") from e
    server = protocol(*streams)
    server.serve()
    full = server.broken and write_error(server.broken)
    if full:
        print_error(f"plyground: {full}")
    sys.stderr.flush()
    # At once: native code may still run on a thread, and a normal exit would free the memory that it uses.
    os._exit(2 if full else 141 if server.broken else 0)
