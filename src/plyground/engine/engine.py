"""The engine: iterative deepening over the native kernels, under a clock, with several threads and a stream of reports.

    Engine("connect4").choose(state, Limit(time=1))

An engine keeps its table between moves. `choose` gives a move, `analyse` all that was found; `start` does not block, and
`choose_async` is for event loops. Scores above this file are for the side to move at the root of the search.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import math
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from plyground import score as scores
from plyground.compile.progress import Compiling, alone, reported
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.search.memory import ERAS, Searcher, Table
from plyground.system.worker import Worker

if TYPE_CHECKING:
    from plyground.engine.perfect import Perfect

MAX_DEPTH = 120
SHARPEN = 200_000
"""Nodes that may be spent on whether a proven distance is exact, besides as many as the search has taken."""
PATIENCE = 4.0
"""Seconds that are enough to find out whether the solver has an answer, where there is no limit."""
OPTIONS = {
    "table": 1,
    "pvs": 2,
    "order": 4,
    "killers": 8,
    "history": 16,
    "distance": 32,
    "symmetry": 64,
    "quiescence": 128,
    "null": 256,
    "reductions": 512,
    "internal": 1024,
    "extensions": 2048,
    "deeper": 4096,
    "replies": 8192,
    "hash": 16384,
    "likely": 32768,
    "proofs": 65536,
}
"""The techniques of the search by name (`search/options.py` says what each is); `hash` is an evaluation for tests."""
EXACT = ("table", "pvs", "order", "killers", "history", "distance", "symmetry")
"""Those that never change the value of a search to a fixed depth."""


class Engine:
    """The player that searches."""

    def __init__(
        self,
        game: str | Path | Game,
        *,
        table: float = 64,
        threads: int = 1,
        level: int = 10,
        exact: bool = False,
        options: Sequence[str] | None = None,
        seed: int | None = None,
        perfect: bool = True,
    ) -> None:
        """`perfect`: books and the solver answer where they can, when there is a limit of time and not of depth or nodes."""
        self.game = checked.game(game)
        if len(self.game.sides) > 2:
            raise PlygroundError(
                f"{self.game.name} has {len(self.game.sides)} sides; the engine plays games of one or two: "
                "`play` without a level and `explain --algorithm maxn` search it"
            )
        checked.sizes(threads, table)
        self.level = checked.whole("level", level, 1, 10)
        self.options = _bits(self.game, options, exact)
        self.limited = "likely" in self.game.has and bool(self.options & OPTIONS["likely"])
        self.random = random.Random(seed)
        self.chance = "chance" in self.game.has
        # A null window has a width: in one of none, "at least this" and "at most this" would be the same answer.
        self.step: float = 1e-9 * max(1, self.game.margin) if self.chance else 1
        self.window: float = (self.game.margin / 20 or math.inf) if self.chance else 30
        self.bound: float = (self.game.margin + 1.0 if self.game.margin else math.inf) if self.chance else scores.INFINITE
        self.megabytes = table
        self.table = Table(table)
        self._stop = np.zeros(8, np.int64)
        self._workers = [Searcher(self.game.layout.words) for _ in range(threads)]
        for w in self._workers:
            w.stop = int(self._stop.ctypes.data)
            w.options = self.options
        self._busy = threading.Lock()
        self._era = 0
        self._doubled: frozenset[int] = frozenset()
        self._wants_perfect = perfect and not exact and options is None
        self._perfect: Perfect | None = None
        self._spent = 0.0  # seconds of this move that have gone into a perfect answer
        self.last: Analysis | None = None

    @functools.cached_property
    def _kernel(self) -> Any:
        """The search, compiled when it is first needed."""
        return _kernel(self.game)

    def prepare(self, on_progress: Callable[[Compiling], None] | None = None) -> None:
        """Compiles what moves will need, so that none of them waits; `on_progress` hears of every function compiled."""
        with reported(self.game.name, on_progress):
            _ = self._kernel
            perfect = self._exact_answers() if self.level == 10 else None
            if perfect is not None:
                perfect.solver.prepare()

    async def prepare_async(self, on_progress: Callable[[Compiling], None] | None = None) -> None:
        """`prepare` for an event loop: other tasks go on meanwhile. Cancelling stops the waiting, not the compiler."""
        await asyncio.get_running_loop().run_in_executor(None, self.prepare, on_progress)

    # -- the interface ---------------------------------------------------------------------------------------------------

    def choose(
        self,
        state: Any = None,
        limit: Limit | None = None,
        past: Sequence[Any] = (),
        on_report: Callable[[Report], None] | None = None,
    ) -> int:
        """The move to play in a state. `past` are the states before it, where repetition counts."""
        if self.level < 10:
            return self._choose_at_level(state, limit, past, on_report)
        found = self._analyse(state, limit, 1, past, on_report, vary=True)
        assert found.move is not None
        return found.move

    async def choose_async(
        self,
        state: Any = None,
        limit: Limit | None = None,
        past: Sequence[Any] = (),
        on_report: Callable[[Report], None] | None = None,
    ) -> int:
        """`choose` for an event loop: other tasks go on meanwhile, and cancelling stops the search."""
        work = asyncio.get_running_loop().run_in_executor(None, self.choose, state, limit, past, on_report)
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            while not work.done():  # more than once: the search may not have begun yet
                self.stop()
                await asyncio.sleep(0.005)
            work.exception()  # nobody waits for it any more
            raise

    def start(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        past: Sequence[Any] = (),
        on_report: Callable[[Report], None] | None = None,
        on_done: Callable[[Analysis], None] | None = None,
    ) -> Search:
        """Begins a search and returns at once; `Search.stop()` ends it, `Search.result()` waits for it."""
        limit = Limit(infinite=True) if limit is None else checked.limit(limit)
        return Search(self, state, limit, lines, past, on_report, on_done)

    def stop(self) -> None:
        """Ends the search that is under way, if any; it answers with what it has found."""
        self._stop[0] = 1
        if self._perfect is not None:
            self._perfect.stop()

    def analyse(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        past: Sequence[Any] = (),
        on_report: Callable[[Report], None] | None = None,
    ) -> Analysis:
        """Searches a state within a limit; `lines` best moves get an exact score (0: every move that it searches)."""
        return self._analyse(state, limit, lines, past, on_report)

    def _analyse(
        self,
        state: Any,
        limit: Limit | None,
        lines: int,
        past: Sequence[Any],
        on_report: Callable[[Report], None] | None,
        vary: bool = False,
        perfect: bool = True,
    ) -> Analysis:
        checked.whole("lines", lines, 0)
        began = time.perf_counter()
        s = self.game.start() if state is None else checked.state(self.game, state)
        limit = Limit(time=1) if limit is None else checked.limit(limit)
        checked.past(self.game, past)
        moves = self.game.legal(s)
        if not moves:
            what = "chance is to move; give its move too" if self.game.is_chance(s) else "the game is over"
            raise PlygroundError(f"there is nothing to choose: {what}")
        if self.limited:
            moves = [int(m) for m in self.game.likely(s)] or moves
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this engine is already searching; stop it first or use a second one")
        try:
            self._stop[0] = 0
            listed = time.perf_counter() - began
            known = self._known(s, limit, lines or len(moves), on_report) if perfect else None
            if known is None:
                _ = self._kernel
                if self._stop[0]:
                    limit = Limit(depth=1)  # stopped before the search has begun
                began = time.perf_counter() - listed - self._spent  # compiling does not count
                known = self._search(s, moves, limit, lines or len(moves), past, on_report, vary, began)
            known.game, known.state = self.game, s
            self.last = known
            return self.last
        finally:
            self._busy.release()

    def _known(self, s: Any, limit: Limit, lines: int, on_report: Callable[[Report], None] | None) -> Analysis | None:
        """The exact answer, where a book or the solver has one in time."""
        self._spent = 0.0
        if not self._wants_perfect or limit.depth or limit.nodes:
            return None
        perfect = self._exact_answers()
        if perfect is None:
            return None
        budget = limit.budget()
        known = perfect.answer(s, budget[0] if budget else PATIENCE, lines)
        self._spent = perfect.seconds
        if known is None:
            return None
        for rank, (m, v) in enumerate(known.moves, 1):
            line = known.line if rank == 1 else (m,)
            known.reports.append(Report(known.depth, known.depth, v, known.nodes, known.seconds, 0.0, line, rank, exact=True))
            if on_report:
                on_report(known.reports[-1])
        return known

    def _exact_answers(self) -> Perfect | None:
        """Whoever knows exact answers; None where nobody does, or nobody shall be asked."""
        if self._perfect is None and self._wants_perfect:
            with alone:
                from plyground.engine.perfect import Perfect

            self._perfect = Perfect.of(self.game, self.megabytes, len(self._workers), self.random)
            self._wants_perfect = self._perfect is not None
        return self._perfect

    def forget(self) -> None:
        """Clears the table and all that was learned: the next search is as if it were the first."""
        self.table.clear()
        for w in self._workers:
            w.forget()

    # -- the search --------------------------------------------------------------------------------------------------------

    def _search(
        self,
        s: Any,
        moves: list[int],
        limit: Limit,
        lines: int,
        past: Sequence[Any],
        on_report: Callable[[Report], None] | None,
        vary: bool,
        began: float,
    ) -> Analysis:
        self._stop[0] = 0
        budget = limit.budget()
        deadline = began + budget[1] if budget else math.inf
        self.table.age += 1
        row = self.game.layout.pack(s)
        keys = [self.game.key(p) for p in past] if self.game.repetition else []
        self._begin_era(keys)
        nodes_each = (limit.nodes + len(self._workers) - 1) // len(self._workers) if limit.nodes else 1 << 62
        for w in self._workers:
            self.table.use(w)
            w.remember(keys)
            w.begin(nodes_each, self._era)
        moves = list(moves)
        self.random.shuffle(moves)
        # Rules run interpreted here: a quarter of the time is enough for that.
        until = began + budget[1] / 4 if budget else math.inf
        hints = {m: self.game.order(s, m) for m in moves if time.perf_counter() < until}
        moves.sort(key=lambda m: -hints.get(m, 0))
        root = _Root(self, row, moves, min(lines, len(moves)), began, budget, limit, on_report)
        root.vary = vary
        if vary and len(moves) == 1 and not limit.infinite and limit.depth is None and limit.nodes is None:
            root.max_depth = 1  # there is nothing to choose
        for w in self._workers:
            w.start_clock(deadline - time.perf_counter() if budget else None)
        threads: list[Worker[None]] = []
        try:
            for i, w in enumerate(self._workers):
                threads.append(Worker(functools.partial(root.run, w, i)))  # one by one: Ctrl-C must find those that have begun
            while not threads[0].over:
                now = time.perf_counter()
                if now >= deadline:
                    self._stop[0] = 1
                threads[0].wait(max(0.001, min(0.2, deadline - now)))
        finally:
            self._stop[0] = 1
            for t in threads:
                t.wait()
        if root.failure:
            raise root.failure[0]
        for w in self._workers:
            if w.beyond:
                raise self.game.beyond_margin(w.beyond)
        return root.finish()

    def _begin_era(self, keys: list[int]) -> None:
        """Proofs in the table do not count any more when other positions than before would be drawn if they came once more."""
        doubled = frozenset(k for k, times in Counter(keys).items() if times >= self.game.repetition - 1)
        if not doubled <= self._doubled:
            self._era = (self._era + 1) % ERAS
            if self._era == 0:
                self.table.clear()
        self._doubled = doubled

    def _prolong(self, s: Any, line: Sequence[int], limit: int, until: float) -> tuple[int, ...]:
        """A line with legal moves only, prolonged by what the table knows; no longer than there is time for."""
        game, seen = self.game, set()
        out: list[int] = []
        for m in line:
            if game.is_chance(s) or m not in game.legal(s) or (out and time.perf_counter() > until):
                return tuple(out)
            out.append(m)
            s = game.play(s, m)
        while len(out) < limit and not self.chance and game.result(s) is None and time.perf_counter() < until:
            row = game.layout.pack(s)
            if row.tobytes() in seen:
                break
            seen.add(row.tobytes())
            m = self._kernel(row.ctypes.data, 0, 0, 0, 0, self._workers[0].address)
            if m < 0 or m not in game.legal(s):
                break
            out.append(m)
            s = game.play(s, m)
        return tuple(out)

    # -- levels --------------------------------------------------------------------------------------------------------------

    def _choose_at_level(
        self, state: Any, limit: Limit | None, past: Sequence[Any], on_report: Callable[[Report], None] | None
    ) -> int:
        """A weaker move: less depth, and a choice among moves whose scores are near the best.

        "Near" is a share of the distance between the best and the middle move, so that it means the same in every game.
        From level 5 on a move that loses by force, or gives away a win, is never chosen while a better one exists, nor one
        that a gap parts from all better ones.
        """
        depth, share = LEVELS[self.level]
        limit = None if limit is None else checked.limit(limit)
        if self.chance:
            depth = max(1, depth // 2)  # a ply is many times the work where dice have their part
        limit = replace(limit, depth=depth, infinite=False) if limit and not limit.infinite else Limit(depth=depth, time=2)
        found = self._analyse(state, limit, 0, past, on_report, perfect=False)
        if not found.moves:  # not even one ply was searched in time
            assert found.move is not None
            return found.move
        scored = found.moves
        best, middle = scored[0][1], scored[len(scored) // 2][1]
        slack = share * max(best - middle, self.step)
        near = [scored[0]]
        for (_, before), (m, v) in itertools.pairwise(scored):
            if v < best - slack:
                break
            if self.level >= 5 and (2 * (before - v) > max(slack, self.step) or self._proven(v) != self._proven(best)):
                break
            near.append((m, v))
        found.move, found.score = self.random.choice(near)
        lines = [r.line for r in found.reports if r.line[0] == found.move]
        found.line = lines[-1] if lines else (found.move,)
        return found.move

    def _proven(self, score: float) -> bool:
        """Does this score say who wins? An expectation never does."""
        return not self.chance and scores.proven(int(score))


LEVELS = {1: (1, 2.0), 2: (1, 1.0), 3: (2, 0.8), 4: (2, 0.5), 5: (3, 0.25), 6: (4, 0.2), 7: (5, 0.12), 8: (6, 0.06), 9: (8, 0.0)}
"""Level: depth, and how near to the best a move must be."""


class _Found(NamedTuple):
    """A move at the root, as one search has found it."""

    score: float
    move: int
    line: tuple[int, ...]
    exact: bool = False
    """No estimate has gone into the score."""


class _Root:
    """The root of one search, shared by its threads; the first thread's findings count."""

    def __init__(
        self,
        engine: Engine,
        row: Any,
        moves: list[int],
        lines: int,
        began: float,
        budget: tuple[float, float] | None,
        limit: Limit,
        on_report: Callable[[Report], None] | None,
    ) -> None:
        self.engine, self.row, self.moves, self.lines, self.began = engine, row, moves, lines, began
        self.budget, self.limit, self.on_report = budget, limit, on_report
        self.max_depth = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        self.vary = False
        self.best = Analysis(moves[0], 0, limited=engine.limited)
        self.failure: list[BaseException] = []

    def run(self, memory: Searcher, number: int) -> None:
        try:
            self._deepen(memory, number)
            if number == 0 and self.vary:
                self._choose_among_equals(memory)
            elif number == 0:
                self._sharpen(memory)
        except BaseException as e:
            self.failure.append(e)
        finally:
            if number == 0:
                self.engine._stop[0] = 1

    def _deepen(self, memory: Searcher, number: int) -> None:
        order = list(self.moves)
        guess: float = 0
        # Helpers start a ply deeper, so that threads do not all search the same.
        for depth in range(1 + (number & 1 and self.max_depth > 1), self.max_depth + 1):
            found = self._lines(memory, order, depth, guess)
            found.sort(key=lambda f: -f.score)
            if memory.aborted or len(found) < self.lines:
                if number == 0 and found:
                    self._take_part(found)
                return
            first = [f.move for f in found]
            order = list(dict.fromkeys(first + order))
            guess = found[0].score
            if number == 0:
                self._take(memory, depth, found)
                if self._enough(depth, found):
                    return

    def _take_part(self, found: list[_Found]) -> None:
        """What an iteration that was stopped has proven: another move that is better, or, without any before, all it has."""
        best = found[0]
        if self.best.depth == 0:
            self.best.moves = [(f.move, f.score) for f in found]
        elif self.lines > 1 or best.move == self.best.move:
            return
        else:
            self.best.moves = [(best.move, best.score)]
        self.best.move, self.best.score, self.best.line = best.move, best.score, best.line
        self.best.exact, self.best.exact_moves = False, frozenset()

    def _choose_among_equals(self, memory: Searcher) -> None:
        """Any of the moves that are proven as good as the best, where that is proven: the table holds most of it."""
        best = self.best
        if best.value == "unknown" or best.depth == 0:
            return
        assert best.move is not None
        equal = [(best.move, best.line)]
        for m in self.moves:
            if m != best.move:
                one = self._as_good(memory, m)
                if memory.aborted:
                    break
                if one is not None:
                    equal.append((m, one.line))
        best.move, best.line = self.engine.random.choice(equal)

    def _as_good(self, memory: Searcher, m: int) -> _Found | None:
        """A move that is proven no worse than the best; that may take a few plies more, as late moves are searched less deep."""
        score = self.best.score
        for depth in range(self.best.depth, min(self.best.depth + 8, MAX_DEPTH), 2):
            one = self._pass(memory, [m], depth, score - 1, score)
            if one is None or one.score < score:
                return None
            if one.exact or score > 0:
                return one
        return None

    def _sharpen(self, memory: Searcher) -> None:
        """Is a proven distance exact? Techniques that skip moves find wins late; a search without them shows whether one is.

        A win in n plies is exact if no move wins sooner, a loss if the best move holds out so long. That takes n - 1 plies of
        full width, in a null window; it is given as many nodes as the search has taken, and some.
        """
        best, engine = self.best, self.engine
        away = scores.plies(int(best.score)) if best.depth and engine._proven(best.score) else None
        if best.exact or best.limited or away is None or engine.game.margin or self.lines > 1 or memory.aborted:
            return
        assert best.move is not None
        score = int(best.score)
        nodes = memory.nodes
        limit = memory.node_limit
        memory.options = engine.options & sum(OPTIONS[n] for n in EXACT) | OPTIONS["proofs"]
        memory.node_limit = min(limit, 2 * nodes + SHARPEN)
        memory.next_look = 0
        if score > 0:
            one = self._pass(memory, self.moves, max(away - 1, 1), score, score + 1)
            best.exact = one is not None and not memory.aborted and one.score <= score
        else:
            one = self._pass(memory, [best.move], max(away - 1, 1), score - 1, score)
            best.exact = one is not None and not memory.aborted and one.score >= score
        memory.options = engine.options
        memory.node_limit = limit
        memory.aborted = 0
        if best.exact:
            best.exact_moves = best.exact_moves | {best.move}

    def _lines(self, memory: Searcher, order: list[int], depth: int, guess: float) -> list[_Found]:
        """The best moves with scores of their own, as many as lines are wanted, or fewer if the search is stopped."""
        found: list[_Found] = []
        everything = self.lines == len(order)
        for i in range(self.lines):
            done = set() if everything else {f.move for f in found}
            rest = [order[i]] if everything else [m for m in order if m not in done]
            one = self._best(memory, rest, depth, guess if i == 0 and not everything else None)
            if one is None:
                break
            found.append(one)
        return found

    def _best(self, memory: Searcher, moves: list[int], depth: int, guess: float | None) -> _Found | None:
        """The best of some root moves: principal variation search in an aspiration window that widens when it must.

        Stopped before its end it gives the last move that was proven better than those before it, None if none was.
        """
        wide = self.engine.bound
        low, high, by = -wide, wide, self.engine.window
        if guess is not None and depth >= 4 and not self.engine._proven(guess) and self.engine.options & OPTIONS["pvs"]:
            low, high = guess - by, guess + by
        better: _Found | None = None
        while True:
            out = self._pass(memory, moves, depth, low, high)
            if memory.aborted:
                return out or better
            assert out is not None
            if low < out.score < high or (low <= -wide and high >= wide):
                return out
            by *= 4
            if out.score <= low:
                low = max(-wide, low - by) if by < wide else -wide
            else:
                high = min(wide, high + by) if by < wide else wide
                moves = [out.move] + [m for m in moves if m != out.move]
                better = out

    def _pass(self, memory: Searcher, moves: list[int], depth: int, alpha: float, beta: float) -> _Found | None:
        """The best of some root moves in a window. Stopped, only a score above the window's floor counts: others are bounds."""
        kernel, address, step = self.engine._kernel, self.row.ctypes.data, self.engine.step
        memory.root_depth = depth
        floor = alpha
        best: _Found | None = None
        solid = True
        pvs = self.engine.options & OPTIONS["pvs"]
        for i, m in enumerate(moves):
            high = beta if i == 0 or not pvs else alpha + step
            value = kernel(address, m, depth, alpha, high, memory.address)
            if not memory.aborted and i and high < beta and value > alpha:
                solid = solid and not memory.estimated
                value = kernel(address, m, depth, alpha, beta, memory.address)
            if memory.aborted:
                return best if best is not None and best.score > floor else None
            solid = solid and not memory.estimated
            if best is None or value > best.score:
                best = _Found(value, m, (m, *memory.line()))
                alpha = max(alpha, value)
                if value >= beta:
                    break
        assert best is not None
        return best._replace(exact=solid)

    def _take(self, memory: Searcher, depth: int, found: list[_Found]) -> None:
        nodes = sum(w.nodes for w in self.engine._workers)
        seconds = time.perf_counter() - self.began
        fill, selective, limited = self.engine.table.fill(), memory.selective, self.engine.limited
        best = found[0]
        self.best = Analysis(
            *(best.move, best.score, depth, selective, nodes, seconds, fill, best.line, best.exact and not limited),
            moves=[(f.move, f.score) for f in found],
            exact_moves=frozenset(f.move for f in found if f.exact and not limited),
            reports=self.best.reports,
            limited=limited,
        )
        for rank, one in enumerate(found, 1):
            exact = one.exact and not limited
            report = Report(depth, selective, one.score, nodes, seconds, fill, one.line, rank, exact, limited)
            self.best.reports.append(report)
            if self.on_report:
                self.on_report(report)

    def _enough(self, depth: int, found: list[_Found]) -> bool:
        """Is there nothing more to find, or no time to find it in?"""
        if self.limit.depth is None or self.lines == 1:
            if all(f.exact for f in found) and not self.engine.chance:
                return True
            away = [scores.plies(int(f.score)) for f in found]
            if not self.engine.chance and all(a is not None and a <= depth for a in away):
                return True
        return (
            self.limit.clock is not None and self.budget is not None and time.perf_counter() - self.began > 0.6 * self.budget[0]
        )

    def finish(self) -> Analysis:
        best = self.best
        best.nodes = sum(w.nodes for w in self.engine._workers)
        best.seconds = time.perf_counter() - self.began
        best.fill = self.engine.table.fill()
        s = self.engine.game.layout.unpack(self.row)
        # Rules run interpreted here: where somebody waits, a line is cut rather than late.
        until = time.perf_counter() + (0.01 if self.budget or self.limit.infinite else math.inf)
        best.line = self.engine._prolong(s, best.line or tuple(self.moves[:1]), max(best.depth, 1), until)
        return best


