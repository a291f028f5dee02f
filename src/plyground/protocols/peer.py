"""What the client sides of all protocols share: a player whose moves come from an engine in a process of its own.

A protocol is a subclass of `Peer` with the five methods that say how it greets, asks and answers. Each player has a new process.
Whatever is wrong with the engine ends as a `ForfeitError`: in the arena it loses the game, anywhere else the user sees one line.
"""

from __future__ import annotations

import contextlib
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from plyground.engine.players import LIMITS, EnginePlayer, Table, read
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.player import HUNG, ILLEGAL, LATE, RUBBISH, ForfeitError
from plyground.play.report import Analysis
from plyground.protocols.process import Process
from plyground.protocols.program import find_program, program_of, read_options
from plyground.rules.game import Game
from plyground.system.processes import printable

MARGIN = 0.5
"""Seconds that an answer may be late, for the delays of a busy machine."""
GRACE = 5.0
"""Seconds for an engine that was told to stop; after that it counts as hung."""
PATIENCE = 600.0
"""Seconds for a move, if only depth or nodes limit it."""
NAME = 60
"""Letters of an engine's name that are kept."""
USUAL = Limit(time=1)
"""The limit of a player that has none."""


class Peer(ABC):
    """An engine of another program."""

    WORD: ClassVar[str]
    """The protocol, as players' texts name it."""
    wants_history: ClassVar[bool] = True
    """`choose` needs all states before, even if no position can be repeated."""

    def __init__(self, rest: str, game: Game, table: Table) -> None:
        """Starts the program and makes it ready; `rest` is what follows the protocol in the player's text."""
        self.name = f"{self.WORD}:{rest}"
        self.game = game
        given = read_options(self.name)
        limits = ",".join(f"{k}={given.pop(k)}" for k in LIMITS if k in given)
        self.limit = Limit(**read(limits, {k: EnginePlayer.OPTIONS[k] for k in LIMITS}, "the limits")) if limits else table.limit
        self.options = given
        """What the text gives besides limits."""
        self.clock: Limit | None = None
        """The time left on a clock for the next move; it replaces the player's own time."""
        self.found: Analysis | None = None
        self._hurried = False
        self._strange = ""
        command = find_program(program_of(self.name) or "")
        self.program = Path(command[0]).name
        """What the engine calls itself, if it does; else the name of its program."""
        self.process = Process(command)
        with self._faults():
            self.greet()

    def call_it(self, name: str) -> None:
        """Takes the name that the engine gives itself."""
        self.program = printable(" ".join(name.split()))[:NAME].strip() or self.program

    # -- what a protocol says ----------------------------------------------------------------------------------------------

    @abstractmethod
    def greet(self) -> None:
        """Makes the engine ready for a new game; refuses options that it does not have."""

    @abstractmethod
    def ask(self, s: Any, history: Sequence[Any], limit: Limit) -> None:
        """Tells the engine the position and lets it search."""

    @abstractmethod
    def hear(self, line: str) -> str | None:
        """Takes a line of a search; the move as text, if it is there. A line that means nothing is given to `wonder`."""

    @abstractmethod
    def move(self, s: Any, text: str) -> int:
        """The move that a text means; a `ForfeitError` if none."""

    @abstractmethod
    def hurry(self) -> None:
        """Tells the engine to stop searching and to move."""

    # -- the player --------------------------------------------------------------------------------------------------------

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The engine's move; what it said about it stays in `found`."""
        limit = self.limit or USUAL
        if self.clock is not None:
            limit = replace(limit, time=None, clock=self.clock.clock, increment=self.clock.increment)
        self.found, self._hurried, self._strange = None, False, ""
        with self._faults():
            began = time.monotonic()
            self.ask(s, history, limit)
            m = self.move(s, self._answer(limit.time or limit.clock or math.inf))
            if self.found is not None:
                self.found.move, self.found.seconds = m, time.monotonic() - began
                self.found.game, self.found.state = game, s
            return m

    def wonder(self, line: str) -> None:
        """Takes a line that means nothing here: if no move follows, it was perhaps meant to be one."""
        self._strange = line or self._strange

    def stop(self) -> None:
        """Makes the engine move at once, with what it has found."""
        if not self._hurried:
            self._hurried = True
            self.hurry()

    def close(self) -> None:
        """Ends the engine."""
        self.process.close()

    @contextlib.contextmanager
    def _faults(self) -> Iterator[None]:
        """After an error the engine is ended, and its last words are kept."""
        try:
            yield
        except BaseException as e:
            self.process.close()
            if isinstance(e, ForfeitError):
                e.said = self.process.said
            raise

    def _answer(self, seconds: float) -> str:
        """The text of the move, which must come in time."""
        began = time.monotonic()
        until, last = began + (PATIENCE if seconds == math.inf else seconds + MARGIN), math.inf
        while True:
            now = time.monotonic()
            if self._hurried:
                until, last = math.inf, min(last, now + GRACE)
            line = self.process.line(min(until, last, now + 0.1) - now)
            took = time.monotonic() - began
            text = None if line is None else self.hear(line)
            if text is not None and took > seconds + MARGIN:
                raise ForfeitError(LATE, f"it moved after {took:.2f} s; it had {seconds:g} s")
            if text is not None:
                return text
            if time.monotonic() >= last:
                said = f"; it wrote {self._strange!r:.80}" if self._strange else ""
                raise ForfeitError(RUBBISH if said else HUNG, f"it gave no move within {took:.1f} s{said}")
            if time.monotonic() >= until:
                self.stop()


