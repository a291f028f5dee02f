"""An engine that thinks in the background for a protocol: one question at a time, stopped at once, never silent.

The engine is built and compiled on its own thread: with an empty cache, this takes most of a minute for chess. A question that
can't wait for it, because of its time or because it is stopped, is answered by the textbook meanwhile.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from plyground.engine.levels import FULL
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.system.runner import Worker

if TYPE_CHECKING:
    from plyground.compile.progress import Compiling
    from plyground.engine.engine import Engine, Search

TELL_EVERY = 2.0
"""Seconds between two messages while compiling."""
LATE = 1e9
"""How far the textbook's clock jumps when it must answer, in seconds."""
TEXTBOOK_SECONDS = 1.0
"""The textbook's time if there is no time limit: it answers only where the engine can't."""


@dataclass
class Question:
    """What to search, within which limit, and who gets the answer."""

    s: Any
    limit: Limit
    on_answer: Callable[[Analysis], None]
    """Called once, when the answer may be given; all three on another thread."""
    on_found: Callable[[Analysis], None] = lambda found: None
    """Called once before that, as soon as the answer is known."""
    on_report: Callable[[Report], bool] = lambda report: False
    """Called while it thinks; is that enough?"""
    history: Sequence[Any] = ()
    lines: int = 1
    moves: Sequence[int] | None = None
    """Only these, if given."""
    level: int = FULL
    known: Analysis | None = None
    """The answer, if there is nothing to search."""
    waits: bool = False
    """The answer waits for `stop` or `hit`, even if nothing is left to search."""
    began: float = field(default_factory=time.perf_counter)
    released: threading.Event = field(default_factory=threading.Event)
    """The answer may be given."""
    stopped: threading.Event = field(default_factory=threading.Event)
    """And as soon as possible."""
    over: threading.Event = field(default_factory=threading.Event)
    """The answer was given."""
    search: Search | None = None
    last: Report | None = None

    @property
    def seconds(self) -> float:
        """Seconds since it was asked."""
        return time.perf_counter() - self.began

    def heard(self, report: Report) -> bool:
        """Passes a report on; does it end the search?"""
        self.last = report
        return self.on_report(report) or self.reached()

    def reached(self) -> bool:
        """Was the limit reached that counts since `hit`? The engine itself does not know it."""
        if not self.waits or not self.released.is_set():
            return False
        limit, last = self.limit, self.last
        deep = last is not None and (last.depth >= (limit.depth or math.inf) or last.nodes >= (limit.nodes or math.inf))
        return deep or limit.late(self.seconds)


