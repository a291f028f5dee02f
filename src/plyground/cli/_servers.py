"""The commands that serve the engine to other programs: one per protocol."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, BinaryIO

from plyground.cli._arguments import GAME, Command
from plyground.errors import PlygroundError
from plyground.rules.load import load

if TYPE_CHECKING:
    from plyground.protocols.server import Server

    Opened = Callable[[BinaryIO, BinaryIO], Server]

HELP = """{summary}

  plyground {usage}

Other programs start this command; `plyground docs protocols` says how to set them up. It reads commands from stdin and answers
on stdout. The first search on a machine compiles the rules, which takes a while; until that is done, a slower search finds the
moves.
"""


def _gomocup(args: argparse.Namespace) -> Opened:
    from plyground.protocols.gomocup import Gomocup

    return Gomocup


def _hub(args: argparse.Namespace) -> Opened:
    from plyground.protocols.hub import Hub

    return Hub


def _nboard(args: argparse.Namespace) -> Opened:
    from plyground.protocols.nboard import NBoard

    return NBoard


def _uci(args: argparse.Namespace) -> Opened:
    from plyground.protocols.uci import UciServer

    game = load("chess")
    return lambda source, target: UciServer(source, target, game)


def _ugi(args: argparse.Namespace) -> Opened:
    from plyground.protocols.ugi import UgiServer

    game = load(args.game)
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; UGI is for games with one or two")
    return lambda source, target: UgiServer(source, target, game)


def _command(name: str, opened: Callable[[argparse.Namespace], Opened], summary: str, usage: str) -> Command:
    def arguments(parser: argparse.ArgumentParser) -> None:
        if "GAME" in usage:
            parser.add_argument("game", metavar="GAME", help=GAME)

    def run(args: argparse.Namespace) -> int:
        from plyground.protocols.server import run as serve

        return serve(opened(args))

    return Command(name, HELP.format(summary=summary, usage=usage.replace("GAME", "connect4")), arguments, run, json=None)


SERVERS = {
    command.name: command
    for command in (
        _command(
            "gomocup",
            _gomocup,
            "Play gomoku in Piskvork and other programs: the engine side of the Gomocup protocol.",
            "gomocup     (started by Piskvork, as pbrain-plyground)",
        ),
        _command(
            "hub",
            _hub,
            "Play international draughts in other programs: the engine side of Hub 2.",
            "hub         (started by Hub, pydraughts, …)",
        ),
        _command(
            "nboard",
            _nboard,
            "Play Othello in NBoard and other programs: the engine side of NBoard 2.",
            "nboard      (started by NBoard)",
        ),
        _command(
            "uci",
            _uci,
            "Play chess in other programs: the engine side of UCI, the Universal Chess Interface.",
            "uci         (started by Cute Chess, Arena, python-chess, …)",
        ),
        _command(
            "ugi",
            _ugi,
            "Play any game in other programs: the engine side of UGI, the Universal Game Interface.",
            "ugi GAME    (started by a match runner or a board that speaks UGI)",
        ),
    )
}
