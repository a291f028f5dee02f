"""Where a game stands: the first state, and the moves played from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State


@dataclass(frozen=True)
class Position:
    """A state together with the way that led there, which repetition and other programs' engines need to know.

    >>> from plyground import load
    >>> nim = load("nim")
    >>> position = Position.of(nim).after(nim.parse_move(nim.start(), "a1"))
    >>> len(position.moves), position.s == nim.play(nim.start(), position.moves[0])
    (1, True)
    """

    game: Game
    states: tuple[State, ...]
    """Every state, from the first one to the present one."""
    moves: tuple[int, ...] = ()
    """The moves between them, those of chance included."""

    def __post_init__(self) -> None:
        if len(self.states) != len(self.moves) + 1:
            raise PlygroundError(
                f"a position has one state more than moves, not {len(self.states)} states and {len(self.moves)} moves; "
                "Position.of(game, start, moves) plays them"
            )

    @classmethod
    def of(cls, game: Game, start: State | None = None, moves: Sequence[int] = ()) -> Position:
        """Return the position after some legal moves from a state, by default the game's own start."""
        position = cls(game, (game.start() if start is None else start,))
        for m in moves:
            position = position.after(m)
        return position

    def after(self, m: int) -> Position:
        """Return the position after one more legal move."""
        return Position(self.game, (*self.states, self.game.play(self.s, m)), (*self.moves, m))

    @property
    def start(self) -> Any:
        """The first state."""
        return self.states[0]

    @property
    def s(self) -> Any:
        """The present state."""
        return self.states[-1]

    @property
    def history(self) -> tuple[State, ...]:
        """The states before the present one if repetitions count in this game; otherwise nobody needs them, and it is empty."""
        return self.states[:-1] if self.game.repetition else ()
