"""Games of chance: averages, Star1 and Star2, and max^n for three sides."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import EXAMPLES, ROOT
from plyground import load
from plyground.bits import mix
from plyground.rules.game import Game
from plyground.textbook import Counter, Recorder, Tree, search
from plyground.textbook.alphabeta import star1, star2
from plyground.textbook.minimax import expectiminimax
from plyground.textbook.trace import Cutoff
from positions import reachable, walk, with_evaluate

DICE = [f"{ROOT}/tests/data/textbook/dice.py", f"{ROOT}/tests/data/textbook/dice.py(after=1)"]


def hashing(game: Game) -> Game:
    """An evaluation between the worst and the best result, with many ties, that no search can guess."""
    size = game.margin or 1
    low = -size if len(game.sides) > 1 else 0
    return with_evaluate(game, lambda s: low + (size - low) * (mix(game.key(s)) % 5) / 4)


def by_hand(game: Game, s: Any, depth: int) -> float:
    """The expected result for the side to move, in as few words as can be."""
    if (result := game.result(s)) is not None:
        return result
    if depth == 0:
        return game.evaluate(s)
    weighted = game.outcomes(s)
    children = [game.play(s, m) for m in ([m for m, _ in weighted] or game.moves(s))]
    left = depth if weighted else depth - 1  # chance takes no depth
    values = [by_hand(game, c, left) * (1 if game.turn(c) == game.turn(s) else -1) for c in children]
    return sum(p * v for (_, p), v in zip(weighted, values, strict=True)) if weighted else max(values)


@pytest.mark.parametrize("spec", DICE)
@settings(max_examples=20, deadline=None)
@given(plies=st.integers(0, 8), seed=st.integers(0, 10**6), depth=st.integers(1, 3))
def test_everybody_finds_the_expected_result(spec: str, plies: int, seed: int, depth: int) -> None:
    game = hashing(load(spec))
    rng = random.Random(seed)
    s = game.start()
    for _ in range(plies):
        options = [m for m, _ in game.outcomes(s)] or game.legal(s)
        s = game.play(s, rng.choice(options)) if options else s
    value = by_hand(game, s, depth)
    for name in ("expectiminimax", "star1", "star2"):
        for order in ("none", "values"):
            assert search(name, game, s, depth=depth, order=order).value == pytest.approx(value), name


@pytest.mark.parametrize("spec", DICE)
@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6), alpha=st.floats(-2.5, 2.5), width=st.floats(0.01, 1), depth=st.integers(1, 3))
def test_star1_and_star2_keep_the_contract_of_windows(spec: str, seed: int, alpha: float, width: float, depth: int) -> None:
    game = hashing(load(spec))
    s = walk(game, 4, random.Random(seed))[-1]
    v = expectiminimax(Tree(game), s, depth)
    for star in (star1, star2):
        r = star(Tree(game), s, depth, alpha, alpha + width)
        if r <= alpha:
            assert v <= r + 1e-9, star
        elif r >= alpha + width:
            assert v >= r - 1e-9, star
        else:
            assert v == pytest.approx(r), star


def nodes(game: Game, s: Any, depth: int) -> dict[str, int]:
    found = {}
    for name in ("expectiminimax", "star1", "star2"):
        trace = Counter()
        search(name, game, s, trace, depth=depth, order="values")
        found[name] = trace.nodes
        assert (trace.cutoffs > 0) == (name != "expectiminimax")
    return found


@pytest.mark.parametrize(("spec", "star1", "star2"), [(DICE[0], 232, 438), (DICE[1], 350, 1066)])
def test_star1_leaves_out_what_cannot_matter(spec: str, star1: int, star2: int) -> None:
    game = hashing(load(spec))
    s = game.play(game.play(game.play(game.start(), 2), 0), 1)
    assert nodes(game, s, 4) == {"expectiminimax": 468, "star1": star1, "star2": star2}, (
        "with few replies to probe, Star2 costs more"
    )


def test_star2_leaves_out_more_where_there_are_many_replies() -> None:
    game = load("backgammon")
    even = with_evaluate(game, lambda s: (mix(game.key(s)) % 601 - 300) / 100)
    count = nodes(even, few_moves(game, 20, 4), 2)
    assert count["star2"] < count["star1"] < count["expectiminimax"]


def test_why_an_average_is_cut_is_told_in_words() -> None:
    game = load(DICE[0])
    s = game.play(game.play(game.play(game.start(), 2), 0), 1)
    told = set()
    for name in ("star1", "star2"):
        trace = Recorder()
        search(name, game, s, trace, depth=4)
        for e in trace.events:
            if isinstance(e, Cutoff) and (
                words := re.fullmatch(r"the average here is at (\w+) (\S+), (\w+) has (\S+) elsewhere", e.reason)
            ):
                bound, limit = float(words[2]), float(words[4])
                told.add((words[1], words[3]))
                assert bound >= limit if words[1] == "least" else bound <= limit
    assert told == {("least", "min"), ("most", "max")}


def few_moves(game: Game, plies: int, most: int) -> Any:
    """A state of a random game in which there is not much to search."""
    states = (walk(game, plies, random.Random(seed))[-1] for seed in range(99))
    return next(s for s in states if 2 <= len(game.legal(s)) <= most)


@pytest.mark.parametrize(("name", "plies"), [("backgammon", 20), ("2048", 40)])
def test_the_shipped_games_of_chance(name: str, plies: int) -> None:
    game = hashing(load(name))
    s = few_moves(game, plies, 4)
    values = [search(star, game, s, depth=2).value for star in ("expectiminimax", "star1", "star2")]
    assert values == pytest.approx([by_hand(game, s, 2)] * 3)


def test_a_player_alone_against_chance() -> None:
    game = hashing(load("2048"))
    for seed in range(3):
        s = walk(game, 6, random.Random(seed))[-1]
        alone, trace = search("expectimax", game, s, depth=2), Recorder()
        assert alone.value == pytest.approx(search("expectiminimax", game, s, trace, depth=2).value)
        assert alone.move in game.legal(s)
        assert len(alone.line) == 1, "nobody knows which outcome chance will bring"


def test_values_stay_within_what_the_game_can_bring() -> None:
    game = with_evaluate(load(DICE[0]), lambda s: 77.0)
    for name in ("expectiminimax", "star1", "star2"):
        assert -2 <= search(name, game, game.start(), depth=2).value <= 2


# -- three sides ---------------------------------------------------------------------------------------------------------------


def test_maxn_takes_what_is_best_for_whoever_moves() -> None:
    game = load(str(EXAMPLES / "three_heaps.py"))

    def value(s: Any) -> tuple[float, ...]:
        if (result := game.result(s)) is not None:
            return result
        return max((value(game.play(s, m)) for m in game.moves(s)), key=lambda v: v[s.side])

    for s in reachable(game):
        found = search("maxn", game, s, depth="all")
        assert found.value == value(s)
        for m in found.line:
            s = game.play(s, m)
        assert game.result(s) == found.value, "the best line ends with the value"


def test_maxn_at_its_depth_asks_the_game_or_knows_nothing() -> None:
    game = load(str(EXAMPLES / "three_heaps.py"))
    assert search("maxn", game, game.start(), depth=1).value == (0, 0, 0)
    told = with_evaluate(game, lambda s: (sum(s.heaps), 0, -sum(s.heaps)))
    assert search("maxn", told, told.start(), depth=1).value == (5, 0, -5)
    trace = Recorder()
    search("maxn", game, game.start(), trace, depth=2)
    kinds = {e.kind for e in trace.events if type(e).__name__ == "Enter"}  # type: ignore[union-attr]
    assert kinds == {"red", "green", "blue"}
