"""Repetition: a position that has stood before, on the path or in the game so far, counts as a draw.

The rules end the game when a position stands for the third time, say. A search need not wait: whoever could force the
position twice can force it three times. So a state carries the keys of the positions before it, and the result of a state
whose key is among them is a draw. The value then belongs to the path, not to the state alone, which is why what is carried
is part of the state's identity.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from plyground.rules.game import Game
from plyground.textbook.carry import Carried, carry


def with_repetition(game: Game, history: Iterable[Any] = ()) -> Game:
    """The game in which a position that has stood before is drawn; `history` are the states before the root."""
    played = frozenset(game.key(s) for s in history)
    new = carry(game, played, lambda seen, s, m: seen | {game.key(s)})

    def result(c: Carried) -> Any:
        value = game.result(c.state)
        if value is None and c.along is not played and game.key(c.state) in c.along:  # type: ignore[operator]
            return 0
        return value

    new.result = result
    return new
