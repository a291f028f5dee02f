"""The players of Plyground itself: random, textbook, engine and solver. `protocols/players.py` makes them from texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from plyground.engine.levels import FULL
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.rules.game import Game

if TYPE_CHECKING:
    from plyground.play.report import Analysis, Report


LIMITS = ("time", "depth", "nodes")
"""The limits that a player's text may give."""
Options = dict[str, Callable[[str], Any]]
"""The options of a player, and how to read each."""


def read(spec: str, options: Options, whose: str) -> dict[str, Any]:
    """Reads options from a text such as `level=5,time=2`."""
    given: dict[str, Any] = {}
    for part in filter(None, (p.strip() for p in spec.split(","))):
        name, _, value = (x.strip() for x in part.partition("="))
        if name not in options or not value:
            known = ", ".join(f"{n}=…" for n in options)
            raise PlygroundError(f"{part!r:.40} is not an option of {whose}; the options are {known}")
        try:
            given[name] = options[name](value)
        except ValueError:
            kind = "a whole number" if options[name] is int else "a number"
            raise PlygroundError(f"{name} must be {kind}, not {value!r:.30}") from None
    return given


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


class EnginePlayer:
    """The native engine: `level` 1 to 10, `time` in seconds, `depth`, `nodes`, `threads`, `memory` in MB, `evaluate` a file."""

    OPTIONS: ClassVar[Options] = {
        "level": int, "time": float, "depth": int, "nodes": int, "threads": int, "memory": float, "evaluate": str,
    }  # fmt: skip

    def __init__(
        self, spec: str, game: Game, seed: int | None = None, thorough: bool = False, table: Table | None = None
    ) -> None:
        """A `thorough` player searches even if it has only one move, to get its score."""
        from plyground.engine.engine import Engine

        given = read(spec, self.OPTIONS, "the engine")
        self.name = f"engine:{spec}" if spec else "engine"
        self.thorough = thorough
        table = table or Table()
        limits = {k: given.pop(k) for k in LIMITS if k in given}
        self.limit = Limit(**limits) if limits else table.limit
        if table.limit is not None and not limits and given.get("level", FULL) < FULL:
            self.limit = Limit(depth=1)  # a level is a limit of its own: its depth replaces this one
        if table.memory is not None:
            given.setdefault("memory", table.memory)
        by_time = self.limit is None or not (self.limit.depth or self.limit.nodes)  # only then exact answers are asked for
        self.engine = Engine(game, seed=seed, perfect=by_time, **given)
        self.engine.prepare()
        self.found: Analysis | None = None
        self.on_report: Callable[[Report], None] | None = None
        """Called with reports while the engine thinks."""
        self.clock: Limit | None = None
        """The time left on a clock for the next move; it replaces the player's own time."""

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
    """Plays perfectly: the first move that keeps the exact value. `time`: the seconds after which it gives up; `memory` in MB."""

    OPTIONS: ClassVar[Options] = {"time": float, "memory": float}
    PATIENCE, MEMORY = 60.0, 64.0

    def __init__(self, spec: str, game: Game) -> None:
        from plyground.solver.solver import Solver, too_long

        self.name = f"solver:{spec}" if spec else "solver"
        given = {"time": self.PATIENCE, "memory": self.MEMORY} | read(spec, self.OPTIONS, "the solver")
        self.limit = Limit(time=given["time"])
        self.solver = Solver(game, memory=given["memory"])
        if too_long(game, game.start()):
            raise PlygroundError(f"{game.name} is too long to be solved from its start; choose another player, such as engine")
        self.solver.prepare()
        self.found: Analysis | None = None

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A move that keeps the value, and its analysis in `found`; an error if nothing can be proven in time."""
        from plyground.play.report import Analysis

        known = self.solver.solve(s, self.limit)
        if known.move is None or known.score is None:
            raise PlygroundError(
                f"{game.format_state(s)!r:.100} was not solved within {self.limit.seconds:g} s; "
                "give more time, as in solver:time=600, or choose another player"
            )
        self.found = Analysis(known.move, known.score, len(known.line), nodes=known.nodes, line=known.line, exact=True)
        self.found.source = "solver"
        return known.move


def evaluation_of(spec: str) -> str | None:
    """The evaluation file that a player's text names, if it does.

    >>> evaluation_of("engine:depth=6,evaluate=./my_eval.py")
    './my_eval.py'
    """
    named = [part.partition("=")[2].strip() for part in _parts(spec) if part.partition("=")[0].strip() == "evaluate"]
    return named[-1] if named else None


def with_evaluation_of(spec: str, file: str) -> str:
    """The text of a player with another evaluation.

    >>> with_evaluation_of("engine:evaluate=./my_eval.py,depth=6", "rules/my_eval.py")
    'engine:depth=6,evaluate=rules/my_eval.py'
    """
    parts = [part for part in _parts(spec) if part.partition("=")[0].strip() != "evaluate"]
    return f"{spec.partition(':')[0]}:{','.join(filter(None, [*parts, f'evaluate={file}']))}"


def searches(spec: str) -> bool:
    """Is this the text of a player that searches natively, and so judges positions by an evaluation or a net?"""
    return spec.partition(":")[0].strip() in ("engine", "level")


def _parts(spec: str) -> list[str]:
    """The options in the text of a player of the engine's kind."""
    return spec.partition(":")[2].split(",") if searches(spec) else []
