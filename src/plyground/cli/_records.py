"""Records as a terminal shows them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any

from plyground.cli._terminal import columns
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.records.pgn import result
from plyground.records.rows import GameRow, Id, MatchRow
from plyground.records.store import Records
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.system.processes import printable

WIDTH = 100
STDERR = 12
"""Lines of an engine's stderr that are shown."""


def found_rows(records: Records, found: Id) -> Iterator[GameRow]:
    """The games that a text names: of a match, of a pair, or one; there is at least one."""
    match = records.match(found.match)
    rows = records.games(found.match, pair=found.pair, side=found.side)
    first = next(rows, None)
    if first is None:
        raise PlygroundError(
            f"match {found} has no finished pair yet"
            if found.pair is None
            else f"there is no record {found}; plyground record list {match.id} shows what match {match.id} has"
        )

    def all_rows() -> Iterator[GameRow]:
        yield first
        yield from rows

    return all_rows()


def sides_of(match: MatchRow) -> tuple[str, ...]:
    """The names of the sides; if the rules are gone, their numbers."""
    try:
        return _game(match).sides
    except PlygroundError:
        return tuple(f"side {i + 1}" for i in range(len(match.players)))


def brief_result(row: GameRow, sides: int) -> str:
    """The result in a table: 1-0 if the first side won, and by how much if that counts; the points of a solitaire."""
    if row.reason is None or row.points is None:
        return ""
    if sides != 2:
        return f"{row.points:g}"
    by = f" by {abs(row.points):g}" if abs(row.points) > 1 else ""
    return result(row.first_score()) + by


def print_match(match: MatchRow, count: tuple[int, int], tally: tuple[int, int, int, int] | None) -> None:
    """Prints what is known of a match."""
    pairs, games = count
    print(f"match {match.id}, {match.kind}: {match.game}")
    for number, player in enumerate(match.players, 1):
        print(f"  player {number}: {player}")
    for name, checksum in match.nets.items():
        print(f"  net: {name} ({checksum[:8]})")
    for player, command in match.programs.items():
        print(f"  program: {player} is {command}")
    for name, value in match.settings.items():
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


def print_game(match: MatchRow, row: GameRow) -> None:
    """Prints a game: who played, the moves, the last board and the result."""
    replay, movers, fault = _replay(match, row)
    alone = "" if row.kind == "play" else f" (match {row.match}, pair {row.pair})"
    print(f"record {row.id}{alone}: {row.game}, {row.written[:16].replace('T', ' ')} UTC")
    sides = sides_of(match)
    count = len(sides)
    told = zip(sides, row.by_side(count), row.nets_by_side(count), row.engines_by_side(count), strict=False)
    for side, player, net, engine in told:
        print(f"  {side}: {player}{f' (net {net})' if net else ''}{f' ({engine})' if engine else ''}")
    if row.start is not None:
        print(f"  from: {row.start}")
    print(f"\n{_moves(row, movers)}\n")
    if replay is not None:
        print(f"{replay.game.show(replay.s)}\n")
    else:
        print(f"the board is not shown: {fault}\n")
    print(_end(row, sides, replay))
    if row.forfeit:
        print(f"{row.players[row.forfeit.get('player', 0)]} has lost by its own fault: {row.forfeit.get('text', '')}")
        for line in str(row.forfeit.get("stderr", "")).splitlines()[-STDERR:]:
            print(f"  stderr: {printable(line)}")


def _replay(match: MatchRow, row: GameRow) -> tuple[Match | None, list[str], str]:
    """The game played again and who made each move, or why that is impossible: its rules may be gone or may have changed."""
    movers = []
    try:
        replay = Match(_game(match), row.start)
        for move in row.moves:
            movers.append("chance" if replay.game.is_chance(replay.s) else replay.side)
            replay.play(move)
    except PlygroundError as e:
        return None, [], str(e)
    return replay, movers, ""


def _game(match: MatchRow) -> Game:
    """The game with the rules that the match was played with, as far as they were kept."""
    if match.setup is not None and "files" in match.setup.get("game", {}):
        from plyground.arena.sources import Setup

        return Setup.unpack(match.setup).game
    return load(match.game)


def _moves(row: GameRow, movers: list[str]) -> str:
    """The moves: a table if there is something to say about them, else as running text."""
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
    """How the game ended, in words."""
    if row.reason is None:
        return f"unfinished; plyground play --load {row.id} resumes it" if row.kind == "play" else "unfinished"
    if replay is not None and replay.result is not None:
        return replay.describe_end()
    if len(sides) == 2:
        score = row.first_score()
        won = None if score in (None, 0.5) else sides[0] if score == 1 else sides[1]
        return f"{'drawn' if won is None else f'{won} wins'} ({row.reason})"
    return f"the game is over ({row.reason})"
