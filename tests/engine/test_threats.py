"""Wins by threats are proven before the search: they are true, they are played, and moves that allow one are not."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.engine import EXACT
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.play.report import Analysis
from plyground.rules.game import Game
from plyground.solver.prover import ProofGoal, Prover
from plyground.solver.solver import Solver

WON = "h8 g6 i9 j11 f10 i6 g9 i7 h9 j9"
"""X wins by threats, in at most 19 plies."""
ONE_DEFENCE = "h8 j6 j5 l8 j3 j8 i5 k5 i6 i7 h6 h7 g7 j4 i3 l4 m3 i4 k4 l3 l5 m6 f8 e9 e8"
"""O must play i8: after any other move near the stones, X wins by threats."""
LOST = "h8 h9 j10 f6 h5 f3 j8 i8 j7 j9 i7 h7 g6 k9 g9 j6 k10 i10 i9 g7 k8 i6 f7 e8 e11 f10 g11 h10 g10 g12 k11 l12 h11 f11 j11"
"""X wins by threats after every move of O."""


@functools.cache
def engine(spec: str) -> Engine:
    return Engine(spec, memory=4, seed=0)


@functools.cache
def prover(spec: str) -> Prover:
    return Prover(spec, memory=8)


def after(game: Game, moves: str) -> Any:
    s = game.start()
    for text in moves.split():
        s = game.play(s, game.parse_move(s, text))
    return s


def walk(game: Game, plies: int, seed: int) -> Any:
    """The last state of a random game, near the stones, at which somebody is to move."""
    rng, s = random.Random(seed), game.start()
    for _ in range(plies):
        child = game.play(s, rng.choice([*game.likely(s)] or game.legal(s)))
        if not game.legal(child):
            break
        s = child
    return s


def follow(game: Game, s: Any, found: Analysis, whole: bool = True) -> None:
    """The line of a win is legal and ends the game, unless a small table has lost a part of it."""
    assert found.plies is not None
    assert found.move == found.line[0]
    if found.value == "loss":
        return
    assert len(found.line) <= found.plies
    side = game.turn(s)
    for m in found.line:
        s = game.play(s, m)
    if whole or game.result(s) is not None:
        assert game.result(s) * (1 if game.turn(s) == side else -1) == 1


@pytest.mark.parametrize("moves", [WON, "h8 i6 h6 k8 h10 f4 f8 h5 j7 h7 g9 e7 f10 i7 g7 e9"])
def test_a_long_win_by_threats_is_proven_and_played(moves: str) -> None:
    e = engine("gomoku")
    s = after(e.game, moves)
    found = e.analyse(s, Limit(nodes=1_000_000))
    assert found.value == "win"
    assert found.describe("X").endswith("plies (proven)")
    assert found.reports[-1].line == found.line
    follow(e.game, s, found)
    assert e.choose(s, Limit(nodes=1_000_000)) == found.move


def test_a_win_is_kept_until_the_game_is_over() -> None:
    e, rng = Engine("gomoku", memory=4, seed=0), random.Random(5)
    s, plies = after(e.game, WON), 99
    while e.game.result(s) is None:
        found = e.analyse(s, Limit(nodes=1_000_000))
        assert found.value == "win"
        s = e.game.play(s, found.move)
        if e.game.result(s) is None:
            s = e.game.play(s, rng.choice([*e.game.rules["replies"](s)] or e.game.legal(s)))
            plies -= 2
        assert plies > 0
    assert e.game.result(s) == -1


@pytest.mark.parametrize("seed", range(3))
def test_moves_that_allow_a_win_by_threats_are_not_played(seed: int) -> None:
    e = Engine("gomoku", memory=4, seed=seed)
    s = after(e.game, ONE_DEFENCE)
    attack = ProofGoal(attack=True, threats=True)
    lost = [m for m in e.game.legal(s) if prover("gomoku").ask(e.game.play(s, m), attack, 30_000) > 0]
    assert len(lost) > 150
    assert e.choose(s, Limit(nodes=50_000)) not in lost


def test_a_position_is_lost_if_every_move_allows_a_win_by_threats() -> None:
    e = engine("gomoku")
    s = after(e.game, LOST)
    found = e.analyse(s, Limit(nodes=200_000))
    assert found.value == "loss"
    assert found.describe("O").endswith("plies (proven)")
    assert found.reports[-1].score == found.score
    assert prover("gomoku").prove(s, only="loss").value == "loss"


@settings(max_examples=30)
@given(spec=st.sampled_from(["gomoku(size=7)", "gomoku(size=6, exact=1)"]), plies=st.integers(6, 24), seed=st.integers(0, 10**6))
def test_what_is_proven_by_threats_is_what_the_prover_proves(spec: str, plies: int, seed: int) -> None:
    e = engine(spec)
    s = walk(e.game, plies, seed)
    found = e.analyse(s, Limit(nodes=20_000))
    wins, loses = (prover(spec).ask(s, ProofGoal(attack, threats=False), 50_000) for attack in (True, False))
    assert not (found.value == "win" and (wins < 0 or loses > 0))
    assert not (found.value == "loss" and (loses < 0 or wins > 0))
    if found.value in ("win", "loss"):
        follow(e.game, s, found, whole=False)


@settings(max_examples=30)
@given(
    spec=st.sampled_from(["tictactoe", "tictactoe(rows=3, cols=5, k=3)", "tictactoe(rows=4, cols=4, k=3)"]),
    plies=st.integers(0, 8),
    seed=st.integers(0, 10**6),
)
def test_what_is_proven_in_a_small_game_is_its_value(spec: str, plies: int, seed: int) -> None:
    e = engine(spec)
    s = walk(e.game, plies, seed)
    found = e.analyse(s, Limit(nodes=20_000))
    known = Solver(spec, memory=1).solve(s)
    assert found.value in ("unknown", known.value)
    if found.value in ("win", "loss"):
        assert found.plies >= known.plies


def test_a_limit_of_nodes_covers_the_search_for_threats_and_repeats_it() -> None:
    found = []
    for _ in range(2):
        e = Engine("gomoku", memory=4, seed=3)
        found.append(e.analyse(after(e.game, ONE_DEFENCE), Limit(nodes=30_000)))
    assert 29_000 < found[0].nodes < 31_000
    assert (found[0].move, found[0].score, found[0].nodes) == (found[1].move, found[1].score, found[1].nodes)


@pytest.mark.parametrize("settings", [{"options": EXACT}, {"exact": True}])
def test_without_the_option_nothing_is_proven_by_threats(settings: dict[str, Any]) -> None:
    e = Engine("gomoku", memory=4, seed=0, **settings)
    assert e.analyse(after(e.game, WON), Limit(nodes=20_000)).value == "unknown"


def test_a_limit_of_depth_does_not_search_threats() -> None:
    e = Engine("gomoku", memory=4, seed=0)
    assert e.analyse(after(e.game, WON), Limit(depth=2)).depth == 2
