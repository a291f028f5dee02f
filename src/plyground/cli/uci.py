"""Play chess in other programs: the engine side of UCI, the Universal Chess Interface.

  plyground uci                (started by Cute Chess, Arena, python-chess, …; docs/protocols.md)

Commands are read from stdin and answered on stdout. The first search on a machine compiles the rules, which takes a while; until
that is done, moves are found by a slower search.
"""

from __future__ import annotations

import argparse

JSON = None


def arguments(parser: argparse.ArgumentParser) -> None:
    """UCI sets everything by its own commands."""


def run(args: argparse.Namespace) -> int:
    """Serves until `quit` or the end of the input."""
    from plyground.protocols.server import run as serve
    from plyground.protocols.uci import UciServer
    from plyground.rules.load import load

    game = load("chess")
    return serve(lambda source, target: UciServer(source, target, game))
