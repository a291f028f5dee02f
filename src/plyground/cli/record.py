"""List recorded games, show one, or export them for other programs.

  plyground record list                             all matches; --game, --kind and --unfinished select some
  plyground record list 3                           the games of match 3
  plyground record show 3.17.0                      a game: its players, its moves with scores, its end
  plyground record export 3 --out match.pgn         a match, a pair (3.17) or a game (3.17.0)
  plyground record export 12 --format jsonl         printed, for another program

The commands play, arena and report record every game. 3 is a match, 3.17 is one of its pairs, and 3.17.0 and 3.17.1 are the games
of that pair; a game that you play has its own number. Formats: jsonl (JSON lines) for all games, pgn for chess, pdn for draughts
and checkers, sgf for gomoku, ggf for Othello.
"""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli._terminal import Countdown, columns, print_json
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.records.notations import FORMATS, default_format, export, result_text
from plyground.records.rows import GameRow, MatchRow, RecordId
from plyground.records.store import Records
from plyground.rules.game import Game
from plyground.rules.load import is_installed, load
from plyground.system.files import write_file
from plyground.system.streams import clean, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

KINDS = ("arena", "play", "report")
WIDTH = 100
STDERR = 12
"""Lines of an engine's stderr that are shown."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground record`."""
    parser.add_argument("action", choices=["list", "show", "export"], help="what to do")
    parser.add_argument("id", metavar="ID", nargs="?", help="a match such as 3, a pair of it (3.17), or a game (3.17.0)")
    parser.add_argument(
        "--game", metavar="GAME", help="list only matches of this game; with ID: show the board with the rules of this game"
    )
    parser.add_argument("--trust", action="store_true", help="run the rules kept in the database to show the board")
    parser.add_argument("--kind", choices=KINDS, help="list only matches of this kind")
    parser.add_argument("--unfinished", action="store_true", help="list only matches that can be resumed")
    parser.add_argument(
        "--format", choices=list(FORMATS), help="format of an export (default: chosen by the file name, else by the game)"
    )
    parser.add_argument("--out", metavar="FILE", help="write the export to this file (default: print it)")
    parser.add_argument("--records", metavar="FILE", help="use another database instead of your own")


def run(args: argparse.Namespace) -> int:
    """List, show or export records."""
    if args.action != "list" and args.id is None:
        raise PlygroundError(f"name a record: plyground record {args.action} ID; plyground record list shows them")
    found = None if args.id is None else RecordId.parse(args.id)
    with Records(args.records, new=False) as records:
        if args.action == "show" and found is not None:
            return _show(records, found, args)
        if args.action == "export" and found is not None:
            return _export(records, found, args)
        return _list(records, args) if found is None else _list_games(records, found, args)


# -- list ----------------------------------------------------------------------------------------------------------------


def _list(records: Records, args: argparse.Namespace) -> int:
    matches = [m for m in records.matches(args.kind, None, args.unfinished) if args.game is None or _is_match_of(m, args.game)]
    tallies = records.tallies()
    if args.json:
        print_json({"matches": [_as_json(match, tallies) for match in matches]})
        return 0
    if not matches:
        print("no matches were found" if args.game or args.kind or args.unfinished else "there are no records yet")
        return 0
    rows = [["match", "kind", "game", "players", "games", "score", "began", "end"]]
    for match in matches:
        games, *score = tallies.get(match.id, (0, 0, 0, 0))
        tally = "+{} ={} -{}".format(*score) if len(match.players) == 2 and any(score) else ""
        name = Path(match.game).name if "/" in match.game else match.game
        began = datetime.fromisoformat(match.started).astimezone().strftime("%Y-%m-%d %H:%M")
        players, end = ", ".join(match.players), match.ended or "unfinished"
        rows.append([str(match.id), match.kind, name, players, str(games), tally, began, end])
    print(columns(rows))
    return 0


def _is_match_of(match: MatchRow, game: str) -> bool:
    name = match.game.partition("(")[0].strip()
    return game in (match.game, name, Path(name).stem) or (Path(game).exists() and str(Path(game).resolve()) == name)


def _as_json(match: MatchRow, tallies: dict[int, tuple[int, int, int, int]]) -> dict[str, Any]:
    data = match._asdict()
    data["nets"] = match.nets
    del data["setup"]
    return data | dict(zip(("games", "wins", "draws", "losses"), tallies.get(match.id, (0, 0, 0, 0)), strict=True))


