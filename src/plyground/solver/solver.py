"""The solver: the exact value of a state, by perfect play of both sides.

    Solver("connect4").solve(state).score

It asks the kernel (`search/solve.py`) one question after the other, "is the value at least this much?", until both bounds meet.
Stopped early it gives the bounds that it has proven. Scores are as in `score.py`: 10000 less the plies to a win, and 10000 more
than a margin.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import GAMES
from plyground.search import solve as kernel
from plyground.search.exact import ExactTable
from plyground.search.solver_memory import SolverMemory
from plyground.solver import questions
from plyground.solver.questions import Questions

if TYPE_CHECKING:
    from plyground.solver.tables import Tablebase

WIN = scores.WIN
STACK_BYTES = 64 << 20
QUICK = 50_000
"""Nodes of a question that are searched at once; only then are threads and a clock worth their while."""
PACE = 100_000
"""Nodes a second that even slow rules have: a question that nobody can stop must be over by the deadline."""
TICK = 0.1
"""Seconds between two looks at a search that runs."""


@dataclass(frozen=True)
class Bounds:
    """What is proven so far: the value lies between these two scores."""

    low: int
    high: int
    nodes: int
    seconds: float


@dataclass
class Solution:
    """What was proven about a state, for the side to move."""

    low: int
    high: int
    weak: bool = False
    """Only who wins was asked."""
    move: int | None = None
    line: tuple[int, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    moves: list[tuple[int, int | None]] = field(default_factory=list)
    """Every legal move with its score, best first, where that was asked; None where it was not finished."""
    looked_up: bool = False
    """The value is from a book."""

    @property
    def solved(self) -> bool:
        """Is what was asked known?"""
        return self.value != "unknown" if self.weak else self.low == self.high

    @property
    def score(self) -> int | None:
        """The score; None where only bounds are known."""
        return self.low if self.low == self.high else None

    @property
    def value(self) -> str:
        """win, draw, loss, or unknown."""
        if self.low > 0:
            return "win"
        if self.high < 0:
            return "loss"
        return "draw" if self.low == self.high == 0 else "unknown"

    @property
    def plies(self) -> int | None:
        """In how many plies the game is won or lost; None where it is drawn, counted in margins, or not known."""
        return None if self.score is None else scores.plies(self.score)


class Solver:
    """Solves states of one game; its table stays from one to the next."""

    def __init__(self, game: str | Path | Game, *, table: float | ExactTable = 256, threads: int = 1) -> None:
        self.game = checked.game(game)
        check_solvable(self.game)
        checked.sizes(threads, 1 if isinstance(table, ExactTable) else table)
        if not isinstance(table, ExactTable):
            table = ExactTable(table, self.game.key_bits, self.game.layout.words, self.game.dense)
        self.table = table  # which several solvers of one game may share
        self._stop = np.zeros(8, np.int64)
        self._blocks = [SolverMemory(self.game, self.table, self._stop, number) for number in range(threads)]
        self._pool: ThreadPoolExecutor | None = None
        self._stopped = False
        self._began = 0.0
        self._deadline: float | None = None
        self._tell: Callable[[Bounds], None] | None = None
        self._bounds = (-WIN, WIN)
        self._weak = False
        self.book = find_book(self.game)
        """The values of the opening, where the game comes with them."""
        self._book = self.book

    @functools.cached_property
    def _kernel(self) -> Callable[[int, int, int], int]:
        """The search, compiled when it is first needed: what is refused or looked up does without. The clock stands meanwhile."""
        from plyground.compile.native import Native

        since = time.perf_counter()
        bound = Native(self.game).bind(kernel.solve_bound, "int64(uint64, int64, uint64)", "solve")
        took = time.perf_counter() - since
        self._began += took
        self._deadline = None if self._deadline is None else self._deadline + took
        return bound

    def prepare(self) -> None:
        """Compiles the search now."""
        _ = self._kernel

    def check(self, s: Any, limited: bool) -> None:
        """Refuses what would not end in a lifetime, unless there is a limit."""
        if not limited and too_long(self.game, s):
            raise PlygroundError(
                f"{self.game.name} with up to {int(self.game.rules['remaining'](s))} plies left is too long to solve by search "
                f"({self.game.solvable} is the most); --time tells what can be proven in a time, `analyse` estimates"
            )

    def so_far(self) -> Solution:
        """What is proven of the state that was under way when an interrupt ended it."""
        low, high = self._bounds
        seconds = time.perf_counter() - self._began
        return Solution(self._told(low), self._told(high), self._weak, nodes=self.nodes, seconds=seconds)

    def solve(
        self,
        state: Any = None,
        *,
        weak: bool = False,
        all_moves: bool = False,
        line: bool = True,
        book: bool = True,
        seconds: float | None = None,
        on_progress: Callable[[Bounds], None] | None = None,
    ) -> Solution:
        """Solves a state: its exact score, or with `weak` only who wins; `all_moves` scores every legal move.

        Where the game comes with a book, positions of the opening are looked up, unless `book` is false.
        """
        game = self.game
        s = game.start() if state is None else checked.state(game, state)
        Limit(time=seconds)
        self._stopped = False
        self._began = time.perf_counter()
        self._deadline = None if seconds is None else self._began + seconds
        self._tell = on_progress
        self._weak = weak
        self._book = self.book if book else None
        for block in self._blocks:
            block.nodes = 0
        over = game.result(s)
        if over is not None:
            value = scores.final(int(over), 0, bool(game.margin))
            return Solution(value, value, weak)
        self._bounds = self._limits(s)
        low, high = self._value(s, weak, shown=True)
        found = Solution(low, high, weak, looked_up=self._looked_up(s) is not None)
        try:
            if all_moves and not self._stopped:
                self._tell = None
                found.moves = self._all_moves(s, weak)
                found.move = found.moves[0][0] if found.moves[0][1] is not None else None
            if line and found.solved and not self._stopped:
                self._tell = None
                found.line = self._line(s, found)
                found.move = found.line[0] if found.line else found.move
        finally:
            found.nodes = self.nodes
            found.seconds = time.perf_counter() - self._began
        return found

    def stop(self) -> None:
        """Ends the work that is under way; it answers with what is proven."""
        self._stopped = True
        self._stop[0] = 1

    def forget(self) -> None:
        """Clears the table and all that was learned."""
        self.table.clear()
        for block in self._blocks:
            block.forget()

    @property
    def nodes(self) -> int:
        """The nodes of all threads since the last state was begun."""
        return sum(block.nodes for block in self._blocks)

    # -- a value by questions ------------------------------------------------------------------------------------------------

    def _limits(self, s: Any) -> tuple[int, int]:
        """The scores between which every value of a state lies."""
        game = self.game
        if not game.margin:
            return -WIN, WIN
        if "bounds" in game.has:
            low, high = (int(x) for x in game.rules["bounds"](s))
            return max(low, -game.margin), min(high, game.margin)
        return -game.margin, game.margin

    def _value(self, s: Any, weak: bool, shown: bool = False) -> tuple[int, int]:
        """Bounds on the value of a state, equal when it is solved, as scores of `score.py`."""
        known = self._looked_up(s)
        if known is not None:
            return known, known
        row = self.game.layout.pack(s)
        low, high = self._limits(s)
        ask = self._questions(s, weak)
        beta, quick = next(ask)
        while low < high and not (weak and (low > 0 or high < 0)) and not self._stopped:
            beta = max(low + 1, min(beta, high))
            value = self._ask(row, beta, quick)
            if value is None and not quick:
                break
            if value is not None and value >= beta:
                low = max(low, min(value, high))
            elif value is not None:
                high = min(high, max(value, low))
            if shown:
                self._bounds = (low, high)
            beta, quick = ask.send((low, high, value is not None))
        return self._told(low), self._told(high)

    def looked_up_moves(self, s: Any) -> list[tuple[int, int]]:
        """Every legal move with its score, where the book knows all of them; else nothing."""
        if self.book is None:
            return []
        out = []
        for m in self.game.legal(s):
            child, other = self._after(s, m)
            over = self.game.result(child)
            known = self.book.score(child) if over is None else scores.final(int(over), 0, bool(self.game.margin))
            if known is None:
                return []
            value = scores.from_root(known, 1)
            out.append((m, -value if other else value))
        return out

    def _looked_up(self, s: Any) -> int | None:
        """What the book says of a state."""
        return None if self._book is None else self._book.score(s)

    def _told(self, value: int) -> int:
        """A score of the kernel as a score of `score.py`."""
        return scores.final(value, 0, True) if self.game.margin else value

    def _questions(self, s: Any, weak: bool) -> Questions:
        """What to ask of a state, one after the other."""
        game = self.game
        if weak:
            return questions.signs()
        if not game.margin:
            return questions.distances(int(game.rules["remaining"](s)) if "remaining" in game.has else None)
        if "guess" in game.has:
            return questions.margins(int(game.rules["guess"](s)))
        if game.survey:
            return questions.margins(self._call(game.layout.pack(s), kernel.GUESS, self._blocks[0], QUICK) or 0)
        return questions.margins(0)

    def _ask(self, row: Any, beta: int, quick: bool = False) -> int | None:
        """A bound on the value: at least beta, or less; None where the search was stopped, or should have been a `quick` one."""
        left = self._left()
        if left <= 0:
            self.stop()
        self._stop[0] = 1 if self._stopped else 0
        value = self._call(row, beta, self._blocks[0], int(max(500, min(QUICK, left * PACE))))
        while value is None and not self._stopped and not quick:
            value = self._ask_all(row, beta)
        return value

    def _ask_all(self, row: Any, beta: int) -> int | None:
        """All threads at once."""
        pool = self._threads()
        jobs: list[Future[int | None]] = [pool.submit(self._call, row, beta, block, 1 << 62) for block in self._blocks]
        try:
            self._watch(jobs)
        finally:
            # The first that has an answer, or a stop, ends the others.
            self._stop[0] = 1
            wait(jobs)
            self._stop[0] = 1 if self._stopped else 0
        return next((job.result() for job in jobs if job.result() is not None), None)

    def _left(self) -> float:
        """Seconds to the deadline."""
        return math.inf if self._deadline is None else self._deadline - time.perf_counter()

    def _watch(self, jobs: Sequence[Future[int | None]]) -> None:
        told = time.perf_counter()
        while not any(job.done() for job in jobs):
            wait(jobs, max(0.001, min(TICK, self._left())), "FIRST_COMPLETED")
            now = time.perf_counter()
            if self._left() <= 0:
                self.stop()
            if self._tell is not None and now - told > 0.5:
                told = now
                low, high = self._bounds
                self._tell(Bounds(self._told(low), self._told(high), self.nodes, now - self._began))

    def _call(self, row: Any, beta: int, block: SolverMemory, nodes: int) -> int | None:
        """One thread's answer, None if it has none within so many nodes."""
        block.node_limit = min(block.nodes + nodes, 1 << 62)
        block.aborted = block.overflow = 0
        own = row.copy()  # rules in place change it
        value = self._kernel(own.ctypes.data, beta, block.address)
        if block.overflow == 1:
            raise PlygroundError(f"{self.game.name}: too many moves in too many plies for this search; `--proof` may find a win")
        if block.overflow:
            raise PlygroundError(
                f"{self.game.name}: the game goes on for more than {kernel.MAX_PLY} plies; where positions can come again, "
                "give REPETITION, and solve it whole with --table"
            )
        return None if block.aborted else int(value)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(len(self._blocks), "plyground-solver")
            old = threading.stack_size(STACK_BYTES)
            try:
                barrier = threading.Barrier(len(self._blocks) + 1)
                for _ in self._blocks:
                    self._pool.submit(barrier.wait)
                barrier.wait()
            finally:
                threading.stack_size(old)
        return self._pool

    # -- moves and lines -----------------------------------------------------------------------------------------------------

    def _after(self, s: Any, m: int) -> tuple[Any, bool]:
        """The state after a move, and whether the other side moves there."""
        child = self.game.play(s, m)
        return child, self.game.changes_turn(s, child)

    def _move_value(self, s: Any, m: int, weak: bool) -> tuple[int, int]:
        """Bounds on the value of a move, for the side that makes it."""
        child, other = self._after(s, m)
        over = self.game.result(child)
        if over is not None:
            low = high = scores.final(int(over), 0, bool(self.game.margin))
        else:
            low, high = self._value(child, weak)
        low, high = scores.from_root(low, 1), scores.from_root(high, 1)
        return (-high, -low) if other else (low, high)

    def _all_moves(self, s: Any, weak: bool) -> list[tuple[int, int | None]]:
        out: list[tuple[int, int | None]] = []
        for m in self.game.legal(s):
            low, high = self._move_value(s, m, weak)
            sign = 1 if low > 0 else -1 if high < 0 else 0 if low == high == 0 else None
            out.append((m, sign if weak else low if low == high else None))
        out.sort(key=lambda pair: 3 * WIN if pair[1] is None else -pair[1])
        return out

    def _line(self, s: Any, found: Solution) -> tuple[int, ...]:
        """A best line: at every step a move that keeps the value."""
        low, high = found.low, found.high
        line: list[int] = []
        while self.game.result(s) is None and not self._stopped:
            m = self._keeps(s, low, found.weak)
            if m is None:
                break
            line.append(m)
            s, other = self._after(s, m)
            low, high = scores.from_here(low, 1), scores.from_here(high, 1)
            if other:
                low, high = -high, -low
            if found.weak and len(line) == 1:
                break
        return tuple(line)

    def _keeps(self, s: Any, low: int, weak: bool) -> int | None:
        """A move whose value is at least `low`; with `weak`, one that wins, draws or loses as that does."""
        goal = low if not weak else 1 if low > 0 else 0 if low == 0 else -scores.INFINITE
        for m in sorted(self.game.legal(s), key=lambda m: -self._hint(s, m)):
            holds = self._holds(s, m, goal, weak)
            if holds is None:
                return None
            if holds:
                return m
        return None

    def _holds(self, s: Any, m: int, goal: int, weak: bool) -> bool | None:
        """Is a move worth at least `goal`? None where the search was stopped."""
        game = self.game
        child, other = self._after(s, m)
        over = game.result(child)
        known = scores.final(int(over), 0, bool(game.margin)) if over is not None else self._looked_up(child)
        if known is not None:
            value = scores.from_root(known, 1)
            return (-value if other else value) >= goal
        asked = goal if weak else self._asked(goal)
        beta = asked if game.margin else asked + 1 if asked > 0 else asked - 1 if asked < 0 else 0
        answer = self._ask(game.layout.pack(child), 1 - beta if other else beta)
        if answer is None:
            return None
        return answer < 1 - beta if other else answer >= beta

    def _hint(self, s: Any, m: int) -> int:
        """How early the search tries a move."""
        rules, has = self.game.rules, self.game.has
        if "promise" in has:
            return int(rules["promise"](s, m, self.game.play(s, m)))
        if "pressure" in has:
            return int(rules["pressure"](self.game.play(s, m)))
        return self.game.order(s, m)

    def _asked(self, told: int) -> int:
        """A score of `score.py` as a score of the kernel."""
        if not self.game.margin:
            return told
        return scores.margin(told) or (0 if abs(told) < scores.PROVEN else told)