def only(table: Table, *names: str) -> Table:
    """What all players share, but of the limit only what a protocol has; if that is nothing, it has its own.

    >>> both = Table(limit=Limit(nodes=10, time=2))
    >>> only(both, "time").limit == Limit(time=2), only(both, "depth").limit
    (True, None)
    """
    given = {name: value for name in names if (value := getattr(table.limit, name, None)) is not None}
    return replace(table, limit=Limit(**given) if given else None)


class Trail:
    """The moves of a game as texts, found from its states."""

    def __init__(self, game: Game, text: Callable[[Any, int], str]) -> None:
        self._game, self._text = game, text
        self._states: list[Any] = []
        self._texts: list[str] = []

    def follow(self, states: Sequence[Any]) -> tuple[Any, list[str]]:
        """The first of these states from which moves lead to the last one, and the moves; known ones are not looked for again."""
        same = next((n for n, (a, b) in enumerate(zip(self._states, states, strict=False)) if a is not b), None)
        if not self._states or same is not None or len(states) < len(self._states):
            self._states, self._texts = [states[0]], []
        for s in states[len(self._states) :]:
            m = self._between(self._states[-1], s)
            if m is None:
                self._states, self._texts = [s], []
                continue
            self._texts.append(self._text(self._states[-1], m))
            self._states.append(s)
        return self._states[0], list(self._texts)

    def _between(self, a: Any, b: Any) -> int | None:
        """The move that leads from one state to another."""
        game, wanted = self._game, self._game.identity(b)
        options = [m for m, _ in game.outcomes(a)] or game.legal(a)
        return next((m for m in options if game.identity(game.play(a, m)) == wanted), None)


def legal(game: Game, s: Any, text: str) -> int:
    """The move that a text means; otherwise the engine has lost."""
    try:
        return game.parse_move(s, text)
    except TextError:
        raise ForfeitError(ILLEGAL, f"{text!r:.40} is not a legal move in {game.format_state(s)!r:.200}") from None


def no_option(program: str, name: str, names: Iterable[str]) -> PlygroundError:
    """The error for an option that an engine does not have; `names` are those that it has."""
    known = ", ".join(sorted(names))
    return PlygroundError(f"{program} has no option {name!r:.40}; {f'its options are {known}' if known else 'it has none'}")
