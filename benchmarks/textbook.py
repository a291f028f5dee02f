"""Measures every textbook algorithm on the same two positions and writes the rows into docs/textbook.md."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pages import fill
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.textbook import ALGORITHMS, td
from plyground.textbook.algorithm import KEYS
from plyground.textbook.compare import AlgorithmRow, Comparison, compare, curves, plot
from plyground.textbook.registry import table_key

DOCS = Path(__file__).parents[1] / "docs"
ORDERS = ("none", "game", "values", "centre", "captures", "killers", "history", "captures+killers+history")
HEAD = (
    "| position | value | move | nodes | evaluations | cutoffs | first | table hits | seconds |\n|---|---|---" + "|--:" * 6 + "|"
)
PLOTTED = ("minimax", "alphabeta", "alphabeta_bounds", "deepening", "pvs", "mtdf")
GOMOKU_STATE = "....../....../..X.../...O../....../......"
ITERATIONS = ("start=1", "start=2", "start=1, step=2", "start=2, step=2", "start=6", "reorder=lift")
LESSONS = (
    ("tictactoe", td.TdSettings(1000)),
    ("tictactoe", td.TdSettings(1000, "state")),
    ("connect4", td.TdSettings(500)),
)
"""What is learned for the learning curves."""
WHOLE_GAME_ONLY = ("minimax_table", "minimax_symmetric", "alphabeta_table")


class Position(NamedTuple):
    """A state, the search depth, and its name in the tables."""

    name: str
    game: Game
    state: Any
    depth: int


def positions() -> tuple[Position, Position]:
    """Return the two positions of the page."""
    tictactoe, connect4 = load("tictactoe"), load("connect4")
    state = connect4.parse_state("......./......./......./......./...O.../..XXO..")
    return Position("T", tictactoe, tictactoe.start(), 9), Position("C", connect4, state, 6)


def measure(position: Position, names: Iterable[str], **options: Any) -> Comparison:
    """Return the rows of these algorithms on a position."""
    return compare(position.game, position.state, position.depth, list(names), options)


def line(first: str, row: AlgorithmRow) -> str:
    """Return a row of a Markdown table."""
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


def header(*names: str) -> str:
    """Return the header of a table with more columns after the first."""
    return HEAD.replace("position |", f"position | {' | '.join(names)} |").replace("|---", "|---" * (1 + len(names)), 1)


def iteration_rows(both: Iterable[Position]) -> list[str]:
    """Return the rows of iterative deepening with different starts, steps and reorderings."""
    rows = []
    for p in both:
        for text in ITERATIONS:
            options = dict(part.split("=") for part in text.split(", "))
            (row,) = measure(p, ["deepening"], **options).rows
            rows.append(line(f"{p.name} | {text}", row))
    return rows


def microseconds(key: Callable[[Any], Any], states: list[Any]) -> float:
    """Return the cost of one key, the best of five rounds."""
    return min(timeit.repeat(lambda: [key(s) for s in states], number=1, repeat=5)) / len(states) * 1e6


def key_rows(both: Iterable[Position]) -> list[str]:
    """Return the rows of the table keys: the cost of a key and the search with it, also for gomoku, whose states are large."""
    gomoku = load("gomoku(size=6)")
    g = Position("G", gomoku, gomoku.parse_state(GOMOKU_STATE), 4)
    rows = []
    for p in (*both, g):
        children = [p.game.play(p.state, m) for m in p.game.legal(p.state)]
        states = [p.game.play(child, m) for child in children for m in p.game.legal(child)]
        for name in KEYS:
            key = table_key(p.game, p.state, name)
            (row,) = measure(p, ["alphabeta_bounds"], key=name).rows
            rows.append(line(f"{p.name} | {name} | {microseconds(key, states):.1f}", row))
    return rows


def chance_rows() -> list[str]:
    """Return the rows of the algorithms for games of chance: an opening roll of backgammon, and 2048 near the start."""
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


def learning_rows() -> list[str]:
    """Return the rows of the learning curves of td, and draw their pictures."""
    rows = []
    for name, lesson in LESSONS:
        game = load(name)
        points = list(td.curve(game, lesson, played=400))
        if lesson.features == "lines":
            (DOCS / f"learning-{name}.svg").write_text(td.plot(game, points).file(), encoding="utf-8")
        for p in points[::2]:
            rows.append(f"| {name} | {lesson.features} | {p.games:,} | {p.score:.1%} |")
    return rows


def write() -> None:
    """Measure, and write the page and its picture."""
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
    text = fill(text, "orders", "\n".join([header("order"), *orders]))
    text = fill(text, "keys", "\n".join([header("key", "µs per key"), *key_rows(both)]))
    text = fill(text, "iterations", "\n".join([header("options"), *iteration_rows(both)]))
    learning = ["| game | features | games | score |", "|---|---|--:|--:|", *learning_rows()]
    text = fill(text, "learning", "\n".join(learning))
    head = header("algorithm")
    text = fill(text, "chance", "\n".join([head, *chance_rows()]))
    rows = [line(f"{p.name} | {row.algorithm}", row) for p in both for row in found[p.name].rows]
    least = [f"{p.name}: {found[p.name].minimum:,} leaves for b = {found[p.name].branching} and d = {p.depth}" for p in both]
    text = fill(text, "summary", "\n".join([f"Minimum for {'; for '.join(least)}.", "", head, *rows]))
    page.write_text(text, encoding="utf-8")
    p = both[1]
    series = curves(p.game, p.state, p.depth, PLOTTED)
    (DOCS / "textbook.svg").write_text(plot(series, "Connect 4, position C: nodes over depth"), encoding="utf-8")
