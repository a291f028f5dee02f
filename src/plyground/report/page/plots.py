"""The plots of the page."""

from __future__ import annotations

import html
from collections.abc import Mapping

from plyground.pages import plot
from plyground.pages.plot import Plot, Row
from plyground.report.findings import Findings
from plyground.report.samples import Interval
from plyground.report.strengths import Strength
from plyground.report.verdicts import inside

MOST_BARS = 24


def percent(share: float) -> str:
    """A share as text."""
    return f"{100 * share:.0f} %"


def figure(drawn: Plot, told: str) -> str:
    """A plot with what it means."""
    return f'<figure class="card">{drawn.svg()}<figcaption>{html.escape(told)}</figcaption></figure>'


def binned(counts: Mapping[int, int], most: int = MOST_BARS) -> list[tuple[str, float]]:
    """Counts of numbers as bars: of each number one, or of ranges of equal width if there are too many.

    >>> binned({5: 2, 7: 1}), binned({0: 1, 99: 3}, most=4)
    ([('5', 2), ('6', 0), ('7', 1)], [('0', 1), ('50', 3)])
    """
    if not counts:
        return []
    low, high = min(counts), max(counts)
    width = next(n * 10**power for power in range(12) for n in (1, 2, 5) if (high - low) // (n * 10**power) < most)
    first = low // width
    bars = [0] * (high // width - first + 1)
    for number, count in counts.items():
        bars[number // width - first] += count
    return [(plot.short((first + i) * width), count) for i, count in enumerate(bars)]


def _rows(found: Findings) -> list[tuple[Strength, Interval]]:
    return [(s, s.first) for s in found.strengths if s.first is not None]


def winners(found: Findings) -> list[str]:
    """Who wins between equals; in a solitaire, how many points there are."""
    drawn = []
    if _rows(found):
        first, second = found.game.sides[:2]
        parts = [(f"level {s.level}", (s.wins, s.draws, s.losses)) for s, _ in _rows(found)]
        names = [f"{first} wins", "draw", f"{second} wins"]
        drawn.append(figure(plot.shares("Results between equals", parts, names), "Each level plays against itself."))
        rows = [Row(f"level {s.level}", *share[:3], percent(share.value)) for s, share in _rows(found)]
        dots = plot.dots(
            f"How {inside(first)} does", rows, x=f"share of the points for {inside(first)}", level=0.5, ends=(0, 1), write=percent
        )
        drawn.append(figure(dots, "The line around a dot is its 95 % interval; a fair game is at 50 %."))
    if len(found.game.sides) == 1:
        drawn += [points(found, s) for s in found.strengths if s.results]
    for player in dict.fromkeys(side.player for side in found.sides):
        rows = [Row(side.side, *side.share[:3], percent(side.share.value)) for side in found.sides if side.player == player]
        fair = 1 / len(found.game.sides)
        dots = plot.dots(f"Wins when {player} plays", rows, x="share of games won", level=fair, ends=(0, 1), write=percent)
        drawn.append(figure(dots, "The same player has all sides; the dashed line is an equal share."))
    return drawn


def points(found: Findings, s: Strength) -> str:
    """How many points games bring."""
    of = "" if len(found.game.sides) == 1 else f" for {inside(found.game.sides[0])}"
    bars = plot.bars(f"Points{of} at level {s.level}", binned(s.results), x="points", y="games")
    low, high = (plot.short(n) for n in s.margin[1:3]) if s.margin else ("", "")
    return figure(bars, f"The mean is {plot.short(s.margin.value)} ({low} to {high})." if s.margin else "")


def skill(found: Findings) -> list[str]:
    """A stronger level against a weaker one."""
    if not found.ladder:
        return []
    rows = [Row(f"{s.strong} against {s.weak}", *s.score[:3], percent(s.score.value)) for s in found.ladder]
    dots = plot.dots("Stronger against weaker", rows, x="score of the stronger level", level=0.5, ends=(0, 1), write=percent)
    told = "Levels two apart play each other, each side once per pair. Where thinking further does not help, the dot is at 50 %."
    return [figure(dots, told)]


def course(found: Findings) -> list[str]:
    """How long games are, and how many moves there are to choose from."""
    drawn = []
    top = found.top
    if top is not None and top.results and len(found.game.sides) == 2:
        drawn.append(points(found, top))
    if top is not None and top.plies is not None:
        bars = plot.bars(f"Length at level {top.level}", binned(top.lengths), x="plies", y="games")
        told = f"Half of the games take at most {top.plies.median:,.0f} plies, the longest {top.plies.most:,.0f}."
        alike = top.plies.least == top.plies.most
        drawn.append(figure(bars, f"Every game takes {top.plies.most:,.0f} plies." if alike else told))
    if found.choices is not None and found.choices.by_ply:
        steps = [(str(ply), n) for ply, n in enumerate(found.choices.by_ply, 1)]
        bars = plot.bars("Choices through the game", steps, x="ply", y="legal moves, on average")
        drawn.append(figure(bars, f"{found.choices.forced.percent()} of all moves are forced: there is only one."))
    return [*drawn, *_decisions(found)]


def _decisions(found: Findings) -> list[str]:
    """How many of the choices matter."""
    seen = found.decisions
    if seen is None or seen.close is None:
        return []
    rows = [
        Row("one move stands out", *seen.only[:3], percent(seen.only.value)),
        Row("all moves look alike", *seen.all_alike[:3], percent(seen.all_alike.value)),
    ]
    dots = plot.dots("Decisions", rows, x="share of positions with a choice", ends=(0, 1), write=percent)
    legal = found.choices and found.choices.legal
    of = f" of {legal.mean:.1f} legal ones" if legal else ""
    return [figure(dots, f"On average {seen.close.value:.1f} moves{of} are close to the best.")]
