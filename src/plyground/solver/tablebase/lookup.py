"""Looking up states in a table, and checking that it is for the game and the rules."""

from __future__ import annotations

import ast
import hashlib
import inspect
import textwrap
import types
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from plyground import score as scores
from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.tablebase.file import Array, Bits, TableFormatError, TableHeader, read_tablebase, scramble
from plyground.system.streams import clean

if TYPE_CHECKING:
    from plyground.play.report import Analysis

TABLE_HOOKS = ("moves", "play", "undo", "result", "stuck", "turn", "canonical", "pack", "unpack", "positions")


class Tablebase:
    """Every state of a game or of one ending, with its value."""

    def __init__(self, game: Game, path: Path, header: TableHeader, columns: dict[str, Array]) -> None:
        self.game, self.path = game, path
        self.ending: str | None = clean(header["ending"])
        """The name of the ending, or None for the whole game."""
        self.states: int = header["states"]
        self.wins: int = header["wins"]
        """States won for the side to move; `losses` are lost, the others drawn."""
        self.losses: int = header["losses"]
        self.longest: int | None = header["longest"]
        """The plies of the slowest win; None if results are margins or there are no wins."""
        self.hardest: str | None = clean(header["hardest"])
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
        return scores.final(value, min(plies or 0, scores.MAX_PLIES), bool(self.game.margin))

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


# -- opening a table ------------------------------------------------------------------------------------------------------------


def open_tablebase(path: str | Path, game: Game) -> Tablebase:
    """Open the table in a file, which must be for this game and these rules."""
    path = Path(path)
    try:
        header, columns = read_tablebase(path)
        rules, name = header["rules"], str(header["game"])
    except OSError as e:
        raise PlygroundError(f"{path}: cannot be read ({e.strerror or e})") from e
    except TableFormatError as e:
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


def _is_sound(table: Tablebase, header: TableHeader, columns: dict[str, Array]) -> bool:
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


# -- states as rows -------------------------------------------------------------------------------------------------------------


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


# -- the fingerprint of the rules -----------------------------------------------------------------------------------------------


def fingerprint(game: Game) -> str:
    """Return the fingerprint of a game's rules: tables with the same one are interchangeable.

    Comments, docstrings, formatting, hints for the search and text functions do not count; the code of the rules, everything it
    calls and the constants it uses do.
    """
    digest = _Digest()
    for name in TABLE_HOOKS:
        if name in game.rules:
            digest.add(name)
            digest.add_value(game.rules[name])
    digest.add_bytes(game.layout.row(game.start()).tobytes())
    digest.add(repr([(f.name, f.type, f.shape, f.array) for f in game.layout.fields]))
    digest.add(repr((len(game.sides), game.alternate, game.margin)))
    return digest.hash.hexdigest()


class _Digest:
    """A hash of functions and everything they use, each function once."""

    def __init__(self) -> None:
        self.hash = hashlib.blake2b(digest_size=16)
        self.seen: set[types.FunctionType] = set()

    def add(self, text: str) -> None:
        self.hash.update(text.encode("utf-8", "backslashreplace") + b"\0")

    def add_bytes(self, data: bytes) -> None:
        self.hash.update(data)

    def add_value(self, x: object) -> None:
        if isinstance(x, types.FunctionType):
            self.add_function(x)
        elif isinstance(x, (tuple, list)) and not hasattr(x, "_fields"):
            self.add(f"[{len(x)}")
            for item in x:
                self.add_value(item)
        elif isinstance(x, int):
            self.add(str(int(x)))
        elif isinstance(x, (types.ModuleType, type)):
            self.add(x.__name__)
        elif isinstance(x, (np.ndarray, np.generic)):
            self.add(f"{x.dtype}{x.shape}")
            self.add_bytes(x.tobytes())
        else:
            self.add(repr(x))

    def add_function(self, f: types.FunctionType) -> None:
        self.add(f.__name__)
        if f in self.seen or f.__module__ in ("plyground.bits", "plyground.rules.game", "plyground.score"):
            return
        self.seen.add(f)
        self.add(_code(f))
        for cell in f.__closure__ or ():
            self.add_value(cell.cell_contents)
        for name in sorted(_names(f.__code__)):
            if name in f.__globals__:
                self.add(name)
                self.add_value(f.__globals__[name])


def _code(f: types.FunctionType) -> str:
    """Return the code of a function without comments, docstrings and formatting; its bytecode if there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(f)))
    except (OSError, SyntaxError, TypeError):
        plain = [c for c in f.__code__.co_consts if not isinstance(c, types.CodeType)]
        return f"{f.__code__.co_code.hex()} {plain!r}"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _names(code: types.CodeType) -> set[str]:
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= _names(const)
    return found
