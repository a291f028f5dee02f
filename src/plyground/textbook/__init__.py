"""The textbook: the classic algorithms of game search, readable, exact, and told step by step.

Interpreted Python over any game of the contract; also the oracle that every fast kernel must equal. `registry.ALGORITHMS` has
them by name, `trace` has the events that they tell.

>>> from plyground import load
>>> game = load("tictactoe")
>>> search("alphabeta", game, game.start(), depth="all").value
0
"""

from __future__ import annotations

from typing import Any

from plyground.rules.game import Game
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


def search(algorithm: str, game: Game, s: Any, trace: Trace | None = None, **options: Any) -> Answer:
    """What the algorithm of this name finds for s: its value for the side to move, the best move, the best line."""
    return find(algorithm).search(game, s, options, trace)
