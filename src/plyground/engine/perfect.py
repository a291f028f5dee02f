"""Perfect answers for the engine: from the game's book, or from the solver if it is fast enough.

At full strength, the book comes first. Then the solver gets a share of the time, if it can be expected to succeed: after a short
search, it solves states on the line of that search, those nearest to the end first, and from the time these take follows what
the state itself would take. If it fails, the search goes on with what it has proven, and most of the time has been the search's.
"""

from __future__ import annotations

import random

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.play.report import Analysis
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.solver.solver import Solver, check_solvable, too_long
from plyground.solver.solving import Expectation, Solution
from plyground.system.runner import Runner

HEAD, LONGEST_HEAD = 0.1, 0.5
"""The share of the time for the search before the solver, and the most that this is, in seconds."""
SHARE = 0.4
"""The solver's share of the time if the game has `remaining`."""
PILOT = 0.1
"""The share of the time for one state on the search's line; also the solver's if there is no such state."""
SHARE_WITHOUT_REMAINING = 0.2
"""The solver's share of the time if the game has no `remaining`."""
UNLIMITED_SECONDS = 12.0
"""The time of which the solver has its share, in seconds, if there is no limit."""
GROWTH = 1.7
"""With each ply left, the solver is expected to need this many times as long (in Othello, a square counts as two plies)."""
FAILED = 3.0
"""A state that was not solved is expected to take this many times as long as was spent on it."""
HOPE = 4.0
"""If an earlier state lets the solver expect to need more than this many times its share, not even the line is looked at."""
RETRY_PLIES = 4
"""In games without `remaining`, this many plies must be played after a failure before the solver is tried again."""


class ExactAnswers:
    """The exact value and a best move of a state, if they can be found in time."""

    def __init__(self, game: Game, memory: float, threads: int, choice: random.Random) -> None:
        self.game, self.choice = game, choice
        self.solver = Solver(game, memory=memory, threads=threads)
        self.solver.table.clear()  # touch each page now: the system clears it at first use, which would delay a move
        self._gave_up = False
        self._waits = 0  # moves before the solver is tried again, in games without `remaining`
        self._failures = 0
        self._measured: tuple[int, float] | None = None  # the plies left of a state, and the seconds that it takes

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

    # -- the book ----------------------------------------------------------------------------------------------------------

    def look_up(self, s: State, lines: int) -> Analysis | None:
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

    # -- the solver --------------------------------------------------------------------------------------------------------

    def seconds(self, limit: Limit) -> float:
        """Return the time of which the solver has its share, in seconds."""
        budget = limit.budget()
        return budget[0] if budget else UNLIMITED_SECONDS

    def head_seconds(self, limit: Limit) -> float:
        """Return the time for the search before the solver, in seconds."""
        return min(HEAD * self.seconds(limit), LONGEST_HEAD)

    def worth_trying(self, s: State, seconds: float) -> bool:
        """Return whether the solver may solve a state within its share of this time."""
        if self._gave_up or too_long(self.game, s):
            return False
        if "remaining" in self.game.has:
            return self._expected_seconds(s) <= HOPE * SHARE * seconds
        self._waits -= 1
        return self._waits < 0

    def solve(self, s: State, first: Analysis, seconds: float, lines: int, runner: Runner) -> Solution | None:
        """Return what the solver proves within its share of the time, if it is tried; `first` is from a short search."""
        try:
            if "remaining" in self.game.has:
                return self._solve_after_others(s, first, seconds, lines, runner)
            found = self._solve(s, SHARE_WITHOUT_REMAINING * seconds, first, lines)
        except PlygroundError:  # the game is too long or too wide for the solver
            self._gave_up = True
            return None
        if not found.solved:
            self._failures += 1
            self._waits = RETRY_PLIES**self._failures
        return found

    def _solve_after_others(self, s: State, first: Analysis, seconds: float, lines: int, runner: Runner) -> Solution | None:
        """Solve states on the line of the search, while they are quick; then the state itself, if it should fit."""
        clock = Runner(SHARE * seconds)
        states = [s]
        for m in first.line:
            states.append(self.game.child(states[-1], m))
            if self.game.result(states[-1]) is not None:
                break
        for ahead in states[:1:-2]:
            if runner.stopped or self._expected_seconds(ahead) > PILOT * seconds:
                break
            if self.game.result(ahead) is None and not self._solve(ahead, PILOT * seconds).solved:
                break
        share = clock.left if self._measured else PILOT * seconds
        if share <= 0 or runner.stopped or self._expected_seconds(s) > share:
            return None
        return self._solve(s, share, first, lines)

    def _solve(self, s: State, seconds: float, first: Analysis | None = None, lines: int = 1) -> Solution:
        """Solve a state and record how long it took; `first` is what a search of it has found."""
        expected = None if first is None or first.move is None else Expectation(first.move, self._margin(first.score))
        found = self.solver.solve(s, Limit(time=seconds), all_moves=lines > 1, line=first is not None, expected=expected)
        if "remaining" in self.game.has:
            took = found.seconds if found.solved else max(FAILED * found.seconds, self._expected_seconds(s))
            self._measured = int(self.game.rules["remaining"](s)), took
        return found

    def _margin(self, score: float) -> int | None:
        """Return the margin that a score of the search stands for; None if its scale is unknown or there are no margins."""
        if not self.game.margin or not self.game.tuning.survey:
            return None
        exact = scores.margin(int(score))
        return round(score / self.game.tuning.unit) if exact is None else exact

    def _expected_seconds(self, s: State) -> float:
        """Return the time that a solution is expected to take, from that of the last state; 0 if there was none."""
        if self._measured is None:
            return 0.0
        left, seconds = self._measured
        return seconds * GROWTH ** min(int(self.game.rules["remaining"](s)) - left, 100)

    def answer(self, found: Solution, lines: int) -> Analysis | None:
        """Return the answer of a finished solution, else None."""
        unfinished = lines > 1 and (not found.moves or any(v is None for _, v in found.moves))
        if found.score is None or found.move is None or unfinished:
            return None
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

    @staticmethod
    def combine(found: Analysis, proof: Solution) -> bool:
        """Correct the answer of a search by the bounds that the solver has proven; return whether that changed it.

        A move that is proven to get more than the search expects replaces the search's, whether or not its margin is known.
        """
        if found.exact or found.move is None:
            return False
        before = found.move, found.score
        if proof.low > found.score and proof.move is not None:
            if proof.move != found.move:
                found.move, found.line, found.source = proof.move, (proof.move,), "solver"
            found.score = proof.low
        found.score = min(found.score, proof.high)  # holds for every move
        if before == (found.move, found.score):
            return False
        found.moves = [(found.move, found.score), *((m, v) for m, v in found.moves if m != found.move)]
        found.limited = found.partial = False
        return True
