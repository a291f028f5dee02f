"""Games of a level against itself: who wins, by how much, after how many plies, and how they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from plyground.arena.messages import PlayedGame
from plyground.report import samples
from plyground.report.matchups import NODES
from plyground.report.samples import Interval, Quantiles
from plyground.rules.game import Game

ENDLESS = ("repetition", "length")
"""Games that ended for these reasons would have gone on."""


class LevelStrength(NamedTuple):
    """What games between equals show."""

    level: int
    games: int
    different: int
    """Games that are not the same as another one."""
    wins: int
    """Of the first side."""
    draws: int
    losses: int
    first: Interval | None
    """The share of the points that the first side gets; None in a solitaire."""
    drawn: Interval | None
    margin: Interval | None
    """The mean result for the first side, where results are points."""
    points: Quantiles | None
    """The results for the first side, where results are points."""
    results: dict[int, int]
    """How many games ended with this many points; empty where results are not points."""
    plies: Quantiles | None
    lengths: dict[int, int]
    """How many games took this many plies."""
    endless: Interval
    by_length: int
    """Games that were stopped because they were too long; they have no points."""
    depth: float | None
    """How many plies the players looked ahead, on average."""


class Step(NamedTuple):
    """A stronger level against a weaker one."""

    strong: int
    weak: int
    games: int
    different: int
    score: Interval
    """The share of the points that the stronger one gets."""
    stopped: float
    """The share of searches that the limit of nodes stopped."""


def different(games: Sequence[PlayedGame]) -> int:
    """Return how many of these games are not the same as an earlier one: other moves, or other players made them."""
    return len({(record.side * (len(set(record.players)) - 1), tuple(record.moves)) for record in games})


def strength(game: Game, level: int, pairs: Sequence[Sequence[PlayedGame]]) -> LevelStrength:
    """Return what the games of a level against itself show."""
    games = [record for pair in pairs for record in pair]
    results = [for_first(record) for record in games]
    alone = len(game.sides) == 1
    counted = bool(game.margin) or alone or any(abs(record.points) > 1 for record in games)
    ended = [record for record in games if record.reason != "length"]
    points = [points_for_first(record, alone) for record in ended] if counted else []
    lengths = [plies_of(record) for record in games]
    endless = sum(record.reason in ENDLESS for record in games)
    return LevelStrength(
        level,
        len(games),
        different(games),
        wins=0 if alone else results.count(1.0),
        draws=0 if alone else results.count(0.5),
        losses=0 if alone else results.count(0.0),
        first=None if alone else samples.score(independent(game, pairs)),
        drawn=None if alone else samples.share(results.count(0.5), len(games)),
        margin=samples.mean(points) if points else None,
        points=samples.quantiles(points),
        results=dict(sorted(Counter(points).items())),
        plies=samples.quantiles(lengths),
        lengths=dict(sorted(Counter(lengths).items())),
        endless=samples.share(endless, len(games)),
        by_length=sum(record.reason == "length" for record in games),
        depth=depth(games),
    )


def step(strong: int, weak: int, pairs: Sequence[Sequence[PlayedGame]]) -> Step:
    """Return what the games of two levels against each other show; both games of a pair together count as one."""
    games = [record for pair in pairs for record in pair]
    results = [sum(record.result for record in pair) / len(pair) for pair in pairs]
    return Step(strong, weak, len(games), different(games), samples.score(results), stopped(games))


def independent(game: Game, pairs: Sequence[Sequence[PlayedGame]]) -> list[float]:
    """Return the results of the first side that do not depend on each other: the games of a pair have the same dice."""
    if "chance" in game.has:
        return [sum(map(for_first, pair)) / len(pair) for pair in pairs]
    return [for_first(record) for pair in pairs for record in pair]


def for_first(record: PlayedGame) -> float:
    """Return the result of a game for the first side: 1, 0.5 or 0."""
    return float(record.result if record.side == 0 else 1 - record.result)


def points_for_first(record: PlayedGame, alone: bool) -> int:
    """Return the result of a game in points, for the first side; in a solitaire, for the player."""
    return int(record.points if alone or record.side == 0 else -record.points)


def plies_of(record: PlayedGame) -> int:
    """Return the moves that players made after the opening; those of chance don't count."""
    return sum(depth is not None for depth in record.depths)


def depth(games: Sequence[PlayedGame]) -> float | None:
    """Return how many plies the players looked ahead, on average."""
    found = [d for record in games for d in record.depths if d is not None]
    return sum(found) / len(found) if found else None


def stopped(games: Sequence[PlayedGame]) -> float:
    """Return the share of searches that the limit of nodes stopped before they reached the depth of the level."""
    found = [n >= NODES for record in games for n in record.nodes if n is not None]
    return sum(found) / len(found) if found else 0.0
