"""What the interpreted and the compiled rules say about one state, and where they differ.

`inspect` calls every interpreted rule, `CompiledRules.inspect` every compiled one, with bounds checks; `compare` finds the hooks
that give different answers.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from plyground.bits import MASK
from plyground.errors import PlygroundError
from plyground.rules.contract import as_list
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, RulesState, State

TRIED = 16
"""The largest number of moves tried in a state, chosen at random if there are more."""


@dataclass
class RuleAnswers:
    """What the rules say about one state."""

    s: State
    result: object = None
    key: int = 0
    turn: int = 0
    canonical: State = ()
    chance: bool = False
    moves: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)  # indices of the moves tried, to which the next three lists belong
    children: list[Any] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    loud: list[bool] = field(default_factory=list)
    evaluate: float = 0
    forced: bool = False
    stuck: int | None = None
    replies: list[int] = field(default_factory=list)
    threats: list[int] = field(default_factory=list)
    likely: list[int] = field(default_factory=list)
    countdown: int = 0
    label: list[int] = field(default_factory=list)
    pack: int = 0
    passes: State | None = None
    cells: list[int] = field(default_factory=list)
    touches: list[list[int]] = field(default_factory=list)  # for all moves of a player
    touch: list[list[int]] = field(default_factory=list)  # for the moves that were tried
    hooks: dict[str, Any] = field(default_factory=dict)  # answers of the hooks for the solver and tables, by name
    spot: list[int] = field(default_factory=list)  # for the moves that were tried, like the next
    promise: list[int] = field(default_factory=list)

    @property
    def play(self) -> list[State]:
        """The states after the moves that were tried."""
        return self.children

    @property
    def may_pass(self) -> bool:
        """Whether there is a state after a pass."""
        return self.passes is not None


def inspect(game: Game, s: State, dice: random.Random) -> RuleAnswers:
    """Return what the interpreted rules say about s."""
    turn = game.rules["turn"](s) if "turn" in game.has else 0
    seen = RuleAnswers(s, game.quick_result(s), game.key(s), turn, game.canonical(s))
    seen.cells = as_list(game, "cells", game.rules["cells"](s)) if game.board else []
    if seen.result is not None:
        return seen
    if "chance" in game.has:
        weighted = as_list(game, "chance", game.rules["chance"](s))
        seen.chance, seen.moves, seen.weights = bool(weighted), [m for m, _ in weighted], [w for _, w in weighted]
    if not seen.chance:
        seen.moves = as_list(game, "moves", game.moves(s))
        _inspect_for_player(game, s, seen)
    seen.tried = sorted(dice.sample(range(len(seen.moves)), min(TRIED, len(seen.moves))))
    for i in seen.tried:
        seen.children.append(game.child(s, seen.moves[i]))
        if not seen.chance:
            seen.order.append(game.order(s, seen.moves[i]))
            seen.loud.append(bool(game.loud(s, seen.moves[i])))
            seen.touch += seen.touches[i : i + 1]
    return seen


def _inspect_for_player(game: Game, s: State, seen: RuleAnswers) -> None:
    rules = game.rules
    seen.evaluate = game.evaluate(s)
    seen.forced = bool(rules["forced"](s)) if "forced" in rules else False
    if not seen.moves and "stuck" in game.has:
        seen.stuck = rules["stuck"](s)
    seen.replies = as_list(game, "replies", rules["replies"](s)) if "replies" in rules else []
    seen.threats = as_list(game, "threats", rules["threats"](s)) if "threats" in rules else []
    seen.likely = as_list(game, "likely", rules["likely"](s)) if "likely" in rules else []
    seen.countdown = int(rules["countdown"](s)) if "countdown" in rules else 0
    seen.label = [int(x) & MASK for x in as_list(game, "label", rules["label"](s))] if "label" in rules else []
    seen.pack = int(rules["pack"](s)) & MASK if "pack" in rules else 0
    seen.touches = [as_list(game, "touch", rules["touch"](s, m)) for m in seen.moves] if game.board else []
    if "passes" in rules and ("may_pass" not in rules or rules["may_pass"](s)):
        seen.passes = rules["passes"](s)


NUMBERS = ("code", "banked", "bounds", "remaining", "pressure")
"""The solver's hooks that give one or two numbers for a state."""
FOR_SOLVER = frozenset({"pack", *(name for name, hook in HOOKS.items() if hook.solver and hook.compiled)})
COSTLY = 300
"""Node limit for the interpreted `finish`."""


