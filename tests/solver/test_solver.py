"""The solver equals minimax: every small game, rules with and without hooks, tables so small that entries push each other out."""

from __future__ import annotations

import functools
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import score as scores
from plyground.errors import PlygroundError
from plyground.kernels.solve import null_window
from plyground.kernels.solve import solver_table as exact
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.rules.load import load
from plyground.solver.solver import Solver
from plyground.solver.solving import Expectation, SolverProgress, SolverSearch, winner_first
from plyground.system.machine import clock_ns
from plyground.textbook.minimax import negamax
from plyground.textbook.tree import Tree
from positions import states_from

WIN = scores.WIN

# -- rules of our own: what no shipped game has ----------------------------------------------------------------------------------

ENDS = (DATA / "rules" / "solver_ends.py").read_text(encoding="utf-8")

HEAPS = (DATA / "rules" / "solver_heaps.py").read_text(encoding="utf-8")

KNIGHT = (DATA / "rules" / "solver_knight.py").read_text(encoding="utf-8")

OWN = {"ends": ENDS, "heaps": HEAPS, "knight": KNIGHT}
SPECS = ["ends", "heaps", "tictactoe", "nim", "kalah(pits=3, seeds=3)", "connect4"]
MORE = [
    "knight",
    "connect4(rows=4, cols=4)",
    "kalah(pits=3, seeds=2)",
    "nim(misere=1)",
    "nim(heaps=9, size=2)",
    "tictactoe(rows=3, cols=4)",
    "tictactoe(rows=2, cols=7, k=4)",
    "tictactoe(rows=4, cols=8, k=5)",
    "kalah(pits=2, seeds=4, empty_capture=1)",
    "kalah(pits=7, seeds=18)",
    "othello",
]
FEW = 1_000
"""States below one that minimax shall solve."""
TINY = 0.001
"""Megabytes: a few lines of the table."""


@functools.cache
def game_of(spec: str) -> Game:
    if spec not in OWN:
        return load(spec)
    rules: dict[str, Any] = {}
    exec(compile(OWN[spec], spec, "exec", dont_inherit=True), rules)
    return Game(rules, spec)


