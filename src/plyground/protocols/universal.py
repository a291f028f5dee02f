"""The engine side that UCI and UGI share: UGI is UCI for any game.

`uci.py` and `ugi.py` say what differs: how moves are written, what the clocks are called, which options and questions there are.
"""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import BinaryIO, ClassVar

from plyground import score as scores
from plyground.errors import PlygroundError, TextError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.protocols.options import EngineOption, Options, parse_int
from plyground.protocols.server import Server
from plyground.protocols.thinker import BackgroundEngine, EngineSettings, SearchRequest
from plyground.rules.game import Game
from plyground.rules.hooks import RulesState, State
from plyground.system.runner import Worker

READY_SECONDS = 5.0
"""How long `readyok` waits for the compiler: other programs give up after about 10 seconds."""
REPORT_INTERVAL = 0.05
"""Seconds between two reports: writing a line takes the interpreted rules a few milliseconds."""
MAX_MOVES = 10_000
"""The moves of a position that are read: longer input is refused."""
NUMBERS = ("depth", "nodes", "mate", "movetime", "movestogo")
FLAGS = ("infinite", "ponder")
MOVES = "searchmoves"
MAX_GO_NUMBER = 10**12
"""The largest number in `go` that counts."""
EXTRA_MATE_PLIES = 6
"""Plies that the search for a mate goes deeper than the mate, since it searches unlikely moves less deeply."""


class Go:
    """The words after `go`. Unknown words are skipped, and so are numbers that can't be read."""

    def __init__(self, words: Sequence[str], clocks: tuple[str, str]) -> None:
        """Read the words; `clocks` is what the names of the two clocks begin with.

        >>> asked = Go("wtime 60000 btime 55000 winc 1000 searchmoves e2e4 d2d4".split(), ("w", "b"))
        >>> asked.only, asked.pondering, asked.limit(1, 50).clock
        (['e2e4', 'd2d4'], False, 55.0)
        """
        self.clocks = clocks
        names = (*NUMBERS, *(side + what for side in clocks for what in ("time", "inc")))
        self.numbers: dict[str, int] = {}
        self.flags: set[str] = set()
        self.only: list[str] = []
        """The moves to search, if only some."""
        reading = ""
        for word in words:
            if word in names or word in FLAGS or word == MOVES:
                reading = word
                self.flags |= {word} & set(FLAGS)
            elif reading == MOVES:
                self.only.append(word)
            elif reading in names and (number := parse_int(word)) is not None:
                self.numbers[reading] = max(-MAX_GO_NUMBER, min(MAX_GO_NUMBER, number))
        self.mate = self.numbers.get("mate")
        """The mate to look for, in moves."""
        limits = {"depth", "nodes", "mate", "movetime", *(side + "time" for side in clocks)}
        self.endless = "infinite" in self.flags or not limits & set(self.numbers)
        """Whether there is no limit."""
        self.pondering = self.endless or "ponder" in self.flags
        """Whether the answer waits for `stop` or `ponderhit`."""

    def limit(self, side: int, overhead: int) -> Limit:
        """Return the limit for the side to move; `overhead`: milliseconds lost in transmission; only a clock runs meanwhile.

        >>> Go("movetime 100".split(), ("w", "b")).limit(0, 50).seconds
        0.1
        """
        if self.endless:
            return Limit(infinite=True)
        number = self.numbers
        depth = number.get("depth", None if self.mate is None else 2 * self.mate + EXTRA_MATE_PLIES)
        own, other = self.clocks[side], self.clocks[1 - side]
        left = number.get(own + "time", number.get(other + "time"))
        move = number.get("movetime")
        return Limit(
            depth=None if depth is None else max(1, depth),
            nodes=max(1, number["nodes"]) if "nodes" in number else None,
            time=None if move is None else max(1, move) / 1000,
            clock=None if left is None else max(1, left) / 1000,
            increment=max(0, number.get(own + "inc", 0)) / 1000,
            moves_left=max(1, number["movestogo"]) if "movestogo" in number else None,
            overhead=overhead / 1000,
        )


class SentPosition:
    """The position that was sent last, with the states before it."""

    def __init__(self, game: Game) -> None:
        self.base: str | None = None
        self.words: list[str] = []
        self.states: list[RulesState] = [game.start()]
        self.moves: list[int] = []

    @property
    def s(self) -> State:
        """The state."""
        return self.states[-1]


