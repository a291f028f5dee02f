"""Nets in files.

A file begins with 64 bytes: a mark, the version of the format, whether it is packed, the length of the header, where the weights
begin, and a checksum of all that follows. The header is JSON: the game with its parameters, the features and their hash, the
number of weights, the scale, what `evaluate` gave in some states if the net adds to it, and how the net was trained. Then come
the weights, 16 bits each, lowest byte first, and spare zeros: they are mapped into memory, so several processes share them.

Weights may be packed instead, for nets that travel: most weights of a large net are 0, because no game ever needed them. A bit
for each weight says whether it is used; then come the lower bytes of those that are, then the higher bytes, all of it deflated.
A large net takes long to unpack, so this is done once: the result stays in the cache, from where it is mapped into memory.

A file is not trusted: nothing in it is ever executed, and nothing in it may lead a kernel outside of its memory (`fits`).
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import struct
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from plyground.compile.cache import copies_folder
from plyground.compile.net_structure import ALWAYS_FIRST, EVALUATION, NOTHING, TURN, Item
from plyground.errors import PlygroundError
from plyground.nets.features import CELLS, DIGITS, FIELDS, MAX_COUNT, PLANES, Array, BitRange, Features, board_text
from plyground.nets.net import Net
from plyground.nets.observe import sample_evaluations
from plyground.rules.game import Game
from plyground.rules.layout import Field
from plyground.system.files import make_folder, write_file

MARK = b"PLYNET\r\n"
VERSION = 1
HEAD = struct.Struct("<8sIIQQ32s")
"""The mark, the version, 1 if the weights are packed, the length of the header, where the weights begin, the checksum."""
MAX_HEADER = 1 << 24
WEIGHT = np.dtype("<i2")
STEP = 8
"""Weights are rounded to multiples of this when a net is packed, unless another step is given: smaller differences are noise and
don't compress. It is a unit of the search in games without chance."""
MAX_WEIGHTS = 1 << 27
"""The most weights that a packed net may have: a small file must not be able to exhaust memory."""
LARGE_NET = 1 << 23
"""A net with this many weights is unpacked only once."""
CACHE_HEAD = struct.Struct("<56xQ")
"""In the cache, before the weights: their checksum."""
MAX_HIDDEN = 256


def save(path: str | Path, game: Game, net: Net, packed: bool = False) -> None:
    """Write a net to a file; a packed one is smaller and takes longer to load."""
    data, used = pack_weights(net.weights) if packed else (net.stored.astype(WEIGHT, copy=False).tobytes(), None)
    header = {
        "game": game.name,
        "parameters": game.parameters,
        "features": net.features.as_json(),
        "hash": net.features.hash,
        "weights": len(net.weights),
        **({"used": used} if packed else {}),
        "scale": net.scale,
        "curved": net.curved,
        **({"evaluations": sample_evaluations(game)} if net.features.base == EVALUATION else {}),
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
    """Return the net in a file for this game; refuse a file that is damaged, or for another game."""
    where = Path(path)
    try:
        size = where.stat().st_size
        with open(where, "rb") as file:
            head = _head(file.read(HEAD.size), path)
            if head.length > MAX_HEADER or not HEAD.size + head.length <= head.begin <= size:
                raise _damaged_error(path)
            found = hashlib.blake2b(digest_size=32)
            text, rest = file.read(head.length), []
            found.update(text)
            while part := file.read(1 << 20):
                found.update(part)
                rest += [part] if head.packed else []
            if found.digest() != head.digest:
                raise _damaged_error(path)
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror})") from e
    net = _read(path, game, text, head, size, b"".join(rest)[head.begin - head.length - HEAD.size :])
    net.name = f"{where.name} {head.digest.hex()[:8]}"
    return net


def checksum(path: str | Path) -> str:
    """Return the checksum that a net's file claims to have; `load` verifies it."""
    try:
        with open(path, "rb") as file:
            return _head(file.read(HEAD.size), path).digest.hex()
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror})") from e


def is_intact(data: bytes, wanted: str) -> bool:
    """Return whether the data is an undamaged net with this checksum."""
    try:
        claimed = _head(data[: HEAD.size], "").digest
    except PlygroundError:
        return False
    return claimed.hex() == wanted and hashlib.blake2b(memoryview(data)[HEAD.size :], digest_size=32).digest() == claimed


class NetFileHead(NamedTuple):
    """The first bytes of a file."""

    packed: int
    length: int
    begin: int
    digest: bytes


def _head(data: bytes, path: str | Path) -> NetFileHead:
    if len(data) < HEAD.size or data[: len(MARK)] != MARK:
        raise PlygroundError(f"{path}: this is not a net")
    _, version, *rest = HEAD.unpack(data)
    if version != VERSION:
        raise PlygroundError(f"{path}: this net has version {version}; this program reads version {VERSION}")
    return NetFileHead(*rest)


