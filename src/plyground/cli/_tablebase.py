"""Tablebases on the command line: `solve --table` creates one and answers from it."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli._terminal import StatusLine, print_json, show_compiling, tell_stopped
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.rules.game import Game

if TYPE_CHECKING:
    from plyground.solver.tablebase import Tablebase, TablebaseProgress


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground solve` for tables."""
    parser.add_argument("--table", metavar="FILE", help="solve every state, not just one, and save the table in this file")
    parser.add_argument("--ending", metavar="NAME", help="with --table: solve an ending (KBNK in chess, 4 in checkers)")
    parser.add_argument("--states", metavar="N", type=int, help="with --table: at most N states (default 50 million)")
    parser.add_argument(
        "--memory",
        metavar="MB",
        type=float,
        help="size of the table in memory (default 256); with --table, of everything (default 4096)",
    )


def solve(args: argparse.Namespace, match: Match) -> int:
    """Creates, resumes or opens a tablebase, and prints what it contains and what it says about the position."""
    from plyground.solver import tablebase

    game = match.game
    limits = {name: getattr(args, name) for name in ("states", "memory") if getattr(args, name) is not None}
    show_compiling()
    began = time.perf_counter()
    try:
        with StatusLine() as line:

            def tell(p: TablebaseProgress) -> None:
                line.show(_progress(p), p.seconds)

            table = tablebase.solve_tablebase(game, args.table, ending=args.ending, on_progress=tell, **limits)
    except KeyboardInterrupt:
        if Path(f"{args.table}.part").exists():
            tell_stopped(f"run the same command again to resume from {args.table}.part")
        raise
    seconds = time.perf_counter() - began
    if args.ending is not None and args.state is None and not match.moves:
        match = _hardest(game, table, match)
    if args.json:
        print_json(as_json(match, table, seconds))
    else:
        print(_text(match, table, seconds, args.all_moves))
    return 0


def _hardest(game: Game, table: Tablebase, match: Match) -> Match:
    """Return the longest win of an ending, shown if no position was given."""
    return match if table.hardest is None else Match(game, table.hardest)


def _progress(p: TablebaseProgress) -> str:
    what = {"finding": "looked at", "solving": "known", "writing": "to write"}[p.stage]
    return f"{p.stage}: {words.count(p.states, 'state')}, {p.done:,} {what}, ply {p.ply}, {words.seconds(p.seconds)}"


def as_json(match: Match, table: Tablebase, seconds: float) -> dict[str, Any]:
    """Return what the tablebase says about the position, and what it contains, for --json."""
    from plyground.cli import solve
    from plyground.solver.solving import Solution

    score, plies, line = *_known(table, match), table.line(match.s)
    moves: list[tuple[int, int | None]] = [(m, int(x)) for m, x in table.moves(match.s) or []]
    found = Solution(score, score, False, line[0] if line else None, tuple(line), table.states, seconds, moves)
    names = ("ending", "states", "wins", "draws", "losses", "longest", "hardest")
    about = {"file": str(table.path), "bytes": table.size, **{name: getattr(table, name) for name in names}}
    return {**solve.as_json(match.game, match.s, found), "plies": plies, "table": about}


def _known(table: Tablebase, match: Match) -> tuple[int, int | None]:
    """Return the score of the position, and the plies to the end of the game."""
    score, found = table.score(match.s), table.lookup(match.s)
    if score is None or found is None:
        raise PlygroundError(f"{table.path} does not contain {match.game.format_state(match.s)}")
    return score, found[1]


def _text(match: Match, table: Tablebase, seconds: float, all_moves: bool) -> str:
    score, _ = _known(table, match)
    game, s = match.game, match.s
    what = f"{game.name} {table.ending}" if table.ending else game.name
    lines = [
        f"{what}: {words.count(table.states, 'state')}; the side to move wins {table.wins:,}, draws {table.draws:,}, "
        f"loses {table.losses:,}",
        f"{table.path}: {words.count(table.size, 'byte')}; {words.seconds(seconds)}",
    ]
    if table.longest is not None:
        lines.append(f"longest win: {words.count(table.longest, 'ply', 'plies')}, {table.hardest}")
    line = table.line(s)
    lines += [game.format_state(s), words.answer(match, line[0] if line else None, words.solved(game, s, score), line)]
    if all_moves:
        lines += [f"  {game.format_move(s, m):6} {words.solved(game, s, int(x))}" for m, x in table.moves(s) or []]
    return "\n".join(lines)
