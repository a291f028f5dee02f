"""Find out by play and search whether a game is fair, how long it takes, and whether skill counts.

  plyground report ./mygame.py
  plyground report ./mygame.py --html report.html --minutes 10
  plyground report connect4 --games 40 --seed 7          (the same report every time)

Levels 2, 5 and 9 play against themselves, stronger levels play against weaker ones, and the solver looks for the exact value.
Every number comes with its sample size and a 95 % interval. Ctrl-C stops the games and reports the results so far.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.cli import GAME, UsageError, int_in_range
from plyground.cli._terminal import StatusLine, columns, print_json, report_stopped, show_compiling
from plyground.play import checked, words
from plyground.rules.load import load
from plyground.system.files import write_text

if TYPE_CHECKING:
    from plyground.report import Study
    from plyground.report.findings import Findings

SIGNS = {"bad": "!", "note": "-", "good": "+", "unknown": "?"}
WIDTH = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `plyground report`."""
    parser.add_argument("game", metavar="GAME", help=GAME)
    parser.add_argument("--html", metavar="FILE", help="write the report as a page")
    parser.add_argument("--minutes", metavar="N", type=float, help="time limit in minutes (default 5)")
    parser.add_argument(
        "--games",
        metavar="N",
        type=int_in_range(2, 100_000),
        help="play N games of each kind instead (makes the report reproducible)",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="seed for the games (default 1)")
    parser.add_argument("--workers", metavar="N", type=int_in_range(1, 1024), help="number of processes (default: one per core)")


def run(args: argparse.Namespace) -> int:
    """Study the game, and print or write what it found."""
    from plyground.arena.worker_pool import Workers
    from plyground.report import Study
    from plyground.report.matchups import Budget

    _check(args)
    show_compiling()
    given: dict[str, Any] = {name: getattr(args, name) for name in ("minutes", "workers") if getattr(args, name) is not None}
    study = Study(load(args.game), Budget(games=args.games, seed=args.seed, **given), Workers)
    with StatusLine() as line:
        study.on_progress = line.show
        stopped = _run(study)
    found = study.findings()
    if stopped:
        report_stopped(f"{words.count(found.games, 'game')} played")
        if not found.games:
            raise KeyboardInterrupt
    _print(args, found)
    if args.html is not None:
        from plyground.report.page import page

        write_text(args.html, page(found))
    if stopped:
        raise KeyboardInterrupt
    return 0


def _print(args: argparse.Namespace, found: Findings) -> None:
    """Print the report, before the page is written: if that fails, nothing is lost."""
    if args.json:
        print_json(found.as_json() | ({} if args.html is None else {"html": args.html}))
        return
    print(as_text(found))
    if args.html is not None:
        print(f"\nthe page: {args.html}", flush=True)


def _check(args: argparse.Namespace) -> None:
    if args.html is not None and Path(args.html).suffix not in (".html", ".htm"):
        raise UsageError(f"--html {args.html!r:.60}: choose a name that ends in .html")
    if args.html is not None and not Path(args.html).parent.is_dir():
        raise UsageError(f"{args.html}: cannot be written (there is no folder {Path(args.html).parent})")
    if args.minutes is not None and args.games is not None:
        raise UsageError("--minutes and --games cannot be combined: only --games makes the report repeatable")
    if args.minutes is not None:
        checked.positive("--minutes", args.minutes, "a number of minutes")


def _run(study: Study) -> bool:
    """Run the study; return whether it was interrupted."""
    try:
        study.run()
    except KeyboardInterrupt:
        return True
    return False


# -- the report as text --------------------------------------------------------------------------------------------------


def as_text(found: Findings) -> str:
    """Return the whole report as text."""
    title = found.game.title if not found.game.summary else found.game.summary
    parts = [title, *(_section(name, lines) for name, lines in _sections(found)), _method(found)]
    return "\n\n".join(parts)


def _section(name: str, lines: str) -> str:
    return f"{name}\n{textwrap.indent(lines, '  ')}"


