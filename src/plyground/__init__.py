"""Plyground: write the rules of a turn-based game in plain Python; get an engine, a solver, a teacher and a board for it."""

from typing import TYPE_CHECKING, Any

from plyground.board.board import Board
from plyground.errors import GameError, PlygroundError, TextError
from plyground.play.clock import Clock
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.rules.parameters import Parameter, parameters
from plyground.rules.tuning import Tuning

if TYPE_CHECKING:
    from plyground.engine.engine import Engine
    from plyground.solver.solver import Solver
    from plyground.solver.solving import Solution

__version__ = "0.1.0"
__all__ = [
    "Analysis",
    "Board",
    "Clock",
    "Engine",
    "Game",
    "GameError",
    "Limit",
    "Match",
    "Parameter",
    "PlygroundError",
    "Solution",
    "Solver",
    "TextError",
    "Tuning",
    "__version__",
    "load",
    "parameters",
]

_WHEN_ASKED = {"Engine": "plyground.engine.engine", "Solver": "plyground.solver.solver", "Solution": "plyground.solver.solving"}
"""Names that need NumPy are imported on first use, so that rules and `--help` start without it."""


def __getattr__(name: str) -> Any:
    if name not in _WHEN_ASKED:
        raise AttributeError(f"module 'plyground' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_WHEN_ASKED[name]), name)
