"""A report as text for the terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from plyground.cli._terminal import columns
from plyground.play import words
from plyground.report.findings import Findings
from plyground.report.plan import NODES

SIGNS = {"bad": "!", "note": "-", "good": "+", "unknown": "?"}
WIDTH = 100


def text(found: Findings) -> str:
    """The whole report."""
    title = found.game.title if not found.game.summary else found.game.summary
    parts = [title, *(_section(name, lines) for name, lines in _sections(found)), _how(found)]
    return "\n\n".join(parts)


def _section(name: str, lines: str) -> str:
    return f"{name}\n{textwrap.indent(lines, '  ')}"


def _sections(found: Findings) -> Iterator[tuple[str, str]]:
    yield "What stands out", "\n".join(_verdicts(found)) or "? Nothing: there are no games."
    if found.strengths:
        yield "Games between equals", columns(_strengths(found))
    if found.sides:
        yield "Who wins", columns([["player", "side", "wins", "games"], *_many(found)])
    if found.ladder:
        rows = [[f"{s.strong} against {s.weak}", s.score.percent(), f"{s.games}"] for s in found.ladder]
        yield "Levels against each other", columns([["level", "score", "games"], *rows])
    if found.value is not None:
        yield "Exact value", found.value.told if not found.value.proven else f"{found.value.told} (proven)"
    if found.openings:
        yield (
            "First moves, the most balanced first",
            columns([["move", "value", "first side's share", "games"], *_openings(found)]),
        )
    if found.choices is not None and found.choices.legal is not None:
        yield "The course of a game", "\n".join(_course(found))


def _verdicts(found: Findings) -> Iterator[str]:
    for verdict in found.verdicts:
        told = f"{verdict.text} [{verdict.evidence}]" if verdict.evidence else verdict.text
        yield textwrap.fill(told, WIDTH, initial_indent=f"{SIGNS[verdict.mark]} ", subsequent_indent="  ")


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


def _how(found: Findings) -> str:
    games, seconds = words.count(found.games, "game"), words.seconds(found.seconds)
    more = "" if found.sides else f"; a player searches at most {words.count(NODES, 'position')} for a move"
    stopped = "; stopped early" if found.stopped else ""
    lines = f"{games} in {seconds}, seed {found.budget.seed}{more}{stopped}. Intervals hold 95 times out of 100."
    return textwrap.fill(lines, WIDTH)
