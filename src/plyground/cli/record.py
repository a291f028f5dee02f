"""The games that were kept: list them, show one, or export them for other programs.

  plyground record list                             all matches; --game, --kind and --unfinished choose some
  plyground record list 3                           the games of match 3
  plyground record show 3.17.0                      a game: who played, its moves with scores, its end
  plyground record export 3 --out match.pgn         a match, a pair (3.17) or a game (3.17.0)
  plyground record export 12 --format jsonl         printed, for another program

The commands play, arena and report keep every game. 3 is a match, 3.17 a pair of it, 3.17.0 and 3.17.1 are the games of that
pair; a game that you play has a number of its own. Formats: jsonl (JSON lines) for all games, pgn for chess, pdn for draughts and
checkers, sgf for gomoku, ggf for Othello.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli._records import brief_result, found_rows, print_game, print_match, sides_of
from plyground.cli._terminal import Bar, columns, print_json
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.records.notations import FORMATS, export, usual_format
from plyground.records.rows import GameRow, Id, MatchRow
from plyground.records.store import Records
from plyground.system.files import write_file

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = ("arena", "play", "report")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `plyground record`."""
    parser.add_argument("action", choices=["list", "show", "export"], help="what to do")
    parser.add_argument("id", metavar="ID", nargs="?", help="a match such as 3, a pair of it (3.17), or a game (3.17.0)")
    parser.add_argument("--game", metavar="GAME", help="list only matches of this game")
    parser.add_argument("--kind", choices=KINDS, help="list only matches of this kind")
    parser.add_argument("--unfinished", action="store_true", help="list only matches that can be resumed")
    parser.add_argument(
        "--format", choices=list(FORMATS), help="of an export (default: by the name of the file, else by the game)"
    )
    parser.add_argument("--out", metavar="FILE", help="write the export to this file (default: print it)")
    parser.add_argument("--records", metavar="FILE", help="another database (default: your own)")


def run(args: argparse.Namespace) -> int:
    """Lists, shows or exports records."""
    if args.action != "list" and args.id is None:
        raise PlygroundError(f"which one? plyground record {args.action} ID; plyground record list shows them")
    found = None if args.id is None else Id.parse(args.id)
    with Records(args.records, new=False) as records:
        if args.action == "show" and found is not None:
            return _show(records, found, args.json)
        if args.action == "export" and found is not None:
            return _export(records, found, args)
        return _list(records, args) if found is None else _list_games(records, found, args.json)


# -- list ----------------------------------------------------------------------------------------------------------------


def _list(records: Records, args: argparse.Namespace) -> int:
    matches = [m for m in records.matches(args.kind, None, args.unfinished) if args.game is None or _is_of(m, args.game)]
    tallies = records.tallies()
    if args.json:
        print_json({"matches": [_as_json(match, tallies) for match in matches]})
        return 0
    if not matches:
        print("no match is like that" if args.game or args.kind or args.unfinished else "there are no records yet")
        return 0
    rows = [["match", "kind", "game", "players", "games", "score", "began", "end"]]
    for match in matches:
        games, *score = tallies.get(match.id, (0, 0, 0, 0))
        told = "+{} ={} -{}".format(*score) if len(match.players) == 2 and any(score) else ""
        name = Path(match.game).name if "/" in match.game else match.game
        began = datetime.fromisoformat(match.started).astimezone().strftime("%Y-%m-%d %H:%M")
        players, end = ", ".join(match.players), match.ended or "unfinished"
        rows.append([str(match.id), match.kind, name, players, str(games), told, began, end])
    print(columns(rows))
    return 0


def _is_of(match: MatchRow, game: str) -> bool:
    name = match.game.partition("(")[0].strip()
    return game in (match.game, name, Path(name).stem) or (game.endswith(".py") and str(Path(game).resolve()) == name)


def _as_json(match: MatchRow, tallies: dict[int, tuple[int, int, int, int]]) -> dict[str, Any]:
    data = match._asdict()
    data["nets"] = match.nets
    del data["setup"]
    return data | dict(zip(("games", "wins", "draws", "losses"), tallies.get(match.id, (0, 0, 0, 0)), strict=True))


def _list_games(records: Records, found: Id, as_json: bool) -> int:
    rows = list(found_rows(records, found))
    if as_json:
        names = ("id", "players", "side", "result", "points", "reason", "seconds")
        print_json({"games": [{name: getattr(row, name) for name in names} | {"plies": len(row.moves)} for row in rows]})
        return 0
    sides = sides_of(records.match(found.match))
    table = [["game", *sides, "plies", "result", "end", "time"]]
    for row in rows:
        seconds = "" if row.seconds is None else words.seconds(row.seconds)
        result = brief_result(row, len(sides))
        table.append([row.id, *row.by_side(len(sides)), str(len(row.moves)), result, row.reason or "unfinished", seconds])
    print(columns(table))
    return 0


# -- show ----------------------------------------------------------------------------------------------------------------


def _show(records: Records, found: Id, as_json: bool) -> int:
    match = records.match(found.match)
    if found.pair is None and match.kind != "play":
        if as_json:
            print_json(_as_json(match, records.tallies()))
        else:
            print_match(match, records.count(match.id), records.tallies().get(match.id))
        return 0
    rows = list(found_rows(records, found))
    if as_json:
        print_json(rows[0].as_json() if len(rows) == 1 else {"games": [row.as_json() for row in rows]})
        return 0
    for number, row in enumerate(rows):
        if number:
            print()
        print_game(match, row)
    return 0


# -- export --------------------------------------------------------------------------------------------------------------


def _export(records: Records, found: Id, args: argparse.Namespace) -> int:
    match = records.match(found.match)
    suffix = Path(args.out or "").suffix[1:].lower()
    form = args.format or (suffix if suffix in FORMATS else usual_format(match.game))
    rows = found_rows(records, found)
    if args.out in (None, "-"):
        for text in export(rows, form):
            sys.stdout.write(text)
        return 0
    _, total = records.count(match.id)
    done: list[int] = []
    with Bar("exporting", total) as bar:
        write_file(args.out, (text.encode() for text in export(_counted(rows, bar, done), form)))
    if args.json:
        print_json({"out": args.out, "format": form, "games": len(done)})
    else:
        print(f"{words.count(len(done), 'game')} written to {args.out} as {form}")
    return 0


def _counted(rows: Iterable[GameRow], bar: Bar, done: list[int]) -> Iterator[GameRow]:
    for row in rows:
        yield row
        done.append(1)
        bar.tick()
