"""Deadlines: who ends a search, how often it looks, and what still runs interpreted. No stopwatch."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from here import DATA
from plyground import load
from plyground.engine.engine import Engine
from plyground.engine.thread import SearchThread
from plyground.play.limit import Limit
from plyground.search.root import ITERATE
from plyground.system import machine
from plyground.system import runner as runner_module
from plyground.system.runner import Runner

pytestmark = pytest.mark.skipif(machine.CLOCK_ID < 0, reason="this system has no clock that kernels can ask")


def searcher(spec: str, runner: Runner) -> SearchThread:
    """A thread that is ready to search the first state in which a player moves."""
    e = Engine(spec, memory=1, seed=0, evaluate="rules")
    s = e.game.start()
    while e.game.is_chance(s):
        s = e.game.play(s, e.game.outcomes(s)[0][0])
    moves = e.game.legal(s)
    thread = SearchThread(e, 0, e.game.layout.row(s), len(moves))
    _ = e._kernels
    thread.begin(runner, moves)
    return thread


@pytest.mark.parametrize("spec", ["connect4", "2048"])
def test_a_kernel_ends_by_itself_when_its_time_is_up(spec: str) -> None:
    """Nobody sets the stop word: the thread that should may be waiting for a processor."""
    runner = Runner()
    thread = searcher(spec, runner)
    thread.memory.start_clock(0.02)
    assert not thread.ask(ITERATE, 60)
    assert (thread.known(), thread.aborted) == ([], True)
    assert not runner.stopped


def test_after_a_glance_the_search_can_be_stopped_as_before() -> None:
    thread = searcher("connect4", runner := Runner(-1))
    runner.stop()
    assert thread.glance()
    assert thread.memory.stop == runner.address


def test_a_time_that_has_passed_ends_a_search_at_its_first_node() -> None:
    thread = searcher("connect4", runner := Runner(-1))
    thread.ask(ITERATE, 60)
    assert (thread.aborted, thread.nodes, runner.stopped) == (True, 1, False)


def test_the_kernels_clock_is_ours() -> None:
    runner = Runner()
    thread = searcher("nim", runner)
    before = machine.clock_ns()
    thread.ask(ITERATE, 3)
    assert before <= thread.memory.last_look <= machine.clock_ns()


SLOW = (DATA / "rules" / "deadline_slow.py").read_text(encoding="utf-8")


def test_slow_rules_are_looked_after_more_often(rules_file: Any) -> None:
    """512 nodes of these rules take a good part of a second."""
    path = str(rules_file(SLOW))
    e = Engine(path, memory=1, seed=0)
    e.analyse(None, Limit(nodes=300))
    slow = e._workers[0].look_step
    assert 1 <= slow <= 16
    quick = Engine("connect4", memory=1, seed=0)
    quick.analyse(None, Limit(depth=12))
    assert quick._workers[0].look_step > slow


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
        s = e.game.play(s, m)
    while e.game.is_chance(s):
        s = e.game.play(s, e.game.outcomes(s)[0][0])
    with_time = e.analyse(s, Limit(depth=1))
    e.forget()
    found = e.analyse(s, Limit(time=1e-9))
    assert found.depth == 1
    assert (found.move, found.score) == (with_time.move, with_time.score)
