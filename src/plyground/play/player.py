"""What a player is: something that chooses moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from plyground.errors import PlygroundError
from plyground.rules.game import Game


class Player(Protocol):
    """Chooses moves in a game."""

    name: str

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """A legal move in s, where the game is not over and a player is to move; `history` lists the states before s."""


class ForfeitError(PlygroundError):
    """A player has lost the game by its own fault: it gives no move, or none that can be played."""

    def __init__(self, reason: str, text: str, said: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        """In a word or a few, for the record of the game: `protocols/process.py` lists them."""
        self.said = said
        """The last that it wrote to stderr."""


def close(player: Player) -> None:
    """Ends what a player keeps running, such as a process."""
    end = getattr(player, "close", None)
    if end is not None:
        end()
