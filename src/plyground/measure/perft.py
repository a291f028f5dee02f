"""Perft: counts lines of play, finished games or distinct positions to a depth. The standard test of rules and of their speed."""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Words: TypeAlias = NDArray[np.uint64]
    Children: TypeAlias = tuple[Words, Words, Words]
    """Rows of states, the number of lines that lead to each, and their keys."""

BLOCK = 1 << 16
"""Positions that the breadth-first count expands at a time; there is room for twice as many children."""
BENCH_SECONDS = 0.4
"""Seconds of interpreted work that make a fair sample of the speed."""

Count = Callable[[State, int], int]
"""Counts below a state, to a depth."""


def options(game: Game, s: State) -> list[int]:
    """Return the moves of a player or of chance; none if the game is over, except by a draw with PLAY_ON."""
    if not game.play_on and game.quick_result(s) is not None:
        return []
    return [m for m, _ in game.outcomes(s)] or [int(m) for m in game.moves(s)]


# -- native ----------------------------------------------------------------------------------------------------------------


def native(game: Game, what: str = "perft") -> Count:
    """Return the native count of `perft` (lines of exactly that many plies) or `finished` (games that end within them)."""
    from plyground.compile.native import Native
    from plyground.kernels.tools import perft as kernels

    count = Native(game).bind(getattr(kernels, what), "int64(uint64, int64)", what)

    def below(s: State, depth: int) -> int:
        row = game.layout.row(s)
        return int(count(row.ctypes.data, depth))

    return below


def distinct(game: Game, s: State, depth: int, tick: Callable[[int], None] = lambda n: None) -> tuple[int, int]:
    """Count the positions (by `key`) after exactly `depth` plies, and the lines that lead to them, breadth first.

    Equal states are merged along the way, and each carries the number of lines that lead to it.
    """
    import numpy as np

    from plyground.compile.native import Native
    from plyground.kernels.tools import perft as kernels

    expand = Native(game).bind(kernels.expand, "int64(uint64, uint64, int64, uint64, int64)", "distinct")
    rows, lines, keys = game.layout.row(s)[None, :], np.ones(1, np.uint64), np.zeros(1, np.uint64)
    for _ in range(depth):
        parts = [_merge(*part) for part in _children(expand, rows, lines, tick)]
        if not parts:
            return 0, 0
        rows, lines, keys = _merge(*(np.concatenate(column) for column in zip(*parts, strict=True)))
    return len(np.unique(keys)), int(lines.sum())


def _children(expand: Callable[..., int], rows: Words, lines: Words, tick: Callable[[int], None]) -> Iterator[Children]:
    """Yield the children of rows of states, block by block."""
    import numpy as np

    words = rows.shape[1]
    room = 2 * BLOCK
    at = 0
    while at < len(rows):
        block = np.ascontiguousarray(rows[at : at + BLOCK])
        # For each child its words, its key, and the number of its parent in the block.
        out = np.empty((room, words + 2), np.uint64)
        taken = np.zeros(1, np.int64)
        made = expand(block.ctypes.data, out.ctypes.data, room, taken.ctypes.data, len(block))
        if taken[0] == 0:
            room *= 2
            continue
        found = out[:made]
        if made:
            yield found[:, :words].copy(), lines[at + found[:, words + 1].astype(np.int64)], found[:, words].copy()
        at += int(taken[0])
        tick(int(taken[0]))


def _merge(rows: Words, lines: Words, keys: Words) -> Children:
    """Merge equal rows and add up their lines."""
    import numpy as np

    mixed = _mix(rows)
    order = np.argsort(mixed, kind="stable")
    mixed = mixed[order]
    firsts = np.flatnonzero(np.concatenate(([True], mixed[1:] != mixed[:-1])))
    kept = order[firsts]
    return rows[kept], np.add.reduceat(lines[order], firsts), keys[kept]


def _mix(rows: Words) -> Words:
    """Return a hash of each row; two different rows collide with probability 2^-64."""
    import numpy as np

    h = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        x = (h ^ column) + np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        h = x ^ (x >> np.uint64(31))
    return h


