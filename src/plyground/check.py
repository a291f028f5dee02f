"""Does a rules file hold? Random games, the interpreted rules beside the compiled ones, every promise of the contract.

`look` asks the plain rules everything about a state, `Probe` asks the compiled ones, and each function of RULES looks at one
promise and yields what is wrong; `check_solver.py` looks at the hooks for the solver. A problem comes with the moves that lead
to it.
"""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.game import Game, is_int, line_in
from plyground.score import LIMIT

if TYPE_CHECKING:
    from plyground.check_solver import SolverCheck

LONGEST = 200
"""Plies after which a random game is left unfinished."""
TRIED = 16
"""How many of a state's moves are tried, picked at random where there are more."""


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


@dataclass
class Look:
    """What the rules say of one state."""

    s: Any
    result: Any = None
    key: int = 0
    turn: int = 0
    canonical: Any = None
    chance: bool = False
    moves: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)  # which of the moves, by their place, the next three are about
    children: list[Any] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    loud: list[bool] = field(default_factory=list)
    evaluate: float = 0
    forced: bool = False
    stuck: int | None = None
    replies: list[int] = field(default_factory=list)
    threats: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    word: int = 0
    passes: Any = None


def look(game: Game, s: Any, dice: random.Random) -> Look:
    """What the interpreted rules say of s."""
    seen = Look(s, game.quick_result(s), game.key(s), game.turn(s) or 0, game.canonical(s))
    if seen.result is not None:
        return seen
    if "chance" in game.has:
        weighted = list(game.rules["chance"](s))
        seen.chance, seen.moves, seen.weights = bool(weighted), [m for m, _ in weighted], [w for _, w in weighted]
    if not seen.chance:
        seen.moves = list(game.moves(s))
        _look_for_player(game, s, seen)
    seen.tried = sorted(dice.sample(range(len(seen.moves)), min(TRIED, len(seen.moves))))
    for i in seen.tried:
        seen.children.append(game.play(s, seen.moves[i]))
        if not seen.chance:
            seen.order.append(game.order(s, seen.moves[i]))
            seen.loud.append(bool(game.loud(s, seen.moves[i])))
    return seen


def _look_for_player(game: Game, s: Any, seen: Look) -> None:
    rules = game.rules
    seen.evaluate = game.evaluate(s)
    seen.forced = bool(rules["forced"](s)) if "forced" in rules else False
    if not seen.moves and "stuck" in game.has:
        seen.stuck = rules["stuck"](s)
    seen.replies = list(rules["replies"](s)) if "replies" in rules else []
    seen.threats = list(rules["threats"](s)) if "threats" in rules else []
    seen.label = [int(x) & MASK for x in rules["label"](s)] if "label" in rules else []
    seen.word = int(rules["pack"](s)) & MASK if "pack" in rules else 0
    if "passes" in rules and ("may_pass" not in rules or rules["may_pass"](s)):
        seen.passes = rules["passes"](s)


class Probe:
    """The compiled rules with every index checked, asked the same."""

    def __init__(self, game: Game) -> None:
        from plyground.compile import Native
        from plyground.search import probe, rules

        self.game, self.going = game, rules.GOING
        self.call = Native(game, boundscheck=True).bind(probe.probe, "int64(uint64, uint64, uint64, int64)", "check")
        self.head, self.entry, self.room = probe.HEAD, probe.ENTRY, 256

    def look(self, s: Any, tried: list[int]) -> Look:
        """What the compiled rules say of s, and of some of its moves."""
        import numpy as np

        game, layout, words = self.game, self.game.layout, self.game.layout.words
        row = layout.pack(s)
        before = row.copy()
        while True:
            head = np.zeros(self.head + 2 * words, np.uint64)
            entries = np.zeros((self.room, self.entry + words), np.uint64)
            n = self.call(row.ctypes.data, head.ctypes.data, entries.ctypes.data, self.room)
            needed = max(n, int(head[7]), int(head[9]), int(head[10]))
            if needed <= self.room:
                break
            self.room = 2 * needed
        if row.tobytes() != before.tobytes():
            raise PlygroundError("compiled `undo` does not restore the state that `play` changed")
        numbers, reals = head.view(np.int64), head.view(np.float64)
        seen = Look(s, None if numbers[0] == self.going else int(numbers[0]), int(head[1]), int(numbers[2]))
        seen.canonical = layout.unpack(head[self.head : self.head + words])
        seen.chance = bool(head[5])
        seen.moves = entries[:n, 0].view(np.int64).tolist()
        seen.tried = [i for i in tried if i < n]
        seen.children = [layout.unpack(entries[i, self.entry :]) for i in seen.tried]
        if seen.result is not None or seen.chance:
            seen.weights = entries[:n, 1].view(np.float64).tolist()
            return seen
        seen.order = [int(entries[i, 1].view(np.int64)) for i in seen.tried]
        seen.loud = [bool(entries[i, 2]) for i in seen.tried]
        seen.evaluate, seen.forced = float(reals[3]), bool(head[4])
        seen.stuck = int(numbers[6]) if n == 0 and "stuck" in game.has else None
        seen.replies = entries[: int(head[7]), 3].view(np.int64).tolist()
        seen.threats = entries[: int(head[9]), 4].view(np.int64).tolist()
        seen.label = entries[: int(head[10]), 5].tolist()
        seen.word = int(head[11])
        seen.passes = layout.unpack(head[self.head + words :]) if head[8] else None
        return seen


