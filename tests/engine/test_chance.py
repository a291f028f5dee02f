"""Games of chance: the engine's value is the textbook's expected result, whatever the rules tell of the size of results."""

from __future__ import annotations

import functools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.engine import EXACT, OPTIONS, option_bits
from plyground.engine.engine import Engine
from plyground.errors import PlygroundError
from plyground.kernels.search.chance_node import UNLIKELY
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.textbook import Tree, search
from plyground.textbook.minimax import expectiminimax
from positions import walk
from running import FOREVER

CHANCE = DATA / "chance"
PIG, DIE, CHAIN, NO_TURN = (str(CHANCE / f"{name}.py") for name in ("pig", "one_die", "chain", "no_turn"))
DICE = str(DATA / "textbook" / "dice.py")
SHORT = (PIG, DIE, f"{CHAIN}(margin=3)", NO_TURN, DICE)
LONG = (f"{PIG}(margin=1)", f"{DIE}(price=5, margin=5)", CHAIN, f"{NO_TURN}(margin=20)", f"{DICE}(after=1)")
SPECS = [*SHORT, *(pytest.param(spec, marks=pytest.mark.long) for spec in LONG)]
TECHNIQUES = st.sets(st.sampled_from(EXACT))


@functools.cache
def engine(spec: str) -> Engine:
    return Engine(spec, exact=True, memory=1, seed=1)


def by_hand(game: Game, s: Any, depth: int, unlikely: float = 0.0) -> float:
    """The expected result for the side to move: results and estimates as the rules give them, nothing cut.

    Outcomes with less than this share of the largest probability are searched one ply less deeplyly.
    """
    if (result := game.result(s)) is not None:
        return result
    if depth == 0:
        return game.evaluate(s)
    weighted = game.outcomes(s)
    if weighted:
        least = unlikely * max(p for _, p in weighted) if depth >= 2 else 0.0
        children = [(p, game.play(s, m), depth - (p < least)) for m, p in weighted]
        return sum(p * sign(game, s, c) * by_hand(game, c, left, unlikely) for p, c, left in children)
    return max(sign(game, s, c) * by_hand(game, c, depth - 1, unlikely) for m in game.moves(s) for c in [game.play(s, m)])


def sign(game: Game, s: Any, child: Any) -> int:
    if len(game.sides) == 1:
        return 1
    if "turn" in game.has:
        return 1 if game.turn(s) == game.turn(child) else -1
    return 1 if game.is_chance(s) else -1  # dice take no turn


def search_with(e: Engine, names: set[str], s: Any, depth: int) -> float:
    """What an engine finds with just these techniques on."""
    e.searcher.options = sum(OPTIONS[n] for n in names)
    return e.analyse(s, Limit(depth=depth)).score


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=25, deadline=None)
@given(plies=st.integers(1, 30), seed=st.integers(0, 10**6), depth=st.integers(1, 3), names=TECHNIQUES)
def test_the_engine_has_the_textbooks_expected_result(spec: str, plies: int, seed: int, depth: int, names: set[str]) -> None:
    game = load(spec)
    s = next(s for more in range(99) for s in [walk(game, plies + more, random.Random(seed + more))[-1]] if game.legal(s))
    value = by_hand(game, s, depth)
    assert expectiminimax(Tree(game), s, depth) == pytest.approx(value, abs=1e-9)
    assert search_with(engine(spec), names, s, depth) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize(("spec", "depth"), [("2048", 2), ("backgammon", 1)])
@settings(max_examples=12, deadline=None)
@given(plies=st.integers(2, 80), seed=st.integers(0, 10**6), names=TECHNIQUES)
def test_the_shipped_games_with_their_own_evaluation(spec: str, depth: int, plies: int, seed: int, names: set[str]) -> None:
    game = load(spec)
    s = next(s for more in range(99) for s in [walk(game, plies + more, random.Random(seed))[-1]] if game.legal(s))
    assert search_with(engine(spec), names, s, depth) == pytest.approx(by_hand(game, s, depth))


def test_unlikely_outcomes_are_searched_less_deeply() -> None:
    """A new 4 is nine times less likely than a 2. The last ply is never left out: a net judges positions before the roll."""
    game, e = load("2048"), engine("2048")
    for text in ("2 4 8 16/4 8 16 32/. 16 32 64/. 4 2 2", "2 4 8 16/8 64 128 32/2 16 . 64/4 8 4 2"):
        s = game.parse_state(text)
        values = [search_with(e, {"table", "reductions"}, s, depth) for depth in (2, 3)]
        assert values == pytest.approx([by_hand(game, s, depth, UNLIKELY) for depth in (2, 3)])
        assert values[0] == pytest.approx(by_hand(game, s, 2))
        assert values[1] != pytest.approx(by_hand(game, s, 3), abs=1e-9)