# -- interpreted versions ---------------------------------------------------------------------------------------------


def interpreted(game: Game, what: str = "perft") -> Count:
    """Return the same counts with interpreted rules."""
    return {"perft": lambda s, depth: _walk(game, s, depth), "finished": lambda s, depth: _ended(game, s, depth)}[what]


def _walk(game: Game, s: State, depth: int) -> int:
    if depth == 0:
        return 1
    found = options(game, s)
    if not found:
        return int(game.keep_finished)
    return len(found) if depth == 1 else sum(_walk(game, game.child(s, m), depth - 1) for m in found)


def _ended(game: Game, s: State, depth: int) -> int:
    if game.result(s) is not None:
        return 1
    found = options(game, s)
    return sum(_ended(game, game.child(s, m), depth - 1) for m in found) if depth else 0


def distinct_interpreted(game: Game, s: State, depth: int) -> tuple[int, int]:
    """Count the same as `distinct`, with interpreted rules."""
    level = {game.identity(s): (s, 1)}
    for _ in range(depth):
        below: dict[object, tuple[State, int]] = {}
        for parent, lines in level.values():
            for m in options(game, parent):
                child = game.child(parent, m)
                name = game.identity(child)
                below[name] = (child, lines + (below[name][1] if name in below else 0))
        level = below
    return len({game.key(child) for child, _ in level.values()}), sum(lines for _, lines in level.values())


# -- both --------------------------------------------------------------------------------------------------------------------


def divide(game: Game, count: Count, s: State, depth: int) -> Iterator[tuple[int, int]]:
    """Return the count below each move of s; they add up to the count below s."""
    if depth < 1:
        raise PlygroundError("a count for each move needs a depth of at least 1")
    for m in options(game, s):
        yield m, count(game.child(s, m), depth - 1)


def perft(game: Game, depth: int, s: State | None = None) -> int:
    """Count the lines of exactly `depth` plies from s, or from the start; natively if the game can be compiled.

    >>> from plyground import load
    >>> perft(load("tictactoe"), 5)
    15120
    """
    count = interpreted(game) if len(game.sides) > 2 else native(game)
    return count(game.start() if s is None else s, depth)


# -- speed -------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Speed:
    """The speed of one game's rules: the same perft, interpreted and compiled."""

    game: str
    depth: int
    leaves: int
    interpreted_nps: float
    compiled_nps: float

    @property
    def ratio(self) -> float:
        """How many times faster the compiled rules are."""
        return self.compiled_nps / self.interpreted_nps


def time_job(job: Callable[[], object], least: float = 0.0) -> float:
    """Return the duration of the job: the mean over enough runs to fill `least` seconds."""
    runs, since = 0, time.perf_counter()
    while True:
        job()
        runs += 1
        passed = time.perf_counter() - since
        if passed >= least:
            return passed / runs


def speed(game: Game) -> Speed:
    """Run perft from the start, to the first depth at which the interpreted rules take long enough."""
    s = game.start()
    plain, compiled = interpreted(game), native(game)
    depth = 0
    slow = 0.0
    while slow < BENCH_SECONDS and depth < 100:
        depth += 1
        slow = time_job(functools.partial(plain, s, depth))
        if not compiled(s, depth + 1):
            break
    leaves = compiled(s, depth)
    fast = time_job(lambda: compiled(s, depth), BENCH_SECONDS / 2)
    return Speed(game.name, depth, leaves, leaves / slow, leaves / fast)


def start_times(spec: str) -> tuple[float, float]:
    """Return the seconds from the shell to the first perft result: with an empty cache and with a full one."""
    import subprocess
    import sys
    import tempfile

    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PLYGROUND_CACHE": cache}

        def start() -> None:
            command = [sys.executable, "-m", "plyground", "perft", spec, "1", "--json"]
            subprocess.run(command, env=environment, check=True, capture_output=True)

        cold = time_job(start)
        return cold, min(time_job(start) for _ in range(3))
