"""The players of Plyground itself: random, textbook, engine, solver and tablebases."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plyground.engine import FULL_STRENGTH
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.player import Player
from plyground.players.spec import LIMITS, LimitOptions, PlayerDefaults, PlayerSpec
from plyground.rules.game import Game
from plyground.rules.hooks import State

if TYPE_CHECKING:
    from plyground.solver.tablebase.lookup import Tablebase

MEMORY = 64.0
"""MB of a table, unless the text or the caller says otherwise."""


class RandomPlayer(Player):
    """Plays random legal moves, all equally likely; the same seed gives the same moves."""

    name = "random"

    def __init__(self, seed: int | None = None) -> None:
        self.random = random.Random(seed)

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose any legal move."""
        return Analysis(self.random.choice(position.game.legal(position.s)), source="random")


class TextbookPlayer(Player):
    """Plays the best move of a textbook algorithm, which keeps its tables from one move to the next."""

    def __init__(self, spec: PlayerSpec, game: Game, limit: Limit | None = None) -> None:
        """Take the limit where the algorithm has an option for it, unless the text gives any limit."""
        from plyground.textbook import parse

        self.name = str(spec)
        self.algorithm, self.options = parse(spec.rest)
        self.limits = frozenset(LIMITS) & set(self.algorithm.options)
        if not any(name in LIMITS for name, _ in spec.options):
            self.options |= self._supported_limits(limit)
        self.algorithm.check(game)
        self.memory: dict[str, Any] = {}

    def _supported_limits(self, limit: Limit | None) -> dict[str, float]:
        return {} if limit is None else {name: value for name, value in limit.given().items() if name in self.limits}

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose the best move that the algorithm finds; where there are three sides or more, with the value for each."""
        game, s = position.game, position.s
        options = self.options | self._supported_limits(limit)
        found = self.algorithm.search(game, s, options, history=position.history, memory=self.memory)
        values = found.value if isinstance(found.value, tuple) else ()
        move = game.legal(s)[0] if found.move is None else found.move
        return Analysis(move, line=tuple(found.line), source="textbook", values=values, game=game, state=s)


@dataclass(frozen=True)
class EngineOptions:
    """The options of the native engine."""

    level: int | None = None
    """From 1 to 10."""
    time: float | None = None
    """Seconds per move."""
    depth: int | None = None
    nodes: int | None = None
    threads: int = 1
    memory: float | None = None
    """MB of its table."""
    evaluate: str | None = None
    """A net, or a file of Python."""


class EnginePlayer(Player):
    """The native engine."""

    limits = frozenset(("depth", "nodes", "time", "clock"))
    stoppable = True

    def __init__(
        self,
        spec: PlayerSpec,
        game: Game,
        defaults: PlayerDefaults | None = None,
        thorough: bool = False,
    ) -> None:
        """Make the engine; a `thorough` player searches even if it has only one move, to get its score."""
        from plyground.engine.engine import Engine

        given, defaults = self.read_options(spec), defaults or PlayerDefaults()
        level = FULL_STRENGTH if given.level is None else given.level
        memory = given.memory if given.memory is not None else defaults.memory
        self.name = str(spec)
        self.thorough = thorough
        own = LimitOptions(given.time, given.depth, given.nodes).limit
        self.limit = own or defaults.limit
        if defaults.limit is not None and own is None and level < FULL_STRENGTH:
            self.limit = Limit(depth=1)  # a level is a limit of its own: its depth replaces this one
        by_time = self.limit is None or not (self.limit.depth or self.limit.nodes)  # exact answers are only used then
        self.engine = Engine(
            game,
            memory=MEMORY if memory is None else memory,
            threads=given.threads,
            level=level,
            seed=defaults.seed,
            perfect=by_time,
            evaluate=given.evaluate,
        )
        self.engine.prepare()
        self.net = None if self.engine.net is None else self.engine.net.name

    @classmethod
    def read_options(cls, spec: PlayerSpec) -> EngineOptions:
        """Read the options of an engine; wrong ones are refused before anything is compiled."""
        if spec.kind == "level" and (not spec.target.isdecimal() or not 1 <= int(spec.target[:9]) <= FULL_STRENGTH):
            raise PlygroundError(f"a level is a whole number from 1 to {FULL_STRENGTH}, as in level:5")
        given = spec.read(EngineOptions, "the engine")
        return replace(given, level=int(spec.target)) if spec.kind == "level" and given.level is None else given

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose the engine's move."""
        limit = self.limit if limit is None else limit.completed_by(self.limit)
        if self.thorough:
            return self.engine.analyse(position, limit, on_report=self.on_report)
        self.engine.choose(position, limit, on_report=self.on_report)
        assert self.engine.last is not None
        return self.engine.last

    def stop(self) -> None:
        """Make the engine move at once."""
        self.engine.stop()


