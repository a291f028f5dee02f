"""Random games: every state is checked once, and a problem comes with the shortest moves that lead to it."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.check.look import Look, Probe, look, tried_moves
from plyground.check.promises import RULES, compare
from plyground.contract import is_int, line_in
from plyground.errors import PlygroundError
from plyground.game import Game

if TYPE_CHECKING:
    from plyground.check.engine import EngineCheck
    from plyground.check.solver import SolverCheck

LONGEST = 200
"""Plies after which a random game is left unfinished."""


@dataclass(frozen=True)
class Problem:
    """A promise that the rules break, and the moves that lead there."""

    rule: str
    message: str
    moves: str
    state: str


@dataclass
class Report:
    """What a check found: one problem a rule, with the shortest moves that were seen."""

    game: str
    games: int = 0
    states: int = 0
    compiled: bool = True
    problems: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Did nothing break?"""
        return not self.problems


class Checker:
    """Walks random games and keeps, for each rule, the problem with the shortest moves."""

    def __init__(self, game: Game, seed: int = 0, report: Report | None = None) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.report = Report(game.name) if report is None else report
        self.found: dict[str, tuple[int, Problem]] = {}
        self.seen: dict[Any, Look | None] = {}
        self.probe: Probe | None = None
        self.hooks: SolverCheck | None = None
        self.engine: EngineCheck | None = None
        if len(game.sides) > 2:
            self.report.compiled = False
        else:
            from plyground.check.engine import for_engine
            from plyground.check.solver import for_solver

            self.probe = Probe(game)
            self.hooks = for_solver(game)
            self.engine = for_engine(game, seed)

    @property
    def sound(self) -> bool:
        """Do the rules hold so far that all others build on?"""
        return not any(rule in self.found for rule in ("moves", "play", "result"))

    def walk(self) -> None:
        """One random game."""
        game, path = self.game, list[int]()
        s = game.start()
        states = []
        for _ in range(LONGEST):
            states.append(s)
            seen = self.visit(s, path)
            if seen is None or not seen.moves or not all(is_int(m) for m in seen.moves):
                break
            m, s = self.random.choice(tried_moves(seen))
            path = [*path, int(m)]
            if game.layout.fault(s):
                break
        if self.hooks is not None and self.sound and len(states) == len(path) + 1:
            with _Catch(self, "solver", s, path):
                result = game.result(s)
                for i, rule, message in self.hooks.finished(states, result) if result is not None else ():
                    self.add(rule, message, states[i], path[:i])
        if self.engine is not None and self.sound:
            with _Catch(self, "engine", s, path):
                for i, rule, message in self.engine.finished(states[: len(path) + 1]):
                    self.add(rule, message, states[i], path[:i])
        self.report.games += 1
        self.report.problems = [problem for _, problem in sorted(self.found.values(), key=lambda p: p[0])]

    def visit(self, s: Any, path: list[int]) -> Look | None:
        """What the rules say of s; checked when s is met for the first time. None where they fail."""
        name = self.game.identity(s)
        if name not in self.seen:
            if len(self.seen) > 100_000:
                self.seen.clear()
            self.report.states += 1
            self.seen[name] = self.check(s, path)
        return self.seen[name]

    def check(self, s: Any, path: list[int]) -> Look | None:
        """Every promise for one state."""
        seen: Look | None = None
        with _Catch(self, "runs", s, path):
            seen = look(self.game, s, self.random)
        if seen is None:
            return None
        for rule in RULES:
            with _Catch(self, rule.__name__, s, path):
                for message in rule(self.game, seen):
                    self.add(rule.__name__, message, s, path)
        if self.probe is not None and self.sound:
            with _Catch(self, "compiled", s, path):
                for name, message in compare(self.game, seen, self.probe.look(s, seen.tried)):
                    self.add(f"compiled {name}", message, s, path)
        if self.hooks is not None and seen.result is None and self.sound:
            with _Catch(self, "solver", s, path):
                for name, message in self.hooks.state(s, tried_moves(seen)):
                    self.add(name, message, s, path)
        return seen

    def add(self, rule: str, message: str, s: Any, path: list[int]) -> None:
        """Keeps a problem if it is the first of its rule or its moves are fewer."""
        if rule not in self.found or len(path) < self.found[rule][0]:
            problem = Problem(rule, message, _path_text(self.game, path), _state_text(self.game, s))
            self.found[rule] = (len(path), problem)


class _Catch:
    """Rules that fail are a problem like any other; told with their own line."""

    def __init__(self, checker: Checker, rule: str, s: Any, path: list[int]) -> None:
        self.checker, self.rule, self.s, self.path = checker, rule, s, path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: Any) -> bool:
        if not isinstance(e, Exception):
            return False
        where = self.checker.game.where
        line = line_in(e, where)
        if isinstance(e, PlygroundError):
            message = str(e)
        elif self.rule == "compiled":
            message = f"the compiled rules fail with {type(e).__name__}: {e}"
        else:
            message = f"{Path(where).name}{f':{line}' if line else ''} fails with {type(e).__name__}: {e}"
        self.checker.add(self.rule, message, self.s, self.path)
        return True


def _path_text(game: Game, path: list[int]) -> str:
    """The moves as people write them where that leads back to them, else by their numbers."""
    try:
        s, words = game.start(), []
        for m in path:
            words.append(game.format_move(s, m))
            s = game.play(s, m)
        text = " ".join(words)
        if game.parse_moves(game.start(), text) == path:
            return text
    except Exception:
        pass
    return " ".join(f"#{m}" for m in path)


def _state_text(game: Game, s: Any) -> str:
    try:
        return str(game.format_state(s))
    except Exception:
        return repr(s)


def check(
    game: Game,
    games: int = 20,
    seed: int = 0,
    tick: Callable[[int], None] = lambda n: None,
    report: Report | None = None,
) -> Report:
    """Plays random games and tells every promise of the contract that the rules break.

    A `report` that is given is filled game by game, so that it can be read before the end.

    >>> from plyground import load
    >>> check(load("nim"), games=5).ok
    True
    """
    checker = Checker(game, seed, report)
    tick(0)
    for _ in range(games):
        checker.walk()
        tick(1)
    return checker.report
