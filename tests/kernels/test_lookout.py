"""The search that looks out for forced wins where random games judge: what it proves is true, and it can be repeated."""

import functools
import random
from typing import Any

import pytest

from here import EXAMPLES
from plyground import Engine, Limit, Solver, load
from plyground.cli import main
from plyground.cli._terminal import print_advice
from plyground.engine import EXACT, OPTIONS
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.tree import Tree

HEX = f"{EXAMPLES / 'hex.py'}(size=4)"


@functools.cache
def engine(spec):
    return Engine(spec, memory=1, seed=1, perfect=False)


def states(game, plies, count):
    """Different states of random games that are not over."""
    rng = random.Random(1)
    found: dict[Any, Any] = {}
    while len(found) < count:
        s = game.start()
        for _ in range(rng.choice(plies)):
            s = game.play(s, rng.choice(game.legal(s) or [0])) if game.result(s) is None else s
        if game.result(s) is None:
            found[s] = s
    return list(found)


def test_what_is_proven_is_true():
    """Against the textbook, to the end of the game; with all techniques, and a table that keeps what was proven before."""
    game, proofs = load(HEX), 0
    for s in states(game, range(9, 13), 30):
        value = fail_soft(Tree(game), s)
        for limit in (Limit(nodes=60), Limit(depth=2)):
            found = engine(HEX).analyse(s, limit)
            if found.value != "unknown":
                assert found.value == ("win" if value > 0 else "loss")
                proofs += 1
    assert proofs >= 30


@pytest.mark.long
@pytest.mark.parametrize("spec", [HEX, f"{EXAMPLES / 'breakthrough.py'}(size=4)"])
def test_what_is_proven_is_what_the_solver_says(spec):
    game, solver, proofs = load(spec), Solver(spec), 0
    for s in states(game, range(2, 12), 60):
        found = engine(spec).analyse(s, Limit(nodes=3000))
        if found.value != "unknown":
            assert found.value == solver.solve(s).value
            proofs += 1
    assert proofs >= 20


def test_it_looks_further_than_the_search_with_random_games():
    """A win in five plies, at depth 2."""
    game = load(HEX)
    found = None
    for s in states(game, range(7, 9), 60):
        if fail_soft(Tree(game), s, 5) == 9995 and fail_soft(Tree(game), s, 3) < 9000:
            found = s
            break
    assert found is not None
    e = Engine(HEX, memory=1, seed=1, options=[*EXACT, "rollouts", "lookout"])
    assert e.analyse(found, Limit(depth=2)).score == 9995
    e.forget()
    e.searcher.options &= ~OPTIONS["lookout"]
    assert e.analyse(found, Limit(depth=2)).value == "unknown"


def test_a_search_can_be_repeated():
    found = []
    for _ in range(2):
        e = Engine(HEX, memory=1, seed=5, perfect=False)
        analysis = e.analyse(limit=Limit(nodes=5000))
        found.append((analysis.score, analysis.line, analysis.nodes, analysis.depth))
    assert found[0] == found[1]


def test_a_game_that_nothing_judges_says_so_once(capsys):
    sentence = engine(HEX).advice
    assert sentence is not None
    assert "hex(size=4) has no `evaluate`" in sentence
    assert f"`plyground train '{load(HEX).spec}'`" in sentence
    assert Engine("connect4").advice is None
    assert Engine(HEX, exact=True).advice is None
    print_advice(engine(HEX), engine(HEX), Engine("connect4"))
    assert capsys.readouterr().err == f"{sentence}\n"


@pytest.mark.long
def test_the_command_says_so(capsys):
    assert main(["analyse", HEX, "--depth", "1", "--json"]) == 0
    assert capsys.readouterr().err.count("has no `evaluate`") == 1
