"""The engine with exact options on equals the textbook: every game, random states, an evaluation that no search can guess."""

from __future__ import annotations

import copy
import functools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.bits import MASK
from plyground.engine import EXACT, OPTIONS
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.derived_games import with_repetition
from plyground.textbook.minimax import expectiminimax
from plyground.textbook.tree import Tree

SPECS = [
    *(g for g in builtin_games() if "chance" not in load(g).has and g != "gomoku"),
    "gomoku(size=7)",
    "connect4(rows=4, cols=4, k=3)",
    "tictactoe(rows=3, cols=5, k=3)",
    "kalah(pits=3, seeds=2)",
    "nim(misere=1)",
]


def hashed(k: int) -> int:
    """The evaluation of the engine's option `hash`: -3 to 3, from the key alone."""
    return ((k * 0x9E3779B97F4A7C15 & MASK) >> 33) % 7 - 3


@functools.cache
def engine(spec: str, threads: int = 1) -> Engine:
    return Engine(spec, exact=True, options=[*EXACT, "hash"], threads=threads, memory=1, seed=1)


def walk(game: Game, plies: int, seed: int) -> list[Any]:
    """The states of a random game, the last one with a move to make."""
    rng = random.Random(seed)
    states = [game.start()]
    for _ in range(plies):
        options = [m for m, _ in game.outcomes(states[-1])] or game.legal(states[-1])
        child = game.play(states[-1], rng.choice(options))
        if not (game.legal(child) or game.outcomes(child)):
            break
        states.append(child)
    while not game.legal(states[-1]):
        states.pop()
    return states


def oracle(game: Game, states: list[Any], depth: int) -> int:
    """The value of the last state by the textbook's alpha-beta with the hash for an evaluation."""
    hashing = copy.copy(game)
    hashing.evaluate = lambda s: hashed(game.key(game.canonical(s)))
    if not game.repetition:
        return fail_soft(Tree(hashing), states[-1], depth)
    path = with_repetition(hashing, states[:-1])
    carried = path.start()._replace(state=states[-1])
    return fail_soft(Tree(path), carried, depth)


def depth_for(game: Game, s: Any) -> int:
    """As deep as the interpreted oracle can look in a moment."""
    n = len(game.legal(s))
    return 4 if n < 4 else 3 if n < 12 else 2 if n < 40 else 1


def search_with(e: Engine, names: set[str], state: Any, depth: int, history: list[Any]) -> Any:
    """What an engine finds with just these techniques on and the hash for an evaluation."""
    e.searcher.options = sum(OPTIONS[n] for n in names | {"hash"})
    found = e.analyse(state, Limit(depth=depth), history=history)
    assert found.move in e.game.legal(state)
    return found.score


TECHNIQUES = st.sets(st.sampled_from(EXACT))
"""Any combination of the techniques that promise the exact value."""


SLOW = ("chess", "draughts", "gomoku(size=7)", "nim(misere=1)", "tictactoe(rows=3, cols=5, k=3)")


@pytest.mark.parametrize("spec", [pytest.param(spec, marks=[pytest.mark.long] * (spec in SLOW)) for spec in SPECS])
@settings(max_examples=24, deadline=None)
@given(plies=st.integers(0, 40), seed=st.integers(0, 10**6), names=TECHNIQUES, two=TECHNIQUES, deeper=st.booleans())
def test_exact_search_equals_the_textbook(spec: str, plies: int, seed: int, names: set[str], two: set[str], deeper: bool) -> None:
    """One thread and two, each with techniques of its own, on a table that keeps what earlier examples have left in it."""
    game = load(spec)
    states = walk(game, plies, seed)
    depth = depth_for(game, states[-1]) + deeper
    value = oracle(game, states, depth)
    without = {"table"} if game.repetition else set()
    assert search_with(engine(spec), names - without, states[-1], depth, states[:-1]) == value
    assert search_with(engine(spec, 2), two - without, states[-1], depth, states[:-1]) == value


@pytest.mark.parametrize(("spec", "depth"), [("2048", 2), pytest.param("backgammon", 1, marks=pytest.mark.long)])
@settings(max_examples=16, deadline=None)
@given(plies=st.integers(2, 60), seed=st.integers(0, 10**6), names=TECHNIQUES, two=TECHNIQUES)
def test_games_of_chance_have_the_textbooks_value(
    spec: str, depth: int, plies: int, seed: int, names: set[str], two: set[str]
) -> None:
    game = load(spec)
    states = walk(game, plies, seed)
    hashing = copy.copy(game)
    hashing.evaluate = lambda s: (hashed(game.key(game.canonical(s))) + 3) / 4
    value = pytest.approx(expectiminimax(Tree(hashing), states[-1], depth), abs=1e-9)
    assert search_with(engine(spec), names, states[-1], depth, []) == value
    assert search_with(engine(spec, 2), two, states[-1], depth, []) == value