def _tried(seen: Look) -> list[tuple[int, Any]]:
    """The moves that were tried, each with the state after it."""
    return [(seen.moves[i], child) for i, child in zip(seen.tried, seen.children, strict=True)]


# -- the promises: each yields what is wrong with one state ------------------------------------------------------------------


def result(game: Game, seen: Look) -> Iterator[str]:
    """None, or an int within the margin; a tuple where there are three sides or more."""
    value = seen.result if seen.result is not None else seen.stuck
    if value is None:
        return
    if len(game.sides) > 2:
        if not (isinstance(value, tuple) and len(value) == len(game.sides)):
            yield f"`result` gives {value!r:.40}, not a tuple of {len(game.sides)} values"
    elif not is_int(value):
        yield f"`result` gives {value!r:.40}, which is not an int"
    elif "chance" not in game.has and abs(value) > (game.margin or 1):
        yield f"`result` gives {value}, larger than {f'MARGIN = {game.margin}' if game.margin else '1 (set MARGIN)'}"


def moves(game: Game, seen: Look) -> Iterator[str]:
    """Different ints from 0 up, the same when asked again, and some while the game goes on."""
    name = "chance" if seen.chance else "moves"
    for m in [*seen.moves, *seen.replies, *seen.threats]:
        if not is_int(m) or not 0 <= m < 1 << 63:
            yield f"`{name}` gives {m!r:.40}; a move is an int from 0 up"
            return
    if len(set(seen.moves)) < len(seen.moves):
        twice = next(m for i, m in enumerate(seen.moves) if m in seen.moves[:i])
        yield f"`{name}` gives {twice} twice"
    if seen.result is None and not seen.moves and "stuck" not in game.has:
        yield "`result` says that the game goes on, but `moves` gives none; let `result` tell, or give `stuck(s)`"
    if seen.result is None and not seen.chance and list(game.moves(seen.s)) != seen.moves:
        yield "`moves` gives other moves when it is asked again"
    for name, found in (("replies", seen.replies), ("threats", seen.threats)):
        if not set(found) <= set(seen.moves):
            yield f"`{name}` gives {sorted(set(found) - set(seen.moves))[0]}, which `moves` does not"


def play(game: Game, seen: Look) -> Iterator[str]:
    """A sound state each time, and s as it was."""
    before = game.layout.pack(seen.s).tobytes()
    for m, child in _tried(seen):
        fault = game.layout.fault(child)
        if fault:
            yield f"`play` of {_move(game, seen.s, m)} gives a wrong state: {fault}"
            return
    if seen.moves:
        game.play(seen.s, seen.moves[0])
    if game.layout.pack(seen.s).tobytes() != before:
        yield "`play` changes the state it is given"


def undo(game: Game, seen: Look) -> Iterator[str]:
    """After play and undo, every bit as before."""
    if not game.in_place:
        return
    before = game.layout.pack(seen.s).tobytes()
    for m, _ in _tried(seen):
        s = copy.deepcopy(seen.s)
        game.rules["play"](s, m)
        game.rules["undo"](s, m)
        if game.layout.pack(s).tobytes() != before:
            yield f"`undo` of {_move(game, seen.s, m)} does not restore the state"
            return


def turn(game: Game, seen: Look) -> Iterator[str]:
    """One of the sides; the other one after each move where sides alternate."""
    if "turn" not in game.has:
        return
    if not (is_int(seen.turn) and 0 <= seen.turn < len(game.sides)):
        yield f"`turn` gives {seen.turn!r:.40}; the sides are numbered 0 to {len(game.sides) - 1}"
    elif game.alternate and "chance" not in game.has:
        for m, child in _tried(seen):
            if game.turn(child) != 1 - seen.turn:
                yield f"after {_move(game, seen.s, m)} the same side is to move, but ALTERNATE says that sides alternate"
                return


