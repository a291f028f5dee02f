"""Measurements by search: its exact value, the first moves that are fair, and how many moves are close to the best."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from plyground import score as scores
from plyground.engine import LEVELS
from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.play import words
from plyground.play.limit import Limit
from plyground.report import samples
from plyground.report.matchups import NODES_PER_GAME, Budget
from plyground.report.measures import Replay
from plyground.report.samples import Interval
from plyground.rules.game import Game
from plyground.rules.hooks import State

if TYPE_CHECKING:
    from plyground.solver.solver import Solver
    from plyground.solver.solving import Solution, SolverProgress

# -- the exact value ----------------------------------------------------------------------------------------------------------

MEMORY = 256
"""The size of the solver's table, in MB."""
SHARE_OF_START = 0.8
"""The share of the solver's time for the start; the rest is for the first moves."""


class Value(NamedTuple):
    """What is proven about the start, for the side that moves first there."""

    value: str
    """win, draw, loss, or unknown."""
    text: str
    """What is proven, or why nothing is, in words."""
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
        """Whether it is known who wins."""
        return self.value != "unknown"


OnBounds = Callable[[str], None]


def exact_value(game: Game, budget: Budget, seconds: float | None, on_bounds: OnBounds = lambda text: None) -> Value:
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
        return _solve(game, s, solver, budget, seconds, on_bounds)
    except PlygroundError as e:
        return _unknown(str(e))


def _unknown(why: str, nodes: int = 0, seconds: float = 0.0) -> Value:
    return Value("unknown", why, None, "", nodes, seconds, {})


def _limit(budget: Budget, seconds: float | None, share: float) -> Limit:
    if seconds is None:
        return Limit(nodes=int(share * NODES_PER_GAME * (budget.games or 1)) + 1000)
    return Limit(time=max(0.05, share * seconds))


def _solve(game: Game, s: State, solver: Solver, budget: Budget, seconds: float | None, on_bounds: OnBounds) -> Value:
    """Find who wins, then by how much or how fast, then the same for each first move."""
    solver.prepare()

    def report(b: SolverProgress) -> None:
        on_bounds(words.bounds(game, s, b.low, b.high))

    found = solver.solve(s, _limit(budget, seconds, SHARE_OF_START), weak=not game.margin, line=False, on_progress=report)
    nodes, spent = found.nodes, found.seconds
    if found.value != "unknown" and not game.margin:
        exact = solver.solve(s, _limit(budget, seconds, 0.5 * (1 - SHARE_OF_START)), line=False, on_progress=report)
        nodes, spent = nodes + exact.nodes, spent + exact.seconds
        found = exact if exact.solved else found
    if found.value == "unknown":
        text = words.bounds(game, s, found.low, found.high)
        return _unknown(f"not solved within {words.count(nodes, 'node')}: {text}", nodes, spent)
    known = found.score is not None and not found.weak
    text = words.describe_value(game, s, found.low) if known else _at_least(game, s, found)
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


def _at_least(game: Game, s: State, found: Solution) -> str:
    """Say who wins if it is not known by how much."""
    by = scores.margin(found.low if found.value == "win" else found.high)
    return words.VERBS[found.value] + (f" by at least {abs(by)}" if by else "")


