"""Compares compiled rules with interpreted ones: `compare` finds hooks that give different answers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from plyground.bits import MASK
from plyground.check.seen import Seen, move_name
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, State

Difference = tuple[str, str]
"""The name of a hook, and what its two versions say."""

FIRST = ("result", "chance", "moves", "turn")
"""The others are compared only if these agree."""


def differs(name: str, one: Any, other: Any) -> Difference:
    """Return a difference in words."""
    return name, f"interpreted `{name}` gives {one!r:.60}, compiled {other!r:.60}"


def compare(game: Game, plain: Seen, compiled: Seen) -> Iterator[Difference]:
    """Yield the hooks whose compiled and interpreted answers differ."""
    for name in FIRST:
        if getattr(plain, name) != getattr(compiled, name):
            yield differs(name, getattr(plain, name), getattr(compiled, name))
            return
    tried = [plain.moves[i] for i in plain.tried]
    for name, hook in HOOKS.items():
        if name == "chance":
            yield from _compare_moves(game, name, plain.s, plain.moves, plain.weights, compiled.weights)
        elif hook.compiled and "m" in hook.arguments:
            yield from _compare_moves(game, name, plain.s, tried, plain.said(name), compiled.said(name))
        elif hook.compiled and name not in FIRST:
            yield from _compare_state(game, name, plain, compiled)


def _compare_state(game: Game, name: str, plain: Seen, compiled: Seen) -> Iterator[Difference]:
    """Compare a hook of the state; `unpack` only if `pack` agrees."""
    one, other = plain.said(name), compiled.said(name)
    if one is None or other is None or (name == "unpack" and plain.pack != compiled.pack):
        return
    if not _same(game, one & MASK if name == "key" else one, other):
        texts = (state_text(game, x) if isinstance(x, game.State) else x for x in (one, other))
        yield differs(name, *texts)


def _compare_moves(game: Game, name: str, s: State, moves: list[Any], one: Any, other: Any) -> Iterator[Difference]:
    """Yield the first move for which the answers differ."""
    for m, x, y in zip(moves, one or (), other or (), strict=False):
        if not _same(game, x, y):
            yield name, f"{differs(name, x, y)[1]} for {move_name(game, s, m)}"
            return


def _same(game: Game, one: Any, other: Any) -> bool:
    if isinstance(one, game.State):
        return same_state(game, one, other)
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def same_state(game: Game, one: Any, other: Any) -> bool:
    """Return whether two states are equal, word for word."""
    if not game.layout.arrays and one == other:
        return True
    return game.layout.row(one).tobytes() == game.layout.row(other).tobytes()


def state_text(game: Game, s: State) -> str:
    """Return a state in one line, as the game writes it if it can."""
    try:
        return str(game.format_state(s))
    except Exception:
        return repr(s)
