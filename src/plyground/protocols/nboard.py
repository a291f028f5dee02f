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

import contextlib
import math
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO, ClassVar

from plyground import score as scores
from plyground.engine.players import Table
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.player import ILLEGAL, RUBBISH, ForfeitError
from plyground.play.report import Analysis, Report
from plyground.protocols.peer import Peer, Trail, only
from plyground.protocols.server import Server
from plyground.protocols.thinker import Question, Thinker
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.system.runner import Worker

DEPTH, DEEPEST = 12, 99
"""The depth if the board sets none, and the largest one."""
SOLVED = 14
"""With so many empty squares or fewer the search goes to the end, if half of it is within the depth."""
POINTS = 100
"""Of an estimate, for a disc."""
TAG = re.compile(r"([A-Z]{1,2})\[([^\]]*)\]")
MOVE = re.compile(r"([A-Ha-h][1-8]|[Pp][Aa](?:[Ss][Ss])?)")
TIMES = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,4}):)?([0-9]{1,6}(?:\.[0-9]*)?)")
HELLO = 60.0
"""Seconds for an engine to answer the first `ping`."""
EMPTY = "-" * 27 + "O*" + "-" * 6 + "*O" + "-" * 27
"""The first position in GGF."""


# -- games in GGF ----------------------------------------------------------------------------------------------------------


@dataclass
class Record:
    """A game as it was sent: its states, and the seconds that each side has left, if there is a clock."""

    states: list[Any]
    left: list[float] = field(default_factory=lambda: [math.inf, math.inf])
    increment: list[float] = field(default_factory=lambda: [0.0, 0.0])

    def play(self, game: Game, text: str) -> None:
        """Adds a move, written `F5`, `F5/0.52/3.1` or `PA//1`: the move, its score, and the seconds it took."""
        word, *rest = text.split("/")
        s = self.states[-1]
        side = game.turn(s) or 0
        m = read_move(game, s, word.strip())
        taken = seconds(rest[1]) if len(rest) > 1 else 0.0
        self.left[side] += self.increment[side] - taken
        self.states.append(game.play(s, m))


def read_move(game: Game, s: Any, text: str) -> int:
    """The legal move that a text means."""
    if not MOVE.fullmatch(text):
        raise TextError(f"{text!r:.40} is not a move; it is written F5, or PA for a pass")
    return game.parse_move(s, "pass" if text[:2].upper() == "PA" else text)


def write_move(game: Game, s: Any, m: int) -> str:
    """A move in capitals; `PA` is a pass."""
    text = game.format_move(s, m)
    return "PA" if text == "pass" else text.upper()


def seconds(text: str) -> float:
    """A time in seconds, or with minutes and hours before them; 0 if it can't be read.

    >>> seconds("15:00"), seconds("1:00:01"), seconds("2.5"), seconds("soon")
    (900.0, 3601.0, 2.5, 0.0)
    """
    found = TIMES.fullmatch(text.strip())
    if found is None:
        return 0.0
    return 3600.0 * int(found[1] or 0) + 60 * int(found[2] or 0) + float(found[3])


