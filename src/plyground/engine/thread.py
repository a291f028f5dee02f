"""One thread of a search: its own memory, and the kernel that works on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyground.search.root import PROLONG
from plyground.search.root_memory import RootMemory
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
    record: Any
    """Where the kernel keeps it."""


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
        memory.stop, memory.options = runner.address, engine.options
        memory.start_clock(None if runner.left == math.inf else runner.left)
        root.step, root.window, root.bound = scale.step, scale.window, scale.bound
        root.count, root.lines = len(moves), lines
        for i, m in enumerate(moves):
            root.candidate(i).move = m

    def ask(self, task: int, n: int = 0) -> int:
        """Runs one of the tasks in `search/root.py`."""
        return int(self.engine._kernel(self.row.ctypes.data, self.memory.address, self.root.address, task, n))

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

    @property
    def known(self) -> list[Found]:
        """The moves with a score of their own, best first."""
        return [self._found(self.root.candidate(i).known) for i in range(self.root.found)]

    @property
    def first(self) -> Found:
        """The best move; before anything was found, the first one to try."""
        return self._found(self.root.candidate(0).known)

    def fresh(self, i: int) -> Found:
        """One of the moves that the last task has found."""
        return self._found(self.root.candidate(i).fresh)

    def prolonged(self, one: Found) -> tuple[int, ...]:
        """The legal part of a line, extended by hash moves."""
        return tuple(one.record.line[: self.ask(PROLONG, one.record.address)].tolist())

    def _found(self, one: Any) -> Found:
        score: float = one.score if self.engine.scale.chance else int(one.score)
        return Found(score, one.move, tuple(one.line[: one.length].tolist()), bool(one.exact), one)
