"""Players choose moves. A text names one: `random`, `solver`, `level:5`, `engine:depth=6`, `textbook:alphabeta,depth=6`."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.player import Player
from plyground.rules.game import Game

if TYPE_CHECKING:
    from plyground.play.report import Analysis, Report


@dataclass(frozen=True)
class Table:
    """What all players at a table share, unless a player's own text says something else."""

    seed: int | None = None
    limit: Limit | None = None
    memory: float | None = None
    """MB of an engine's table."""


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

    def __init__(self, spec: str, game: Game, limit: Limit | None = None) -> None:
        """Of the limit counts what the algorithm has as an option, unless the text gives one."""
        from plyground.textbook import parse

        self.name = f"textbook:{spec}"
        self.algorithm, self.options = parse(spec)
        own = {part.partition("=")[0].strip() for part in spec.split(",")}
        for name in () if limit is None or own & set(LIMITS) else LIMITS:
            if getattr(limit, name) is not None and name in self.algorithm.options:
                self.options[name] = getattr(limit, name)
        self.algorithm.check(game)
        self.memory: dict[str, Any] = {}

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The best move that the algorithm finds."""
        found = self.algorithm.search(game, s, self.options, history=history, memory=self.memory)
        return game.legal(s)[0] if found.move is None else found.move


LIMITS = ("time", "depth", "nodes")
"""The limits that a player's text may give."""


class EnginePlayer:
    """The native engine: `level` 1 to 10, `time` in seconds, `depth`, `nodes`, `threads`, `memory` in MB, `evaluate` a file."""

    OPTIONS: ClassVar[dict[str, Callable[[str], Any]]] = {
        "level": int, "time": float, "depth": int, "nodes": int, "threads": int, "memory": float, "evaluate": str,
    }  # fmt: skip

    def __init__(
        self, spec: str, game: Game, seed: int | None = None, thorough: bool = False, table: Table | None = None
    ) -> None:
        """A `thorough` player searches even if it has only one move, to get its score."""
        from plyground.engine.engine import Engine

        given = self.read(spec)
        self.name = f"engine:{spec}" if spec else "engine"
        self.thorough = thorough
        table = table or Table()
        limits = {k: given.pop(k) for k in LIMITS if k in given}
        self.limit = Limit(**limits) if limits else table.limit
        if table.memory is not None:
            given.setdefault("memory", table.memory)
        self.engine = Engine(game, seed=seed, **given)
        self.engine.prepare()
        self.found: Analysis | None = None
        self.on_report: Callable[[Report], None] | None = None
        """Called with reports while the engine thinks."""
        self.clock: Limit | None = None
        """The time left on a clock for the next move; it replaces the player's own time."""

    @classmethod
    def read(cls, spec: str) -> dict[str, Any]:
        """Reads options from a text such as `level=5,time=2`."""
        given: dict[str, Any] = {}
        for part in filter(None, (p.strip() for p in spec.split(","))):
            name, _, value = (x.strip() for x in part.partition("="))
            try:
                given[name] = cls.OPTIONS[name](value)
            except (KeyError, ValueError):
                known = ", ".join(f"{n}=…" for n in cls.OPTIONS)
                raise PlygroundError(f"{part!r:.40} is not an option of the engine; the options are {known}") from None
        return given

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The engine's move; its analysis stays in `found`."""
        limit = self.limit
        if self.clock is not None:
            limit = replace(limit or self.clock, time=None, clock=self.clock.clock, increment=self.clock.increment)
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


class SolverPlayer:
    """Plays perfectly: the first of the moves that keep the exact value. `time`: seconds for a move before it gives up."""

    PATIENCE = 60.0
    """Seconds for a move, unless the text says otherwise."""

    def __init__(self, spec: str, game: Game, memory: float | None = None) -> None:
        from plyground.solver.solver import Solver

        self.name = f"solver:{spec}" if spec else "solver"
        given = EnginePlayer.read(spec)
        if given.keys() - {"time", "memory"}:
            raise PlygroundError("the options of the solver are time=… and memory=…")
        self.limit = Limit(time=given.get("time", self.PATIENCE))
        self.solver = Solver(game, memory=given.get("memory", memory or 64))
        self.solver.check(game.start(), limited=False)
        self.solver.prepare()
        self.found: Analysis | None = None

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A move that keeps the value; if that can't be proven in time, an error says so."""
        from plyground.play.report import Analysis

        known = self.solver.solve(s, self.limit)
        if known.move is None or known.score is None:
            raise PlygroundError(
                f"{self.name}: {game.name} was not solved within {self.limit.seconds:g} s after {len(history)} plies; "
                "give it more time, as in solver:time=600, or use another player"
            )
        self.found = Analysis(known.move, known.score, len(known.line), nodes=known.nodes, line=known.line, exact=True)
        self.found.source = "solver"
        return known.move


PLAYERS: dict[str, Callable[[str, Game, Table], Player]] = {
    "random": lambda rest, game, table: RandomPlayer(table.seed),
    "textbook": lambda rest, game, table: TextbookPlayer(rest, game, table.limit),
    "engine": lambda rest, game, table: EnginePlayer(rest, game, table.seed, table=table),
    "level": lambda rest, game, table: EnginePlayer(f"level={rest}", game, table.seed, table=table),
    "solver": lambda rest, game, table: SolverPlayer(rest, game, table.memory),
}
"""By the word before the colon: makes a player from the text after it, the game, and what all players share."""


def make_player(
    spec: str, game: Game, seed: int | None = None, *, limit: Limit | None = None, memory: float | None = None
) -> Player:
    """The player that a text names, ready to play this game; `limit` and `memory` count if the text gives none.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> make_player("textbook:alphabeta,depth=all", nim).choose(nim, nim.start()) in nim.legal(nim.start())
    True
    """
    word, _, rest = spec.strip().partition(":")
    if word not in PLAYERS:
        raise PlygroundError(
            f"there is no player {spec!r:.40}; choose {', '.join(PLAYERS)}, as in engine:depth=6 or textbook:alphabeta,depth=6"
        )
    return PLAYERS[word](rest, game, Table(seed, limit, memory))


def evaluation_of(spec: str) -> str | None:
    """The evaluation file that a player's text names, if it is an engine with one."""
    word, _, rest = spec.strip().partition(":")
    return EnginePlayer.read(rest).get("evaluate") if word == "engine" else None


def with_evaluation_file(spec: str, file: str) -> str:
    """The text of a player with another evaluation file."""
    parts = [part if not part.strip().startswith("evaluate") else f"evaluate={file}" for part in spec.split(":", 1)[1].split(",")]
    return f"engine:{','.join(parts)}"
