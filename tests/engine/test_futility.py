"""Reverse futility pruning: margins that a game measures in its own searches, and what they may change."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from plyground import Engine, Game, Limit, load
from plyground.engine import futility
from plyground.engine.futility import FUTILITY, futility_margins, logistic_fit, margins_from, measure, prunes
from plyground.engine.searcher import NO_MARGINS, FutilityMargins
from plyground.kernels.search.search_memory import BINS, FUTILITY_DEPTHS
from plyground.nets.net_evaluation import choose_evaluation
from plyground.rules.hooks import State
from plyground.rules.load import builtin_games

TAKE_AWAY = '''
"""A pile with a hint who is ahead."""
from typing import NamedTuple

class State(NamedTuple):
    pile: int = 40

def start() -> State:
    return State()

def moves(s: State):
    for n in range(1, 4):
        if n <= s.pile:
            yield n

def play(s: State, m: int) -> State:
    return State(s.pile - m)

def result(s: State):
    return -1 if s.pile == 0 else None

def evaluate(s: State) -> int:
    return (s.pile * 7919) % 101 - 50
'''


@pytest.fixture
def pile(tmp_path: Path) -> Game:
    file = tmp_path / "pile.py"
    file.write_text(TAKE_AWAY)
    return load(file)


def counts(margins: dict[int, float], spread: float, width: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Return the counts of nodes that fail high with an even chance at `middle` above beta, for each depth."""
    found = np.zeros((FUTILITY_DEPTHS, BINS, 2), np.int64)
    x = (np.arange(BINS) - BINS // 2 + 0.5) * width
    for depth, middle in margins.items():
        found[depth, :, 0] = 1000
        found[depth, :, 1] = np.round(1000 / (1 + np.exp(-(x - middle) / spread)))
    return found


def test_a_margin_is_where_three_nodes_in_a_hundred_are_exceptions() -> None:
    above, below = margins_from(counts({1: 0, 2: 10}, spread=10, width=5), 5)
    clear = 10 * np.log(97 / 3)
    assert (above[0], below[0]) == (0, 0)
    assert (above[1], below[1]) == pytest.approx((clear, clear), abs=1)
    assert (above[2], below[2]) == pytest.approx((clear + 10, clear - 10), abs=1)


def test_nothing_is_pruned_at_depths_without_observations() -> None:
    for margins in margins_from(counts({1: 20, 2: 40, 4: 40}, spread=10, width=5), 5):
        assert margins[2] > 0
        assert not any(margins[3:])


def test_margins_of_like_depths_never_fall() -> None:
    above, _ = margins_from(counts({1: 50, 2: 0, 3: 10, 4: 30}, spread=10, width=5), 5)
    assert above[3] == above[1] > above[2]
    assert above[4] > above[2]


def test_nothing_is_pruned_where_the_evaluation_says_nothing() -> None:
    found = counts({1: 0}, spread=10, width=5)
    found[2] = found[1]
    found[2, :, 1] = found[2, :, 0] // 2  # without regard to the distance
    assert [sum(margin > 0 for margin in margins) for margins in margins_from(found, 5)] == [1, 1]
    assert margins_from(np.zeros_like(found), 5) == NO_MARGINS


def test_the_fit_finds_the_curve_of_its_counts() -> None:
    x = np.linspace(-300, 300, 61)
    seen = np.full(61, 1e6)
    assert logistic_fit(x, seen, seen / (1 + np.exp(-(x + 25) / 40))) == pytest.approx((25, 40), abs=0.1)


def test_games_that_come_with_plyground_have_their_margins() -> None:
    names = set()
    for name in builtin_games():
        for evaluate in (None, "rules"):
            game, net = choose_evaluation(load(name), evaluate)
            if prunes(game, net):
                names.add(futility._name(game, net))
                assert futility_margins(game, net) == futility._shipped()[futility._name(game, net)]
    assert set(json.loads(futility.SHIPPED.read_text())) == names


@pytest.mark.parametrize("spec", ["2048", "backgammon"])
def test_games_with_dice_prune_nothing(spec: str) -> None:
    game, net = choose_evaluation(load(spec), None)
    assert futility_margins(game, net) == NO_MARGINS


def test_another_evaluation_has_margins_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def evaluate(s):\n    return 3\n")
    game, net = choose_evaluation(load("connect4"), file)
    assert futility_margins(game, net) != futility_margins(load("connect4"), None)


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Game:
    """A game whose margins don't come with Plyground, and whose cache is empty."""
    monkeypatch.setattr(futility, "cache_folder", lambda *_: tmp_path)
    return load("connect4(rows=5, cols=4)")


def test_the_same_rules_measure_the_same(measured: Game) -> None:
    first = measure(measured, None, 20, 3000)
    assert any(first[0].above)
    assert measure(measured, None, 20, 3000) == first


def test_margins_are_measured_once(measured: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    first = futility_margins(measured, None)
    assert any(first.above)
    assert any(first.below)
    monkeypatch.setattr(futility, "measure", lambda *_: pytest.fail("measured again"))
    assert futility_margins(measured, None) == first
    engine = Engine(measured, evaluate="rules")
    engine.prepare()
    assert engine.searcher.margins == first


def test_a_damaged_file_is_measured_again(measured: Game, tmp_path: Path) -> None:
    first = futility_margins(measured, None)
    (file,) = tmp_path.iterdir()
    good = file.read_bytes()
    for at in range(0, len(good), 7):
        file.write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :])
        assert futility_margins(measured, None) == first
        assert file.read_bytes() == good


def test_slow_rules_do_not_keep_one_waiting(pile: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    legal = pile.legal
    clock = [0.0]

    def slow(s: State) -> list[int]:
        clock[0] += 1.0
        return legal(s)

    monkeypatch.setattr(futility, "time", type("Clock", (), {"monotonic": staticmethod(lambda: clock[0])}))
    monkeypatch.setattr(pile, "legal", slow)
    _, complete = measure(pile, None)
    assert not complete
    assert clock[0] < 20


def test_an_exact_search_prunes_nothing(pile: Game) -> None:
    engine = Engine(pile, exact=True)
    engine.prepare()
    assert not engine.searcher.options & FUTILITY
    assert engine.searcher.margins == NO_MARGINS


def test_what_is_pruned_is_an_estimate(pile: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """With margins of 1 nearly everything is pruned; what is called proven must be true all the same."""
    narrow = (0, *(1,) * (FUTILITY_DEPTHS - 1))
    monkeypatch.setattr("plyground.engine.engine.futility_margins", lambda *_: FutilityMargins(narrow, narrow))
    engine = Engine(pile, perfect=False, seed=1)
    proven = 0
    for pile_size in range(1, 30):
        engine.forget()
        found = engine.analyse(pile.State(pile_size), Limit(depth=12))
        if found.exact:
            proven += 1
            assert found.value == ("loss" if pile_size % 4 == 0 else "win")
    assert proven > 5
