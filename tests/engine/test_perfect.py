"""Full strength is perfect where a book or the solver has the answer in time; and it says so."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from plyground import GameError, load
from plyground.compile.progress import Compiling
from plyground.engine.engine import Engine
from plyground.engine.perfect import SHARE, UNLIMITED_SECONDS
from plyground.engine.searcher import EngineRequest
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis
from plyground.players.spec import make_player
from plyground.rules.game import Game
from plyground.solver.solver import Solver
from plyground.solver.solving import Solution
from plyground.system import runner
from plyground.system.runner import Runner
from positions import PILE
from running import FOREVER


def test_the_opening_of_connect4_is_looked_up() -> None:
    engine = Engine("connect4", memory=1, seed=0)
    found = engine.analyse(None, Limit(time=1e-9), lines=0)  # the book needs no time
    assert (found.source, found.score, found.plies, found.exact) == ("book", 9959, 41, True)
    assert found.move == 3
    assert sorted(found.moves) == [(0, -9960), (1, -9958), (2, 0), (3, 9959), (4, 0), (5, -9958), (6, -9960)]
    assert engine.choose(None, Limit(time=1e-9)) == 3
    assert len(found.reports) == 7


def test_equal_moves_of_the_book_are_all_played() -> None:
    s = Match(load("connect4"), None, "4").s
    engine = Engine("connect4", memory=1, seed=0)
    solver = Solver("connect4", memory=1)
    best = {m for m, v in solver.book_moves(s) if v == max(v for _, v in solver.book_moves(s))}
    assert {engine.choose(s, Limit(time=1e-9)) for _ in range(40)} == best


def test_what_can_be_solved_is_solved() -> None:
    for spec, value in (("tictactoe", "draw"), ("nim", "win"), ("kalah(pits=3, seeds=3)", "win")):
        found = Engine(spec, memory=4, seed=0).analyse(None, Limit(time=FOREVER))
        assert (found.value, found.exact, found.source) == (value, True, "solver")


def test_limits_of_depth_and_nodes_ask_for_a_search() -> None:
    engine = Engine("connect4", memory=1, seed=0)
    assert engine.analyse(None, Limit(depth=4)).source == "search"
    assert engine.analyse(None, Limit(nodes=4000, time=20)).source == "search"
    assert Engine("connect4", memory=1, perfect=False).analyse(None, Limit(time=0.05)).source == "search"


def test_lower_levels_do_not_look_anything_up() -> None:
    moves = {Engine("connect4", memory=1, level=1, seed=seed).choose(None, Limit(time=5)) for seed in range(30)}
    assert len(moves) > 1  # the book has just one


def test_a_solver_that_has_failed_is_left_alone_until_the_game_is_nearer_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from plyground.engine.perfect import ExactAnswers

    game = load("othello")
    perfect = ExactAnswers(game, 1, 1, random.Random(0))
    asked: list[object] = []
    unsolved = type("Unsolved", (), {"score": None, "move": None, "moves": [], "seconds": 0.0})()

    def solve(s: Any, *rest: object, **named: object) -> object:
        asked.append(s)
        return unsolved

    monkeypatch.setattr(perfect.solver, "solve", solve)
    match = Match(game)
    rng = random.Random(1)
    while match.result is None and (match.s.mine | match.s.theirs).bit_count() < 45:
        match.play(rng.choice(match.legal()))
    assert perfect.answer(match.s, Limit(time=1), 1) is None
    assert perfect.answer(match.s, Limit(time=1), 1) is None
    assert len(asked) == 1
    for _ in range(2):
        match.play(match.legal()[0])
        perfect.answer(match.s, Limit(time=1), 1)
    assert len(asked) == 2


def value_of(game: Game, solver: Solver, s: Any) -> int:
    """1, 0 or -1 for the side to move."""
    return {"win": 1, "draw": 0, "loss": -1}[solver.solve(s, line=False).value]


@pytest.mark.long
@pytest.mark.parametrize("engine_side", [0, 1])
def test_no_half_point_is_lost_against_a_perfect_defender(engine_side: int) -> None:
    """Connect 4 as it is played at level 10: the engine gets at least what its opening is worth."""
    game = load("connect4")
    solver = Solver(game, memory=512)
    rng = random.Random(engine_side)
    for number in range(10):
        player = make_player("engine:level=10,time=3", game, seed=number)
        match = Match(game)
        for _ in range(0 if number < 3 else rng.randrange(1, 9)):
            match.play(rng.choice(match.legal()))
        worth = value_of(game, solver, match.s) * (1 if match.turn == engine_side else -1)
        while match.result is None:
            if match.turn == engine_side:
                found = player.choose(match.position)
                match.play(found)
            else:
                best = solver.solve(match.s).move
                assert best is not None
                match.play(best)
        points = 0 if match.winner is None else 1 if match.winner == engine_side else -1
        assert points >= worth, match.move_texts()


def test_without_a_limit_the_solver_may_take_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for a clock, so an exact answer may take some seconds; the search after it still has its own time."""
    asked, now, given = list[float | None](), [100.0], list[float]()
    engine = Engine("connect4(rows=4, cols=5)", memory=1, seed=0)
    engine.prepare()
    perfect = engine._exact_answers()
    assert perfect is not None

    def solve(s: Any, limit: Limit, **rest: Any) -> Solution:
        asked.append(limit.time)
        now[0] += 30
        return Solution(-1, 1)

    def search(request: EngineRequest, clock: Runner) -> Analysis:
        given.append(clock.left)
        return Analysis(0, 0, 0)

    monkeypatch.setattr(perfect.solver, "solve", solve)
    monkeypatch.setattr(perfect, "_worth_trying", lambda s, seconds: True)
    monkeypatch.setattr(engine.searcher, "search", search)
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    assert engine.analyse().source == "search"
    engine.analyse(limit=Limit(time=40))
    assert asked == [SHARE * UNLIMITED_SECONDS, SHARE * 40]
    assert given == [1, 10]


UNSOLVABLE = f"""{PILE}

def remaining(s):
    return eval("5")
"""


def test_rules_that_do_not_compile_for_the_solver_are_compiled_for_it_once(rules_file: Any) -> None:
    """No move, and no second engine, waits for the compiler again; whoever asks the solver itself gets the error each time."""
    game = load(rules_file(UNSOLVABLE))
    heard: list[Compiling] = []
    Engine(game).prepare(heard.append)
    assert heard[-1].functions
    heard.clear()
    engine = Engine(game)
    engine.prepare(heard.append)
    assert not heard[-1].functions
    assert engine.choose(limit=Limit(time=FOREVER)) == 2
    for _ in range(2):
        with pytest.raises(GameError, match="eval"):
            Solver(game).prepare()
