"""What a player is: something that chooses moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from plyground.errors import PlygroundError
from plyground.rules.game import Game

CRASHED = "crashed"
HUNG = "hung"
"""No answer to a question that has no time limit, or none long after the time of a move."""
RUBBISH = "rubbish"
"""What should be a move can't be read, or it never stops writing."""
ILLEGAL = "illegal move"
LATE = "overstepped its time"
FORFEITS = (CRASHED, HUNG, RUBBISH, ILLEGAL, LATE)
"""Why a player may lose a game by its own fault, as records say it."""


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
        """One of `FORFEITS`, or `resignation`."""
        self.said = said
        """The last that it wrote to stderr."""


def close(player: Player) -> None:
    """Ends what a player keeps running, such as a process."""
    end = getattr(player, "close", None)
    if end is not None:
        end()
