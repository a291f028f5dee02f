"""The engine as its users meet it: limits, reports, stops, levels, repeatability."""

from __future__ import annotations

import asyncio
import os
import random
import subprocess
import threading

import pytest

from plyground import PlygroundError, load
from plyground.engine import EXACT, OPTIONS, level_settings
from plyground.engine.engine import Engine
from plyground.kernels import search
from plyground.kernels.search.plan import COUNT_NEAR_BEST
from plyground.kernels.search.root_memory import Candidate
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Report
from plyground.score import from_root
from plyground.system.runner import Runner
from running import FOREVER


@pytest.fixture(scope="module")
def connect4() -> Engine:
    return Engine("connect4", memory=4, seed=3, perfect=False)


def state(moves: str, spec: str = "connect4"):
    return Match(load(spec), None, moves).s


def test_the_shortest_use_gives_a_legal_move(connect4: Engine) -> None:
    assert Engine("connect4", memory=1, seed=0).choose(load("connect4").start(), Limit(nodes=2000)) in range(7)


def test_the_same_search_twice_takes_the_same_nodes() -> None:
    found = []
    for _ in range(2):
        e = Engine("connect4", memory=4, seed=5)
        found.append([(r.depth, r.score, r.nodes, r.line) for r in e.analyse(None, Limit(depth=10)).reports])
    assert found[0] == found[1]


def test_after_forgetting_a_search_is_as_the_first() -> None:
    e = Engine("othello", memory=4, seed=5)
    first = e.analyse(None, Limit(depth=6))
    e.forget()
    e.searcher.random.seed(5)
    assert e.analyse(None, Limit(depth=6)).nodes == first.nodes


def test_a_win_is_found_told_in_plies_and_ends_the_search(connect4: Engine) -> None:
    found = connect4.analyse(state("4455"), Limit(depth=30))
    assert (found.value, found.plies, found.score) == ("win", 3, 9997)
    assert found.depth < 10
    assert len(found.line) == 3


def test_a_lost_position_is_held_as_long_as_can_be(connect4: Engine) -> None:
    s = state("44553")  # X threatens both ends of three
    found = connect4.analyse(s, Limit(depth=12))
    assert (found.value, found.plies) == ("loss", 2)


def test_a_draw_is_known_as_one() -> None:
    found = Engine("tictactoe", memory=1, seed=0).analyse(None, Limit(time=FOREVER))
    assert (found.value, found.score, found.exact) == ("draw", 0, True)


def test_lines_give_that_many_moves_best_first(connect4: Engine) -> None:
    found = connect4.analyse(None, Limit(depth=7), lines=3)
    assert len({m for m, _ in found.moves}) == 3
    assert [v for _, v in found.moves] == sorted((v for _, v in found.moves), reverse=True)
    assert len(connect4.analyse(None, Limit(depth=3), lines=0).moves) == 7


def test_only_some_moves_are_searched_if_asked_for(connect4: Engine) -> None:
    s = state("112233")  # 4 wins
    assert connect4.game.format_move(s, connect4.analyse(s, Limit(depth=6)).move) == "4"
    asked = [connect4.game.parse_move(s, text) for text in ("6", "7")]
    found = connect4.analyse(s, Limit(depth=6), moves=asked, lines=0)
    assert {m for m, _ in found.moves} == set(asked)
    assert found.move in asked
    assert connect4.start(s, Limit(time=0.01), moves=asked[:1]).result().move == asked[0]
    exact = Engine("tictactoe", memory=1)  # the solver is not asked either
    assert exact.analyse(None, moves=[3]).move == 3
    with pytest.raises(PlygroundError, match="none of these moves is legal"):
        connect4.analyse(s, moves=[77])


def test_a_search_may_be_below_full_strength(connect4: Engine) -> None:
    found = connect4.analyse(None, Limit(time=FOREVER), level=3)
    assert found.depth == level_settings(3, connect4.searcher.scale).depth
    assert {connect4.start(level=1).result().move for _ in range(20)} != {found.move}


def test_every_move_scored_agrees_with_each_searched_alone() -> None:
    game = load("connect4(rows=4, cols=4, k=3)")
    e = Engine(game, memory=1, exact=True, seed=0)
    found = dict(e.analyse(None, Limit(depth=5), lines=0).moves)
    for m, value in found.items():
        child = e.analyse(game.play(game.start(), m), Limit(depth=4)).score
        assert value == -from_root(int(child), 1)


def test_reports_come_in_order_of_depth(connect4: Engine) -> None:
    seen: list[Report] = []
    connect4.analyse(None, Limit(depth=6), on_report=seen.append)
    assert [r.depth for r in seen] == [1, 2, 3, 4, 5, 6]
    assert all(r.line and r.nodes and r.nps for r in seen)


def test_a_node_limit_holds(connect4: Engine) -> None:
    assert connect4.analyse(None, Limit(nodes=5000)).nodes <= 5000 + 1024


