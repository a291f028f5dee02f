"""How large a game's estimates are: the page needs it to turn them into winning chances.

`evaluate` may count in any unit: hundredths of a pawn, open rows, seeds. What an estimate of 50 is worth shows only beside
others, so the unit is measured, on positions of random games: their standard deviation. For the games that come with Plyground it
is within a factor of about two of what fits best to the results of quick games of the engine against itself, and it takes no
compiler and less than a second.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Sequence
from typing import Any

from plyground.rules.game import Game
from plyground.rules.rollouts import rollouts

GAMES = 40
EARLY = 40
"""Only so many plies of a random game are used: later positions are rarely like those that players reach."""
EVERY = 5
"""From one position that is used to the next: neighbours are too much alike."""
FEW = 5
"""Games whose positions are used if random games must judge them: that is slow."""
LONGEST = 400
"""A random game is given up after so many plies."""


def units(game: Game) -> dict[str, Any]:
    """The usual size of an estimate; and, for games of chance, is every result a win, a draw or a loss, without a margin?"""
    to_the_end = "chance" in game.has and not game.margin
    games = [_random_game(game, LONGEST if to_the_end else EARLY, random.Random(seed)) for seed in range(GAMES)]
    if "evaluate" in game.has:
        estimates = [float(game.evaluate(s)) for states, _ in games for s in states]
    else:
        estimates = [float(rollouts(game, s)) for states, _ in games[:FEW] for s in states]
    results = [result for _, result in games if result is not None]
    size = _spread(estimates) or _spread(results) or 1.0
    return {"estimate": size, "plain": to_the_end and all(abs(value) <= 1 for value in results)}


def _random_game(game: Game, longest: int, rng: random.Random) -> tuple[list[Any], float | None]:
    """Early positions with a player to move, and the result; the same for the same random numbers."""
    positions: list[Any] = []
    s = game.start()
    for ply in range(longest):
        result = game.result(s)
        if result is not None:
            return positions, result
        outcomes = game.outcomes(s)
        if not outcomes and ply < EARLY and rng.randrange(EVERY) == 0:
            positions.append(s)
        moves, weights = zip(*outcomes, strict=True) if outcomes else (game.legal(s), None)
        s = game.play(s, rng.choices(moves, weights)[0])
    return positions, None


def _spread(values: Sequence[float]) -> float:
    """The standard deviation; 0 if there are no values."""
    return statistics.pstdev(values) if values else 0.0
