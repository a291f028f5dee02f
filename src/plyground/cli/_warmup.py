"""Play at once: while the engine is compiled, which takes some seconds the first time, a textbook search answers for it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any

from plyground.cli._terminal import tell_uncached
from plyground.compile.progress import Compiling, report_to
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.player import Player
from plyground.players.spec import make_player
from plyground.rules.game import Game
from plyground.system.runner import Worker
from plyground.textbook.algorithm import PLAIN, kind

LOOK = 0.02
"""Seconds between two looks at what the compiler does."""
SECONDS = 1.0
"""The time of the textbook for a move."""
WRAPPERS = (types.FunctionType, functools._lru_cache_wrapper, staticmethod, classmethod)


class WarmingPlayer(Player):
    """An engine that is being made in the background. Until it is ready, a textbook search of a second answers."""

    def __init__(self, spec: str, game: Game, make: Callable[[], Player]) -> None:
        self.name = spec
        self.compiling = False
        """Whether the compiler has been at work: the engine isn't in the cache."""
        self._worker = Worker(lambda: self._make(game, make))
        self._textbook = make_player(f"textbook:{'deepening' if kind(game) == PLAIN else 'expectiminimax,depth=1'}", game)

    def _make(self, game: Game, make: Callable[[], Player]) -> Player:
        with report_to(game.name, self._hear):
            return make()

    def _hear(self, news: Compiling) -> None:
        self.compiling = self.compiling or news.functions > 0

    def ready(self, seconds: float = 0) -> bool:
        """Return whether the engine is ready, or has failed, within this time."""
        return self._worker.wait(seconds)

    def engine(self) -> Player:
        """Return the engine, as soon as it is ready; raise the error that prevents it."""
        return self._worker.result()

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose a move with what is there: the engine or the textbook."""
        if self.ready():
            engine = self.engine()
            self.net = engine.net
            return engine.choose(position, limit)
        seconds = SECONDS if limit is None or limit.clock is None else min(SECONDS, limit.clock / 20)
        return self._textbook.choose(position, Limit(time=seconds))


def calls_numba(game: Game) -> bool:
    """Return whether rules call functions that Numba compiles: the textbook would wait for the compiler too."""
    from plyground.compile.fingerprint import known_package, names_in  # only a person at a terminal waits for this import

    seen: set[int] = set()
    pending: list[Any] = list(game.rules.values())
    while pending:
        x = pending.pop()
        if hasattr(x, "py_func"):
            return True
        if isinstance(x, WRAPPERS) and hasattr(x, "__wrapped__"):
            pending.append(x.__wrapped__)
        if id(x) in seen or not isinstance(x, types.FunctionType | type) or known_package(x):
            continue
        seen.add(id(x))
        if isinstance(x, type):
            pending += vars(x).values()
            continue
        names = names_in(x.__code__)
        used = [x.__globals__.get(name) for name in names] + [cell.cell_contents for cell in x.__closure__ or ()]
        modules = [u for u in used if isinstance(u, types.ModuleType) and not known_package(u)]
        pending += used + [getattr(module, name, None) for module in modules for name in names]
    return False


def make_or_warm(spec: str, game: Game, seed: int | None, begin_early: bool) -> Player:
    """Make the player that a text names; with `begin_early`, return one that plays already if the engine isn't compiled yet."""
    if not begin_early or calls_numba(game):
        return make_player(spec, game, seed)
    warming = WarmingPlayer(spec, game, lambda: make_player(spec, game, seed))
    while not warming.ready(LOOK):
        if warming.compiling:
            tell_uncached()
            return warming
    return warming.engine()