@functools.cache
def solver(spec: str, threads: int = 1, table: float = TINY) -> Solver:
    """A solver whose tables, the local ones too, are always full."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(null_window, "LOCAL_MB", TINY)
        return Solver(game_of(spec), threads=threads, memory=table)


def minimax(game: Game, s: Any, known: dict[Any, int]) -> int:
    """The score of s for the side to move, counted from s."""
    at = game.identity(s)
    if at not in known:
        over = game.result(s)
        known[at] = (
            scores.final(int(over), 0, bool(game.margin))
            if over is not None
            else max(signed(game, s, m, minimax(game, game.play(s, m), known)) for m in game.legal(s))
        )
    return known[at]


def signed(game: Game, s: Any, m: int, value: int) -> int:
    """The score of the state after m, for the side that plays m."""
    value = scores.from_root(value, 1)
    return value if not game.alternate and game.turn(game.play(s, m)) == game.turn(s) else -value


def walk(game: Game, plies: int, seed: int) -> Any:
    """A state of a random game after `plies` plies, or later where it has too many states below it."""
    rng = random.Random(seed)
    found = None
    while found is None:
        states = [game.start()]
        while game.legal(states[-1]):
            states.append(game.play(states[-1], rng.choice(game.legal(states[-1]))))
        for s in states[-2 : -len(states) - 1 + min(plies, len(states) - 2) : -1]:
            if states_from(game, s, FEW) is None:
                break
            found = s
    return found


def check_state(spec: str, s: Any, threads: int) -> None:
    """Score, who wins, every move and the line, all as minimax has them."""
    game, known = game_of(spec), {}  # type: ignore[var-annotated]
    value = minimax(game, s, known)
    expected = {m: signed(game, s, m, minimax(game, game.play(s, m), known)) for m in game.legal(s)}
    found = solver(spec, threads).solve(s, all_moves=True)
    assert found.solved
    assert found.score == value
    assert dict(found.moves) == expected
    assert [v for _, v in found.moves] == sorted(expected.values(), reverse=True)
    assert found.plies == scores.plies(value)
    assert found.move == found.line[0]
    assert expected[found.move] == value
    check_line(game, s, found.line, known)
    weak = solver(spec, threads).solve(s, weak=True)
    assert weak.value == ("win" if value > 0 else "loss" if value < 0 else "draw")
    assert np.sign(expected[weak.move]) == np.sign(value)


@pytest.mark.parametrize("spec", ["connect4(rows=4, cols=4)", "nim", "kalah(pits=3, seeds=2)", "tictactoe"])
def test_who_wins_takes_two_questions(monkeypatch: pytest.MonkeyPatch, spec: str) -> None:
    """At least a win, at least a draw: by how much, or how soon, is not asked."""
    asked = []
    solver = Solver(spec, memory=1)
    ask = SolverSearch._ask

    def noted(self, row, beta, quick=False):
        asked.append(beta)
        return ask(self, row, beta, quick)

    monkeypatch.setattr(SolverSearch, "_ask", noted)
    game, rng = solver.game, random.Random(5)
    for _ in range(20):
        s = game.start()
        for _ in range(rng.randrange(4)):
            if game.legal(s):
                s = game.play(s, rng.choice(game.legal(s)))
        asked.clear()
        found = solver.solve(s, weak=True, line=False)
        assert asked in ([], [1], [1, 0])
        assert found.value == solver.solve(s, line=False).value


def check_line(game: Game, s: Any, line: tuple[int, ...], known: dict[Any, int]) -> None:
    """Is the line legal, does every step keep the value, and does it end where the game does?"""
    for m in line:
        assert m in game.legal(s)
        child = game.play(s, m)
        assert signed(game, s, m, minimax(game, child, known)) == minimax(game, s, known)
        s = child
    assert game.result(s) is not None


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=12)
@given(plies=st.integers(0, 40), seed=st.integers(0, 10**6))
def test_equals_minimax(spec: str, plies: int, seed: int) -> None:
    """The table stays from one example to the next, as small as it is."""
    s = walk(game_of(spec), plies, seed)
    check_state(spec, s, 1)
    check_state(spec, s, 2)


def test_who_wins_takes_no_draw_for_a_win() -> None:
    """The move that the game would try first only draws here."""
    spec = "kalah(pits=3, seeds=3)"
    check_state(spec, game_of(spec).parse_state("2,3,0 5 / 1,1,2 4 south"), 1)


@pytest.mark.long
@pytest.mark.parametrize("spec", MORE)
@settings(max_examples=40)
@given(plies=st.integers(0, 60), seed=st.integers(0, 10**6))
def test_more_games_equal_minimax(spec: str, plies: int, seed: int) -> None:
    s = walk(game_of(spec), plies, seed)
    check_state(spec, s, 1)
    check_state(spec, s, 2)


SIZES = [(rows, cols) for rows in range(1, 6) for cols in range(1, 6) if rows * cols <= 20 and max(rows, cols) >= 4]


@pytest.mark.long
@pytest.mark.parametrize(("rows", "cols"), SIZES)
@settings(max_examples=25)
@given(plies=st.integers(0, 20), seed=st.integers(0, 10**6))
def test_connect4_of_every_size(rows: int, cols: int, plies: int, seed: int) -> None:
    spec = f"connect4(rows={rows}, cols={cols})"
    check_state(spec, walk(game_of(spec), plies, seed), 1)


@pytest.mark.parametrize("spec", ["ends", "heaps", "knight"])
def test_minimax_here_is_the_textbooks(spec: str) -> None:
    game = game_of(spec)
    for seed in range(3):
        s = walk(game, 4, seed)
        assert minimax(game, s, {}) == negamax(Tree(game), s, math.inf)


# -- whole games whose values are known ------------------------------------------------------------------------------------------


def kalah(pits: int, seeds: int, empty_capture: int, threads: int = 1, memory: float = 256) -> int | None:
    spec = f"kalah(pits={pits}, seeds={seeds}, empty_capture={empty_capture})"
    score = Solver(spec, threads=threads, memory=memory).solve(line=False).score
    return None if score is None else scores.margin(score) or 0


def kalah_facts() -> list[tuple[int, ...]]:
    """Pits, seeds, empty_capture, margin."""
    file = DATA / "kalah" / "solved.txt"
    return [tuple(int(n) for n in line.split()) for line in file.read_text().splitlines()]


@pytest.mark.long
@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), kalah_facts())
def test_kalah_of_many_sizes(pits: int, seeds: int, empty_capture: int, margin: int) -> None:
    assert kalah(pits, seeds, empty_capture) == margin


@pytest.mark.long
@pytest.mark.parametrize(
    ("pits", "seeds", "empty_capture", "margin"),
    [(4, 4, 0, 2), (4, 6, 0, 0), (5, 4, 0, 10), (5, 4, 1, 12), (6, 3, 0, 2), (6, 4, 0, 8), (6, 4, 1, 10)],
)
def test_large_kalah(pits: int, seeds: int, empty_capture: int, margin: int) -> None:
    assert kalah(pits, seeds, empty_capture, threads=2, memory=512) == margin


@settings(max_examples=60)
@given(heaps=st.tuples(*[st.integers(0, 9)] * 3))
def test_nim_sum(heaps: tuple[int, ...]) -> None:
    """Who moves wins just where the heaps, written in binary and added without carry, do not give 0."""
    total = functools.reduce(lambda a, b: a ^ b, heaps)
    found = solver("nim").solve(game_of("nim").State(heaps), weak=True, line=False)
    assert found.value == ("win" if total else "loss")


@pytest.mark.parametrize(("spec", "score"), [("tictactoe", 0), ("kalah(pits=3, seeds=3)", WIN + 2), ("nim", WIN - 11)])
def test_first_states(spec: str, score: int) -> None:
    for threads in (1, 2):
        assert solver(spec, threads).solve().score == score


@pytest.mark.long
@pytest.mark.parametrize(
    ("rows", "cols", "value"), [(4, 5, "draw"), (5, 4, "draw"), (4, 6, "loss"), (4, 7, "draw"), (5, 5, "draw")]
)
def test_connect4_boards(rows: int, cols: int, value: str) -> None:
    assert Solver(f"connect4(rows={rows}, cols={cols})").solve(weak=True, line=False).value == value


@settings(max_examples=25)
@given(plies=st.integers(0, 20), seed=st.integers(0, 10**6))
def test_codes_of_kalah_leave_out_the_stores_alone(plies: int, seed: int) -> None:
    """Two states share a code just where their pits are alike, as each mover sees them."""
    game = game_of("kalah(pits=3, seeds=3)")
    rules, row = game.rules, (1 << 24) - 1
    states = list((states_from(game, walk(game, plies, seed), FEW) or {}).values())
    codes = {(s.mine & row, s.theirs & row): rules["code"](s) for s in states}
    assert len(set(codes.values())) == len(codes)
    assert all(0 <= c < 1 << game.key_bits for c in codes.values())
    for s in states:
        low, high = rules["bounds"](s)
        assert low <= rules["banked"](s) <= high
        assert rules["banked"](s) == (s.mine >> 56) - (s.theirs >> 56)


# -- a search that is stopped ----------------------------------------------------------------------------------------------------


def test_a_time_limit_gives_true_bounds() -> None:
    found = Solver("connect4", memory=16).solve(limit=Limit(time=0.3), book=False)
    assert not found.solved
    assert found.low <= WIN - 41 <= found.high
    assert found.score is None
    assert found.line == ()


@pytest.mark.parametrize("threads", [1, 2])
def test_a_limit_of_nodes_gives_true_bounds(threads: int) -> None:
    found = Solver("connect4", memory=16, threads=threads).solve(limit=Limit(nodes=200_000), book=False)
    assert not found.solved
    assert found.low <= WIN - 41 <= found.high
    assert 100_000 <= found.nodes <= 300_000, "a kernel looks at its limit only now and then"


@pytest.mark.skipif(not clock_ns(), reason="native code has no clock here")
def test_the_kernel_itself_watches_the_clock() -> None:
    """A thread that would stop it may have to wait for a processor; nodes say little, as `finish` counts many at once."""
    solver = Solver("othello", memory=1)
    limit = Limit(time=1e-9)
    search = SolverSearch(solver.game, solver._blocks, lambda: solver.kernel, None, limit, False, None)
    solver.prepare()
    assert search._call(solver.game.layout.row(solver.game.start()), 1, solver._blocks[0], 1 << 62) is None
    assert search.nodes == 1


@pytest.mark.parametrize("spec", ["ends", "heaps", "kalah(pits=3, seeds=3)", "tictactoe", "connect4(rows=4, cols=4)"])
@settings(max_examples=12)
@given(plies=st.integers(0, 40), seed=st.integers(0, 10**6), nodes=st.integers(1, 300))
def test_an_expectation_changes_no_value_and_the_move_gets_the_lower_bound(spec: str, plies: int, seed: int, nodes: int) -> None:
    """Whatever a search has expected, and wherever a limit stops the solver."""
    game = game_of(spec)
    s, known = walk(game, plies, seed), {}  # type: ignore[var-annotated]
    value, rng = minimax(game, s, known), random.Random(seed)
    worth = {m: signed(game, s, m, minimax(game, game.play(s, m), known)) for m in game.legal(s)}
    expected = Expectation(rng.choice(game.legal(s)), rng.randrange(-20, 20) if game.margin else None)
    one = Solver(game, memory=TINY)
    for limit in (Limit(nodes=nodes), None):
        found = one.solve(s, limit, line=False, book=False, expected=expected)
        assert found.low <= value <= found.high
        assert limit or found.score == value
        assert found.move is None or worth[found.move] >= found.low


@pytest.mark.parametrize(("guess", "value"), [(5, 3), (5, -3), (-5, 3), (-5, -3), (0, 0), (2, 0), (-2, 0)])
def test_who_wins_comes_before_by_how_much(guess: int, value: int) -> None:
    low, high, asked = -64, 64, list[int]()
    ask = winner_first(guess)
    beta, _ = next(ask)
    while low < high:
        asked.append(beta)
        low, high = (max(low, beta), high) if value >= beta else (low, min(high, beta - 1))
        beta = max(low + 1, min(ask.send((low, high, True))[0], high))
    assert low == value
    assert asked[0] == int(guess > 0)
    if low == 0 or (guess > 0) != (value > 0):
        assert asked[1] == int(guess <= 0)


def test_a_solution_has_no_depth() -> None:
    with pytest.raises(PlygroundError, match="an exact value has no depth"):
        Solver("nim", memory=1).solve(limit=Limit(depth=3))


def test_a_stop_gives_true_bounds_and_what_was_told_is_true() -> None:
    one, told = Solver("connect4", memory=16, threads=2), []

    def tell(b: SolverProgress) -> None:
        told.append(b)
        one.stop()

    found = one.solve(on_progress=tell, book=False)
    assert found.low <= WIN - 41 <= found.high
    assert found.low < found.high
    assert told
    assert all(b.low <= WIN - 41 <= b.high and b.nodes > 0 for b in told)
    after = one.solve(game_of("connect4").play(game_of("connect4").start(), 3), Limit(time=0.1), book=False)
    assert after.low <= 40 - WIN <= after.high


def test_a_finished_game_has_its_result() -> None:
    game = game_of("nim")
    found = solver("nim").solve(game.State((0, 0, 0)))
    assert (found.score, found.move, found.line, found.nodes) == (-WIN, None, (), 0)


@pytest.mark.parametrize("bad", [{"threads": 0}, {"threads": 300}, {"memory": 0}, {"memory": -1}])
def test_senseless_sizes_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(PlygroundError, match="must be a "):
        Solver("nim", **bad)


@pytest.mark.parametrize(
    ("spec", "why"), [("chess", "repeat positions"), ("backgammon", "game of chance"), ("2048", "game of chance")]
)
def test_games_it_cannot_solve_are_refused(spec: str, why: str) -> None:
    with pytest.raises(PlygroundError, match=why):
        Solver(spec)


# -- the table, run as plain Python: codes never say more than was proven, keys never clash --------------------------------------


@pytest.fixture(params=[0, 16], ids=["wide", "narrow"])
def key_bits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(exact, "KEY_BITS", request.param)
    return int(request.param)


@pytest.mark.parametrize("margin", [0, 300])
def test_bounds_kept_are_true(key_bits: int, margin: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Coded and read again, a bound is the same or weaker, the same where the code can tell it, and all else stays."""
    monkeypatch.setattr(exact, "MARGIN", margin)
    told = range(-300, 301) if margin else [*range(-WIN, -WIN + 400), 0, *range(WIN - 400, WIN + 1)]
    empty = exact.no_data()
    for old_low, old_high in ((-2 * WIN, 2 * WIN), (-5, 5) if margin else (3 - WIN, WIN - 3)):
        data = exact.with_number(exact.with_work(empty, 1000), 7)
        if old_low > -2 * WIN:
            data = exact.with_high(exact.with_low(data, old_low), old_high)
        work = data >> (20 if key_bits else 38)
        for value in told:
            low, high = exact.with_low(data, value), exact.with_high(data, value)
            near = not key_bits or (abs(value) < exact.MAX_CODE if margin else value == 0 or abs(value) > WIN - exact.MAX_CODE)
            assert exact.lower_bound(low) == value if near else exact.lower_bound(low) <= max(value, old_low)
            # The code of a win that has already come means "none": nobody is to move there.
            assert exact.upper_bound(high) == value if near and value < WIN else exact.upper_bound(high) >= min(value, old_high)
            assert exact.upper_bound(low) == old_high
            assert exact.lower_bound(high) == old_low
            for changed in (low, high):
                assert exact.move_number(changed) == 7
                assert changed >> (20 if key_bits else 38) == work