def chance(game: Game, seen: Look) -> Iterator[str]:
    """Weights that can be weighed."""
    for m, weight in zip(seen.moves, seen.weights, strict=False):
        if not (isinstance(weight, int | float) and math.isfinite(weight) and weight > 0):
            yield f"`chance` gives {_move(game, seen.s, m)} the weight {weight!r:.40}; it must be a number above 0"


def evaluate(game: Game, seen: Look) -> Iterator[str]:
    """Smaller in size than any proven result."""
    value = seen.evaluate
    if "chance" in game.has:
        if not math.isfinite(value):
            yield f"`evaluate` gives {value!r:.40}"
    elif not is_int(value) or abs(value) > LIMIT:
        yield f"`evaluate` gives {value!r:.40}; it must be an int from -{LIMIT} to {LIMIT}"


def key(game: Game, seen: Look) -> Iterator[str]:
    """An int, the same for the same state."""
    if not is_int(seen.key):
        yield f"`key` gives {seen.key!r:.40}, which is not an int"
    elif game.key(copy.deepcopy(seen.s)) != seen.key:
        yield "`key` gives another number when it is asked again"


def label(game: Game, seen: Look) -> Iterator[str]:
    """As many numbers as the first state's."""
    if seen.label:
        wanted = len(list(game.rules["label"](game.start())))
        if len(seen.label) != wanted:
            yield f"`label` gives {len(seen.label)} numbers, but {wanted} for the first state"


def canonical(game: Game, seen: Look) -> Iterator[str]:
    """A state of the same worth, whose representative is itself."""
    if "canonical" not in game.has:
        return
    other = seen.canonical
    fault = game.layout.fault(other)
    if fault:
        yield f"`canonical` gives a wrong state: {fault}"
    elif game.quick_result(other) != seen.result:
        yield f"`canonical` changes the result from {seen.result} to {game.quick_result(other)}"
    elif game.identity(game.canonical(other)) != game.identity(other):
        yield "`canonical` of the canonical state is another one"
    elif game.turn(other) != game.turn(seen.s):
        yield "`canonical` changes whose turn it is"
    elif seen.result is None and not seen.chance and len(list(game.moves(other))) != len(seen.moves):
        yield f"`canonical` changes the number of moves from {len(seen.moves)} to {len(list(game.moves(other)))}"


def pack(game: Game, seen: Look) -> Iterator[str]:
    """A word that leads back to a state of the same worth."""
    if not seen.word:
        return
    word_of, other = game.rules["pack"], game.rules["unpack"](seen.word)
    fault = game.layout.fault(other)
    if fault:
        yield f"`unpack` gives a wrong state: {fault}"
    elif word_of(other) != seen.word:
        yield "`pack` makes another word of the state that `unpack` gives"
    elif seen.result is None and game.result(other) is None:
        words = [{word_of(game.play(s, m)) for m in game.moves(s)} for s in (seen.s, other)]
        if words[0] != words[1]:
            yield "moves lead elsewhere from the state that `unpack` gives"


