"""Plays random games: checks every state once, and reports a problem with the shortest moves that lead to it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.check.inspection import RuleAnswers, compare, describe_difference, inspect, moves_tried, same_state, state_text
from plyground.check.keys import KeyCheck
from plyground.check.promises import RULES, PossibleProblem
from plyground.errors import MarginError, PlygroundError
from plyground.rules.contract import as_list, is_int
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.patience import patience, place_in

if TYPE_CHECKING:
    from plyground.check.answers import EngineCheck, SolverCheck
    from plyground.check.inspection import CompiledRules

MAX_PLIES = 1000
"""Plies after which a random game is abandoned."""
DEALT = (
    "chance acts only before the first move, as if cards were dealt; all sides and the engine see everything in the state, "
    "so a game with hidden cards can't be played this way"
)
OPENING = 16
"""The first plies, in which every state is checked; later, fewer and fewer are, and the last ones before the end."""


@dataclass(frozen=True)
class Problem:
    """A promise that the rules break, and the moves that lead there."""

    rule: str
    message: str
    moves: str | None
    """None if the moves that led to the state are not known."""
    state: str


@dataclass
class CheckReport:
    """What a check found: at most one problem and one warning per rule, with the shortest moves seen.

    A problem is an error; a warning is probably an error, but may be fine.
    """

    game: str
    games: int = 0
    states: int = 0
    compiled: bool = True
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


class Checker:
    """Plays random games and keeps the problem with the shortest moves for each rule."""

    def __init__(self, game: Game, seed: int = 0, findings: CheckReport | None = None) -> None:
        self.game, self.seed = game, seed
        self.random = random.Random(seed)
        self.findings = CheckReport(game.name) if findings is None else findings
        self.found: dict[tuple[str, bool], tuple[int, Problem]] = {}
        self.seen: dict[Any, RuleAnswers | None] = {}
        self.paths: dict[Hashable, list[int]] = {}
        self.keys = KeyCheck(game, seed)
        self.compiled: CompiledRules | None = None
        self.hooks: SolverCheck | None = None
        self.engine: EngineCheck | None = None
        for hint in game.hints:
            self.add("names", PossibleProblem(hint), game.start(), [])
        if len(game.sides) > 2:
            self.findings.compiled = False
        else:
            from plyground.check.answers import for_engine, for_solver
            from plyground.check.inspection import CompiledRules

            self.compiled = CompiledRules(game, seed)
            self.hooks = for_solver(game)
            self.engine = for_engine(game, seed)

    @property
    def basic_rules_ok(self) -> bool:
        """Whether the basic rules, on which all others depend, have no problems so far."""
        return not any((rule, False) in self.found for rule in ("moves", "play", "result", "runs"))

    def play(self) -> None:
        """Play one random game; every second one with `likely` moves, because random stones on a large board never meet."""
        game, path = self.game, list[int]()
        by_likely = "likely" in game.has and self.findings.games % 2 == 1
        s: State = game.start()
        states, skipped = list[State](), list[int]()
        for ply in range(MAX_PLIES):
            states.append(s)
            if ply < OPENING or self.random.random() < OPENING / ply:
                seen = self.visit(s, path)
                if seen is None or not seen.moves or not all(is_int(m) for m in seen.moves):
                    break
                likely = [m for m in seen.likely if m in seen.moves] if by_likely else []
                if likely:
                    m = self.random.choice(likely)
                    s = game.child(s, m)
                else:
                    m, s = self.random.choice(moves_tried(seen))
            else:
                skipped.append(ply)
                found = self._random_move(s, path, by_likely)
                if found is None:
                    break
                m, s = found, game.child(s, found)
            path = [*path, int(m)]
            if game.layout.fault(s):
                break
        for ply in skipped[-3:]:
            self.visit(states[ply], path[:ply])
        self._game_over(states, path)
        self.findings.games += 1
        self._rank()

    def _random_move(self, s: State, path: list[int], by_likely: bool) -> int | None:
        """Return a random move from a state that is not checked; None if there is none."""
        found: list[int] = []
        with _ReportException(self, "runs", s, path), patience(self.game.where):
            if self.game.quick_result(s) is None:
                found = [m for m, _ in self.game.outcomes(s)]
                found = found or (as_list(self.game, "likely", self.game.likely(s)) if by_likely else [])
                found = found or as_list(self.game, "moves", self.game.moves(s))
        return self.random.choice(found) if found else None

    def _game_over(self, states: list[State], path: list[int]) -> None:
        """Check the solver's hooks and the engine's values with a whole game."""
        if self.hooks is not None and self.basic_rules_ok and len(states) == len(path) + 1:
            with _ReportException(self, "solver", states[-1], path):
                result = self.game.result(states[-1])
                for i, rule, message in self.hooks.finished(states, result) if result is not None else ():
                    self.add(rule, message, states[i], path[:i])
        if self.engine is not None and self.basic_rules_ok:
            with _ReportException(self, "engine", states[-1], path):
                for i, rule, message in self.engine.finished(states[: len(path) + 1]):
                    self.add(rule, message, states[i], path[:i])

    def visit(self, s: State, path: list[int]) -> RuleAnswers | None:
        """Return what the rules say about s, which is checked the first time it is visited; None if they fail."""
        name = self.game.identity(s)
        if name not in self.seen:
            if len(self.seen) > 100_000:
                self.seen.clear()
                self.paths.clear()
            self.findings.states += 1
            self.seen[name] = self.check(s, path)
            self.paths[name] = path
        return self.seen[name]

    def check(self, s: State, path: list[int]) -> RuleAnswers | None:
        """Check every promise for one state."""
        seen: RuleAnswers | None = None
        with _ReportException(self, "runs", s, path), patience(self.game.where):
            seen = inspect(self.game, s, self.random)
        if seen is None:
            return None
        for rule in RULES:
            with _ReportException(self, rule.__name__, s, path), patience(self.game.where):
                for message in rule(self.game, seen):
                    self.add(rule.__name__, message, s, path)
        if not self.basic_rules_ok:
            return seen
        if self.compiled is not None:
            with _ReportException(self, "compiled", s, path):
                compiled = self.compiled.inspect(s, seen.tried)
                if compiled.moves == seen.moves and seen.result is None and not seen.chance:
                    self.compiled.inspect_for_solver(seen, compiled)
                for name, message in compare(self.game, seen, compiled):
                    self.add(f"compiled {name}", message, s, path)
        with _ReportException(self, "key", s, path), patience(self.game.where):
            for name, message in self.keys.compare_with_known(seen):
                self.add(name, message, s, path)
            if self.compiled is not None:
                self.keys.find_returns(seen, self.compiled)
        if self.hooks is not None and seen.result is None:
            with _ReportException(self, "solver", s, path):
                for name, message in self.hooks.state(s, moves_tried(seen)):
                    self.add(name, message, s, path)
        return seen

    def finish(self) -> None:
        """Run the checks that need many states."""
        met = [seen for seen in self.seen.values() if seen is not None]
        if self.basic_rules_ok:
            for seen, rule, message in (*self.keys.change(met), *self.keys.counters()):
                self.add(rule, message, seen.s, self.path_to(seen.s))
        self._warn_if_dealt(met)
        if self.compiled is not None and self.basic_rules_ok and not any(rule.startswith("compiled") for rule, _ in self.found):
            self._small_searches(self.compiled, met)
            if "positions" in self.game.has:
                self._positions(self.compiled)
        self._rank()

    def _warn_if_dealt(self, met: list[RuleAnswers]) -> None:
        """Warn if chance acts only before the first move, as in a game in which cards are dealt."""
        dealt = [len(self.path_to(seen.s) or ()) for seen in met if seen.chance]
        chosen = [len(self.path_to(seen.s) or ()) for seen in met if seen.moves and not seen.chance]
        if dealt and chosen and max(dealt) < min(chosen) and len(self.game.sides) > 1:
            self.add("chance", PossibleProblem(DEALT), self.game.start(), [])

    def _rank(self) -> None:
        """Update the findings with what was found so far, shortest moves first."""
        ranked = sorted(self.found.items(), key=lambda item: item[1][0])
        self.findings.problems = [problem for (_, doubt), (_, problem) in ranked if not doubt]
        self.findings.warnings = [problem for (_, doubt), (_, problem) in ranked if doubt]

    def _small_searches(self, rules: CompiledRules, met: list[RuleAnswers]) -> None:
        from plyground.check.playouts import ForcingCheck, Playouts

        start = self.game.start()
        with _ReportException(self, "playouts", start, []):
            for s, rule, message in Playouts(rules, self.seed).problems(met):
                self.add(rule, message, s, self.path_to(s))
        with _ReportException(self, "replies", start, []):
            if self.game.has & {"replies", "threats"} and "chance" not in self.game.has:
                for s, rule, message in ForcingCheck(rules, self.seed).problems(met):
                    self.add(rule, message, s, self.path_to(s))

    def _positions(self, rules: CompiledRules) -> None:
        """Compare the positions of the game's example endings, interpreted and compiled."""
        game, start = self.game, self.game.start()
        if not game.endings:
            words = '`positions` was not checked; list some texts for `ending`: ENDINGS = ("...",)'
            self.add("positions", PossibleProblem(words), start, [])
        for text in game.endings:
            with _ReportException(self, "positions", start, []):
                number = int(game.rules["ending"](text))
                compiled = rules.positions(number)
                plain = list(itertools.islice(game.rules["positions"](number), rules.room_for_positions))
                if len(plain) != len(compiled):
                    message = f"interpreted `positions` of {text} gives {len(plain)} states, compiled {len(compiled)}"
                    self.add("compiled positions", message, start, [])
                    continue
                for one, other in zip(plain, compiled, strict=True):
                    if not same_state(game, one, other):
                        message = describe_difference("positions", state_text(game, one), state_text(game, other))[1]
                        self.add("compiled positions", message, one, None)
                        break

    def path_to(self, s: State) -> list[int] | None:
        """Return the moves that lead to a checked state; None if they are unknown."""
        return self.paths.get(self.game.identity(s))

    def add(self, rule: str, message: str, s: State, path: list[int] | None) -> None:
        """Keep a problem or a warning if it is the first of its rule or has fewer moves."""
        name = rule, isinstance(message, PossibleProblem)
        length = MAX_PLIES if path is None else len(path)
        if name not in self.found or length < self.found[name][0]:
            moves = None if path is None else _path_text(self.game, path)
            self.found[name] = (length, Problem(rule, str(message), moves, state_text(self.game, s)))


