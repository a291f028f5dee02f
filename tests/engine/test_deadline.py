"""Deadlines: who ends a search, how often it looks, and what still runs interpreted. No stopwatch."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest

from here import DATA
from plyground import load
from plyground.engine.engine import Engine
from plyground.engine.searcher import SearchThread
from plyground.kernels.search.plan import ITERATE
from plyground.play.limit import Limit
from plyground.play.report import Report
from plyground.system import machine
from plyground.system import runner as runner_module
from plyground.system.runner import Runner
from positions import walk

pytestmark = pytest.mark.skipif(machine.CLOCK_ID < 0, reason="this system has no clock that kernels can ask")


def searcher(spec: str, runner: Runner) -> SearchThread:
    """A thread that is ready to search the first state in which a player moves."""
    e = Engine(spec, memory=1, seed=0, evaluate="rules")
    s = e.game.start()
    while e.game.is_chance(s):
        s = e.game.play(s, e.game.outcomes(s)[0][0])
    return e.searcher.prepare_threads(e.game.layout.row(s), e.game.legal(s), runner)[0]


@pytest.mark.parametrize("spec", ["connect4", "2048"])
def test_a_kernel_ends_by_itself_when_its_time_is_up(spec: str) -> None:
    """Nobody sets the stop word: the thread that should may be waiting for a processor."""
    runner = Runner()
    thread = searcher(spec, runner)
    thread.memory.start_clock(0.02)
    assert not thread.ask(ITERATE, 60)
    assert (thread.known(), thread.memory.aborted) == ([], True)
    assert not runner.stopped


def test_after_a_glance_the_search_can_be_stopped_as_before() -> None:
    thread = searcher("connect4", runner := Runner(-1))
    runner.stop()
    assert thread.search_one_ply()
    assert thread.memory.stop == runner.address


def test_a_time_that_has_passed_ends_a_search_at_its_first_node() -> None:
    thread = searcher("connect4", runner := Runner(-1))
    thread.ask(ITERATE, 60)
    assert (thread.memory.aborted, thread.memory.nodes, runner.stopped) == (True, 1, False)


def test_the_kernels_clock_is_ours() -> None:
    runner = Runner()
    thread = searcher("nim", runner)
    before = machine.clock_ns()
    thread.ask(ITERATE, 3)
    assert before <= thread.memory.last_check <= machine.clock_ns()


SLOW = (DATA / "rules" / "deadline_slow.py").read_text(encoding="utf-8")


def test_slow_rules_are_looked_after_more_often(rules_file: Any) -> None:
    """512 nodes of these rules take a good part of a second."""
    path = str(rules_file(SLOW))
    e = Engine(path, memory=1, seed=0)
    e.analyse(None, Limit(nodes=300))
    slow = e.searcher.memories[0].check_nodes
    assert 1 <= slow <= 16
    quick = Engine("connect4", memory=1, seed=0)
    quick.analyse(None, Limit(depth=12))
    assert quick.searcher.memories[0].check_nodes > slow


class Clock:
    """A clock that stands still but for what the rules take."""

    def __init__(self) -> None:
        self.now = 100.0

    def perf_counter(self) -> float:
        return self.now


def slowed(monkeypatch: pytest.MonkeyPatch, name: str, seconds: float) -> tuple[Engine, list[int]]:
    """An engine for Connect 4, one rule of which takes seconds of a clock of its own when it is called interpreted."""
    game, clock, calls = copy.copy(load("connect4")), Clock(), list[int]()
    monkeypatch.setattr(runner_module, "time", clock)
    rule = getattr(game, name)

    def slow(*args: Any) -> Any:
        calls.append(1)
        clock.now += seconds
        return rule(*args)

    setattr(game, name, slow)
    return Engine(game, memory=1, seed=0, perfect=False), calls


def test_listing_the_moves_counts_as_time(monkeypatch: pytest.MonkeyPatch) -> None:
    e, calls = slowed(monkeypatch, "legal", 10)
    found = e.analyse(None, Limit(time=5))
    assert found.move in range(7)
    assert found.depth == 1  # only a glance
    assert len(calls) <= 2, "once to begin, once for the line"


@pytest.mark.long
def test_ordering_moves_takes_a_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    e, calls = slowed(monkeypatch, "order", 1)
    e.analyse(None, Limit(time=14))
    assert len(calls) == 4


@pytest.mark.parametrize("spec", ["connect4", "2048"])
def test_a_search_without_time_still_looks_one_ply_ahead(spec: str) -> None:
    """On a busy machine the time can be over before the search has begun; then any move would be played."""
    e = Engine(spec, memory=1, seed=0, evaluate="rules", perfect=False)
    s = e.game.start()
    for m in (0, 9, 3, 8, 3) if spec == "2048" else (3, 3, 2, 2, 4, 4):  # at Connect 4, a move that wins at once
        s = e.game.child(s, m)
    while e.game.is_chance(s):
        s = e.game.play(s, e.game.outcomes(s)[0][0])
    with_time = e.analyse(s, Limit(depth=1))
    e.forget()
    found = e.analyse(s, Limit(time=1e-9))
    assert found.depth == 1
    assert (found.move, found.score) == (with_time.move, with_time.score)


# -- how much of a clock is used -------------------------------------------------------------------------------------------------

WAVERING = """
from typing import NamedTuple
MARGIN = 20
class State(NamedTuple):
    first: int = 0
    ply: int = 0
    path: int = 0
