"""What a player is: something that chooses moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from plyground.rules.game import Game


class Player(Protocol):
    """Chooses moves in a game."""

    name: str

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A legal move in s, where the game is not over and a player is to move; `history` lists the states before s."""