def test_unlikely_outcomes_with_two_sides_and_star2() -> None:
    spec = f"{DICE}(size=9, rare=1)"
    game, e = load(spec), engine(spec)
    differ = 0
    for seed in range(20):
        s = next(s for more in range(99) for s in [walk(game, 3 + more, random.Random(seed))[-1]] if game.legal(s))
        for names in ({"pvs", "reductions"}, {"reductions"}):
            assert search_with(e, names, s, 4) == pytest.approx(by_hand(game, s, 4, UNLIKELY))
        differ += by_hand(game, s, 4, UNLIKELY) != pytest.approx(by_hand(game, s, 4), abs=1e-9)
    assert differ
    assert search_with(engine(DICE), {"pvs", "reductions"}, load(DICE).parse_state("mine=0 theirs=0 die=1 side=0"), 4) == (
        pytest.approx(by_hand(load(DICE), load(DICE).parse_state("mine=0 theirs=0 die=1 side=0"), 4))
    )  # 3 to 1 is not unlikely enough


def test_a_solitaire_has_no_null_windows() -> None:
    used = {spec: bool(option_bits(load(spec), None, exact=False) & OPTIONS["pvs"]) for spec in ("2048", "backgammon", "nim")}
    assert used == {"2048": False, "backgammon": True, "nim": True}


def test_a_second_roll_in_a_row_is_no_first_move() -> None:
    """Star2 looks at one move of each outcome's mover; where a coin follows the die there is none to look at."""
    spec = f"{CHAIN}(moves=4, margin=3)"
    game, e = load(spec), engine(spec)
    for lead in (-2, 1, 3):
        s = game.start()._replace(lead=lead)
        assert search_with(e, {"pvs"}, s, 3) == pytest.approx(by_hand(game, s, 3))
        assert search_with(e, {"pvs", "order", "table"}, s, 4) == pytest.approx(by_hand(game, s, 4))


def test_pig_far_behind_is_not_even() -> None:
    game = load(PIG)
    s = game.parse_state("mine=0 theirs=29 pot=2 rolling=0 side=0")
    assert engine(PIG).analyse(s, Limit(depth=1)).score == pytest.approx(-0.9)
    assert engine(PIG).analyse(s, Limit(depth=4)).score == pytest.approx(by_hand(game, s, 4))


def test_a_die_is_rolled_again_where_that_is_worth_more() -> None:
    s = load(DIE).parse_state("die=4 left=2 kept=0")
    found = Engine(DIE, memory=1).analyse(s, Limit(depth=4), lines=0)
    assert found.moves == [(1, pytest.approx(4.25)), (0, 4.0)]
    textbook = search("expectimax", load(DIE), s, depth=4)
    assert (textbook.value, textbook.move) == (pytest.approx(4.25), 1)


@pytest.mark.parametrize("spec", [PIG, f"{PIG}(margin=1)", CHAIN, f"{CHAIN}(margin=3)", NO_TURN, DIE])
def test_the_stars_need_no_margin(spec: str) -> None:
    """An unknown range leaves nothing to cut but at a chance node's last outcome; the value is the same."""
    game = load(spec)
    for seed in range(4):
        s = next(s for n in range(99) for s in [walk(game, 2 + n, random.Random(seed + n))[-1]] if game.legal(s))
        value = pytest.approx(by_hand(game, s, 3), abs=1e-9)
        for name in ("expectiminimax", "star1", "star2"):
            assert search(name, game, s, depth=3).value == value


# -- a MARGIN that is too small ------------------------------------------------------------------------------------------------


def test_a_result_beyond_margin_is_refused_by_engine_and_textbook() -> None:
    spec = f"{DIE}(margin=3)"
    s = load(spec).parse_state("die=4 left=1 kept=0")
    words = r"one_die\.py:.*`result` gives [456], larger than MARGIN = 3; .*leave it out"
    with pytest.raises(PlygroundError, match=words):
        Engine(spec, memory=1).analyse(s, Limit(depth=2))
    with pytest.raises(PlygroundError, match=words):
        search("expectimax", load(spec), s, depth=2)


def test_a_result_beyond_margin_is_told_with_several_threads_and_a_clock() -> None:
    spec = f"{DIE}(margin=3)"
    s = load(spec).parse_state("die=4 left=1 kept=0")
    with pytest.raises(PlygroundError, match="larger than MARGIN"):
        Engine(spec, memory=1, threads=2).choose(s, Limit(time=FOREVER))


def test_results_that_are_no_plain_wins_are_told_as_they_are() -> None:
    kept = Match(load(DIE), "die=4 left=1 kept=0", "0")
    assert kept.describe_end() == "the game is over: 4"
    assert Match(load(NO_TURN), "lead=5 left=1 die=2", "0").describe_end() == "first wins by 7"


def test_the_order_of_the_moves_never_changes_an_expected_result() -> None:
    """In a window without width, "at least -3" was taken for "at most -3", and a better move was passed over."""
    spec = f"{CHAIN}(margin=3)"
    game = load(spec)
    for seed in range(20):
        s = next(s for more in range(99) for s in [walk(game, 6 + more, random.Random(seed + more))[-1]] if game.legal(s))
        value = pytest.approx(by_hand(game, s, 2), abs=1e-9)
        for _ in range(4):  # the engine draws another order each time
            assert search_with(engine(spec), {"pvs"}, s, 2) == value
