"""An engine that thinks in the background for a protocol: one request at a time, which is stopped at once and always answered.

The engine is built and compiled on its own thread: with an empty cache, this takes most of a minute for chess. A request that
can't wait for it, because of its time or because it is stopped, is answered by the textbook meanwhile.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from plyground.engine import FULL_STRENGTH
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from plyground.compile.progress import Compiling
    from plyground.engine.engine import Engine, Search

REPORT_INTERVAL = 2.0
"""Seconds between two messages while compiling."""
FORCED_CLOCK_JUMP = 1e9
"""The seconds by which the textbook's clock jumps when it must answer."""
TEXTBOOK_SECONDS = 1.0
"""The textbook's time if there is no time limit: it answers only where the engine can't."""


@dataclass(frozen=True)
class EngineSettings:
    """The arguments of `Engine` that protocols set."""

    memory: float = 64
    threads: int = 1
    evaluate: str | None = None


@dataclass
class SearchRequest:
    """What to search, within which limit, and who gets the answer."""

    s: State
    limit: Limit
    on_answer: Callable[[Analysis], None]
    """Called once, when the answer may be given; all three on another thread, but `on_found` at once for a known answer."""
    on_found: Callable[[Analysis], None] = lambda found: None
    """Called once before that, as soon as the answer is known."""
    on_report: Callable[[Report], bool] = lambda report: False
    """Called while it thinks; True ends the search."""
    history: Sequence[State] = ()
    lines: int = 1
    moves: Sequence[int] | None = None
    """Only these, if given."""
    level: int = FULL_STRENGTH
    known: Analysis | None = None
    """The answer, if there is nothing to search."""
    pondering: bool = False
    """The answer waits for `stop` or `ponder_hit`, even if nothing is left to search."""
    began: float = field(default_factory=time.perf_counter)
    released: threading.Event = field(default_factory=threading.Event)
    """The answer may be given."""
    stopped: threading.Event = field(default_factory=threading.Event)
    """The answer must be given as soon as possible."""
    over: threading.Event = field(default_factory=threading.Event)
    """The answer was given."""
    search: Search | None = None
    last: Report | None = None
    best_moves: list[int] = field(default_factory=list)
    """The best move of each finished iteration."""

    @property
    def seconds(self) -> float:
        """Seconds since it was asked."""
        return time.perf_counter() - self.began

    def on_engine_report(self, report: Report) -> bool:
        """Pass a report on, and return whether it ends the search."""
        self.last = report
        if report.multipv == 1 and not report.partial:
            self.best_moves.append(report.line[0])
        return self.on_report(report) or self.limit_reached()

    def limit_reached(self) -> bool:
        """Return whether the limit that counts since `hit` was reached. The engine itself does not know it."""
        if not self.pondering or not self.released.is_set():
            return False
        limit, last = self.limit, self.last
        deep = last is not None and (last.depth >= (limit.depth or math.inf) or last.nodes >= (limit.nodes or math.inf))
        return deep or limit.out_of_time(self.seconds, self.best_moves)


