"""Plyground: write the rules of a turn-based game in plain Python; get an engine, a solver, lessons in search and a board."""

from typing import TYPE_CHECKING

from plyground.board.board import Board
from plyground.errors import GameError, PlygroundError, TextError
from plyground.play.clock import Clock
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis, Position, Report
from plyground.rules.game import Game
from plyground.rules.hooks import Tuning
from plyground.rules.load import load
from plyground.rules.parameters import Parameter, parameters

if TYPE_CHECKING:
    from plyground.compile.progress import Compiling, on_compile
    from plyground.engine.engine import Engine
    from plyground.players.player import Player
    from plyground.players.spec import make_player
    from plyground.solver.solver import Solver
    from plyground.solver.solving import Solution

__version__ = "0.1.0"
__all__ = [
    "Analysis",
    "Board",
    "Clock",
    "Compiling",
    "Engine",
    "Game",
    "GameError",
    "Limit",
    "Match",
    "Parameter",
    "Player",
    "PlygroundError",
    "Position",
    "Report",
    "Solution",
    "Solver",
    "TextError",
    "Tuning",
    "__version__",
    "load",
    "make_player",
    "on_compile",
    "parameters",
]

_LAZY = {
    "Compiling": "plyground.compile.progress",
    "Engine": "plyground.engine.engine",
    "Player": "plyground.players.player",
    "Solution": "plyground.solver.solving",
    "Solver": "plyground.solver.solver",
    "make_player": "plyground.players.spec",
    "on_compile": "plyground.compile.progress",
}
"""Names that need NumPy are imported on first use, so that rules and `--help` start without it."""


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:  # a type checker that saw this function would accept every name

    def __getattr__(name):
        if name not in _LAZY:
            raise AttributeError(f"module 'plyground' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_LAZY[name]), name)
