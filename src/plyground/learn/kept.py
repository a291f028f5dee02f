"""Copies of nets, named by their checksums: a match keeps the net that it began with, even if that is trained again meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from plyground.errors import PlygroundError
from plyground.learn.file import checksum, checksum_in
from plyground.learn.find import copies
from plyground.system.files import cannot_write, write_file


def kept(name: str, wanted: str, places: Iterable[Path]) -> Path:
    """A copy of the net with this checksum, made from the first of these files that still is that net; `name` is for errors."""
    copy = copies() / f"{wanted}.net"
    if copy.is_file() and checksum(copy) == wanted:
        return copy
    for place in places:
        if place.is_file() and checksum(place) == wanted:
            data = place.read_bytes()
            if checksum_in(data, place) == wanted:  # it may have been replaced in this very moment
                _write(copy, data)
                return copy
    raise PlygroundError(f"{name}: the net that this match began with ({wanted[:8]}) is gone; begin a new match")


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as e:
        raise cannot_write(path, e) from e
    write_file(path, [data])
