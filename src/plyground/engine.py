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
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.game import Game, load
from plyground.limit import Limit
from plyground.search import memory as m8
from plyground.search.memory import Memory, Table
from plyground.worker import Worker

MAX_DEPTH = 120
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
}
"""The techniques of the search by name (`search/node.py` says what each is); `hash` is an evaluation for tests."""
EXACT = ("table", "pvs", "order", "killers", "history", "distance", "symmetry")
"""Those that never change the value of a search to a fixed depth."""


@dataclass(frozen=True)
class Report:
    """What the search has found so far, for the side to move at the root."""

    depth: int
    selective: int
    score: float
    nodes: int
    seconds: float
    fill: float
    line: tuple[int, ...]
    rank: int = 1
    """1 for the best line, 2 for the second best, and so on."""

    @property
    def nps(self) -> int:
        """Nodes per second."""
        return int(self.nodes / max(self.seconds, 1e-9))


@dataclass
class Analysis:
    """The end of a search: the move, its score, and everything else that was found."""

    move: int | None
    score: float
    depth: int = 0
    selective: int = 0
    nodes: int = 0
    seconds: float = 0.0
    fill: float = 0.0
    line: tuple[int, ...] = ()
    solid: bool = False
    """No estimate went into the score: it is the value of the game."""
    moves: list[tuple[int, float]] = field(default_factory=list)
    """Moves with exact scores, best first: as many as lines were asked for."""
    reports: list[Report] = field(default_factory=list)

    @property
    def value(self) -> str:
        """win, draw, loss, or unknown."""
        if isinstance(self.score, float):
            return "unknown"  # an expectation
        if self.solid or scores.proven(self.score):
            return "win" if self.score > 0 else "loss" if self.score < 0 else "draw"
        return "unknown"

    @property
    def plies(self) -> int | None:
        """In how many plies a proven win or loss comes."""
        return scores.plies(int(self.score)) if self.value in ("win", "loss") else None


