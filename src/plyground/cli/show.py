"""Show a position: its board in the terminal, or a picture of it.

  plyground show connect4 --moves 44352
  plyground show chess --moves "e4 e5" --out board.svg
  plyground show backgammon --flip --out -          (prints it, for another program)

The cells that the last of the moves changed are marked. Pictures follow the reader's choice of light or dark.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from plyground.cli._arguments import UsageError, position
from plyground.cli._board import paint, rich_terminal, with_signs
from plyground.cli._terminal import print_json
from plyground.play.match import Match
from plyground.rules.hooks import State
from plyground.rules.load import load
from plyground.system.files import write_text


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground show`."""
    position(parser)
    parser.add_argument("--flip", action="store_true", help="as the second side sees it")
    parser.add_argument("--out", metavar="FILE", help="write a picture (board.svg); - prints it")


def run(args: argparse.Namespace) -> int:
    """Print the board, or write its picture."""
    if args.out not in (None, "-") and Path(args.out).suffix != ".svg":
        raise UsageError(f"--out {args.out!r:.60}: choose a name that ends in .svg, or - to print the picture")
    match = Match(load(args.game), args.state, args.moves)
    before = match.states[-2] if len(match.states) > 1 else None
    svg = None if args.out is None else match.game.draw(match.s, before, flip=args.flip).svg
    if svg is not None and args.out != "-":
        write_text(args.out, svg + "\n")
    if args.json:
        print_json(as_json(match) | ({} if svg is None else {"svg": svg} if args.out == "-" else {"out": args.out}))
    elif svg is not None:
        print(svg.encode("ascii", "xmlcharrefreplace").decode() if args.out == "-" else f"written to {args.out}")
    else:
        _print(match, before, args.flip)
    return 0


def as_json(match: Match) -> dict[str, Any]:
    """Return the position, for --json."""
    game = match.game
    return {
        "game": game.spec,
        "state": game.format_state(match.s),
        "side": match.side,
        "over": match.result is not None,
        "cells": game.cells(match.s),
        "text": game.show(match.s),
    }


def _print(match: Match, before: State | None, flip: bool) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True, emoji=False, markup=False)
    unicode = rich_terminal(console)
    console.print(paint(match.game, match.s, before, unicode, flip))
    text = f"{'chance' if match.mover is None else match.side} to move" if match.result is None else match.describe_end()
    console.print(f"\n{with_signs(match.game, text) if unicode else text}")
