"""Checks the answers of solver and engine against plain searches, and what the solver's hooks promise.

The solver trusts these hooks. `SolverCheck` looks at every state of a random game, and at the whole game when it is over.
`EngineCheck` compares the engine with the textbook's expectiminimax on small trees, in games of chance.
"""

from __future__ import annotations

import math
import random
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from plyground import score as scores
from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.kernels.solve.children import SURE
from plyground.play import words
from plyground.play.limit import Limit
from plyground.rules.contract import is_int
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, State
from plyground.solver.solver import Solver, check_solvable
from plyground.textbook.minimax import expectiminimax
from plyground.textbook.trace import NodeLimitedTrace, NodeLimitError
from plyground.textbook.tree import Tree

TRUSTED_HOOKS = frozenset(name for name, hook in HOOKS.items() if hook.solver and hook.compiled and not hook.hint)
REFERENCE_NODES = 1000
"""Node limit for a reference search."""
Fault = tuple[str, str]


def for_solver(game: Game) -> SolverCheck | None:
    """Return the check for a game that has such hooks and that the solver accepts."""
    try:
        check_solvable(game)
    except PlygroundError:
        return None
    return SolverCheck(game) if game.key_bits or TRUSTED_HOOKS & game.has else None


class SolverCheck:
    """Checks the solver's hooks of one game, state by state and game by game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.solver = Solver(game, memory=1)
        self.codes: dict[int, Any] = {}
        self.values: dict[Hashable, int] = {}

    def state(self, s: State, tried: Sequence[tuple[int, State]]) -> Iterator[Fault]:
        """Yield what is wrong in a state that is not over; `tried` are some of its moves, with the states they lead to."""
        if self.game.key_bits:
            yield from self._code(s)
        if "safe" in self.game.has:
            yield from self._safe(s, tried)

    def finished(self, states: Sequence[State], result: int) -> Iterator[tuple[int, str, str]]:
        """Yield what is wrong in a finished game, each with the number of the state; `result` is that of the last state."""
        rules, value = self.game.rules, result
        for i in reversed(range(len(states) - 1)):
            s, left = states[i], len(states) - 1 - i
            value = -value if self.game.changes_turn(s, states[i + 1]) else value
            if "remaining" in self.game.has and not (is_int(most := rules["remaining"](s)) and most >= left):
                yield i, "remaining", f"`remaining` gives {most!r:.40}, but a game went on for {left} more plies"
            elif "safe" in self.game.has and result == 0 and most != left:
                yield (
                    i,
                    "remaining",
                    f"`remaining` gives {most}, but a draw came after {left} plies; with `safe` it must be exact",
                )
            if "bounds" in self.game.has:
                low, high = rules["bounds"](s)
                if not low <= value <= high:
                    yield i, "bounds", f"`bounds` gives {low} to {high}, but a game ended with {value:+d} for the side to move"
        yield from self._answers(states)

    def _code(self, s: State) -> Iterator[Fault]:
        """Check that the code has KEY_BITS bits, and that states that share it have the same moves."""
        game = self.game
        name = "code" if "code" in game.has else "key"
        s = game.canonical(s)
        code = int(game.code(s))
        if not 0 <= code < 1 << game.key_bits:
            yield "code", f"`{name}` gives {code}, which does not fit in KEY_BITS = {game.key_bits} bits"
        if len(self.codes) > 100_000:
            self.codes.clear()
        other = self.codes.setdefault(code, s)
        if game.identity(other) != game.identity(s) and ("banked" not in game.has or game.legal(other) != game.legal(s)):
            yield "code", f"`{name}` gives {code} for this state and for {game.format_state(other)}"

    def _safe(self, s: State, tried: Sequence[tuple[int, Any]]) -> Iterator[Fault]:
        """Check that `safe` gives exactly the moves after which the other side can't win at once, if the side to move can't."""
        game, legal = self.game, set(self.game.legal(s))
        if any(self._wins(s, m) for m in legal):
            return
        safe = [int(m) for m in game.rules["safe"](s)]
        if not legal.issuperset(safe):
            yield "safe", f"`safe` gives {game.format_move(s, min(set(safe) - legal))}, which is not among the moves"
            return
        for m, child in tried:
            loses = any(self._wins(child, reply) for reply in game.legal(child))
            if loses == (m in safe):
                what = "includes" if loses else "leaves out"
                yield (
                    "safe",
                    f"`safe` {what} {game.format_move(s, m)}, after which the other side {'wins' if loses else 'does not win'}",
                )
            if m in safe and "promise" in game.has and game.rules["promise"](s, m, child) >= SURE and not self._traps(child):
                yield "promise", f"`promise` says that {game.format_move(s, m)} wins with the next move, but it does not"

    def _wins(self, s: State, m: int) -> bool:
        """Return whether a move wins at once."""
        result = self.game.result(self.game.child(s, m))
        return result is not None and result < 0

    def _traps(self, s: State) -> bool:
        """Return whether every move lets the other side win at once."""
        children = [self.game.child(s, m) for m in self.game.legal(s)]
        return all(any(self._wins(child, m) for m in self.game.legal(child)) for child in children)

    # -- the solver's answers ---------------------------------------------------------------------------------------------------

    def _answers(self, states: Sequence[State]) -> Iterator[tuple[int, str, str]]:
        """Compare the solver with minimax, from the end of a game back to where trees get too large."""
        if len(self.values) > 100_000:
            self.values.clear()
        for i in reversed(range(len(states))):
            try:
                value = self._minimax(states[i], [REFERENCE_NODES])
            except (NodeLimitError, RecursionError):
                return
            found = self.solver.solve(states[i], line=False, book=False).score
            if found != value:
                solved = "nothing" if found is None else words.value_noun(found)
                hooks = ", ".join(f"`{name}`" for name in sorted(TRUSTED_HOOKS & self.game.has))
                yield (
                    i,
                    "solve",
                    f"the solver finds {solved}, minimax {words.value_noun(value)}: one of these hooks is wrong ({hooks})",
                )

    def _minimax(self, s: State, nodes: list[int]) -> int:
        """Return the exact score, from the rules alone."""
        game, name = self.game, self.game.identity(s)
        if name in self.values:
            return self.values[name]
        nodes[0] -= 1
        if nodes[0] < 0:
            raise NodeLimitError
        result = game.result(s)
        if result is not None:
            value = scores.final(int(result), 0, bool(game.margin))
        else:
            value = -scores.INFINITE
            for m in game.legal(s):
                child = game.child(s, m)
                below = scores.from_root(self._minimax(child, nodes), 1)
                value = max(value, -below if game.changes_turn(s, child) else below)
        self.values[name] = value
        return value


# -- the engine --------------------------------------------------------------------------------------------------------------

ENGINE_STATES = 4
"""The number of states checked in a random game."""
MAX_DEPTH = 4


def for_engine(game: Game, seed: int) -> EngineCheck | None:
    """Return the check for a game of chance that the engine can play."""
    return EngineCheck(game, seed) if "chance" in game.has and len(game.sides) <= 2 else None


class EngineCheck:
    """Checks the engine's values in one game, state by state."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.random = random.Random(seed)
        self.engine = Engine(game, memory=1, exact=True, seed=0)

    def finished(self, states: Sequence[State]) -> Iterator[tuple[int, str, str]]:
        """Yield differences in some states of a random game, each with the number of the state."""
        players = [i for i, s in enumerate(states) if self.game.legal(s)]
        for i in self.random.sample(players, min(ENGINE_STATES, len(players))):
            message = self.difference(states[i])
            if message:
                yield i, "engine", message

    def difference(self, s: State) -> str | None:
        """Return the difference in a state, at the smallest depth that shows one."""
        for depth in range(1, MAX_DEPTH + 1):
            try:
                value = expectiminimax(Tree(self.game, NodeLimitedTrace(REFERENCE_NODES)), s, depth)
                found = self.engine.analyse(s, Limit(depth=depth)).score
            except NodeLimitError:
                break
            except PlygroundError as e:  # a result beyond MARGIN
                return str(e)
            if not math.isclose(found, value, rel_tol=1e-6, abs_tol=1e-9):
                return f"at depth {depth} the engine finds {found:+.6g}, expectiminimax {value:+.6g}"
        return None
