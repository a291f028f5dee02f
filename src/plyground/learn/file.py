"""Nets in files.

A file begins with 64 bytes: a mark, the version of the format, whether it is packed, the length of the header, where the weights
begin, and a checksum of all that follows. The header is JSON: the game with its parameters, the features and their hash, how many
weights there are, the scale, what `evaluate` said of some states if the net adds to it, and how the net was trained. Then come
the weights, 16 bits each, lowest byte first, and spare zeros: they are mapped into memory, so several processes share them. Or
they are packed (`packed.py`). Nothing in a file is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import math
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyground.compile.structure import EVALUATION
from plyground.errors import PlygroundError
from plyground.learn.features import Features, board_text
from plyground.learn.net import Net
from plyground.learn.packed import WEIGHT, pack, unpack_once
from plyground.learn.sample import evaluations
from plyground.learn.valid import fits
from plyground.rules.game import Game
from plyground.system.files import write_file

MARK = b"PLYNET\r\n"
VERSION = 1
HEAD = struct.Struct("<8sIIQQ32s")
"""The mark, the version, 1 if the weights are packed, the length of the header, where the weights begin, the checksum."""
LARGEST_HEADER = 1 << 24


def save(path: str | Path, game: Game, net: Net, packed: bool = False) -> None:
    """Writes a net to a file; a packed one is smaller and takes longer to load."""
    data, used = pack(net.weights) if packed else (net.stored.astype(WEIGHT, copy=False).tobytes(), None)
    header = {
        "game": game.name,
        "parameters": game.parameters,
        "features": net.features.as_json(),
        "hash": net.features.hash,
        "weights": len(net.weights),
        **({"used": used} if packed else {}),
        "scale": net.scale,
        "curved": net.curved,
        **({"evaluations": evaluations(game)} if net.features.base == EVALUATION else {}),
        "record": net.record,
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    begin = -(-(HEAD.size + len(text)) // HEAD.size) * HEAD.size
    parts = [text, bytes(begin - HEAD.size - len(text)), data]
    digest = hashlib.blake2b(digest_size=32)
    for part in parts:
        digest.update(part)
    write_file(path, [HEAD.pack(MARK, VERSION, packed, len(text), begin, digest.digest()), *parts])


def load(path: str | Path, game: Game) -> Net:
    """The net in a file, for this game; a file that is damaged, or for another game, is refused."""
    where = Path(path)
    try:
        size = where.stat().st_size
        with open(where, "rb") as file:
            head = _head(file.read(HEAD.size), path)
            if head.length > LARGEST_HEADER or not HEAD.size + head.length <= head.begin <= size:
                raise _damaged(path)
            found = hashlib.blake2b(digest_size=32)
            text, rest = file.read(head.length), []
            found.update(text)
            while part := file.read(1 << 20):
                found.update(part)
                rest += [part] if head.packed else []
            if found.digest() != head.digest:
                raise _damaged(path)
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror})") from e
    net = _read(path, game, text, head, size, b"".join(rest)[head.begin - head.length - HEAD.size :])
    net.name = f"{where.name} {head.digest.hex()[:8]}"
    return net


def checksum(path: str | Path) -> str:
    """The checksum that a net's file claims to have: equal for the same net. `load` finds out whether it is true."""
    try:
        with open(path, "rb") as file:
            return _head(file.read(HEAD.size), path).digest.hex()
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror})") from e


def is_whole(data: bytes, wanted: str) -> bool:
    """Are these the bytes of the net with this checksum, none of them damaged?"""
    try:
        claimed = _head(data[: HEAD.size], "").digest
    except PlygroundError:
        return False
    return claimed.hex() == wanted and hashlib.blake2b(memoryview(data)[HEAD.size :], digest_size=32).digest() == claimed


class _Head(NamedTuple):
    """The first bytes of a file."""

    packed: int
    length: int
    begin: int
    digest: bytes


def _head(data: bytes, path: str | Path) -> _Head:
    if len(data) < HEAD.size or data[: len(MARK)] != MARK:
        raise PlygroundError(f"{path}: this is not a net")
    _, version, *rest = HEAD.unpack(data)
    if version != VERSION:
        raise PlygroundError(f"{path}: this net has version {version}; this program reads version {VERSION}")
    return _Head(*rest)


def _damaged(path: str | Path) -> PlygroundError:
    return PlygroundError(f"{path}: this net is damaged; train it again or restore it from a copy")


def _same(given: Any, game: Game) -> bool:
    """Does the rules' `evaluate` say what it said when the net was trained? A file that doesn't tell is believed."""
    if given is None:
        return True
    now = evaluations(game)
    if not isinstance(given, list) or len(given) != len(now):
        return False
    return all(isinstance(a, float) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(given, now, strict=True))


def _read(path: str | Path, game: Game, text: bytes, head: _Head, size: int, packed: bytes) -> Net:
    try:
        header: dict[str, Any] = json.loads(text)
        name, parameters = str(header["game"]), dict(header["parameters"])
        if (name.partition("(")[0], parameters) != (game.name.partition("(")[0], game.parameters):
            raise PlygroundError(f"{path}: this net is for {name:.60}, not for {game.name}")
        features = Features.from_json(header["features"])
        count, scale, curved = int(header["weights"]), float(header["scale"]), bool(header["curved"])
        stored, used = count + features.spare, int(header.get("used", 0))
        whole = header["hash"] == features.hash and count == features.weights
        whole = whole and (head.packed == 1 or (head.packed == 0 and head.begin + WEIGHT.itemsize * stored == size))
        record, usable = dict(header["record"]), features.board != board_text(game) or fits(features, game)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as e:
        raise _damaged(path) from e
    if features.board != board_text(game):
        raise PlygroundError(f"{path}: this net was trained for other rules: its board or state differs; train it again")
    if not whole or not usable:
        raise _damaged(path)
    if features.base == EVALUATION and not _same(header.get("evaluations"), game):
        raise PlygroundError(f"{path}: this net adds to `evaluate`; that or the rules have changed since, so train it again")
    if not head.packed:
        return Net(features, np.memmap(path, WEIGHT, "r", head.begin, (stored,)), scale, curved, record)
    try:
        weights = unpack_once(head.digest.hex(), packed, count, used, features.spare)
    except ValueError as e:
        raise _damaged(path) from e
    return Net(features, weights, scale, curved, record)
