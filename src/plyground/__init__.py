"""Plyground: write the rules of a turn-based game in plain Python; get an engine, a solver, a teacher and a board for it."""

from plyground.errors import GameError, PlygroundError, TextError
from plyground.game import Game, Parameter, load, parameters
from plyground.match import Match

__version__ = "0.1.0"
__all__ = ["Game", "GameError", "Match", "Parameter", "PlygroundError", "TextError", "__version__", "load", "parameters"]
