"""The algorithms side by side on one position: what each finds and what it costs, also plotted against the depth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any
from xml.sax.saxutils import escape

from plyground.rules.game import Game
from plyground.textbook.registry import PLAIN, Algorithm, find, fitting, kind
from plyground.textbook.trace import Counter

PATIENCE = 1e6
"""Seconds for algorithms with a time option: here the depth ends the search."""


@dataclass(frozen=True)
class Row:
    """One algorithm on the position. `finished` is false if it reached the node limit; it then has no value."""

    algorithm: str
    value: Any
    move: str | None
    nodes: int
    evaluations: int
    cutoffs: int
    first_move_share: float | None
    """The share of cutoffs that came with the first move tried, from 0 to 1; None if there were no cutoffs."""
    table_hits: int
    seconds: float
    exact: bool
    finished: bool = True


@dataclass(frozen=True)
class Comparison:
    """The rows of several algorithms, and the minimum number of leaves that alpha-beta needs (Knuth and Moore)."""

    game: str
    state: str
    depth: int
    branching: float
    """Branching factor of the uniform tree with as many leaves at that depth, measured in the largest tree."""
    minimum: int | None
    """b^ceil(d/2) + b^floor(d/2) - 1 for that branching factor b; None for games that alpha-beta can't search."""
    rows: list[Row] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The comparison as plain data."""
        return asdict(self)


class _TooLarge(Exception):  # noqa: N818
    """The search has reached the node limit."""


class _Limited(Counter):
    """Counts up to a node limit, and separately for each depth."""

    def __init__(self, limit: float) -> None:
        super().__init__()
        self.limit = limit
        self.levels: dict[Any, list[int]] = {}
        self.level = [0, 0]

    def enter(self, node: int, parent: int | None, move: int | None, state: Any, depth: Any, window: Any, kind: str) -> None:
        if self.nodes >= self.limit:
            raise _TooLarge
        self.nodes += 1
        self.level = self.levels.setdefault(depth, [0, 0])
        self.level[0] += 1

    def listed(self, node: int, moves: list[int]) -> None:
        self.level[1] += len(moves)

    @property
    def branching(self) -> float:
        """Geometric mean over the depths of the moves per node: that of a uniform tree with as many leaves."""
        factors = [moves / nodes for depth, (nodes, moves) in self.levels.items() if depth is None or depth > 0]
        return math.prod(factors) ** (1 / len(factors)) if factors else 0.0


def comparable(game: Game) -> list[str]:
    """The algorithms that fit a game and take a depth, without those that must first learn."""
    return [a.name for a in fitting(game) if "depth" in a.options and "games" not in a.options]


def minimum(branching: float, depth: int) -> int:
    """The minimum number of leaves that alpha-beta visits in a uniform tree, with the best move always first.

    >>> minimum(7, 4), minimum(7, 5), minimum(35, 6)
    (97, 391, 85749)
    """
    return round(branching ** math.ceil(depth / 2) + branching ** math.floor(depth / 2) - 1)


def compare(
    game: Game,
    s: Any,
    depth: int,
    names: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
    limit: float = 3_000_000,
    history: Sequence[Any] = (),
    tell: Callable[[Row], None] = lambda row: None,
) -> Comparison:
    """Runs the algorithms (if none are named, all that fit) on s to the depth, each with the options it takes.

    All wins count the same, as in the literature, unless `options` has `wins=faster`: preferring faster wins costs cutoffs.
    An algorithm that reaches the node limit is stopped. `tell` is called with each row when it is ready.
    """
    rows: list[Row] = []
    widest = _Limited(0)
    chosen = [find(name) for name in (comparable(game) if names is None else names)]
    for a in chosen:
        a.check(game)
    for a in chosen:
        trace = _Limited(limit)
        rows.append(_row(a, game, s, {"wins": "equal", **(options or {}), "depth": depth, "time": PATIENCE}, trace, history))
        tell(rows[-1])
        if rows[-1].finished and trace.nodes > widest.nodes:
            widest = trace
    least = minimum(widest.branching, depth) if kind(game) == PLAIN and widest.branching else None
    return Comparison(game.name, game.format_state(s), depth, round(widest.branching, 2), least, rows)


def _row(a: Algorithm, game: Game, s: Any, options: dict[str, Any], trace: _Limited, history: Sequence[Any]) -> Row:
    given = {name: value for name, value in options.items() if name in a.options}
    since = time.perf_counter()
    try:
        found = a.search(game, s, given, trace, history)
    except _TooLarge:
        found = None
    seconds = time.perf_counter() - since
    move = None if found is None or found.move is None else game.format_move(s, found.move)
    share = trace.first_move_cutoffs / trace.cutoffs if trace.cutoffs else None
    return Row(
        a.name,
        None if found is None else found.value,
        move,
        trace.nodes,
        trace.evaluations,
        trace.cutoffs,
        None if share is None else round(share, 3),
        trace.table_hits,
        round(seconds, 6),
        a.exact == "value",
        found is not None,
    )


# -- nodes against depth, plotted ----------------------------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 860, 520, 70, 260, 40, 50
COLOURS = ("#1b6ca8", "#c1440e", "#2a7f4f", "#7b3fa0", "#8a6d00", "#b0306a", "#45566b", "#0f8b8d")
DASHES = ("", "7 4", "2 3", "10 3 2 3")
LEAST = "Knuth-Moore minimum"


def curves(
    game: Game,
    s: Any,
    depth: int,
    names: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
    limit: float = 3_000_000,
) -> dict[str, list[tuple[int, int]]]:
    """Nodes by depth for each algorithm, from depth 1 as far as the node limit allows; and the Knuth-Moore minimum."""
    chosen = list(comparable(game) if names is None else names)
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in chosen}
    least: list[tuple[int, int]] = []
    for d in range(1, depth + 1):
        names_left = [name for name in chosen if len(found[name]) == d - 1]
        result = compare(game, s, d, names_left, options, limit)
        for row in result.rows:
            if row.finished:
                found[row.algorithm].append((d, row.nodes))
        if result.minimum is not None:
            least.append((d, result.minimum))
    return {**{name: points for name, points in found.items() if points}, **({LEAST: least} if least else {})}


def plot(series: Mapping[str, Sequence[tuple[int, int]]], title: str) -> str:
    """An SVG of nodes against depth on a logarithmic scale; algorithms with the same counts share a line."""
    same: dict[tuple[tuple[int, int], ...], list[str]] = {}
    for name, points in series.items():
        same.setdefault(tuple(points), []).append(name)
    deepest = max((d for points in same for d, _ in points), default=1)
    decades = math.ceil(math.log10(max([10, *(n for points in same for _, n in points)])))

    def x(depth: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (depth - 1) / max(1, deepest - 1)

    def y(nodes: float) -> float:
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * math.log10(max(1, nodes)) / decades

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<title>{escape(title)}</title><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="15">{escape(title)}</text>',
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">depth</text>',
    ]
    for power in range(decades + 1):
        at = y(10**power)
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    for d in range(1, deepest + 1):
        parts.append(f'<text x="{x(d):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{d}</text>')
    labels = _spread([(y(points[-1][1]), i) for i, points in enumerate(same)])
    for i, (points, names) in enumerate(same.items()):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i // 2 % len(DASHES)]
        if LEAST in names:
            colour, dash = "#000", "1 4"
        path = " ".join(f"{x(d):.1f},{y(n):.1f}" for d, n in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6" stroke-dasharray="{dash}"/>')
        parts += [f'<circle cx="{x(d):.1f}" cy="{y(n):.1f}" r="2.5" fill="{colour}"/>' for d, n in points]
        (end, nodes), at = points[-1], labels[i]
        thread = f"{x(end):.1f},{y(nodes):.1f} {WIDTH - RIGHT + 12},{at:.1f}"
        parts.append(f'<polyline points="{thread}" stroke="{colour}" stroke-width="0.5"/>')
        parts.append(f'<text x="{WIDTH - RIGHT + 16}" y="{at + 4:.1f}" fill="{colour}">{escape(_shortened(names))}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _shortened(names: list[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else f"{names[0]} and {len(names) - 1} more"


def _spread(wanted: list[tuple[float, int]]) -> dict[int, float]:
    """Positions for labels, at least 15 pixels apart and as close to the wanted ones as possible."""
    found: dict[int, float] = {}
    last = -math.inf
    for at, i in sorted(wanted):
        last = max(at, last + 15)
        found[i] = last
    over = max(0.0, last - (HEIGHT - 12))
    return {i: at - over for i, at in found.items()}
