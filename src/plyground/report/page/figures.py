"""The figures of the page: plots, and boards with the start, where moves are made and how some games ended."""

from __future__ import annotations

import html
from collections.abc import Mapping

from plyground.board.picture import picture
from plyground.pages import plot
from plyground.pages.plot import Dot, Plot, escape
from plyground.play import words
from plyground.report.findings import Findings
from plyground.report.measures import LevelResults
from plyground.report.samples import Interval
from plyground.report.verdicts import side_name
from plyground.rules.game import Game
from plyground.rules.hooks import State

MAX_BARS = 24
MAX_NUMBERS = 100
"""With more cells than this, numbers on them can't be read."""
DARKEST = 0.55
"""The opacity of the darkest cell, on which a number can still be read."""
MAX_MOVES = 200
"""The number of moves of a game that are shown."""


def percent(share: float) -> str:
    """Return a share as text."""
    return f"{100 * share:.0f} %"


def figure(drawn: Plot, caption: str) -> str:
    """Return a plot with its caption."""
    return f'<figure class="card">{drawn.svg()}<figcaption>{html.escape(caption)}</figcaption></figure>'


def histogram_bars(counts: Mapping[int, int], most: int = MAX_BARS) -> list[tuple[str, float]]:
    """Return the bars of counted numbers: one for each number, or for ranges of equal width if there are too many.

    >>> histogram_bars({5: 2, 7: 1}), histogram_bars({0: 1, 99: 3}, most=4)
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


def _rows(found: Findings) -> list[tuple[LevelResults, Interval]]:
    return [(s, s.first) for s in found.strengths if s.first is not None]


def winners(found: Findings) -> list[str]:
    """Plot who wins between equals; in a solitaire, the points."""
    drawn = []
    if _rows(found):
        first, second = found.game.sides[:2]
        parts = [(f"level {s.level}", (s.wins, s.draws, s.losses)) for s, _ in _rows(found)]
        names = [f"{first} wins", "draw", f"{second} wins"]
        drawn.append(figure(plot.shares("Results between equals", parts, names), "Each level plays against itself."))
        rows = [Dot(f"level {s.level}", *share[:3], percent(share.value)) for s, share in _rows(found)]
        dots = plot.dots(
            f"How {side_name(first)} does",
            rows,
            x=f"share of the points for {side_name(first)}",
            level=0.5,
            ends=(0, 1),
            write=percent,
        )
        drawn.append(figure(dots, "The line around a dot is its 95 % interval; a fair game is at 50 %."))
    if len(found.game.sides) == 1:
        drawn += [points(found, s) for s in found.strengths if s.results]
    for player in dict.fromkeys(side.player for side in found.sides):
        rows = [Dot(side.side, *side.share[:3], percent(side.share.value)) for side in found.sides if side.player == player]
        fair = 1 / len(found.game.sides)
        dots = plot.dots(f"Wins when {player} plays", rows, x="share of games won", level=fair, ends=(0, 1), write=percent)
        drawn.append(figure(dots, "The same player has all sides; the dashed line is an equal share."))
    return drawn


def points(found: Findings, s: LevelResults) -> str:
    """Show how many points games bring."""
    of = "" if len(found.game.sides) == 1 else f" for {side_name(found.game.sides[0])}"
    bars = plot.bars(f"Points{of} at level {s.level}", histogram_bars(s.results), x="points", y="games")
    low, high = (plot.short(n) for n in s.margin[1:3]) if s.margin else ("", "")
    return figure(bars, f"The mean is {plot.short(s.margin.value)} ({low} to {high})." if s.margin else "")


def skill(found: Findings) -> list[str]:
    """Plot the scores of stronger levels against weaker ones."""
    if not found.ladder:
        return []
    rows = [Dot(f"{s.strong} against {s.weak}", *s.score[:3], percent(s.score.value)) for s in found.ladder]
    dots = plot.dots("Stronger against weaker", rows, x="score of the stronger level", level=0.5, ends=(0, 1), write=percent)
    caption = "Levels two apart play each other, each side once per pair. If searching deeper does not help, the dot is at 50 %."
    return [figure(dots, caption)]


def course(found: Findings) -> list[str]:
    """Plot the length of games, and the number of moves to choose from."""
    drawn = []
    top = found.top
    if top is not None and top.results and len(found.game.sides) == 2:
        drawn.append(points(found, top))
    if top is not None and top.plies is not None:
        bars = plot.bars(f"Length at level {top.level}", histogram_bars(top.lengths), x="plies", y="games")
        caption = f"Half of the games take at most {top.plies.median:,.0f} plies, the longest {top.plies.most:,.0f}."
        alike = top.plies.least == top.plies.most
        drawn.append(figure(bars, f"Every game takes {top.plies.most:,.0f} plies." if alike else caption))
    if found.choices is not None and found.choices.by_ply:
        steps = [(str(ply), n) for ply, n in enumerate(found.choices.by_ply, 1)]
        bars = plot.bars("Choices through the game", steps, x="ply", y="legal moves, on average")
        drawn.append(figure(bars, f"{found.choices.forced.percent()} of all moves are forced: there is only one."))
    return [*drawn, *_decisions(found)]


def _decisions(found: Findings) -> list[str]:
    """Plot the share of choices that matter."""
    seen = found.decisions
    if seen is None or seen.close is None:
        return []
    rows = [
        Dot("one move stands out", *seen.only[:3], percent(seen.only.value)),
        Dot("all moves look alike", *seen.all_alike[:3], percent(seen.all_alike.value)),
    ]
    dots = plot.dots("Decisions", rows, x="share of positions with a choice", ends=(0, 1), write=percent)
    legal = found.choices and found.choices.legal
    of = f" of {legal.mean:.1f} legal ones" if legal else ""
    return [figure(dots, f"On average {seen.close.value:.1f} moves{of} are close to the best.")]


# -- boards ----------------------------------------------------------------------------------------------------


def board(game: Game, s: State) -> str:
    """Draw the board of a state; as text if the rules have no BOARD."""
    if game.board is None:
        return f"<pre>{html.escape(game.show(s))}</pre>"
    return picture(game.board, game.sides).svg(game.cells(s), game.turn(s) or 0)


def heat(found: Findings) -> list[str]:
    """Draw how often each cell of the board is touched."""
    game, used = found.game, found.used
    if game.board is None or used is None or not sum(used.by_cell):
        return []
    view = picture(game.board, game.sides).views[0]
    whole = sum(used.by_cell)
    most = max(*used.by_cell, 2 * whole / len(used.by_cell))  # equal shares are neither dark nor light
    drawn = [view.labels[0]]
    for (x, y, wide, high, _), count, name in zip(view.cells, used.by_cell, game.board.cell_names(0), strict=True):
        box = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
        share = 100 * count / whole
        drawn.append(f'<rect class="plate" {box}/>')
        title = f"<title>{escape(f'{name}: {share:.1f} %')}</title>"
        drawn.append(f'<rect class="touched" {box} fill-opacity="{DARKEST * count / most:.2f}">{title}</rect>')
        if len(view.cells) <= MAX_NUMBERS:
            size = 0.3 * min(wide, high)
            at = f'x="{x + wide / 2:g}" y="{y + high / 2 + 0.36 * size:g}" font-size="{size:.2f}"'
            drawn.append(f"<text {at}>{share:.{int(0 < share < 10)}f}</text>")
    svg = f'<svg class="heat board" viewBox="{" ".join(map(str, view.box))}" role="img">'
    rest = f"<title>Where the moves go</title>{''.join(drawn)}</svg>"
    level = "" if found.top is None else f" at level {found.top.level}"
    caption = f"The share of moves that lead to each cell{level}, in per cent."
    return [f'<figure class="card"><h3>Where the moves go</h3>{svg}{rest}<figcaption>{caption}</figcaption></figure>']


def samples(found: Findings) -> str:
    """Show some games: their moves, and the board at their end."""
    if not found.samples:
        return ""
    cards = []
    for sample in found.samples:
        shown = " ".join(f"<i>{n}</i> {html.escape(move)}" for n, move in enumerate(sample.moves[:MAX_MOVES], 1))
        more = " …" if len(sample.moves) > MAX_MOVES else ""
        caption = f"{sample.player}: {sample.result} after {words.count(len(sample.moves), 'ply', 'plies')}"
        cards.append(
            f'<div class="card"><h3>{html.escape(sample.what[:1].upper() + sample.what[1:])}</h3>'
            f'<p class="ended">{html.escape(caption)}</p>{board(found.game, sample.last)}<p class="moves">{shown}{more}</p></div>'
        )
    return f'<section><h2>Games to look at</h2><div class="samples">{"".join(cards)}</div></section>'