def start(): return State()
def moves(s): return range(2)
def play(s, m): return State(s.first if s.ply else m, s.ply + 1, 2 * s.path + m)
def result(s): return 0 if s.ply == 30 else None
def evaluate(s): return (1 - 2 * (s.ply & 1)) * 50 * (s.first == WANTED)
"""
"""Which first move is better looks different after each ply, or never."""


def iterations(monkeypatch: pytest.MonkeyPatch, path: str, limit: Limit, seconds: float, lines: int = 2) -> int:
    """Return how many iterations are made if each of them takes this long."""
    clock = Clock()
    monkeypatch.setattr(runner_module, "time", clock)

    def wait(report: Report) -> None:
        clock.now += seconds * (report.multipv == 1)

    return Engine(path, memory=1, exact=True, seed=0, perfect=False).analyse(None, limit, lines=lines, on_report=wait).depth


def test_a_best_move_that_changes_gets_more_time(monkeypatch: pytest.MonkeyPatch, rules_file: Any) -> None:
    stays = str(rules_file(WAVERING.replace("WANTED", "1"), "stays.py"))
    changes = str(rules_file(WAVERING.replace("WANTED", "(s.ply & 1)"), "changes.py"))
    limit = Limit(clock=300, overhead=0)  # ten seconds for a move, at most forty
    assert iterations(monkeypatch, stays, limit, 1.1) == 5  # at 0.45 of it: the fourth iteration with the same best move
    assert iterations(monkeypatch, stays, limit, 1.1, lines=1) == 4  # the other move is refuted with few nodes
    assert iterations(monkeypatch, changes, limit, 1.1) == 11  # at 1.2
    for path in (stays, changes):
        assert iterations(monkeypatch, path, Limit(clock=300, moves_left=1, overhead=0), 61) == 3, "at most 180 seconds"
        assert iterations(monkeypatch, path, Limit(depth=14), 1000) == 14
        assert iterations(monkeypatch, path, Limit(clock=300, depth=3), 1) == 3


# -- what an iteration that was stopped may say ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "limits"), [("kalah", range(40, 6000, 57)), ("checkers", range(5000, 6000, 57))])
def test_the_answer_is_that_of_the_last_report(spec: str, limits: range) -> None:
    """A better move of an unfinished iteration is reported with that iteration's depth, and is really better there."""
    game, partial = load(spec), 0
    for nodes in limits:
        found = Engine(game, memory=1, exact=True, seed=0).analyse(None, Limit(nodes=nodes))
        last = found.reports[-1]
        assert (last.depth, last.score, last.line[0], last.partial) == (found.depth, found.score, found.move, found.partial)
        assert not any(report.partial for report in found.reports[:-1])
        if found.partial and len(found.reports) > 1:
            partial += 1
            before = found.reports[-2]
            assert before.depth == found.depth - 1
            full = Engine(game, memory=1, exact=True, seed=0).analyse(None, Limit(depth=found.depth), lines=0)
            scores = dict(full.moves)
            assert found.score == scores[found.move] > scores[before.line[0]]
            assert found.score <= full.score
            assert found.describe_source() == f"depth {found.depth}, unfinished"
    assert partial


