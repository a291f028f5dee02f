"""Compare the textbook algorithms on one position: what each finds and what it costs.

The table shows nodes, evaluations, cutoffs (and the share on the first move), table hits and time; below it is the minimum number
of leaves for alpha-beta (Knuth and Moore). All wins count the same, as in the literature; `--options wins=faster` prefers faster
ones.

  plyground compare connect4 --depth 5
  plyground compare othello --depth 4 --algorithms minimax,alphabeta,mtdf --options order=game
  plyground compare tictactoe --depth 9 --plot nodes.svg
  plyground compare connect4 --algorithms td --options games=500 --plot learning.svg
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli import UsageError, int_in_range, position
from plyground.cli._terminal import Countdown, columns, print_json, report_stopped, run_interruptible
from plyground.play import words
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.system.files import write_text

if TYPE_CHECKING:
    from plyground.textbook.compare import AlgorithmRow, Comparison

DEPTH = 4
NODES = 3_000_000
"""Node limit per algorithm: about half a minute of plain Python."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground compare`."""
    position(parser)
    parser.add_argument(
        "--depth", metavar="N", type=int_in_range(1, 1000), default=DEPTH, help=f"plies to look ahead (default {DEPTH})"
    )
    parser.add_argument("--algorithms", metavar="A,B,C", help="the algorithms (default: all that suit the game and take a depth)")
    parser.add_argument(
        "--options",
        metavar="NAME=VALUE,…",
        default="",
        help="options for all algorithms that have them, such as order=game,wins=faster",
    )
    parser.add_argument(
        "--nodes",
        metavar="N",
        type=int_in_range(1, 10**9),
        default=NODES,
        help=f"node limit for each algorithm (default {NODES:,})",
    )
    parser.add_argument(
        "--plot", metavar="FILE", type=Path, help="plot nodes against depth (nodes.svg); with only td, its learning curve"
    )


def run(args: argparse.Namespace) -> int:
    """Run the algorithms one after another, and print a table."""
    from plyground.textbook.compare import comparable, curves, plot

    if args.plot is not None and args.plot.suffix != ".svg":
        raise UsageError(f"--plot {str(args.plot)!r:.60}: the plot is an SVG file; choose a name that ends in .svg")
    game = load(args.game)
    match = Match(game, args.state, args.moves)
    names = comparable(game) if args.algorithms is None else [name.strip() for name in args.algorithms.split(",")]
    options = _options(args.options, names)
    found, stopped = _compare(args, match, names, options)
    if stopped:
        _print(args, found, stopped)
        raise KeyboardInterrupt
    if args.plot is not None:
        with Countdown(f"plot {game.name}"):
            if names == ["td"]:
                write_text(args.plot, run_interruptible(lambda: _learning_curve(game, options)))
            else:
                series = run_interruptible(lambda: curves(game, match.s, args.depth, names, options, args.nodes))
                write_text(args.plot, plot(series, f"{game.title}: nodes over depth"))
    _print(args, found, stopped)
    if args.plot is not None and not args.json:
        print(f"written to {args.plot}")
    return 0


def _compare(args: argparse.Namespace, match: Match, names: list[str], options: dict[str, str]) -> tuple[Comparison, bool]:
    """Return the comparison, and whether Ctrl-C stopped it; it then has the rows of the finished algorithms."""
    from plyground.textbook.compare import Comparison, compare

    game = match.game
    rows: list[AlgorithmRow] = []
    with Countdown(f"compare {game.name} {args.depth}", len(names)) as bar:
        bar.tick(0)

        def on_row(row: AlgorithmRow) -> None:
            rows.append(row)
            bar.tick()

        try:
            found = run_interruptible(
                lambda: compare(game, match.s, args.depth, names, options, args.nodes, match.states[:-1], on_row=on_row),
            )
            return found, False
        except KeyboardInterrupt:
            report_stopped(f"{len(rows)} of {len(names)} algorithms finished")
            return Comparison(game.name, game.format_state(match.s), args.depth, 0.0, None, list(rows)), True


def _learning_curve(game: Game, options: dict[str, str]) -> str:
    """Return the learning curve of td, as a picture."""
    from plyground.textbook import td
    from plyground.textbook.registry import find

    given = find("td").read(options)
    settings = td.TdSettings(int(given["games"]), str(given["features"]), seed=int(given["seed"]))
    return td.plot(game, list(td.curve(game, settings))).file()


def _print(args: argparse.Namespace, found: Comparison, stopped: bool) -> None:
    if args.json:
        print_json(found.as_json() | ({"stopped": True} if stopped else {}))
    else:
        print(_text(found))


def _options(text: str, names: list[str]) -> dict[str, str]:
    """Return the options for all algorithms; at least one algorithm must have each option."""
    from plyground.textbook.registry import find

    known = {option for name in names for option in find(name).options if option not in ("depth", "time")}
    found = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, eq, value = (x.strip() for x in part.partition("="))
        if not eq or name not in known:
            raise UsageError(f"--options {part!r:.40}: write an option as name=value; the options are {', '.join(sorted(known))}")
        found[name] = value
    return found


def _text(found: Comparison) -> str:
    rows = [["algorithm", "value", "move", "nodes", "evaluations", "cutoffs", "on the first", "table hits", "time"]]
    rows += [_cells(row) for row in found.rows]
    lines = [f"{found.game}, depth {found.depth}: {found.state}", "", columns(rows)]
    if found.minimum is not None:
        least = f"alpha-beta needs at least {words.count(found.minimum, 'leaf', 'leaves')} (Knuth and Moore)"
        lines += ["", f"{found.branching:g} moves on average: {least}"]
    if not all(row.finished for row in found.rows):
        lines.append("… stopped at the node limit; --nodes raises it")
    return "\n".join(lines)


def _cells(row: AlgorithmRow) -> list[str]:
    share = "" if row.first_move_share is None else f"{row.first_move_share:.0%}"
    value = "…" if not row.finished else words.short(row.value)
    nodes = f"{row.nodes:,}"
    return [
        *(row.algorithm, value, row.move or "", nodes, f"{row.evaluations:,}", f"{row.cutoffs:,}", share),
        *(f"{row.table_hits:,}", words.seconds(row.seconds)),
    ]
