"""An engine that runs as a process: it exchanges lines, and every wait has a time limit.

    process = Process(["/opt/engines/stockfish"])
    process.send("uci")
    process.wait_for("uciok", 10)
    process.close()

The engine is in a process group of its own, in the folder of its program. Threads read what it writes: at most
`MAX_QUEUED_LINES` lines wait to be taken (then the engine has to wait), and of its stderr the last part is kept, in memory and
in a log. `close` ends the whole group. If this process ends before, a guard does so.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import queue
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.players.player import CRASHED, HUNG, UNPARSABLE, ForfeitError
from plyground.system.files import add_to_log, data_folder
from plyground.system.processes import (
    EXIT_TIMEOUT_SECONDS,
    end_group,
    exit_description,
    guard,
    has_ended,
    new_mark,
    new_process_group,
)
from plyground.system.runner import POLL_SECONDS, Worker
from plyground.system.streams import printable

CHUNK = 1 << 16
MAX_LINE_BYTES = 1 << 14
"""The longest line in bytes; the rest of a longer one is left out."""
MAX_QUEUED_LINES = 256
"""Lines that may wait to be taken."""
MAX_OUTPUT_BYTES = 1 << 24
"""The largest number of bytes that an engine may write in answer to one line. Ten minutes of analysis take less than one MB."""
STDERR_TAIL_BYTES = 4096
"""Bytes of stderr that are kept in memory."""
MAX_LOGGED_PER_PROCESS, MAX_LOG_SIZE = 1 << 18, 1 << 20
"""Bytes that one process may add to its log, and the maximum size of the log."""
EXIT_GRACE_SECONDS = 1.0
"""Seconds for an engine that closed its stdout to end by itself, so that its exit code can be reported."""
STACK = 1 << 20
"""Stack size of the threads here, which only wait."""


class Process:
    """A running engine."""

    def __init__(self, command: Sequence[str]) -> None:
        """Start a program, given by its absolute path, with its arguments."""
        pipe, self._mark = subprocess.PIPE, new_mark()
        name, _, value = self._mark.partition("=")
        try:
            self._popen = subprocess.Popen(
                list(command),
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
                cwd=Path(command[0]).parent,
                env={**os.environ, name: value},
                bufsize=0,
                **new_process_group(),
            )
        except (OSError, ValueError) as e:
            raise PlygroundError(f"{command[0]}: cannot be started ({getattr(e, 'strerror', None) or e})") from e
        self.pid = self._popen.pid
        self.log = log_of(command[0])
        self._guard = guard(self._popen, self._mark)
        self._command = command
        self._closed = False
        self._out: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self._unread = 0  # bytes that came since the last line was sent
        self._tail, self._logged = b"", 0
        self._threads = [Worker(job, STACK) for job in (self._write, self._read, self._read_errors)]

    def send(self, line: str) -> None:
        """Send a line; never wait, even if the engine does not read."""
        self._unread = 0
        self._out.put(line.encode("utf-8", "backslashreplace") + b"\n")

    def line(self, seconds: float) -> str | None:
        """Return the next line that the engine writes, without spaces around it; None after this many seconds."""
        until, ended = time.monotonic() + seconds, False
        while True:
            left = until - time.monotonic()
            try:
                line = self._lines.get(timeout=max(0.0, min(left, POLL_SECONDS)))
            except queue.Empty:
                if left <= 0:
                    return None
                if ended:  # another process still holds its stdout
                    raise self._crash() from None
                ended = has_ended(self._popen)
                continue
            if line is None:
                self._lines.put(None)  # for the next call
                raise self._crash()
            if self._unread > MAX_OUTPUT_BYTES:
                raise ForfeitError(UNPARSABLE, f"it wrote more than {MAX_OUTPUT_BYTES >> 20} MB without an answer")
            return line

    def wait_for(self, word: str, seconds: float) -> list[str]:
        """Wait for a line that begins with a word; return all lines up to this one."""
        until, heard = time.monotonic() + seconds, []
        while (line := self.line(until - time.monotonic())) is not None:
            heard.append(line)
            if line.split(maxsplit=1)[:1] == [word]:
                return heard[-MAX_QUEUED_LINES:]
            del heard[: -2 * MAX_QUEUED_LINES]
        raise ForfeitError(HUNG, f"it did not answer {word} within {seconds:g} s")

    def _crash(self) -> ForfeitError:
        until = time.monotonic() + EXIT_GRACE_SECONDS
        while not has_ended(self._popen) and time.monotonic() < until:
            time.sleep(0.01)
        if not has_ended(self._popen):
            return ForfeitError(CRASHED, "it has closed its stdout")
        self.close()
        return ForfeitError(CRASHED, f"it has ended ({exit_description(self._popen.returncode, self._tail)})")

    @property
    def stderr(self) -> str:
        """The end of the engine's stderr; complete after `close`."""
        return self._tail.decode("utf-8", "backslashreplace")

    def close(self) -> None:
        """End the engine and every process that it has started, at once."""
        if self._closed:
            return
        self._closed = True
        end_group(self._popen, self._mark, self._guard)
        self._out.put(None)
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        for thread, pipe in zip(self._threads, pipes, strict=True):
            assert pipe is not None
            if thread.wait(EXIT_TIMEOUT_SECONDS):  # otherwise a process that left the group would keep the pipe open
                with contextlib.suppress(OSError):
                    pipe.close()

    # -- on threads of their own ---------------------------------------------------------------------------------------------

    def _write(self) -> None:
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):  # the engine has exited; the reader thread reports it
            while (line := self._out.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[self._popen.stdin.write(rest) :]

    def _read(self) -> None:
        assert self._popen.stdout is not None
        rest = b""
        while part := _read_some(self._popen.stdout.fileno()):
            self._unread += len(part)
            *whole, rest = (rest + part).split(b"\n")
            for line in whole:
                self._put(line)
            rest = rest[:MAX_LINE_BYTES]
        if rest:
            self._put(rest)
        self._put(None)

    def _put(self, line: bytes | None) -> None:
        """Queue a line as soon as there is room for it."""
        text = None if line is None else line[:MAX_LINE_BYTES].decode("utf-8", "backslashreplace").replace("\0", "").strip()
        text = None if text is None else printable(text, "\t")
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(text, timeout=POLL_SECONDS)
                return

    def _read_errors(self) -> None:
        assert self._popen.stderr is not None
        while part := _read_some(self._popen.stderr.fileno()):
            self._tail = (self._tail + part)[-STDERR_TAIL_BYTES:]
            self._keep(part)

    def _keep(self, part: bytes) -> None:
        """Add a part of stderr to the log, as long as there is not too much of it."""
        if self._logged >= MAX_LOGGED_PER_PROCESS:
            return
        if not self._logged:
            now = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
            part = f"--- {now} UTC, process {self.pid}: {' '.join(self._command)}\n".encode() + part
        self._logged += len(part)
        if self._logged >= MAX_LOGGED_PER_PROCESS:
            part += b"\n--- the rest is left out\n"
        with contextlib.suppress(OSError):  # a game does not end because the disk is full
            add_to_log(self.log, part, MAX_LOG_SIZE)


def _read_some(file: int) -> bytes:
    """Return what comes next; nothing at the end."""
    try:
        return os.read(file, CHUNK)
    except OSError:
        return b""


def log_of(program: str) -> Path:
    """Return the file that keeps what a program writes to stderr."""
    return data_folder() / "engines" / f"{Path(program).name}.log"
