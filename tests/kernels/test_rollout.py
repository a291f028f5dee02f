"""Random games at the leaves: the kernel is equal to the plain Python version, and the search with it to the textbook's."""

import functools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA, EXAMPLES
from plyground import Engine, Limit, load
from plyground.compile.native import Native
from plyground.compile.vocabulary import ROLLOUTS
from plyground.engine import EXACT, OPTIONS
from plyground.kernels.search import USE_ROLLOUTS
from plyground.kernels.search.chance_node import estimate as expected
from plyground.kernels.search.node import estimate
from plyground.kernels.search.search_memory import SearchMemory
from plyground.kernels.states import own_state
from plyground.rules import rollouts as plain
from plyground.rules.game import Game
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.tree import Tree

NEWCOMER = DATA / "newcomer"
HEX = f"{EXAMPLES / 'hex.py'}(size=4)"
SPECS = {
    "alternating": HEX,
    "in place": f"{NEWCOMER / 'popout.py'}",
    "margins, and a side may move twice": "kalah(pits=3, seeds=2)",
    "symmetric": "tictactoe",
    "one side": f"{NEWCOMER / 'peg_solitaire.py'}",
    "dice": f"{NEWCOMER / 'pig.py'}",
    "tiles": "2048",
    "cycles": f"{NEWCOMER / 'chopsticks.py'}",
}
LONG = {"alternating", "in place", "symmetric", "one side", "tiles", "cycles"}


@functools.cache
def without_evaluate(spec):
    """The game as if nobody had written an evaluation for it."""
    game = load(spec)
    return Game({name: rule for name, rule in game.rules.items() if name != "evaluate"}, game.name, game.where)


def judge_one(address, work, memory):
    """Entry point: the estimate of the state at an address."""
    return float(estimate(own_state(address, work), SearchMemory(memory)))


def expect_one(address, work, memory):
    """The same in a game of chance."""
    return expected(own_state(address, work), SearchMemory(memory))


@functools.cache
def judge(spec):
    """The compiled estimate of a state."""
    game = without_evaluate(spec)
    kernel = Native(game).bind(expect_one if "chance" in game.has else judge_one, "float64(uint64, uint64, uint64)")
    memory = SearchMemory(game.layout.words)
    memory.options = USE_ROLLOUTS

    def judged(s, seed):
        memory.seed = seed
        row, work = game.layout.row(s), game.layout.row(s)
        value = kernel(row.ctypes.data, work.ctypes.data, memory.address)
        assert row.tobytes() == work.tobytes(), "in-place rules are undone"
        return value

    return judged


def walked(game, plies, seed):
    """A state of a random game in which somebody has a move."""
    rng, s = random.Random(seed), game.start()
    for _ in range(plies):
        options = [m for m, _ in game.outcomes(s)] or game.legal(s)
        child = game.play(s, rng.choice(options))
        if game.result(child) is not None:
            break
        s = child
    return s


every_kind = pytest.mark.parametrize("kind", [pytest.param(k, marks=[pytest.mark.long] * (k in LONG)) for k in SPECS])


@every_kind
@settings(max_examples=8, deadline=None)
@given(plies=st.integers(0, 60), walk=st.integers(0, 10**6), seed=st.sampled_from([0, 1, 2**64 - 1]))
def test_the_kernel_is_equal_to_the_plain_version(kind, plies, walk, seed):
    game = without_evaluate(SPECS[kind])
    s = walked(game, plies, walk)
    assert judge(SPECS[kind])(s, seed) == plain.rollouts(game, s, seed)


@functools.cache
def engine(threads):
    return Engine(HEX, options=[*EXACT, "rollouts"], threads=threads, memory=1, seed=0)


@settings(max_examples=8, deadline=None)
@given(
    plies=st.integers(4, 12), walk=st.integers(0, 10**6), names=st.sets(st.sampled_from(EXACT)), threads=st.sampled_from([1, 2])
)
def test_a_search_equals_the_textbooks(plies, walk, names, threads):
    game = load(HEX)
    s = walked(game, plies, walk)
    e = engine(threads)
    e.options = sum(OPTIONS[name] for name in names | {"rollouts"})
    assert e.analyse(s, Limit(depth=2)).score == fail_soft(Tree(plain.with_rollouts(game)), s, 2)


def test_a_seed_gives_its_own_estimates():
    game = load(HEX)
    states = [walked(game, plies, plies) for plies in range(8)]
    ones, others = ([plain.rollouts(game, s, seed) for s in states] for seed in (1, 2))
    assert ones != others
    assert ones == [plain.rollouts(game, s, 1) for s in states]


def test_all_moves_are_equally_likely():
    """Within five standard deviations, whatever their number."""
    rng = random.Random(1)
    for count in (2, 3, 7, 40):
        times = [0] * count
        for _ in range(200 * count):
            x = rng.getrandbits(64)
            times[max(range(count), key=lambda n: plain.move_priority(x, n))] += 1
        assert all(abs(n - 200) < 5 * 200**0.5 for n in times)


def test_an_estimate_is_never_a_proof():
    for total, games, margin in ((8, 8, 0), (-8, 8, 0), (8 * 19999, 8, 19999), (-512, 8, 64)):
        assert abs(plain.estimate_of(total, games, margin)) < 9000
    assert ROLLOUTS is False, "games with an evaluation have no such code in their kernels"
