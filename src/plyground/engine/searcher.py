"""The native search of an engine: iterative deepening on several threads that share one transposition table.

    searcher.search(Request(s, moves, Limit(depth=8)), Runner())

A `Searcher` keeps the table, killers and history of its threads from one search to the next. A `RootSearch` is one search: each
thread deepens on its own, and the first one's results count. A `SearchThread` is the memory of one thread and the kernels that
work on it. Scores are for the side to move at the root.
"""

from __future__ import annotations

import ctypes
import functools
import math
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from plyground.compile.blocks import BlockField
from plyground.compile.net_structure import Structure
from plyground.compile.progress import compile_lock
from plyground.engine import FULL_STRENGTH, OPTIONS, ScoreScale, level_settings
from plyground.kernels.search import plan, root_search
from plyground.kernels.search.plan import BEGIN, CHECK_DISTANCE, CONTINUE, COUNT_NEAR_BEST, FIND_EQUAL, ITERATE, MAX_DEPTH
from plyground.kernels.search.root_memory import Candidate, RootMemory
from plyground.kernels.search.search_memory import FUTILITY_DEPTHS, UNLIMITED, SearchMemory
from plyground.kernels.search.transposition_table import ERAS, TranspositionTable
from plyground.nets.net import LoadedNet, Net
from plyground.play.limit import USUAL_EFFORT, Limit
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.system.runner import Runner

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Row = NDArray[np.uint64]

OnReport = Callable[[Report], None] | None
"""Called with each report of a search, on the searching thread."""
LINE_SECONDS = 0.01
"""The time that may be spent on extending the line if the search has a time limit."""
ONE_PLY_NODES, ONE_PLY_SECONDS = 500, 0.02
"""The limits of the first iteration if the search was stopped before it finished."""


class Kernels(NamedTuple):
    """The search as native code."""

    plan: Callable[..., int]
    window: Callable[..., int]


class FutilityMargins(NamedTuple):
    """The margins of futility pruning, by depth; 0 where nothing is pruned. `engine/futility.py` measures them."""

    above: tuple[int, ...]
    """How far above beta the static evaluation must be for a node to fail high."""
    below: tuple[int, ...]
    """How far below alpha it must be for quiet moves not to be searched."""


NO_MARGINS = FutilityMargins((0,) * FUTILITY_DEPTHS, (0,) * FUTILITY_DEPTHS)


@functools.cache
def bind_kernels(game: Game, net: Structure | None) -> Kernels:
    """Bind the search for this game, once per process; nets of the same structure share it."""
    from plyground.compile.native import Native

    native = Native(game, net=net)
    root_plan = native.bind(plan.plan, plan.SIGNATURE, "root search", rules=False, hot=False)
    return Kernels(root_plan, native.bind(root_search.search_window, root_search.SIGNATURE, "search"))


@dataclass(frozen=True)
class EngineRequest:
    """What to search, and for how long."""

    s: State
    moves: Sequence[int]
    """The moves among which to choose."""
    limit: Limit
    lines: int = 1
    """The number of lines (MultiPV): the best moves that get a score of their own."""
    history: Sequence[State] = ()
    """The states before `s`."""
    on_report: OnReport = None
    vary: bool = False
    """Choose at random among the moves that are proven equal."""
    level: int = FULL_STRENGTH
    """Below FULL, choose at random among the moves that are near the best."""
    spent: int = 0
    """The nodes of the limit that were searched before."""


