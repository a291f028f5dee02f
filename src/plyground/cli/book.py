"""Create an opening book: the exact value of every position of the first plies, from the solver.

  plyground book connect4 --plies 8
  plyground book 'connect4(rows=5, cols=6)' --plies 6 --file small.book

Values that are already in a book, such as the one that comes with Connect 4, are taken from it unless --no-book is given.
`solve` uses the new book, unless it gets --no-book. After Ctrl-C or a crash, the same command resumes the work.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from plyground.cli import GAME
from plyground.cli._terminal import Countdown, print_json, report_stopped, show_compiling
from plyground.play import words
from plyground.rules.load import load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground book`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--plies", metavar="N", type=int, required=True, help="include positions up to N plies from the start")
    parser.add_argument("--file", metavar="FILE", help="output file (default: where `solve` looks for it)")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="solve N positions at once (default 1)")
    parser.add_argument("--memory", metavar="MB", type=float, default=512, help="size of the solver's table (default 512)")
    parser.add_argument("--no-book", action="store_true", help="solve every position, even if a book has its value")


def run(args: argparse.Namespace) -> int:
    """Create the book, and print what it contains."""
    from plyground.solver.book import make_book, plies_of
    from plyground.solver.solver import book_path

    game = load(args.game)
    path = book_path(game) if args.file is None else args.file
    show_compiling()
    try:
        with Countdown(f"book {game.name}") as line:
            book = make_book(
                game,
                args.plies,
                path,
                threads=args.threads,
                memory=args.memory,
                replace=args.file is None,
                book=not args.no_book,
                on_progress=lambda p: line.reach(p.done, p.total, p.before),
            )
    except KeyboardInterrupt:
        if Path(f"{path}.part").exists():
            report_stopped(f"run the same command again to resume from {path}.part")
        raise
    if args.json:
        counts = {"states": book.states, "wins": book.wins, "draws": book.draws, "losses": book.losses}
        print_json({"game": game.name, "file": str(path), "bytes": book.size, "plies": plies_of(book), **counts})
    else:
        print(f"{path}: {book.ending}, {words.count(book.states, 'position')}, {words.count(book.size, 'byte')}")
    return 0
