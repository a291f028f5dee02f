"""The textbook: the classic algorithms of game search, readable, exact, and traced step by step.

They are plain Python, work with any game, and are the oracle that every fast kernel must match. `ALGORITHMS` lists them by name;
`trace` has the events that they report.

>>> from plyground import load
>>> game = load("tictactoe")
>>> search("alphabeta", game, game.start(), depth="all").value
0
"""

from __future__ import annotations

from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.algorithm import ALGORITHMS, Algorithm
from plyground.textbook.registry import find, fitting, parse
from plyground.textbook.trace import Counter, Recorder, Trace
from plyground.textbook.tree import WHOLE, Answer, Tree

__all__ = [
    "ALGORITHMS",
    "WHOLE",
    "Algorithm",
    "Answer",
    "Counter",
    "Recorder",
    "Trace",
    "Tree",
    "find",
    "fitting",
    "parse",
    "search",
]  # fmt: skip


def search(algorithm: str, game: Game, s: State, trace: Trace | None = None, **options: object) -> Answer:
    """Run the algorithm of this name on s: the value for the side to move, the best move, the best line."""
    return find(algorithm).search(game, s, options, trace)
