"""Locks between processes: only one works on a file at a time. When a process ends, however it ends, its locks are released."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from plyground.errors import PlygroundError
from plyground.system.files import cannot_write


def lock(file: IO[Any]) -> bool:
    """Lock an open file until it is closed; False if another process has locked it. Without `flock` (Windows), always True."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def lock_file(path: Path, busy: str) -> Iterator[None]:
    """Hold the lock of this name, a file that is removed afterwards; `busy` is the error if another process holds it."""
    while True:
        try:
            file = open(path, "ab")  # noqa: SIM115
        except OSError as e:
            raise cannot_write(path, e) from e
        if not lock(file):
            file.close()
            raise PlygroundError(busy)
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                break
        file.close()  # its last owner has just removed it: only a file that others find is a lock
    try:
        yield
    finally:
        if os.name == "nt":
            file.close()  # an open file can't be removed there
        with contextlib.suppress(OSError):
            path.unlink()
        file.close()
