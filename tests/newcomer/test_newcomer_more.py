"""What is known about games that newcomers wrote: the solver and the engine say the same."""

import pytest

from here import DATA
from plyground import load
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.solver.solver import Solver

GAMES = DATA / "newcomer"


@pytest.mark.parametrize(
    ("spec", "score"),
    [
        ("chomp.py", 10000 - 8),  # the first side wins on every board (Gale, 1974)
        ("chomp.py(rows=2, cols=3)", 10000 - 6),
        pytest.param("fox_and_hounds.py", 44 - 10000, marks=pytest.mark.long),  # the hounds win (Berlekamp, Conway, Guy, 1982)
        ("isolation.py(size=3)", 10000 - 5),
    ],
)
def test_solved(spec, score):
    assert Solver(f"{GAMES}/{spec}").solve().score == score


@pytest.mark.parametrize(
    ("name", "value", "plies"),
    [
        ("chopsticks", "loss", 26),
        ("morris", "win", 9),  # from the centre
    ],
)
def test_proven_although_positions_come_again(name, value, plies):
    found = Engine(GAMES / f"{name}.py", memory=16, seed=1).analyse(limit=Limit(nodes=100_000))
    assert (found.value, found.plies, found.exact) == (value, plies, True)


@pytest.mark.parametrize(("own", "words"), [(13, "red wins by 1"), (12, "blue wins by 1"), (15, "red wins by 5")])
def test_a_margin_is_told_even_if_it_is_one(own, words):
    full = (1 << 25) - 1
    state = f"own={(1 << own) - 1} enemy={full & ~((1 << own) - 1)}"
    assert Match(load(GAMES / "ataxx.py"), state).describe_end() == words
