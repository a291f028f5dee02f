"""Measures every algorithm of the textbook on the same two positions and writes the rows into docs/textbook.md."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pages import fill
from plyground.game import Game, load
from plyground.textbook import ALGORITHMS
from plyground.textbook.compare import Comparison, Row, compare, curves, plot

DOCS = Path(__file__).parents[1] / "docs"
ORDERS = ("none", "game", "values", "centre", "captures", "killers", "history", "captures+killers+history")
HEAD = (
    "| position | value | move | nodes | evaluations | cut-offs | first | table hits | seconds |\n|---|---|---" + "|--:" * 6 + "|"
)
PLOTTED = ("minimax", "alphabeta", "alphabeta_bounds", "deepening", "pvs", "mtdf")
WHOLE_GAME_ONLY = ("minimax_table", "minimax_symmetric", "alphabeta_table")


class Position(NamedTuple):
    """A state, how deep to look, and its name in the tables."""

    name: str
    game: Game
    state: Any
    depth: int


def positions() -> tuple[Position, Position]:
    """The two positions of the page."""
    tictactoe, connect4 = load("tictactoe"), load("connect4")
    state = connect4.parse_state("......./......./......./......./...O.../..XXO..")
    return Position("T", tictactoe, tictactoe.start(), 9), Position("C", connect4, state, 6)


def measure(position: Position, names: Iterable[str], **options: Any) -> Comparison:
    """The rows of these algorithms on a position."""
    return compare(position.game, position.state, position.depth, list(names), options)


def line(first: str, row: Row) -> str:
    """A row of a table in Markdown."""
    share = "" if row.first_move_share is None else f"{row.first_move_share:.0%}"
    value = f"{row.value + 0.0:.3f}" if isinstance(row.value, float) else row.value
    cells = [
        first,
        value,
        row.move or "",
        f"{row.nodes:,}",
        f"{row.evaluations:,}",
        f"{row.cutoffs:,}",
        share,
        f"{row.table_hits:,}",
    ]
    return f"| {' | '.join(map(str, cells))} | {row.seconds:.2f} |"


def chance_rows() -> list[str]:
    """The algorithms for games of chance: an opening roll of backgammon, and 2048 near the start."""
    backgammon, tiles = load("backgammon"), load("2048")
    rolled = backgammon.play(backgammon.start(), next(m for m, _ in backgammon.outcomes(backgammon.start())))
    s = tiles.start()
    while tiles.is_chance(s):
        s = tiles.play(s, tiles.outcomes(s)[0][0])
    rows = []
    for name, game, state, depth in (
        ("backgammon, an opening roll, depth 2", backgammon, rolled, 2),
        ("2048, two tiles, depth 2", tiles, s, 2),
    ):
        for row in compare(game, state, depth, options={"order": "values"}).rows:
            rows.append(line(f"{name} | {row.algorithm}", row))
    return rows


def write() -> None:
    """Measures, and writes the page and its picture."""
    page = DOCS / "textbook.md"
    text = page.read_text(encoding="utf-8")
    both = positions()
    names = [a.name for a in ALGORITHMS.values() if f"<!-- row:{a.name} -->" in text]
    found = {p.name: measure(p, [n for n in names if p.name == "T" or n not in (*WHOLE_GAME_ONLY, "proof_number")]) for p in both}
    for name in names:
        rows = [line(p.name, row) for p in both for row in found[p.name].rows if row.algorithm == name]
        text = fill(text, f"row:{name}", "\n".join([HEAD, *rows]))
    orders = []
    for p in both:
        for order in ORDERS:
            (row,) = measure(p, ["alphabeta"], order=order).rows
            orders.append(line(f"{p.name} | {order}", row))
    text = fill(
        text, "orders", "\n".join([HEAD.replace("position |", "position | order |").replace("|---", "|---|---", 1), *orders])
    )
    head = HEAD.replace("position |", "position | algorithm |").replace("|---", "|---|---", 1)
    text = fill(text, "chance", "\n".join([head, *chance_rows()]))
    rows = [line(f"{p.name} | {row.algorithm}", row) for p in both for row in found[p.name].rows]
    least = [f"{p.name}: {found[p.name].minimum:,} leaves for b = {found[p.name].branching} and d = {p.depth}" for p in both]
    text = fill(text, "summary", "\n".join([f"Minimum for {'; for '.join(least)}.", "", head, *rows]))
    page.write_text(text, encoding="utf-8")
    p = both[1]
    series = curves(p.game, p.state, p.depth, PLOTTED)
    (DOCS / "textbook.svg").write_text(plot(series, "Connect 4, position C: nodes over depth"), encoding="utf-8")
