"""Players choose moves. A text names one: `random`, `textbook:alphabeta,depth=6`, `engine:level=5,time=2`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from plyground.errors import PlygroundError
from plyground.play.player import Player
from plyground.rules.game import Game

if TYPE_CHECKING:
    from plyground.play.limit import Limit
    from plyground.play.report import Analysis, Report


class RandomPlayer:
    """Plays random legal moves, all equally likely; the same seed gives the same moves."""

    def __init__(self, seed: int | None = None) -> None:
        self.name = "random"
        self.random = random.Random(seed)

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A legal move."""
        return self.random.choice(game.legal(s))


class TextbookPlayer:
    """Plays the best move of a textbook algorithm, which keeps its tables from one move to the next."""

    def __init__(self, spec: str, game: Game) -> None:
        from plyground.textbook import parse

        self.name = f"textbook:{spec}"
        self.algorithm, self.options = parse(spec)
        self.algorithm.check(game)
        self.memory: dict[str, Any] = {}

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The best move that the algorithm finds."""
        found = self.algorithm.search(game, s, self.options, history=history, memory=self.memory)
        return game.legal(s)[0] if found.move is None else found.move


class EnginePlayer:
    """The native engine: `level` 1 to 10, `time` in seconds, `depth`, `nodes`, `threads`, `memory` in MB."""

    NUMBERS: ClassVar = {"level": int, "time": float, "depth": int, "nodes": int, "threads": int, "memory": float}

    def __init__(self, spec: str, game: Game, seed: int | None = None, thorough: bool = False) -> None:
        """A `thorough` player searches even if it has only one move, to get its score."""
        from plyground.engine.engine import Engine
        from plyground.play.limit import Limit

        given = self.read(spec)
        self.name = f"engine:{spec}" if spec else "engine"
        self.thorough = thorough
        limits = {k: given.pop(k) for k in ("time", "depth", "nodes") if k in given}
        self.limit = Limit(**limits) if limits else Limit(time=1)
        self.engine = Engine(game, seed=seed, **given)
        self.engine.prepare()
        self.found: Analysis | None = None
        self.on_report: Callable[[Report], None] | None = None
        """Called with reports while the engine thinks."""
        self.clock: Limit | None = None
        """The time left on a clock for the next move; it replaces the player's own time."""

    def read(self, spec: str) -> dict[str, Any]:
        """Reads options from a text such as `level=5,time=2`."""
        given = {}
        for part in filter(None, (p.strip() for p in spec.split(","))):
            name, _, value = (x.strip() for x in part.partition("="))
            try:
                given[name] = self.NUMBERS[name](value)
            except (KeyError, ValueError):
                known = ", ".join(f"{n}=…" for n in self.NUMBERS)
                raise PlygroundError(f"{part!r:.40} is not an option of the engine; the options are {known}") from None
        return given

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The engine's move; its analysis stays in `found`."""
        limit = self.limit
        if self.clock is not None:
            limit = replace(limit, time=None, clock=self.clock.clock, increment=self.clock.increment)
        if self.thorough:
            self.found = self.engine.analyse(s, limit, history=history, on_report=self.on_report)
            assert self.found.move is not None
            return self.found.move
        m = self.engine.choose(s, limit, history, self.on_report)
        self.found = self.engine.last
        return m

    def stop(self) -> None:
        """Makes the engine move at once, with what it has found."""
        self.engine.stop()


PLAYERS: dict[str, Callable[[str, Game, int | None], Player]] = {
    "random": lambda rest, game, seed: RandomPlayer(seed),
    "textbook": lambda rest, game, seed: TextbookPlayer(rest, game),
    "engine": EnginePlayer,
}
"""By the word before the colon: makes a player from the text after it, the game and a seed."""


def make_player(spec: str, game: Game, seed: int | None = None) -> Player:
    """The player that a text names, ready to play this game.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(nim, nim.start()) in nim.legal(nim.start())
    True
    """
    word, _, rest = spec.strip().partition(":")
    if word not in PLAYERS:
        raise PlygroundError(
            f"there is no player {spec!r:.40}; choose {', '.join(PLAYERS)}, as in engine:level=5 or textbook:alphabeta,depth=6"
        )
    return PLAYERS[word](rest, game, seed)
