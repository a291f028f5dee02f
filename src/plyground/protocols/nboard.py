"""NBoard 2, the protocol of the Othello board NBoard and of engines such as Edax and NTest.

    nboard 2                               set myname Plyground
    set depth 12
    set game (;GM[Othello]…B[F5]W[D6];)
    ping 1                                 pong 1
    go                                     search C3D3… 0.52 0 12, === C3/0.52/0.61

A game is sent in GGF. `hint 3` asks for the three best moves, `go` for the move to play; a `move` then confirms it. Errors are
shown in the status line. The protocol: Protocol.htm of NTest, https://github.com/weltyc/ntest
"""

from __future__ import annotations

import math
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import BinaryIO

from plyground import score as scores
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.protocols.server import Server
from plyground.protocols.thinker import BackgroundEngine, SearchRequest
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.system.runner import Worker

DEPTH, MAX_DEPTH = 12, 99
"""The depth if the board sets none, and the largest one."""
SOLVED = 14
"""With this many empty squares or fewer, the search goes to the end, if half of it is within the depth."""
POINTS = 100
"""The units of an estimate that make a disc."""
TAG = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
MOVE = re.compile(r"([A-Ha-h][1-8]|[Pp][Aa](?:[Ss][Ss])?)")
TIMES = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,6}(?:\.[0-9]*)?)")
EMPTY = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
"""The first position in GGF."""


# -- games in GGF ----------------------------------------------------------------------------------------------------------


@dataclass
class GgfGame:
    """A game as it was sent: its states, and the seconds that each side has left, if there is a clock."""

    states: list[State]
    left: list[float] = field(default_factory=lambda: [math.inf, math.inf])
    increment: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def play(self, game: Game, text: str) -> None:
        """Add a move, written `F5`, `F5/0.52/3.1` or `PA//1`: the move, its score, and the seconds it took."""
        word, *rest = text.split("/")
        s = self.states[-1]
        side = game.turn(s) or 0
        m = read_move(game, s, word.strip())
        taken = seconds(rest[1]) if len(rest) > 1 else 0.0
        self.left[side] += self.increment[side] - taken
        self.states.append(game.child(s, m))


def read_move(game: Game, s: State, text: str) -> int:
    """Return the legal move that a text means."""
    if not MOVE.fullmatch(text):
        raise TextError(f"{text!r:.40} is not a move; it is written F5, or PA for a pass")
    return game.parse_move(s, "pass" if text[:2].upper() == "PA" else text)


def write_move(game: Game, s: State, m: int) -> str:
    """Return a move in capitals; `PA` is a pass."""
    text = game.format_move(s, m)
    return "PA" if text == "pass" else text.upper()


def seconds(text: str) -> float:
    """Return a time in seconds, or with minutes and hours before them; 0 if it can't be read.

    >>> seconds("15:00"), seconds("1:00:01"), seconds("2.5"), seconds("soon")
    (900.0, 3601.0, 2.5, 0.0)
    """
    found = TIMES.fullmatch(text.strip())
    if found is None:
        return 0.0
    return 3600.0 * int(found[1] or 0) + 60 * int(found[2] or 0) + float(found[3])


def read_game(game: Game, text: str) -> GgfGame:
    """Return a game in GGF. Passes that are not written are added."""
    tags = TAG.findall(text)
    first = dict(reversed(tags))
    if "(;" not in text or not tags or first.get("GM", "Othello").lower() != "othello":
        raise TextError(f"{text!r:.40} is not a game of Othello in GGF")
    size, _, rest = first.get("BO", f"8 {EMPTY} *").partition(" ")
    squares = "".join(rest.split())
    if size != "8" or not re.fullmatch(r"[-*OoXx.]{64}[*OoXx]", squares):
        raise TextError("the board of a game is BO[8, then 64 squares, each *, O or -, and the side to move]")
    cells = squares.upper().replace("*", "X").replace(".", "-")
    found = GgfGame([game.parse_state(f"{cells[:64]} {cells[64]}")])
    for side, tag in enumerate(("TB", "TW")):
        given = first.get(tag, first.get("TI"))
        if given:
            parts = given.split("/")
            found.left[side] = seconds(parts[0])
            found.increment[side] = seconds(parts[1]) if len(parts) > 1 else 0.0
    for colour, move in tags:
        if colour in ("B", "W"):
            s = found.states[-1]
            if game.turn(s) != "BW".index(colour) and [game.format_move(s, m) for m in game.legal(s)] == ["pass"]:
                found.play(game, "PA")
            if game.turn(found.states[-1]) != "BW".index(colour):
                raise TextError(f"{colour}[{move:.20}] is not the turn of this side")
            found.play(game, move)
    return found


# -- the engine side -------------------------------------------------------------------------------------------------------


