"""What the rules say about one state: `inspect` calls the interpreted ones, `CompiledRules` the compiled ones."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from plyground.bits import MASK
from plyground.rules.contract import listed
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, State

TRIED = 16
"""How many of a state's moves are tried, chosen at random if there are more."""


@dataclass
class Seen:
    """What the rules say about one state."""

    s: State
    result: Any = None
    key: int = 0
    turn: int = 0
    canonical: Any = None
    chance: bool = False
    moves: list[Any] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    tried: list[int] = field(default_factory=list)  # indices of the moves that the next three are about
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
    passes: Any = None
    cells: list[int] = field(default_factory=list)
    touches: list[list[int]] = field(default_factory=list)  # for all moves of a player
    touch: list[list[int]] = field(default_factory=list)  # for the moves that were tried
    hooks: dict[str, Any] = field(default_factory=dict)  # answers of the hooks for the solver and tables, by name
    spot: list[int] = field(default_factory=list)  # for the moves that were tried, as the next
    promise: list[int] = field(default_factory=list)

    @property
    def play(self) -> list[Any]:
        """The states after the moves that were tried."""
        return self.children

    @property
    def may_pass(self) -> bool:
        """Is there a state after a pass?"""
        return self.passes is not None

    def said(self, hook: str) -> Any:
        """Return what a hook says; None if it was not called."""
        return self.hooks.get(hook, getattr(self, hook, None))


def inspect(game: Game, s: State, dice: random.Random) -> Seen:
    """Return what the interpreted rules say about s."""
    turn = game.rules["turn"](s) if "turn" in game.has else 0
    seen = Seen(s, game.quick_result(s), game.key(s), turn, game.canonical(s))
    seen.cells = listed(game, "cells", game.rules["cells"](s)) if game.board else []
    if seen.result is not None:
        return seen
    if "chance" in game.has:
        weighted = listed(game, "chance", game.rules["chance"](s))
        seen.chance, seen.moves, seen.weights = bool(weighted), [m for m, _ in weighted], [w for _, w in weighted]
    if not seen.chance:
        seen.moves = listed(game, "moves", game.moves(s))
        _inspect_for_player(game, s, seen)
    seen.tried = sorted(dice.sample(range(len(seen.moves)), min(TRIED, len(seen.moves))))
    for i in seen.tried:
        seen.children.append(game.child(s, seen.moves[i]))
        if not seen.chance:
            seen.order.append(game.order(s, seen.moves[i]))
            seen.loud.append(bool(game.loud(s, seen.moves[i])))
            seen.touch += seen.touches[i : i + 1]
    return seen


def _inspect_for_player(game: Game, s: State, seen: Seen) -> None:
    rules = game.rules
    seen.evaluate = game.evaluate(s)
    seen.forced = bool(rules["forced"](s)) if "forced" in rules else False
    if not seen.moves and "stuck" in game.has:
        seen.stuck = rules["stuck"](s)
    seen.replies = listed(game, "replies", rules["replies"](s)) if "replies" in rules else []
    seen.threats = listed(game, "threats", rules["threats"](s)) if "threats" in rules else []
    seen.likely = listed(game, "likely", rules["likely"](s)) if "likely" in rules else []
    seen.countdown = int(rules["countdown"](s)) if "countdown" in rules else 0
    seen.label = [int(x) & MASK for x in listed(game, "label", rules["label"](s))] if "label" in rules else []
    seen.pack = int(rules["pack"](s)) & MASK if "pack" in rules else 0
    seen.touches = [listed(game, "touch", rules["touch"](s, m)) for m in seen.moves] if game.board else []
    if "passes" in rules and ("may_pass" not in rules or rules["may_pass"](s)):
        seen.passes = rules["passes"](s)


NUMBERS = ("code", "banked", "bounds", "remaining", "pressure")
"""The solver's hooks that give one or two numbers for a state."""
FOR_SOLVER = frozenset({"pack", *(name for name, hook in HOOKS.items() if hook.solver and hook.compiled)})
COSTLY = 300
"""Node limit for the interpreted `finish`."""


def solver_hooks(game: Game, plain: Seen, calm: bool, beta: int, nodes: int) -> None:
    """Ask the interpreted hooks for the solver: all of them if `calm`, that is, if the side to move can't win at once."""
    s, rules = plain.s, game.rules
    for name in NUMBERS:
        if name == "code" and game.key_bits:
            plain.hooks[name] = int(game.code(s)) & MASK
        elif name != "code" and name in game.has:
            value = rules[name](s)
            plain.hooks[name] = tuple(map(int, value)) if name == "bounds" else int(value)
    if plain.pack:
        plain.hooks["unpack"] = rules["unpack"](plain.pack)
    if calm and "safe" in game.has:
        plain.hooks["safe"] = [int(m) for m in listed(game, "safe", rules["safe"](s))]
    if calm and "finish" in game.has and nodes <= COSTLY:
        plain.hooks["finish"] = tuple(map(int, rules["finish"](s, beta)))
    for m, child in tried_moves(plain):
        if "spot" in game.has:
            plain.spot.append(int(rules["spot"](s, m)))
        if calm and "promise" in game.has:
            plain.promise.append(int(rules["promise"](s, m, child)))


def tried_moves(seen: Seen) -> list[tuple[int, Any]]:
    """Return the moves that were tried, each with the state after it."""
    return [(seen.moves[i], child) for i, child in zip(seen.tried, seen.children, strict=True)]


def move_name(game: Game, s: State, m: Any) -> str:
    try:
        return game.format_move(s, m)
    except Exception:
        return f"#{m}"
