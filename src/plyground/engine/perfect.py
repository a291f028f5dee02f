"""Perfect answers for the engine: from the game's book, or from the solver if it is fast enough.

At full strength, the engine tries these first. The solver gets a share of the time; if that was not enough, it is tried again
only when the game is closer to its end, so that hard positions do not take time from the search on every move.
"""

from __future__ import annotations

import random

from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.solver import Solver, check_solvable, too_long
from plyground.solver.solving import Solution

SHARE = 0.8
"""The solver's share of the time if the game has `remaining`."""
SHARE_WITHOUT_REMAINING = 0.2
"""The solver's share of the time if the game has no `remaining`."""
UNLIMITED_SECONDS = 6.0
"""The time for the solver, in seconds, if there is no limit."""
RETRY_PLIES = 4
"""The number of plies that must be played after a failure before the solver is tried again."""
NEAR, LONG = 0.85, 10.0
"""With more than NEAR of the plies that the game calls `solvable`, the solver is tried only if it has LONG seconds."""


class ExactAnswers:
    """The exact value and a best move of a state, if they can be found in time."""

    def __init__(self, game: Game, memory: float, threads: int, choice: random.Random) -> None:
        self.game, self.choice = game, choice
        self.solver = Solver(game, memory=memory, threads=threads)
        self.solver.table.clear()  # touch each page now: the system clears it at first use, which would delay a move
        self._waits = 0  # moves before the solver is tried again, in games without `remaining`
        self._failures = 0
        self._left: int | None = None

    @classmethod
    def of(cls, game: Game, memory: float, threads: int, choice: random.Random) -> ExactAnswers | None:
        """Return the source of exact answers; None if the solver refuses the game, or if its rules define `likely`."""
        if "likely" in game.has:
            return None
        try:
            check_solvable(game)
        except PlygroundError:
            return None
        return cls(game, memory, threads, choice)

    def answer(self, s: State, limit: Limit, lines: int) -> Analysis | None:
        """Return the exact answer for a state, within a share of the search time."""
        budget = limit.budget()
        seconds = budget[0] if budget else UNLIMITED_SECONDS
        known = self._from_book(s, lines)
        if known is not None or not self._worth_trying(s, seconds):
            return known
        try:
            share = SHARE if "remaining" in self.game.has else SHARE_WITHOUT_REMAINING
            found = self.solver.solve(s, Limit(time=share * seconds), all_moves=lines > 1)
        except PlygroundError:  # the game is too long or too wide for the solver
            self._waits = 1 << 30
            return None
        if found.score is None or found.move is None or (lines > 1 and any(v is None for _, v in found.moves)):
            self._record_failure(s)
            return None
        return self._from_solver(found, lines)

    def _from_book(self, s: State, lines: int) -> Analysis | None:
        """Return the book's answer, if it knows every move; a random one of equal moves."""
        scored = self._best_first(s)
        if not scored:
            return None
        line: list[int] = []
        after = scored
        while after:
            line.append(after[0][0])
            s = self.game.child(s, line[-1])
            after = self._best_first(s)
        return self._analysis(scored[0][1], tuple(line), scored[:lines], "book")

    def _best_first(self, s: State) -> list[tuple[int, int]]:
        """List every move with its book score, best first, equals in random order; empty if the book does not know them all."""
        scored = self.solver.book_moves(s)
        self.choice.shuffle(scored)
        return sorted(scored, key=lambda pair: -pair[1])

    def _from_solver(self, found: Solution, lines: int) -> Analysis:
        assert found.score is not None
        assert found.move is not None
        scored = [(m, v) for m, v in found.moves if v is not None] or [(found.move, found.score)]
        scored.sort(key=lambda pair: (pair[0] != found.move, -pair[1]))
        answer = self._analysis(found.score, found.line or (found.move,), scored[:lines], "solver")
        answer.nodes, answer.seconds = found.nodes, found.seconds
        return answer

    def _analysis(self, score: int, line: tuple[int, ...], scored: list[tuple[int, int]], source: str) -> Analysis:
        return Analysis(
            *(line[0], score, len(line)),
            line=line,
            exact=True,
            moves=[*scored],
            exact_moves=frozenset(m for m, _ in scored),
            source=source,
        )

    def _worth_trying(self, s: State, seconds: float) -> bool:
        if too_long(self.game, s):
            return False
        if "remaining" in self.game.has:
            left = int(self.game.rules["remaining"](s))
            near = not self.game.tuning.solvable or left <= NEAR * self.game.tuning.solvable or seconds >= LONG
            return near and (self._left is None or left <= self._left - RETRY_PLIES)
        self._waits -= 1
        return self._waits < 0

    def _record_failure(self, s: State) -> None:
        if "remaining" in self.game.has:
            self._left = int(self.game.rules["remaining"](s))
        self._failures += 1
        self._waits = RETRY_PLIES**self._failures
