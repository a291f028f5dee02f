"""Show how a textbook algorithm searches: as a tree in the terminal, a page to step through, or a picture.

The page works offline: step through the search, fold and unfold the tree, or take a quiz.

  plyground explain tictactoe --moves "a1 b2 c3 a3" --algorithm alphabeta --depth all
  plyground explain connect4 --depth 3 --out tree.html
  plyground explain connect4 --algorithm alphabeta_bounds,order=game --out tree.svg
  plyground explain othello --moves "d3 c3" --evaluate net     (with what a trained net sees)
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.cli import UsageError, position
from plyground.cli._terminal import Countdown, print_json, report_stopped, run_interruptible
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.system.files import write_text

if TYPE_CHECKING:
    from plyground.explain import Explanation
    from plyground.textbook.algorithm import Algorithm

EVALUATE_HELP = (
    "the evaluation of leaves: `net` for the game's net, a net file, or a Python file (default: `rules`, the game's own)"
)
DEPTH, CHANCE_DEPTH = 3, 1
"""Default plies to look ahead: a tree that is still readable."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground explain`."""
    position(parser)
    parser.add_argument("--algorithm", metavar="NAME[,option=value…]", help="minimax, alphabeta (default), pvs, mtdf or another")
    parser.add_argument(
        "--depth",
        metavar="N",
        help=f"plies to look ahead, or `all` (default {DEPTH}; {CHANCE_DEPTH} in games of chance)",
    )
    parser.add_argument("--evaluate", metavar="FILE", help=EVALUATE_HELP)
    parser.add_argument("--full", action="store_true", help="show the whole tree in the terminal")
    parser.add_argument("--out", metavar="FILE", type=Path, help="write a page (tree.html) or a picture (tree.svg)")


def run(args: argparse.Namespace) -> int:
    """Search, and show the search."""
    from plyground.explain import MAX_STEPS, explain, partial_explanation
    from plyground.textbook.trace import Recorder

    out: Path | None = args.out
    write = None if out is None else _writer(out)
    game = with_evaluation(load(args.game), args.evaluate)
    match = Match(game, args.state, args.moves)
    algorithm, options = parse_algorithm(game, args.algorithm, args.depth)
    record, stopped = Recorder(MAX_STEPS), False
    try:
        with Countdown(f"{algorithm.name} {game.name}"):
            found = run_interruptible(lambda: explain(match, algorithm, options, record))
    except KeyboardInterrupt:
        found, stopped = partial_explanation(match, algorithm, options, record), True
        if not found.roots:
            raise
        unwritten = "" if out is None else f"; {out} was not written"
        report_stopped(f"here is the tree after {words.count(found.record.nodes, 'node')}{unwritten}")
    if out is not None and write is not None and not stopped:
        with Countdown(f"write {out}"):
            write_text(out, run_interruptible(lambda: write(found)))
    _print(args, found, stopped)
    if stopped:
        raise KeyboardInterrupt
    return 0


def with_evaluation(game: Game, evaluate: str | None) -> Game:
    """Return the game with another evaluation, if one is asked for; a net is read in plain Python."""
    if evaluate is None:
        return game
    from plyground.nets.net_evaluation import choose_evaluation, net_file, with_net

    file = net_file(game) if evaluate == "net" else evaluate
    if file is None:
        raise PlygroundError(f"there is no net for {game.name} yet; `plyground train {shlex.quote(game.spec)}` trains one")
    game, net = choose_evaluation(game, file)
    return game if net is None else with_net(game, net)


def _print(args: argparse.Namespace, found: Explanation, stopped: bool) -> None:
    from rich.console import Console

    from plyground.explain import tree_text

    if args.json:
        print_json(found.as_json() | ({"stopped": True} if stopped else {}))
        return
    console = Console(highlight=False, soft_wrap=True, emoji=False, markup=False)
    console.print(tree_text.summary(found))
    if (learned := tree_text.learned_parts(found, args.full)) is not None:
        console.print(learned)
    if args.out is not None and not stopped:
        console.print(f"written to {args.out}")
    else:
        console.print()
        console.print(tree_text.tree(found, args.full))


def _writer(out: Path) -> Callable[[Explanation], str]:
    from plyground.explain import page, tree_svg

    writers = {".html": page.page, ".svg": tree_svg.picture}
    if out.suffix not in writers:
        raise UsageError(f"--out {str(out)!r:.60}: choose a name that ends in .html (a page) or .svg (a picture)")
    return writers[out.suffix]


def parse_algorithm(game: Game, algorithm: str | None, depth: str | None) -> tuple[Algorithm, dict[str, float | str]]:
    """Return the algorithm and its options, from the command line; the default is one that fits the game."""
    from plyground.textbook.registry import fitting, parse

    if algorithm is None:
        fits = [a.name for a in fitting(game)]
        algorithm = "alphabeta" if "alphabeta" in fits else fits[0]
    found, options = parse(algorithm)
    found.check(game)
    given = {part.partition("=")[0].strip() for part in algorithm.split(",")[1:]}
    if depth is not None:
        options["depth"] = found.read({"depth": depth})["depth"]
    elif "depth" in options and "depth" not in given:
        options["depth"] = CHANCE_DEPTH if "chance" in game.has else DEPTH
    if "time" in options and "time" not in given:
        options["time"] = 1e6
    return found, options