def solver_hooks(game: Game, plain: RuleAnswers, no_immediate_win: bool, beta: int, nodes: int) -> None:
    """Call the interpreted hooks for the solver; some of them only if the side to move can't win at once."""
    s, rules = plain.s, game.rules
    for name in NUMBERS:
        if name == "code" and game.key_bits:
            plain.hooks[name] = int(game.code(s)) & MASK
        elif name != "code" and name in game.has:
            value = rules[name](s)
            plain.hooks[name] = tuple(map(int, value)) if name == "bounds" else int(value)
    if plain.pack:
        plain.hooks["unpack"] = rules["unpack"](plain.pack)
    if no_immediate_win and "safe" in game.has:
        plain.hooks["safe"] = [int(m) for m in as_list(game, "safe", rules["safe"](s))]
    if no_immediate_win and "finish" in game.has and nodes <= COSTLY:
        plain.hooks["finish"] = tuple(map(int, rules["finish"](s, beta)))
    for m, child in moves_tried(plain):
        if "spot" in game.has:
            plain.spot.append(int(rules["spot"](s, m)))
        if no_immediate_win and "promise" in game.has:
            plain.promise.append(int(rules["promise"](s, m, child)))


def moves_tried(seen: RuleAnswers) -> list[tuple[int, State]]:
    """Return the moves that were tried, each with the state after it."""
    return [(seen.moves[i], child) for i, child in zip(seen.tried, seen.children, strict=True)]


def move_name(game: Game, s: State, m: int) -> str:
    """Return a move as the game writes it, else its number."""
    try:
        return game.format_move(s, m)
    except Exception:
        return f"#{m}"


# -- the compiled rules ------------------------------------------------------------------------------------------------------

BETAS = (-1, 0, 1, 2)
"""Values of beta for `finish`; with margins, multiples of these."""
POSITIONS = 100
"""The largest number of positions compared in an ending."""


