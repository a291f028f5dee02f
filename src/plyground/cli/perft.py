"""Count the lines of play to a depth, natively.

The standard test of rules: known games have known counts. Chance outcomes count as moves.

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

DEEPEST = 1000


def depth(text: str) -> int:
    """A depth, read from the command line."""
    if not text.isdecimal() or int(text[:9]) > DEEPEST:
        raise argparse.ArgumentTypeError(f"a depth is a whole number from 0 to {DEEPEST}, not {text!r:.20}")
    return int(text)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `plyground perft` takes."""
    parser.add_argument("game", metavar="GAME", help="chess, 'connect4(rows=5)', ./mygame.py")
    parser.add_argument("depth", metavar="DEPTH", type=depth, help="how many plies")
    parser.add_argument("--state", metavar="TEXT", help="count from this state, as the game writes it")
    parser.add_argument("--moves", metavar="TEXT", default="", help="make these moves first")
    parser.add_argument("--divide", action="store_true", help="the count below each move")
    parser.add_argument("--finished", action="store_true", help="also the games that end within DEPTH plies")
    parser.add_argument("--distinct", action="store_true", help="also the distinct positions after DEPTH plies")
    parser.add_argument("--interpreted", action="store_true", help="by the plain Python rules, not compiled")


def run(args: argparse.Namespace) -> int:
    """Counts, and prints what was counted."""
    from plyground import perft
    from plyground.game import load
    from plyground.match import Match
    from plyground.terminal import Progress, print_json, show_compiling, tell_stopped, work

    game = load(args.game)
    s = Match(game, args.state, args.moves).s
    plain = args.interpreted or len(game.sides) > 2
    sys.setrecursionlimit(10 * DEEPEST)
    if not plain:
        show_compiling()

    partly: dict[str, dict[int, int]] = {}  # what Ctrl-C finds of a count that is under way

    def count(what: str) -> tuple[int, dict[int, int], float]:
        below = perft.interpreted(game, what) if plain else perft.native(game, what)
        since = time.perf_counter()
        found = perft.options(game, s)
        if args.depth == 0 or not found:
            return below(s, args.depth), {}, time.perf_counter() - since
        parts = partly[what] = {}
        with Progress(f"{what} {game.name} {args.depth}", len(found)) as progress:
            progress.tick(0)
            for m, n in perft.divide(game, below, s, args.depth):
                parts[m] = n
                progress.tick()
        return sum(parts.values()), parts, time.perf_counter() - since

    def distinct() -> int:
        if plain:
            return perft.distinct_interpreted(game, s, args.depth)[0]
        return perft.distinct(game, s, args.depth)[0]

    stopped = False
    began = time.perf_counter()
    found: dict[str, Any] = {"game": game.name, "state": game.format_state(s), "depth": args.depth}
    try:
        leaves, parts, seconds = work(lambda: count("perft"))
        found |= _counted(leaves, seconds)
        if args.divide:
            found["divide"] = {game.format_move(s, m): n for m, n in parts.items()}
        if args.finished:
            found["finished"] = work(lambda: count("finished"))[0]
        if args.distinct:
            found["distinct"] = work(distinct)
    except KeyboardInterrupt:
        stopped = True
        if "leaves" not in found:
            done = dict(partly.get("perft", {}))
            tell_stopped(f"{len(done)} of {len(perft.options(game, s))} moves were counted; the count is of these")
            found |= _counted(sum(done.values()), time.perf_counter() - began)
            found["divide"] = {game.format_move(s, m): n for m, n in done.items()}
    if args.json:
        print_json(found)
    else:
        print(_text(found))
    if stopped:
        raise KeyboardInterrupt
    return 0


def _counted(leaves: int, seconds: float) -> dict[str, Any]:
    return {"leaves": leaves, "seconds": round(seconds, 6), "nps": round(leaves / max(seconds, 1e-9))}


def _text(found: dict[str, Any]) -> str:
    lines = [f"{move}: {n}" for move, n in found.get("divide", {}).items()]
    rate = found["nps"] / 1e6
    lines.append(
        f"{found['game']}, depth {found['depth']}: {found['leaves']:,} leaves in {found['seconds']:.3f} s ({rate:.1f} million/s)"
    )
    if "finished" in found:
        lines.append(f"games that end within {found['depth']} plies: {found['finished']:,}")
    if "distinct" in found:
        lines.append(f"distinct positions after {found['depth']} plies: {found['distinct']:,}")
    return "\n".join(lines)
