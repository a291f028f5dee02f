"""Tables on disk, finished and unfinished: compact, checksummed, read in place. Nothing in them is ever run or unpickled.

    bytes 0-7     the mark PLYTABLE          bytes 12-15   the length of the header
    bytes 8-11    the version                bytes 16-19   the checksum of the header
    then the header (JSON), and from the next multiple of 64, the body:
      starts      32 bits per bucket, plus one entry: where the states of each bucket begin in the columns below
      rest        what distinguishes a state within its bucket: 1, 2, 4 or 8 bytes
      more        further words of each state, if it does not fit in 64 bits
      values      1 or 2 bytes: 0 drawn, n won in n - 1 plies, -n lost in n - 1; or the margin

A state is the words of its row, or its key if that is unique (`keys` in the header). Only the bits that differ between the states
of a table are stored. They are scrambled reversibly, so that the upper bits are evenly distributed: these are the index of the
bucket and take no space; the lower bits are the rest. So no information is lost, and a state that is not in the table is never
mistaken for another.

The finished work of a run is in a `Log`, an append-only file of chunks. A chunk is the mark PLYPART1, the length of what follows,
its checksum, a line of JSON, and the bytes of the arrays it names. The first chunk says what is being solved. An incomplete
chunk, left when a run was killed, is dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NotRequired, TypedDict

import numpy as np

from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.system.files import cannot_write, lock, write_file

Array = np.ndarray[Any, Any]


class TableSubject(TypedDict):
    """What a table is about."""

    game: str
    rules: str
    """Their fingerprint."""
    ending: str | None
    """None for the whole game."""


class TableSummary(TypedDict):
    """What a table contains."""

    keys: NotRequired[bool]
    states: int
    wins: int
    losses: int
    longest: int | None
    hardest: str | None


class TableHeader(TableSubject, TableSummary):
    """The header of a table. One from a file may hold anything until `lookup.open_tablebase` has checked it."""

    bits: Sequence[tuple[int, ...]]
    upper: int
    parts: list[tuple[str, str, int, int]]
    """For each column: its name, its type, its length, and where it begins."""
    checksum: int


class ChunkInfo(TypedDict, total=False):
    """The line of JSON in a chunk; the first chunk has a `TableSubject` instead."""

    stage: str
    ply: int
    layer: int
    seeds: int
    known: int


Chunk = tuple[ChunkInfo, dict[str, Array]]

MARK = b"PLYTABLE"
VERSION = 1
HEAD = struct.Struct("<8sIII")
ALIGN = 64
BLOCK = 1 << 20
ODD = 0x9E3779B97F4A7C15
MAX_STARTS = 28
"""The largest number of buckets, as a power of two."""


# -- a state in few bits ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bits:
    """Which bits of a row differ between states, and the values of the others."""

    masks: tuple[int, ...]
    fixed: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of bits that differ between states."""
        return sum(mask.bit_count() for mask in self.masks)

    @property
    def words(self) -> int:
        """The number of words that these bits take."""
        return max(1, (self.count + 63) // 64)

    @property
    def first(self) -> int:
        """The number of these bits in the first word."""
        return max(1, min(64, self.count))

    def runs(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield runs of adjacent bits: word and position in the row, number of bits, and position in the packed bits."""
        to = 0
        for word, mask in enumerate(self.masks):
            at = 0
            while mask >> at:
                at += ((mask >> at) & -(mask >> at)).bit_length() - 1
                size = 0
                while mask >> (at + size) & 1 and (size == 0 or (to + size) % 64):
                    size += 1
                yield word, at, size, to
                at += size
                to += size

    def gather(self, rows: Array) -> Array:
        """Return the differing bits of each row, packed: one column per word."""
        out = np.zeros((self.words, len(rows)), np.uint64)
        for word, at, size, to in self.runs():
            part = (rows[:, word] >> np.uint64(at)) & np.uint64((1 << size) - 1)
            out[to // 64] |= part << np.uint64(to % 64)
        return out

    def fit(self, row: Array) -> bool:
        """Return whether a row can be in this table: whether its other bits have their fixed values."""
        return all((int(x) ^ fixed) & ~mask & MASK == 0 for x, fixed, mask in zip(row, self.fixed, self.masks, strict=True))


def bits_of(rows: Array) -> Bits:
    """Return the bits that differ between rows."""
    every = np.bitwise_and.reduce(rows, axis=0)
    some = np.bitwise_or.reduce(rows, axis=0)
    return Bits(tuple(int(x) for x in every ^ some), tuple(int(x) for x in every))


def scramble(columns: Array, size: int) -> Array:
    """Spread the first column, of `size` bits, evenly; it can be recovered from the result and the other columns."""
    low = np.uint64((1 << size) - 1)
    x: Array = columns[0].copy()
    for other in columns[1:]:
        y = (other ^ (other >> np.uint64(29))) * np.uint64(ODD)
        x ^= (y ^ (y >> np.uint64(32))) & low
    half = np.uint64((size + 1) // 2)
    for _ in range(2):
        x = (x * np.uint64(ODD)) & low
        x ^= x >> half
    return x


def layout(size: int, states: int) -> tuple[int, int]:
    """Return how many of `size` bits are the bucket's index, and the bytes of the rest: whatever makes the file smallest."""
    options = [(max(0, size - 8 * width), width) for width in (1, 2, 4, 8)]
    return min((o for o in options if o[0] <= MAX_STARTS), key=lambda o: 4 * 2 ** o[0] + states * o[1])


# -- writing ---------------------------------------------------------------------------------------------------------------


def write_tablebase(path: Path, subject: TableSubject, summary: TableSummary, rows: Array, values: Array) -> None:
    """Write a table of these rows and their values, completely or not at all."""
    bits = bits_of(rows)
    columns = np.empty((bits.words, len(rows)), np.uint64)
    for at in range(0, len(rows), BLOCK):
        part = bits.gather(rows[at : at + BLOCK])
        part[0] = scramble(part, bits.first)
        columns[:, at : at + BLOCK] = part
    order = np.argsort(columns[0], kind="stable")
    columns[:] = columns[:, order]
    upper, width = layout(bits.first, len(rows))
    lower = bits.first - upper
    first = np.arange(1 << upper, dtype=np.uint64) << np.uint64(lower)
    starts = np.append(np.searchsorted(columns[0], first), len(rows)).astype("<u4")
    rest = (columns[0] & np.uint64((1 << lower) - 1)).astype(f"<u{width}")
    largest = max(-int(values.min(initial=0)), int(values.max(initial=0)))
    parts = {
        "starts": starts,
        "rest": rest,
        "more": columns[1:].astype("<u8"),
        "values": values[order].astype("<i1" if largest < 128 else "<i2"),
    }
    listed: list[tuple[str, str, int, int]] = []
    body: list[bytes | memoryview] = []
    at = checksum = 0
    for name, column in parts.items():
        listed.append((name, column.dtype.str, column.size, at))
        body += [column.reshape(-1).data.cast("B") if column.size else b"", bytes(-column.nbytes % ALIGN)]
        at += column.nbytes + len(body[-1])
    for data in body:
        checksum = zlib.crc32(data, checksum)
    header = TableHeader(**subject, **summary, bits=[bits.masks, bits.fixed], upper=upper, parts=listed, checksum=checksum)
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(HEAD.size + len(text)) % ALIGN)
    write_file(path, [HEAD.pack(MARK, VERSION, len(text), zlib.crc32(text)), text, *body])


# -- reading ---------------------------------------------------------------------------------------------------------------


class TableFormatError(Exception):
    """Why a file is not a table."""


def read_tablebase(path: Path) -> tuple[TableHeader, dict[str, Array]]:
    """Return the header and the columns of a file, with all checksums verified."""
    try:
        data = np.memmap(path, np.uint8, "r")
    except ValueError as e:
        raise TableFormatError("it is empty") from e
    if len(data) < HEAD.size or bytes(data[:8]) != MARK:
        raise TableFormatError("it does not start like one")
    _, version, length, checksum = HEAD.unpack(bytes(data[: HEAD.size]))
    if version != VERSION:
        raise TableFormatError(f"it has version {version}, this program reads version {VERSION}")
    text = bytes(data[HEAD.size : HEAD.size + length])
    if len(text) != length or zlib.crc32(text) != checksum:
        raise TableFormatError("its header is damaged")
    header: TableHeader = json.loads(text)
    body = data[HEAD.size + length :]
    columns, end = {}, 0
    for name, kind, items, at in header["parts"]:
        dtype = np.dtype(kind)
        end = at + -(-items * dtype.itemsize // ALIGN) * ALIGN
        if end > len(body):
            raise TableFormatError("it is incomplete")
        columns[name] = body[at : at + items * dtype.itemsize].view(dtype)
    if end != len(body) or zlib.crc32(body.data) != header["checksum"]:
        raise TableFormatError("it is damaged")
    return header, columns


# -- unfinished tables ----------------------------------------------------------------------------------------------------------

PART_MARK = b"PLYPART1"
PART_HEAD = struct.Struct("<8sQI")


class Log:
    """The file beside an unfinished table."""

    def __init__(self, path: Path, subject: TableSubject) -> None:
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
                if not PART_MARK.startswith(self._read(len(PART_MARK))):
                    raise PlygroundError(f"{path}: this is not an unfinished table; remove it or choose another name")
                self.file.truncate(0)
                self._append(subject, {})
            elif dict(first[0]) != subject:
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
        head = self._read(PART_HEAD.size)
        if len(head) < PART_HEAD.size:
            return None
        mark, length, checksum = PART_HEAD.unpack(head)
        if mark != PART_MARK or length > self.path.stat().st_size - self.end - PART_HEAD.size:
            return None
        body = self._read(length)
        if len(body) != length or zlib.crc32(body) != checksum:
            return None
        self.end += PART_HEAD.size + length
        at = body.index(b"\n") + 1
        info, arrays = json.loads(body[:at]), {}
        for name, kind, items in info.pop("arrays"):
            arrays[name] = np.frombuffer(body, kind, items, at)
            at += arrays[name].nbytes
        return info, arrays

    def _read(self, size: int) -> bytes:
        """Return the next `size` bytes, or as many as there are."""
        parts = []
        while size > 0 and (part := self.file.read(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def write(self, info: ChunkInfo, arrays: dict[str, Array]) -> None:
        """Add a chunk; once this returns, it is safely on disk."""
        self._append(info, arrays)

    def _append(self, info: ChunkInfo | TableSubject, arrays: dict[str, Array]) -> None:
        named = [(name, a.dtype.str, a.size) for name, a in arrays.items()]
        line = json.dumps({**info, "arrays": named}).encode()
        # Native code reads the arrays in place: the first is aligned to a word, and arrays with larger items come first.
        parts: list[bytes | memoryview] = [line + b" " * (-(len(line) + 1) % 8) + b"\n"]
        parts += [np.ascontiguousarray(a).data.cast("B") for a in arrays.values() if a.size]
        length, checksum = 0, 0
        for part in parts:
            length += len(part)
            checksum = zlib.crc32(part, checksum)
        try:
            self.file.seek(self.end)
            for part in (PART_HEAD.pack(PART_MARK, length, checksum), *parts):
                rest = memoryview(part)
                while rest:
                    rest = rest[self.file.write(rest) :]
            os.fsync(self.file.fileno())
        except OSError as e:
            with contextlib.suppress(OSError):
                self.file.truncate(self.end)
            stays = "; finished work is kept in it: run the same command to resume" if self.end > self.first else ""
            raise PlygroundError(f"{cannot_write(self.path, e)}{stays}") from e
        self.end += PART_HEAD.size + length

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