class CompiledRules:
    """The compiled rules of a game."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        from plyground.compile import vocabulary as rules
        from plyground.compile.native import Native
        from plyground.kernels.tools import rule_answers

        self.game, self.going = game, rules.ONGOING
        self.random = random.Random(seed)
        self.native = Native(game, boundscheck=True)
        self.call = self.native.bind(rule_answers.inspect, "int64(uint64, uint64, uint64, uint64, int64)", "check")
        self.records, self.room = rule_answers, 256
        self.room_for_positions = POSITIONS
        self.call_hooks: Callable[..., int] | None = None
        if FOR_SOLVER & game.has or game.key_bits:
            self.call_hooks = self.native.bind(rule_answers.hooks, "int64(uint64, uint64, uint64, uint64, int64, int64)", "check")

    def inspect(self, s: State, tried: list[int]) -> RuleAnswers:
        """Return what the compiled rules say about s and some of its moves."""
        import numpy as np

        game, layout, words = self.game, self.game.layout, self.game.layout.words
        row = layout.row(s)
        before = row.copy()
        while True:
            head = self.records.InspectedState(2 * words)
            entries = np.zeros((self.room, self.records.MoveAnswers.size // 8 + words), np.uint64)
            rows = np.zeros((6, self.room), np.int64)
            n = self.call(row.ctypes.data, head.address, entries.ctypes.data, rows.ctypes.data, self.room)
            needed = max(n, head.replies, head.threats, head.label, head.likely, head.cells, head.touch)
            if needed <= self.room:
                break
            self.room = 2 * needed
        if row.tobytes() != before.tobytes():
            raise PlygroundError("compiled `undo` does not restore the state that `play` changed")
        moves = [self.records.MoveAnswers.from_words(entry) for entry in entries[:n]]
        seen = RuleAnswers(s, None if head.verdict == self.going else head.verdict, head.key, head.turn)
        seen.canonical = layout.read(head.extra_words[:words])
        seen.chance, seen.cells = bool(head.chance), rows[4, : head.cells].tolist()
        seen.moves = [m.move for m in moves]
        seen.tried = [i for i in tried if i < n]
        seen.children = [layout.read(moves[i].extra_words) for i in seen.tried]
        if seen.result is not None or seen.chance:
            seen.weights = [m.weight for m in moves]
            return seen
        seen.order = [moves[i].order for i in seen.tried]
        seen.loud = [bool(moves[i].loud) for i in seen.tried]
        seen.evaluate, seen.forced = head.evaluate, bool(head.forced)
        seen.stuck = head.stuck if n == 0 and "stuck" in game.has else None
        seen.replies, seen.threats = rows[0, : head.replies].tolist(), rows[1, : head.threats].tolist()
        seen.label, seen.likely = rows[2, : head.label].view(np.uint64).tolist(), rows[3, : head.likely].tolist()
        seen.countdown, seen.pack = head.countdown, head.pack
        touches = _touches(rows[5, : head.touch].tolist())
        seen.touch = [touches[i] for i in seen.tried] if touches else []
        seen.passes = layout.read(head.extra_words[words:]) if head.passes else None
        return seen

    def inspect_for_solver(self, plain: RuleAnswers, compiled: RuleAnswers) -> None:
        """Call the hooks for the solver and tables, interpreted and compiled, and add the answers to both."""
        import numpy as np

        if self.call_hooks is None:
            return
        game, layout = self.game, self.game.layout
        beta = self.random.choice(BETAS) * max(1, game.margin // 8)
        row = layout.row(plain.s)
        head = self.records.SolverHookAnswers(layout.words)
        room = max(len(plain.moves), 1)
        entries = np.zeros((room, self.records.HintAnswers.size // 8), np.uint64)
        safe = np.zeros(room, np.int64)
        self.call_hooks(row.ctypes.data, head.address, entries.ctypes.data, safe.ctypes.data, room, beta)
        solver_hooks(game, plain, bool(head.no_immediate_win), beta, head.nodes)
        values = {
            "code": head.code, "banked": head.banked, "bounds": (head.low, head.high),
            "remaining": head.remaining, "pressure": head.pressure, "finish": (head.value, head.nodes),
        }  # fmt: skip
        compiled.hooks = {name: values[name] for name in plain.hooks if name in values}
        if "unpack" in plain.hooks:
            compiled.hooks["unpack"] = layout.read(head.extra_words)
        if "safe" in plain.hooks:
            compiled.hooks["safe"] = safe[: head.safe].tolist() if head.safe <= room else f"{head.safe} moves"
        hints = [self.records.HintAnswers.from_words(entries[i]) for i in plain.tried]
        compiled.spot = [hint.spot for hint in hints] if plain.spot else []
        compiled.promise = [hint.promise for hint in hints] if plain.promise else []

    def positions(self, ending: int) -> list[RulesState]:
        """Return the first positions of an ending, from the compiled rules."""
        import numpy as np

        from plyground.kernels.tools import rule_answers

        layout = self.game.layout
        rows = np.zeros((POSITIONS, layout.words), np.uint64)
        call = self.native.bind(rule_answers.first_positions, "int64(int64, uint64, int64)", "check")
        n = call(ending, rows.ctypes.data, POSITIONS)
        return [layout.read(rows[i]) for i in range(n)]


def _touches(row: list[int]) -> list[list[int]]:
    """Return the cells that each move touches, from a row in which they follow their number."""
    found, at = [], 0
    while at < len(row):
        found.append(row[at + 1 : at + 1 + row[at]])
        at += 1 + row[at]
    return found


# -- differences -------------------------------------------------------------------------------------------------------------

Difference = tuple[str, str]
"""The name of a hook, and the answers of its two versions."""

Answers = Sequence[object] | None
"""The answers of a hook for several moves; None if it was not called."""
FIRST = ("result", "chance", "moves", "turn")
"""The others are compared only if these agree."""


def describe_difference(name: str, one: object, other: object) -> Difference:
    """Describe a difference in words."""
    return name, f"interpreted `{name}` gives {one!r:.60}, compiled {other!r:.60}"


def compare(game: Game, plain: RuleAnswers, compiled: RuleAnswers) -> Iterator[Difference]:
    """Yield the hooks whose compiled and interpreted answers differ."""
    for name in FIRST:
        if getattr(plain, name) != getattr(compiled, name):
            yield describe_difference(name, getattr(plain, name), getattr(compiled, name))
            return
    tried = [plain.moves[i] for i in plain.tried]
    for name, hook in HOOKS.items():
        if name == "chance":
            yield from _compare_moves(game, name, plain.s, plain.moves, plain.weights, compiled.weights)
        elif hook.compiled and "m" in hook.arguments:
            yield from _compare_moves(game, name, plain.s, tried, _answer(plain, name), _answer(compiled, name))
        elif hook.compiled and name not in FIRST:
            yield from _compare_state(game, name, plain, compiled)


def _answer(seen: RuleAnswers, hook: str) -> Any:
    """Return the answer of a hook; None if it was not called."""
    return seen.hooks.get(hook, getattr(seen, hook, None))


def _compare_state(game: Game, name: str, plain: RuleAnswers, compiled: RuleAnswers) -> Iterator[Difference]:
    """Compare a hook of the state; `unpack` only if `pack` agrees."""
    one, other = _answer(plain, name), _answer(compiled, name)
    if one is None or other is None or (name == "unpack" and plain.pack != compiled.pack):
        return
    if not _same(game, one & MASK if name == "key" else one, other):
        texts = (state_text(game, x) if isinstance(x, game.State) else x for x in (one, other))
        yield describe_difference(name, *texts)


def _compare_moves(
    game: Game, name: str, s: State, moves: list[int], one: Sequence[object] | None, other: Sequence[object] | None
) -> Iterator[Difference]:
    """Yield the first move for which the answers differ."""
    for m, x, y in zip(moves, one or (), other or (), strict=False):
        if not _same(game, x, y):
            yield name, f"{describe_difference(name, x, y)[1]} for {move_name(game, s, m)}"
            return


def _same(game: Game, one: Any, other: Any) -> bool:
    """Return whether two answers are equal; floats may differ in the last digits."""
    if isinstance(one, game.State):
        return same_state(game, one, other)
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def same_state(game: Game, one: State, other: State) -> bool:
    """Return whether two states are equal, word for word."""
    if not game.layout.arrays and one == other:
        return True
    return game.layout.row(one).tobytes() == game.layout.row(other).tobytes()


def state_text(game: Game, s: State) -> str:
    """Return a state on one line, as the game writes it if it can."""
    try:
        return str(game.format_state(s))
    except Exception:
        return repr(s)
