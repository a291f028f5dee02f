"""What the engine calls proven is proven: moves of a search that was stopped, values, distances, margins, counted draws."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from here import DATA
from plyground import load
from plyground.bits import i64, u64
from plyground.compile.blocks import Block, Word
from plyground.engine import OPTIONS
from plyground.engine.engine import Engine
from plyground.engine.searcher import Kernels, bind_kernels
from plyground.kernels.search import root_search
from plyground.kernels.search.plan import ITERATE
from plyground.kernels.search.root_memory import Candidate
from plyground.kernels.search.search_memory import SearchMemory
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.solver.solver import Solver
from plyground.solver.tablebase import solve_tablebase
from plyground.system.runner import Runner

CORRIDOR = DATA / "counters" / "corridor.py"

# -- a search that is stopped ---------------------------------------------------------------------------------------------------


class Answer(Block):
    """What a root move must be asked, and its value."""

    move, alpha, beta, value = Word(), Word(), Word(), Word()


class Script(Block):
    """The answers of a search, which follow."""

    count, given, wrong = Word(), Word(), Word("the number of a question that was another than expected")


def scripted(row, m, depth, alpha, beta, memory):
    """The value of a root move by a script, which stands in the place of the state; after its end, the search is stopped."""
    script, mem = Script(row), SearchMemory(memory)
    if script.given == script.count:
        mem.aborted = 1
        return i64(0)
    told = Answer(script.end + u64(32 * script.given))
    script.given += 1
    if m != told.move or alpha != told.alpha or beta != told.beta:
        script.wrong = script.given
    mem.lengths[1] = 0
    return told.value


@pytest.fixture(scope="module")
def kernels() -> Kernels:
    """The kernels of a root search in which moves are searched by a script."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root_search, "search_move", scripted)
        return bind_kernels.__wrapped__(load("nim"), None)


@pytest.fixture
def stopped_root(kernels: Kernels) -> Callable[[list[tuple[int, int, int, int]]], tuple[float, int]]:
    """What a root with the moves 0, 1, 2 keeps of an iteration of depth 5 in which searches give these answers, then stop.

    Each answer is (move, alpha, beta, value) and is checked against what was asked. The last finished iteration was +100 for 0.
    """

    def kept(answers: list[tuple[int, int, int, int]]) -> tuple[float, int]:
        engine, script = Engine("nim", memory=1, seed=0), Script(4 * len(answers))
        engine.searcher.kernels = kernels
        script.count = len(answers)
        script.extra_words.view(np.int64)[:] = np.array(answers).ravel()
        thread = engine.searcher.prepare_threads(script.words, [0, 1, 2], Runner())[0]
        thread.root.depth, thread.root.guess = 4, 100
        Candidate.from_words(thread.root.extra_words).known.score = 100
        assert not thread.ask(ITERATE, 5)
        assert (script.given, script.wrong) == (len(answers), 0)
        return thread.first()[:2]

    return kept


def test_upper_bounds_are_no_reason_to_play_a_move(stopped_root: Any) -> None:
    """All moves so far failed low: the highest upper bound says nothing about which is best."""
    assert stopped_root([(0, 70, 130, 40), (1, 70, 71, 60)]) == (100, 0)


def test_upper_bounds_are_forgotten_in_the_next_window_too(stopped_root: Any) -> None:
    assert stopped_root([(0, 70, 130, 40), (1, 70, 71, 60), (2, 70, 71, 50), (0, -50, 130, -60), (1, -50, -49, -55)]) == (100, 0)


def test_a_move_that_is_proven_better_is_played(stopped_root: Any) -> None:
    assert stopped_root([(0, 70, 130, 90), (1, 90, 91, 95), (1, 90, 130, 110)]) == (110, 1)


def test_a_move_that_failed_high_is_played_even_if_its_score_is_not_known(stopped_root: Any) -> None:
    assert stopped_root([(0, 70, 130, 90), (1, 90, 91, 95), (1, 90, 130, 150)]) == (150, 1)


def test_draughts_keeps_the_last_proven_move() -> None:
    game = load("draughts")
    s = game.parse_state("B:W26,27,30,32,33,35,37,38,40,41,43,44,46,48,49,50:B1,2,3,4,5,6,11,14,15,16,17,19,20,21,24,29")
    for nodes in range(1000, 24_000, 1000):
        e = Engine(game, memory=1, seed=1, evaluate="rules")
        assert game.format_move(s, e.analyse(s, Limit(nodes=nodes)).move or 0) == "20-25"


# -- values, distances and margins ----------------------------------------------------------------------------------------------


