"""One thread of a search: calls the kernel for the root moves, with the thread's own memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyground.engine.options import EXACT, OPTIONS
from plyground.system.runner import Runner

if TYPE_CHECKING:
    from plyground.engine.engine import Engine

SHARPEN = 200_000
"""Extra nodes for checking whether a proven distance is exact, on top of as many as the search has used."""


class Found(NamedTuple):
    """A root move with its score and line."""

    score: float
    move: int
    line: tuple[int, ...]
    exact: bool = False
    """No estimate has gone into the score."""


class SearchThread:
    """One thread of a search; its memory belongs to the engine."""

    def __init__(self, engine: Engine, number: int, row: Any) -> None:
        self.engine, self.scale, self.number, self.row = engine, engine.scale, number, row
        self.memory = engine._workers[number]

    def begin(self, runner: Runner, keys: Sequence[int] = (), nodes: int = 1 << 62) -> None:
        """Prepares the memory; `keys` are those of the states before the root."""
        memory, engine = self.memory, self.engine
        engine.table.use(memory)
        memory.remember(list(keys))
        memory.begin(nodes, engine.era)
        memory.stop, memory.options = runner.address, engine.options
        memory.start_clock(None if runner.left == math.inf else runner.left)

    @property
    def aborted(self) -> bool:
        """Did the last call end early, by a stop or a limit?"""
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

    def lines(self, order: list[int], depth: int, guess: float, wanted: int) -> list[Found]:
        """The `wanted` best moves with their own scores, fewer if the search is stopped."""
        found: list[Found] = []
        everything = wanted == len(order)
        for i in range(wanted):
            done = {f.move for f in found}
            rest = [order[i]] if everything else [m for m in order if m not in done]
            one = self.best(rest, depth, guess if i == 0 and not everything else None)
            if one is None:
                break
            found.append(one)
        return found

    def best(self, moves: list[int], depth: int, guess: float | None) -> Found | None:
        """The best of some root moves: principal variation search in an aspiration window that widens if needed.

        If stopped, returns the last move that was proven better than those before it, None if there was none.
        """
        wide = self.scale.bound
        low, high, by = -wide, wide, self.scale.window
        if guess is not None and depth >= 4 and not self.scale.proven(guess) and self.engine.options & OPTIONS["pvs"]:
            low, high = guess - by, guess + by
        better: Found | None = None
        while True:
            out = self.within(moves, depth, low, high)
            if self.aborted:
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

    def within(self, moves: list[int], depth: int, alpha: float, beta: float) -> Found | None:
        """The best of some root moves in a window. If stopped, only a score above alpha counts: others are bounds."""
        self.memory.root_depth = depth
        floor = alpha
        best: Found | None = None
        solid = True
        pvs = self.engine.options & OPTIONS["pvs"]
        for i, m in enumerate(moves):
            high = beta if i == 0 or not pvs else alpha + self.scale.step
            value = self._ask(m, depth, alpha, high)
            if not self.aborted and i and high < beta and value > alpha:
                solid = solid and not self.memory.estimated
                value = self._ask(m, depth, alpha, beta)
            if self.aborted:
                return best if best is not None and best.score > floor else None
            solid = solid and not self.memory.estimated
            if best is None or value > best.score:
                best = Found(value, m, (m, *self.memory.line()))
                alpha = max(alpha, value)
                if value >= beta:
                    break
        assert best is not None
        return best._replace(exact=solid)

    def all_of(self, moves: list[int], depth: int, alpha: float, beta: float) -> Found | None:
        """The best of some root moves in a window, searched at full width; None if that takes too many nodes."""
        memory, options = self.memory, self.engine.options
        limit = memory.node_limit
        memory.options = options & sum(OPTIONS[n] for n in EXACT) | OPTIONS["proofs"]
        memory.node_limit, memory.next_look = min(limit, 2 * self.nodes + SHARPEN), 0
        found = self.within(moves, depth, alpha, beta)
        complete = not self.aborted
        memory.options, memory.node_limit, memory.aborted = options, limit, 0
        return found if complete else None

    def table_move(self, row: Any) -> int:
        """The hash move of a state; negative if there is none."""
        return int(self.engine._kernel(row.ctypes.data, 0, 0, 0, 0, self.memory.address))

    def _ask(self, m: int, depth: int, alpha: float, beta: float) -> float:
        value: float = self.engine._kernel(self.row.ctypes.data, m, depth, alpha, beta, self.memory.address)
        return value