def read_game(game: Game, text: str) -> Record:
    """A game in GGF. Passes that are not written are added."""
    tags = TAG.findall(text)
    first = dict(reversed(tags))
    if "(;" not in text or not tags or first.get("GM", "Othello").lower() != "othello":
        raise TextError(f"{text!r:.40} is not a game of Othello in GGF")
    size, _, rest = first.get("BO", f"8 {EMPTY} *").partition(" ")
    squares = "".join(rest.split())
    if size != "8" or not re.fullmatch(r"[-*OoXx.]{64}[*OoXx]", squares):
        raise TextError("the board of a game is BO[8, then 64 squares, each *, O or -, and the side to move]")
    cells = squares.upper().replace("*", "X").replace(".", "-")
    found = Record([game.parse_state(f"{cells[:64]} {cells[64]}")])
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
        self._thinker: Thinker | None = None
        self._record: Record | None = Record([])
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
        """Carries out a command; unknown ones are ignored, as the protocol asks for."""
        word, _, rest = line.strip().partition(" ")
        if word in self.commands:
            self.commands[word](rest.strip())

    def complain(self, text: str) -> None:
        """Shows an error in the status line."""
        self._status(f"error: {text}")

    def leave(self) -> None:
        """Ends the search; the process does not wait long for it."""
        Worker(self._drop).wait(1.0)

    def _status(self, text: str = "") -> None:
        self.say(f"status {text}".rstrip())

    # -- commands ----------------------------------------------------------------------------------------------------------

    def _introduce(self, rest: str) -> None:
        self.say("set myname Plyground")
        self._engine().prepare()

    def _engine(self) -> Thinker:
        if self._thinker is None:
            self._thinker = Thinker(load("othello"), self._status, self.report)
        return self._thinker

    def _set(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        if name == "depth":
            if not re.fullmatch(r"[0-9]{1,9}", value.strip()):
                raise TextError(f"a depth is a whole number, not {value!r:.40}")
            self.depth = max(1, min(DEEPEST, int(value)))
        elif name == "game":
            self._drop()
            self._record = None
            self._record = read_game(self._engine().game, value)
        # `contempt` is about draws in a book, of which this engine has none.

    def _move(self, rest: str) -> None:
        self._drop()
        record, self._record = self._known(), None
        record.play(self._engine().game, rest)
        self._record = record

    def _known(self) -> Record:
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
        """Nothing about the position before may be said after the answer."""
        self._drop()
        self.say(f"pong {rest}".rstrip())

    def _quit(self, rest: str) -> None:
        self.over = True

    # -- searches ----------------------------------------------------------------------------------------------------------

    def _ask(self, lines: int, plays: bool) -> None:
        """Searches the position; another thread answers."""
        self._drop()
        engine, record = self._engine(), self._known()
        game, s, number = engine.game, record.states[-1], self._asked
        if not game.legal(s):
            raise PlygroundError("the game is over")
        self._status("thinking" if plays else "analysing")
        engine.ask(
            Question(
                s=s,
                limit=self._limit(game, record, plays),
                lines=lines,
                history=record.states[:-1],
                on_report=lambda report: self._report(number, game, s, report),
                on_answer=lambda found: self._answer(number, game, s, found, plays),
            )
        )

    def _limit(self, game: Game, record: Record, plays: bool) -> Limit:
        """The depth, unless the end is near; for a move to play also the clock of the game."""
        s = record.states[-1]
        empty = game.cells(s).count(0)
        depth = DEEPEST if empty <= min(SOLVED, 2 * self.depth) else self.depth
        side = game.turn(s) or 0
        if not plays or record.left[side] == math.inf:
            return Limit(depth=depth)
        if len(game.legal(s)) == 1:
            depth = 1
        left = max(record.left[side], 0.1)
        return Limit(depth=depth, clock=left, increment=record.increment[side], moves_left=empty // 2 + 1)

    def _report(self, number: int, game: Game, s: Any, report: Report) -> bool:
        line = search_line(game, s, report)
        with self._answering:
            if number == self._asked:
                self.say(line)
        return False

    def _answer(self, number: int, game: Game, s: Any, found: Analysis, plays: bool) -> None:
        with self._answering:
            if number != self._asked or found.move is None:
                return
            self.say(f"nodestats {found.nodes} {found.seconds:.2f}")
            if plays:
                self.say(f"=== {write_move(game, s, found.move)}/{discs(found.score):.2f}/{found.seconds:.2f}")
            self._status()

    def _drop(self) -> None:
        """Stops thinking without an answer."""
        with self._answering:
            self._asked += 1
        if self._thinker is not None:
            self._thinker.stop()


def discs(score: float) -> float:
    """A score in discs."""
    margin = scores.margin(int(score))
    return score / POINTS if margin is None else margin


def search_line(game: Game, s: Any, report: Report) -> str:
    """A report: the line without spaces, the score, and the depth, which is 100% if it is the value of the game."""
    line, root = "", s
    for m in report.line:
        if m not in game.legal(root):
            break
        line += write_move(game, root, m)
        root = game.play(root, m)
    proven = scores.margin(int(report.score)) is not None
    depth = "100%" if report.exact else "100%W" if proven else report.depth
    return f"search {line} {discs(report.score):.2f} 0 {depth}"


# -- the client side -------------------------------------------------------------------------------------------------------


class NBoardPlayer(Peer):
    """An Othello engine that speaks NBoard 2.

    The protocol limits the depth, and the time for the rest of the game: seconds per move are added up for the moves to come.
    """

    WORD: ClassVar[str] = "nboard"

    def __init__(self, rest: str, game: Game, table: Table) -> None:
        if game.spec != "othello":
            raise PlygroundError(f"nboard is for othello, not for {game.name}")
        self._trail = Trail(game, lambda s, m: write_move(game, s, m))
        self._pings = 0
        super().__init__(rest, game, only(table, "depth", "time"))

    def greet(self) -> None:
        """Who it is; there are no options."""
        self.limit = self.limit or Limit(depth=DEPTH)
        if self.limit.nodes:
            raise PlygroundError("engines of nboard have no limit but depth and time, as in nboard:./engine,depth=8")
        if self.options:
            raise PlygroundError(f"nboard has no options, such as {next(iter(self.options))!r:.40}")
        self.process.send("nboard 2")
        self.process.send(f"set depth {self.limit.depth or DEEPEST}")
        for line in self._synchronise():
            if line.startswith("set myname "):
                self.program = line[11:].strip() or self.program

    def _synchronise(self) -> list[str]:
        """Waits until the engine has read all that was sent; what it said meanwhile."""
        self._pings += 1
        self.process.send(f"ping {self._pings}")
        heard = self.process.wait_for("pong", HELLO)
        while heard[-1].split()[1:2] != [str(self._pings)]:
            heard += self.process.wait_for("pong", HELLO)
        return heard

    def choose(self, game: Game, s: Any, history: Sequence[Any] = ()) -> int:
        """The engine's move; what it said about it stays in `found`."""
        given = self.clock
        if given is None and self.limit is not None and self.limit.time is not None:
            self.clock = Limit(clock=self.limit.time * (game.cells(s).count(0) // 2 + 1))
        try:
            return super().choose(game, s, history)
        finally:
            self.clock = given

    def ask(self, s: Any, history: Sequence[Any], limit: Limit) -> None:
        """The game so far, and `go`."""
        first, moves = self._trail.follow([*history, s])
        cells, mover = self.game.format_state(first).split()
        side = "XO".index(mover)
        left = "" if limit.clock is None else f"TI[{int(limit.clock) // 60}:{max(1, int(limit.clock)) % 60:02}]"
        board = f"BO[8 {cells.replace('X', '*')} {'*O'[side]}]"
        played = "".join(f"{'BW'[(side + n) % 2]}[{move}]" for n, move in enumerate(moves))
        self.process.send(f"set game (;GM[Othello]PC[Plyground]PB[black]PW[white]RE[?]{left}TY[8]{board}{played};)")
        self.process.send(f"set depth {limit.depth or DEEPEST}")
        self._synchronise()
        self.process.send("go")

    def hear(self, line: str) -> str | None:
        """The move after `===`, and what was said before."""
        if line.startswith("==="):
            return re.split(r"[\s/]", line[3:].strip())[0]
        word, *rest = line.split() or [""]
        if word in ("search", "book"):
            self._hear_search(rest)
        elif word == "nodestats" and self.found is not None and rest[:1] and rest[0].isdecimal():
            self.found.nodes = int(rest[0])
        elif word not in ("status", "set", "pong", "nodestats", "learn", "learned"):
            self.wonder(line)
        return None

    def _hear_search(self, words: list[str]) -> None:
        with contextlib.suppress(ValueError, OverflowError, IndexError):
            points = round(POINTS * float(words[1].partition(",")[0]))
            depth = int(re.split(r"[^0-9]", words[3])[0])
            self.found = Analysis(None, scores.clip(points), depth, depth)

    def move(self, s: Any, text: str) -> int:
        """The move after `===`."""
        if not MOVE.fullmatch(text):
            raise ForfeitError(RUBBISH, f"{text!r:.40} cannot be read as a move")
        try:
            return read_move(self.game, s, text)
        except TextError:
            raise ForfeitError(ILLEGAL, f"{text} is not a legal move in {self.game.format_state(s)}") from None

    def hurry(self) -> None:
        """A `ping` stops the engine."""
        self._pings += 1
        self.process.send(f"ping {self._pings}")
