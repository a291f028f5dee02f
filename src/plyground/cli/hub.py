"""Play international draughts in other programs: the engine side of Hub 2.

  plyground hub         (started by Hub, pydraughts, …; docs/protocols.md)

Commands are read from stdin and answered on stdout. The first search on a machine compiles the rules, which takes a while; until
that is done, moves are found by a slower search.
"""

from __future__ import annotations

import argparse

JSON = None


def arguments(parser: argparse.ArgumentParser) -> None:
    """The protocol sets everything by its own commands."""


def run(args: argparse.Namespace) -> int:
    """Serves until the other program ends it, or the input does."""
    from plyground.protocols.hub import Hub
    from plyground.protocols.server import run as serve

    return serve(Hub)
