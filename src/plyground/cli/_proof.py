"""Proofs on the command line: `solve --proof`, and what `solve` does in games of threats."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plyground.play.limit import Limit
    from plyground.play.match import Match
    from plyground.rules.game import Game
    from plyground.solver.prover import Progress, Proof, Prover


def prove(match: Match, args: argparse.Namespace, quiet: float) -> int:
    """Proves who wins, and prints it."""
    from plyground.cli._terminal import StatusLine, print_json

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
    """The prover that was asked for."""
    from plyground.solver.prover import Prover

    return Prover(game, memory=256 if args.memory is None else args.memory)


def limit(args: argparse.Namespace) -> Limit:
    """How long it may take."""
    from plyground.play.limit import Limit

    return Limit(infinite=True) if args.time is None else Limit(time=args.time)


def as_json(game: Game, s: Any, found: Proof) -> dict[str, Any]:
    """What was proven, for machines."""
    from plyground.play.report import line_text

    return {
        "game": game.name,
        "state": game.format_state(s),
        "score": None if found.low != found.high else found.low,
        "value": found.value,
        "plies": found.plies,
        "bounds": [found.low, found.high],
        "move": None if found.move is None else game.format_move(s, found.move),
        "line": line_text(game, s, found.line),
        "nodes": found.nodes,
        "seconds": round(found.seconds, 6),
        "moves": [],
    }


def _text(match: Match, found: Proof) -> str:
    from plyground.play.report import line_text

    game, s = match.game, match.s
    names = {"win": "wins", "loss": "loses", "draw": "draw", "unknown": "stopped: who wins is not proven"}
    if found.value == "unknown" and found.low == 0:
        names["unknown"] = "stopped: at least a draw"
    elif found.value == "unknown" and found.high == 0:
        names["unknown"] = "stopped: at most a draw"
    how = " by threats alone" if found.by_threats else ""
    move = "" if found.move is None else f"{game.format_move(s, found.move)}, "
    lines = [f"{match.side} to move: {move}{names[found.value]}{how}"]
    if len(found.line) > 1:
        lines.append(f"line ({len(found.line)} plies): {' '.join(line_text(game, s, found.line))}")
    lines.append(f"{found.nodes:,} nodes, {found.seconds:.2f} s")
    return "\n".join(lines)


def _so_far(p: Progress) -> str:
    return f"{p.question}? · proof {p.pn:,}, disproof {p.dn:,} · {p.nodes:,} nodes · {p.seconds:.0f} s"
