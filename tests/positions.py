"""States and evaluations for tests."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from typing import Any

from plyground.bits import mix
from plyground.rules.game import Game


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


def states_from(game: Game, first: Any, most: int | None = None) -> dict[Any, Any] | None:
    """Every state that play can reach from the first on, by identity, the finished ones too; None beyond `most`."""
    found = {game.identity(first): first}
    waiting = [first]
    while waiting:
        s = waiting.pop()
        for m in game.legal(s):
            child = game.play(s, m)
            if game.identity(child) not in found:
                found[game.identity(child)] = child
                waiting.append(child)
        if most is not None and len(found) > most:
            return None
    return found


def reachable(game: Game) -> list[Any]:
    """Every state that play can reach, the finished ones too."""
    return list((states_from(game, game.start()) or {}).values())


PILE = """
from typing import NamedTuple

class State(NamedTuple):
    turn: int = 0
    left: int = 5

def start():
    return State()

def moves(s):
    return range(1, min(s.left, 2) + 1)

def play(s, m):
    return State(1 - s.turn, s.left - m)

def result(s):
    return -1 if s.left == 0 else None
"""
"""A small game of our own: take one or two of five; the side that takes the last one wins."""
