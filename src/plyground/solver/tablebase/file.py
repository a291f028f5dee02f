"""A table on disk: compact, checksummed, read in place. Nothing in it is ever run or unpickled.

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
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plyground import score as scores
from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.tablebase.identity import fingerprint
from plyground.system.files import write_file
from plyground.system.streams import cleaned

if TYPE_CHECKING:
    from plyground.play.report import Analysis

Array = np.ndarray[Any, Any]

MARK = b"PLYTABLE"
VERSION = 1
HEAD = struct.Struct("<8sIII")
ALIGN = 64
BLOCK = 1 << 20
ODD = 0x9E3779B97F4A7C15
MOST_STARTS = 28
"""The largest number of buckets, as a power of two."""


# -- a state in few bits ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Bits:
    """Which bits of a row differ between states, and the values of the others."""

    masks: tuple[int, ...]
    fixed: tuple[int, ...]

    @property
    def count(self) -> int:
        """How many bits differ between states."""
        return sum(mask.bit_count() for mask in self.masks)

    @property
    def words(self) -> int:
        """How many words these bits take."""
        return max(1, (self.count + 63) // 64)

    @property
    def first(self) -> int:
        """How many of them are in the first word."""
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
    return min((o for o in options if o[0] <= MOST_STARTS), key=lambda o: 4 * 2 ** o[0] + states * o[1])


# -- writing ---------------------------------------------------------------------------------------------------------------


def write_tablebase(path: Path, about: dict[str, Any], rows: Array, values: Array) -> None:
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
    header = {**about, "bits": [bits.masks, bits.fixed], "upper": upper, "parts": [], "checksum": 0}
    body: list[Any] = []
    at = 0
    for name, column in parts.items():
        header["parts"].append([name, column.dtype.str, column.size, at])
        body += [column.reshape(-1).data.cast("B") if column.size else b"", bytes(-column.nbytes % ALIGN)]
        at += column.nbytes + len(body[-1])
    for data in body:
        header["checksum"] = zlib.crc32(data, header["checksum"])
    _write(path, header, body)


def _write(path: Path, header: dict[str, Any], body: list[Any]) -> None:
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-(HEAD.size + len(text)) % ALIGN)
    write_file(path, [HEAD.pack(MARK, VERSION, len(text), zlib.crc32(text)), text, *body])


# -- reading ---------------------------------------------------------------------------------------------------------------


class Fault(Exception):  # noqa: N818 (it is raised and caught in this file only)
    """Why a file is not a table."""


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the header and the columns of a file, with all checksums verified."""
    try:
        data = np.memmap(path, np.uint8, "r")
    except ValueError as e:
        raise Fault("it is empty") from e
    if len(data) < HEAD.size or bytes(data[:8]) != MARK:
        raise Fault("it does not start like one")
    _, version, length, checksum = HEAD.unpack(bytes(data[: HEAD.size]))
    if version != VERSION:
        raise Fault(f"it has version {version}, this program reads version {VERSION}")
    text = bytes(data[HEAD.size : HEAD.size + length])
    if len(text) != length or zlib.crc32(text) != checksum:
        raise Fault("its header is damaged")
    header = json.loads(text)
    body = data[HEAD.size + length :]
    columns, end = {}, 0
    for name, kind, items, at in header["parts"]:
        dtype = np.dtype(kind)
        end = at + -(-items * dtype.itemsize // ALIGN) * ALIGN
        if end > len(body):
            raise Fault("it is incomplete")
        columns[name] = body[at : at + items * dtype.itemsize].view(dtype)
    if end != len(body) or zlib.crc32(body.data) != header["checksum"]:
        raise Fault("it is damaged")
    return header, columns


def open_tablebase(path: str | Path, game: Game) -> Tablebase:
    """Open the table in a file, which must be for this game and these rules."""
    path = Path(path)
    try:
        header, columns = _read(path)
        rules, name = header["rules"], str(header["game"])
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror or e})") from e
    except Fault as e:
        raise PlygroundError(f"{path}: this is not a usable table: {e}") from e
    except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as e:
        raise _damaged(path) from e
    if rules != fingerprint(game):
        if name != game.name:
            raise PlygroundError(f"{path}: this table is for {name:.60}, not for {game.name}")
        raise PlygroundError(f"{path}: this table was made with different rules of {game.name}; make it again")
    try:
        table = Tablebase(game, path, header, columns)
        sound = _is_sound(table, header, columns)
    except (ValueError, LookupError, TypeError, AttributeError) as e:
        raise _damaged(path) from e
    if not sound:
        raise _damaged(path)
    return table


