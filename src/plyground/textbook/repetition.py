"""Repetition: a position that occurred before, on the path or in the game so far, counts as a draw.

The rules may end the game only when a position occurs for the third time. A search need not wait: a side that could force the
position twice can force it three times. So a state carries the keys of the positions before it, and a state whose key is among
them is a draw. The value then depends on the path, not on the state alone, so the keys are part of the state's identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyground.rules.game import Game
from plyground.textbook.carry import carry


def with_repetition(game: Game, history: Iterable[Any] = ()) -> Game:
    """Return the game in which a repeated position is drawn; `history` has the states before the root."""
    played = frozenset(game.key(s) for s in history)
    new = carry(game, played, lambda seen, s, m: seen | {game.key(s)})

    def result(c: Any) -> Any:
        value = game.result(c.state)
        if value is None and c.along is not played and game.key(c.state) in c.along:
            return 0
        return value

    new.result = result
    return new