class UciLikeServer(Server):
    """The engine side of UCI and UGI."""

    WORD: ClassVar[str]
    """The name of the protocol, as its commands begin."""
    CLOCKS: ClassVar[tuple[str, str]]
    """What the names of the clocks begin with, by side."""
    NONE: ClassVar[str]
    """The move if there is none."""
    OPTIONS: ClassVar[dict[str, EngineOption]] = {
        "Hash": EngineOption("spin", 64, 1, 1 << 16),
        "Threads": EngineOption("spin", 1, 1, 256),
        "MultiPV": EngineOption("spin", 1, 1, 500),
        "Move Overhead": EngineOption("spin", 50, 0, 5000),
        "EvalFile": EngineOption("string", ""),
        "Clear Hash": EngineOption("button"),
    }

    def __init__(self, source: BinaryIO, target: BinaryIO, game: Game) -> None:
        super().__init__(source, target)
        self.game = game
        self.options = Options(self.OPTIONS)
        self.thinker = BackgroundEngine(game, self.send_error, self.report)
        self.position: SentPosition | None = SentPosition(game)
        """None if the last one could not be read."""
        self._counting = threading.Lock()
        self._asked_ready = 0  # how often `isready` was asked and not answered
        self._reported_at = 0.0  # when the last report was written
        self._telling = False  # whether this report is written
        self.commands: dict[str, Callable[[list[str]], None]] = {
            self.WORD: self._introduce,
            f"{self.WORD}newgame": self._new_game,
            "setoption": self._set_option,
            "isready": self._is_ready,
            "position": self._set_position,
            "go": self._go,
            "stop": lambda words: self.thinker.stop(),
            "ponderhit": lambda words: self.thinker.ponder_hit(),
            "quit": self._quit,
            "debug": lambda words: None,
            "register": lambda words: None,
        }

    # -- what differs ------------------------------------------------------------------------------------------------------

    @abstractmethod
    def write(self, s: State, m: int) -> str:
        """Return a move as one word."""

    @abstractmethod
    def read(self, s: State, word: str) -> int:
        """Return the legal move that a word names."""

    def moves(self, s: State) -> list[int]:
        """Return the legal moves."""
        return self.game.legal(s)

    @abstractmethod
    def turn(self, position: SentPosition) -> int:
        """Return the side to move."""

    @abstractmethod
    def mate(self, plies: int, won: bool) -> int:
        """Return how far away the end of the game is, as the protocol counts it."""

    def best(self, line: list[str]) -> list[str]:
        """Return the words after `bestmove`."""
        return line[:1] or [self.NONE]

    def adjust(self, request: SearchRequest) -> SearchRequest:
        """Return the request at the strength that the options ask for."""
        return request

    def answer_without_search(self, position: SentPosition) -> Analysis | None:
        """Return the answer if there is nothing to search: the game is over, or the engine can't be asked."""
        if self.moves(position.s):
            return None
        value = self.game.result(position.s) or 0
        if "chance" in self.game.has:
            return Analysis(None, float(value))
        return Analysis(None, scores.final(value, 0, margin=bool(self.game.margin)))

    # -- commands ----------------------------------------------------------------------------------------------------------

    def handle(self, line: str) -> None:
        """Carry out a command; unknown words before it are skipped."""
        words = line.split()
        at = next((i for i, word in enumerate(words) if word in self.commands), None)
        if at is not None:
            self.commands[words[at]](words[at + 1 :])
        elif words:
            raise PlygroundError(f"there is no command {words[0]!r:.40}; the commands are {', '.join(self.commands)}")

    def send_error(self, text: str) -> None:
        """Show a message to people."""
        self.say(f"info string {text}")

    def shut_down(self) -> None:
        """End the search; the process does not wait long for it."""
        Worker(self.thinker.stop).wait(1.0)

    def _introduce(self, words: list[str]) -> None:
        from plyground import __version__

        self.say(
            f"id name Plyground {__version__}",
            "id author the Plyground developers",
            *self.options.announcement(),
            f"{self.WORD}ok",
        )

    def _new_game(self, words: list[str]) -> None:
        self.thinker.stop()
        self.thinker.forget()
        self.position = SentPosition(self.game)

    def _set_option(self, words: list[str]) -> None:
        name = self.options.set(words)
        if name == "Clear Hash":
            self.thinker.forget()
        else:
            file = str(self.options["EvalFile"] or "") or None
            self.thinker.wanted = EngineSettings(self.options.number("Hash"), self.options.number("Threads"), file)

    def _is_ready(self, words: list[str]) -> None:
        self.thinker.prepare()
        if self.thinker.busy or self.thinker.ready():
            return self.say("readyok")
        with self._counting:
            self._asked_ready += 1
            first = self._asked_ready == 1
        if first:
            Worker(self._tell_ready)
        return None

    def _tell_ready(self) -> None:
        self.thinker.ready(READY_SECONDS)
        with self._counting:
            times, self._asked_ready = self._asked_ready, 0
        self.say(*["readyok"] * times)

    def _set_position(self, words: list[str]) -> None:
        old, self.position = self.position, None
        at = words.index("moves") if "moves" in words else len(words)
        base = None if words[:1] == ["startpos"] else " ".join(words[1:at])
        if base is not None and words[:1] != ["fen"]:
            raise TextError("a position is startpos or fen …, and perhaps moves …")
        self.position = self._position_after(old, base, words[at + 1 :])

    def _position_after(self, old: SentPosition | None, base: str | None, words: list[str]) -> SentPosition:
        """Return the position after these moves. What it shares with the one before is not read again: games are sent move by
        move.
        """
        new = SentPosition(self.game)
        new.base, new.words = base, words
        if old is None or old.base != base:
            new.states = [self.game.start() if base is None else self.game.parse_state(base)]
            same = 0
        else:
            pairs = zip(old.words, words, strict=False)
            same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(old.words), len(words)))
            new.states, new.moves = old.states[: same + 1], old.moves[:same]
        if len(words) > MAX_MOVES:
            raise TextError(f"a position has at most {MAX_MOVES:,} moves")
        for word in words[same:]:
            new.moves.append(self.read(new.s, word))
            new.states.append(self.game.child(new.s, new.moves[-1]))
        return new

    def _quit(self, words: list[str]) -> None:
        self.over = True

    # -- go ----------------------------------------------------------------------------------------------------------------

    def _go(self, words: list[str]) -> None:
        asked = Go(words, self.CLOCKS)
        self.thinker.stop()
        self._reported_at = time.perf_counter()
        position = self.position
        if position is None:
            self.send_error("there is no position: the last one could not be read")
            known: Analysis | None = Analysis(None, 0)
            position = SentPosition(self.game)
        else:
            known = self.answer_without_search(position)
        s = position.s
        request = SearchRequest(
            s=s,
            limit=asked.limit(self.turn(position), self.options.number("Move Overhead")),
            history=position.states[:-1],
            lines=self.options.number("MultiPV"),
            known=known,
            pondering=asked.pondering,
            on_report=lambda report: self._reported(s, report, asked.mate),
            on_found=lambda found: self._write_final_report(s, found),
            on_answer=lambda found: self._answer(s, found, searched=known is None),
        )
        if asked.only and known is None:
            request.moves = [self.read(s, word) for word in asked.only]
        if request.limit.clock and len(request.moves or self.moves(s)) == 1:
            request.limit = Limit(depth=1)  # the only move
        self.thinker.ask(self.adjust(request))

    def _reported(self, s: State, report: Report, mate: int | None) -> bool:
        """Write a report unless one was written just before; return whether the requested mate was found."""
        now = time.perf_counter()
        if report.multipv == 1:
            self._telling = now > self._reported_at + REPORT_INTERVAL
        if self._telling:
            self._reported_at = now
            self.say(self.info(s, report))
        away = None if isinstance(report.score, float) else scores.plies(report.score)
        return mate is not None and away is not None and report.multipv == 1 and report.score > 0 and away < 2 * mate

    def _write_final_report(self, s: State, found: Analysis) -> None:
        """Write what was found, at once."""
        last = [r for r in found.reports if r.multipv > 1 and (r.depth, r.partial) == (found.depth, found.partial)]
        counts = found.nodes, found.seconds, found.fill
        final = Report(found.depth, found.seldepth, found.score, *counts, found.line, partial=found.partial)
        self.say(*(self.info(s, report) for report in [*last, final]))

    def _answer(self, s: State, found: Analysis, searched: bool) -> None:
        """Give the answer; if the search has failed, any move is better than none."""
        line = self.line(s, found.line)
        if not line and (found.move is not None or searched):
            line = [self.write(s, self.moves(s)[0] if found.move is None else found.move)]
        self.say(" ".join(["bestmove", *self.best(line)]))

    def info(self, s: State, report: Report) -> str:
        """Return a report as a line."""
        score = self.score(report.score) + (" lowerbound" if report.partial else "")
        line = [
            f"info depth {report.depth} seldepth {report.seldepth} multipv {report.multipv} score {score}",
            f"nodes {report.nodes} nps {report.nps} hashfull {round(1000 * report.fill)} time {round(1000 * report.seconds)}",
        ]
        words = self.line(s, report.line)
        return " ".join([*line, *(["pv", *words] if words else [])])

    def score(self, value: float) -> str:
        """Return a score: hundredths of a point, or how far away the end is."""
        if isinstance(value, float):
            return f"cp {round(100 * value)}"  # an expected result
        margin, plies = scores.margin(value), scores.plies(value)
        if margin is not None:
            return f"cp {100 * margin}"
        return f"cp {value}" if plies is None else f"mate {self.mate(plies, value > 0)}"

    def line(self, s: State, moves: Sequence[int]) -> list[str]:
        """Return the legal part of a line, as words."""
        words = []
        for m in moves:
            if self.game.is_chance(s) or m not in self.moves(s):
                break
            words.append(self.write(s, m))
            s = self.game.child(s, m)
        return words