PIG = str(DATA / "chance" / "pig.py")


@pytest.mark.parametrize(
    ("spec", "lines", "threads", "limits"),
    [
        ("kalah", 3, 1, range(100, 6000, 257)),
        ("kalah", 0, 1, range(100, 6000, 457)),
        ("kalah", 1, 2, range(100, 20_000, 997)),
        ("kalah", 3, 2, range(100, 20_000, 1997)),
        (PIG, 1, 1, range(20, 900, 41)),
        (PIG, 2, 1, range(20, 900, 61)),
        ("2048", 1, 1, range(50, 6000, 457)),
        ("2048", 0, 2, range(50, 6000, 757)),
    ],
)
def test_what_is_reported_as_a_depth_is_its_result(spec: str, lines: int, threads: int, limits: range) -> None:
    """Of several lines, with several threads, and where dice decide too; an unfinished iteration has a move that is not worse."""
    s = walk(load(spec), 5, random.Random(1))[-1]
    values: dict[int, dict[int, float]] = {}
    for nodes in limits:
        found = Engine(spec, memory=4, threads=threads, exact=True, seed=0).analyse(s, Limit(nodes=nodes), lines=lines)
        reports: dict[tuple[int, bool], list[Report]] = {}
        for report in found.reports:
            reports.setdefault((report.depth, report.partial), []).append(report)
        for (depth, partial), ranks in reports.items():
            if depth not in values:
                full = Engine(spec, memory=4, exact=True, seed=0).analyse(s, Limit(depth=depth), lines=0)
                values[depth] = dict(full.moves)
            exact = values[depth]
            told, wanted = [report.score for report in ranks], [exact[report.line[0]] for report in ranks]
            if partial:
                before = reports[depth - 1, False][0].line[0]
                assert exact[before] - 1e-6 <= told[0] <= wanted[0] + 1e-6, (nodes, ranks, exact)
            else:
                assert told == pytest.approx(wanted), (nodes, ranks, exact)
                assert told == pytest.approx(sorted(exact.values(), reverse=True)[: len(told)])
        last = reports[found.depth, found.partial][0]
        assert (last.line[0], last.score) == (found.move, found.score)


NOT_LOST = """
from typing import NamedTuple
MARGIN = 20
class State(NamedTuple):
    first: int = 0
    ply: int = 0
    path: int = 0
def start(): return State()
def moves(s): return range(3) if s.ply == 0 else range(2)
def play(s, m): return State(m, 1, 0) if s.ply == 0 else State(s.first, s.ply + 1, 2 * s.path + m)
def result(s): return (-10, -5, 0)[s.first] if s.ply == (6, 6, 8)[s.first] else None
def evaluate(s): return (1 - 2 * (s.ply & 1)) * (5, 3, -8900)[s.first]
def order(s, m): return -m
"""


def test_a_loss_by_an_unfinished_iteration_is_not_proven(rules_file) -> None:
    """The moves that were searched lose, the last one draws: only when all were searched the value is known."""
    engine, values = Engine(str(rules_file(NOT_LOST)), memory=1, seed=0, perfect=False), set()
    for nodes in range(20, 600):
        engine.forget()
        found = engine.analyse(None, Limit(nodes=nodes))
        lost = found.partial and found.score == -10_005
        values.add((lost, found.value))
        if lost:
            assert found.describe("X") == "X seems to lose by 5 (depth 6, unfinished)"
            assert found.reports[-1].limited
    assert values == {(False, "unknown"), (True, "unknown"), (False, "draw")}
