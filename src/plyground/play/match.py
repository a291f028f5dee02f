"""A game in progress, for applications such as the terminal game.

    match = Match("connect4", clock="300+2")
    match.play("4")

A match tracks the states and moves so far, the side to move, undo and redo, clocks, resignation, repetition, and how and why the
game ended. It can be saved as text and loaded again.
"""

from __future__ import annotations

import json
import numbers
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from plyground.errors import PlygroundError, TextError
from plyground.play import checked, words
from plyground.play.clock import Clock
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.rules.game import Game
from plyground.rules.hooks import RulesState, State
from plyground.rules.load import load

PERSON = "person"
"""The name of a human player."""


class Event(NamedTuple):
    """Something that happened in a match."""

    kind: str
    """`move`, `chance` (a roll or a new tile), `undo`, `redo`, or `end`."""
    s: State
    """The state before it; for `end`, the last one."""
    move: int | None
    side: int | None
    """The side whose move was made or taken back; None for chance and for `end`."""
    analysis: Analysis | None = None
    """The analysis with which a player chose the move, if `play` was given one."""


class Ending(NamedTuple):
    """An end outside the rules: a side resigned or ran out of time, or both agreed on a draw."""

    reason: str
    side: int | None


class Match:
    """One game from its first state; moves are checked and can be taken back."""

    def __init__(
        self,
        game: str | Path | Game,
        state: State | str | None = None,
        moves: str = "",
        *,
        clock: Clock | str | None = None,
        players: Sequence[str] = (),
        seed: int | None = None,
    ) -> None:
        """Set up a match from the start position or from `state`, which may be text."""
        self.game = game = checked.game(game)
        first = game.parse_state(state) if isinstance(state, str) else None if state is None else checked.state(game, state)
        self.states: list[RulesState] = [game.start() if first is None else first]
        self.moves: list[int] = []
        self._keys: list[int] = []  # the keys of the states, as far as they were needed
        self._made = [0]  # the number of players' moves before each state, likewise
        self.undone: list[int] = []
        """Moves that were taken back and can be redone; the next one is last."""
        self.players = tuple(players)
        """Who plays each side: PERSON, or a text for `make_player`; empty if not given."""
        self.seed = random.SystemRandom().randrange(1 << 53) if seed is None else seed
        """The same seed gives the same dice, even after a move is taken back."""
        self.notes: dict[str, Any] = {}
        """Other things that an application saves with the game."""
        self.listeners: list[Callable[[Event], None]] = []
        """Functions called with every event."""
        self.clock = Clock.parse(clock, len(self.game.sides)) if isinstance(clock, str) else clock
        self._times: dict[int, list[float]] = {}  # by the number of moves made: the clock times then
        if self.clock is not None:
            self._times[0] = self.clock.all_left()
        self._ending: Ending | None = None
        for m in self.game.parse_moves(self.s, moves):
            self.play(m)

    def __repr__(self) -> str:
        to_move = "chance" if self.game.is_chance(self.s) else self.side
        state = self.describe_end() if self.result is not None else f"{to_move} to move"
        return f"<Match {self.game.name}: {words.count(len(self.moves), 'move')}, {state}>"

    # -- who moves ---------------------------------------------------------------------------------------------------

    @property
    def s(self) -> RulesState:
        """The current state."""
        return self.states[-1]

    @property
    def position(self) -> Position:
        """The current state and the moves that led to it, for a `Player`."""
        return Position(self.game, tuple(self.states), tuple(self.moves))

    @property
    def turn(self) -> int:
        """The number of the side to move; without `turn` in the rules, sides alternate."""
        return self._turn(len(self.states) - 1)

    def _turn(self, ply: int) -> int:
        if (side := self.game.turn(self.states[ply])) is not None:
            return side
        if "chance" in self.game.has:
            for s in self.states[len(self._made) - 1 : ply]:
                self._made.append(self._made[-1] + (not self.game.is_chance(s)))
            ply = self._made[ply]
        return ply % len(self.game.sides)

    @property
    def side(self) -> str:
        """The name of the side to move."""
        return self.game.sides[self.turn]

    @property
    def mover(self) -> int | None:
        """The side that may move now; None if the game is over or chance is to move."""
        return None if self.result is not None or self.game.is_chance(self.s) else self.turn

    def mover_at(self, ply: int) -> int | None:
        """Return the side that made the move after `ply` moves; None if it was chance."""
        return None if self.game.is_chance(self.states[ply]) else self._turn(ply)

    def legal(self) -> list[int]:
        """Return the moves that can be made now; if chance is to move, its outcomes."""
        return [] if self.result is not None else self.game.options(self.s)

    # -- how it ends -------------------------------------------------------------------------------------------------

    @property
    def repeated(self) -> bool:
        """Whether the position has occurred often enough for a draw."""
        most = self.game.repetition
        if not most or len(self.states) < most:
            return False
        self._keys += map(self.game.key, self.states[len(self._keys) :])
        return self._keys.count(self._keys[-1]) >= most

    @property
    def ending(self) -> Ending | None:
        """The end outside the rules; None if there is none."""
        if self._ending is None and self.clock is not None and self.clock.flagged_side is not None:
            return Ending("time", self.clock.flagged_side)
        return self._ending

    @property
    def result(self) -> int | tuple[int, ...] | None:
        """The value for the side to move, a tuple for three sides or more; None while the game goes on."""
        value: int | tuple[int, ...] | None = self.game.result(self.s)
        if value is None and self.ending is not None:
            return self._value_of(self.ending)
        return 0 if value is None and self.repeated else value

    def _value_of(self, ending: Ending) -> int | tuple[int, ...]:
        if len(self.game.sides) > 2:
            return tuple(-int(i == ending.side) for i in range(len(self.game.sides)))
        return 0 if ending.side is None else -1 if ending.side == self.turn else 1

    @property
    def reason(self) -> str | None:
        """Why the game is over: rules, repetition, resignation, time or agreement; None while it goes on."""
        if self.game.result(self.s) is not None:
            return "rules"
        if self.ending is not None:
            return self.ending.reason
        return "repetition" if self.repeated else None

    @property
    def winner(self) -> int | None:
        """The number of the side that won; None if no side has."""
        value, sides = self.result, self.game.sides
        if isinstance(value, tuple):
            best = [i for i, v in enumerate(value) if v == max(value)]
            return best[0] if len(best) == 1 else None
        if not value:
            return None
        if len(sides) == 1:
            return 0 if value > 0 else None
        return self.turn if value > 0 else 1 - self.turn

    def describe_end(self) -> str:
        """Return how the game ended, in words."""
        value, game = self.result or 0, self.game
        if self.reason in ("resignation", "time", "agreement") and self.ending is not None:
            return self._describe_ending(self.ending)
        if isinstance(value, tuple):
            values = ", ".join(f"{side} {v}" for side, v in zip(game.sides, value, strict=True))
            return f"the game is over: {values}"
        if len(game.sides) == 1:
            counted = game.margin or abs(value) > 1
            return f"the game is over: {value}" if counted else "won" if value > 0 else "lost" if value < 0 else "drawn"
        if self.winner is None:
            return "drawn by repetition" if self.repeated else "drawn"
        by = f" by {abs(value)}" if game.margin or abs(value) > 1 else ""
        return f"{game.sides[self.winner]} wins{by}"

    def _describe_ending(self, ending: Ending) -> str:
        sides = self.game.sides
        if ending.side is None:
            return "drawn by agreement"
        why = f"{sides[ending.side]} {'has resigned' if ending.reason == 'resignation' else 'has run out of time'}"
        return why if self.winner is None else f"{sides[self.winner]} wins: {why}"

    def resign(self, side: int | None = None) -> None:
        """Resign for a side, by default the one to move."""
        side = self.turn if side is None else side
        if not 0 <= side < len(self.game.sides):
            raise TextError(f"there is no side {side}; the sides are numbered from 0 to {len(self.game.sides) - 1}")
        self._end(Ending("resignation", side))

    def agree_draw(self) -> None:
        """End the game in a draw that both sides agreed on."""
        if len(self.game.sides) == 1:
            raise TextError("a solitaire can't be drawn by agreement; resign instead")
        self._end(Ending("agreement", None))

    def _end(self, ending: Ending) -> None:
        if self.result is not None:
            raise TextError("the game is over")
        if self.clock is not None:
            self.clock.stop()
        self._ending = ending
        self._notify("end", self.s, None, None)

    # -- moving ------------------------------------------------------------------------------------------------------

    def play(self, m: int | str | Analysis) -> None:
        """Make a legal move, given as its number, its text, or the analysis of a player."""
        analysis = m if isinstance(m, Analysis) else None
        move = m.move if isinstance(m, Analysis) else m
        if isinstance(move, str):
            move = self.game.parse_move(self.s, move)  # a legal one, unless the game has ended otherwise
            legal = [move] if self.result is None else []
        else:
            legal = self.legal()
        if not isinstance(move, numbers.Integral) or isinstance(move, bool) or move not in legal:
            raise self.game.illegal(self.s, move, legal)
        m = int(move)
        kept = self.undone[:-1] if self.undone and self.undone[-1] == m else []
        self._make(m, "chance" if self.game.is_chance(self.s) else "move", analysis)
        self.undone = kept

    def _make(self, m: int, kind: str, analysis: Analysis | None = None) -> None:
        before, side = self.s, None if self.game.is_chance(self.s) else self.turn
        self.states.append(self.game.child(before, m))
        self.moves.append(m)
        if self.clock is not None:
            self.clock.press(self.mover)
            self._times[len(self.moves)] = self.clock.all_left()
        self._notify(kind, before, m, side, analysis)
        if self.listeners and self.result is not None:
            self._notify("end", self.s, None, None)

    def roll(self, dice: random.Random | None = None) -> int:
        """Play a random chance move, with this match's dice or other ones, and return it."""
        outcomes = self.game.outcomes(self.s)
        if not outcomes or self.result is not None:
            raise TextError("it is not chance's turn")
        if dice is None:
            dice = random.Random(f"{self.seed} {len(self.moves)}")
        (m,) = dice.choices([m for m, _ in outcomes], [w for _, w in outcomes])
        self.play(m)
        return m

    def undo(self) -> None:
        """Take the last move back; the clocks show again what they did when its side started thinking."""
        if not self.moves:
            raise TextError("there is no move to take back")
        running = self.clock is not None and (self.clock.running is not None or self.result is not None)
        m, _ = self.moves.pop(), self.states.pop()
        del self._keys[len(self.states) :], self._made[len(self.states) :]
        self.undone.append(m)
        self._ending = None
        if self.clock is not None:
            self.clock.stop()
            self.clock.set(self._times.get(len(self.moves), self.clock.all_left()))
            if running and self.mover is not None:
                self.clock.start(self.mover)
        self._notify("undo", self.s, m, None if self.game.is_chance(self.s) else self.turn)

    def redo(self) -> None:
        """Make the last move again that was taken back."""
        if not self.undone:
            raise TextError("there is no move to redo")
        if self.result is not None:
            raise TextError("the game is over")
        self._make(self.undone.pop(), "redo")

    def _notify(self, kind: str, s: State, move: int | None, side: int | None, analysis: Analysis | None = None) -> None:
        for listener in list(self.listeners):
            listener(Event(kind, s, move, side, analysis))

    # -- clocks ------------------------------------------------------------------------------------------------------

    def start_clock(self) -> None:
        """Start the clock of the side to move; otherwise the first move starts the clocks."""
        if self.clock is not None and self.mover is not None:
            self.clock.start(self.mover)

    def pause_clock(self) -> None:
        """Stop the clocks until `start_clock` or the next move."""
        if self.clock is not None:
            self.clock.stop()

    def limit(self) -> Limit | None:
        """Return the limit that the clock sets for an engine that is to move; None without a clock."""
        clock = self.clock
        return None if clock is None else Limit(clock=max(clock.left(self.turn), 0.01), increment=clock.increment)

    # -- text --------------------------------------------------------------------------------------------------------

    def move_texts(self) -> list[str]:
        """Return the moves so far as text."""
        return [self.game.format_move(s, m) for s, m in zip(self.states, self.moves, strict=False)]

    def move_numbers(self) -> dict[int, str]:
        """Return the number of each player's move by ply: `3.` for the side that began, `3...` for the others.

        The number grows when the side that began moves again after the others.
        """
        numbers: dict[int, str] = {}
        number, first, last = 0, None, None
        for ply in range(len(self.moves)):
            side = self.mover_at(ply)
            if side is None:
                continue
            first = side if first is None else first
            if side == first and (last != first or len(self.game.sides) == 1):
                number += 1
            numbers[ply] = f"{number}." if side == first else f"{number}..."
            last = side
        return numbers

    def movetext(self) -> str:
        """Return the moves so far with their numbers: `1. e4 e5 2. Nf3`; moves of chance are in parentheses."""
        numbers, out, shown = self.move_numbers(), [], ""
        for ply, text in enumerate(self.move_texts()):
            number = numbers.get(ply, "").rstrip(".")
            if number and number != shown:
                out.append(f"{number}.")
                shown = number
            out.append(text if number else f"({text})")
        return " ".join(out)

    def as_json(self) -> dict[str, object]:
        """Return the match as data, as `to_text` writes it."""
        game = self.game
        data: dict[str, Any] = {"game": game.spec}
        if game.identity(self.states[0]) != game.identity(game.start()):
            data["start"] = game.format_state(self.states[0])
        winner = None if self.winner is None else game.sides[self.winner]
        data |= {"moves": self.move_texts(), "state": game.format_state(self.s), "result": self.result, "winner": winner}
        data["reason"] = self.reason
        if self.ending is not None:
            data["ending"] = list(self.ending)
        if self.players:
            data["players"] = list(self.players)
        data["seed"] = self.seed
        if self.clock is not None:
            data["clock"] = self.clock.as_json()
        if self.notes:
            data["notes"] = self.notes
        return data

    def to_text(self) -> str:
        """Return the match as JSON text, for a file; `from_text` reads it."""
        return json.dumps(self.as_json(), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_text(cls, text: str, game: Game | None = None) -> Match:
        """Read a match from the text of `to_text`; every move is checked again, and the clocks are stopped.

        The text names the game. That may be a rules file, and loading it runs it; with a `game`, that one is used instead.
        """
        try:
            data = json.loads(text)
            spec, moves, start = data["game"], data["moves"], data.get("start")
            sound = isinstance(spec, str) and isinstance(start, str | None) and all(isinstance(m, str) for m in moves)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            sound = False
        if not sound:
            raise TextError('this is not a saved game: it must be JSON with "game" and "moves"')
        match = cls(game or load(spec), start)
        for move in moves:
            match.play(match.game.parse_move(match.s, move))
        match._restore(data)
        return match

    def _restore(self, data: dict[str, Any]) -> None:
        """Read everything but the moves from a saved game; older files contain less."""
        sides = len(self.game.sides)
        players, seed, ending = data.get("players", []), data.get("seed", self.seed), data.get("ending")
        clock, notes = data.get("clock"), data.get("notes", {})
        if not (isinstance(players, list) and len(players) in (0, sides) and all(isinstance(p, str) for p in players)):
            raise TextError(f'this saved game is damaged: "players" must be a list of {sides} strings')
        if type(seed) is not int or not isinstance(notes, dict):
            raise TextError('this saved game is damaged: "seed" must be a whole number and "notes" an object')
        self.players, self.seed, self.notes = tuple(players), seed, notes
        if clock is not None:
            try:
                left = clock["left"]
                self.clock = Clock(left, clock["increment"])
            except (LookupError, TypeError, PlygroundError):
                left = []
            if len(left) != sides:
                raise TextError('this saved game is damaged: "clock" must have "left", seconds for each side, and "increment"')
        if ending is not None and self.game.result(self.s) is None:
            self._ending = _read_ending(ending, sides)


def _read_ending(ending: object, sides: int) -> Ending:
    """Read the end of a saved game."""
    known = {"resignation": range(sides), "time": range(sides), "agreement": (None,)}
    if not isinstance(ending, list) or len(ending) != 2 or ending[1] not in known.get(str(ending[0]), ()):
        raise TextError('this saved game is damaged: "ending" must be a reason and the number of a side')
    return Ending(ending[0], ending[1])
