"""One search from its root: iterative deepening on several threads, reports along the way, and the final analysis.

Each thread deepens independently and shares only the table with the others; the first thread's results count. Scores are for the
side to move at the root.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.engine.levels import FULL, at_level
from plyground.engine.thread import Found, SearchThread
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.search.root import EQUALS, ITERATE, MAX_DEPTH, NEAR, SHARPEN
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine


LINE_SECONDS = 0.01
"""The time that may be spent on extending the line if the search has a time limit."""


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
        self.engine, self.game, self.s = engine, engine.game, s
        self.limit, self.lines, self.runner, self.on_report = limit, lines, runner, on_report
        self.vary, self.level = vary, level
        self.max_depth = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        if vary and len(moves) == 1 and not limit.infinite and limit.depth is None and limit.nodes is None:
            self.max_depth = 1  # the only move
        self.moves = list(moves)
        self.best = Analysis(moves[0], 0, limited=engine.limited)
        row = self.game.layout.row(s)
        self.threads = [SearchThread(engine, n, row, len(moves)) for n in range(len(engine._workers))]

    def run(self, keys: Sequence[int]) -> Analysis:
        """Runs all threads; `keys` are those of the states before the root."""
        self._order_moves()
        nodes = -(-self.limit.nodes // len(self.threads)) if self.limit.nodes else 1 << 62
        for thread in self.threads:
            thread.begin(self.runner, self.moves, self.lines, keys, nodes)
            thread.root.fixed = self.limit.depth is not None
        self.runner.run(self._work, len(self.threads))
        for thread in self.threads:
            if thread.beyond:
                raise self.game.beyond_margin(thread.beyond)
        return self._finish()

    def _order_moves(self) -> None:
        """Orders the moves, equal ones at random. The rules run interpreted here, so this gets at most a quarter of the time."""
        self.engine.random.shuffle(self.moves)
        until = (self.runner.seconds + self.runner.left) / 4
        hints = {m: self.game.order(self.s, m) for m in self.moves if self.runner.seconds < until}
        self.moves.sort(key=lambda m: -hints.get(m, 0))

    def _work(self, number: int) -> Analysis | None:
        """The work of one thread; the first thread's answer stops the others."""
        thread = self.threads[number]
        self._deepen(thread)
        if number:
            return None
        if not thread.known() and thread.glance():
            self._report(1, thread)
        if not self.vary and self.level == FULL:
            thread.ask(SHARPEN)
        self._keep(known := thread.known())
        if self.vary:
            self._choose([thread.fresh(i) for i in range(thread.ask(EQUALS))])
        elif self.level < FULL:
            _, thread.root.near, thread.root.careful = at_level(self.level, self.engine.scale)
            self._choose(known[: thread.ask(NEAR)])
        return self.best

    def _deepen(self, thread: SearchThread) -> None:
        # Every second thread starts a ply deeper, so that threads do not all search the same.
        for depth in range(1 + (thread.number & 1 and self.max_depth > 1), self.max_depth + 1):
            if not thread.ask(ITERATE, depth):
                return
            if thread.number == 0:
                self._report(depth, thread)
                if thread.root.settled or self.limit.late(self.runner.seconds):
                    return

    def _report(self, depth: int, thread: SearchThread) -> None:
        """Stores and reports a finished iteration."""
        best, known = self.best, thread.known()
        best.depth, best.selective, best.nodes = depth, thread.selective, self._nodes()
        best.seconds, best.fill = self.runner.seconds, self.engine.table.fill()
        self._keep(known)
        counts = best.nodes, best.seconds, best.fill
        new = [
            Report(depth, best.selective, one.score, *counts, one.line, rank, one.exact, self.engine.limited)
            for rank, one in enumerate(known, 1)
        ]
        best.reports += new
        if self.on_report:
            for report in new:
                self.on_report(report)

    def _keep(self, known: list[Found]) -> None:
        """Takes over what is known."""
        self._take(known[0] if known else self.threads[0].first())
        self.best.moves = [(f.move, f.score) for f in known]
        self.best.exact_moves = frozenset(f.move for f in known if f.exact)

    def _take(self, one: Found) -> None:
        """Makes this the answer."""
        best = self.best
        best.score, best.move, best.line, best.exact = one

    def _choose(self, equal: list[Found]) -> None:
        """Takes a random one of these, if there are any."""
        if equal:
            self._take(self.engine.random.choice(equal))

    def _nodes(self) -> int:
        return sum(thread.nodes for thread in self.threads)

    def _finish(self) -> Analysis:
        """The final analysis, once all threads have ended."""
        best = self.best
        best.nodes, best.seconds, best.fill = self._nodes(), self.runner.seconds, self.engine.table.fill()
        best.line = self._prolonged(best.line, max(best.depth, 1))
        return best

    def _prolonged(self, line: Sequence[int], length: int) -> tuple[int, ...]:
        """The legal part of a line, extended by hash moves; with a time limit, it is cut rather than late."""
        game, s, out, seen = self.game, self.s, list[int](), set()
        waits = self.limit.infinite or self.limit.budget() is not None
        until = self.runner.seconds + (LINE_SECONDS if waits else math.inf)
        for m in line:
            if game.is_chance(s) or m not in game.legal(s) or (out and self.runner.seconds > until):
                return tuple(out)
            out.append(m)
            s = game.play(s, m)
        while len(out) < length and not self.engine.scale.chance and game.result(s) is None and self.runner.seconds < until:
            row = game.layout.row(s)
            if row.tobytes() in seen:
                break
            seen.add(row.tobytes())
            m = self.threads[0].table_move(row)
            if m < 0 or m not in game.legal(s):
                break
            out.append(m)
            s = game.play(s, m)
        return tuple(out)