class Engine:
    """The player that searches."""

    def __init__(
        self,
        game: str | Game,
        *,
        table: float = 64,
        threads: int = 1,
        level: int = 10,
        exact: bool = False,
        options: Sequence[str] | None = None,
        seed: int | None = None,
    ) -> None:
        self.game = load(game) if isinstance(game, str) else game
        if len(self.game.sides) > 2:
            raise PlygroundError(f"{self.game.name} has {len(self.game.sides)} sides; the engine plays games of one or two")
        if not 1 <= threads <= 256:
            raise PlygroundError(f"threads={threads} makes no sense; give 1 to 256")
        if not 1 <= level <= 10:
            raise PlygroundError(f"level {level} does not exist; levels are 1 to 10")
        if not 0 < table <= 1 << 20:
            raise PlygroundError(f"a table of {table} MB makes no sense")
        self.level = level
        self.options = _bits(self.game, options, exact)
        self.random = random.Random(seed)
        self.chance = "chance" in self.game.has
        self.step: float = 0 if self.chance else 1
        self.window: float = self.game.margin / 20 if self.chance else 30
        self.bound: float = float(self.game.margin + 1) if self.chance else scores.INFINITE
        self._kernel = _kernel(self.game)
        self.table = Table(table)
        self._stop = np.zeros(8, np.int64)
        self._workers = [Memory(self.game.layout.words) for _ in range(threads)]
        for w in self._workers:
            w.set(m8.STOP, int(self._stop.ctypes.data))
            w.set(m8.OPTIONS, self.options)
        self._busy = threading.Lock()
        self.last: Analysis | None = None

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

    async def choose_async(self, state: Any = None, limit: Limit | None = None, past: Sequence[Any] = ()) -> int:
        """`choose` for an event loop: other tasks go on meanwhile, and cancelling stops the search."""
        work = asyncio.get_running_loop().run_in_executor(None, self.choose, state, limit, past)
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
        return Search(self, state, limit or Limit(infinite=True), lines, past, on_report, on_done)

    def stop(self) -> None:
        """Ends the search that is under way, if any; it answers with what it has found."""
        self._stop[0] = 1

    def analyse(
        self,
        state: Any = None,
        limit: Limit | None = None,
        *,
        lines: int = 1,
        past: Sequence[Any] = (),
        on_report: Callable[[Report], None] | None = None,
    ) -> Analysis:
        """Searches a state within a limit; `lines` best moves get an exact score (0: every legal move)."""
        return self._analyse(state, limit, lines, past, on_report)

    def _analyse(
        self,
        state: Any,
        limit: Limit | None,
        lines: int,
        past: Sequence[Any],
        on_report: Callable[[Report], None] | None,
        vary: bool = False,
    ) -> Analysis:
        if lines < 0:
            raise PlygroundError(f"lines={lines} makes no sense; give 1 or more, or 0 for every move")
        s = self.game.start() if state is None else state
        limit = limit or Limit(time=1)
        moves = self.game.legal(s)
        if not moves:
            what = "chance is to move" if self.game.is_chance(s) else "the game is over"
            raise PlygroundError(f"there is nothing to choose: {what}")
        if not self._busy.acquire(timeout=0.1):
            raise PlygroundError("this engine is already searching; stop it first or use a second one")
        try:
            self.last = self._search(s, moves, limit, lines or len(moves), past, on_report, vary)
            return self.last
        finally:
            self._busy.release()

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
    ) -> Analysis:
        began = time.perf_counter()
        self._stop[0] = 0
        self.table.age += 1
        row = self.game.layout.pack(s)
        keys = [self.game.key(p) for p in past] if self.game.repetition else []
        nodes_each = (limit.nodes + len(self._workers) - 1) // len(self._workers) if limit.nodes else 1 << 62
        for w in self._workers:
            self.table.use(w)
            w.remember(keys)
            for offset in (
                m8.NODES,
                m8.NEXT_LOOK,
                m8.ABORTED,
                m8.EVALUATIONS,
                m8.HITS,
                m8.CUTOFFS,
                m8.FIRST_CUTOFFS,
                m8.SELECTIVE,
            ):
                w.set(offset, 0)
            w.set(m8.NODE_LIMIT, nodes_each)
        moves = list(moves)
        self.random.shuffle(moves)
        hint = self.game.order
        moves.sort(key=lambda m: -hint(s, m))
        budget = limit.budget()
        root = _Root(self, row, moves, min(lines, len(moves)), began, budget, limit, on_report)
        root.vary = vary
        alone = len(moves) == 1 and lines == 1 and not limit.infinite and limit.depth is None and limit.nodes is None
        if alone:
            root.max_depth = 1
        threads: list[Worker[None]] = []
        deadline = began + budget[1] if budget else None
        try:
            for i, w in enumerate(self._workers):
                threads.append(Worker(functools.partial(root.run, w, i)))  # one by one: Ctrl-C must find those that have begun
            while not threads[0].over:
                now = time.perf_counter()
                if deadline is not None and now >= deadline:
                    self._stop[0] = 1
                threads[0].wait(0.2 if deadline is None else max(0.001, min(0.2, deadline - now)))
        finally:
            self._stop[0] = 1
            for t in threads:
                t.wait()
        if root.failure:
            raise root.failure[0]
        return root.finish()

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
        if self.chance:
            depth = max(1, depth // 2)  # a ply is many times the work where dice have their part
        limit = replace(limit, depth=depth, infinite=False) if limit and not limit.infinite else Limit(depth=depth, time=2)
        found = self.analyse(state, limit, lines=0, past=past, on_report=on_report)
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
        self.best = Analysis(moves[0], 0)
        self.failure: list[BaseException] = []

    def run(self, memory: Memory, number: int) -> None:
        try:
            self._deepen(memory, number)
            if number == 0 and self.vary:
                self._choose_among_equals(memory)
        except BaseException as e:
            self.failure.append(e)
        finally:
            if number == 0:
                self.engine._stop[0] = 1

    def _deepen(self, memory: Memory, number: int) -> None:
        order = list(self.moves)
        guess: float = 0
        # Helpers start a ply deeper, so that threads do not all search the same.
        for depth in range(1 + (number & 1 and self.max_depth > 1), self.max_depth + 1):
            found = self._lines(memory, order, depth, guess)
            if memory.get(m8.ABORTED) or len(found) < self.lines:
                # The iteration is not finished: a better move that it has proven better still counts.
                if number == 0 and found and (self.lines == 1 or self.best.depth == 0):
                    found.sort(key=lambda f: -f[0])
                    self.best.move = found[0][1]
                    self.best.line = found[0][2]
                    if self.best.depth == 0:  # there is no finished iteration to take the score from
                        self.best.score, self.best.moves = found[0][0], [(f[1], f[0]) for f in found]
                return
            found.sort(key=lambda f: -f[0])
            first = [f[1] for f in found]
            order = first + [m for m in order if m not in first]
            guess = found[0][0]
            if number == 0:
                self._take(memory, depth, found)
                if self._enough(depth, found):
                    return

    def _choose_among_equals(self, memory: Memory) -> None:
        """Any of the moves that are as good as the best, where the value of the game is known: the table holds most of it."""
        best = self.best
        if best.value == "unknown" or best.depth == 0:
            return
        assert best.move is not None
        equal = [(best.move, best.line)]
        for m in self.moves:
            if m != best.move:
                one = self._pass(memory, [m], best.depth, best.score - 1, best.score)
                if one is None:
                    break
                if one[0] >= best.score:
                    equal.append((m, one[2]))
        best.move, best.line = self.engine.random.choice(equal)

    def _lines(
        self, memory: Memory, order: list[int], depth: int, guess: float
    ) -> list[tuple[float, int, tuple[int, ...], bool]]:
        """The best moves with exact scores, as many as lines are wanted, or fewer if the search is stopped."""
        found: list[tuple[float, int, tuple[int, ...], bool]] = []
        everything = self.lines == len(order)
        for i in range(self.lines):
            rest = [order[i]] if everything else [m for m in order if m not in [f[1] for f in found]]
            one = self._best(memory, rest, depth, guess if i == 0 and not everything else None)
            if one is None:
                break
            found.append(one)
        return found

    def _best(
        self, memory: Memory, moves: list[int], depth: int, guess: float | None
    ) -> tuple[float, int, tuple[int, ...], bool] | None:
        """The best of some root moves: principal variation search in an aspiration window that widens when it must."""
        wide = self.engine.bound
        low, high, by = -wide, wide, self.engine.window
        if guess is not None and depth >= 4 and not self.engine._proven(guess) and self.engine.options & OPTIONS["pvs"]:
            low, high = guess - by, guess + by
        while True:
            out = self._pass(memory, moves, depth, low, high)
            if out is None or memory.get(m8.ABORTED) or low < out[0] < high or (low <= -wide and high >= wide):
                return out
            by *= 4
            if out[0] <= low:
                low = max(-wide, low - by) if by < wide else -wide
            else:
                high = min(wide, high + by) if by < wide else wide
                moves = [out[1]] + [m for m in moves if m != out[1]]

    def _pass(
        self, memory: Memory, moves: list[int], depth: int, alpha: float, beta: float
    ) -> tuple[float, int, tuple[int, ...], bool] | None:
        kernel, address, step = self.engine._kernel, self.row.ctypes.data, self.engine.step
        memory.set(m8.ROOT_DEPTH, depth)
        best: tuple[float, int, tuple[int, ...]] | None = None
        solid = True
        pvs = self.engine.options & OPTIONS["pvs"]
        for i, m in enumerate(moves):
            high = beta if i == 0 or not pvs else alpha + step
            value = kernel(address, m, depth, alpha, high, memory.address)
            if not memory.get(m8.ABORTED) and i and high < beta and value > alpha:
                solid = solid and not memory.get(m8.ESTIMATED)
                value = kernel(address, m, depth, alpha, beta, memory.address)
            if memory.get(m8.ABORTED):
                return None if best is None else (*best, False)
            solid = solid and not memory.get(m8.ESTIMATED)
            if best is None or value > best[0]:
                best = (value, m, (m, *self._line(memory)))
                alpha = max(alpha, value)
                if value >= beta:
                    break
        assert best is not None
        return (*best, solid)

    @staticmethod
    def _line(memory: Memory) -> tuple[int, ...]:
        n = int(memory.words[m8.LENGTH // 8 + 1])
        at = m8.LINE // 8 + m8.MAX_PLY
        return tuple(int(x) for x in memory.words[at : at + n].view(np.int64))

    def _take(self, memory: Memory, depth: int, found: list[tuple[float, int, tuple[int, ...], bool]]) -> None:
        nodes = sum(w.get(m8.NODES) for w in self.engine._workers)
        seconds = time.perf_counter() - self.began
        fill, selective = self.engine.table.fill(), memory.get(m8.SELECTIVE)
        score, move, line, solid = found[0]
        self.best = Analysis(
            move, score, depth, selective, nodes, seconds, fill, line, solid, [(f[1], f[0]) for f in found], self.best.reports
        )
        for rank, (value, _, moves, _) in enumerate(found, 1):
            report = Report(depth, selective, value, nodes, seconds, fill, moves, rank)
            self.best.reports.append(report)
            if self.on_report:
                self.on_report(report)

    def _enough(self, depth: int, found: list[tuple[float, int, tuple[int, ...], bool]]) -> bool:
        """Is there nothing more to find, or no time to find it in?"""
        if self.limit.depth is None or self.lines == 1:
            if all(f[3] for f in found) and not self.engine.chance:
                return True
            away = [scores.plies(int(f[0])) for f in found]
            if not self.engine.chance and all(a is not None and a <= depth for a in away):
                return True
        return (
            self.limit.clock is not None and self.budget is not None and time.perf_counter() - self.began > 0.6 * self.budget[0]
        )

    def finish(self) -> Analysis:
        best = self.best
        best.nodes = sum(w.get(m8.NODES) for w in self.engine._workers)
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


def line_text(game: Game, s: Any, line: Sequence[int]) -> list[str]:
    """A line as people write it; it ends where a move is not legal or chance must speak."""
    out = []
    for m in line:
        if game.is_chance(s) or m not in game.legal(s):
            break
        out.append(game.format_move(s, m))
        s = game.play(s, m)
    return out


def _bits(game: Game, options: Sequence[str] | None, exact: bool) -> int:
    names = list(OPTIONS) if options is None else list(options)
    unknown = [n for n in names if n not in OPTIONS]
    if unknown:
        raise PlygroundError(f"there is no search option {unknown[0]!r:.30}; there are {', '.join(OPTIONS)}")
    if options is None:
        names.remove("hash")
    if exact:
        names = [n for n in names if n in (*EXACT, "hash")]
        if game.repetition and "table" in names:
            names.remove("table")  # a value then hangs on the path, which a table does not know
    return sum(OPTIONS[n] for n in set(names))


_bound: dict[int, tuple[Any, Game]] = {}


def _kernel(game: Game) -> Any:
    """The search of this game as native code, bound once a process."""
    if id(game) not in _bound:
        from numba import float64, int64, uint64

        from plyground.compile import Native
        from plyground.search import chance, node

        if "chance" in game.has:
            sig = float64(uint64, int64, int64, float64, float64, uint64)
            kernel = Native(game).bind(chance.search_move, sig, "search")
        else:
            kernel = Native(game).bind(node.search_move, int64(uint64, int64, int64, int64, int64, uint64), "search")
        _bound[id(game)] = kernel, game  # the game too: its id must not be given to another
    return _bound[id(game)][0]
