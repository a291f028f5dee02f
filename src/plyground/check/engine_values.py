"""Compares the engine with the textbook's expectiminimax on small trees, in games of chance."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence

from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.minimax import expectiminimax
from plyground.textbook.trace import NodeLimitedTrace, NodeLimitError
from plyground.textbook.tree import Tree

SMALL = 1000
"""Node limit for the textbook search."""
STATES = 4
"""How many states of a random game are checked."""
DEEPEST = 4


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
        for i in self.random.sample(players, min(STATES, len(players))):
            message = self.difference(states[i])
            if message:
                yield i, "engine", message

    def difference(self, s: State) -> str | None:
        """Return the difference in a state, at the smallest depth that shows one."""
        for depth in range(1, DEEPEST + 1):
            try:
                value = expectiminimax(Tree(self.game, NodeLimitedTrace(SMALL)), s, depth)
                found = self.engine.analyse(s, Limit(depth=depth)).score
            except NodeLimitError:
                break
            except PlygroundError as e:  # a result beyond MARGIN
                return str(e)
            if not math.isclose(found, value, rel_tol=1e-6, abs_tol=1e-9):
                return f"at depth {depth} the engine finds {found:+.6g}, expectiminimax {value:+.6g}"
        return None
