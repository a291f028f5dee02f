"""What a command is, and the arguments that several commands share, with the same help everywhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TextIO

from plyground.errors import PlygroundError

GAME = "chess, 'connect4(rows=5)', ./mygame.py"
EVALUATE = (
    "a net, or a Python file whose evaluate(s) replaces the game's own; `rules` for the game's own "
    "(default: the net trained for the game or shipped with it, if there is one)"
)


class UsageError(PlygroundError):
    """Invalid arguments on the command line."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, like all our errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")

    def print_help(self, file: TextIO | None = None) -> None:  # type: ignore[override]
        """Print the help; argparse itself would ignore write errors."""
        print(self.format_help(), end="", file=file)


@dataclass(frozen=True)
class Command:
    """A command of `plyground`."""

    name: str
    help: str
    """What it does, in one line, and then in detail with examples."""
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    """Return the exit code."""
    json: str | None = "print the result as one JSON object"
    """What `--json` does; None if there is no such option."""

    def parser(self) -> Parser:
        """Return the parser of its arguments."""
        parser = Parser(
            prog=f"plyground {self.name}", description=self.help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.arguments(parser)
        if self.json is not None:
            parser.add_argument("--json", action="store_true", help=self.json)
        parser.add_argument("--debug", action="store_true", help="show the full traceback of an error")
        return parser


def position(parser: argparse.ArgumentParser, game: str | None = None) -> None:
    """Add a game and a position; `game` is the default if the argument is optional."""
    if game is None:
        parser.add_argument("game", metavar="GAME", help=GAME)
    else:
        parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME} (default {game})")
    parser.add_argument("--state", metavar="TEXT", help="start from this state, in the game's own notation")
    parser.add_argument("--moves", metavar="TEXT", default="", help="play these moves first")


def whole(low: int, high: int) -> Callable[[str], int]:
    """Return a type for argparse: a whole number within these limits.

    >>> whole(1, 20)("7")
    7
    """

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text[:12]) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r:.20}")
        return int(text)

    return read