def _moves(game: Game, s: State, solver: Solver, budget: Budget, seconds: float | None) -> dict[str, int | None]:
    """Return the value of each first move."""
    known: list[tuple[int, int | None]] = [*solver.book_moves(s)]
    if not known:
        known = solver.solve(
            s, _limit(budget, seconds, 0.5 * (1 - SHARE_OF_START)), weak=not game.margin, all_moves=True, line=False
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

    found = prove(game, s, _limit(budget, seconds, SHARE_OF_START))
    if found.value == "unknown":
        return _unknown(f"not proven within {words.count(found.nodes, 'node')}", found.nodes, found.seconds)
    return Value(found.value, words.VERBS[found.value], None, "proof", found.nodes, found.seconds, {})


# -- fair first moves --------------------------------------------------------------------------------------------------------

OPENING_NODES = 100_000
"""Nodes for each first move: five times what players search for a move."""
PLAYED_OPENINGS = 3
"""The most balanced first moves, this many, are tried in games."""
MAX_FIRST_MOVES = 60
"""The largest number of first moves that are searched, in the order of the rules."""


class FirstMove(NamedTuple):
    """A first move, and what is known about the game after it, for the first side."""

    move: str
    score: float | None
    """By the search, in the units of the game's evaluation; None if the value is proven instead."""
    value: int | None
    """Proven: points, or 1, 0 or -1."""
    games: int = 0
    first: Interval | None = None
    """The share of the points that the first side gets in games from here, at the highest strength."""


def search_openings(
    game: Game, known: Value, seed: int, seconds: float | None, on_move: Callable[[int], None] = lambda done: None
) -> list[FirstMove]:
    """Search the first moves, and return them, the most balanced first; of symmetric ones, only one."""
    s = game.start()
    engine = Engine(game, memory=32, seed=seed)
    until = None if seconds is None else time.monotonic() + seconds
    found: list[FirstMove] = []
    seen: set[object] = set()
    for m in game.legal(s)[:MAX_FIRST_MOVES]:
        child = game.child(s, m)
        after = game.identity(game.canonical(child))
        text = game.format_move(s, m)
        if after in seen or (until is not None and time.monotonic() > until):
            continue
        seen.add(after)
        value = known.moves.get(text)
        if value is None and game.result(child) is None:
            worth = engine.analyse(child, Limit(nodes=OPENING_NODES), history=[s]).score
            found.append(_search_first_move(text, -worth if game.changes_turn(s, child) else worth))
        elif value is not None:
            found.append(FirstMove(text, None, value))
        on_move(len(found))
    return sorted(found, key=_unbalanced)


def _search_first_move(text: str, worth: float) -> FirstMove:
    """Return a first move with what the search says about it: a score, or a proof."""
    if isinstance(worth, int) and scores.proven(worth):
        by = scores.margin(worth)
        return FirstMove(text, None, (1 if worth > 0 else -1) if by is None else by)
    return FirstMove(text, worth, None)


def _unbalanced(opening: FirstMove) -> tuple[bool, float]:
    """Return a sort key: a proven draw comes first, then estimates, then proven wins and losses."""
    if opening.value is not None:
        return opening.value != 0, abs(opening.value)
    return False, abs(opening.score or 0)


def worth_playing(found: list[FirstMove]) -> list[FirstMove]:
    """Return the openings to try in games: the most balanced ones that may be fair."""
    return [opening for opening in found if may_be_fair(opening)][:PLAYED_OPENINGS]


def may_be_fair(opening: FirstMove) -> bool:
    """Return whether no side is proven to win after this move."""
    return opening.value in (None, 0)


# -- decisions ---------------------------------------------------------------------------------------------------------------

DECISION_SAMPLE = 240
"""The number of positions, if there is time."""
NEAR_LEVEL = 5
"""A move is close to the best if this level still plays it: within a quarter of the way from the best move to the middle one."""
DECISION_NODES = 10_000
"""Nodes for each position."""


class Decisions(NamedTuple):
    """Positions with more than one legal move, each searched move by move."""

    positions: int
    close: Interval | None
    """The mean number of moves that are close to the best, itself included."""
    only: Interval
    """The share of positions in which one move stands out."""
    all_alike: Interval
    """The share of positions in which the search sees no difference between any two moves."""


def measure_decisions(
    game: Game,
    replays: Sequence[Replay],
    seed: int,
    seconds: float | None,
    most: int = DECISION_SAMPLE,
    on_position: Callable[[int], None] = lambda done: None,
) -> Decisions:
    """Search random positions of some games move by move, until there are enough or the time is over."""
    there = [ply.s for replay in replays for ply in replay.plies if len(ply.legal) > 1]
    random.Random(seed).shuffle(there)
    engine = Engine(game, memory=16, seed=seed)
    until = None if seconds is None else time.monotonic() + seconds
    counts, alike = [], 0
    for s in there[:most]:
        if until is not None and time.monotonic() > until:
            break
        engine.forget()
        found = [worth for _, worth in engine.analyse(s, Limit(nodes=DECISION_NODES), lines=0).moves]
        counts.append(count_close(found))
        alike += len(found) > 1 and found[0] == found[-1]
        on_position(len(counts))
    return Decisions(
        len(counts),
        samples.mean(counts) if counts else None,
        samples.share(counts.count(1), len(counts)),
        samples.share(alike, len(counts)),
    )


def count_close(found: Sequence[float]) -> int:
    """Return how many of these scores, best first, are close to the first.

    >>> count_close([100, 95, 60, 20, -50]), count_close([0, 0, 0]), count_close([9993, 0, 0])
    (2, 3, 1)
    """
    slack = LEVELS[NEAR_LEVEL][1] * (found[0] - found[len(found) // 2])
    return sum(found[0] - worth <= slack for worth in found)
