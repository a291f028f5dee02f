"""Solving one state: the questions to ask about it, its bounds, its moves and its line.

The kernel (`kernels/solve/null_window.py`) is asked one question after another, "is the value at least this much?", until both
bounds meet. If stopped early, the solution is the bounds proven so far. Scores are as in `score.py`: 10000 minus the plies to a
win, or 10000 plus the margin.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.kernels.search.search_memory import UNLIMITED
from plyground.kernels.solve.null_window import GUESS, MAX_PLY, SolverMemory
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.score import OPEN, distance, final
from plyground.system.machine import clock_ns
from plyground.system.runner import POLL_SECONDS, Runner

if TYPE_CHECKING:
    from plyground.solver.tablebase import Tablebase
    from plyground.solver.tablebase.file import Array

Kernel = Callable[[int, int, int], int]
"""The search as native code: the state's address, beta, the memory's address."""
Questions = Generator[tuple[int, bool], tuple[int, int, bool], None]
QUICK_NODES = 50_000
"""A question is first tried with this many nodes, on the thread that asks; only then are other threads worth their cost."""
SLOWEST_NODES_PER_SECOND = 100_000
"""The nodes per second of the slowest rules: without a clock for native code, that first try must end by the deadline."""


@dataclass(frozen=True)
class SolverProgress:
    """The progress of a solver: the value is between these two scores."""

    low: int
    high: int
    nodes: int
    seconds: float


@dataclass(frozen=True)
class Expectation:
    """What a search expects: its move is tried first; who wins is asked first, then by how much, outward from its margin."""

    move: int
    margin: int | None = None


@dataclass
class Solution:
    """What was proven about a state, for the side to move."""

    low: int
    high: int
    weak: bool = False
    """Whether only the winner was asked for, and not the score."""
    move: int | None = None
    """A move that gets at least `low`, if one is known."""
    line: tuple[int, ...] = ()
    nodes: int = 0
    seconds: float = 0.0
    moves: list[tuple[int, int | None]] = field(default_factory=list)
    """Every legal move with its score, best first, if asked for; None if unfinished."""
    looked_up: bool = False
    """Whether the value is from a book."""

    @property
    def solved(self) -> bool:
        """Whether the question is answered."""
        return self.value != "unknown" if self.weak else self.low == self.high

    @property
    def score(self) -> int | None:
        """The score; None if only bounds are known."""
        return self.low if self.low == self.high else None

    @property
    def value(self) -> str:
        """The value for the side to move: win, draw, loss or unknown."""
        if self.low > 0:
            return "win"
        if self.high < 0:
            return "loss"
        return "draw" if self.low == self.high == 0 else "unknown"

    @property
    def plies(self) -> int | None:
        """The plies to the win or loss; None for draws, margins and unknown values."""
        return None if self.score is None else scores.plies(self.score)


def final_score(game: Game, s: State) -> int | None:
    """Return the score of a finished game, for the side that would be to move; None if it goes on."""
    over = game.result(s)
    return None if over is None else scores.final(int(over), 0, bool(game.margin))


def move_score(game: Game, s: State, child: State, score: int) -> int:
    """Return the score of a move, from that of the state it leads to."""
    score = scores.from_root(score, 1)
    return -score if game.changes_turn(s, child) else score


class SolverSearch:
    """One search of a solver, with the solver's table and memory."""

    def __init__(
        self,
        game: Game,
        blocks: Sequence[SolverMemory],
        load_kernel: Callable[[], Kernel],
        book: Tablebase | None,
        limit: Limit,
        weak: bool,
        on_progress: Callable[[SolverProgress], None] | None,
        expected: Expectation | None = None,
    ) -> None:
        self.expected = expected
        self.game, self.blocks, self.load_kernel, self.book, self.weak = game, blocks, load_kernel, book, weak
        self.on_progress = on_progress
        self.found = Solution(*scores.OPEN, weak)
        """What is proven so far."""
        self.runner = Runner(limit.seconds)
        self.most = -(-limit.nodes // len(self.blocks)) if limit.nodes else UNLIMITED
        for block in self.blocks:
            block.nodes, block.stop = 0, self.runner.address

    def solve(self, s: State, all_moves: bool, line: bool) -> Solution:
        """Solve a state and, if asked, every move and a best line."""
        found = self.found
        over = final_score(self.game, s)
        if over is not None:
            found.low = found.high = over
            return found
        try:
            found.low, found.high = self._value(s, at_root=True)
            found.looked_up = self._from_book(s) is not None
            self.on_progress = None
            if all_moves and not self.runner.stopped:
                found.moves = self._all_moves(s)
                found.move = found.moves[0][0] if found.moves[0][1] is not None else found.move
            if line and found.solved and not self.runner.stopped:
                found.line = self._line(s)
                found.move = found.line[0] if found.line else found.move
        finally:
            found.nodes, found.seconds = self.nodes, self.runner.seconds
        return found

    @property
    def nodes(self) -> int:
        """The nodes of all threads."""
        return sum(block.nodes for block in self.blocks)

    def _report(self) -> None:
        if self.on_progress is not None:
            self.on_progress(SolverProgress(self.found.low, self.found.high, self.nodes, self.runner.seconds))

    # -- a value by questions ------------------------------------------------------------------------------------------------

    def _limits(self, s: State) -> tuple[int, int]:
        """Return the lowest and highest possible value of a state."""
        game = self.game
        if not game.margin:
            return scores.OPEN
        if "bounds" in game.has:
            low, high = (int(x) for x in game.rules["bounds"](s))
            return max(low, -game.margin), min(high, game.margin)
        return -game.margin, game.margin

    def _value(self, s: State, at_root: bool = False) -> tuple[int, int]:
        """Return bounds on the value of a state, as scores of `score.py`; equal if it is solved."""
        known = self._from_book(s)
        if known is not None:
            return known, known
        row = self.game.layout.row(s)
        low, high = self._limits(s)
        ask = self._questions(s, at_root)
        beta, quick = next(ask)
        for block in self.blocks:
            block.first_move = self.expected.move + 1 if at_root and self.expected is not None else 0
        while low < high and not (self.weak and (low > 0 or high < 0)) and not self.runner.stopped:
            if at_root:
                self.found.low, self.found.high = self._final(low), self._final(high)
            beta = max(low + 1, min(beta, high))
            answer = self._ask(row, beta, quick)
            if answer is None and not quick:
                break
            if answer is not None and answer[0] >= beta:
                low = max(low, min(answer[0], high))
                if at_root:
                    self.found.move = answer[1]
            elif answer is not None:
                high = min(high, max(answer[0], low))
            beta, quick = ask.send((low, high, answer is not None))
        return self._final(low), self._final(high)

    def _from_book(self, s: State) -> int | None:
        """Return the book's score for a state."""
        return None if self.book is None else self.book.score(s)

    def _final(self, value: int) -> int:
        """Convert a kernel score to a score of `score.py`."""
        return scores.final(value, 0, True) if self.game.margin else value

    def _questions(self, s: State, at_root: bool) -> Questions:
        """Return the questions to ask about a state."""
        game = self.game
        if self.weak:
            return signs()
        if not game.margin:
            return distances(int(game.rules["remaining"](s)) if "remaining" in game.has else None)
        if at_root and self.expected is not None and self.expected.margin is not None:
            guess = self.expected.margin
        elif "guess" in game.has:
            guess = int(game.rules["guess"](s))
        else:
            estimate = self._call(game.layout.row(s), GUESS, self.blocks[0], QUICK_NODES) if game.tuning.survey else None
            guess = 0 if estimate is None else estimate[0]
        return winner_first(guess) if at_root and self.expected is not None else margins(guess)

    def _ask(self, row: Array, beta: int, quick: bool = False) -> tuple[int, int | None] | None:
        """Return a bound on the value, at least beta or below it, and a move that reaches beta, if one is known.

        None if stopped or if a `quick` search took too long.
        """
        left = self.runner.left
        if left <= 0:
            self.runner.stop()
        nodes = QUICK_NODES
        if not clock_ns():
            nodes = int(max(500, min(nodes, left * SLOWEST_NODES_PER_SECOND)))
        elif left < POLL_SECONDS and len(self.blocks) == 1 and not quick:
            nodes = UNLIMITED  # another thread could not end sooner
        value = self._call(row, beta, self.blocks[0], nodes)
        while value is None and not self.runner.stopped and not quick:
            value = self.runner.run(
                lambda number: self._call(row, beta, self.blocks[number], UNLIMITED), len(self.blocks), tick=self._report
            )
        return value

    def _call(self, row: Array, beta: int, block: SolverMemory, nodes: int) -> tuple[int, int | None] | None:
        """Return one thread's answer, and its move if it knows one; None if it has no answer within this many nodes."""
        block.node_limit = min(block.nodes + nodes, self.most)
        block.aborted = block.overflow = block.beyond = block.next_check = 0
        block.start_clock(None if self.runner.deadline == math.inf else self.runner.left)
        own = row.copy()  # in-place rules change it
        value = self.kernel(own.ctypes.data, beta, block.address)
        if block.beyond:
            raise self.game.margin_error(block.beyond)
        if block.overflow == 1:
            raise PlygroundError(f"{self.game.name}: too many plies and too many moves for this search; try `--proof`")
        if block.overflow:
            raise PlygroundError(
                f"{self.game.name}: the game lasts more than {MAX_PLY} plies; if positions can repeat, "
                "set REPETITION and solve the whole game with --table"
            )
        if not block.aborted:
            return int(value), block.root_move - 1 if block.root_move else None
        if block.nodes >= self.most or self.runner.left <= 0:
            self.runner.stop()
        return None

    @functools.cached_property
    def kernel(self) -> Kernel:
        """The search, compiled on first use: positions of a book do not need it."""
        with self.runner.pause_clock():
            return self.load_kernel()

    # -- moves and lines -----------------------------------------------------------------------------------------------------

    def _move_value(self, s: State, m: int) -> tuple[int, int]:
        """Return bounds on the value of a move, for the side that makes it."""
        child = self.game.child(s, m)
        over = final_score(self.game, child)
        bounds = self._value(child) if over is None else (over, over)
        low, high = sorted(move_score(self.game, s, child, value) for value in bounds)
        return low, high

    def _all_moves(self, s: State) -> list[tuple[int, int | None]]:
        out: list[tuple[int, int | None]] = []
        for m in self.game.legal(s):
            low, high = self._move_value(s, m)
            sign = 1 if low > 0 else -1 if high < 0 else 0 if low == high == 0 else None
            out.append((m, sign if self.weak else low if low == high else None))
        out.sort(key=lambda pair: scores.INFINITE if pair[1] is None else -pair[1])
        return out

    def _line(self, s: State) -> tuple[int, ...]:
        """Return a best line: each move keeps the value."""
        value = self.found.low
        line: list[int] = []
        while self.game.result(s) is None and not self.runner.stopped:
            m = self._keeping_move(s, value)
            if m is None:
                break
            line.append(m)
            if self.weak:
                break
            child = self.game.child(s, m)
            value = scores.from_here(value, 1) * (-1 if self.game.changes_turn(s, child) else 1)
            s = child
        return tuple(line)

    def _keeping_move(self, s: State, low: int) -> int | None:
        """Return a move whose value is at least `low`; with `weak`, one with the same result."""
        goal = low if not self.weak else 1 if low > 0 else 0 if low == 0 else -scores.INFINITE
        for m in sorted(self.game.legal(s), key=lambda m: -self._hint(s, m)):
            holds = self._reaches(s, m, goal)
            if holds is None:
                return None
            if holds:
                return m
        return None

    def _reaches(self, s: State, m: int, goal: int) -> bool | None:
        """Return whether a move has at least the score `goal`; None if the search was stopped."""
        game = self.game
        child = game.child(s, m)
        known = final_score(game, child)
        if known is None:
            known = self._from_book(child)
        if known is not None:
            return move_score(game, s, child, known) >= goal
        other = game.changes_turn(s, child)
        asked = goal if self.weak else self._kernel_score(goal)
        beta = asked if game.margin else asked + 1 if asked > 0 else asked - 1 if asked < 0 else 0
        answer = self._ask(game.layout.row(child), 1 - beta if other else beta)
        if answer is None:
            return None
        return answer[0] < 1 - beta if other else answer[0] >= beta

    def _hint(self, s: State, m: int) -> int:
        """Return the hint by which the search orders a move: the highest is tried first."""
        rules, has = self.game.rules, self.game.has
        if "promise" in has:
            return int(rules["promise"](s, m, self.game.child(s, m)))
        if "pressure" in has:
            return int(rules["pressure"](self.game.child(s, m)))
        return self.game.order(s, m)

    def _kernel_score(self, score: int) -> int:
        """Convert a score of `score.py` to a kernel score."""
        return (scores.margin(score) or 0) if self.game.margin else score


# -- the order of the questions -------------------------------------------------------------------------------------------------

# Each generator yields pairs: beta, and whether the question is worth only a few nodes. After each, it is sent the bounds and
# whether there was an answer. They are infinite; the caller stops when the bounds meet. True claims are quick to prove; false
# ones take longest if they are nearly true.


def signs() -> Questions:
    """Ask whether it is at least a win, then whether it is at least a draw."""
    yield 1, False
    while True:
        yield 0, False


def distances(remaining: int | None) -> Questions:
    """Ask in how many plies a side wins; at most `remaining` are left, if known.

    First come quick questions, as long as they are answered; then who wins; after that, each answer is at least a step closer.
    """
    low, high = OPEN
    if remaining is not None:
        left = remaining + 1
        worst, best, answered = -left, left, True
        while answered:
            low, high, answered = yield score_of_rank(quick_rank(worst, best), left), True
            worst, best = max(worst, rank(low, left)), min(best, rank(high, left))
    if low <= 0 < high:
        low, high, _ = yield 1, False
    if low < 0 <= high:
        low, high, _ = yield 0, False
    while True:
        low, high, _ = yield low + 1 if low > 0 else high, False


def quick_rank(worst: int, best: int) -> int:
    """Return the rank to ask about, above `worst` and up to `best`.

    While either side may win, questions near the draw are the hardest. So this asks about the faster half of the wins or of the
    losses, whichever are more, which moves that bound closer. Once the winner is known, it halves what is left.

    >>> quick_rank(-8, 8), quick_rank(-3, 8), quick_rank(2, 8)
    (-3, 5, 6)
    """
    if best <= 0 or worst >= 0:
        return (worst + best) // 2 + 1
    losses, wins = -worst, best
    return wins // 2 + 1 if wins > losses + 1 else 1 - losses // 2


def winner_first(guess: int) -> Questions:
    """Ask who wins, beginning with the side that the guess favours; then by how much."""
    low, high, _ = yield int(guess > 0), False
    if low <= 0 <= high:
        yield int(guess <= 0), False
    yield from margins(guess)


def margins(guess: int) -> Questions:
    """Ask by how much, outward from a guess in small and then in growing steps: a question that goes too far costs the most."""
    step, small = 1, 6
    low, high, _ = yield guess, False
    rising = low >= guess
    while True:
        step, small = 2 if small > 0 else 2 * step, small - 1
        if (low + 1 >= guess) != rising:
            rising, step = not rising, 1
        middle = low + (high - low + 1) // 2
        low, high, _ = yield min(low + step, middle) if rising else max(high - step + 1, middle), False


def rank(value: int, left: int) -> int:
    """Return the rank of a score among all scores that are possible with this many plies left.

    0 is a draw, 1 the slowest possible win, 2 the next faster one; -1 the slowest loss, and so on.
    """
    if value == 0:
        return 0
    near = max(1, left - distance(value))
    return near if value > 0 else -near


def score_of_rank(rank: int, left: int) -> int:
    """Return the score of a rank."""
    return final(rank, left - abs(rank), margin=False)
