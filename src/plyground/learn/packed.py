"""Weights in little room, for nets that travel: most weights of a large net are 0, because no game ever needed them.

First a bit for each weight: is it not 0? Then the lower bytes of those that are not, then the higher bytes; all of it deflated.
Large nets take long to unpack, so this is done once: the result stays in the cache, from where it is mapped into memory.
"""

from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from plyground.errors import PlygroundError
from plyground.learn.find import copies
from plyground.system.files import write_file

STEP = 8
"""Weights are rounded off to multiples of this when a net is packed, unless another step is asked for: the rest is noise that
does not pack. It is a unit of the search in games without chance."""
MOST = 1 << 27
"""How many weights a packed net may have: a small file must not take up all memory."""
LARGE = 1 << 23
"""With so many weights, a net is unpacked only once."""
HEAD = struct.Struct("<56xQ")
"""In the cache, before the weights: their checksum."""
WEIGHT = np.dtype("<i2")

Array = np.ndarray[Any, Any]


def rounded(weights: Array, step: int = STEP) -> Array:
    """The weights, rounded off to multiples of a step."""
    low, high = -((1 << 15) // step * step), ((1 << 15) - 1) // step * step
    found: Array = np.clip(np.rint(weights / step) * step, low, high).astype(np.int16)
    return found


def pack(weights: Array) -> tuple[bytes, int]:
    """The packed weights, and how many of them are not 0."""
    used = weights != 0
    some = weights[used].astype(WEIGHT).view(np.uint8).reshape(-1, 2)
    parts = [np.packbits(used), np.ascontiguousarray(some[:, 0]), np.ascontiguousarray(some[:, 1])]
    return zlib.compress(b"".join(part.tobytes() for part in parts), 9), len(some)


def unpack(data: bytes, count: int, used: int, spare: int) -> Array:
    """So many weights, of which so many are not 0, and spare zeros; ValueError if the data is something else."""
    if not 0 <= used <= count <= MOST:
        raise ValueError("too many weights")
    bits = -(-count // 8)
    machine = zlib.decompressobj()
    try:
        text = machine.decompress(data, bits + 2 * used + 1)
    except zlib.error as e:
        raise ValueError("not deflated") from e
    if len(text) != bits + 2 * used or not machine.eof or machine.unused_data:
        raise ValueError("another length")
    where = np.unpackbits(np.frombuffer(text, np.uint8, bits), count=count).view(np.bool_)
    if np.count_nonzero(where) != used:
        raise ValueError("another number of bits")
    some = np.empty((used, 2), np.uint8)
    for byte in (0, 1):
        some[:, byte] = np.frombuffer(text, np.uint8, used, bits + byte * used)
    found: Array = np.zeros(count + spare, WEIGHT)
    found[:count][where] = some.view(WEIGHT).ravel()
    return found


def unpack_once(checksum: str, data: bytes, count: int, used: int, spare: int) -> Array:
    """The same for the net with this checksum, from the cache if it was unpacked before."""
    if count < LARGE:
        return unpack(data, count, used, spare)
    path = copies() / f"{checksum}.weights"
    found = _mapped(path, count + spare)
    if found is None:
        weights = unpack(data, count, used, spare)
        with contextlib.suppress(PlygroundError, OSError):  # a full disk: then the next start takes longer
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_file(path, [HEAD.pack(zlib.crc32(weights.data)), weights])
            found = _mapped(path, count + spare)
        return weights if found is None else found
    return found


def _mapped(path: Path, stored: int) -> Array | None:
    """Weights in the cache; None if they are not there as a whole."""
    try:
        if path.stat().st_size != HEAD.size + WEIGHT.itemsize * stored:
            return None
        with open(path, "rb") as file:
            (wanted,) = HEAD.unpack(file.read(HEAD.size))
        found = np.memmap(path, WEIGHT, "r", HEAD.size, (stored,))
    except OSError:
        return None
    return found if zlib.crc32(found.data) == wanted else None