def _damaged_error(path: str | Path) -> PlygroundError:
    return PlygroundError(f"{path}: this net is damaged; train it again or restore it from a copy")


def _evaluates_as(given: object, game: Game) -> bool:
    """Return whether `evaluate` gives these numbers, which the file of a net has from its training (None: it has none)."""
    if given is None:
        return True
    now = sample_evaluations(game)
    if not isinstance(given, list) or len(given) != len(now):
        return False
    return all(isinstance(a, float) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9) for a, b in zip(given, now, strict=True))


def _read(path: str | Path, game: Game, text: bytes, head: NetFileHead, size: int, packed: bytes) -> Net:
    try:
        header = json.loads(text)
        name, parameters = str(header["game"]), dict(header["parameters"])
        if (name.partition("(")[0], parameters) != (game.name.partition("(")[0], game.parameters):
            raise PlygroundError(f"{path}: this net is for {name:.60}, not for {game.name}")
        features = Features.from_json(header["features"])
        count, scale, curved = int(header["weights"]), float(header["scale"]), bool(header["curved"])
        stored, used = count + features.spare, int(header.get("used", 0))
        whole = header["hash"] == features.hash and count == features.weights and math.isfinite(scale)
        whole = whole and (head.packed == 1 or (head.packed == 0 and head.begin + WEIGHT.itemsize * stored == size))
        record, usable = dict(header["record"]), features.board != board_text(game) or fits(features, game)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError) as e:
        raise _damaged_error(path) from e
    if features.board != board_text(game):
        raise PlygroundError(f"{path}: this net was trained for other rules: its board or state differs; train it again")
    if not whole or not usable:
        raise _damaged_error(path)
    if features.base == EVALUATION and not _evaluates_as(header.get("evaluations"), game):
        raise PlygroundError(f"{path}: this net adds to `evaluate`; that or the rules have changed since, so train it again")
    if not head.packed:
        return Net(features, np.memmap(path, WEIGHT, "r", head.begin, (stored,)), scale, curved, record)
    try:
        weights = unpack_cached(head.digest.hex(), packed, count, used, features.spare)
    except ValueError as e:
        raise _damaged_error(path) from e
    return Net(features, weights, scale, curved, record)


def copies_of_nets() -> Path:
    """Return the folder for copies of nets."""
    return copies_folder("nets")


# -- packed weights -----------------------------------------------------------------------------------------------------------


