"""One search from its root: iterative deepening on several threads, reports along the way, and the final analysis.

Each thread deepens independently and shares only the table with the others; the first thread's results count. Scores are for the
side to move at the root.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.engine.levels import FULL, at_level
from plyground.engine.thread import Found, SearchThread
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.search.root import EQUALS, ITERATE, MAX_DEPTH, NEAR, ORDER, SHARPEN
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine


class Root:
    """One search of an engine."""

    def __init__(
        self,
        engine: Engine,
        s: Any,
        moves: list[int],
        limit: Limit,
        lines: int,
        runner: Runner,
        on_report: Callable[[Report], None] | None = None,
        vary: bool = False,
        level: int = FULL,
    ) -> None:
        """With `vary`, the move is chosen at random among those proven equal; below the full level, among those near the best."""
        self.engine, self.game = engine, engine.game
        self.limit, self.lines, self.runner, self.on_report = limit, lines, runner, on_report
        self.vary, self.level = vary, level
        self.max_depth = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        if vary and len(moves) == 1 and not limit.infinite and limit.depth is None and limit.nodes is None:
            self.max_depth = 1  # the only move
        self.moves = list(moves)
        self.best = Analysis(moves[0], 0, limited=engine.limited)
        row = self.game.layout.row(s)
        self.threads = [SearchThread(engine, n, row, len(moves)) for n in range(len(engine._workers))]

    def search(self, keys: Sequence[int]) -> Analysis:
        """Runs all threads; `keys` are those of the states before the root."""
        self.engine.random.shuffle(self.moves)
        nodes = -(-self.limit.nodes // len(self.threads)) if self.limit.nodes else 1 << 62
        for thread in self.threads:
            thread.begin(self.runner, self.moves, self.lines, keys, nodes)
            thread.root.fixed = self.limit.depth is not None
            thread.root.hurry = self.limit.infinite or self.limit.budget() is not None
        self.runner.run(self._work, len(self.threads))
        for thread in self.threads:
            if thread.beyond:
                raise self.game.beyond_margin(thread.beyond)
        return self._finish()

    def _work(self, number: int) -> Analysis | None:
        """The work of one thread; the first thread's answer stops the others."""
        thread = self.threads[number]
        thread.ask(ORDER)
        self._deepen(thread)
        if number:
            return None
        if not self.vary and self.level == FULL:
            thread.ask(SHARPEN)
        self._keep()
        if self.vary:
            self._choose(thread.ask(EQUALS), thread.fresh)
        elif self.level < FULL:
            _, thread.root.near, thread.root.careful = at_level(self.level, self.engine.scale)
            self._choose(thread.ask(NEAR), thread.known.__getitem__)
        return self.best

    def _deepen(self, thread: SearchThread) -> None:
        # Every second thread starts a ply deeper, so that threads do not all search the same.
        for depth in range(1 + (thread.number & 1 and self.max_depth > 1), self.max_depth + 1):
            if not thread.ask(ITERATE, depth):
                return
            if thread.number == 0:
                self._report()
                if thread.root.settled or self._late():
                    return

    def _report(self) -> None:
        """Stores and reports a finished iteration."""
        self._keep()
        best, limited = self.best, self.engine.limited
        best.depth, best.selective, best.nodes = self.threads[0].root.depth, self.threads[0].selective, self._nodes()
        best.seconds, best.fill = self.runner.seconds, self.engine.table.fill()
        for rank, one in enumerate(self.threads[0].known, 1):
            at = best.depth, best.selective, one.score, best.nodes, best.seconds, best.fill
            best.reports.append(Report(*at, one.line, rank, one.exact, limited))
            if self.on_report:
                self.on_report(best.reports[-1])

    def _keep(self) -> None:
        """Takes over what the first thread has found."""
        known, best = self.threads[0].known, self.best
        self._take(self.threads[0].first)
        best.moves = [(f.move, f.score) for f in known]
        best.exact_moves = frozenset(f.move for f in known if f.exact)

    def _take(self, one: Found) -> None:
        """Makes this the answer."""
        best, self.chosen = self.best, one
        best.move, best.score, best.line, best.exact = one.move, one.score, one.line, one.exact

    def _choose(self, count: int, found: Callable[[int], Found]) -> None:
        """Takes a random one of what was found, if there is something."""
        if count:
            self._take(found(self.engine.random.randrange(count)))

    def _late(self) -> bool:
        """Is there no time for another iteration?"""
        budget = self.limit.budget()
        return self.limit.clock is not None and budget is not None and self.runner.seconds > 0.6 * budget[0]

    def _nodes(self) -> int:
        return sum(thread.nodes for thread in self.threads)

    def _finish(self) -> Analysis:
        """The final analysis, once all threads have ended."""
        best = self.best
        best.nodes, best.seconds, best.fill = self._nodes(), self.runner.seconds, self.engine.table.fill()
        best.line = self.threads[0].prolonged(self.chosen)
        return best