def move_text(game: Game, seen: Look) -> Iterator[str]:
    """Each move has a text of its own that leads back to it."""
    texts: dict[str, int] = {}
    for m in seen.moves:
        text = game.format_move(seen.s, m)
        if not isinstance(text, str) or not text.strip():
            yield f"`format_move` of {m} gives {text!r:.40}"
            return
        if text in texts:
            yield f"`format_move` gives {text!r} for the move {texts[text]} and for {m}"
            return
        texts[text] = m
    for m, _ in _tried(seen)[:: TRIED // 4]:
        text = game.format_move(seen.s, m)
        back = game.parse_move(seen.s, text)
        if back != m:
            yield f"`parse_move` reads {text!r} as {back}, but it is how {m} is written"
            return


def state_text(game: Game, seen: Look) -> Iterator[str]:
    """A state's text leads back to a state that is the same for the table, the mover and the rules."""
    text = game.format_state(seen.s)
    if not isinstance(text, str) or "\n" in text:
        yield f"`format_state` must give one line of text, not {text!r:.60}"
        return
    s = game.parse_state(text)
    again = game.format_state(s)
    if again != text:
        yield f"`parse_state` reads {text!r} as {again!r}"
    elif game.key(s) != seen.key:
        yield f"`parse_state` of {text!r} gives a state with another key"
    elif game.quick_result(s) != seen.result or (seen.result is None and game.turn(s) != game.turn(seen.s)):
        yield f"`parse_state` of {text!r} gives a state with another result or turn"
    elif seen.result is None and not seen.chance and list(game.moves(s)) != seen.moves:
        yield f"`parse_state` of {text!r} gives a state with other moves"
    if not isinstance(game.show(seen.s), str):
        yield "`show` does not give text"


RULES: list[Callable[[Game, Look], Iterator[str]]] = [
    *(result, moves, play, undo, turn, chance, evaluate, key, label, canonical, pack, move_text, state_text),
]


def compare(game: Game, plain: Look, compiled: Look) -> Iterator[tuple[str, str]]:
    """Where the compiled rules say something else than the interpreted ones: the rule's name, and what each says."""
    pack = game.layout.pack

    def differs(name: str, one: Any, other: Any) -> tuple[str, str]:
        return name, f"interpreted `{name}` gives {one!r:.60}, compiled {other!r:.60}"

    for name in ("result", "chance", "moves", "turn", "forced", "stuck", "replies", "threats", "label"):
        if getattr(plain, name) != getattr(compiled, name):
            yield differs(name, getattr(plain, name), getattr(compiled, name))
            return
    if plain.key & MASK != compiled.key:
        yield differs("key", plain.key, compiled.key)
    if plain.word != compiled.word:
        yield differs("pack", plain.word, compiled.word)
    if not math.isclose(plain.evaluate, compiled.evaluate, rel_tol=1e-9, abs_tol=1e-9):
        yield differs("evaluate", plain.evaluate, compiled.evaluate)
    if pack(plain.canonical).tobytes() != pack(compiled.canonical).tobytes():
        yield differs("canonical", game.format_state(plain.canonical), game.format_state(compiled.canonical))
    if (plain.passes is None) != (compiled.passes is None):
        yield differs("may_pass", plain.passes is not None, compiled.passes is not None)
    elif plain.passes is not None and pack(plain.passes).tobytes() != pack(compiled.passes).tobytes():
        yield differs("passes", game.format_state(plain.passes), game.format_state(compiled.passes))
    yield from _compare_moves(game, plain, compiled, differs)


def _compare_moves(game: Game, plain: Look, compiled: Look, differs: Any) -> Iterator[tuple[str, str]]:
    pack = game.layout.pack
    for i, place in enumerate(plain.tried):
        after = f" for {_move(game, plain.s, plain.moves[place])}"
        if pack(plain.children[i]).tobytes() != pack(compiled.children[i]).tobytes():
            name, message = differs("play", plain.children[i], compiled.children[i])
        elif plain.chance and not math.isclose(plain.weights[place], compiled.weights[place]):
            name, message = differs("chance", plain.weights[place], compiled.weights[place])
        elif not plain.chance and plain.order[i] != compiled.order[i]:
            name, message = differs("order", plain.order[i], compiled.order[i])
        elif not plain.chance and plain.loud[i] != compiled.loud[i]:
            name, message = differs("loud", plain.loud[i], compiled.loud[i])
        else:
            continue
        yield name, message + after
        return


# -- random games -------------------------------------------------------------------------------------------------------------


class Checker:
    """Walks random games and keeps, for each rule, the problem with the shortest moves."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.report = Report(game.name)
        self.found: dict[str, tuple[int, Problem]] = {}
        self.seen: dict[Any, Look | None] = {}
        self.probe: Probe | None = None
        self.hooks: SolverCheck | None = None
        if len(game.sides) > 2:
            self.report.compiled = False
        else:
            from plyground.check_solver import for_solver

            self.probe = Probe(game)
            self.hooks = for_solver(game)

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
            m, s = self.random.choice(_tried(seen))
            path = [*path, int(m)]
            if game.layout.fault(s):
                break
        if self.hooks is not None and self.sound and len(states) == len(path) + 1:
            with _Catch(self, "solver", s, path):
                result = game.result(s)
                for rule, message in self.hooks.finished(states, result) if result is not None else ():
                    self.add(rule, message, s, path)
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
                for name, message in self.hooks.state(s, _tried(seen)):
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


def _move(game: Game, s: Any, m: Any) -> str:
    try:
        return game.format_move(s, m)
    except Exception:
        return f"#{m}"


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


def check(game: Game, games: int = 20, seed: int = 0, tick: Callable[[int], None] = lambda n: None) -> Report:
    """Plays random games and tells every promise of the contract that the rules break.

    >>> from plyground import load
    >>> check(load("nim"), games=5).ok
    True
    """
    checker = Checker(game, seed)
    tick(0)
    for _ in range(games):
        checker.walk()
        tick(1)
    return checker.report