class Searcher:
    """The table, the threads' memories and the kernels for one game; it runs one search at a time."""

    def __init__(
        self,
        game: Game,
        net: Net | None = None,
        *,
        memory: float,
        threads: int,
        options: int,
        seed: int = 0,
        choice: random.Random,
    ) -> None:
        """Allocate a table of `memory` MB; `seed` starts the random games at the leaves, `choice` picks among root moves."""
        self.game, self.net, self.options, self.seed, self.random = game, net, options, seed, choice
        self.scale = ScoreScale(game)
        self.limited = "likely" in game.has and bool(options & OPTIONS["likely"])
        """Only the moves that the rules call likely are searched, so nothing is proven."""
        self.margins = NO_MARGINS
        self.table = TranspositionTable(memory)
        self.memories = [SearchMemory(game.layout.words) for _ in range(threads)]
        """One for each thread, kept from search to search."""
        self._net = None if net is None else LoadedNet(net, threads)
        self._era = 0  # advances when proofs in the table become invalid
        self._repeated: frozenset[int] = frozenset()  # keys of positions that would be drawn if repeated

    @functools.cached_property
    def kernels(self) -> Kernels:
        """The search, compiled on first use."""
        with compile_lock:
            return bind_kernels(self.game, None if self.net is None else self.net.features.structure)

    def forget(self) -> None:
        """Clear the table and everything learned."""
        self.table.clear()
        for memory in self.memories:
            memory.forget()

    def search(self, request: EngineRequest, runner: Runner) -> Analysis:
        """Search until the limit is reached or the runner is stopped."""
        return RootSearch(self, request, runner, self._history_keys(request.history)).run()

    def _history_keys(self, history: Sequence[State]) -> list[int]:
        """Return the keys of the states before the root, and age the table.

        Proofs in the table become invalid when new positions would be drawn if they occurred once more.
        """
        self.table.age += 1
        keys = [self.game.key(s) for s in history] if self.game.repetition else []
        repeated = frozenset(k for k, times in Counter(keys).items() if times >= self.game.repetition - 1)
        if not repeated <= self._repeated:
            self._era = (self._era + 1) % ERAS
            if self._era == 0:
                self.table.clear()
        self._repeated = repeated
        return keys

    def prepare_threads(self, row: Row, moves: Sequence[int], runner: Runner, past: Sequence[int] = ()) -> list[SearchThread]:
        """Make all threads ready to search the state in `row`; `past` lists the keys of the states before it."""
        for number, memory in enumerate(self.memories):
            memory.set_game_history(list(past))
            memory.begin(UNLIMITED, self._era)
            memory.stop, memory.options, memory.seed = runner.address, self.options, self.seed
            memory.net = self._net.blocks[number].address if self._net else 0
            memory.margins_above[:], memory.margins_below[:] = self.margins
            memory.start_clock(None if runner.left == math.inf else runner.left)
        return [
            SearchThread(n, memory, self.table, self.kernels, self.scale, row, moves) for n, memory in enumerate(self.memories)
        ]


class RootMove(NamedTuple):
    """A root move with its score and line."""

    score: float
    move: int
    line: tuple[int, ...]
    exact: bool
    """No estimate has gone into the score."""