def positions(game: Game, left: Callable[[Any], bool], count: int, seed: int) -> list[Any]:
    """Random states with moves to make for which `left` holds."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        match = Match(game)
        while match.result is None:
            if left(match.s) and game.legal(match.s):
                found.append(match.s)
                break
            match.play(rng.choice(match.legal()))
    return found


SOLVABLE: dict[str, Callable[[Any], bool]] = {
    "connect4": lambda s: s.both.bit_count() >= 26,
    "connect4(rows=4, cols=5)": lambda s: s.both.bit_count() >= 8,
    "tictactoe": lambda s: True,
    "tictactoe(rows=4, cols=4, k=4)": lambda s: s.both.bit_count() >= 7,
    "nim": lambda s: True,
    "nim(misere=1)": lambda s: True,
    "kalah(pits=3, seeds=3)": lambda s: True,
    "kalah(pits=6, seeds=4)": lambda s: sum(int(side).to_bytes(8, "little")[i] for side in s[:2] for i in range(6)) < 12,
    "othello": lambda s: (s.mine | s.theirs).bit_count() >= 54,
}


def hold_to_the_solver(spec: str, count: int, seed: int, nodes: tuple[int, ...]) -> int:
    """Holds all that an engine calls proven, with more and more nodes on one table, to the solver; how many answers that were."""
    game = load(spec)
    engine, solver = Engine(game, memory=4, seed=seed), Solver(game, memory=16)
    proven = 0
    for s in positions(game, SOLVABLE[spec], count, seed):
        truth = solver.solve(s, all_moves=True)
        assert truth.score is not None
        scores = dict(truth.moves)
        for n in nodes:
            found = engine.analyse(s, Limit(nodes=n))
            if found.value == "unknown":
                continue
            proven += 1
            assert found.value == truth.value, game.format_state(s)
            assert found.move is not None
            if found.exact:
                assert found.score == truth.score == scores[found.move], game.format_state(s)
            else:  # a win in at most that many plies, or by at least that margin
                assert abs(found.score) <= abs(truth.score), game.format_state(s)
            chosen = engine.choose(s, Limit(nodes=n))
            assert engine.last is not None
            if engine.last.value != "unknown" and engine.last.exact:
                assert scores[chosen] == truth.score, game.format_state(s)
    return proven


@pytest.mark.parametrize("spec", ["connect4", "tictactoe", "kalah(pits=3, seeds=3)"])
def test_proven_is_what_the_solver_says(spec: str) -> None:
    assert hold_to_the_solver(spec, 8, 7, (300, 3000, 30_000)) >= 6


@pytest.mark.long
@pytest.mark.parametrize("spec", SOLVABLE)
def test_proven_is_what_the_solver_says_of_many(spec: str) -> None:
    assert hold_to_the_solver(spec, 200, 11, (300, 3000, 30_000, 300_000)) > 200


def test_a_distance_that_is_only_a_bound_is_not_called_exact() -> None:
    """Checkers, two kings against one: the search finds the loss, but not the shortest way to it."""
    game = load("checkers")
    s = game.parse_state("B:WK9,K13:B8")
    options = sorted(OPTIONS.keys() - {"hash", "proofs", "futility"})  # without futility pruning it takes fewer nodes
    found = Engine(game, memory=16, seed=0, options=options, evaluate="rules").analyse(s, Limit(nodes=4_000_000))
    assert found.value == "loss"
    assert found.plies is not None
    assert found.plies == 22 if found.exact else found.plies >= 22  # the table of the ending says 22


@pytest.mark.parametrize(
    ("spec", "ending"), [pytest.param(*one, marks=pytest.mark.long) for one in (("chess", "KRK"), ("checkers", "3"))]
)
def test_proven_is_what_the_table_of_an_ending_says(spec: str, ending: str, tmp_path: Any) -> None:
    game = load(spec)
    table = solve_tablebase(game, tmp_path / "ending.ply", ending=ending)
    engine = Engine(game, memory=4, seed=0)
    rng = random.Random(3)
    states = [s for s in game.rules["positions"](game.rules["ending"](ending)) if game.legal(s) and table.score(s) is not None]
    proven = 0
    for s in rng.sample(states, 60):
        truth = table.score(s)
        assert truth is not None
        for nodes in (2000, 40_000):
            found = engine.analyse(s, Limit(nodes=nodes))
            if found.value in ("win", "loss"):
                proven += 1
                assert (found.score > 0) == (truth > 0)
                assert found.score == truth if found.exact else abs(found.score) <= abs(truth)
            elif found.value == "draw":
                assert truth == 0
    assert proven > 8


def test_a_table_leaves_to_the_search_what_a_counter_may_end(tmp_path: Any) -> None:
    game = load("chess")
    table = solve_tablebase(game, tmp_path / "krk.ply", ending="KRK")
    early, late = (game.parse_state(f"8/8/8/8/8/2k5/1R6/K7 w - - {clock} 1") for clock in (0, 80))
    assert table.analysis(early) is not None
    assert table.analysis(late) is None


def test_a_short_mate_is_shown_to_be_the_shortest() -> None:
    game = load("chess")
    s = game.parse_state("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")  # 1. Ra6, mate with the second move
    found = Engine(game, memory=4, seed=0, evaluate="rules").analyse(s, Limit(depth=7))
    assert (found.value, found.plies, found.exact) == ("win", 3, True)


def test_othello_plays_only_moves_that_are_proven_equal() -> None:
    """Of the moves here c1 loses by 8, b2 by 28: an estimate better than -10008 made them seem equal."""
    game = load("othello")
    s = game.parse_state("-X-OOX-OX-XOOOO--XOXXOXXOOXXOXXXOXXOOXOXOOOXXOOXOOOOOOXX-OOOO--O O")
    for seed in range(6):
        e = Engine(game, memory=4, seed=seed, perfect=False)
        for nodes in (20_000, 60_000):
            m = e.choose(s, Limit(nodes=nodes))
            assert e.last is not None
            if e.last.value != "unknown":
                assert game.format_move(s, m) == "c1"


# -- rules that count plies -----------------------------------------------------------------------------------------------------


def test_a_win_that_comes_too_late_for_fifty_moves_is_none() -> None:
    game = load("chess")
    engine = Engine(game, memory=4, seed=0, evaluate="rules")
    for clock, value in ((0, "win"), (98, "draw"), (96, "win"), (99, "draw"), (0, "win")):
        s = game.parse_state(f"8/8/8/8/8/2K5/7R/k7 w - - {clock} 1")
        found = engine.analyse(s, Limit(depth=8))
        fresh = Engine(game, memory=4, seed=0, evaluate="rules").analyse(s, Limit(depth=8))
        assert found.value == fresh.value == value
        assert found.score == fresh.score


@pytest.mark.parametrize(
    ("spec", "text", "limit"),
    [
        ("chess", "8/8/8/4k3/8/8/3QK3/8 w - - {} 1", 100),
        ("chess", "8/8/8/4k3/8/8/3RK3/7R b - - {} 1", 100),
        ("checkers", "W:WK10,K14,K18:BK1:H{}", 80),
        ("draughts", "W:WK28,K33,K39:BK5:H{}", 32),
    ],
)
def test_no_table_of_earlier_searches_hides_a_counter(spec: str, text: str, limit: int) -> None:
    """Whatever is called proven on a table full of other counts is what an empty table with exact techniques says."""
    game = load(spec)
    engine = Engine(game, memory=4, seed=0, evaluate="rules")
    for left in (60, 1, 9, 3, 30, 2, 6, 4, 15, 1, 5):
        if left > limit:
            continue
        s = game.parse_state(text.format(limit - left))
        found = engine.analyse(s, Limit(depth=9))
        if found.plies is not None and found.plies <= 6:
            exact = Engine(game, memory=4, seed=0, exact=True).analyse(s, Limit(depth=6))
            assert exact.value == found.value
        elif found.value == "draw" and left <= 6:
            assert Engine(game, memory=4, seed=0, exact=True).analyse(s, Limit(depth=6)).score == 0


def test_a_users_own_counter_is_kept_in_mind() -> None:
    game = load(CORRIDOR)
    engine = Engine(game, memory=1, seed=0)
    solver = Solver(game)
    for plies in (0, 6, 2, 4, 1, 3, 8, 5, 0):
        s = game.State(plies // 4, plies // 4, plies)
        found = engine.analyse(s, Limit(depth=14))
        truth = solver.solve(s)
        assert (found.value, found.score) == (truth.value, truth.score)


# -- repetition -----------------------------------------------------------------------------------------------------------------


def test_coming_back_to_a_position_once_is_no_proven_draw() -> None:
    """Black must go back to where it stood; that White, who can mate there, did not do so before proves nothing."""
    game = load("chess")
    match = Match(game, "6k1/R7/8/8/8/8/8/K4R2 w - - 0 1", "Rb7 Kh8 Ra7")
    assert len(match.legal()) == 1
    found = Engine(game, memory=4, seed=0, evaluate="rules").analyse(match.s, Limit(depth=6), history=match.states[:-1])
    assert found.value == "unknown"


def test_the_last_repetition_is_a_proven_draw() -> None:
    game = load("chess")
    match = Match(game, "7k/8/8/8/8/8/8/KQ6 b - - 0 1", "Kg8 Qb2 Kh7 Qb1+ Kg8 Qb2 Kh7 Qb1+")
    found = Engine(game, memory=4, seed=0, evaluate="rules").analyse(match.s, Limit(depth=8), history=match.states[:-1])
    assert game.format_move(match.s, found.move or 0) == "Kg8"  # a draw: it stands there for the third time after it
    assert found.score == 0
