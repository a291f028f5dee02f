"""A game as it is played: the states and moves so far, whose turn it is, and how it ended, repetition included."""

from __future__ import annotations

import json
import random
from typing import Any

from plyground.errors import TextError
from plyground.game import Game, load


class Match:
    """One game from its first state on; moves are checked, and can be taken back."""

    def __init__(self, game: Game, state: str | None = None, moves: str = "") -> None:
        self.game = game
        self.states: list[Any] = [game.start() if state is None else game.parse_state(state)]
        self.moves: list[int] = []
        for m in game.parse_moves(self.s, moves):
            self.play(m)

    @property
    def s(self) -> Any:
        """The state now."""
        return self.states[-1]

    @property
    def turn(self) -> int:
        """The number of the side to move; where the rules do not tell, sides take turns."""
        told = self.game.turn(self.s)
        if told is not None:
            return told
        plies = sum(not self.game.is_chance(s) for s in self.states[:-1])
        return plies % len(self.game.sides)

    @property
    def side(self) -> str:
        """The name of the side to move."""
        return self.game.sides[self.turn]

    @property
    def repeated(self) -> bool:
        """Has the position stood so often that the game is drawn?"""
        most = self.game.repetition
        if not most or len(self.states) < most:
            return False
        key = self.game.key(self.s)
        return sum(self.game.key(s) == key for s in self.states) >= most

    @property
    def result(self) -> Any:
        """None while the game goes on, else its value for the side to move (a tuple where there are three sides or more)."""
        value = self.game.result(self.s)
        if value is None and self.repeated:
            return 0
        return value

    @property
    def winner(self) -> int | None:
        """The number of the side that has won; None where nobody has, or not yet."""
        value, sides = self.result, self.game.sides
        if isinstance(value, tuple):
            best = [i for i, v in enumerate(value) if v == max(value)]
            return best[0] if len(best) == 1 else None
        if not value:
            return None
        if len(sides) == 1:
            return 0 if value > 0 else None
        return self.turn if value > 0 else 1 - self.turn

    def legal(self) -> list[int]:
        """The moves that can be made now; those of chance where chance is to move."""
        if self.result is not None:
            return []
        return [m for m, _ in self.game.outcomes(self.s)] or self.game.legal(self.s)

    def play(self, m: int) -> None:
        """Makes a legal move."""
        if m not in self.legal():
            raise TextError(f"move {m} is not legal here")
        self.states.append(self.game.play(self.s, m))
        self.moves.append(m)

    def roll(self, dice: random.Random) -> int:
        """Lets chance move, and tells how it did."""
        outcomes = self.game.outcomes(self.s)
        (m,) = dice.choices([m for m, _ in outcomes], [w for _, w in outcomes])
        self.play(m)
        return m

    def undo(self) -> None:
        """Takes the last move back."""
        if not self.moves:
            raise TextError("there is no move to take back")
        self.moves.pop()
        self.states.pop()

    # -- text --------------------------------------------------------------------------------------------------------

    def move_texts(self) -> list[str]:
        """The moves so far as people write them."""
        return [self.game.format_move(s, m) for s, m in zip(self.states, self.moves, strict=False)]

    def describe_end(self) -> str:
        """How the game ended, in words."""
        value, game = self.result, self.game
        if isinstance(value, tuple):
            values = ", ".join(f"{side} {v}" for side, v in zip(game.sides, value, strict=True))
            return f"the game is over: {values}"
        if len(game.sides) == 1:
            return (
                f"the game is over: {value}"
                if game.margin or abs(value) > 1
                else "won"
                if value > 0
                else "lost"
                if value < 0
                else "drawn"
            )
        if self.winner is None:
            return "drawn by repetition" if self.repeated else "drawn"
        by = f" by {abs(value)}" if abs(value) > 1 else ""
        return f"{game.sides[self.winner]} wins{by}"

    def as_json(self) -> dict[str, Any]:
        """The match as data: what `to_text` writes."""
        game = self.game
        data: dict[str, Any] = {"game": game.spec}
        if game.identity(self.states[0]) != game.identity(game.start()):
            data["start"] = game.format_state(self.states[0])
        data |= {"moves": self.move_texts(), "state": game.format_state(self.s), "result": self.result, "winner": None}
        if self.winner is not None:
            data["winner"] = game.sides[self.winner]
        return data

    def to_text(self) -> str:
        """The match as JSON text, for a file; `from_text` reads it."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str) -> Match:
        """The match that a text of `to_text` holds, every move checked anew."""
        try:
            data = json.loads(text)
            spec, moves, start = data["game"], data["moves"], data.get("start")
            sound = isinstance(spec, str) and isinstance(start, str | None) and all(isinstance(m, str) for m in moves)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise TextError('this is not a saved game: it must be JSON with "game" and "moves"')
        match = cls(load(spec), start)
        for move in moves:
            match.play(match.game.parse_move(match.s, move))
        return match
