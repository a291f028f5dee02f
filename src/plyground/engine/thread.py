"""One thread of a search: its own memory, and the kernel that works on it."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyground.compile.blocks import Field
from plyground.search.root import BEGIN, GO_ON, ITERATE
from plyground.search.root_memory import Candidate, RootMemory
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine


class Found(NamedTuple):
    """A root move with its score and line."""

    score: float
    move: int
    line: tuple[int, ...]
    exact: bool
    """No estimate has gone into the score."""


GLANCE_NODES, GLANCE_SECONDS = 500, 0.02
"""What a search may use for its first iteration after it was stopped."""


class SearchThread:
    """One thread of a search. What it learns about moves outlives it: that memory belongs to the engine."""

    def __init__(self, engine: Engine, number: int, row: Any, moves: int) -> None:
        self.engine, self.number, self.row = engine, number, row
        self.memory = engine._workers[number]
        self.root = RootMemory(moves)

    def begin(self, runner: Runner, moves: Sequence[int], lines: int = 1, keys: Sequence[int] = (), nodes: int = 1 << 62) -> None:
        """Prepares the memory; `keys` are those of the states before the root."""
        memory, root, engine, scale = self.memory, self.root, self.engine, self.engine.scale
        engine.table.use(memory)
        memory.remember(list(keys))
        memory.begin(nodes, engine.era)
        memory.stop, memory.options, memory.seed = runner.address, engine.options, engine.seed
        memory.net = engine._net.blocks[self.number].address if engine._net else 0
        memory.start_clock(None if runner.left == math.inf else runner.left)
        root.step, root.window, root.bound = scale.step, scale.window, scale.bound
        root.chance, root.limited, root.lines = scale.chance, engine.limited, lines
        root.put(moves)
        self.ask(BEGIN)

    def ask(self, task: int, n: int = 0) -> int:
        """Runs a task of `search/root.py`, window by window; returns its answer."""
        plan, search = self.engine._kernels
        memory, root, row = self.memory.address, self.root.address, self.row.ctypes.data
        more = plan(memory, root, task, n)
        while more:
            self.root.hit = search(row, memory, root)
            more = plan(memory, root, GO_ON, 0)
        return int(self.root.answer)

    def glance(self) -> bool:
        """Looks one ply ahead for an instant, even if the search was stopped; was that enough?

        On a busy machine the time for a move can be over before the search has begun: without this, any move would do.
        """
        stop, never = self.memory.stop, ctypes.c_int64()
        self.memory.begin(GLANCE_NODES, self.engine.era)
        self.memory.stop = ctypes.addressof(never)
        self.memory.start_clock(GLANCE_SECONDS)
        try:
            return bool(self.ask(ITERATE, 1))
        finally:
            self.memory.stop = stop

    def table_move(self, row: Any) -> int:
        """The hash move of a state; negative if there is none."""
        self.root.width = 0
        return int(self.engine._kernels.search(row.ctypes.data, self.memory.address, self.root.address))

    @property
    def aborted(self) -> bool:
        """Did the last task end early, by a stop or a limit?"""
        return bool(self.memory.aborted)

    @property
    def nodes(self) -> int:
        """The nodes of this thread in this search."""
        return int(self.memory.nodes)

    @property
    def selective(self) -> int:
        """The length of the longest line."""
        return int(self.memory.selective)

    @property
    def beyond(self) -> int:
        """A result beyond the game's MARGIN; 0 if there was none."""
        return int(self.memory.beyond)

    def known(self) -> list[Found]:
        """The moves with a score of their own, best first."""
        return [self._found(i, Candidate.known) for i in range(self.root.found)]

    def first(self) -> Found:
        """The best move; before anything was found, the first one to try."""
        return self._found(0, Candidate.known)

    def fresh(self, i: int) -> Found:
        """One of the moves that the last task has found."""
        return self._found(i, Candidate.fresh)

    def _found(self, i: int, part: Field) -> Found:
        score, move, exact, line = self.root.read(i, part)
        return Found(score if self.engine.scale.chance else int(score), move, line, exact)