def test_one_legal_move_is_played_at_once_but_analysed_in_full() -> None:
    game = load("chess")
    s = game.parse_state("k7/8/8/8/8/7p/1r5P/K7 w - - 0 1")  # the king must take
    assert len(game.legal(s)) == 1
    e = Engine(game, memory=1, seed=0, evaluate="rules")
    assert e.choose(s, Limit(time=60)) == game.legal(s)[0]
    assert e.last is not None
    assert e.last.depth == 1
    assert e.last.nodes < 100
    assert e.analyse(s, Limit(nodes=20_000)).depth > 3
    reached: list[int] = []
    search = e.start(s, Limit(time=FOREVER), on_report=lambda r: reached.append(r.depth))
    while not search.done() and max(reached, default=0) < 4:
        search.wait(0.01)
    assert search.stop().depth >= 4


def test_a_search_can_be_stopped_and_says_what_it_found(connect4: Engine) -> None:
    reached = threading.Event()
    search = connect4.start(None, on_report=lambda r: reached.set() if r.depth >= 4 else None)
    assert reached.wait()
    assert not search.done()
    found = search.stop()
    assert found.move in range(7)
    assert found.depth >= 4


def test_a_callback_gets_the_end(connect4: Engine) -> None:
    done: list[int] = []
    connect4.start(None, Limit(depth=3), on_done=lambda a: done.append(a.depth)).result()
    assert done == [3]


def test_the_async_form_lets_others_run(connect4: Engine) -> None:
    async def both() -> tuple[int, int]:
        ticks = 0
        task = asyncio.create_task(connect4.choose_async(None, Limit(nodes=300_000)))
        while not task.done():
            await asyncio.sleep(0)
            ticks += 1
        return task.result(), ticks

    move, ticks = asyncio.run(both())
    assert move in range(7)
    assert ticks > 1


