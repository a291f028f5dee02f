"""The usual size of a game's estimates, by which a page turns them into winning chances.

`evaluate` may count in any unit: hundredths of a pawn, open rows, seeds. So the unit is measured: it is the standard deviation of
the estimates of positions from random games. For the games that come with Plyground it is within a factor of about two of what
fits the results of quick games of the engine against itself best. It needs no compiler and less than a second.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import TypedDict

from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.rollouts import random_game, rollouts

GRADES = ((0.15, "??", "a blunder"), (0.1, "?", "a mistake"), (0.05, "?!", "an inaccuracy"))
"""The grades of mistakes: the least winning chance that such a move gives away, its sign and its name."""
GAMES = 40
MAX_PLY_USED = 40
"""Only this many plies of a random game are used: later positions are rarely like those that players reach."""
EVERY = 5
"""One position in this many is used, on average: neighbouring positions are too similar."""
FEW = 5
"""The number of games if their positions are estimated by random games: that is slow."""
MAX_PLIES = 400
"""A random game is given up after this many plies."""


class Units(TypedDict):
    """What the page and the terminal need to know about estimates."""

    estimate: float
    """The usual size."""
    plain: bool
    """Whether every result of this game of chance is a win, a draw or a loss."""


def units(game: Game) -> Units:
    """Return the usual size of an estimate, and for games of chance, whether every result is a win, a draw or a loss."""
    to_the_end = "chance" in game.has and not game.margin
    games = [_random_game(game, MAX_PLIES if to_the_end else MAX_PLY_USED, random.Random(seed)) for seed in range(GAMES)]
    if "evaluate" in game.has:
        estimates = [float(game.evaluate(s)) for states, _ in games for s in states]
    else:
        estimates = [float(rollouts(game, s)) for states, _ in games[:FEW] for s in states]
    results = [result for _, result in games if result is not None]
    size = _standard_deviation(estimates) or _standard_deviation(results) or 1.0
    return {"estimate": size, "plain": to_the_end and all(abs(value) <= 1 for value in results)}


def _random_game(game: Game, longest: int, rng: random.Random) -> tuple[list[State], float | None]:
    """Play a random game; return early positions with a player to move, and the result."""
    positions: list[State] = []
    for ply, (s, moves) in enumerate(random_game(game, rng, longest - 1)):
        if not moves:
            return positions, game.result(s)
        if ply < MAX_PLY_USED and not game.is_chance(s) and rng.randrange(EVERY) == 0:
            positions.append(s)
    return positions, None


def _standard_deviation(values: Sequence[float]) -> float:
    """Return the standard deviation; 0 if there are no values."""
    return statistics.pstdev(values) if values else 0.0