class Thinker:
    """The engine of a game in the background."""

    def __init__(self, game: Game, tell: Callable[[str], None], report: Callable[[Exception], None]) -> None:
        """`tell` gets messages for people, `report` exceptions."""
        self.game, self._tell, self._report = game, tell, report
        self.wanted: dict[str, Any] = {}
        """Arguments of `Engine`; a change takes effect before the next question."""
        self._built: dict[str, Any] | None = None
        self._engine: Engine | None = None
        self._forget = False
        self._builder: Worker[None] | None = None
        self._ready = threading.Event()
        self._question: Question | None = None

    # -- the engine --------------------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Starts to build and compile the engine in the background, unless it is there already."""
        if self.busy or (self._builder is not None and not self._builder.over):
            return
        if self._built != self.wanted:
            self._ready.clear()
            self._builder = Worker(self._build)

    def ready(self, seconds: float = 0) -> bool:
        """Is the engine ready, within this many seconds?"""
        return self._ready.wait(seconds)

    def forget(self) -> None:
        """Clears what was learned, before the next question."""
        self._forget = True

    def _build(self) -> None:
        import plyground.textbook.registry  # noqa: F401 (first: it may be needed before the engine)

        while self._built != (wanted := dict(self.wanted)):
            self._engine = None  # so that there are never two tables
            try:
                try:
                    self._engine = self._compiled(wanted)
                except PlygroundError as e:
                    self._report(e)
                    self._engine = self._compiled({})
            except Exception as e:  # the rules can't be compiled: the textbook answers
                self._report(e)
            self._built = wanted
        self._ready.set()

    def _compiled(self, wanted: dict[str, Any]) -> Engine:
        from plyground.engine.engine import Engine

        told = time.perf_counter()

        def progress(now: Compiling) -> None:
            nonlocal told
            if time.perf_counter() > told + TELL_EVERY:
                told = time.perf_counter()
                self._tell(f"compiling {now.game}: {now.functions} functions so far")

        engine = Engine(self.game, **wanted)
        engine.prepare(progress)
        return engine

    # -- questions ---------------------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Is there a question without an answer?"""
        return self._question is not None and not self._question.over.is_set()

    def ask(self, question: Question) -> None:
        """Starts to think about a question; one that has no answer yet is stopped first."""
        self.stop()
        if question.known is None:
            self.prepare()
        if not question.waits:
            question.released.set()
        self._question = question
        Worker(lambda: self._think(question))

    def stop(self) -> None:
        """Ends the question at once; returns when its answer was given."""
        if self._question is not None:
            self._end(self._question)

    def _end(self, question: Question) -> None:
        question.stopped.set()
        question.released.set()
        while not question.over.is_set():
            if (search := question.search) is not None:
                with contextlib.suppress(Exception):  # if the search has failed, the thread that asked for it says so
                    search.stop()
            question.over.wait(0.005)  # repeated: the search may not have started yet

    def hit(self) -> None:
        """From now on the limit of a question that waits counts; it began when the question was asked."""
        question = self._question
        if question is None or question.released.is_set() or question.limit.infinite:
            return
        question.released.set()
        if question.reached():
            self._end(question)
        elif question.limit.seconds < math.inf:
            Worker(lambda: self._stop_later(question))

    def _stop_later(self, question: Question) -> None:
        question.over.wait(max(0.0, question.limit.seconds - question.seconds))
        self._end(question)

    # -- one answer --------------------------------------------------------------------------------------------------------

    def _think(self, question: Question) -> None:
        found = question.known
        try:
            found = found or self._found(question)
        except Exception as e:
            self._report(e)
        found = found or Analysis(None, 0)
        self._pass(question.on_found, found)
        question.released.wait()
        self._pass(question.on_answer, found)
        question.over.set()

    def _pass(self, take: Callable[[Analysis], None], found: Analysis) -> None:
        try:
            take(found)
        except Exception as e:
            self._report(e)

    def _found(self, question: Question) -> Analysis:
        if not self.ready():
            early = self._meanwhile(question)
            if early is not None:
                return early
        engine = self._engine
        if engine is None:
            return self._by_textbook(question)
        if self._forget:
            self._forget = False
            engine.forget()

        def heard(report: Report) -> None:
            if question.heard(report):
                engine.stop()

        question.search = engine.start(
            question.s,
            limit_left(question),
            lines=question.lines,
            history=question.history,
            moves=question.moves,
            level=question.level,
            on_report=heard,
        )
        return question.search.result()

    def _meanwhile(self, question: Question) -> Analysis | None:
        """An answer without the engine, if it is not ready in time; else None."""
        self._tell("the engine is not ready yet; a slower search answers if it must")
        while not self.ready(0.02):
            hurry = question.released.is_set() and question.limit.seconds < math.inf
            if hurry or question.stopped.is_set():
                found = self._by_textbook(question)
                in_time = question.seconds < question.limit.seconds and not question.stopped.is_set()
                return None if self.ready() and in_time else found
        return None

    def _by_textbook(self, question: Question) -> Analysis:
        """The best move that the interpreted rules find in time, or before the engine is ready."""
        from plyground.textbook.registry import PLAIN, find, kind

        def clock() -> float:
            over = question.stopped.is_set() or (self._engine is not None and self.ready())
            return time.perf_counter() + over * LATE

        seconds = 0.0 if question.stopped.is_set() else question.limit.seconds - question.seconds
        name, given = "expectiminimax", dict[str, float](depth=1)
        if kind(self.game) == PLAIN:
            name, given = "deepening", {"time": max(seconds, 0.001) if seconds < math.inf else TEXTBOOK_SECONDS}
        found = find(name).search(self.game, question.s, given, history=question.history, clock=clock)
        allowed = question.moves or self.game.legal(question.s)
        line = found.line if found.move in allowed else (allowed[0],)
        return Analysis(line[0], found.value, len(line), len(line), 0, question.seconds, line=line, source="textbook")


def limit_left(question: Question) -> Limit:
    """The limit for the search that begins now."""
    if not question.released.is_set():
        return Limit(infinite=True)
    limit, past = question.limit, question.seconds
    time_left, clock_left = (None if x is None else max(x - past, 0.001) for x in (limit.time, limit.clock))
    return replace(limit, time=time_left, clock=clock_left)
