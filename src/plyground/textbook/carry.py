"""A game whose state carries extra data, passed on from state to state alongside the rules' own fields.

Repetition (the positions on the path) and limited moves (the cells worth trying) both work this way. The algorithms don't
notice: to them it is a game like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

from plyground.bits import MASK, mix
from plyground.rules.game import Game
from plyground.rules.hooks import State

OF_STATE = (
    *("moves", "likely", "result", "evaluate", "order", "loud", "turn", "outcomes", "is_chance", "legal"),
    *("show", "format_move", "parse_move", "format_state"),
)


class Carried(NamedTuple):
    """A state and the data it carries along."""

    state: State
    along: Hashable


def bare(s: State) -> Any:
    """Return the state as the rules know it, without what it carries."""
    while isinstance(s, Carried):
        s = s.state
    return s


def carry(game: Game, first: Hashable, hand_down: Callable[[Any, Any, int], Hashable]) -> Game:
    """Return the game with extra data in its states: `first` at the root, `hand_down(along, s, m)` after move m in s."""

    def on_state(rule: Callable[..., Any]) -> Callable[..., Any]:
        return lambda c, *rest: rule(c.state, *rest)

    changed: dict[str, Any] = {name: on_state(getattr(game, name)) for name in OF_STATE} | {
        "start": lambda: Carried(game.start(), first),
        "child": lambda c, m: Carried(game.child(c.state, m), hand_down(c.along, c.state, m)),
        "identity": lambda c: (game.identity(c.state), c.along),
        "key": lambda c: mix(game.key(c.state) ^ hash(c.along) & MASK),
        "canonical": lambda c: c,
    }
    return game.replace(**changed)
