"""What a player is: something that chooses moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position, Report

CRASHED = "crashed"
HUNG = "hung"
"""No answer to a question that has no time limit, or none long after the time of a move."""
UNPARSABLE = "rubbish"
"""What should be a move can't be read, or the output never ends. Records know this reason by its old name."""
ILLEGAL = "illegal move"
LATE = "overstepped its time"
FORFEITS = (CRASHED, HUNG, UNPARSABLE, ILLEGAL, LATE)
"""Why a player may lose a game by its own fault, as records say it."""


class Player(ABC):
    """Chooses moves. A subclass needs no more than `choose`; whatever else it can do, it declares here.

    >>> class First(Player):
    ...     name = "first"
    ...     def choose(self, position, limit=None):
    ...         return Analysis(position.game.legal(position.s)[0])
    >>> from plyground import load
    >>> First().choose(Position.of(load("nim"))).move
    1
    """

    name: str = "player"
    limits: frozenset[str] = frozenset()
    """Which parts of a limit it honours: of `depth`, `nodes`, `time` and `clock`. It ignores the others."""
    stoppable: bool = False
    """Whether `stop` makes it move at once."""
    program: str | None = None
    """What an engine of another program calls itself."""
    net: str | None = None
    """The name of the net with which it evaluates positions."""
    on_report: Callable[[Report], None] | None = None
    """Called with reports while it thinks, if it searches in our engine."""

    @abstractmethod
    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose a legal move where a player is to move; the limit replaces the player's own where both say something.

        A player that doesn't judge its move returns `Analysis(move)`.
        """

    def stop(self) -> None:  # noqa: B027 (most players are never asked to hurry)
        """Make it move at once, with what it has found."""

    def close(self) -> None:  # noqa: B027 (most players keep nothing running)
        """End what it keeps running, such as a process."""


class ForfeitError(PlygroundError):
    """A player has lost the game by its own fault: it gives no move, or none that can be played."""

    def __init__(self, reason: str, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        """One of `FORFEITS`, or `resignation`."""
        self.stderr = stderr
        """The last that it wrote to stderr."""
