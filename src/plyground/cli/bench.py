"""Measure how much faster compiled rules are than plain Python, and how long they take to start.

plyground bench
plyground bench connect4 ./mygame.py
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from plyground.cli._terminal import Countdown, columns, print_json, report_stopped, run_interruptible, show_compiling
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground bench`."""
    parser.add_argument("games", metavar="GAME", nargs="*", help="games to measure (default: all that come with Plyground)")


def run(args: argparse.Namespace) -> int:
    """Measure one game after another."""
    games = [load(spec) for spec in args.games or builtin_games()]
    for game in games:
        if len(game.sides) > 2:
            raise PlygroundError(
                f"{game.name} has more than two sides; such rules are never compiled, so nothing can be compared"
            )
    show_compiling()
    found: list[dict[str, Any]] = []
    stopped = False
    with Countdown("bench", len(games)) as bar:
        bar.tick(0)
        try:
            for game in games:
                found.append(run_interruptible(lambda game=game: measure(game)))  # type: ignore[misc]
                bar.tick()
        except KeyboardInterrupt:
            report_stopped(f"{len(found)} of {len(games)} games measured")
            stopped = True
    if args.json:
        print_json({"games": found} | ({"stopped": True} if stopped else {}))
    else:
        print(columns([HEADER, *(row(one) for one in found)]))
    if stopped:
        raise KeyboardInterrupt
    return 0


HEADER = ["game", "perft", "leaves", "plain Python/s", "compiled/s", "times", "first start", "later starts"]


def measure(game: Game) -> dict[str, object]:
    """Return all figures for one game."""
    from plyground.measure.perft import speed, start_times

    one = speed(game)
    cold, warm = start_times(game.spec)
    return {
        "game": one.game,
        "depth": one.depth,
        "leaves": one.leaves,
        "interpreted_nps": round(one.interpreted_nps),
        "compiled_nps": round(one.compiled_nps),
        "ratio": round(one.ratio, 1),
        "cold_seconds": round(cold, 3),
        "warm_seconds": round(warm, 3),
    }


def row(figures: Mapping[str, object]) -> list[str]:
    """Return the figures for one game as text, in the order of HEADER."""
    one: Mapping[str, Any] = figures
    return [
        one["game"],
        str(one["depth"]),
        f"{one['leaves']:,}",
        f"{one['interpreted_nps']:,}",
        f"{one['compiled_nps']:,}",
        f"{one['ratio']:,.0f}",
        words.seconds(one["cold_seconds"]),
        words.seconds(one["warm_seconds"]),
    ]
