"""The game tree as the algorithms walk it: the rules, the score of a leaf, and the path from the root.

An algorithm is a function `f(tree, s, depth, ...)`, decorated with `@node`, that returns the value of s. The tree keeps track of
the path so that the algorithm need not: it counts a win's plies from the root, reports steps to the trace, keeps the best line.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from plyground import score
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.derived_games import plain_state
from plyground.textbook.trace import Counter, Trace, Value, Window

INFINITE = score.INFINITE
WHOLE = math.inf
"""The depth of a search to the end of the game."""
LOWER, UPPER, EXACT = 1, 2, 3
"""What a table entry says: the value is at least this, at most this, exactly this."""
BOUNDS = {LOWER: "lower", UPPER: "upper", EXACT: "exact"}
OWN, MAX, ALL = "own", "max", "all"
"""Whose values an algorithm returns: those of the side to move, of the side to move at the root, or a tuple for all sides."""

F = TypeVar("F", bound=Callable[..., Any])
Number = TypeVar("Number", int, float)
LeafValue = TypeVar("LeafValue", int, float, tuple[float, ...])


class SearchTimeout(Exception):  # noqa: N818
    """The deadline has passed in the middle of a search."""


class Answer(NamedTuple):
    """What a search found."""

    value: Any
    """For the side to move: an int, a float in games of chance, a tuple with three or more sides; None if it was stopped."""
    move: int | None
    """The best move; None if there is none."""
    line: tuple[int, ...]
    """The best line."""
    note: str = ""
    learned: Game | None = None
    """The game with the evaluation that the algorithm learned."""
    depth: float | None = None
    """Of the last iteration, if there were several."""


class Frame:
    """One node of the path from the root to the current node."""

    __slots__ = ("best", "current", "depth", "kind", "line", "move", "moves", "number", "parent", "side", "sign", "state")

    def __init__(self, number: int, parent: Frame | None, state: State, depth: float) -> None:
        self.number = number
        self.parent = parent
        self.state = state
        self.depth = depth
        self.move: int | None = None if parent is None else parent.current  # the move that led here
        self.side: int = 1 if parent is None else parent.side * parent.sign  # 1 where max moves, -1 where min does
        self.kind = "max" if self.side > 0 else "min"
        self.moves: list[int] = []  # in the order they are tried
        self.current: int | None = None  # the move being searched
        self.sign: int = 1  # -1 if the side to move changes after that move
        self.best: float | None = None  # the best child's value for the side to move here, and the line through it
        self.line: tuple[int, ...] = ()


class MoveOrder(Protocol):
    """Decides in which order moves are tried, and learns from cutoffs."""

    def arrange(self, tree: Tree, s: State, moves: list[int]) -> list[int]:
        """Return the moves, the most promising first."""

    def cutoff(self, tree: Tree, s: State, m: int, depth: float) -> None:
        """Take note that m caused a cutoff in s."""


class Tree:
    """A game seen as a tree, walked along one path at a time."""

    def __init__(
        self,
        game: Game,
        trace: Trace | None = None,
        ordering: MoveOrder | None = None,
        faster: bool = True,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.game = game
        self.trace = Counter() if trace is None else trace
        self.ordering = ordering
        self.faster = faster  # whether faster wins are worth more; otherwise all wins are equal
        self.clock = clock
        self.deadline = math.inf
        self.here: Frame | None = None
        self.root: Frame | None = None
        self.ply = -1
        self.visits = 0
        self.estimates = 0
        self.memory: dict[str, Any] = {}  # what an algorithm keeps from one search to the next: tables, killers
        self.chance = "chance" in game.has
        self.many = len(game.sides) > 2
        self.high = float(game.margin) if game.margin else math.inf
        self.low = -self.high

    # -- the rules -----------------------------------------------------------------------------------------------------

    def moves(self, s: State, first: int | None = None) -> list[int]:
        """Return the moves in the order to try them; `first` comes first if given."""
        found = [int(m) for m in self.game.moves(s)]
        if self.ordering is not None:
            found = self.ordering.arrange(self, s, found)
        if first in found:
            found = [first, *(m for m in found if m != first)]
        frame = self.current()
        frame.moves = found
        self.trace.listed(frame.number, found)
        return found

    def outcomes(self, s: State) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities; empty where a player is to move."""
        found = self.game.outcomes(s)
        if found:
            self.current().moves = [m for m, _ in found]
        return found

    def play(self, s: State, m: int) -> tuple[State, int]:
        """Return the state after m, and the sign of its value for the side to move in s: -1 if the other side moves next."""
        child = self.game.child(s, m)
        frame = self.current()
        frame.current = m
        frame.sign = self.sign(s, child)
        return child, frame.sign

    def sign(self, s: State, child: State) -> int:
        """Return -1 if the side to move changes from s to its child, otherwise 1."""
        return -1 if len(self.game.sides) == 2 and self.game.changes_turn(s, child) else 1

    # -- leaves ----------------------------------------------------------------------------------------------------------

    def leaf(self, s: State, depth: float) -> int | None:
        """Return the value for the side to move if the game is over or the depth limit is reached; None to search on."""
        value = self.over(s)
        return self.estimate(s) if value is None and depth <= 0 else value

    def utility(self, s: State, depth: float) -> int | None:
        """Return that value for max, the side to move at the root."""
        value = self.leaf(s, depth)
        return None if value is None else value * self.current().side

    def over(self, s: State) -> int | None:
        """Return the score of a finished game, for the side to move; None while the game goes on."""
        result = self.game.result(s)
        return None if result is None else self._leaf(self.final(result), "terminal")

    def final(self, result: int) -> int:
        """Return the score, at the root, of a game that ends here; if all wins are equal, their distance is left unknown."""
        return score.final(result, self.ply if self.faster else score.MAX_PLIES, bool(self.game.margin))

    def estimate(self, s: State, kind: str = "heuristic") -> int:
        """Return the heuristic value for the side to move, smaller than any proven one."""
        self.estimates += 1
        return self._leaf(score.clip(int(self.game.evaluate(s))), kind)

    def expected(self, s: State, depth: float) -> float | None:
        """Return the result or expected result for the side to move in a game of chance; None to search on."""
        result = self.game.result(s)
        if result is not None:
            return self._leaf(float(result), "terminal")
        if depth > 0:
            return None
        self.estimates += 1
        return self._leaf(self.limit(self.game.evaluate(s)), "heuristic")

    def limit(self, value: float) -> float:
        """Return an estimate in a game of chance, clipped to the range of results if the game states it."""
        return max(self.low, min(self.high, float(value)))

    def side_values(self, s: State, depth: float) -> tuple[float, ...] | None:
        """Return what each side gets in a game with three or more; None to search on."""
        result = self.game.result(s)
        if result is not None:
            return self._leaf(cast(tuple[float, ...], result), "terminal")
        if depth > 0:
            return None
        self.estimates += 1
        value: tuple[float, ...] = self.game.evaluate(s) if "evaluate" in self.game.has else (0,) * len(self.game.sides)
        return self._leaf(value, "heuristic")

    def _leaf(self, value: LeafValue, kind: str) -> LeafValue:
        frame = self.current()
        self.trace.leaf(frame.number, value if self.many else value * frame.side, kind)
        return value

    # -- tables: a win is stored with plies counted from the state, not from the root -------------------------------------------

    def to_table(self, value: int) -> int:
        """Return a value as a table stores it, correct wherever the state occurs again."""
        return score.from_here(value, self.ply) if self.faster else value

    def from_table(self, value: int) -> int:
        """Return a value from the table, converted to plies from the root."""
        return score.from_root(value, self.ply) if self.faster else value

    def hit(self, bound: int, value: int, move: int | None = None) -> int:
        """Report that the table settles this node, and return the value."""
        frame = self.current()
        frame.line = () if move is None else (move,)
        self.trace.hit(frame.number, value * frame.side, BOUNDS[bound], move)
        return value

    # -- steps ------------------------------------------------------------------------------------------------------------

    def current(self) -> Frame:
        """Return the current node."""
        assert self.here is not None, "only a function decorated with @node has a current node"
        return self.here

    def enter(self, s: State, depth: float, window: Window, view: str) -> None:
        """Start a node."""
        if self.deadline < math.inf and self.clock() > self.deadline:
            raise SearchTimeout
        frame = Frame(self.visits, self.here, s, depth)
        if self.chance and self.game.is_chance(s):
            frame.kind = "chance"
        elif self.many:
            frame.kind = self.game.sides[self.game.turn(s) or 0]
        self.here = frame
        self.visits += 1
        self.ply += 1
        if window is not None and frame.side < 0 and view == OWN:
            window = (-window[1], -window[0])
        parent = None if frame.parent is None else frame.parent.number
        left = None if depth == WHOLE else depth
        self.trace.enter(frame.number, parent, frame.move, plain_state(s), left, window, frame.kind)

    def leave(self, value: float | tuple[float, ...], view: str) -> None:
        """End the node with its value and pass the value to its parent."""
        frame = self.current()
        shown = value if isinstance(value, tuple) or view == MAX else value * frame.side
        self.trace.leave(frame.number, shown, frame.line[0] if frame.line else None, frame.line)
        self.pop()
        parent = frame.parent
        if parent is None:
            self.root = frame
            return
        assert frame.move is not None
        if isinstance(value, tuple):
            gain = value[self.game.turn(parent.state) or 0]
        else:
            gain = value * (parent.sign if view == OWN else parent.side)
        better = parent.best is None or gain > parent.best or (gain == parent.best and parent.line[:1] == (frame.move,))
        if better and parent.kind != "chance":
            parent.best, parent.line = gain, (frame.move, *frame.line)
        self.trace.child(parent.number, frame.move, shown, better)

    def pop(self) -> None:
        """Go back to the parent."""
        self.here = self.current().parent
        self.ply -= 1

    def cutoff(self, m: int, value: float, beta: float) -> None:
        """Report that after m the node is worth at least `value`, and that values from `beta` up can't matter above."""
        frame = self.current()
        if frame.kind == "min":
            reason = ("min can already force {} here, max has {} elsewhere", -value, -beta)
        else:
            reason = ("max can already force {} here, min has {} elsewhere", value, beta)
        self.cut(m, *reason)
        if self.ordering is not None:
            self.ordering.cutoff(self, frame.state, m, frame.depth)

    def cut_average(self, m: int, bound: float, limit: float, at_least: bool) -> float:
        """Report that after m a chance node's average is at least (or at most) `bound`, outside the window; return `bound`."""
        side = self.current().side
        reason = "the average here is at least {}, min has {} elsewhere"
        if at_least != (side > 0):
            reason = "the average here is at most {}, max has {} elsewhere"
        self.cut(m, reason, bound * side, limit * side)
        return bound

    def cut(self, m: int, reason: str, *values: float) -> None:
        """Report that the moves after m are skipped, and why, in words and with max's values."""
        frame, trace = self.current(), self.trace
        first = m == frame.moves[0]
        if not trace.words:
            trace.cutoff(frame.number, m, first, (), "")
            return
        rest = tuple(frame.moves[frame.moves.index(m) + 1 :])
        trace.cutoff(frame.number, m, first, rest, reason.format(*map(words.for_max, values)))

    def answer(self, value: Value, note: str = "") -> Answer:
        """Return the answer of the search from the root that has just ended."""
        assert self.root is not None
        return Answer(value, self.root.line[0] if self.root.line else None, self.root.line, note)


def _reported(view: str) -> Callable[[F], F]:
    def decorate(search: F) -> F:
        @functools.wraps(search)
        def visit(tree: Tree, s: State, depth: float = WHOLE, *rest: float) -> float | tuple[float, ...]:
            tree.enter(s, depth, (rest[0], rest[1]) if len(rest) == 2 else None, view)
            try:
                value: float | tuple[float, ...] = search(tree, s, depth, *rest)
            except BaseException:
                tree.pop()
                raise
            tree.leave(value, view)
            return value

        return cast(F, visit)

    return decorate


node = _reported(OWN)
"""Marks an algorithm that gives the value for the side to move; each call of it is a node of the tree."""
node_for_max = _reported(MAX)
"""Marks an algorithm that gives the value for max, the side to move at the root."""
node_for_all = _reported(ALL)
"""Marks an algorithm that gives a tuple: a value for each side."""


def window(sign: int, alpha: Number, beta: Number) -> tuple[Number, Number]:
    """Return the window for a child: negated and swapped if the other side moves there."""
    return (alpha, beta) if sign > 0 else (-beta, -alpha)