class SearchThread:
    """One thread of one search: its memory, and the kernels that work on it.

    The moves are tried first in the order given; until something is found, the first of them is the answer.
    """

    def __init__(
        self,
        number: int,
        memory: SearchMemory,
        table: TranspositionTable,
        kernels: Kernels,
        scale: ScoreScale,
        row: Row,
        moves: Sequence[int],
    ) -> None:
        self.number, self.memory, self.table, self.row = number, memory, table, row
        table.attach_to(memory)
        self.root = RootMemory(len(moves))
        self.root.step, self.root.window, self.root.bound = scale.step, scale.window, scale.bound
        self.root.chance, self.root.lines = scale.chance, 1
        self._kernels, self._chance = kernels, scale.chance
        self.root.put(moves)
        self.ask(BEGIN)

    def ask(self, task: int, n: int = 0) -> int:
        """Run a task of the plan, window by window, and return its answer."""
        memory, root, row = self.memory.address, self.root.address, self.row.ctypes.data
        more = self._kernels.plan(memory, root, task, n)
        while more:
            self.root.hit = self._kernels.window(row, memory, root)
            more = self._kernels.plan(memory, root, CONTINUE, 0)
        return int(self.root.answer)

    def search_one_ply(self) -> bool:
        """Search one ply, even if the search was stopped; return whether it finished.

        On a busy machine, the time for a move can be over before the search has begun; the move would then be arbitrary.
        """
        stop, never = self.memory.stop, ctypes.c_int64()
        self.memory.begin(ONE_PLY_NODES, self.memory.era)
        self.memory.stop = ctypes.addressof(never)
        self.memory.start_clock(ONE_PLY_SECONDS)
        try:
            return bool(self.ask(ITERATE, 1))
        finally:
            self.memory.stop = stop

    def hash_move(self, row: Row) -> int:
        """Return the hash move of a state; negative if there is none."""
        self.root.width = 0
        return int(self._kernels.window(row.ctypes.data, self.memory.address, self.root.address))

    def effort(self, nodes: int) -> float:
        """Return the share of an iteration's nodes that the best move took; the usual one if others got full windows too."""
        measured = self.root.lines == 1 and self.memory.options & OPTIONS["pvs"]
        return self.root.effort / max(nodes, 1) if measured else USUAL_EFFORT

    def known(self) -> list[RootMove]:
        """Return the moves with a score of their own, best first."""
        return [self._move(i, Candidate.known) for i in range(self.root.found)]

    def first(self) -> RootMove:
        """Return the best move; before anything was found, the first one to try."""
        return self._move(0, Candidate.known)

    def fresh(self, count: int) -> list[RootMove]:
        """Return the first moves that the last task has found."""
        return [self._move(i, Candidate.fresh) for i in range(count)]

    def _move(self, i: int, part: BlockField) -> RootMove:
        score, move, exact, line = self.root.read(i, part)
        return RootMove(score if self._chance else int(score), move, line, exact)


