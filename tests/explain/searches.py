"""Searches to explain."""

from pathlib import Path

from plyground import load
from plyground.explain import explain
from plyground.play.match import Match
from plyground.textbook.registry import parse

FIGURE = str(Path(__file__).parent / "figure.py")


def explained(spec, algorithm, moves=""):
    """The search of a game as `plyground explain` makes it."""
    return explain(Match(load(spec), None, moves), *parse(algorithm))
