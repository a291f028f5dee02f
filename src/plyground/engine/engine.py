"""The engine: iterative deepening over the native kernels, with time limits, threads and a stream of reports.

    Engine("connect4").choose(state, Limit(time=1))

An engine keeps its table between moves. `choose` returns a move, `analyse` everything that was found; `start` does not block, and
`choose_async` is for event loops. One search is a `Root`.
"""

from __future__ import annotations

import asyncio
import functools
import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from plyground.bits import MASK
from plyground.compile.progress import Compiling, alone, reported
from plyground.compile.structure import Structure
from plyground.engine.judge import advice, judged_by
from plyground.engine.levels import FULL, limit_at
from plyground.engine.options import OPTIONS, Scale, option_bits
from plyground.engine.root import Root
from plyground.errors import PlygroundError
from plyground.learn.net import NetInMemory
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.search import root, window
from plyground.search.memory import ERAS, Searcher, Table
from plyground.system.runner import Runner, Worker

if TYPE_CHECKING:
    from plyground.engine.perfect import Perfect

OnReport = Callable[[Report], None] | None
"""Called with each report of a search, on the searching thread."""


class Engine:
    """The player that searches."""

    def __init__(
        self,
        game: str | Path | Game,
        *,
        memory: float = 64,
        threads: int = 1,
        level: int = FULL,
        exact: bool = False,
        options: Sequence[str] | None = None,
        seed: int | None = None,
        perfect: bool = True,
        evaluate: str | Path | None = None,
    ) -> None:
        """`memory`: of the table, in MB. `perfect`: use books and the solver if they have the answer and only time is limited.

        `evaluate`: a net, or a Python file whose `evaluate(s)` replaces that of the game. By default the net that was trained
        for the game or comes with it, if there is one; with `"rules"`, the game's own evaluation.
        """
        self.rules = checked.game(game)
        """The game as it was given, with its own evaluation."""
        if len(self.rules.sides) > 2:
            raise PlygroundError(
                f"{self.rules.name} has {len(self.rules.sides)} sides; the engine plays games with one or two: "
                "use `play` without a level or `explain --algorithm maxn`"
            )
        checked.sizes(threads, memory)
        self.game, self.net = judged_by(self.rules, evaluate, search=options is None and not exact)
        """The game with the evaluation that is used, and the net that is used instead, if any."""
        self._net = None if self.net is None else NetInMemory(self.net, threads)
        self.level = checked.whole("level", level, 1, FULL)
        self.options = option_bits(self.game, options, exact)
        self.limited = "likely" in self.game.has and bool(self.options & OPTIONS["likely"])
        rolls = self.net is None and "evaluate" not in self.game.has and bool(self.options & OPTIONS["rollouts"])
        self.advice = advice(self.game) if rolls else None
        """What would make it stronger, in a sentence; None if leaves are not judged by random games."""
        self.scale = Scale(self.game)
        self.random = random.Random(seed)
        self.seed = MASK & (seed or 0)
        """Of the random games at the leaves, where the game has no evaluation."""
        self.memory = memory
        self.table = Table(memory)
        self.era = 0
        """Advances when proofs in the table become invalid."""
        self._doubled: frozenset[int] = frozenset()
        self._workers = [Searcher(self.game.layout.words) for _ in range(threads)]
        self._wants_perfect = perfect and not exact and options is None
        self._perfect: Perfect | None = None
        self._busy = threading.Lock()
        self._runner = Runner()  # of the latest search
        self.last: Analysis | None = None

    @functools.cached_property
    def _kernels(self) -> Kernels:
        """The search, compiled on first use."""
        with alone:
            return _bound(self.game, None if self.net is None else self.net.features.structure)

    def prepare(self, on_progress: Callable[[Compiling], None] | None = None) -> None:
        """Compiles everything in advance, so that no move has to wait; `on_progress` is called for every function compiled."""
        with reported(self.game.name, on_progress):
            _ = self._kernels
            perfect = self._exact_answers() if self.level == FULL else None
            if perfect is not None:
                perfect.solver.prepare()

    async def prepare_async(self, on_progress: Callable[[Compiling], None] | None = None) -> None:
        """`prepare` for an event loop: other tasks keep running. Cancelling stops the wait, not the compiler."""
        await asyncio.get_running_loop().run_in_executor(None, self.prepare, on_progress)

    def forget(self) -> None:
        """Clears the table and everything learned, as if the next search were the first."""
        self.table.clear()
        for w in self._workers:
            w.forget()

    # -- the interface ---------------------------------------------------------------------------------------------------

    def choose(
        self, state: Any = None, limit: Limit | None = None, history: Sequence[Any] = (), on_report: OnReport = None
    ) -> int:
        """The move to play in a state. `history` lists the states before it, needed if repetition counts."""
        found = self._analyse(state, limit, 1, history, on_report, vary=self.level == FULL, level=self.level)
        assert found.move is not None
        return found.move

    async def choose_async(
        self, state: Any = None, limit: Limit | None = None, history: Sequence[Any] = (), on_report: OnReport = None
    ) -> int:
        """`choose` for an event loop: other tasks keep running, and cancelling stops the search."""
        work = asyncio.get_running_loop().run_in_executor(None, self.choose, state, limit, history, on_report)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():  # repeated: the search may not have started yet
                self.stop()
                await asyncio.sleep(0.005)
            work.exception()  # retrieved, so that asyncio does not log it
            raise

    def analyse(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        history: Sequence[Any] = (),
        moves: Sequence[int] | None = None,
        level: int = FULL,
        on_report: OnReport = None,
    ) -> Analysis:
        """Searches a state within a limit; the best `lines` moves get their own score (0: all moves searched).

        With `moves`, only these are searched, and the score is that of the best of them. Below the full `level`, the move is
        one that a weaker player might choose.
        """
        return self._analyse(state, limit, lines, history, on_report, level=level, only=moves)

    def start(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        history: Sequence[Any] = (),
        moves: Sequence[int] | None = None,
        level: int = FULL,
        on_report: OnReport = None,
        on_done: Callable[[Analysis], None] | None = None,
    ) -> Search:
        """Starts a search and returns at once; `Search.stop()` ends it, `Search.result()` waits for it."""
        limit = checked.limit(limit, Limit(infinite=True))

        def job() -> Analysis:
            found = self._analyse(state, limit, lines, history, on_report, level=level, only=moves)
            if on_done:
                on_done(found)
            return found

        return Search(self, Worker(job))

    def stop(self) -> None:
        """Stops the running search, if any; it returns what it has found."""
        self._runner.stop()
        if self._perfect is not None:
            self._perfect.solver.stop()

    # -- one search ------------------------------------------------------------------------------------------------------

    def _analyse(
        self,
        state: Any,
        limit: Limit | None,
        lines: int,
        history: Sequence[Any],
        on_report: OnReport,
        vary: bool = False,
        level: int = FULL,
        only: Sequence[int] | None = None,
    ) -> Analysis:
        checked.whole("lines", lines, 0)
        checked.whole("level", level, 1, FULL)
        if level < FULL:
            limit, lines = limit_at(level, None if limit is None else checked.limit(limit), self.scale), 0
        patient = limit is None  # without a deadline, an exact answer may take longer than a search
        limit = checked.limit(limit, Limit(time=1))
        runner = Runner(limit.seconds)
        s = self.game.start() if state is None else checked.state(self.game, state)
        checked.history(self.game, history)
        moves = self._moves(s, only)
        lines = min(lines or len(moves), len(moves))
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this engine is already searching; stop it first or use a second one")
        try:
            self._runner = runner
            asked = Limit(infinite=True) if patient else limit
            found = self._known(s, asked, lines, runner, on_report) if level == FULL and only is None else None
            if found is None:
                if patient and not runner.stopped:
                    runner = self._runner = Runner(limit.seconds)
                with runner.untimed():
                    _ = self._kernels
                if runner.stopped:  # before the search has started
                    limit, self._runner = Limit(depth=1), Runner()
                search = Root(self, s, moves, limit, lines, self._runner, on_report, vary, level)
                found = search.run(self._begin(history))
            found.game, found.state = self.game, s
            self.last = found
            return found
        finally:
            self._busy.release()

    def _moves(self, s: Any, only: Sequence[int] | None) -> list[int]:
        """The moves to search."""
        moves = self.game.legal(s)
        if not moves:
            what = "chance is to move; give its move too" if self.game.is_chance(s) else "the game is over"
            raise PlygroundError(f"there is nothing to choose: {what}")
        if only is not None:
            moves = [m for m in moves if m in only]
            if not moves:
                raise PlygroundError("there is nothing to choose: none of these moves is legal")
            return moves
        return [int(m) for m in self.game.likely(s)] or moves if self.limited else moves

    def _known(self, s: Any, limit: Limit, lines: int, runner: Runner, on_report: OnReport) -> Analysis | None:
        """The exact answer, if a book or the solver has one in time."""
        with runner.untimed():  # tables are allocated only once
            perfect = None if limit.depth or limit.nodes else self._exact_answers()
        known = None if perfect is None else perfect.answer(s, limit, lines, runner)
        if known is None:
            return None
        for rank, (m, v) in enumerate(known.moves, 1):
            line = known.line if rank == 1 else (m,)
            known.reports.append(Report(known.depth, known.depth, v, known.nodes, known.seconds, 0.0, line, rank, exact=True))
            if on_report:
                on_report(known.reports[-1])
        return known

    def _exact_answers(self) -> Perfect | None:
        """The source of exact answers; None if there is none or it is turned off."""
        if self._perfect is None and self._wants_perfect:
            with alone:
                from plyground.engine.perfect import Perfect

            self._perfect = Perfect.of(self.rules, self.memory, len(self._workers), self.random)
            self._wants_perfect = self._perfect is not None
        return self._perfect

    def _begin(self, history: Sequence[Any]) -> list[int]:
        """Prepares the table for a search; returns the keys of the states before its root.

        Proofs in the table become invalid when new positions would be drawn if they occurred once more.
        """
        self.table.age += 1
        keys = [self.game.key(s) for s in history] if self.game.repetition else []
        doubled = frozenset(k for k, times in Counter(keys).items() if times >= self.game.repetition - 1)
        if not doubled <= self._doubled:
            self.era = (self.era + 1) % ERAS
            if self.era == 0:
                self.table.clear()
        self._doubled = doubled
        return keys


class Search:
    """A search that runs on its own thread."""

    def __init__(self, engine: Engine, worker: Worker[Analysis]) -> None:
        self._engine, self._worker = engine, worker

    def stop(self) -> Analysis:
        """Stops the search and returns what it found."""
        self._engine.stop()
        while not self._worker.wait(0.01):  # repeated: the search may not have started yet
            self._engine.stop()
        return self.result()

    def wait(self, seconds: float) -> None:
        """Waits for the search to end, at most this long."""
        self._worker.wait(seconds)

    def done(self) -> bool:
        """Has the search ended?"""
        return self._worker.over

    def result(self) -> Analysis:
        """Waits for the search to end and returns its analysis."""
        return self._worker.result()


class Kernels(NamedTuple):
    """The search as native code."""

    plan: Any
    search: Any


@functools.cache
def _bound(game: Game, net: Structure | None) -> Kernels:
    """The search for this game, bound once per process; nets of the same structure share it."""
    from plyground.compile.native import Native

    native = Native(game, net=net)
    plan = native.bind(root.plan, root.SIGNATURE, rules=False)
    return Kernels(plan, native.bind(window.search_window, window.SIGNATURE, "search"))