class _ReportException:
    """Turns an exception in the rules into a problem, with its line."""

    def __init__(self, checker: Checker, rule: str, s: State, path: list[int]) -> None:
        self.checker, self.rule, self.s, self.path = checker, rule, s, path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: object) -> bool:
        if not isinstance(e, Exception):
            return False
        rules = Path(self.checker.game.path or self.checker.game.where)
        folder = str(rules.parent / " ")[:-1]
        if isinstance(e, PlygroundError):
            message = str(e).replace(folder, "")
        elif self.rule == "compiled":
            message = f"the compiled rules fail with {type(e).__name__}: {e}"
        else:
            message = f"{place_in(e, self.checker.game.where).replace(folder, '')} raises {type(e).__name__}: {e}"
        rule = "result" if isinstance(e, MarginError) else self.rule  # whichever check found it
        self.checker.add(rule, message, self.s, self.path)
        return True


def _path_text(game: Game, path: list[int]) -> str:
    """Return the moves as people write them if that can be read back, else as numbers."""
    try:
        s, words = game.start(), []
        for m in path:
            words.append(game.format_move(s, m))
            s = game.child(s, m)
        text = " ".join(words)
        if game.parse_moves(game.start(), text) == path:
            return text
    except Exception:
        pass
    return " ".join(f"#{m}" for m in path)


def check(
    game: Game,
    games: int = 20,
    seed: int = 0,
    tick: Callable[[int], None] = lambda n: None,
    findings: CheckReport | None = None,
) -> CheckReport:
    """Play random games and report every promise of the contract that the rules break.

    If `findings` is given, it is updated after every game, so that it can be read before the end.

    >>> from plyground import load
    >>> check(load("nim"), games=5).ok
    True
    """
    checker = Checker(game, seed, findings)
    tick(0)
    for _ in range(games):
        checker.play()
        tick(1)
    checker.finish()
    return checker.findings
