"""Play any game in other programs: the engine side of UGI, the Universal Game Interface.

  plyground ugi connect4
  plyground ugi ./mygame.py    (started by a match runner or a board that speaks UGI; docs/protocols.md)

Commands are read from stdin and answered on stdout. The first search of a game compiles its rules, which takes a while; until
that is done, moves are found by a slower search.
"""

from __future__ import annotations

import argparse

from plyground.cli._arguments import GAME
from plyground.errors import PlygroundError

JSON = None


def arguments(parser: argparse.ArgumentParser) -> None:
    """The game; UGI sets everything else by its own commands."""
    parser.add_argument("game", metavar="GAME", help=GAME)


def run(args: argparse.Namespace) -> int:
    """Serves until `quit` or the end of the input."""
    from plyground.protocols.server import run as serve
    from plyground.protocols.ugi import UgiServer
    from plyground.rules.load import load

    game = load(args.game)
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; UGI is for games with one or two")
    return serve(lambda source, target: UgiServer(source, target, game))