class NBoard(Server):
    """The engine side."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        super().__init__(source, target)
        self.depth = DEPTH
        self._thinker: BackgroundEngine | None = None
        self._record: GgfGame | None = GgfGame([])
        """The game, at first without its first state; None if the last one could not be read."""
        self._asked = 0  # a number for each question: answers to old ones are dropped
        self._answering = threading.Lock()
        self.commands: dict[str, Callable[[str], None]] = {
            "nboard": self._introduce,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": lambda rest: self.say("learned"),
            "analyze": lambda rest: self._status("Plyground does not analyse whole games"),
            "quit": self._quit,
        }

    def handle(self, line: str) -> None:
        """Carry out a command; unknown ones are ignored, as the protocol asks for."""
        word, _, rest = line.strip().partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())

    def send_error(self, text: str) -> None:
        """Show an error in the status line."""
        self._status(f"error: {text}")

    def shut_down(self) -> None:
        """End the search; the process does not wait long for it."""
        Worker(self._drop).wait(1.0)

    def _status(self, text: str = "") -> None:
        self.say(f"status {text}".rstrip())

    # -- commands ----------------------------------------------------------------------------------------------------------

    def _introduce(self, rest: str) -> None:
        self.say("set myname Plyground")
        self._engine().prepare()

    def _engine(self) -> BackgroundEngine:
        if self._thinker is None:
            self._thinker = BackgroundEngine(load("othello"), self._status, self.report)
        return self._thinker

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "depth":
            if not re.fullmatch(r"[0-9]{1,9}", value.strip()):
                raise TextError(f"a depth is a whole number, not {value!r:.40}")
            self.depth = max(1, min(MAX_DEPTH, int(value)))
        elif name == "game":
            self._drop()
            self._record = None
            self._record = read_game(self._engine().game, value)
        # `contempt` is about draws in a book, of which this engine has none.

    def _move(self, rest: str) -> None:
        self._drop()
        record, self._record = self._require_position(), None
        record.play(self._engine().game, rest)
        self._record = record

    def _require_position(self) -> GgfGame:
        if self._record is None:
            raise PlygroundError("the position is unknown: the last game or move could not be read")
        if not self._record.states:
            self._record.states = [self._engine().game.start()]
        return self._record

    def _hint(self, rest: str) -> None:
        lines = int(rest) if re.fullmatch(r"[0-9]{1,9}", rest) else 1
        self._ask(max(1, lines), plays=False)

    def _go(self, rest: str) -> None:
        self._ask(1, plays=True)

    def _ping(self, rest: str) -> None:
        """Reply `pong`; reports about earlier positions must stop first."""
        self._drop()
        self.say(f"pong {rest}".rstrip())

    def _quit(self, rest: str) -> None:
        self.over = True

    # -- searches ----------------------------------------------------------------------------------------------------------

    def _ask(self, lines: int, plays: bool) -> None:
        """Search the position; another thread answers."""
        self._drop()
        engine, record = self._engine(), self._require_position()
        game, s, number = engine.game, record.states[-1], self._asked
        if not game.legal(s):
            raise PlygroundError("the game is over")
        self._status("thinking" if plays else "analysing")
        engine.ask(
            SearchRequest(
                s=s,
                limit=self._limit(game, record, plays),
                lines=lines,
                history=record.states[:-1],
                on_report=lambda report: self._report(number, game, s, report),
                on_answer=lambda found: self._answer(number, game, s, found, plays),
            )
        )

    def _limit(self, game: Game, record: GgfGame, plays: bool) -> Limit:
        """Return the depth, unless the end is near; for a move to play also the clock of the game."""
        s = record.states[-1]
        empty = game.cells(s).count(0)
        depth = MAX_DEPTH if empty <= min(SOLVED, 2 * self.depth) else self.depth
        side = game.turn(s) or 0
        if not plays or record.left[side] == math.inf:
            return Limit(depth=depth)
        if len(game.legal(s)) == 1:
            depth = 1
        left = max(record.left[side], 0.1)
        return Limit(depth=depth, clock=left, increment=record.increment[side], moves_left=empty // 2 + 1)

    def _report(self, number: int, game: Game, s: State, report: Report) -> bool:
        line = search_line(game, s, report)
        with self._answering:
            if number == self._asked:
                self.say(line)
        return False

    def _answer(self, number: int, game: Game, s: State, found: Analysis, plays: bool) -> None:
        with self._answering:
            if number != self._asked or found.move is None:
                return
            self.say(f"nodestats {found.nodes} {found.seconds:.2f}")
            if plays:
                self.say(f"=== {write_move(game, s, found.move)}/{discs(found.score):.2f}/{found.seconds:.2f}")
            self._status()

    def _drop(self) -> None:
        """Stop thinking without an answer."""
        with self._answering:
            self._asked += 1
        if self._thinker is not None:
            self._thinker.stop()


def discs(score: float) -> float:
    """Return a score in discs."""
    margin = scores.margin(int(score))
    return score / POINTS if margin is None else margin


def search_line(game: Game, s: State, report: Report) -> str:
    """Return a report: the line without spaces, the score, and the depth, which is 100% if it is the value of the game."""
    line, root = "", s
    for m in report.line:
        if m not in game.legal(root):
            break
        line += write_move(game, root, m)
        root = game.child(root, m)
    proven = scores.margin(int(report.score)) is not None and not report.limited
    depth = "100%" if report.exact else "100%W" if proven else report.depth
    return f"search {line} {discs(report.score):.2f} 0 {depth}"
