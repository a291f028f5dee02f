"""The algorithms side by side on one position: what each finds and what it costs, also plotted against the depth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from plyground.pages.plot import logarithmic
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.algorithm import PLAIN, Algorithm, kind
from plyground.textbook.registry import find, fitting
from plyground.textbook.trace import Depth, NodeLimitedTrace, NodeLimitError, Value, Window

PATIENCE = 1e6
"""Seconds for algorithms that take a time: here the depth ends the search."""


@dataclass(frozen=True)
class AlgorithmRow:
    """One algorithm on the position. `finished` is false if it reached the node limit; it then has no value."""

    algorithm: str
    value: Value | None
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
    rows: list[AlgorithmRow] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return the comparison as plain data."""
        return asdict(self)


class _DepthCounter(NodeLimitedTrace):
    """Counts up to a node limit, and separately for each depth."""

    def __init__(self, limit: float) -> None:
        super().__init__(limit)
        self.levels: dict[float | None, list[int]] = {}
        self.level = [0, 0]

    def enter(self, node: int, parent: int | None, move: int | None, s: State, depth: Depth, window: Window, kind: str) -> None:
        super().enter(node, parent, move, s, depth, window, kind)
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
    """Return the algorithms that fit a game and take a depth, without those that must first learn."""
    return [a.name for a in fitting(game) if "depth" in a.options and "games" not in a.options]


def minimum(branching: float, depth: int) -> int:
    """Return the minimum number of leaves that alpha-beta visits in a uniform tree, with the best move always first.

    >>> minimum(7, 4), minimum(7, 5), minimum(35, 6)
    (97, 391, 85749)
    """
    return round(branching ** math.ceil(depth / 2) + branching ** math.floor(depth / 2) - 1)


def compare(
    game: Game,
    s: State,
    depth: int,
    names: Iterable[str] | None = None,
    options: Mapping[str, object] | None = None,
    limit: float = 3_000_000,
    history: Sequence[State] = (),
    on_row: Callable[[AlgorithmRow], None] = lambda row: None,
) -> Comparison:
    """Run the algorithms (if none are named, all that fit) on s to the depth, each with the options it takes.

    All wins count the same, as in the literature, unless `options` has `wins=faster`: preferring faster wins costs cutoffs.
    An algorithm that reaches the node limit is stopped. `on_row` is called with each row when it is ready.
    """
    rows: list[AlgorithmRow] = []
    widest = _DepthCounter(0)
    chosen = [find(name) for name in (comparable(game) if names is None else names)]
    for a in chosen:
        a.check(game)
    for a in chosen:
        trace = _DepthCounter(limit)
        rows.append(_row(a, game, s, {"wins": "equal", **(options or {}), "depth": depth, "time": PATIENCE}, trace, history))
        on_row(rows[-1])
        if rows[-1].finished and trace.nodes > widest.nodes:
            widest = trace
    least = minimum(widest.branching, depth) if kind(game) == PLAIN and widest.branching else None
    return Comparison(game.name, game.format_state(s), depth, round(widest.branching, 2), least, rows)


def _row(
    a: Algorithm, game: Game, s: State, options: dict[str, object], trace: _DepthCounter, history: Sequence[State]
) -> AlgorithmRow:
    given = {name: value for name, value in options.items() if name in a.options}
    since = time.perf_counter()
    try:
        found = a.search(game, s, given, trace, history)
    except NodeLimitError:
        found = None
    seconds = time.perf_counter() - since
    move = None if found is None or found.move is None else game.format_move(s, found.move)
    share = trace.first_move_cutoffs / trace.cutoffs if trace.cutoffs else None
    return AlgorithmRow(
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

LEAST = "Knuth-Moore minimum"


def curves(
    game: Game,
    s: State,
    depth: int,
    names: Iterable[str] | None = None,
    options: Mapping[str, object] | None = None,
    limit: float = 3_000_000,
) -> dict[str, list[tuple[int, int]]]:
    """Count the nodes of each algorithm by depth, from 1 as far as the node limit allows; add the Knuth-Moore minimum."""
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
    """Return an SVG of nodes over depth on a logarithmic scale."""
    return logarithmic(title, series, x="depth", y="nodes", reference=LEAST).file()
