"""A report as a page in one file, which loads nothing and runs no script."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterator
from pathlib import Path

import plyground
from plyground.board.picture import STYLE as BOARD_STYLE
from plyground.pages import whole
from plyground.pages.plot import STYLE as PLOT_STYLE
from plyground.play import words
from plyground.report.findings import Findings
from plyground.report.page import pictures, plots, tables

PARTS = Path(__file__).parent
SIGNS = {"bad": "!", "note": "i", "good": "✓", "unknown": "?"}
SAID = {"bad": "a problem", "note": "to know", "good": "good", "unknown": "not known"}


def page(found: Findings) -> str:
    """The page, ready to be written to a file."""
    title = html.escape(f"{found.game.title}: a report")
    games = words.count(found.games, "game")
    return whole(
        PARTS / "page.html",
        title=title,
        styles=[BOARD_STYLE, PLOT_STYLE, PARTS / "page.css"],
        heading=html.escape(found.game.title),
        summary=html.escape(found.game.summary),
        extent=f"{games} in {_time(found.seconds)}{', stopped early' if found.stopped else ''}",
        sections="\n".join(filter(None, _sections(found))),
        made=html.escape(f"Made by plyground {plyground.__version__}: {command(found)}"),
    )


def command(found: Findings) -> str:
    """The command that gives this report."""
    budget = found.budget
    how = f"--minutes {budget.minutes:g}" if budget.games is None else f"--games {budget.games}"
    spec = found.game.spec.replace(str(Path(found.game.file or "").parent), ".")  # where it lies is nobody's business
    return f"plyground report {shlex.quote(spec)} {how} --seed {budget.seed}"


def _time(seconds: float) -> str:
    """A time as one says it.

    >>> _time(0.2), _time(8.2), _time(301)
    ('less than a second', '8 seconds', '5 minutes')
    """
    if seconds < 1:
        return "less than a second"
    minutes = seconds / 60
    return f"{seconds:.0f} seconds" if minutes < 2 else f"{minutes:.0f} minutes"


def _sections(found: Findings) -> Iterator[str]:
    yield (
        f'<section class="first" aria-label="In short"><figure class="card">{pictures.board(found.game, found.game.start())}'
        f"<figcaption>The start{_to_move(found)}</figcaption></figure>"
        f'<div><h2>What stands out</h2><ul class="verdicts">{"".join(_verdicts(found))}</ul></div></section>'
    )
    yield f'<dl class="figures">{"".join(tables.figures(found))}</dl>'
    asked = {1: "How many points, and does skill count?", 2: "Who wins, and does skill count?"}
    yield _plots(asked.get(len(found.game.sides), "Who wins?"), [*plots.winners(found), *plots.skill(found)])
    drawn = [*plots.course(found), *pictures.heat(found)]
    yield _plots("The course of a game", [*drawn, *tables.numbers(found, len(drawn))])
    yield tables.openings(found)
    yield pictures.samples(found)
    yield tables.method(found)


def _to_move(found: Findings) -> str:
    side = found.game.turn(found.game.start())
    return "" if side is None or len(found.game.sides) == 1 else f", {html.escape(found.game.sides[side])} to move"


def _verdicts(found: Findings) -> Iterator[str]:
    for verdict in found.verdicts:
        sign = f'<span class="mark" role="img" aria-label="{SAID[verdict.mark]}">{SIGNS[verdict.mark]}</span>'
        evidence = f'<span class="evidence">{html.escape(verdict.evidence)}</span>' if verdict.evidence else ""
        yield f'<li class="{verdict.mark}">{sign}<span class="told">{html.escape(verdict.text)}</span>{evidence}</li>'


def _plots(title: str, drawn: list[str]) -> str:
    return f'<section><h2>{title}</h2><div class="plots">{"".join(drawn)}</div></section>' if drawn else ""
