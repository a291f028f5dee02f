"""Boards on the page: the start, where moves are made, and how some games ended."""

from __future__ import annotations

import html
from typing import Any

from plyground.board.picture import picture
from plyground.pages.plot import escaped
from plyground.play import words
from plyground.report.findings import Findings
from plyground.rules.game import Game

MOST_NUMBERS = 100
"""With more cells than this, numbers on them can't be read."""
DARKEST = 0.55
"""How dark a cell may be, so that its number can be read."""
MOST_MOVES = 200
"""Moves of a game that are shown."""


def board(game: Game, s: Any) -> str:
    """The board of a state; as text if the rules have no BOARD."""
    if game.board is None:
        return f"<pre>{html.escape(game.show(s))}</pre>"
    return picture(game.board, game.sides).svg(game.cells(s), game.turn(s) or 0)


def heat(found: Findings) -> list[str]:
    """How often each cell of the board is touched, as a figure."""
    game, used = found.game, found.used
    if game.board is None or used is None or not sum(used.by_cell):
        return []
    view = picture(game.board, game.sides).views[0]
    whole = sum(used.by_cell)
    most = max(*used.by_cell, 2 * whole / len(used.by_cell))  # equal shares are neither dark nor light
    drawn = [view.labels[0]]
    for (x, y, wide, high, _), count, name in zip(view.cells, used.by_cell, game.board.cell_names(0), strict=True):
        box = f'x="{x}" y="{y}" width="{wide}" height="{high}"'
        told = f"{name}: {100 * count / whole:.1f} %"
        drawn.append(f'<rect class="plate" {box}/>')
        drawn.append(
            f'<rect class="touched" {box} fill-opacity="{DARKEST * count / most:.2f}"><title>{escaped(told)}</title></rect>'
        )
        if len(view.cells) <= MOST_NUMBERS:
            size = 0.3 * min(wide, high)
            at = f'x="{x + wide / 2:g}" y="{y + high / 2 + 0.36 * size:g}" font-size="{size:.2f}"'
            share = 100 * count / whole
            drawn.append(f"<text {at}>{share:.{int(0 < share < 10)}f}</text>")
    svg = f'<svg class="heat board" viewBox="{" ".join(map(str, view.box))}" role="img">'
    said = f"<title>Where the moves go</title>{''.join(drawn)}</svg>"
    level = "" if found.top is None else f" at level {found.top.level}"
    told = f"The share of moves that lead to each cell{level}, in per cent."
    return [f'<figure class="card"><h3>Where the moves go</h3>{svg}{said}<figcaption>{told}</figcaption></figure>']


def samples(found: Findings) -> str:
    """Some games: their moves, and the board at their end."""
    if not found.samples:
        return ""
    cards = []
    for sample in found.samples:
        shown = " ".join(f"<i>{n}</i> {html.escape(move)}" for n, move in enumerate(sample.moves[:MOST_MOVES], 1))
        more = " …" if len(sample.moves) > MOST_MOVES else ""
        told = f"{sample.player}: {sample.result} after {words.count(len(sample.moves), 'ply', 'plies')}"
        cards.append(
            f'<div class="card"><h3>{html.escape(sample.what[:1].upper() + sample.what[1:])}</h3>'
            f'<p class="ended">{html.escape(told)}</p>{board(found.game, sample.last)}<p class="moves">{shown}{more}</p></div>'
        )
    return f'<section><h2>Games to look at</h2><div class="samples">{"".join(cards)}</div></section>'