def _damaged(path: Path) -> PlygroundError:
    return PlygroundError(f"{path}: this is not a usable table: its header is damaged")


def _is_sound(table: Tablebase, header: dict[str, Any], columns: dict[str, Array]) -> bool:
    """Return whether the numbers in a header agree with each other, with the columns and with the rows of the game."""
    (masks, fixed), bits, upper, states = header["bits"], table.bits, header["upper"], table.states
    whole = [states, table.wins, table.losses, upper, *masks, *fixed, *([] if table.longest is None else [table.longest])]
    if not all(type(n) is int and 0 <= n <= MASK for n in whole) or type(header.get("keys", False)) is not bool:
        return False
    if not all(isinstance(text, str | None) for text in (table.ending, table.hardest)):
        return False
    width = 1 if header.get("keys", False) else width_of(table.game)
    sizes = {"starts": (1 << min(upper, 63)) + 1, "rest": states, "values": states, "more": (bits.words - 1) * states}
    fits = all(columns[name].size == size and columns[name].dtype.kind in "iu" for name, size in sizes.items())
    return fits and len(masks) == len(fixed) == width and upper <= bits.first and table.wins + table.losses <= states


class Tablebase:
    """Every state of a game or of one ending, with its value."""

    def __init__(self, game: Game, path: Path, header: dict[str, Any], columns: dict[str, Array]) -> None:
        self.game, self.path = game, path
        self.ending: str | None = cleaned(header["ending"])
        """The name of the ending, or None for the whole game."""
        self.states: int = header["states"]
        self.wins: int = header["wins"]
        """States won for the side to move; `losses` are lost, the others drawn."""
        self.losses: int = header["losses"]
        self.longest: int | None = header["longest"]
        """The plies of the slowest win; None if results are margins or there are no wins."""
        self.hardest: str | None = cleaned(header["hardest"])
        """A state with the slowest win."""
        self._keys: bool = header.get("keys", False)
        self.bits = Bits(*(tuple(part) for part in header["bits"]))
        self._lower = self.bits.first - header["upper"]
        self._columns = columns
        more = columns["more"]
        self._more = more.reshape(self.bits.words - 1, -1) if more.size else more.reshape(0, self.states)

    @property
    def size(self) -> int:
        """Its size on disk, in bytes."""
        return self.path.stat().st_size

    @property
    def draws(self) -> int:
        """States in which neither side can force a win."""
        return self.states - self.wins - self.losses

    def lookup(self, s: State) -> tuple[int, int | None] | None:
        """Return the value for the side to move (1, 0, -1, or the margin) and the plies to the end; None if not in the table.

        Draws and margins have no number of plies. Counters that the table leaves out (the fifty moves of chess) still end a game
        here, but wins are counted as if the counters were at 0.
        """
        ended = self.game.result(s)
        if ended is not None:
            return self._meaning(ended)
        row = key_row(self.game, s) if self._keys else row_of(self.game, s)
        if row is None or not self.bits.fit(row):
            return None
        words = self.bits.gather(row[None, :])
        x = int(scramble(words, self.bits.first)[0])
        bucket = x >> self._lower
        start, end = (int(i) for i in self._columns["starts"][bucket : bucket + 2])
        found = self._columns["rest"][start:end] == x & ((1 << self._lower) - 1)
        for column, word in zip(self._more, words[1:, 0], strict=True):
            found &= column[start:end] == word
        places = np.flatnonzero(found)
        if not len(places):
            return None
        return self._meaning(int(self._columns["values"][start + int(places[0])]))

    def _meaning(self, value: int) -> tuple[int, int | None]:
        if self.game.margin or value == 0:
            return value, None
        return (1 if value > 0 else -1), abs(value) - 1

    def counts(self) -> dict[tuple[int, int | None], int]:
        """Return how many states there are with each value and number of plies, as in `lookup`."""
        values, times = np.unique(self._columns["values"], return_counts=True)
        return {self._meaning(int(value)): int(n) for value, n in zip(values, times, strict=True)}

    # -- what to play ----------------------------------------------------------------------------------------------------

    def score(self, s: State) -> int | None:
        """Return the value on the scale of `plyground.score`; None if s is not in the table."""
        found = self.lookup(s)
        if found is None:
            return None
        value, plies = found
        # A win too slow for the scale counts as the slowest on it.
        return scores.final(value, min(plies or 0, scores.LONGEST), bool(self.game.margin))

    def moves(self, s: State) -> list[tuple[int, float]] | None:
        """Return the legal moves with their scores for the side to move, best first; None if one leads out of the table."""
        found: list[tuple[int, float]] = []
        for m in self.game.legal(s):
            child = self.game.child(s, m)
            value = self.score(child)
            if value is None:
                return None
            if self.game.changes_turn(s, child):
                value = -value
            found.append((m, scores.from_root(value, 1)))
        return sorted(found, key=lambda move: -move[1])

    def best(self, s: State) -> list[int]:
        """Return the best moves in s: the fastest wins, else the draws, else the slowest losses; none if unknown."""
        scored = self.moves(s) or []
        return [m for m, value in scored if value == scored[0][1]]

    def line(self, s: State, most: int = 200) -> list[int]:
        """Return a best line from s to the end of the game; only its first move if s is drawn."""
        found: list[int] = []
        while len(found) < most and (best := self.best(s)):
            drawn = self.score(s) == 0 and not self.game.margin
            found.append(best[0])
            s = self.game.child(s, best[0])
            if drawn:
                break
        return found

    def analysis(self, s: State, lines: int = 1) -> Analysis | None:
        """Return the table's answer for s as an engine's analysis; None if s is not in the table.

        Tables ignore counters: a win that a counter may end first is left to the search.
        """
        from plyground.play.report import Analysis

        value, scored = self.score(s), self.moves(s)
        if value is None or not scored:
            return None
        if "countdown" in self.game.has and (scores.plies(value) or 0) >= int(self.game.rules["countdown"](s)):
            return None
        line = tuple(self.line(s))
        return Analysis(
            scored[0][0],
            value,
            depth=len(line),
            line=line,
            exact=True,
            moves=scored[: lines or len(scored)],
            source="table",
            game=self.game,
            state=s,
        )


def row_of(game: Game, s: State) -> Array | None:
    """Return a state's row, as the kernels in `kernels/tools/retrograde.py` write it; None if it does not fit."""
    if "pack" in game.has:
        word = int(game.rules["pack"](s)) & MASK
        return np.array([word], np.uint64) if word else None
    return game.layout.row(s if game.in_place else game.canonical(s))


def has_keys(game: Game) -> bool:
    """Return whether the game's `code` identifies a state in one word."""
    return bool(game.key_bits) and "banked" not in game.has


def key_row(game: Game, s: State) -> Array:
    """Return what a table with `keys` stores for a state: smaller than its row, but it can't be turned back into a state."""
    return np.array([int(game.code(game.canonical(s))) & MASK], np.uint64)


def width_of(game: Game) -> int:
    """Return the number of words in a row."""
    return 1 if "pack" in game.has else max(1, game.layout.words)