def too_long(game: Game, s: Any) -> bool:
    """Are more plies left than a search could come to an end with?"""
    return bool(game.solvable) and "remaining" in game.has and int(game.rules["remaining"](s)) > game.solvable


def book_path(game: Game) -> Path:
    """Where a book is kept that was made on this machine: the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "plyground" / f"{_plain(game)}.book"


def shipped_book(game: Game) -> Path:
    """Where the book lies that comes with a game, if one does."""
    return GAMES / "books" / f"{_plain(game)}.book"


def _plain(game: Game) -> str:
    """The name of a game with its parameters, as a file may be called; two files of the same name are two games."""
    file = Path(game.file or "").resolve()
    own = [] if file.parent == GAMES.resolve() else [hashlib.blake2b(str(file).encode(), digest_size=4).hexdigest()]
    return "-".join([game.name.partition("(")[0], *own, *(f"{name}{value}" for name, value in game.parameters.items())])


def find_book(game: Game) -> Tablebase | None:
    """The book that was made for a game, or that comes with it, whichever has more; None where there is none of these rules."""
    from plyground.solver.tables import open_table

    found = []
    for path in (book_path(game), shipped_book(game)):
        if path.is_file():
            with contextlib.suppress(PlygroundError):
                found.append(open_table(path, game))
    return max(found, key=lambda book: book.states, default=None)


def check_solvable(game: Game) -> None:
    """Refuses games whose value this search cannot find, and says what can."""
    if "chance" in game.has:
        raise PlygroundError(f"{game.name} has dice or tiles: no line of play is certain; `analyse` gives expected results")
    if len(game.sides) != 2:
        what = "is a solitaire" if len(game.sides) == 1 else f"has {len(game.sides)} sides"
        instead = "`analyse` searches it" if len(game.sides) == 1 else "`explain --algorithm maxn` searches it"
        raise PlygroundError(f"{game.name} {what}; the solver is for two sides: {instead}")
    if game.repetition:
        raise PlygroundError(
            f"{game.name} can repeat positions, so its tree has no end: `analyse` finds forced wins, "
            "--table FILE solves a small game whole, and an ending with --ending"
        )
