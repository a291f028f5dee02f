"""Write a page that plays a game in any browser, with the board and the engine in one file.

The page needs no server and loads nothing: open it from disk, send it to a friend, or put it on any web server. For several
games, name a folder; it gets a page for each game, and an index.

  plyground web connect4 --out connect4.html --open
  plyground web ./mygame.py --out mygame.html
  plyground web chess 'connect4(rows=5)' ./mygame.py --out games/
  plyground web --all --out games/
"""

from __future__ import annotations

import argparse
import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

from plyground.cli import EVALUATE, GAME, UsageError
from plyground.cli._terminal import Countdown, columns, print_json, report_stopped, run_interruptible, show_compiling
from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import builtin_games, load
from plyground.system.files import make_folder, write_text
from plyground.system.streams import print_error


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground web`."""
    parser.add_argument("games", metavar="GAME", nargs="*", help=GAME)
    parser.add_argument("--all", action="store_true", help="write pages for all games that come with Plyground")
    parser.add_argument("--state", metavar="TEXT", help="start from this state, in the game's own notation")
    parser.add_argument("--evaluate", metavar="FILE", help=EVALUATE)
    parser.add_argument("--out", metavar="PATH", type=Path, help="the file to write (game.html), or a folder for several games")
    parser.add_argument("--open", action="store_true", help="open the page in a browser")


def run(args: argparse.Namespace) -> int:
    """Write the pages."""
    pages, index = _plan_pages(args)
    start = None if args.state is None else next(iter(pages.values())).parse_state(args.state)
    show_compiling()
    written: list[dict[str, Any]] = []
    stopped = False
    try:
        with Countdown(f"write {args.out}", len(pages)) as bar:
            bar.tick(0)
            for path, game in pages.items():
                written.append(_write(path, game, start, args.evaluate))
                bar.tick()
        if index is not None:
            _write_index(index, pages)
    except KeyboardInterrupt:
        report_stopped(f"{len(written)} of {len(pages)} pages written")
        if not written:
            raise
        stopped = True
    _print(args, written, None if stopped else index, stopped)
    if stopped:
        raise KeyboardInterrupt
    if args.open:
        show(index or next(iter(pages)))
    return 0


def _plan_pages(args: argparse.Namespace) -> tuple[dict[Path, Game], Path | None]:
    """Return the file of each game, and that of the index if there is to be one. Refuse at once what can be refused."""
    specs, out = [*args.games, *(builtin_games() if args.all else [])], args.out
    if not specs:
        raise UsageError("name a game, or use --all for all games that come with Plyground; see plyground web --help")
    if out is None:
        raise UsageError("--out is missing: a file such as --out game.html, or a folder such as --out games/")
    if args.state is not None and len(specs) > 1:
        raise UsageError("--state can be used with one game only")
    if args.evaluate not in (None, "rules") and len(specs) > 1:
        raise UsageError("--evaluate FILE can be used with one game only")
    games = [_two_sided(load(spec)) for spec in dict.fromkeys(specs)]

    from plyground.web import INDEX, check_free, file_names

    if out.suffix == ".html" and not out.is_dir():
        if len(games) > 1:
            raise UsageError(f"--out {str(out)!r:.60} is one file; for several games give a folder, such as --out games/")
        check_free(out)
        return {out: games[0]}, None
    pages = {out / name: game for name, game in file_names(games).items()}
    _make_folder(out)
    for path in (*pages, out / INDEX):
        check_free(path)
    return pages, out / INDEX


def _two_sided(game: Game) -> Game:
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; only games with one or two can be compiled for a page")
    return game


def _make_folder(out: Path) -> None:
    if out.exists() and not out.is_dir():
        raise UsageError(f"--out {str(out)!r:.60} is a file; give a folder, or a name that ends in .html for one page")
    make_folder(out)


def _write(path: Path, game: Game, start: State | None, evaluate: str | None) -> dict[str, Any]:
    from plyground.web import page

    notes: list[str] = []
    text = run_interruptible(lambda: page(game, start, evaluate, notes.append))
    write_text(path, text)
    for note in notes:
        print_error(note)
    return {"game": game.spec, "title": game.title, "file": str(path), "bytes": len(text.encode())}


def _write_index(path: Path, pages: dict[Path, Game]) -> None:
    from plyground.web import index

    write_text(path, index({page.name: game for page, game in pages.items()}))


def _print(args: argparse.Namespace, written: list[dict[str, Any]], index: Path | None, stopped: bool) -> None:
    if args.json:
        found = {"pages": written, "index": None if index is None else str(index)}
        print_json(found | ({"stopped": True} if stopped else {}))
        return
    if written:
        print(columns([["page", "size"], *([page["file"], f"{page['bytes'] / 1000:.0f} KB"] for page in written)]))
    if index is not None:
        print(f"\nOpen {index} in a browser; it links to all of them")


def show(path: Path) -> None:
    """Open a page in a browser; without a screen, say where it is."""
    screen = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"))
    if not ((screen or sys.platform in ("win32", "darwin")) and webbrowser.open(path.resolve().as_uri())):
        print_error(f"no browser was found; open {path} yourself")