def _list_games(records: Records, found: RecordId, args: argparse.Namespace) -> int:
    rows = list(_found_rows(records, found))
    if args.json:
        names = ("id", "players", "side", "result", "points", "reason", "seconds")
        print_json({"games": [{name: getattr(row, name) for name in names} | {"plies": len(row.moves)} for row in rows]})
        return 0
    sides = _sides_of(records.match(found.match), args.game, args.trust)
    table = [["game", *sides, "plies", "result", "end", "time"]]
    for row in rows:
        seconds = "" if row.seconds is None else words.seconds(row.seconds)
        table.append(
            [
                row.id,
                *row.by_side(len(sides)),
                str(len(row.moves)),
                _brief_result(row, len(sides)),
                row.reason or "unfinished",
                seconds,
            ]
        )
    print(columns(table))
    return 0


# -- show ----------------------------------------------------------------------------------------------------------------


def _show(records: Records, found: RecordId, args: argparse.Namespace) -> int:
    match = records.match(found.match)
    if found.pair is None and match.kind != "play":
        if args.json:
            print_json(_as_json(match, records.tallies()))
        else:
            _print_match(match, records.count(match.id), records.tallies().get(match.id))
        return 0
    rows = list(_found_rows(records, found))
    if args.json:
        print_json(rows[0].as_json() if len(rows) == 1 else {"games": [row.as_json() for row in rows]})
        return 0
    for number, row in enumerate(rows):
        if number:
            print()
        _print_game(match, row, args.game, args.trust)
    return 0


# -- a match or a game in words --------------------------------------------------------------------------------------------


def _found_rows(records: Records, found: RecordId) -> Iterator[GameRow]:
    """Yield the games that a text names: of a match, of a pair, or one; there is at least one."""
    match = records.match(found.match)
    rows = records.games(found.match, pair=found.pair, side=found.side)
    first = next(rows, None)
    if first is None:
        raise PlygroundError(
            f"match {found} has no finished pair yet"
            if found.pair is None
            else f"there is no record {found}; plyground record list {match.id} shows the games of match {match.id}"
        )

    def all_rows() -> Iterator[GameRow]:
        yield first
        yield from rows

    return all_rows()


def _sides_of(match: MatchRow, given: str | None, trust: bool) -> tuple[str, ...]:
    """Return the names of the sides; if the rules are gone or must not be run, their numbers."""
    try:
        return _game(match, given, trust).sides
    except PlygroundError:
        return tuple(f"side {i + 1}" for i in range(len(match.players)))


def _brief_result(row: GameRow, sides: int) -> str:
    """Return the result in a table: 1-0 if the first side won, and by how much if that counts; the points of a solitaire."""
    if row.reason is None or row.points is None:
        return ""
    if sides != 2:
        return f"{row.points:g}"
    by = f" by {abs(row.points):g}" if abs(row.points) > 1 else ""
    return result_text(row.first_score()) + by


def _print_match(match: MatchRow, count: tuple[int, int], tally: tuple[int, int, int, int] | None) -> None:
    """Print what is known of a match."""
    match = MatchRow._make(map(clean, match))
    pairs, games = count
    print(f"match {match.id}, {match.kind}: {match.game}")
    for number, player in enumerate(match.players, 1):
        print(f"  player {number}: {player}")
    for name, checksum in match.nets.items():
        print(f"  net: {name} ({checksum[:8]})")
    for player, command in match.programs.items():
        print(f"  program: {player} is {command}")
    for name, value in match.settings.items():
        if name == "limit" and isinstance(value, dict):
            value = {part: x for part, x in value.items() if part in ("depth", "nodes", "time", "clock")}
        if value not in (None, False, [], {}):
            print(f"  {name}: {value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}")
    print(f"  seed: {match.seed}")
    print(f"  began: {match.started[:19].replace('T', ' ')} UTC, with Plyground {match.version}")
    scheduled = f" of {2 * pairs} scheduled" if pairs else ""
    print(f"{words.count(games, 'game')}{scheduled}; {f'ended: {match.ended}' if match.ended else 'unfinished'}")
    if tally is not None and len(match.players) == 2:
        print("player 1: {} won, {} drawn, {} lost".format(*tally[1:]))
    if match.ended is None and match.kind == "arena":
        print(f"to resume: plyground arena --resume {match.id}")
    if games:
        print(f"its games: plyground record list {match.id}")


