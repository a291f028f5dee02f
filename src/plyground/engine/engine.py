"""The engine: iterative deepening over the native kernels, with time limits, threads and a stream of reports.

    Engine("connect4").choose(state, Limit(time=1))

An engine keeps its table between moves. `choose` returns a move, `analyse` everything that was found; `start` does not block, and
`choose_async` is for event loops. Exact answers come first (`perfect.py`), then a search (`searcher.py`).
"""

from __future__ import annotations

import contextlib
import math
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from plyground import score as scores
from plyground.bits import MASK
from plyground.compile.progress import Compiling, compile_lock, report_to
from plyground.engine import FULL_STRENGTH, OPTIONS, level_limit, option_bits
from plyground.engine.futility import FUTILITY, futility_margins
from plyground.engine.searcher import NO_MARGINS, EngineRequest, OnReport, Searcher
from plyground.errors import PlygroundError
from plyground.nets.net_evaluation import choose_evaluation, training_advice
from plyground.play import checked, words
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Position, Report
from plyground.rules.game import Game
from plyground.rules.hooks import RulesState, State
from plyground.system.runner import Runner, Worker

if TYPE_CHECKING:
    from plyground.engine.perfect import ExactAnswers
    from plyground.solver.prover import Prover
    from plyground.solver.solving import Solution

THREAT_SHARE, THREAT_SECONDS = 0.1, 1.0
"""The share of the time or of the nodes for wins by threats, and the seconds for them if there is no limit."""
FEWEST_THREAT_NODES = 500
"""With a smaller share, wins by threats are not searched."""


