"""The textbook: the classic algorithms of game search, readable, exact, and traced step by step.

Interpreted Python that works with any game of the contract, and the oracle that every fast kernel must match.
`registry.ALGORITHMS` lists them by name; `trace` has the events they report.

>>> from plyground import load
>>> game = load("tictactoe")
>>> search("alphabeta", game, game.start(), depth="all").value
0
"""

from __future__ import annotations

from typing import Any

from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.registry import ALGORITHMS, Algorithm, find, fitting, parse
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


def search(algorithm: str, game: Game, s: State, trace: Trace | None = None, **options: Any) -> Answer:
    """Run the algorithm of this name on s: the value for the side to move, the best move, the best line."""
    return find(algorithm).search(game, s, options, trace)