class Search:
    """A search that is under way on a thread of its own."""

    def __init__(
        self,
        engine: Engine,
        state: Any,
        limit: Limit,
        lines: int,
        past: Sequence[Any],
        on_report: Callable[[Report], None] | None,
        on_done: Callable[[Analysis], None] | None,
    ) -> None:
        self._engine = engine

        def work() -> Analysis:
            found = engine.analyse(state, limit, lines=lines, past=past, on_report=on_report)
            if on_done:
                on_done(found)
            return found

        self._worker = Worker(work)

    def stop(self) -> Analysis:
        """Ends the search and gives what it found."""
        while not self._worker.over:
            self._engine.stop()
            self._worker.wait(0.01)
        return self.result()

    def wait(self, seconds: float) -> None:
        """Waits for the end of the search, at most so long."""
        self._worker.wait(seconds)

    def done(self) -> bool:
        """Has the search ended?"""
        return self._worker.over

    def result(self) -> Analysis:
        """Waits for the end of the search."""
        return self._worker.result()


def _bits(game: Game, options: Sequence[str] | None, exact: bool) -> int:
    names = list(OPTIONS) if options is None else list(options)
    unknown = [n for n in names if n not in OPTIONS]
    if unknown:
        raise PlygroundError(f"there is no search option {unknown[0]!r:.30}; there are {', '.join(OPTIONS)}")
    if options is None:
        names = [n for n in names if n not in ("hash", "proofs")]
    if exact:
        names = [n for n in names if n in (*EXACT, "hash")]
        if game.repetition and "table" in names:
            names.remove("table")  # a value then hangs on the path, which a table does not know
    return sum(OPTIONS[n] for n in set(names))


_bound: dict[int, tuple[Any, Game]] = {}


def _kernel(game: Game) -> Any:
    """The search of this game as native code, bound once a process."""
    with alone:
        if id(game) not in _bound:
            from plyground.compile.native import Native
            from plyground.search import chance, node

            if "chance" in game.has:
                sig = "float64(uint64, int64, int64, float64, float64, uint64)"
                kernel = Native(game).bind(chance.search_move, sig, "search")
            else:
                kernel = Native(game).bind(node.search_move, "int64(uint64, int64, int64, int64, int64, uint64)", "search")
            _bound[id(game)] = kernel, game  # the game too: its id must not be given to another
        return _bound[id(game)][0]
