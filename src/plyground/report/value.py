"""The exact value of the start, where the solver can prove it within its share of the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.limit import Limit
from plyground.report.matchups import NODES_PER_GAME, Budget
from plyground.rules.game import Game
from plyground.rules.hooks import State

MEMORY = 256
"""MB of the solver's table."""
FIRST = 0.8
"""The share of the solver's time for the start; the rest is for its moves."""


class Value(NamedTuple):
    """What is proven about the start, for the side that moves first there."""

    value: str
    """win, draw, loss, or unknown."""
    text: str
    """All of it in words: what is proven, or why nothing is."""
    points: int | None
    """The margin or score with perfect play, where the game has one and it is proven."""
    source: str
    """solver, book or proof; empty if nothing is proven."""
    nodes: int
    seconds: float
    moves: dict[str, int | None]
    """For each first move its value for the first side, in points or as 1, 0 or -1; None if it is not proven."""

    @property
    def proven(self) -> bool:
        """Is it known who wins?"""
        return self.value != "unknown"


OnBounds = Callable[[str], None]


def value(game: Game, budget: Budget, seconds: float | None, on_bounds: OnBounds = lambda text: None) -> Value:
    """Return the value of the start, or why it is not known."""
    s = game.start()
    if "chance" in game.has:
        return _unknown("a game of chance has no exact value here")
    if len(game.sides) != 2:
        return _unknown("only games of two sides can be solved")
    if game.repetition:
        return _unknown("positions can repeat, so a search of the whole game never ends")
    from plyground.solver.solver import Solver, too_long

    try:
        solver = Solver(game, memory=MEMORY, threads=1 if seconds is None else budget.workers)
        if solver.book is None and too_long(game, s):
            return _proof(game, s, budget, seconds) if "threats" in game.has else _unknown("the game is too long to be solved")
        return _solved(game, s, solver, budget, seconds, on_bounds)
    except PlygroundError as e:
        return _unknown(str(e))


def _unknown(why: str, nodes: int = 0, seconds: float = 0.0) -> Value:
    return Value("unknown", why, None, "", nodes, seconds, {})


def _limit(budget: Budget, seconds: float | None, share: float) -> Limit:
    if seconds is None:
        return Limit(nodes=int(share * NODES_PER_GAME * (budget.games or 1)) + 1000)
    return Limit(time=max(0.05, share * seconds))


def _solved(game: Game, s: State, solver: Any, budget: Budget, seconds: float | None, on_bounds: OnBounds) -> Value:
    """Solve: who wins, then by how much or how fast, then the same for each first move."""
    solver.prepare()

    def tell(b: Any) -> None:
        on_bounds(words.bounds(game, s, b.low, b.high))

    found = solver.solve(s, _limit(budget, seconds, FIRST), weak=not game.margin, line=False, on_progress=tell)
    nodes, spent = found.nodes, found.seconds
    if found.value != "unknown" and not game.margin:
        exact = solver.solve(s, _limit(budget, seconds, 0.5 * (1 - FIRST)), line=False, on_progress=tell)
        nodes, spent = nodes + exact.nodes, spent + exact.seconds
        found = exact if exact.solved else found
    if found.value == "unknown":
        text = words.bounds(game, s, found.low, found.high)
        return _unknown(f"not solved within {words.count(nodes, 'node')}: {text}", nodes, spent)
    known = found.score is not None and not found.weak
    text = words.solved(game, s, found.low) if known else _at_least(game, s, found)
    counted = known and (game.margin or "points" in game.has)
    return Value(
        found.value,
        text,
        words.points(game, s, found.low) if counted else None,
        "book" if found.looked_up else "solver",
        nodes,
        spent,
        _moves(game, s, solver, budget, seconds) if found.value != "draw" else {},
    )


def _at_least(game: Game, s: State, found: Any) -> str:
    """Return who wins, if it is not known by how much."""
    by = scores.margin(found.low if found.value == "win" else found.high)
    return words.VERBS[found.value] + (f" by at least {abs(by)}" if by else "")


def _moves(game: Game, s: State, solver: Any, budget: Budget, seconds: float | None) -> dict[str, int | None]:
    """Return the value of each first move."""
    known = solver.book_moves(s)
    if not known:
        known = solver.solve(
            s, _limit(budget, seconds, 0.5 * (1 - FIRST)), weak=not game.margin, all_moves=True, line=False
        ).moves

    def plain(worth: int | None) -> int | None:
        if worth is None:
            return None
        by = scores.margin(worth)
        return by if by is not None else (worth > 0) - (worth < 0)

    return {game.format_move(s, m): plain(worth) for m, worth in known}


def _proof(game: Game, s: State, budget: Budget, seconds: float | None) -> Value:
    """Find by proof-number search, in games of threats, who wins, but not how fast."""
    from plyground.solver.prover import prove

    found = prove(game, s, _limit(budget, seconds, FIRST))
    if found.value == "unknown":
        return _unknown(f"not proven within {words.count(found.nodes, 'node')}", found.nodes, found.seconds)
    return Value(found.value, words.VERBS[found.value], None, "proof", found.nodes, found.seconds, {})