def round_to_multiples(weights: Array, step: int = STEP) -> Array:
    """Return the weights, rounded to multiples of a step."""
    low, high = -((1 << 15) // step * step), ((1 << 15) - 1) // step * step
    found: Array = np.clip(np.rint(weights / step) * step, low, high).astype(np.int16)
    return found


def pack_weights(weights: Array) -> tuple[bytes, int]:
    """Return the packed weights, and how many of them are not 0."""
    used = weights != 0
    some = weights[used].astype(WEIGHT).view(np.uint8).reshape(-1, 2)
    parts = [np.packbits(used), np.ascontiguousarray(some[:, 0]), np.ascontiguousarray(some[:, 1])]
    return zlib.compress(b"".join(part.tobytes() for part in parts), 9), len(some)


def unpack_weights(data: bytes, count: int, used: int, spare: int) -> Array:
    """Return `count` weights, of which `used` are not 0, and `spare` zeros; ValueError if the data is something else."""
    if not 0 <= used <= count <= MAX_WEIGHTS:
        raise ValueError("too many weights")
    bits = -(-count // 8)
    inflater = zlib.decompressobj()
    try:
        text = inflater.decompress(data, bits + 2 * used + 1)
    except zlib.error as e:
        raise ValueError("not deflated") from e
    if len(text) != bits + 2 * used or not inflater.eof or inflater.unused_data:
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


def unpack_cached(checksum: str, data: bytes, count: int, used: int, spare: int) -> Array:
    """Return the unpacked weights of the net with this checksum, from the cache if it was unpacked before."""
    if count < LARGE_NET:
        return unpack_weights(data, count, used, spare)
    path = copies_of_nets() / f"{checksum}.weights"
    found = _map_weights(path, count + spare)
    if found is None:
        weights = unpack_weights(data, count, used, spare)
        with contextlib.suppress(PlygroundError, OSError):  # a full disk: then the next start takes longer
            make_folder(path.parent, 0o700)
            write_file(path, [CACHE_HEAD.pack(zlib.crc32(weights.data)), weights.data])
            found = _map_weights(path, count + spare)
        return weights if found is None else found
    return found


def _map_weights(path: Path, stored: int) -> Array | None:
    """Return weights in the cache; None if they are missing or damaged."""
    try:
        if path.stat().st_size != CACHE_HEAD.size + WEIGHT.itemsize * stored:
            return None
        with open(path, "rb") as file:
            (wanted,) = CACHE_HEAD.unpack(file.read(CACHE_HEAD.size))
        found = np.memmap(path, WEIGHT, "r", CACHE_HEAD.size, (stored,))
    except OSError:
        return None
    return found if zlib.crc32(found.data) == wanted else None


# -- checking what a file says ------------------------------------------------------------------------------------------------


def fits(features: Features, game: Game) -> bool:
    """Return whether these features fit this game, as far as native code depends on it."""
    return (
        _fields_fit(features, game)
        and _view_fits(features, game)
        and _groups_fit(features)
        and _counts_fit(features)
        and _reader_fits(features)
    )


def _fields_fit(features: Features, game: Game) -> bool:
    """Return whether the fields that are read are single words of a state."""
    fields = game.layout.fields
    named = [f for word in features.reader.words for f in word]
    single = [n for n in (features.view.side, features.base) if n >= 0]
    if not all(_is_small_number(fields, item) for item in features.reader.items):
        return False
    return all(0 <= f.field < len(fields) and _is_number(fields[f.field], f.item) for f in named) and all(
        n < len(fields) and _is_number(fields[n], -1) for n in single
    )


def _is_small_number(fields: tuple[Field, ...], item: Item) -> bool:
    """Return whether this is a number of a state with a small range."""
    if not 0 <= item.field < len(fields) or not -1 <= item.bit < 64 or not 0 < item.high - item.low < 256:
        return False
    return _is_number(fields[item.field], item.item)


def _is_number(field: Field, item: int) -> bool:
    """Return whether this is one number of a state."""
    return 0 <= item < math.prod(field.shape) if field.shape else item == -1


def _view_fits(features: Features, game: Game) -> bool:
    view, board = features.view, game.board
    size, contents = (len(features.reader.items), len(view.swap)) if board is None else (board.size, board.most + 1)
    return (
        size > 0
        and len(game.sides) <= 2
        and sorted(view.mirror) == list(range(size))
        and sorted(view.swap) == list(range(contents))
        and (board is not None or view.mirror == tuple(range(size)))
        and (board is None) == (features.reader.kind == FIELDS)
        and (view.side >= 0 or view.side == ALWAYS_FIRST or (view.side == TURN and "turn" in game.has))
        and len(features.reader.spots) == (1 if view.side == ALWAYS_FIRST else 2)
        and features.base >= (EVALUATION if "evaluate" in game.has else NOTHING)
    )


def _reader_fits(features: Features) -> bool:
    view, reader = features.view, features.reader
    asked = reader.kind in (CELLS, FIELDS)
    room = 8 * len(view.mirror) if asked else 64 * len(reader.words)

    def inside(spot: BitRange) -> bool:
        return (
            spot.width in ((8,) if asked else (1, 4, 8))
            and spot.word >= 0
            and 0 <= spot.shift < 64
            and spot.shift % spot.width == 0
            and 64 * spot.word + spot.shift < room
            and 0 <= spot.cell < len(view.mirror)
            and (0 < spot.content < len(view.swap) if spot.width == 1 else spot.content == 0)
        )

    once = all(len({spot.cell for spot in side}) == len(side) for side in reader.spots)
    return (
        reader.kind in (PLANES, DIGITS, CELLS, FIELDS)
        and bool(asked or reader.words)
        and all(inside(spot) and (spot.width == 1) == (reader.kind == PLANES) for side in reader.spots for spot in side)
        and (features.structure.bits == 16 if reader.kind == PLANES else once)
    )


def _groups_fit(features: Features) -> bool:
    cells, contents = len(features.view.mirror), len(features.view.swap)
    groups = [(kind, group) for kind in features.kinds for group in kind.groups]
    return (
        bool(groups) == (features.hidden == 0)
        and features.hidden in range(0, MAX_HIDDEN + 1, 16)
        and all(len(kind.labels) == contents and min(kind.labels) >= 0 == kind.labels[0] for kind in features.kinds)
        and all(group and len(group) == len(kind.groups[0]) for kind, group in groups)
        and all(0 <= c < cells for _, group in groups for c in group)
        and all(sorted(tie) == list(range(len(kind.groups[0]))) for kind in features.kinds for tie in kind.ties)
        and all(kind.size <= 1 << 32 for kind in features.kinds)
    )


def _counts_fit(features: Features) -> bool:
    most = sum(max(features.counted[n]) for n in features.counts)
    return (
        len(features.counts) == len(features.view.mirror)
        and all(n >= 0 for n in features.counts)
        and all(len(each) == len(features.view.swap) and min(each) >= 0 for each in features.counted)
        and most < MAX_COUNT
        and 0 < len(features.phases) <= MAX_COUNT
        and (features.structure.lanes > 0 or (max(features.phases) == 0 and features.reader.kind in (PLANES, CELLS)))
        and all(0 <= phase < 256 for phase in features.phases)
    )