@pytest.mark.parametrize("number", [0, 1, 15, 16, 63, 64, 500])
def test_numbers_of_moves_that_do_not_fit_are_left_out(key_bits: int, number: int) -> None:
    data = exact.with_number(exact.no_data(), number)
    assert exact.move_number(data) == (number if number <= (15 if key_bits else 63) else 0)


@pytest.mark.parametrize("bits", [2, 3, 11, 16])
def test_mixing_is_one_to_one(bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "KEY_BITS", bits)
    with np.errstate(over="ignore"):
        assert sorted(int(exact.mix_key(k)) for k in range(1 << bits)) == list(range(1 << bits))


@settings(max_examples=30)
@given(index_bits=st.integers(1, 4), asked=st.lists(st.tuples(st.integers(0, 63), st.integers(1, 4000)), max_size=120))
def test_a_key_finds_what_was_kept_for_it_or_nothing(index_bits: int, asked: list[tuple[int, int]]) -> None:
    """64 keys in 16 to 128 places: entries push each other out, and none is taken for another's."""
    words: dict[int, int] = {}
    table = exact.TableLines()
    table.bits = index_bits
    kept: dict[int, int] = {}
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        patch.setattr(exact, "KEY_BITS", 6)
        patch.setattr(exact, "load", lambda address: words.get(int(address), 0))
        patch.setattr(exact, "store", lambda address, value: words.update({int(address): int(value)}))
        for k, nodes in asked:
            x = exact.mix_key(k)
            data = exact.with_work(exact.with_low(exact.no_data(), 0) | k << 16 & 0xF0000, nodes)
            exact.narrow_store(x, data, table)
            kept[k] = data
            assert exact.narrow_probe(x, table) == data
            for other, old in kept.items():
                assert exact.narrow_probe(exact.mix_key(other), table) in (old, exact.no_data())


def test_a_table_has_no_more_lines_than_keys() -> None:
    assert exact.ExactTable(4, 5, 1).index_bits == 5
    assert exact.ExactTable(TINY, 45, 1).index_bits == 5
    assert exact.ExactTable(1, 45, 1).index_bits == 15


def test_moves_that_are_not_solved_in_time_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    values = {2: (-9995, -9995), 1: (-10000, 10000)}
    monkeypatch.setattr(SolverSearch, "_move_value", lambda self, s, m: values.get(m, (9995, 9995)))
    scored = Solver("nim", memory=1).solve(all_moves=True).moves
    assert scored[0][1] == 9995
    assert scored[-2:] == [(2, -9995), (1, None)]
