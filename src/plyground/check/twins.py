"""Compiled rules beside interpreted ones: `COMPARED` names every hook of the contract that is compiled, and `compare` tells
where the two say something else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from plyground.bits import MASK
from plyground.check.inspect import Seen, move_name
from plyground.rules.game import Game

Difference = tuple[str, str]
"""The name of a hook, and what each of its two twins says."""

FIRST = ("result", "chance", "moves", "turn")
"""All else makes sense only where these agree."""
VALUES = ("forced", "stuck", "replies", "threats", "likely", "label", "countdown")
STATES = ("canonical", "passes")
HOOKS = ("code", "banked", "bounds", "remaining", "pressure", "finish", "safe")
BY_MOVE = ("order", "loud", "spot", "promise")
COMPARED = frozenset(
    {*FIRST, *VALUES, *STATES, *HOOKS, *BY_MOVE, "play", "undo", "key", "pack", "unpack", "evaluate", "may_pass", "positions"}
)
"""Every hook of which the two twins are compared (`undo` by what it leaves of the state, `positions` in `checker`)."""


def differs(name: str, one: Any, other: Any) -> Difference:
    """A difference in words."""
    return name, f"interpreted `{name}` gives {one!r:.60}, compiled {other!r:.60}"


def compare(game: Game, plain: Seen, compiled: Seen) -> Iterator[Difference]:
    """Where the compiled rules say something else than the interpreted ones."""
    for name in FIRST:
        if getattr(plain, name) != getattr(compiled, name):
            yield differs(name, getattr(plain, name), getattr(compiled, name))
            return
    yield from _compare_values(plain, compiled)
    yield from _compare_states(game, plain, compiled)
    yield from _compare_moves(game, plain, compiled)


def _compare_values(plain: Seen, compiled: Seen) -> Iterator[Difference]:
    for name in VALUES:
        if getattr(plain, name) != getattr(compiled, name):
            yield differs(name, getattr(plain, name), getattr(compiled, name))
    if plain.key & MASK != compiled.key:
        yield differs("key", plain.key, compiled.key)
    if plain.word != compiled.word:
        yield differs("pack", plain.word, compiled.word)
    if not math.isclose(plain.evaluate, compiled.evaluate, rel_tol=1e-9, abs_tol=1e-9):
        yield differs("evaluate", plain.evaluate, compiled.evaluate)
    for name in HOOKS:
        if plain.hooks.get(name) != compiled.hooks.get(name):
            yield differs(name, plain.hooks.get(name), compiled.hooks.get(name))


def _compare_states(game: Game, plain: Seen, compiled: Seen) -> Iterator[Difference]:
    if (plain.passes is None) != (compiled.passes is None):
        yield differs("may_pass", plain.passes is not None, compiled.passes is not None)
    pairs = [(name, getattr(plain, name), getattr(compiled, name)) for name in STATES]
    if "unpack" in plain.hooks and plain.word == compiled.word:
        pairs.append(("unpack", plain.hooks["unpack"], compiled.hooks["unpack"]))
    for name, one, other in pairs:
        if one is not None and other is not None and not same_state(game, one, other):
            yield differs(name, state_text(game, one), state_text(game, other))


def _compare_moves(game: Game, plain: Seen, compiled: Seen) -> Iterator[Difference]:
    names: list[tuple[str, Callable[[int], tuple[Any, Any]]]] = []
    for name in BY_MOVE:
        one, other = getattr(plain, name), getattr(compiled, name)
        if one:
            names.append((name, lambda i, one=one, other=other: (one[i], other[i])))  # type: ignore[misc]
    told = set()
    for i, place in enumerate(plain.tried):
        found = []
        if not same_state(game, plain.children[i], compiled.children[i]):
            found.append(differs("play", plain.children[i], compiled.children[i]))
        if plain.chance and not math.isclose(plain.weights[place], compiled.weights[place]):
            found.append(differs("chance", plain.weights[place], compiled.weights[place]))
        found += [differs(name, *pair(i)) for name, pair in names if pair(i)[0] != pair(i)[1]]
        for name, message in found:
            if name not in told:
                told.add(name)
                yield name, f"{message} for {move_name(game, plain.s, plain.moves[place])}"


def same_state(game: Game, one: Any, other: Any) -> bool:
    """Are two states equal, word for word?"""
    if not game.layout.arrays and one == other:
        return True
    return game.layout.pack(one).tobytes() == game.layout.pack(other).tobytes()


def state_text(game: Game, s: Any) -> str:
    """A state in one line, as the game writes it where it can."""
    try:
        return str(game.format_state(s))
    except Exception:
        return repr(s)
