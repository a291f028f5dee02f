"""The finished work of a run, on disk: an append-only file of chunks, each with a checksum.

A chunk is the mark, the length of what follows, its checksum, a line of JSON, and the bytes of the arrays it names. The first
chunk says what is being solved. An incomplete chunk, left when a run was killed, is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.system.files import cannot_write, lock

MARK = b"PLYPART1"
HEAD = struct.Struct("<8sQI")
Chunk = tuple[dict[str, Any], dict[str, np.ndarray[Any, Any]]]


class Log:
    """The file beside a table in the making."""

    def __init__(self, path: Path, subject: dict[str, Any]) -> None:
        self.path = path
        self.end = self.first = 0
        """The end of the last complete chunk, and of the first one."""
        new = False
        self.file = _open(path)
        try:
            if not lock(self.file):
                raise PlygroundError(f"{path}: another run is using it; wait for it or stop it")
            new = self.file.seek(0, os.SEEK_END) == 0
            first = self._next()
            if first is None:
                self.file.seek(0)
                if not MARK.startswith(self._read(len(MARK))):
                    raise PlygroundError(f"{path}: this is not an unfinished table; remove it or choose another name")
                self.file.truncate(0)
                self.write(subject, {})
            elif first[0] != subject:
                game, ending = first[0].get("game", "something else"), first[0].get("ending") or "the whole game"
                raise PlygroundError(f"{path}: started for {game} ({ending}) or other rules; remove it to start again")
        except BaseException:
            self.close(remove=new and self.end == 0)
            raise
        self.first = self.end

    @property
    def empty(self) -> bool:
        """Whether nothing has been finished yet."""
        return self.end == self.first

    def resume(self) -> Iterator[Chunk]:
        """Return the chunks of an earlier run, in order; after that, more can be written."""
        while (chunk := self._next()) is not None:
            yield chunk
        self.file.truncate(self.end)

    def chunks(self) -> Iterator[Chunk]:
        """Return all chunks but the first, in order."""
        end, self.end = self.end, 0
        self._next()
        while self.end < end:
            chunk = self._next()
            if chunk is None:
                raise PlygroundError(f"{self.path}: it was changed during the run; remove it to start again")
            yield chunk

    def _next(self) -> Chunk | None:
        """Return the chunk at `end`, which then moves past it; None if there is no complete one."""
        self.file.seek(self.end)
        head = self._read(HEAD.size)
        if len(head) < HEAD.size:
            return None
        mark, length, checksum = HEAD.unpack(head)
        if mark != MARK or length > self.path.stat().st_size - self.end - HEAD.size:
            return None
        body = self._read(length)
        if len(body) != length or zlib.crc32(body) != checksum:
            return None
        self.end += HEAD.size + length
        at = body.index(b"\n") + 1
        meta = json.loads(body[:at])
        arrays = {}
        for name, kind, items in meta.pop("arrays"):
            arrays[name] = np.frombuffer(body, kind, items, at)
            at += arrays[name].nbytes
        return meta, arrays

    def _read(self, size: int) -> bytes:
        """Return the next `size` bytes, or as many as there are."""
        parts = []
        while size > 0 and (part := self.file.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def write(self, meta: dict[str, Any], arrays: dict[str, np.ndarray[Any, Any]]) -> None:
        """Add a chunk; once this returns, it is safely on disk."""
        named = [(name, a.dtype.str, a.size) for name, a in arrays.items()]
        line = json.dumps({**meta, "arrays": named}).encode()
        # Native code reads the arrays in place: the first is aligned to a word, and arrays with larger items come first.
        parts: list[Any] = [line + b" " * (-(len(line) + 1) % 8) + b"\n"]
        parts += [np.ascontiguousarray(a).data.cast("B") for a in arrays.values() if a.size]
        length, checksum = 0, 0
        for part in parts:
            length += len(part)
            checksum = zlib.crc32(part, checksum)
        try:
            self.file.seek(self.end)
            for part in (HEAD.pack(MARK, length, checksum), *parts):
                rest = memoryview(part)
                while rest:
                    rest = rest[self.file.write(rest) :]
            os.fsync(self.file.fileno())
        except OSError as e:
            with contextlib.suppress(OSError):
                self.file.truncate(self.end)
            stays = "; finished work is kept in it: run the same command to resume" if self.end > self.first else ""
            raise PlygroundError(f"{cannot_write(self.path, e)}{stays}") from e
        self.end += HEAD.size + length

    def close(self, remove: bool = False) -> None:
        """Close the file, and with `remove` delete it."""
        self.file.close()
        if remove:
            self.path.unlink(missing_ok=True)


def _open(path: Path) -> io.FileIO:
    """Open the file unbuffered: a write that failed must not be retried on close."""
    try:
        return open(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644), "r+b", buffering=0)
    except OSError as e:
        raise cannot_write(path, e) from e