def _print_game(match: MatchRow, row: GameRow, given: str | None = None, trust: bool = False) -> None:
    """Print a game: who played, the moves, the last board and the result."""
    replay, movers, fault = _replay(match, row, given, trust)
    errors = [] if row.forfeit is None else row.forfeit.stderr.splitlines()[-STDERR:]
    row = GameRow._make(map(clean, row))
    alone = "" if row.kind == "play" else f" (match {row.match}, pair {row.pair})"
    print(f"record {row.id}{alone}: {row.game}, {row.written[:16].replace('T', ' ')} UTC")
    sides = _sides_of(match, given, trust)
    count = len(sides)
    players = zip(sides, row.by_side(count), row.nets_by_side(count), row.engines_by_side(count), strict=False)
    for side, player, net, engine in players:
        print(f"  {side}: {player}{f' (net {net})' if net else ''}{f' ({engine})' if engine else ''}")
    if row.start is not None:
        print(f"  from: {row.start}")
    print(f"\n{_moves(row, movers)}\n")
    if replay is not None:
        print(f"{replay.game.show(replay.s)}\n")
    else:
        print(f"the board is not shown: {printable(fault)}\n")
    print(_end(row, sides, replay))
    if row.forfeit is not None:
        print(f"{row.players[row.forfeit.player]} has forfeited: {row.forfeit.text}")
        for line in errors:
            print(f"  stderr: {printable(line)}")


def _replay(match: MatchRow, row: GameRow, given: str | None, trust: bool) -> tuple[Match | None, list[str], str]:
    """Return the game played again and who made each move, or why that is impossible: its rules may be gone or may have
    changed.
    """
    movers = []
    try:
        replay = Match(_game(match, given, trust), row.start)
        for move in row.moves:
            movers.append("chance" if replay.game.is_chance(replay.s) else replay.side)
            replay.play(move)
    except PlygroundError as e:
        return None, [], str(e)
    return replay, movers, ""


def _game(match: MatchRow, given: str | None, trust: bool) -> Game:
    """Return the game with the rules that the match was played with, as far as they were kept; `given` names others.

    A database may be anyone's. Without `trust`, no rules are run from it, nor from a file that it names.
    """
    if given is not None:
        return load(given)
    if not trust and (not is_installed(match.game) or match.brings_rules):
        raise PlygroundError("its rules are not run; name them with --game FILE.py, or add --trust to run those that were kept")
    if match.setup is not None and match.brings_rules:
        from plyground.arena.sources import UnpackedSetup, read_setup

        return UnpackedSetup.unpack(read_setup(match.setup)).game
    return load(match.game)


def _moves(row: GameRow, movers: list[str]) -> str:
    """Return the moves: a table if there is something to say about them, else as running text."""
    if not row.moves:
        return "(no moves)"
    if not any(score is not None for score in row.scores):
        return textwrap.fill(" ".join(f"{i}. {move}" for i, move in enumerate(row.moves, 1)), WIDTH)
    table = [["ply", "side", "move", "score", "depth", "nodes", "seconds"]]
    for i, move in enumerate(row.moves):
        given = "opening" if i < row.opening and _at(row.scores, i) is None else ""
        score = words.short(_at(row.scores, i)) if _at(row.scores, i) is not None else given
        numbers = [_number(_at(column, i)) for column in (row.depths, row.nodes, row.times)]
        table.append([str(i + 1), _at(movers, i) or "", move, score, *numbers])
    return columns(table)


def _at(column: list[Any], i: int) -> Any:
    return column[i] if i < len(column) else None


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:.3f}"


def _end(row: GameRow, sides: tuple[str, ...], replay: Match | None) -> str:
    """Return how the game ended, in words."""
    if row.reason is None:
        return f"unfinished; plyground play --load {row.id} resumes it" if row.kind == "play" else "unfinished"
    if replay is not None and replay.result is not None:
        return replay.describe_end()
    if len(sides) == 2:
        score = row.first_score()
        won = None if score in (None, 0.5) else sides[0] if score == 1 else sides[1]
        return f"{'drawn' if won is None else f'{won} wins'} ({row.reason})"
    return f"the game is over ({row.reason})"


# -- export --------------------------------------------------------------------------------------------------------------


def _export(records: Records, found: RecordId, args: argparse.Namespace) -> int:
    match = records.match(found.match)
    suffix = Path(args.out or "").suffix[1:].lower()
    form = args.format or (suffix if suffix in FORMATS else default_format(match.game))
    rows = _found_rows(records, found)
    if args.out in (None, "-"):
        for text in export(rows, form):
            sys.stdout.write(text)
        return 0
    _, total = records.count(match.id)
    done: list[int] = []
    with Countdown(f"write {args.out}", total) as bar:
        bar.tick(0)
        write_file(args.out, (text.encode() for text in export(_count_rows(rows, bar, done), form)))
    if args.json:
        print_json({"out": args.out, "format": form, "games": len(done)})
    else:
        print(f"{words.count(len(done), 'game')} written to {args.out} as {form}")
    return 0


def _count_rows(rows: Iterable[GameRow], bar: Countdown, done: list[int]) -> Iterator[GameRow]:
    for row in rows:
        yield row
        done.append(1)
        bar.tick()
