"""Quiescence: the horizon effect without it, a position or more for each game, and the contract with it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.rules.load import builtin_games
from plyground.textbook import Counter, Recorder, Tree, search
from plyground.textbook.algorithm import PLAIN, kind
from plyground.textbook.alphabeta import fail_soft, quiescence
from plyground.textbook.trace import Enter
from plyground.textbook.tree import INFINITE, node
from positions import hashing, walk

LINES = (DATA / "textbook" / "horizon.txt").read_text(encoding="utf-8").splitlines()
HORIZON = [tuple(part.strip() for part in line.split("|")) for line in LINES if line and not line.startswith("#")]


@pytest.mark.parametrize(("spec", "state", "move", "plies"), HORIZON)
def test_beyond_the_horizon(spec: str, state: str, move: str, plies: str) -> None:
    game = load(spec)
    s = game.parse_state(state)
    s = game.play(s, game.parse_move(s, move))
    plain = fail_soft(Tree(game), s, 0)
    quiet = quiescence(Tree(game), s, 0, -INFINITE, INFINITE)
    deep = quiescence(Tree(game), s, int(plies), -INFINITE, INFINITE)
    assert 2 * abs(quiet - deep) < abs(plain - deep)


def test_without_it_a_queen_is_given_for_a_pawn() -> None:
    game = load("chess")
    s = game.parse_state("4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1")
    greedy, patient = (search(name, game, s, depth=1).move for name in ("alphabeta", "quiescence"))
    assert game.format_move(s, greedy) == "Qxd6"
    assert game.format_move(s, patient) != "Qxd6"


def test_there_is_a_position_for_each_game_with_loud_moves() -> None:
    games = {name for name in builtin_games() if "loud" in load(name).has and kind(load(name)) == PLAIN}
    assert games == {spec.split("(")[0] for spec, *_ in HORIZON}


@node
def plain_quiescence(tree: Tree, s: Any, depth: float) -> int:
    """Quiescence without windows: the oracle."""
    if (value := tree.over(s)) is not None:
        return value
    moves = tree.moves(s)
    best = -INFINITE
    if depth <= 0:
        loud = [m for m in moves if tree.game.loud(s, m)]
        if len(loud) < len(moves) or depth <= -tree.memory["quiet"]:
            best = tree.estimate(s)
        moves = loud if depth > -tree.memory["quiet"] else []
    for m in moves:
        child, sign = tree.play(s, m)
        best = max(best, sign * plain_quiescence(tree, child, depth - 1))
    return best


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe(rows=4, cols=4, k=3)", "connect4(rows=4, cols=5, k=3)", "checkers"])
@settings(max_examples=10, deadline=None)
@given(plies=st.integers(0, 12), seed=st.integers(0, 10**6), depth=st.integers(0, 2), quiet=st.integers(1, 5))
def test_windows_change_nothing(spec: str, plies: int, seed: int, depth: int, quiet: int) -> None:
    game = hashing(load(spec))
    s = walk(game, plies, random.Random(seed))[-1]
    tree = Tree(game)
    tree.memory["quiet"] = quiet
    v = plain_quiescence(tree, s, depth)
    assert quiescence(tree, s, depth, -INFINITE, INFINITE) == v
    for alpha, beta in ((-1, 1), (v - 1, v), (v, v + 1), (v - 1, v + 1)):
        r = quiescence(tree, s, depth, alpha, beta)
        assert v <= r if r <= alpha else v >= r if r >= beta else v == r


def test_loud_moves_go_on_for_so_many_plies_and_no_more() -> None:
    game = load("connect4")
    s = game.parse_state("......./......./......./X....../XX.O.O./XXXOOO.")
    depths = []
    for quiet in (1, 3, 12):
        trace = Recorder()
        search("quiescence", game, s, trace, depth=1, quiet=quiet)
        depths.append(min(e.depth for e in trace.events if isinstance(e, Enter) and e.depth is not None))
    assert depths == [-1, -3, -7]


def test_a_quiet_game_is_searched_as_by_alphabeta() -> None:
    nim = load("nim")
    plain, quiet = Counter(), Counter()
    assert search("alphabeta", nim, nim.start(), plain, depth=3) == search("quiescence", nim, nim.start(), quiet, depth=3)
    assert plain.nodes == quiet.nodes