class Engine:
    """The player that searches."""

    def __init__(
        self,
        game: str | Path | Game,
        *,
        memory: float = 64,
        threads: int = 1,
        level: int = FULL_STRENGTH,
        exact: bool = False,
        options: Sequence[str] | None = None,
        seed: int | None = None,
        perfect: bool = True,
        evaluate: str | Path | None = None,
    ) -> None:
        """Set up a table of `memory` MB; `perfect` uses books and the solver if they have the answer and only time is limited.

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
        self.game, self.net = choose_evaluation(self.rules, evaluate, search=options is None and not exact)
        """The game with the evaluation that is used, and the net that is used instead, if any."""
        self.level = checked.whole("level", level, 1, FULL_STRENGTH)
        bits = option_bits(self.game, options, exact)
        rollouts = self.net is None and "evaluate" not in self.game.has and bool(bits & OPTIONS["rollouts"])
        self.advice = training_advice(self.game) if rollouts else None
        """A sentence on how to make it stronger; None unless random games replace an evaluation."""
        self.memory = memory
        self.searcher = Searcher(
            *(self.game, self.net),
            memory=memory,
            threads=threads,
            options=bits,
            seed=MASK & (seed or 0),
            choice=random.Random(seed),
        )
        self._wants_threats = bool(bits & OPTIONS["threats"]) and {"threats", "replies"} <= self.game.has
        self._wants_perfect = perfect and not exact and options is None
        self._perfect: ExactAnswers | None = None
        self._prover: Prover | None = None
        self._busy = threading.Lock()
        self._runner = Runner()  # of the latest search
        self._head = Runner()  # of the latest short search before the solver
        self._threat_runner = Runner()  # of the search for threats before it
        self.last: Analysis | None = None

    def __repr__(self) -> str:
        evaluation = "net" if self.net is not None else "evaluate" if "evaluate" in self.game.has else "random games"
        size = f"{words.format_number(float(self.memory))} MB, {words.count(self.threads, 'thread')}"
        busy = ", searching" if self._busy.locked() else ""
        return f"<Engine {self.game.name}: level {self.level}, evaluates by {evaluation}, {size}{busy}>"

    @property
    def threads(self) -> int:
        """The number of threads of a search."""
        return len(self.searcher.memories)

    def prepare(self, on_progress: Callable[[Compiling], None] | None = None, limit: Limit | None = None) -> None:
        """Compile everything in advance, so that no move has to wait; with a limit, only what a search with that limit needs.

        `on_progress` is called for every function compiled.
        """
        with report_to(self.game.name, on_progress):
            full = self.level == FULL_STRENGTH and not (limit and limit.depth)
            self._load(full and not (limit and limit.nodes), full)

    def _load(self, exact: bool, threats: bool) -> None:
        """Compile or load the search, and what may be asked before it: the solver, and the search for wins by threats."""
        _ = self.searcher.kernels
        if threats:
            self._load_prover()
        if self.searcher.options & FUTILITY and self.searcher.margins is NO_MARGINS:
            self.searcher.margins = futility_margins(self.game, self.net)
        perfect = self._exact_answers() if exact else None
        if perfect is not None:
            with contextlib.suppress(PlygroundError):  # its rules can't be compiled for the solver: the search answers
                perfect.solver.prepare()

    async def prepare_async(self, on_progress: Callable[[Compiling], None] | None = None) -> None:
        """Prepare without blocking an event loop. Cancelling stops the wait, not the compiler."""
        import asyncio  # which takes longer to import than a kernel to load

        await asyncio.get_running_loop().run_in_executor(None, self.prepare, on_progress)

    def forget(self) -> None:
        """Clear the table and everything learned, as if the next search were the first."""
        self.searcher.forget()
        if self._prover is not None:
            self._prover.forget()

    # -- the interface ---------------------------------------------------------------------------------------------------

    def choose(
        self,
        state: State | Position | None = None,
        limit: Limit | None = None,
        history: Sequence[State] = (),
        on_report: OnReport = None,
    ) -> int:
        """Return the move to play in a state, or in a `Position`, whose states need no check.

        `history` lists the states before it, needed if repetition counts; a position has its own.
        """
        with self._reserve():
            found = self._analyse(state, limit, 1, history, on_report, vary=self.level == FULL_STRENGTH, level=self.level)
        assert found.move is not None
        return found.move

    async def choose_async(
        self,
        state: State | Position | None = None,
        limit: Limit | None = None,
        history: Sequence[State] = (),
        on_report: OnReport = None,
    ) -> int:
        """Choose a move without blocking an event loop; cancelling stops the search."""
        import asyncio

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
        state: State | Position | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        history: Sequence[State] = (),
        moves: Sequence[int] | None = None,
        level: int = FULL_STRENGTH,
        on_report: OnReport = None,
    ) -> Analysis:
        """Search a state within a limit; the best `lines` moves get their own score (0: all moves searched).

        With `moves`, only these are searched, and the score is that of the best of them. Below the full `level`, the move is
        one that a weaker player might choose.
        """
        with self._reserve():
            return self._analyse(state, limit, lines, history, on_report, level=level, only=moves)

    def start(
        self,
        state: State | Position | None = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        history: Sequence[State] = (),
        moves: Sequence[int] | None = None,
        level: int = FULL_STRENGTH,
        on_report: OnReport = None,
        on_done: Callable[[Analysis], None] | None = None,
    ) -> Search:
        """Start a search and return at once; `Search.stop()` ends it, `Search.result()` waits for it."""
        limit = Limit.checked(limit, Limit(infinite=True))
        claim = contextlib.ExitStack()
        claim.enter_context(self._reserve())  # now: the thread may take a while to start

        def job() -> Analysis:
            with claim:
                found = self._analyse(state, limit, lines, history, on_report, level=level, only=moves)
            if on_done:
                on_done(found)
            return found

        running: list[Worker[Analysis]] = []
        try:
            return Search(self, Worker(job, among=running))
        except BaseException:  # Ctrl-C: nobody could stop the search any more
            for worker in running:
                Search(self, worker).stop()
            claim.close()
            raise

    def stop(self) -> None:
        """Stop the running search, if any; it returns what it has found."""
        self._runner.stop()
        self._head.stop()
        self._threat_runner.stop()
        if self._perfect is not None:
            self._perfect.solver.stop()

    # -- one search ------------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _reserve(self) -> Iterator[None]:
        """Reserve the engine for one search; refuse a second one meanwhile."""
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this engine is already searching; stop it first or use a second one")
        try:
            yield
        finally:
            self._busy.release()

    def _analyse(
        self,
        state: State | Position | None,
        limit: Limit | None,
        lines: int,
        history: Sequence[State],
        on_report: OnReport,
        vary: bool = False,
        level: int = FULL_STRENGTH,
        only: Sequence[int] | None = None,
    ) -> Analysis:
        checked.whole("lines", lines, 0)
        checked.whole("level", level, 1, FULL_STRENGTH)
        if level < FULL_STRENGTH:
            limit, lines = level_limit(level, None if limit is None else Limit.checked(limit), self.searcher.scale), 0
        patient = limit is None  # without a deadline, an exact answer may take longer than a search
        limit = Limit.checked(limit, Limit(time=1))
        runner = Runner(limit.seconds)
        if isinstance(state, Position) and state.game.State is self.game.State:
            s, history = state.s, state.history  # these states come from the rules
        else:
            s, history = self._check_states(state, history)
        moves = self._moves(s, only)
        lines = min(lines or len(moves), len(moves))
        self._runner = runner
        asked = Limit(infinite=True) if patient else limit
        exact = level == FULL_STRENGTH and only is None and not (limit.depth or limit.nodes)
        threats = level == FULL_STRENGTH and only is None and lines == 1 and not (limit.depth or self.game.repetition)
        with runner.pause_clock():  # load everything now, so that the first search after the book isn't late
            self._load(exact, threats)
        request = EngineRequest(s, moves, limit, lines, history, on_report, vary, level)
        found, proof = self._exact_answer(request, asked, runner) if exact else (None, None)
        if found is None:
            if patient and not runner.stopped:
                runner = self._runner = Runner(limit.seconds)
            if runner.stopped:  # before the search has started
                request, self._runner = replace(request, limit=Limit(depth=1)), Runner()
            found = self._search_with_threats(request) if threats and not request.limit.depth else self._search(request)
            if self._perfect is not None and proof is not None and self._perfect.combine(found, proof):
                self._report(found, on_report)
        found.game, found.state = self.game, s
        self.last = found
        return found

    def _check_states(self, state: State | Position | None, history: Sequence[State]) -> tuple[RulesState, Sequence[State]]:
        """Check the states given by a caller."""
        if isinstance(state, Position):
            return checked.state(self.game, state.s), checked.history(self.game, state.history)
        s = self.game.start() if state is None else checked.state(self.game, state)
        return s, checked.history(self.game, history)

    def _moves(self, s: State, only: Sequence[int] | None) -> list[int]:
        """Return the moves to search."""
        moves = self.game.legal(s)
        if not moves:
            what = "chance is to move; add the outcome to the moves" if self.game.is_chance(s) else "the game is over"
            raise PlygroundError(f"there is nothing to choose: {what}")
        if only is not None:
            moves = [m for m in moves if m in only]
            if not moves:
                raise PlygroundError("there is nothing to choose: none of these moves is legal")
            return moves
        return [int(m) for m in self.game.likely(s)] or moves if self.searcher.limited else moves

    def _exact_answer(self, request: EngineRequest, asked: Limit, runner: Runner) -> tuple[Analysis | None, Solution | None]:
        """Return the exact answer, if a book, a short search or the solver has one in time; else what the solver has proven."""
        perfect, s, lines = self._exact_answers(), request.s, request.lines
        if perfect is None:
            return None, None
        known, proof = perfect.look_up(s, lines), None
        seconds = perfect.seconds(asked)
        only_move = request.vary and len(request.moves) == 1
        if known is None and not only_move and not runner.stopped and perfect.worth_trying(s, seconds):
            self._head = Runner(perfect.head_seconds(asked))
            known = self.searcher.search(replace(request, lines=1, on_report=None, vary=False), self._head)
            if not runner.stopped:  # else this is the answer
                proof = perfect.solve(s, known, seconds, lines, runner)
                known = None if proof is None else perfect.answer(proof, lines)
        if known is not None:
            self._report(known, request.on_report)
        return known, proof

    def _report(self, found: Analysis, on_report: OnReport) -> None:
        """Add reports of an answer that did not come from the search, or not from it alone."""
        for rank, (m, v) in enumerate(found.moves, 1):
            line = found.line if rank == 1 else (m,)
            exact = m in found.exact_moves
            counts = found.nodes, found.seconds, found.fill
            found.reports.append(Report(found.depth, found.depth, v, *counts, line, rank, exact=exact))
            if on_report:
                on_report(found.reports[-1])

    def _load_prover(self) -> Prover | None:
        """Return the search for wins by threats; None if the game has no threats, or if its rules can't be compiled for it."""
        if self._prover is None and self._wants_threats:
            with compile_lock:
                from plyground.solver.prover import Prover

            self._wants_threats = False
            with contextlib.suppress(PlygroundError):
                self._prover = Prover(self.rules, memory=self.memory / 4)
        return self._prover

    def _search(self, request: EngineRequest) -> Analysis:
        return self.searcher.search(request, self._runner)

    def _search_with_threats(self, request: EngineRequest) -> Analysis:
        """Search for wins by threats first: one is the answer, and moves that allow the other side one are not searched."""
        prover, limit = self._load_prover(), request.limit
        nodes = int(THREAT_SHARE * limit.nodes) if limit.nodes else 1 << 62
        budget = limit.budget()
        self._threat_runner = Runner(THREAT_SHARE * budget[0] if budget else math.inf if limit.nodes else THREAT_SECONDS)
        if prover is None or nodes < FEWEST_THREAT_NODES or self._runner.stopped:
            return self._search(request)
        wins = prover.search_threats(request.s, request.moves, nodes, self._threat_runner)
        if wins.value > 0:
            score, plies, seconds = scores.win_in(wins.plies), wins.plies, self._runner.seconds
            found = Analysis(wins.line[0], score, plies, plies, wins.nodes, seconds, line=wins.line)
        else:
            found = self._search(replace(request, moves=wins.moves, spent=wins.nodes))
            if wins.value == 0 or found.value == "loss":
                return found
            found.score, found.limited = -scores.win_in(wins.plies), False
        assert found.move is not None
        found.moves = [(found.move, found.score)]
        self._report(found, request.on_report)
        return found

    def _exact_answers(self) -> ExactAnswers | None:
        """Return the source of exact answers; None if there is none or it is turned off."""
        if self._perfect is None and self._wants_perfect:
            with compile_lock:
                from plyground.engine.perfect import ExactAnswers

            self._perfect = ExactAnswers.of(self.rules, self.memory, self.threads, self.searcher.random)
            self._wants_perfect = self._perfect is not None
        return self._perfect


class Search:
    """A search that runs on its own thread."""

    def __init__(self, engine: Engine, worker: Worker[Analysis]) -> None:
        self._engine, self._worker = engine, worker

    def stop(self) -> Analysis:
        """Stop the search and return what it found."""
        self._engine.stop()
        while not self._worker.wait(0.01):  # repeated: the search may not have started yet
            self._engine.stop()
        return self.result()

    def wait(self, seconds: float) -> None:
        """Wait for the search to end, at most this long."""
        self._worker.wait(seconds)

    def done(self) -> bool:
        """Return whether the search has ended."""
        return self._worker.over

    def result(self) -> Analysis:
        """Wait for the search to end and return its analysis."""
        return self._worker.result()