def _sections(found: Findings) -> Iterator[tuple[str, str]]:
    yield "What stands out", "\n".join(_verdicts(found)) or "? Nothing yet: no games were played."
    if found.strengths:
        yield "Games between equals", columns(_strengths(found))
    if found.sides:
        yield "Who wins", columns([["player", "side", "wins", "games"], *_many(found)])
    if found.ladder:
        rows = [[f"{s.strong} against {s.weak}", s.score.percent(), f"{s.games}"] for s in found.ladder]
        yield "Levels against each other", columns([["level", "score", "games"], *rows])
    if found.value is not None:
        yield "Exact value", found.value.text if not found.value.proven else f"{found.value.text} (proven)"
    if found.openings:
        yield (
            "First moves, the most balanced first",
            columns([["move", "value", "first side's share", "games"], *_openings(found)]),
        )
    if found.choices is not None and found.choices.legal is not None:
        yield "The course of a game", "\n".join(_course(found))


def _verdicts(found: Findings) -> Iterator[str]:
    for verdict in found.verdicts:
        text = f"{verdict.text} [{verdict.evidence}]" if verdict.evidence else verdict.text
        yield textwrap.fill(text, WIDTH, initial_indent=f"{SIGNS[verdict.mark]} ", subsequent_indent="  ")


def _strengths(found: Findings) -> list[list[str]]:
    alone = len(found.game.sides) == 1
    sides = [] if alone else [*(f"{side} wins" for side in found.game.sides[:1]), "draws", f"{found.game.sides[1]} wins"]
    points = any(s.points for s in found.strengths)
    head = ["level", "games", "different", *sides, *([] if alone else [f"share of {found.game.sides[0]}"])]
    rows = [[*head, *(["points"] if points else []), "plies", "depth"]]
    for s in found.strengths:
        row = [f"{s.level}", f"{s.games}", f"{s.different}"]
        if s.first is not None:
            row += [f"{s.wins}", f"{s.draws}", f"{s.losses}", s.first.percent()]
        if points:
            row.append("" if s.points is None else f"{s.points.median:,.0f} ({s.points.tenth:,.0f} to {s.points.ninetieth:,.0f})")
        plies = s.plies
        row.append("" if plies is None else f"{plies.median:.0f} ({plies.tenth:.0f} to {plies.ninetieth:.0f})")
        rows.append([*row, "" if s.depth is None else f"{s.depth:.1f}"])
    return rows


def _many(found: Findings) -> list[list[str]]:
    return [[row.player, row.side, row.share.percent(), f"{row.games}"] for row in found.sides]


def _openings(found: Findings) -> list[list[str]]:
    rows = []
    for opening in found.openings[:10]:
        known = opening.value is not None
        value = f"{opening.value:+d} (proven)" if known else f"{opening.score:+.0f} (search)" if opening.score else "0 (search)"
        rows.append([opening.move, value, "" if opening.first is None else opening.first.percent(), f"{opening.games or ''}"])
    return rows


def _course(found: Findings) -> Iterator[str]:
    seen, used, drama, decided = found.choices, found.used, found.drama, found.decisions
    assert seen is not None
    assert seen.legal is not None
    legal = seen.legal
    spread = f"{legal.tenth:.0f} to {legal.ninetieth:.0f}; at most {legal.most:.0f}"
    yield f"legal moves: {legal.median:.0f} in a typical position ({spread})"
    yield f"forced moves: {seen.forced.percent()}; the longest forced sequence: {words.count(seen.longest, 'ply', 'plies')}"
    if decided is not None and decided.close is not None:
        yield f"moves close to the best: {decided.close.plain()}; one move stands out in {decided.only.percent()} of positions"
    if used is not None and used.known:
        yield f"moves never made: {used.never} of {used.known}"
    if drama is not None and drama.changes is not None:
        behind = "" if drama.comebacks is None else f"; the winner was behind once in {drama.comebacks.percent()} of the games"
        yield f"changes of lead: {drama.changes.plain()} per game{behind}"


def _method(found: Findings) -> str:
    from plyground.report.matchups import NODES

    games, seconds = words.count(found.games, "game"), words.seconds(found.seconds)
    more = "" if found.sides else f"; a player searches at most {words.count(NODES, 'position')} for a move"
    stopped = "; stopped early" if found.stopped else ""
    lines = f"{games} in {seconds}, seed {found.budget.seed}{more}{stopped}. Intervals are 95 % confidence intervals."
    return textwrap.fill(lines, WIDTH)
