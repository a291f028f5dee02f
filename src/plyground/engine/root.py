"""One search from its root: iterative deepening on several threads, reports along the way, and the final analysis.

Each thread deepens independently and shares only the table with the others; the first thread's results count. Scores are for the
side to move at the root.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from plyground.engine.thread import Found, SearchThread
from plyground.play.limit import Limit
from plyground.play.report import Analysis, Report
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine

MAX_DEPTH = 120
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
    ) -> None:
        """With `vary`, the move is chosen at random among those proven equal."""
        self.engine, self.game, self.scale, self.s = engine, engine.game, engine.scale, s
        self.limit, self.lines, self.runner, self.on_report, self.vary = limit, lines, runner, on_report, vary
        self.max_depth = min(limit.depth or MAX_DEPTH, MAX_DEPTH)
        if vary and len(moves) == 1 and not limit.infinite and limit.depth is None and limit.nodes is None:
            self.max_depth = 1  # the only move
        self.moves = list(moves)
        self.best = Analysis(moves[0], 0, limited=engine.limited)
        row = self.game.layout.row(s)
        self.threads = [SearchThread(engine, n, row) for n in range(len(engine._workers))]

    def search(self, keys: Sequence[int]) -> Analysis:
        """Runs all threads; `keys` are those of the states before the root."""
        self._order_moves()
        nodes = -(-self.limit.nodes // len(self.threads)) if self.limit.nodes else 1 << 62
        for thread in self.threads:
            thread.begin(self.runner, keys, nodes)
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
        self.best.move = self.moves[0]

    def _work(self, number: int) -> Analysis | None:
        """The work of one thread; the first thread's answer stops the others."""
        thread = self.threads[number]
        self._deepen(thread)
        if number:
            return None
        if self.vary:
            self._choose_among_equals(thread)
        else:
            self._sharpen(thread)
        return self.best

    def _deepen(self, thread: SearchThread) -> None:
        order = list(self.moves)
        guess: float = 0
        # Every second thread starts a ply deeper, so that threads do not all search the same.
        for depth in range(1 + (thread.number & 1 and self.max_depth > 1), self.max_depth + 1):
            found = thread.lines(order, depth, guess, self.lines)
            found.sort(key=lambda f: -f.score)
            if thread.aborted or len(found) < self.lines:
                if thread.number == 0 and found:
                    self._take_part(found)
                return
            order = list(dict.fromkeys([f.move for f in found] + order))
            guess = found[0].score
            if thread.number == 0:
                self._take(depth, found)
                if self._enough(depth, found):
                    return

    # -- the result of one iteration -------------------------------------------------------------------------------------

    def _take(self, depth: int, found: list[Found]) -> None:
        """Stores and reports a finished iteration."""
        limited, reports = self.engine.limited, self.best.reports
        nodes, seconds, fill, selective = self._nodes(), self.runner.seconds, self.engine.table.fill(), self.threads[0].selective
        for rank, one in enumerate(found, 1):
            exact = one.exact and not limited
            reports.append(Report(depth, selective, one.score, nodes, seconds, fill, one.line, rank, exact, limited))
        best = found[0]
        self.best = Analysis(
            *(best.move, best.score, depth, selective, nodes, seconds, fill, best.line, best.exact and not limited),
            moves=[(f.move, f.score) for f in found],
            exact_moves=frozenset(f.move for f in found if f.exact and not limited),
            reports=reports,
            limited=limited,
        )
        if self.on_report:
            for report in reports[-len(found) :]:
                self.on_report(report)

    def _take_part(self, found: list[Found]) -> None:
        """Takes over what a stopped iteration has proven: a better move, or, if it was the first, everything it found."""
        best = found[0]
        if self.best.depth == 0:
            self.best.moves = [(f.move, f.score) for f in found]
        elif self.lines > 1 or best.move == self.best.move:
            return
        else:
            self.best.moves = [(best.move, best.score)]
        self.best.move, self.best.score, self.best.line = best.move, best.score, best.line
        self.best.exact, self.best.exact_moves = False, frozenset()

    def _enough(self, depth: int, found: list[Found]) -> bool:
        """Is there nothing more to find, or no time to find it in?"""
        if (self.limit.depth is None or self.lines == 1) and not self.scale.chance:
            away = [self.scale.plies(f.score) for f in found]
            if all(f.exact for f in found) or all(a is not None and a <= depth for a in away):
                return True
        budget = self.limit.budget()
        return self.limit.clock is not None and budget is not None and self.runner.seconds > 0.6 * budget[0]

    def _nodes(self) -> int:
        return sum(thread.nodes for thread in self.threads)

    # -- after the last iteration ----------------------------------------------------------------------------------------

    def _choose_among_equals(self, thread: SearchThread) -> None:
        """Picks a random move among those proven as good as a proven best; the table answers most of this."""
        best = self.best
        if best.value == "unknown" or best.depth == 0:
            return
        assert best.move is not None
        equal = [(best.move, best.line)]
        for m in self.moves:
            if m != best.move:
                one = self._as_good(thread, m)
                if thread.aborted:
                    break
                if one is not None:
                    equal.append((m, one.line))
        best.move, best.line = self.engine.random.choice(equal)

    def _as_good(self, thread: SearchThread, m: int) -> Found | None:
        """A move if proven no worse than the best; this may take a few more plies, as late moves are searched less deeply."""
        score = self.best.score
        for depth in range(self.best.depth, min(self.best.depth + 8, MAX_DEPTH), 2):
            one = thread.within([m], depth, score - 1, score)
            if one is None or one.score < score:
                return None
            if one.exact or score > 0:
                return one
        return None

    def _sharpen(self, thread: SearchThread) -> None:
        """Checks whether a proven distance is exact, by a search without the techniques that skip moves and so find wins late.

        A win in n plies is exact if no move wins sooner, a loss if the best move holds out that long. This takes a full-width
        null-window search of n - 1 plies; it gets a few more nodes than the search itself has used.
        """
        best, score = self.best, self.best.score
        away = self.scale.plies(score) if best.depth else None
        if best.exact or best.limited or away is None or self.game.margin or self.lines > 1 or thread.aborted:
            return
        assert best.move is not None
        if score > 0:
            one = thread.all_of(self.moves, max(away - 1, 1), score, score + 1)
            best.exact = one is not None and one.score <= score
        else:
            one = thread.all_of([best.move], max(away - 1, 1), score - 1, score)
            best.exact = one is not None and one.score >= score
        if best.exact:
            best.exact_moves = best.exact_moves | {best.move}

    def _finish(self) -> Analysis:
        """The final analysis, once all threads have ended."""
        best = self.best
        best.nodes, best.seconds, best.fill = self._nodes(), self.runner.seconds, self.engine.table.fill()
        best.line = self._prolonged(best.line or tuple(self.moves[:1]), max(best.depth, 1))
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
        while len(out) < length and not self.scale.chance and game.result(s) is None and self.runner.seconds < until:
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
