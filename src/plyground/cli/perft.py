"""Count the lines of play to a given depth with the compiled rules.

Perft is the standard test of rules: the counts of well-known games are published. Outcomes of chance count as moves.

  plyground perft chess 5
  plyground perft chess 4 --moves "e4 e5" --divide
  plyground perft tictactoe 9 --finished
  plyground perft connect4 9 --distinct
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from plyground.cli import int_in_range, position
from plyground.cli._terminal import Countdown, print_json, report_stopped, run_interruptible, show_compiling
from plyground.play import words
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.load import load

MAX_DEPTH = 1000


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground perft`."""
    position(parser)
    parser.add_argument("depth", metavar="DEPTH", type=int_in_range(0, MAX_DEPTH), help="number of plies")
    parser.add_argument("--divide", action="store_true", help="show the count for each move")
    parser.add_argument("--finished", action="store_true", help="also count games that end within DEPTH plies")
    parser.add_argument("--distinct", action="store_true", help="also count distinct positions after DEPTH plies")
    parser.add_argument("--interpreted", action="store_true", help="use the plain Python rules, not the compiled ones")


def run(args: argparse.Namespace) -> int:
    """Count, and print the counts."""
    game = load(args.game)
    counting = _Counting(game, Match(game, args.state, args.moves).s, args.depth, args.interpreted or len(game.sides) > 2)
    sys.setrecursionlimit(10 * MAX_DEPTH)
    if not counting.plain:
        show_compiling()
    found: dict[str, Any] = {"game": game.name, "state": game.format_state(counting.s), "depth": args.depth}
    stopped = False
    try:
        found |= counting.as_json(run_interruptible(lambda: counting.lines("perft")), args.divide)
        if args.finished:
            found["finished"] = run_interruptible(lambda: counting.lines("finished"))
        if args.distinct:
            found["distinct"] = run_interruptible(counting.distinct)
    except KeyboardInterrupt:
        counting.parts = counting.parts.copy()  # a copy, because counting goes on
        if not counting.parts:
            raise
        if "leaves" not in found:
            found |= counting.as_json(sum(counting.parts.values()), True)
        report_stopped(f"{len(counting.parts)} of {counting.total} moves counted")
        found["stopped"] = stopped = True
    print_json(found) if args.json else print(_text(found))
    if stopped:
        raise KeyboardInterrupt
    return 0


class _Counting:
    """The counts for one position; `parts` are the counts for each move finished so far."""

    def __init__(self, game: Game, s: State, depth: int, plain: bool) -> None:
        from plyground.measure import perft

        self.game, self.s, self.depth, self.plain = game, s, depth, plain
        self.total = len(perft.options(game, s))
        self.parts: dict[int, int] = {}
        self.began = time.perf_counter()
        self.seconds: float | None = None

    def lines(self, what: str) -> int:
        """Return the number of lines of play (`perft`), or of games that end (`finished`)."""
        from plyground.measure import perft

        below = perft.interpreted(self.game, what) if self.plain else perft.native(self.game, what)
        self.began = time.perf_counter() if what == "perft" else self.began
        parts = self.parts if what == "perft" else {}
        if self.depth == 0 or not self.total:
            count = below(self.s, self.depth)
        else:
            with Countdown(f"{what} {self.game.name} {self.depth}", self.total) as bar:
                bar.tick(0)
                for m, n in perft.divide(self.game, below, self.s, self.depth):
                    parts[m] = n
                    bar.tick()
            count = sum(parts.values())
        self.seconds = self.seconds or time.perf_counter() - self.began
        return count

    def distinct(self) -> int:
        """Return the number of distinct positions."""
        from plyground.measure import perft

        count = perft.distinct_interpreted if self.plain else perft.distinct
        with Countdown(f"distinct {self.game.name} {self.depth}"):
            return count(self.game, self.s, self.depth)[0]

    def as_json(self, leaves: int, divide: bool) -> dict[str, Any]:
        """Return the number of leaves, and how fast they were counted."""
        seconds = self.seconds or time.perf_counter() - self.began
        found: dict[str, Any] = {"leaves": leaves, "seconds": round(seconds, 6), "nps": round(leaves / max(seconds, 1e-9))}
        if divide:
            found["divide"] = {self.game.format_move(self.s, m): n for m, n in self.parts.items()}
        return found


def _text(found: dict[str, Any]) -> str:
    lines = [f"{move}: {n}" for move, n in found.get("divide", {}).items()]
    leaves, took = words.count(found["leaves"], "leaf", "leaves"), found["seconds"]
    speed = words.rate(found["leaves"], took, "leaves")
    lines.append(f"{found['game']}, depth {found['depth']}: {leaves} in {words.seconds(took)} ({speed})")
    if "finished" in found:
        lines.append(f"games that end within {found['depth']} plies: {found['finished']:,}")
    if "distinct" in found:
        lines.append(f"distinct positions after {found['depth']} plies: {found['distinct']:,}")
    return "\n".join(lines)
