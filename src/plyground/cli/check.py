"""Check a rules file: play random games and compare the plain rules with the compiled ones.

Every hook must give the same answer interpreted and compiled; `play` must not change its state, `undo` must restore it, and moves
and states must survive being written as text and read back. In games of chance, the engine is compared with the textbook's
expectiminimax. A problem is shown with the moves that lead to it, and the exit code is 1. A warning is probably an error: a `key`
that distinguishes too little or too much, an `evaluate` with the wrong sign, cards dealt face up.

  plyground check ./mygame.py
  plyground check chess --games 20 --seed 7
"""

from __future__ import annotations

import argparse
import dataclasses
import shlex
from typing import TYPE_CHECKING

from plyground.cli import GAME, int_in_range
from plyground.cli._terminal import Countdown, print_json, report_stopped, run_interruptible, show_compiling
from plyground.play import words
from plyground.rules.game import Game
from plyground.rules.load import load

if TYPE_CHECKING:
    from plyground.check import CheckReport


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground check`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument(
        "--games", metavar="N", type=int_in_range(1, 1_000_000), default=20, help="number of random games (default 20)"
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed for the random games (default 0)")


def run(args: argparse.Namespace) -> int:
    """Check the rules, and print problems and warnings."""
    from plyground.check import CheckReport, check

    game = load(args.game)
    if len(game.sides) <= 2:
        show_compiling()
    findings, stopped = CheckReport(game.name), False
    with Countdown(f"check {game.name}", args.games) as bar:
        try:
            run_interruptible(lambda: check(game, args.games, args.seed, bar.tick, findings))
        except KeyboardInterrupt:
            report_stopped(f"{findings.games} of {args.games} games checked")
            if not findings.games:
                raise
            stopped = True
    _print(args, game, findings, stopped)
    if stopped:
        raise KeyboardInterrupt
    return 0 if findings.ok else 1


def _print(args: argparse.Namespace, game: Game, findings: CheckReport, stopped: bool) -> None:
    if args.json:
        data = dataclasses.asdict(findings)
        print_json({"game": findings.game, "ok": findings.ok, **data} | ({"stopped": True} if stopped else {}))
        return
    for kind, found in (("", findings.problems), ("warning: ", findings.warnings)):
        for problem in found:
            print(f"{game.name}: {kind}{problem.rule}: {problem.message}")
            print(f"  at     {problem.state}")
            where = f" --moves {shlex.quote(problem.moves)}" if problem.moves else ""
            if problem.moves is None:
                where = f" --state {shlex.quote(problem.state)}"
            print(f"  replay plyground perft {shlex.quote(args.game)} 1 --divide --interpreted{where}")
    how = "interpreted and compiled agree" if findings.compiled else "interpreted only, because there are more than two sides"
    verdict = f"passes ({how})" if findings.ok else f"breaks {len(findings.problems)} of the contract's rules"
    doubts = f", {words.count(len(findings.warnings), 'warning')}" if findings.warnings else ""
    print(f"{game.name} {verdict}: {words.count(findings.games, 'random game')}, {words.count(findings.states, 'state')}{doubts}")
