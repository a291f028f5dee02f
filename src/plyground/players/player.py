"""The protocol of a player: anything that chooses moves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position, Report

CRASHED = "crashed"
HUNG = "hung"
"""The engine does not respond."""
UNPARSABLE = "unparsable"
"""The move can't be parsed, or the output never ends."""
ILLEGAL = "illegal move"
LATE = "overstepped its time"
FORFEITS = (CRASHED, HUNG, UNPARSABLE, ILLEGAL, LATE)
"""The reasons for which a player can forfeit a game, as the records name them."""


class Player(ABC):
    """Chooses moves. A subclass must implement `choose`; it declares its optional abilities here.

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
    """The name that an external engine reports."""
    net: str | None = None
    """The name of the net with which it evaluates positions."""
    time_used: float | None = None
    """The seconds that an external engine has taken for its moves, as a share of those that it was given; None without a time per
    move."""
    on_report: Callable[[Report], None] | None = None
    """Called with reports while it thinks, if it searches with Plyground's engine."""

    @abstractmethod
    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Choose a legal move where a player is to move; the limit replaces the player's own where both say something.

        A player that doesn't score its move returns `Analysis(move)`.
        """

    def stop(self) -> None:  # noqa: B027 (most players can't be interrupted)
        """Make it move at once, with what it has found."""

    def close(self) -> None:  # noqa: B027 (most players keep nothing running)
        """End what it keeps running, such as a process."""


class ForfeitError(PlygroundError):
    """A player has forfeited the game: it returned no move, or none that can be played."""

    def __init__(self, reason: str, text: str, stderr: str = "") -> None:
        super().__init__(text)
        self.reason = reason
        """One of `FORFEITS`, or `resignation`."""
        self.stderr = stderr
        """The end of its stderr."""
