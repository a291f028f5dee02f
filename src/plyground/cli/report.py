"""Report on a game: is it fair, how long does it take, does skill count? It is played and searched to find out.

  plyground report ./mygame.py
  plyground report ./mygame.py --html report.html --minutes 10
  plyground report connect4 --games 40 --seed 7          (as often as you like, the same report)

Levels 2, 5 and 9 play against themselves, stronger levels against weaker ones, and the solver looks for the exact value. Every
number comes with its sample and a 95 % interval. Ctrl-C stops it and reports what it has.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import UsageError
from plyground.cli._arguments import GAME, whole
from plyground.cli._terminal import StatusLine, print_json, show_compiling, tell_stopped
from plyground.play import checked, words
from plyground.rules.load import load
from plyground.system.files import write_text

if TYPE_CHECKING:
    from plyground.report.findings import Findings
    from plyground.report.study import Study

QUIET_SECONDS = 10.0
"""Seconds between two lines of progress if stderr is not a terminal."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plyground report`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--html", metavar="FILE", help="write the report as a page")
    parser.add_argument("--minutes", metavar="N", type=float, help="how long it may take (default 5)")
    parser.add_argument("--games", metavar="N", type=whole(2, 100_000), help="games of each kind instead of minutes: repeatable")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed for the games (default 1)")
    parser.add_argument("--workers", metavar="N", type=whole(1, 1024), help="processes that play (default: one per core)")


def run(args: argparse.Namespace) -> int:
    """Studies the game, and prints or writes what it found."""
    from plyground.arena.workers import Workers
    from plyground.report.plan import Budget
    from plyground.report.study import Study

    _check(args)
    show_compiling()
    given: dict[str, Any] = {name: getattr(args, name) for name in ("minutes", "workers") if getattr(args, name) is not None}
    study = Study(load(args.game), Budget(games=args.games, seed=args.seed, **given), Workers)
    with StatusLine(QUIET_SECONDS) as line:
        study.on_progress = line.show
        stopped = _run(study)
    found = study.findings()
    if stopped:
        tell_stopped(f"{words.count(found.games, 'game')} played")
        if not found.games:
            raise KeyboardInterrupt
    _print(args, found)
    if args.html is not None:
        from plyground.report.page import page

        write_text(args.html, page(found))
    if stopped:
        raise KeyboardInterrupt
    return 0


def _print(args: argparse.Namespace, found: Findings) -> None:
    """Prints the report, before the page is written: if that fails, nothing is lost."""
    if args.json:
        print_json(found.as_json() | ({} if args.html is None else {"html": args.html}))
        return
    from plyground.cli._report import text

    print(text(found))
    if args.html is not None:
        print(f"\nthe page: {args.html}", flush=True)


def _check(args: argparse.Namespace) -> None:
    if args.html is not None and Path(args.html).suffix not in (".html", ".htm"):
        raise UsageError(f"--html {args.html!r:.60}: choose a name that ends in .html")
    if args.html is not None and not Path(args.html).parent.is_dir():
        raise UsageError(f"{args.html}: cannot be written (there is no folder {Path(args.html).parent})")
    if args.minutes is not None and args.games is not None:
        raise UsageError("--minutes and --games cannot be combined: games make the report repeatable, minutes do not")
    if args.minutes is not None:
        checked.number("--minutes", args.minutes, "a number of minutes")


def _run(study: Study) -> bool:
    """Runs the study; was it interrupted?"""
    try:
        study.run()
    except KeyboardInterrupt:
        return True
    return False
