"""Create an opening book: the exact value of every position, computed by the solver.

  plyground book connect4 --plies 8
  plyground book 'connect4(rows=5, cols=6)' --plies 6 --file small.book

`solve` uses the book unless --no-book is given. If a run is stopped or killed, the same command resumes it.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli._arguments import GAME
from plyground.cli._terminal import StatusLine, print_json, show_compiling, tell_stopped
from plyground.play import words
from plyground.rules.load import load

if TYPE_CHECKING:
    from plyground.solver.book import Progress


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plyground book`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--plies", metavar="N", type=int, required=True, help="include positions up to N plies from the start")
    parser.add_argument("--file", metavar="FILE", help="output file (default: where `solve` looks for it)")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="solve N positions at once (default 1)")
    parser.add_argument("--memory", metavar="MB", type=float, default=512, help="size of the solver's table (default 512)")


def run(args: argparse.Namespace) -> int:
    """Creates the book, and prints what it contains."""
    from plyground.solver.book import make_book, plies_of
    from plyground.solver.solver import book_path

    game = load(args.game)
    path = book_path(game) if args.file is None else args.file
    show_compiling()
    try:
        with StatusLine(every=60) as line:
            book = make_book(
                game,
                args.plies,
                path,
                threads=args.threads,
                memory=args.memory,
                replace=args.file is None,
                on_progress=lambda p: line.show(_text(p), p.seconds),
            )
    except KeyboardInterrupt:
        if Path(f"{path}.part").exists():
            tell_stopped(f"run the same command again to resume from {path}.part")
        raise
    if args.json:
        told = {"states": book.states, "wins": book.wins, "draws": book.draws, "losses": book.losses}
        print_json({"game": game.name, "file": str(path), "bytes": book.size, "plies": plies_of(book), **told})
    else:
        print(f"{path}: {book.ending}, {words.count(book.states, 'position')}, {words.count(book.size, 'byte')}")
    return 0


def _text(p: Progress) -> str:
    return f"{p.done:,} of {words.count(p.total, 'position')}; {words.effort(p.nodes, p.seconds)}"
