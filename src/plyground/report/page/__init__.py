"""A report as a page in one file, which loads nothing and runs no script."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import plyground
from plyground.board.picture import STYLE as BOARD_STYLE
from plyground.pages import assemble
from plyground.pages.plot import STYLE as PLOT_STYLE
from plyground.play import words
from plyground.report import verdicts
from plyground.report.findings import Findings
from plyground.report.matchups import NODES
from plyground.report.measures import LONG_RUN
from plyground.report.page import figures
from plyground.report.samples import Interval, Quantiles

PARTS = Path(__file__).parent
SIGNS = {"bad": "!", "note": "i", "good": "✓", "unknown": "?"}
MEANINGS = {"bad": "a problem", "note": "to know", "good": "good", "unknown": "not known"}


def page(found: Findings) -> str:
    """Return the page, ready to be written to a file."""
    title = html.escape(f"{found.game.title}: a report")
    games = words.count(found.games, "game")
    return assemble(
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
    """Return the command that gives this report."""
    budget = found.budget
    how = f"--minutes {budget.minutes:g}" if budget.games is None else f"--games {budget.games}"
    spec = found.game.spec.replace(str((found.game.path or Path()).parent), ".")  # without the folder, which is private
    return f"plyground report {shlex.quote(spec)} {how} --seed {budget.seed}"


def _time(seconds: float) -> str:
    """Return a time as people say it.

    >>> _time(0.2), _time(8.2), _time(301)
    ('less than a second', '8 seconds', '5 minutes')
    """
    if seconds < 1:
        return "less than a second"
    minutes = seconds / 60
    return f"{seconds:.0f} seconds" if minutes < 2 else f"{minutes:.0f} minutes"


def _sections(found: Findings) -> Iterator[str]:
    yield (
        f'<section class="first" aria-label="In short"><figure class="card">{figures.board(found.game, found.game.start())}'
        f"<figcaption>The start{_to_move(found)}</figcaption></figure>"
        f'<div><h2>What stands out</h2><ul class="verdicts">{"".join(_verdicts(found))}</ul></div></section>'
    )
    yield f'<dl class="figures">{"".join(key_figures(found))}</dl>'
    asked = {1: "How many points, and does skill count?", 2: "Who wins, and does skill count?"}
    yield _plots(asked.get(len(found.game.sides), "Who wins?"), [*figures.winners(found), *figures.skill(found)])
    drawn = [*figures.course(found), *figures.heat(found)]
    yield _plots("The course of a game", [*drawn, *numbers(found, len(drawn))])
    yield openings(found)
    yield figures.samples(found)
    yield method(found)


def _to_move(found: Findings) -> str:
    side = found.game.turn(found.game.start())
    return "" if side is None or len(found.game.sides) == 1 else f", {html.escape(found.game.sides[side])} to move"


def _verdicts(found: Findings) -> Iterator[str]:
    for verdict in found.verdicts:
        sign = f'<span class="mark" role="img" aria-label="{MEANINGS[verdict.mark]}">{SIGNS[verdict.mark]}</span>'
        evidence = f'<span class="evidence">{html.escape(verdict.evidence)}</span>' if verdict.evidence else ""
        yield f'<li class="{verdict.mark}">{sign}<span class="said">{html.escape(verdict.text)}</span>{evidence}</li>'


def _plots(title: str, drawn: list[str]) -> str:
    return f'<section><h2>{title}</h2><div class="plots">{"".join(drawn)}</div></section>' if drawn else ""


# -- numbers and tables ------------------------------------------------------------------------------------------


def key_figures(found: Findings) -> Iterator[str]:
    """Yield the most important numbers as HTML."""
    top, value, seen = found.top, found.value, found.choices
    if top is not None and top.first is not None:
        share = "First side" if found.game.sides[0] == "first" else verdicts.capitalised_side(found.game.sides[0])
        yield _figure(f"{share}, level {top.level}", f"{100 * top.first.value:.0f} %", _range(top.first))
    if value is not None and len(found.game.sides) == 2:
        first, second = found.game.sides
        named = {"win": f"{first} wins", "loss": f"{second} wins"}.get(value.value, value.value)
        large = f"{value.points:+d}" if value.points is not None and found.game.margin else named
        yield _figure("With perfect play", large if value.proven else "?", "proven" if value.proven else "not proven")
    if top is not None and top.points is not None:
        yield _figure(f"Points, level {top.level}", f"{top.points.median:,.0f}", _spread(top.points))
    if top is not None and top.drawn is not None:
        yield _figure(f"Draws, level {top.level}", f"{100 * top.drawn.value:.0f} %", _range(top.drawn))
    if seen is not None and seen.plies is not None:
        yield _figure("Plies in a game", f"{seen.plies.median:,.0f}", _spread(seen.plies))
    if seen is not None and seen.legal is not None:
        yield _figure("Legal moves", f"{seen.legal.median:.0f}", _spread(seen.legal))
    if found.ladder:
        best = max(found.ladder, key=lambda step: step.score.low)
        yield _figure(f"Level {best.strong} against {best.weak}", f"{100 * best.score.value:.0f} %", _range(best.score))


def _range(share: Interval) -> str:
    return f"{100 * share.low:.0f} to {100 * share.high:.0f} %"


def _spread(values: Quantiles) -> str:
    return "always" if values.least == values.most else f"eight in ten {values.tenth:,.0f} to {values.ninetieth:,.0f}"


def _figure(name: str, large: str, small: str) -> str:
    name, large, small = map(html.escape, (name, large, small))
    return f'<div><dt>{name}</dt><dd class="large">{large}</dd><dd class="small">{small}</dd></div>'


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table; columns of numbers are right-aligned, except the first, and empty ones are left out."""
    shown = [i for i in range(len(head)) if any(row[i] for row in rows)]
    head, rows = [head[i] for i in shown], [[row[i] for i in shown] for row in rows]
    right = [i > 0 and all(row[i][:1] in "+-−0123456789" for row in rows if row[i]) for i in range(len(head))]

    def cell(tag: str, i: int, text: str) -> str:
        kind = ' class="number"' if right[i] else ""
        return f"<{tag}{kind}>{html.escape(text)}</{tag}>"

    heads = "".join(cell("th", i, text) for i, text in enumerate(head))
    body = "".join(f"<tr>{''.join(cell('td', i, text) for i, text in enumerate(row))}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>'


def openings(found: Findings) -> str:
    """Show the first moves, if the start is not fair."""
    if not found.openings:
        return ""
    first = found.game.sides[0]
    rows = []
    for o in found.openings[:12]:
        value = f"{o.value:+d}" if o.value else "draw" if o.value == 0 else ""
        known = {"+1": f"{first} wins", "-1": f"{found.game.sides[1]} wins"}.get(value, value) if not found.game.margin else value
        rows.append(
            [
                o.move,
                known,
                "" if o.score is None else f"{o.score:+.0f}",
                "" if o.first is None else o.first.percent(),
                str(o.games or ""),
            ]
        )
    head = ["first move", "proven", "search says", f"share of {first} at level 9", "games"]
    left = "" if len(found.openings) <= 12 else f" {len(found.openings) - 12} more are left out."
    text = f"The start is not fair. These are the first moves, the most balanced one first; of symmetric ones, one.{left}"
    return f"<section><h2>Fair openings</h2><p>{text}</p>{table(head, rows)}</section>"


def numbers(found: Findings, before: int) -> list[str]:
    """Show the numbers that no plot shows; after `before` figures in rows of three, beside the last one or below them."""
    rows = list(_numbers(found))
    if not rows:
        return []
    listed = "".join(f"<div><dt>{html.escape(name)}</dt><dd>{html.escape(text)}</dd></div>" for name, text in rows)
    level = "" if found.top is None else f" at level {found.top.level}"
    wide = "two" if before % 3 == 1 else "all"
    return [f'<div class="card numbers {wide}"><h3>In numbers{level}</h3><dl>{listed}</dl></div>']


def _numbers(found: Findings) -> Iterator[tuple[str, str]]:
    seen, used, drama, top = found.choices, found.used, found.drama, found.top
    if seen is not None and seen.legal is not None:
        spread = f"{seen.legal.tenth:.0f} to {seen.legal.ninetieth:.0f}"
        yield "Legal moves", f"{seen.legal.mean:.1f} on average; eight in ten positions have {spread}"
        yield "Forced moves", f"{seen.forced.percent()} of all moves"
        games = f"{seen.sequences.percent()} of the games have one of {LONG_RUN} plies or more"
        yield "Forced sequences", f"the longest has {words.count(seen.longest, 'ply', 'plies')}; {games}"
    if used is not None and used.known:
        some = f": {', '.join(used.examples)}{', …' if used.never > len(used.examples) else ''}" if used.never else ""
        yield "Moves never made", f"{used.never} of {used.known}{some}"
    if drama is not None and drama.changes is not None:
        yield "Changes of lead", f"{drama.changes.plain()} per game"
        if drama.comebacks is not None:
            yield "Comebacks", f"the winner was behind at some time in {drama.comebacks.percent()} of the games"
        if drama.decided is not None:
            yield "Decided early", f"{drama.decided.percent()} of a game is left when its players see the result"
    for s in found.strengths:
        if s.endless.value or s is top:
            yield f"Endless at level {s.level}", f"{s.endless.percent()} of the games"


def method(found: Findings) -> str:
    """Say how all this was measured, and from how many games."""
    rows = [[f"level {s.level} against itself", f"{s.games}", f"{s.different}"] for s in found.strengths]
    rows += [[f"level {s.strong} against level {s.weak}", f"{s.games}", f"{s.different}"] for s in found.ladder]
    rows += [[f"from the opening {o.move}", f"{o.games}", f"{o.games}"] for o in found.openings if o.games]
    for player in dict.fromkeys(side.player for side in found.sides):
        games = next(side.games for side in found.sides if side.player == player)
        rows.append([f"{player} on all sides", f"{games}", f"{games}"])
    if found.choices is not None:
        rows.append(["games replayed ply by ply", f"{found.choices.games}", f"{found.choices.positions:,} positions"])
    if found.decisions is not None:
        rows.append(["decisions searched move by move", f"{found.decisions.positions}", ""])
    notes = [
        "Ranges are 95 % intervals: in 95 of 100 such reports, the true value lies in them. Players that see no difference "
        "between moves choose at random, so games differ, but not always: the table says how many do. With fewer than "
        f"{verdicts.MIN_GAMES} different games, no verdict is given.",
    ]
    if found.strengths:
        notes.append(
            f"Levels are those of the engine. For a move a player searches to the depth of its level, but at most "
            f"{words.count(NODES, 'position')}. The numbers describe such players; people may play differently."
        )
    if found.value is not None and not found.value.proven:
        notes.append(f"Exact value: {found.value.text}.")
    paragraphs = "".join(f"<p>{html.escape(text)}</p>" for text in notes)
    return (
        f"<section><h2>How this was measured</h2>{paragraphs}{table(['what', 'how many', 'of them different'], rows)}</section>"
    )
