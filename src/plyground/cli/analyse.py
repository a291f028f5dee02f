"""Find the best moves in a position with the native engine.

  plyground analyse chess --moves "e4 e5" --time 5
  plyground analyse connect4 --moves 4455 --depth 20 --lines 3
  plyground analyse othello --infinite          (Ctrl-C stops it and shows the result)

Scores are for the side to move; wins and losses are given in plies or by their margin. If only the time is limited, the book and
the solver answer first where they can.
"""

from __future__ import annotations

import argparse
import threading
import time

from plyground.cli import EVALUATE, position
from plyground.cli._terminal import StatusLine, print_advice, print_json, show_compiling
from plyground.play import words
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis, Report
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground analyse`."""
    position(parser)
    parser.add_argument("--time", metavar="SECONDS", type=float, help="time limit (default 3 if there is no other limit)")
    parser.add_argument("--depth", metavar="PLIES", type=int, help="depth limit")
    parser.add_argument("--nodes", metavar="N", type=int, help="node limit")
    parser.add_argument("--infinite", action="store_true", help="search until Ctrl-C")
    parser.add_argument("--lines", metavar="N", type=int, default=1, help="show the N best moves; 0 shows all legal moves")
    parser.add_argument("--threads", metavar="N", type=int, default=1, help="number of threads (default 1)")
    parser.add_argument("--memory", metavar="MB", type=float, default=64, help="size of the transposition table (default 64)")
    parser.add_argument("--table", metavar="FILE", action="append", help="try this table first (made by solve --table)")
    parser.add_argument("--evaluate", metavar="FILE", help=EVALUATE)
    parser.add_argument(
        "--exact", action="store_true", help="plain minimax values: no net, and no pruning that could change them"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed for the choice among equal moves (default 0)")


def run(args: argparse.Namespace) -> int:
    """Analyse the position, and print what was found."""
    from plyground.engine.engine import Engine

    limit = Limit(depth=args.depth, nodes=args.nodes, time=args.time, infinite=args.infinite)
    if limit.is_unlimited and not args.infinite:
        limit = Limit(time=3)
    game = load(args.game)
    match = Match(game, args.state, args.moves)
    if args.table and _look_up(args, match):
        return 0
    show_compiling()
    engine = Engine(game, memory=args.memory, threads=args.threads, exact=args.exact, seed=args.seed, evaluate=args.evaluate)
    engine.prepare(limit=limit)
    print_advice(engine)

    view = _View(match, limit, rows=not args.json)
    search = engine.start(match.s, limit, lines=args.lines, history=match.states[:-1], on_report=view.add_report)
    try:
        while not search.done():
            view.refresh()
            search.wait(0.1)
        found = search.result()
    except KeyboardInterrupt:
        found = search.stop()
    view.line.stop()
    if args.json:
        print_json(as_json(match, found))
    else:
        print(_end(match, found))
    return 0


class _View:
    """Prints a row for each report; a status line on stderr shows the elapsed time."""

    def __init__(self, match: Match, limit: Limit, rows: bool) -> None:
        self.match, self.limit, self.rows = match, limit, rows
        self.line = StatusLine()
        self.began = time.monotonic()
        self.depth = 0
        self._lock = threading.Lock()

    def add_report(self, report: Report) -> None:
        """Take a report, on the thread of the search."""
        self.depth = report.depth
        if self.rows:
            with self._lock:
                self.line.stop()
                print(_report(self.match.game, self.match.s, report), flush=True)

    def refresh(self) -> None:
        """Draw the line anew."""
        seconds = time.monotonic() - self.began
        left = "" if self.limit.time is None else f", at most {words.duration(self.limit.time - seconds)} left"
        of = "" if self.limit.depth is None else f" of {self.limit.depth}"
        with self._lock:
            text = f"analyse {self.match.game.name}: depth {self.depth}{of}, {words.duration(seconds)} so far{left}"
            self.line.show(text, seconds)


def _look_up(args: argparse.Namespace, match: Match) -> bool:
    """Print what a table says about the position; False if none contains it."""
    from plyground.players.builtin import Tablebases

    known = Tablebases(args.table, match.game).analysis(match.s, args.lines)
    if known is None:
        return False
    found, table = known
    if args.json:
        print_json({**as_json(match, found), "table": str(table.path)})
    else:
        print(f"{_end(match, found)}\nfrom {table.path}")
    return True


def as_json(match: Match, found: Analysis) -> dict[str, object]:
    """Return what was found, for --json."""
    return {**found.as_json(), "side": match.side}


def _report(game: Game, s: State, r: Report) -> str:
    line = " ".join(words.line(game, s, r.line)[:12])
    score, speed = words.score(r.score, r.exact, not r.limited), words.rate(r.nodes, r.seconds)
    row = f"{r.depth:3}/{r.seldepth:<3} {score:>16} {words.seconds(r.seconds):>10} {r.nodes:14,} {speed:>15}  {line}"
    return f"{row} (unfinished)" if r.partial else row


def _end(match: Match, found: Analysis) -> str:
    score = words.score(found.score, found.exact, not found.limited)
    return words.describe_position(
        match.game, match.s, match.side, found.move, f"{score} ({found.describe_source()})", found.line
    )