@pytest.mark.parametrize("turns", [0, 1, 20])
def test_cancelling_ends_a_search_without_limit(connect4: Engine, turns: int) -> None:
    async def cancelled() -> bool:
        task = asyncio.create_task(connect4.choose_async(None, Limit(infinite=True)))
        for _ in range(1 + turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return True

    assert asyncio.run(cancelled())
    assert connect4.choose(None, Limit(depth=1)) in range(7)


def test_a_busy_engine_says_so(connect4: Engine) -> None:
    search = connect4.start(None)
    with pytest.raises(PlygroundError, match="already searching"):
        connect4.analyse(None, Limit(depth=1))
    search.stop()


@pytest.mark.parametrize("level", [1, 5, 9])
def test_every_level_plays_legal_moves(level: int) -> None:
    e = Engine("tictactoe", memory=1, level=level, seed=level)
    match = Match(load("tictactoe"))
    while match.result is None:
        match.play(e.choose(match.s))
    assert len(match.moves) >= 5


@pytest.mark.parametrize("spec", ["2048", "backgammon"])
@pytest.mark.parametrize("level", [1, 5, 7])
def test_every_level_plays_games_of_chance(spec: str, level: int) -> None:
    e = Engine(spec, memory=1, level=level, seed=level, evaluate="rules")
    match, dice = Match(load(spec)), random.Random(level)
    for _ in range(12):
        if match.game.is_chance(match.s):
            match.roll(dice)
        else:
            match.play(e.choose(match.s, Limit(nodes=3000)))
    assert e.last is not None
    assert e.last.value == "unknown"


@pytest.mark.parametrize("level", range(1, 11))
def test_a_budget_of_next_to_nothing_still_gives_a_move(level: int) -> None:
    game = load("chess")
    assert Engine(game, memory=1, level=level, seed=0, evaluate="rules").choose(None, Limit(nodes=1)) in game.legal(game.start())


@pytest.mark.parametrize("level", range(5, 11))
def test_from_level_5_on_nothing_is_given_away(level: int) -> None:
    """O must stop the column of X, then X lets O win or not."""
    for seed in range(6):
        e = Engine("connect4", memory=1, level=level, seed=seed)
        assert e.choose(state("41424"), Limit(nodes=20_000)) == 3
        assert e.choose(state("4142434"[:6]), Limit(nodes=20_000)) == 3  # the win at hand


def test_levels_choose_among_near_moves_and_not_beyond_a_gap() -> None:
    e = Engine("tictactoe", memory=1, level=5, seed=0)
    thread = e.searcher.prepare_threads(e.game.layout.row(e.game.start()), range(9), Runner())[0]
    _, thread.root.near, thread.root.careful = level_settings(5, e.searcher.scale)
    for values, near in (
        ([100, 98, 95, 20, 10, 0, -10, -20, -30], 3),
        ([100, 81, 80, 80, 0, 0, 0, 0, 0], 1),
        ([9990, 9988, 300, 200, 100, 0, 0, 0, 0], 2),
        ([-9990, -9992, -9998, -9998, -9998, -9998, -9998, -9998, -9998], 1),  # the longest resistance
        ([0, 0, 0, 0, 0, 0, -9000, -9000, -9000], 6),
    ):
        for i, value in enumerate(values):
            Candidate.from_words(thread.root.extra_words[i * Candidate.size // 8 :]).known.score = value
        thread.root.found = len(values)
        assert thread.ask(COUNT_NEAR_BEST) == near


def test_full_strength_varies_among_equal_moves() -> None:
    openings = {Engine("tictactoe", memory=1, seed=seed).choose(None, Limit(depth=20)) for seed in range(12)}
    assert len(openings) > 3


@pytest.mark.parametrize(
    "make",
    [
        lambda: Limit(time=-1),
        lambda: Limit(depth=0),
        lambda: Limit(nodes=0),
        lambda: Limit(time=float("nan")),
        lambda: Limit(depth=3, infinite=True),
        lambda: Limit(clock=1, increment=-1),
        lambda: Engine("connect4", threads=0),
        lambda: Engine("connect4", level=11),
        lambda: Engine("connect4", options=["magic"]),
        lambda: Engine("connect4", memory=0),
        lambda: Engine("connect4", memory=1).analyse(None, Limit(depth=1), lines=-1),
        lambda: Engine("connect4", memory=1).analyse(None, Limit(depth=1), level=11),
        lambda: Limit(clock=1, overhead=-1),
        lambda: Engine("connect4", memory=1).analyse(state("4142434"), Limit(depth=1)),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(make) -> None:
    with pytest.raises(PlygroundError) as e:
        make()
    assert "\n" not in str(e.value)


def test_the_clock_is_never_overdrawn() -> None:
    for clock in (0.01, 0.1, 1, 10, 600):
        soft, hard = Limit(clock=clock, increment=0.1).budget() or (0, 0)
        assert 0 < soft <= hard <= clock
        lagging = Limit(clock=clock, increment=0.1, overhead=0.6 * clock).budget() or (0, 0)
        assert 0 < lagging[1] < max(0.5 * clock, 0.01)


def test_kernels_stay_inside_their_memory() -> None:
    """The longest lines the search can make, on a stack cut short: it drops moves, but writes nothing beyond its end."""
    game = load("tictactoe(rows=6, cols=9, k=6)")
    e = Engine(game, memory=1, seed=0)
    w = e.searcher.memories[0]
    guard = w.words[-4:].copy()
    short = w.stack + 16 * 60
    w.stack_end = short
    edge = (short - w.address) // 8
    w.words[edge + 2 :] = 0xABCD
    e.analyse(None, Limit(depth=9, nodes=200_000))
    assert (w.words[edge + 2 :] == 0xABCD).all()
    assert w.overflows > 0
    assert len(guard) == 4


def test_the_table_stays_as_large_as_it_was_asked_for() -> None:
    e = Engine("connect4", memory=2, seed=0)
    assert e.searcher.table.words.nbytes <= 2 * (1 << 20) + 64
    before = e.searcher.table.words.nbytes
    e.analyse(None, Limit(nodes=1_000_000))
    assert e.searcher.table.words.nbytes == before
    assert e.searcher.table.fill() > 0.5


def resident() -> int:
    """The memory that this process has in use, in KB."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(os.getpid())], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("spec", ["checkers", pytest.param("gomoku", marks=pytest.mark.long), "2048"])
def test_a_long_analysis_takes_no_more_memory_than_a_short_one(spec: str) -> None:
    """Generators and lists of the rules are freed, and nothing grows with the nodes."""
    e = Engine(spec, memory=1, seed=0, evaluate="rules")
    game = e.game
    s = game.start()
    while game.is_chance(s):
        s = game.play(s, game.outcomes(s)[0][0])
    e.analyse(s, Limit(nodes=20_000), lines=2)
    before = resident()
    e.analyse(s, Limit(nodes=400_000), lines=2)
    assert resident() - before < 3_000


def test_each_option_is_the_bit_that_the_kernel_reads() -> None:
    called = {"quiescence": "USE_QUIET", "hash": "HASH_EVALUATE"}
    for name, bit in OPTIONS.items():
        assert getattr(search, called.get(name, f"USE_{name.upper()}")) == bit
    assert sum(OPTIONS[name] for name in EXACT) == search.EXACT_OPTIONS


def test_each_of_the_symmetric_positions_has_a_hash_move() -> None:
    """They share a value, but not the number of the best move."""
    game, agreed, canonical = load("othello"), 0, 0
    engine = Engine(game, memory=1, seed=0, perfect=False)
    for seed in range(12):
        match, rng = Match(game), random.Random(seed)
        for _ in range(12):
            match.play(rng.choice(match.legal()))
        engine.forget()
        found = engine.analyse(match.s, Limit(depth=7))
        s = game.play(match.s, found.line[0])
        canonical += game.rules["canonical"](s) == s
        row = game.layout.row(s)
        thread = engine.searcher.prepare_threads(row, game.legal(s), Runner())[0]
        agreed += thread.hash_move(row) == found.line[1]
    assert canonical < 6
    assert agreed > 10
