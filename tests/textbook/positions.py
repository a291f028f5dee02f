"""States and evaluations for the tests of the textbook."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from plyground.game import Game, mix


def with_evaluate(game: Game, evaluate: Callable[[Any], Any]) -> Game:
    """The game with another evaluation."""
    new = copy.copy(game)
    new.evaluate = evaluate
    new.has = game.has | {"evaluate"}
    return new


def hashing(game: Game) -> Game:
    """The game with an evaluation that no search can guess: a hash of the state, from -3 to 3, with many ties."""
    return with_evaluate(game, lambda s: mix(game.key(s)) % 7 - 3)


def walk(game: Game, plies: int, rng: random.Random) -> list[Any]:
    """The states of a random game, the last of which is where the game goes on and a player moves."""
    states = [game.start()]
    for _ in range(plies):
        options = [m for m, _ in game.outcomes(states[-1])] or game.legal(states[-1])
        if not options:
            break
        states.append(game.play(states[-1], rng.choice(options)))
    while len(states) > 1 and not game.legal(states[-1]):
        states.pop()
    return states


def reachable(game: Game) -> list[Any]:
    """Every state that play can reach, the finished ones too."""
    found = {game.identity(game.start()): game.start()}
    waiting = list(found.values())
    while waiting:
        s = waiting.pop()
        for m in game.legal(s):
            child = game.play(s, m)
            if game.identity(child) not in found:
                found[game.identity(child)] = child
                waiting.append(child)
    return list(found.values())