class RootSearch:
    """One search from its root: deepening, reports along the way, and the final analysis."""

    def __init__(self, searcher: Searcher, request: EngineRequest, runner: Runner, past: Sequence[int] = ()) -> None:
        """Set up a search; `past` lists the keys of the states before the root."""
        self.searcher, self.request, self.runner, self.past = searcher, request, runner, past
        self.game, self.limit = searcher.game, request.limit
        self.max_depth = min(self.limit.depth or MAX_DEPTH, MAX_DEPTH)
        timed = not (self.limit.infinite or self.limit.depth or self.limit.nodes)
        if request.vary and len(request.moves) == 1 and timed:
            self.max_depth = 1  # the only move
        self.best = Analysis(request.moves[0], 0, limited=searcher.limited)
        self.threads: list[SearchThread] = []

    def run(self) -> Analysis:
        """Run all threads and return the analysis."""
        moves = self._ordered_moves()
        self.threads = self.searcher.prepare_threads(self.game.layout.row(self.request.s), moves, self.runner, self.past)
        for thread in self.threads:
            if self.limit.nodes:
                thread.memory.node_limit = max(1, -((self.request.spent - self.limit.nodes) // len(self.threads)))
            thread.root.lines, thread.root.limited = self.request.lines, self.searcher.limited
            thread.root.fixed = self.limit.depth is not None
        self.runner.run(self._work, len(self.threads))
        for thread in self.threads:
            if thread.memory.beyond:
                raise self.game.margin_error(int(thread.memory.beyond))
        self._count()
        self.best.line = self._extend(self.best.line, max(self.best.depth, 1))
        return self.best

    def _ordered_moves(self) -> list[int]:
        """Order the moves, equal ones at random. The rules run interpreted here, so this gets at most a quarter of the time."""
        moves = list(self.request.moves)
        self.searcher.random.shuffle(moves)
        until = (self.runner.seconds + self.runner.left) / 4
        hints = {m: self.game.order(self.request.s, m) for m in moves if self.runner.seconds < until}
        return sorted(moves, key=lambda m: -hints.get(m, 0))

    def _work(self, number: int) -> Analysis | None:
        """Run one thread; the first thread's answer stops the others."""
        thread = self.threads[number]
        self._deepen(thread)
        if number:
            return None
        if not thread.known() and thread.search_one_ply():
            self._report(1, thread)
        if thread.root.partial:
            self._report(int(thread.root.partial), thread, partial=True)
        vary, level = self.request.vary, self.request.level
        if not vary and level == FULL_STRENGTH:
            thread.ask(CHECK_DISTANCE)
        known = self._keep(thread)
        if vary:
            self._choose(thread.fresh(thread.ask(FIND_EQUAL)))
        elif level < FULL_STRENGTH:
            _, thread.root.near, thread.root.careful = level_settings(level, self.searcher.scale)
            self._choose(known[: thread.ask(COUNT_NEAR_BEST)])
        return self.best

    def _deepen(self, thread: SearchThread) -> None:
        best_moves = list[int]()
        # Every second thread starts one ply deeper, so that the threads search different trees.
        for depth in range(1 + (thread.number & 1 and self.max_depth > 1), self.max_depth + 1):
            before = thread.memory.nodes
            if not thread.ask(ITERATE, depth):
                return
            if thread.number == 0:
                self._report(depth, thread)
                best_moves.append(thread.first().move)
                effort = thread.effort(thread.memory.nodes - before)
                if thread.root.settled or self.limit.out_of_time(self.runner.seconds, best_moves, effort):
                    return

    def _report(self, depth: int, thread: SearchThread, partial: bool = False) -> None:
        """Store and report a finished iteration, or a better move found by one that was stopped."""
        best = self.best
        best.depth, best.partial, best.seldepth = depth, partial, int(thread.memory.seldepth)
        self._count()
        known = self._keep(thread)
        best.limited = self.searcher.limited or (partial and best.score < 0)
        counts = best.nodes, best.seconds, best.fill
        for number, one in enumerate(known, 1):
            report = Report(depth, best.seldepth, one.score, *counts, one.line, number, one.exact, best.limited, partial)
            best.reports.append(report)
            if self.request.on_report:
                self.request.on_report(report)

    def _keep(self, thread: SearchThread) -> list[RootMove]:
        """Set the answer from a thread's results; return its moves."""
        known = thread.known()
        self._set_best(known[0] if known else thread.first())
        self.best.moves = [(one.move, one.score) for one in known]
        self.best.exact_moves = frozenset(one.move for one in known if one.exact)
        return known

    def _set_best(self, one: RootMove) -> None:
        best = self.best
        best.score, best.move, best.line, best.exact = one

    def _choose(self, equal: list[RootMove]) -> None:
        """Take a random one of these moves, if there are any."""
        if equal:
            self._set_best(self.searcher.random.choice(equal))

    def _count(self) -> None:
        """Take the node count, the time and the fill of the table."""
        self.best.nodes = self.request.spent + sum(int(thread.memory.nodes) for thread in self.threads)
        self.best.seconds, self.best.fill = self.runner.seconds, self.searcher.table.fill()

    def _extend(self, line: Sequence[int], length: int) -> tuple[int, ...]:
        """Return a line up to the next roll, extended by hash moves; with a time limit, it is cut rather than late.

        Its moves need no check: the kernels listed each of them by the rules.
        """
        game, s, out, seen = self.game, self.request.s, list[int](), set()
        waits = self.limit.infinite or self.limit.budget() is not None
        until = self.runner.seconds + (LINE_SECONDS if waits else math.inf)
        for m in line:
            if game.is_chance(s) or (out and self.runner.seconds > until):
                return tuple(out)
            out.append(m)
            s = game.child(s, m)
        while len(out) < length and not self.searcher.scale.chance and game.result(s) is None and self.runner.seconds < until:
            row = game.layout.row(s)
            if row.tobytes() in seen:
                break
            seen.add(row.tobytes())
            m = self.threads[0].hash_move(row)
            if m < 0:
                break
            out.append(m)
            s = game.child(s, m)
        return tuple(out)
