"""Make a book: the exact values of every position of an opening, by our own solver.

  plyground book connect4 --plies 8
  plyground book 'connect4(rows=5, cols=6)' --plies 6 --file small.book

`solve` looks the opening up in a book that lies where this command puts it; `solve --no-book` does not. A run that was stopped
or killed goes on with the same command.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.play import words

if TYPE_CHECKING:
    from plyground.solver.book import Progress


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `plyground book` takes."""
    parser.add_argument("game", metavar="GAME", help="connect4, 'connect4(rows=5)', ./mygame.py")
    parser.add_argument("--plies", metavar="N", type=int, required=True, help="positions up to so many plies")
    parser.add_argument("--file", metavar="FILE", help="where to keep it; by default where `solve` looks for it")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="solve so many positions at once")
    parser.add_argument("--memory", metavar="MB", type=float, default=512, help="size of the solver's table")


def run(args: argparse.Namespace) -> int:
    """Makes the book, and says what it holds."""
    from plyground.cli._terminal import StatusLine, print_json, show_compiling, tell_stopped
    from plyground.rules.load import load
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
            tell_stopped(f"the same command goes on with what {path}.part holds")
        raise
    if args.json:
        told = {"states": book.states, "wins": book.wins, "draws": book.draws, "losses": book.losses}
        print_json({"game": game.name, "file": str(path), "bytes": book.size, "plies": plies_of(book), **told})
    else:
        print(f"{path}: {book.ending}, {words.count(book.states, 'position')}, {words.count(book.size, 'byte')}")
    return 0


def _text(p: Progress) -> str:
    return f"{p.done:,} of {words.count(p.total, 'position')}; {words.effort(p.nodes, p.seconds)}"
