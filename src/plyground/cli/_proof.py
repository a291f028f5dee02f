"""Proofs on the command line: `solve --proof`, and `solve` in games of threats."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from plyground.cli._terminal import StatusLine, print_json
from plyground.play import words
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.score import LONGEST, final

if TYPE_CHECKING:
    from plyground.solver.prover import Progress, Proof, Prover


def prove(match: Match, args: argparse.Namespace, quiet: float) -> int:
    """Proves who wins, and prints the proof."""
    from plyground.cli.solve import as_json

    asked = prover(match.game, args)
    with StatusLine(quiet) as line:
        try:
            found = asked.prove(match.s, limit(args), on_progress=lambda p: line.show(_so_far(p), p.seconds))
        except KeyboardInterrupt:
            if asked.last is None:
                raise
            found = asked.last
    if args.json:
        print_json(as_json(match.game, match.s, found))
    else:
        print(_text(match, found))
    return 0 if found.value != "unknown" else 1


def prover(game: Game, args: argparse.Namespace) -> Prover:
    """The prover for these arguments."""
    from plyground.solver.prover import Prover

    return Prover(game, memory=256 if args.memory is None else args.memory)


def limit(args: argparse.Namespace) -> Limit:
    """The time limit."""
    return Limit(infinite=True) if args.time is None else Limit(time=args.time)


def _text(match: Match, found: Proof) -> str:
    how = " by threats alone" if found.by_threats else ""
    if found.value == "unknown":
        told = f"stopped: {words.bounds(match.game, match.s, *(final(x, 0, margin=False) for x in (found.low, found.high)))}"
    else:  # the line may not be the shortest
        told = words.score(final(found.low, found.plies or LONGEST, margin=False), exact=found.plies is None)
    return f"{words.answer(match, found.move, told + how, found.line)}\n{words.effort(found.nodes, found.seconds)}"


def _so_far(p: Progress) -> str:
    return f"{p.question}? proof {p.pn:,}, disproof {p.dn:,}; {words.effort(p.nodes, p.seconds)}"