@dataclass(frozen=True)
class SolverOptions:
    """The options of the solver."""

    time: float = 60.0
    """Seconds after which it gives up."""
    memory: float = MEMORY
    """MB of its table."""


class SolverPlayer(Player):
    """Plays perfectly: the first move that keeps the exact value."""

    limits = frozenset(("time",))

    def __init__(self, spec: PlayerSpec, game: Game) -> None:
        from plyground.solver.solver import Solver, too_long

        self.name = str(spec)
        given = spec.read(SolverOptions, "the solver")
        self.limit = Limit(time=given.time)
        self.solver = Solver(game, memory=given.memory)
        if too_long(game, game.start()):
            raise PlygroundError(f"{game.name} is too long to be solved from its start; choose another player, such as engine")
        self.solver.prepare()

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose a move that keeps the value; raise a PlygroundError if nothing can be proven in time."""
        game, s = position.game, position.s
        limit = self.limit if limit is None or limit.time is None else Limit(time=limit.time)
        known = self.solver.solve(s, limit)
        if known.move is None or known.score is None:
            raise PlygroundError(
                f"{game.format_state(s)!r:.100} was not solved within {limit.seconds:g} s; "
                "give more time, as in solver:time=600, or choose another player"
            )
        depth, source = len(known.line), "solver"
        return Analysis(known.move, known.score, depth, nodes=known.nodes, line=known.line, exact=True, source=source)


class Tablebases:
    """Several tables of one game, probed in order."""

    def __init__(self, paths: Sequence[str], game: Game) -> None:
        from plyground.solver.tablebase.lookup import open_tablebase

        self.tables = [open_tablebase(path, game) for path in paths]

    def analysis(self, s: State, lines: int = 1) -> tuple[Analysis, Tablebase] | None:
        """Return the answer of the first table that contains a state, and that table."""
        for table in self.tables:
            found = table.analysis(s, lines)
            if found is not None:
                return found, table
        return None


class TablebasePlayer(Player):
    """Plays perfectly if a table contains the position; otherwise asks another player, created on first use."""

    limits = frozenset(("depth", "nodes", "time", "clock"))
    stoppable = True

    def __init__(self, tables: Tablebases, make_other: Callable[[], Player], name: str) -> None:
        self.tables, self._make_other = tables, make_other
        self.other: Player | None = None
        self.name = f"{', '.join(table.path.name for table in tables.tables)}, else {name}"

    def prepare(self) -> Player:
        """Make the other player now, unless that was done before."""
        if self.other is None:
            self.other = self._make_other()
        return self.other

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose the best move that a table or else the other player knows."""
        known = self.tables.analysis(position.s)
        if known is not None:
            return known[0]
        other = self.prepare()
        other.on_report = self.on_report
        return other.choose(position, limit)

    def stop(self) -> None:
        """Make the other player move at once, if it can."""
        if self.other is not None:
            self.other.stop()

    def close(self) -> None:
        """End the other player."""
        if self.other is not None:
            self.other.close()
