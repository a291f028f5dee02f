"""The disk cache of compiled kernels. Entries are named by a hash of their content, so stale code is never loaded."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from plyground.compile.folder import cache_folder

CHECKSUM = 32
"""Bytes of the checksum at the start of each file."""


class DamagedError(Exception):
    """A file in the cache is not what was written."""


def checked(data: bytes, name: str = "") -> bytes:
    """Return the contents of a cache file: the data, after a checksum of the name and the data.

    With the name, a file that was moved or copied to the place of another counts as damaged.
    """
    return hashlib.sha256(name.encode() + b"\0" + data).digest() + data


def read_checked(path: Path, name: str = "") -> bytes:
    """Return the data in a cache file, after its checksum is verified."""
    kept = path.read_bytes()
    if checked(kept[CHECKSUM:], name) != kept:
        raise DamagedError(path)
    return kept[CHECKSUM:]


def clear(folder: Path) -> None:
    for file in folder.glob("*.nb*"):
        file.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(tag: str) -> Iterator[Path | None]:
    """Lock the cache folder of one kernel, so that processes that need the same kernel compile it once, and return it."""
    folder = cache_folder(tag[:2], tag)
    if folder is None:
        yield None
        return
    try:
        (folder / "lock").touch()
    except OSError:  # the disk is full: the kernel works without the cache
        yield None
        return
    try:
        import fcntl
    except ImportError:  # Windows has no flock: every process compiles, and files are replaced atomically
        yield folder
        return
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
