"""Random games: to sample the states of a game, and to estimate a state by the mean result of random games from it.

The estimate is that of a game without `evaluate`. This is the readable version; `kernels/search/rollout.py` does the same in
native code, to the bit, with the numbers and small functions of this file. The games depend on nothing but the state and a seed,
so a state has one estimate wherever a search meets it.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from plyground.bits import MASK, i64, mix, u64
from plyground.errors import PlygroundError
from plyground.rules.hooks import RulesState, State
from plyground.score import LIMIT, clip

if TYPE_CHECKING:
    from plyground.rules.game import Game

GAMES = 16
"""The number of random games for one estimate."""
PLIES = 2048
"""The maximum number of plies of all these games together; a game that would exceed it is not counted."""
POINT = 100
"""The estimate for one point: a win, or in a game with margins one point of the margin."""


def random_game(game: Game, rng: random.Random, plies: int, *, likely: bool = False) -> Iterator[tuple[RulesState, list[int]]]:
    """Yield the states of a random game, each with the moves or outcomes; the last one has none if the game ends in time.

    Chance follows its weights; a player makes any legal move, or any `likely` one. Each ply takes one number of `rng`.
    """
    s = game.start()
    for ply in range(plies + 1):
        weighted = game.outcomes(s)
        moves = [m for m, _ in weighted] or (likely and list(game.likely(s))) or game.legal(s)
        yield s, moves
        if ply == plies or not moves:
            return
        s = game.child(s, rng.choices(moves, [weight for _, weight in weighted] or None)[0])


def move_priority(x: int, n: int) -> int:
    """Return the random priority of the n-th move, from the random word x."""
    h = u64(x + u64(n) * u64(0x9E3779B97F4A7C15))
    return u64((h ^ h >> u64(32)) * u64(0xD6E8FEB86659FD93))


def estimate_of(total: int, games: int, margin: int) -> int:
    """Return the estimate for n games from the sum of their results: the mean in hundredths of a point, less for large margins.

    >>> estimate_of(-4, 8, 0), estimate_of(12, 8, 64), estimate_of(8 * 300, 8, 1000), estimate_of(0, 0, 0)
    (-50, 150, 2699, 0)
    """
    if games == 0:
        return i64(0)
    most = max(margin, 1)
    return clip(total * min(POINT * most, LIMIT) // (games * most))


def rollouts(game: Game, s: State, seed: int = 0) -> int | float:
    """Return the estimate of s for the side to move by random games; in a game of chance, the mean of their results."""
    if not game.in_place:
        s = game.canonical(s)
    x = mix((game.key(s) & MASK) ^ seed)
    total = games = 0
    plies = PLIES
    while games < GAMES and plies > 0:
        t, sign = s, 1
        while (value := game.result(t)) is None and plies > 0:
            x = mix(x)
            child = game.child(t, random_move(game, t, x))
            if len(game.sides) == 2 and game.changes_turn(t, child):
                sign = -sign
            t = child
            plies -= 1
        if value is not None:
            total += sign * value
            games += 1
    if "chance" in game.has:
        return total / games if games else 0.0
    return int(estimate_of(total, games, game.margin))


def with_rollouts(game: Game) -> Game:
    """Return the game with random games as its evaluation."""
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; random games can evaluate only games with one or two")
    new = copy.copy(game)
    new.evaluate = lambda s: rollouts(game, s)
    return new


def random_move(game: Game, s: State, x: int) -> int:
    """Return a random move from the random word x: by weight if chance is to move, else the move with the highest priority."""
    if game.is_chance(s):
        total, found = 0.0, -1
        for n, (m, weight) in enumerate(game.rules["chance"](s)):
            total += weight
            if (move_priority(x, n) >> 33) * total < weight * 2147483648.0:
                found = m
        return found
    return int(max((move_priority(x, n), m) for n, m in enumerate(game.moves(s)))[1])
