"""An external engine as a player: the part that all protocol clients share.

A protocol is a subclass of `ExternalEngine` that implements five methods: handshake, start a search, handle a line, parse a
move, stop. Each player has a new process. Every failure of the engine raises a `ForfeitError`: in the arena it loses the game,
anywhere else the user sees one line.
"""

from __future__ import annotations

import contextlib
import math
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position
from plyground.players.player import HUNG, ILLEGAL, LATE, UNPARSABLE, ForfeitError, Player
from plyground.players.process import Process
from plyground.players.spec import LIMITS, LimitOptions, PlayerDefaults, PlayerSpec, find_program, option_text, read_options
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.streams import printable

LATE_TOLERANCE_SECONDS = 0.5
"""Seconds by which a move may be late, to allow for a busy machine."""
STOP_GRACE_SECONDS = 5.0
"""Seconds for an engine to answer a stop; after that it counts as hung."""
MAX_MOVE_SECONDS = 600.0
"""Seconds for a move, if only depth or nodes limit it."""
MAX_NAME_LENGTH = 60
"""The number of letters kept of an engine's name."""
DEFAULT_LIMIT = Limit(time=1)
"""The limit of a player if neither it nor the caller has one that the engine supports."""


class ExternalEngine(Player):
    """An external engine."""

    program: str
    """The name that the engine reports, or else the name of its program."""
    stoppable = True

    def __init__(self, spec: PlayerSpec, game: Game, defaults: PlayerDefaults) -> None:
        """Start the program and make it ready."""
        self.name = str(spec)
        self.game = game
        limits = [option for option in spec.options if option[0] in LIMITS]
        self.limit = read_options(limits, LimitOptions, "the limits").limit or defaults.limit
        """The limit of moves for which the caller gives none."""
        self.options = {name: value or "" for name, value in spec.options if name not in LIMITS}
        """The options in the text that are no limits."""
        if "" in self.options:
            nameless = option_text(("", self.options[""]))
            raise PlygroundError(f"{nameless!r:.40} has no name; an option is written NAME=VALUE")
        self.found: Analysis | None = None
        """What the engine has reported so far in this search."""
        self._stopping = False
        self._unknown = ""
        self._taken, self._given = 0.0, 0.0  # seconds of all moves with a time limit
        command = find_program(spec.target)
        self.program = Path(command[0]).name
        self.process = Process(command)
        with self._end_on_error():
            self.handshake()

    def set_program_name(self, name: str) -> None:
        """Set the program's name to the one that the engine reports."""
        self.program = printable(" ".join(name.split()))[:MAX_NAME_LENGTH].strip() or self.program

    # -- what a protocol implements ----------------------------------------------------------------------------------------

    @abstractmethod
    def handshake(self) -> None:
        """Make the engine ready for a new game; refuse options that it does not have."""

    @abstractmethod
    def start_search(self, position: Position, limit: Limit) -> None:
        """Send the position and start the search."""

    @abstractmethod
    def handle_line(self, line: str) -> str | None:
        """Handle a line of a search; return the text of the move once it comes. `record_unknown_line` takes lines that can't be
        read."""

    @abstractmethod
    def move(self, s: State, text: str) -> int:
        """Return the move that a text means; raise a `ForfeitError` if it means none."""

    @abstractmethod
    def stop_now(self) -> None:
        """Tell the engine to stop searching and to move."""

    # -- the player --------------------------------------------------------------------------------------------------------

    def choose(self, position: Position, limit: Limit | None = None) -> Analysis:
        """Return the engine's move, and what it reported about it."""
        limit = self._with_own(limit)
        self.found, self._stopping, self._unknown = None, False, ""
        with self._end_on_error():
            began = time.monotonic()
            self.start_search(position, limit)
            m = self.move(position.s, self._answer(limit.time or limit.clock or math.inf))
            found = self.found or Analysis(m)
            found.move, found.seconds = m, time.monotonic() - began
            found.game, found.state = position.game, position.s
            if limit.time is not None:
                self.add_time(found.seconds, limit.time, limit.overhead)
            return found

    def add_time(self, taken: float, given: float, overhead: float) -> None:
        """Add the seconds that a move took and those that it was given, apart from its transmission."""
        self._taken, self._given = self._taken + taken, self._given + given + overhead
        self.time_used = self._taken / self._given

    def _with_own(self, limit: Limit | None) -> Limit:
        """Return the limit, completed by the player's own; the default limit if the engine supports no part of either."""
        if limit is None:
            return self.limit or DEFAULT_LIMIT
        limit = limit.completed_by(self.limit)
        return limit if self.limits & limit.given().keys() else limit.completed_by(DEFAULT_LIMIT)

    def record_unknown_line(self, line: str) -> None:
        """Remember a line that can't be understood: if no move follows, the error quotes it."""
        self._unknown = line or self._unknown

    def stop(self) -> None:
        """Make the engine move at once, with what it has found."""
        if not self._stopping:
            self._stopping = True
            self.stop_now()

    def close(self) -> None:
        """End the engine."""
        self.process.close()

    @contextlib.contextmanager
    def _end_on_error(self) -> Iterator[None]:
        """End the engine after an error, and keep what it last wrote to stderr."""
        try:
            yield
        except BaseException as e:
            self.process.close()
            if isinstance(e, ForfeitError):
                e.stderr = self.process.stderr
            raise

    def _answer(self, seconds: float) -> str:
        """Return the text of the move, which must come in time."""
        began = time.monotonic()
        until, last = began + (MAX_MOVE_SECONDS if seconds == math.inf else seconds + LATE_TOLERANCE_SECONDS), math.inf
        while True:
            now = time.monotonic()
            if self._stopping:
                until, last = math.inf, min(last, now + STOP_GRACE_SECONDS)
            line = self.process.line(min(until, last, now + 0.1) - now)
            took = time.monotonic() - began
            text = None if line is None else self.handle_line(line)
            if text is not None and took > seconds + LATE_TOLERANCE_SECONDS:
                raise ForfeitError(LATE, f"it moved after {took:.2f} s; it had {seconds:g} s")
            if text is not None:
                return text
            if time.monotonic() >= last:
                said = f"; it wrote {self._unknown!r:.80}" if self._unknown else ""
                raise ForfeitError(UNPARSABLE if said else HUNG, f"it sent no move within {took:.1f} s{said}")
            if time.monotonic() >= until:
                self.stop()


