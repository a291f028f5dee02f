"""Copies of nets, named by their checksums: a match keeps the net that it began with, even if that is trained again meanwhile."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.learn.file import is_whole
from plyground.learn.find import copies
from plyground.system.files import cannot_write, write_file


def kept(name: str, wanted: str, places: Iterable[Path]) -> Path:
    """A copy of the net with this checksum, made from the first of these files that still is that net; `name` is for errors."""
    copy = copies() / f"{wanted}.net"
    for place in (copy, *places):
        with contextlib.suppress(OSError):
            data = place.read_bytes()
            if is_whole(data, wanted):
                if place != copy:
                    _write(copy, data)
                return copy
    raise PlygroundError(f"{name}: the net that this match began with ({wanted[:8]}) is gone; begin a new match")


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as e:
        raise cannot_write(path, e) from e
    write_file(path, [data])
