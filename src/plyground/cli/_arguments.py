"""Arguments shared by several commands, with the same help everywhere."""

from __future__ import annotations

import argparse
from collections.abc import Callable

GAME = "chess, 'connect4(rows=5)', ./mygame.py"
EVALUATE = (
    "a net, or a Python file whose evaluate(s) replaces that of the game; `rules` for the game's own "
    "(default: the net that was trained for the game or comes with it, if there is one)"
)


def position(parser: argparse.ArgumentParser, game: str | None = None) -> None:
    """Adds a game and a position; `game` is the default if the argument is optional."""
    if game is None:
        parser.add_argument("game", metavar="GAME", help=GAME)
    else:
        parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME} (default {game})")
    parser.add_argument("--state", metavar="TEXT", help="start from this state, in the game's own notation")
    parser.add_argument("--moves", metavar="TEXT", default="", help="play these moves first")


def whole(low: int, high: int) -> Callable[[str], int]:
    """A type for argparse: a whole number within these limits.

    >>> whole(1, 20)("7")
    7
    """

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text[:12]) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r:.20}")
        return int(text)

    return read
