"""Other processes: how to start them apart from this one, how to end all of them, and how to say how one ended."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from typing import Any

PATIENCE = 5.0
"""Seconds for a process to end after it was killed."""
GUARD = 'read -r _; kill -s KILL -- "-$0"'
"""A script of the shell that ends a process group as soon as its stdin ends."""


def apart() -> dict[str, Any]:
    """Arguments of `Popen` for a process group of its own, which Ctrl-C does not reach."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def guard(popen: subprocess.Popen[bytes]) -> subprocess.Popen[bytes] | None:
    """A small process that ends a process group if this process ends before `end_group` is called, even by kill -9."""
    if sys.platform == "win32":
        return None
    nothing = subprocess.DEVNULL
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            ["sh", "-c", GUARD, str(popen.pid)], stdin=subprocess.PIPE, stdout=nothing, stderr=nothing, cwd="/", **apart()
        )
    return None


def end_group(popen: subprocess.Popen[bytes], guard: subprocess.Popen[bytes] | None = None) -> None:
    """Ends a process that was started `apart` and all that it has started in turn, at once; then its guard."""
    if popen.returncode is None:  # else its number may be another's by now
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                subprocess.run(["taskkill", "/F", "/T", "/PID", str(popen.pid)], capture_output=True, check=False)
            else:
                os.killpg(popen.pid, signal.SIGKILL)
    if guard is not None:  # before the number of the group is free
        guard.kill()
        guard.wait()
        if guard.stdin is not None:
            guard.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(PATIENCE)


def has_ended(popen: subprocess.Popen[bytes]) -> bool:
    """Has a process ended? Its number stays its own, so that `end_group` can still end what it has left behind."""
    if sys.platform == "win32":
        return popen.poll() is not None
    if popen.returncode is not None:
        return True
    with contextlib.suppress(ChildProcessError):
        return os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return True


def last_words(code: int | None, errors: bytes) -> str:
    """How a process ended, and the last line that it wrote to stderr.

    >>> last_words(3, b"loading\\nno such net\\n"), last_words(-9, b"")
    ('exit code 3: no such net', 'SIGKILL')
    """
    how = f"exit code {code}"
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            how = signal.Signals(-code).name
    lines = printable(errors.decode("utf-8", "backslashreplace"), "\n").splitlines()
    said = [" ".join(line.split()) for line in lines if line.strip()]
    return f"{how}: {said[-1]:.200}" if said else how


def printable(text: str, also: str = "") -> str:
    """A text of another program without characters that could do something to a terminal.

    >>> printable("\x1b[2Jhello")
    '?[2Jhello'
    """
    return "".join(c if c.isprintable() or c in also else "?" for c in text)