class BackgroundEngine:
    """The engine of a game in the background."""

    def __init__(self, game: Game, tell: Callable[[str], None], report: Callable[[Exception], None]) -> None:
        """Call `tell` with messages for people and `report` with exceptions."""
        self.game, self._tell, self._report = game, tell, report
        self.wanted = EngineSettings()
        """A change takes effect before the next request."""
        self._built: EngineSettings | None = None
        self._engine: Engine | None = None
        self._forget = False
        self._builder: Worker[None] | None = None
        self._ready = threading.Event()
        self._question: SearchRequest | None = None

    # -- the engine --------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Start to build and compile the engine in the background, unless it is there already."""
        if self.busy or (self._builder is not None and not self._builder.over):
            return
        if self._built != self.wanted:
            self._ready.clear()
            self._builder = Worker(self._build)

    def ready(self, seconds: float = 0) -> bool:
        """Return whether the engine is ready within this many seconds."""
        return self._ready.wait(seconds)

    def forget(self) -> None:
        """Clear what was learned before the next request."""
        self._forget = True

    def _build(self) -> None:
        import plyground.textbook.registry  # noqa: F401 (first: it may be needed before the engine)

        while self._built != (wanted := self.wanted):
            self._engine = None  # so that there are never two tables
            try:
                try:
                    self._engine = self._compile(wanted)
                except PlygroundError as e:
                    self._report(e)
                    self._engine = self._compile(EngineSettings())
            except Exception as e:  # the rules can't be compiled: the textbook answers
                self._report(e)
            self._built = wanted
        self._ready.set()

    def _compile(self, wanted: EngineSettings) -> Engine:
        from plyground.engine.engine import Engine

        last_report = time.perf_counter()

        def progress(now: Compiling) -> None:
            nonlocal last_report
            if time.perf_counter() > last_report + REPORT_INTERVAL:
                last_report = time.perf_counter()
                self._tell(str(now))

        engine = Engine(self.game, memory=wanted.memory, threads=wanted.threads, evaluate=wanted.evaluate)
        engine.prepare(progress)
        return engine

    # -- questions ---------------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether there is a request without an answer."""
        return self._question is not None and not self._question.over.is_set()

    def ask(self, request: SearchRequest) -> None:
        """Start to think about a request; stop one that has no answer yet."""
        self.stop()
        if request.known is None:
            self.prepare()
        else:
            self._pass(request.on_found, request.known)
        if not request.pondering:
            request.released.set()
        self._question = request
        Worker(lambda: self._think(request))

    def stop(self) -> None:
        """End the request at once; return when its answer was given."""
        if self._question is not None:
            self._end(self._question)

    def _end(self, request: SearchRequest) -> None:
        request.stopped.set()
        request.released.set()
        while not request.over.is_set():
            if (search := request.search) is not None:
                with contextlib.suppress(Exception):  # if the search has failed, the thread that asked for it says so
                    search.stop()
            request.over.wait(0.005)  # repeated: the search may not have started yet

    def ponder_hit(self) -> None:
        """Let the limit of a request that waits count from now on; its time began when the request was made."""
        request = self._question
        if request is None or request.released.is_set() or request.limit.infinite:
            return
        request.released.set()
        if request.limit_reached():
            self._end(request)
        elif request.limit.seconds < math.inf:
            Worker(lambda: self._stop_later(request))

    def _stop_later(self, request: SearchRequest) -> None:
        request.over.wait(max(0.0, request.limit.seconds - request.seconds))
        self._end(request)

    # -- one answer --------------------------------------------------------------------------------------------------------

    def _think(self, request: SearchRequest) -> None:
        found = request.known
        if found is None:
            try:
                found = self._found(request)
            except Exception as e:
                self._report(e)
                found = Analysis(None, 0)
            self._pass(request.on_found, found)
        request.released.wait()
        self._pass(request.on_answer, found)
        request.over.set()

    def _pass(self, take: Callable[[Analysis], None], found: Analysis) -> None:
        try:
            take(found)
        except Exception as e:
            self._report(e)

    def _found(self, request: SearchRequest) -> Analysis:
        if not self.ready():
            early = self._fallback_answer(request)
            if early is not None:
                return early
        engine = self._engine
        if engine is None:
            return self._by_textbook(request)
        if self._forget:
            self._forget = False
            engine.forget()

        def on_engine_report(report: Report) -> None:
            if request.on_engine_report(report):
                engine.stop()

        request.search = engine.start(
            request.s,
            limit_left(request),
            lines=request.lines,
            history=request.history,
            moves=request.moves,
            level=request.level,
            on_report=on_engine_report,
        )
        return request.search.result()

    def _fallback_answer(self, request: SearchRequest) -> Analysis | None:
        """Return an answer without the engine if it is not ready in time; else None."""
        self._tell("the engine is not ready yet; a slower search will answer if needed")
        while not self.ready(0.02):
            due = request.released.is_set() and request.limit.seconds < math.inf
            if due or request.stopped.is_set():
                found = self._by_textbook(request)
                in_time = request.seconds < request.limit.seconds and not request.stopped.is_set()
                return None if self.ready() and in_time else found
        return None

    def _by_textbook(self, request: SearchRequest) -> Analysis:
        """Return the best move that the interpreted rules find in time, or before the engine is ready."""
        from plyground.textbook.algorithm import PLAIN, kind
        from plyground.textbook.registry import find

        def clock() -> float:
            over = request.stopped.is_set() or (self._engine is not None and self.ready())
            return time.perf_counter() + over * FORCED_CLOCK_JUMP

        seconds = 0.0 if request.stopped.is_set() else request.limit.seconds - request.seconds
        name, given = "expectiminimax", dict[str, float](depth=1)
        if kind(self.game) == PLAIN:
            name, given = "deepening", {"time": max(seconds, 0.001) if seconds < math.inf else TEXTBOOK_SECONDS}
        found = find(name).search(self.game, request.s, given, history=request.history, clock=clock)
        allowed = request.moves or self.game.legal(request.s)
        line = found.line if found.move in allowed else (allowed[0],)
        depth = int(found.depth or given.get("depth", 1))
        return Analysis(line[0], found.value, depth, len(line), 0, request.seconds, line=line, source="textbook")


def limit_left(request: SearchRequest) -> Limit:
    """Return the limit for the search that begins now."""
    if not request.released.is_set():
        return Limit(infinite=True)
    limit, past = request.limit, request.seconds
    time_left, clock_left = (None if x is None else max(x - past, 0.001) for x in (limit.time, limit.clock))
    return replace(limit, time=time_left, clock=clock_left)
