"""Full strength is perfect where a book or the solver has the answer in time; and it says so."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

import pytest

from plyground import GameError, load
from plyground.compile.progress import Compiling
from plyground.engine.engine import Engine
from plyground.engine.perfect import LONGEST_HEAD, PILOT, SHARE, UNLIMITED_SECONDS, ExactAnswers
from plyground.engine.searcher import EngineRequest
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis, Report
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


def late_state(empty: int, seed: int = 1) -> Any:
    """A state of a random game of Othello with at most this many empty squares."""
    match, rng = Match(load("othello")), random.Random(seed)
    while 64 - (match.s.mine | match.s.theirs).bit_count() > empty:
        match.play(rng.choice(match.legal()))
    return match


def unsolved(s: Any, limit: Limit, **rest: Any) -> Solution:
    return Solution(9936 - 20_000, 10_064, seconds=limit.time or 0.0)


def test_a_solver_that_has_failed_is_left_alone_until_the_game_is_nearer_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    perfect = ExactAnswers(load("othello"), 1, 1, random.Random(0))
    asked: list[float | None] = []

    def solve(s: Any, limit: Limit, **rest: Any) -> Solution:
        asked.append(limit.time)
        return unsolved(s, limit)

    monkeypatch.setattr(perfect.solver, "solve", solve)
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: 100.0))
    match = late_state(19)
    first = Analysis(match.legal()[0], 0)
    perfect.solve(match.s, first, 1, 1, Runner())
    assert asked == [PILOT], "nothing is known yet"
    for _ in range(3):
        perfect.solve(match.s, first, 1, 1, Runner())
    assert len(asked) == 2
    assert not perfect.worth_trying(match.s, 0.5)
    for _ in range(2):
        match.play(match.legal()[0])
    assert perfect.worth_trying(match.s, 0.5)
    perfect.solve(match.s, Analysis(match.legal()[0], 0), 1, 1, Runner())
    assert len(asked) == 3


@pytest.mark.parametrize("fails", [True, False])
def test_states_on_the_line_come_first_and_tell_what_to_expect(monkeypatch: pytest.MonkeyPatch, fails: bool) -> None:
    """The state itself is tried if those nearer to the end were quick, and not if they were slow."""
    game = load("othello")
    perfect = ExactAnswers(game, 1, 1, random.Random(0))
    match = late_state(20)
    s, line = match.s, list[int]()
    for _ in range(6):
        line.append(match.legal()[0])
        match.play(line[-1])
    asked: list[tuple[Any, float | None]] = []

    def solve(s: Any, limit: Limit, **rest: Any) -> Solution:
        asked.append((s, limit.time))
        return unsolved(s, limit) if fails else Solution(10_002, 10_002, move=1, seconds=1e-5)

    monkeypatch.setattr(perfect.solver, "solve", solve)
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: 100.0))
    found = perfect.solve(s, Analysis(line[0], 0, line=tuple(line)), 1, 1, Runner())
    assert asked[0] == (match.s, PILOT)
    if fails:
        assert (found, len(asked)) == (None, 1)
    else:
        assert found is not None
        assert [at for at, _ in asked[-1:]] == [s]
        assert len(asked) == 4
        assert asked[-1][1] == pytest.approx(SHARE)


@pytest.mark.parametrize("spec", ["othello", "connect4(rows=5, cols=6)", "no remaining"])
def test_most_of_the_time_is_for_the_search_whatever_the_solver_does(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    """It takes all the time that it gets, and never succeeds; on some moves it is not even tried."""
    now, shares, untried = [100.0], list[float](), 0
    game = load("othello" if spec == "no remaining" else spec)
    engine = Engine(game, memory=1, seed=0)
    engine.prepare()
    perfect = engine._exact_answers()
    assert perfect is not None
    if spec == "no remaining":
        monkeypatch.setattr(game, "has", game.has - {"remaining"})
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    def solve(s: Any, limit: Limit, **rest: Any) -> Solution:
        now[0] += limit.time or 0.0
        return unsolved(s, limit)

    def search(request: EngineRequest, clock: Runner) -> Analysis:
        shares.append(clock.left)
        now[0] += clock.left
        line, s = list[int](), request.s
        while game.result(s) is None and len(line) < 6:
            line.append(game.legal(s)[0])
            s = game.play(s, line[-1])
        return Analysis(line[0], 0, line=tuple(line))

    monkeypatch.setattr(perfect.solver, "solve", solve)
    monkeypatch.setattr(engine.searcher, "search", search)
    match = late_state(24) if game.name == "othello" else Match(game)
    while match.result is None:
        shares.clear()
        began = now[0]
        found = engine.analyse(match.s, Limit(time=2))
        assert sum(shares) >= (1 - SHARE) * 2 - 1e-6
        assert now[0] - began <= 2 + 1e-6
        untried += len(shares) == 1
        assert found.move is not None
        match.play(found.move)
    assert untried


def proof(low: int, high: int, move: int | None) -> Solution:
    return Solution(low, high, move=move)


@pytest.mark.parametrize(
    ("estimate", "low", "high", "move", "answer"),
    [
        (700, 10_001, 10_064, 3, (3, 10_001)),  # a proven win counts more than an estimated one
        (700, 10_001, 10_064, 5, (5, 10_001)),
        (700, 10_001, 10_064, None, (5, 700)),
        (-300, 0, 10_064, 3, (3, 0)),
        (300, 0, 10_064, 3, (5, 300)),
        (300, -10_064, -10_002, None, (5, -10_002)),  # whatever it plays loses
        (300, -10_064, 0, None, (5, 0)),
        (10_008, 10_002, 10_064, 3, (5, 10_008)),
        (-10_008, -10_004, -10_002, 3, (3, -10_004)),
        (-200, -10_064, 10_064, None, (5, -200)),
    ],
)
def test_a_proof_without_a_margin_decides_who_wins(
    estimate: int, low: int, high: int, move: int | None, answer: tuple[int, int]
) -> None:
    found = Analysis(5, estimate, depth=9, line=(5, 1), moves=[(5, estimate), (4, -9_999)])
    changed = ExactAnswers.combine(found, proof(low, high, move))
    assert (found.move, found.score) == answer
    assert changed == (answer != (5, estimate))
    assert not found.exact
    assert found.line[0] == found.move
    assert found.moves[0] == answer
    assert found.value == ("win" if answer[1] > 9_000 else "loss" if answer[1] < -9_000 else "unknown")


def test_the_proof_of_a_win_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver had no time to find by how much: the report says that the score is not exact."""
    engine = Engine("othello", memory=1, seed=0)
    engine.prepare()
    perfect = engine._exact_answers()
    assert perfect is not None
    match = late_state(18)
    m = match.legal()[-1]
    monkeypatch.setattr(perfect.solver, "solve", lambda *rest, **named: Solution(10_001, 10_064, move=m))
    monkeypatch.setattr(engine.searcher, "search", lambda *rest: Analysis(match.legal()[0], 500))
    told = list[Report]()
    found = engine.analyse(match.s, Limit(time=1), on_report=told.append)
    assert (found.move, found.score, found.value, found.exact, found.source) == (m, 10_001, "win", False, "solver")
    assert [(r.score, r.line, r.exact) for r in told] == [(10_001, (m,), False)]


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

    monkeypatch.setattr(perfect, "_measured", (99, 0.0))
    monkeypatch.setattr(perfect.solver, "solve", solve)
    monkeypatch.setattr(engine.searcher, "search", search)
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    assert engine.analyse().source == "search"
    engine.analyse(limit=Limit(time=40))
    assert asked == pytest.approx([SHARE * UNLIMITED_SECONDS, SHARE * 40])
    assert given == [LONGEST_HEAD, 1, LONGEST_HEAD, 10]


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