class MoveTexts:
    """The moves of a game in the engine's notation, cached."""

    def __init__(self, write: Callable[[State, int], str]) -> None:
        self._write = write
        self._start: State | None = None
        self._moves: list[int] = []
        self._texts: list[str] = []

    def of(self, position: Position) -> list[str]:
        """Return the texts of all moves of a position."""
        pairs = zip(self._moves, position.moves, strict=False)
        same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(self._moves), len(position.moves)))
        if position.start is not self._start:
            self._start, same = position.start, 0
        new = range(same, len(position.moves))
        self._texts[same:] = [self._write(position.states[n], position.moves[n]) for n in new]
        self._moves[same:] = position.moves[same:]
        return list(self._texts)


def legal(game: Game, s: State, text: str) -> int:
    """Return the legal move that a text means; raise a `ForfeitError` if it means none."""
    try:
        return game.parse_move(s, text)
    except TextError:
        raise ForfeitError(ILLEGAL, f"{text!r:.40} is not a legal move in {game.format_state(s)!r:.200}") from None


def unknown_option_error(program: str, name: str, names: Iterable[str]) -> PlygroundError:
    """Return the error for an option that an engine does not have; `names` are those that it has."""
    known = ", ".join(sorted(names))
    return PlygroundError(f"{program} has no option {name!r:.40}; {f'its options are {known}' if known else 'it has none'}")
