"""Other processes: starting them in their own group, killing the whole group, and describing how one ended."""

from __future__ import annotations

import contextlib
import glob
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import TypedDict

from plyground.system.streams import printable

EXIT_TIMEOUT_SECONDS = 5.0
"""Seconds for a process to end after it was killed."""
MARK = "PLYGROUND_STARTED"
"""A variable in the environment of every engine: what the engine starts in turn inherits it and can be found by its value."""
GUARD = """
read -r _
kill -s KILL -- "-$0"
for round in 1 2 3 4 5; do
    for file in $(grep -lsz "^$1$" /proc/[0-9]*/environ); do
        file=${file%/environ}
        kill -s KILL "${file#/proc/}"
    done
done
"""
"""A script of the shell that ends a process group, and all that have left it, as soon as its stdin ends."""


class PopenArguments(TypedDict, total=False):
    """Arguments of `Popen`."""

    creationflags: int
    start_new_session: bool


def new_process_group() -> PopenArguments:
    """Return arguments of `Popen` for a process group of its own, which Ctrl-C does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def new_mark() -> str:
    """Return a new `NAME=value` for the environment of a process, by which everything that it starts can be found."""
    return f"{MARK}={secrets.token_hex(8)}"


def guard(popen: subprocess.Popen[bytes], mark: str) -> subprocess.Popen[bytes] | None:
    """Start a small process that ends a process group if this process ends before `end_group` is called, even by kill -9."""
    if sys.platform == "win32":
        return None
    nothing = subprocess.DEVNULL
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            ["sh", "-c", GUARD, str(popen.pid), mark],
            stdin=subprocess.PIPE,
            stdout=nothing,
            stderr=nothing,
            cwd="/",
            env={
                name: value for name, value in os.environ.items() if name != MARK
            },  # else what ends this process ends the guard too early
            **new_process_group(),
        )
    return None


def end_group(popen: subprocess.Popen[bytes], mark: str, guard: subprocess.Popen[bytes] | None = None) -> None:
    """End a process that was started `new_process_group` and all that it has started in turn, at once; then its guard.

    On Linux this includes those that left the group (`setsid`): they are found in /proc by the mark in their environment.
    """
    if popen.returncode is None:  # else its number may be another's by now
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(popen.pid)], capture_output=True, check=False)
            else:
                os.killpg(popen.pid, signal.SIGKILL)
    _end_marked(mark)
    if guard is not None:  # before the number of the group is free
        guard.kill()
        guard.wait()
        if guard.stdin is not None:
            guard.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(EXIT_TIMEOUT_SECONDS)


def _end_marked(mark: str) -> None:
    """End all processes with a mark and wait until they are gone: one that was just ended may have started another."""
    until = time.monotonic() + EXIT_TIMEOUT_SECONDS
    while (left := list(_marked(mark))) and time.monotonic() < until:
        for pid in left:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.002)


def _marked(mark: str) -> Iterator[int]:
    """Yield the processes that have this setting in their environment; those that have ended have no environment."""
    wanted = mark.encode()
    for file in glob.iglob("/proc/[0-9]*/environ"):
        with contextlib.suppress(OSError), open(file, "rb") as environment:  # those of other users can't be read
            if wanted in environment.read().split(b"\0"):
                yield int(file.split("/")[2])


def has_ended(popen: subprocess.Popen[bytes]) -> bool:
    """Return whether a process has ended. Its number stays its own, so that `end_group` can still end what it has left behind."""
    if sys.platform == "win32":
        return popen.poll() is not None
    if popen.returncode is not None:
        return True
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def exit_description(code: int | None, errors: bytes) -> str:
    """Return how a process ended, and the last line that it wrote to stderr.

    >>> exit_description(3, b"loading\\nno such net\\n"), exit_description(-9, b"")
    ('exit code 3: no such net', 'SIGKILL')
    """
    how = f"exit code {code}"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            how = signal.Signals(-code).name
    lines = printable(errors.decode("utf-8", "backslashreplace"), "\n").splitlines()
    said = [" ".join(line.split()) for line in lines if line.strip()]
    return f"{how}: {said[-1]:.200}" if said else how
