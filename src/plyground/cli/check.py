"""Check a rules file: random games, the plain rules beside the compiled ones.

Every hook must say the same both ways; `play` leaves its state alone, `undo` restores it, texts lead back to what they name,
turns, weights and margins are sane. In games of chance the engine's values are those of the textbook's expectiminimax. A problem
comes with moves that lead to it, and makes the exit code 1. A warning names what is probably wrong: a `key` that tells apart too
little or too much, an `evaluate` from the wrong side's view.

  plyground check ./mygame.py
  plyground check chess --games 20 --seed 7
"""

from __future__ import annotations

import argparse
import dataclasses
import shlex
from typing import TYPE_CHECKING

from plyground.play import words

if TYPE_CHECKING:
    from plyground.check import Findings
    from plyground.rules.game import Game


def count(text: str) -> int:
    """How many games, read from the command line."""
    if not text.isdecimal() or not 1 <= int(text[:9]) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"a number of games is a whole number from 1 to 1000000, not {text!r:.20}")
    return int(text)


def arguments(parser: argparse.ArgumentParser) -> None:
    """What `plyground check` takes."""
    parser.add_argument("game", metavar="GAME", help="chess, 'connect4(rows=5)', ./mygame.py")
    parser.add_argument("--games", metavar="N", type=count, default=20, help="how many random games (default 20)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="other games for another number (default 0)")


def run(args: argparse.Namespace) -> int:
    """Checks, and prints what does not hold."""
    from plyground.check import Findings, check
    from plyground.cli._terminal import Bar, show_compiling, tell_stopped, work
    from plyground.rules.load import load

    game = load(args.game)
    if len(game.sides) <= 2:
        show_compiling()
    findings, stopped = Findings(game.name), False
    with Bar(f"check {game.name}", args.games) as bar:
        try:
            work(lambda: check(game, args.games, args.seed, bar.tick, findings))
        except KeyboardInterrupt:
            tell_stopped(f"{findings.games} of {args.games} games were checked")
            if not findings.games:
                raise
            stopped = True
    _print(args, game, findings, stopped)
    if stopped:
        raise KeyboardInterrupt
    return 0 if findings.ok else 1


def _print(args: argparse.Namespace, game: Game, findings: Findings, stopped: bool) -> None:
    from plyground.cli._terminal import print_json

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
    how = "interpreted and compiled agree" if findings.compiled else "interpreted only, for there are more than two sides"
    verdict = f"holds ({how})" if findings.ok else f"breaks {len(findings.problems)} of the contract's rules"
    doubts = f", {words.count(len(findings.warnings), 'warning')}" if findings.warnings else ""
    print(f"{game.name} {verdict}: {words.count(findings.games, 'random game')}, {words.count(findings.states, 'state')}{doubts}")
