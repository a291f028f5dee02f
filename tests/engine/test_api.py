"""What the documentation promises to programs: reports in an event loop, compiling ahead, results as JSON."""

from __future__ import annotations

import asyncio
import json
import threading
from types import SimpleNamespace
from typing import Any

import pytest

from here import DATA
from plyground import GameError, load
from plyground.cli import main
from plyground.compile.native import Native
from plyground.compile.progress import Compiling
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.play.report import Analysis, Report
from plyground.solver.tablebase import solve_tablebase
from plyground.system import runner
from running import FOREVER

RULES = (DATA / "rules" / "api.py").read_text(encoding="utf-8")


@pytest.fixture
def cold(rules_file: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine of rules that were never compiled."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    return Engine(rules_file(RULES), memory=1, seed=0)


def test_choose_async_reports() -> None:
    engine, seen = Engine("connect4", memory=1, seed=0), list[Report]()
    move = asyncio.run(engine.choose_async(None, Limit(depth=5), on_report=seen.append))
    assert move in range(7)
    assert [r.depth for r in seen] == [1, 2, 3, 4, 5]


def test_making_an_engine_compiles_nothing(monkeypatch: pytest.MonkeyPatch, rules_file: Any) -> None:
    monkeypatch.setattr("plyground.compile.native.Native.bind", lambda *a, **k: pytest.fail("something was compiled"))
    Engine(rules_file(RULES), memory=1)


@pytest.mark.long
def test_prepare_compiles_ahead_and_tells_how_far_it_is(cold: Engine) -> None:
    seen: list[Compiling] = []
    cold.prepare(seen.append)
    assert len(seen) > 10
    assert [c.functions for c in seen] == [*range(1, len(seen)), len(seen) - 1]
    assert {"moves", "play", "search_move"} <= {c.name for c in seen}
    assert [c.done for c in seen] == [False] * (len(seen) - 1) + [True]
    assert [c.seconds for c in seen] == sorted(c.seconds for c in seen)
    assert {c.game for c in seen} == {"mygame"}
    again: list[Compiling] = []
    cold.prepare(again.append)
    assert [(c.functions, c.done) for c in again] == [(0, True)]


def test_after_prepare_nothing_is_compiled(cold: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    cold.prepare()
    monkeypatch.setattr("plyground.compile.native.Native.bind", lambda *a, **k: pytest.fail("something was compiled"))
    assert cold.choose(None, Limit(depth=9)) == 3


def test_a_first_search_after_book_answers_finds_everything_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    engine, match = Engine("connect4", memory=1, seed=0), Match("connect4")
    match.play(engine.choose(match.s, Limit(time=0.05)))
    assert engine.last is not None
    assert engine.last.source == "book"
    monkeypatch.setattr("plyground.compile.native.Native.bind", lambda *a, **k: pytest.fail("a move waits for a kernel"))
    monkeypatch.setattr("plyground.engine.searcher.bind_kernels", lambda *a: pytest.fail("a move waits for the search"))
    monkeypatch.setattr("plyground.solver.solver._bind_kernel", lambda *a: pytest.fail("a move waits for the solver"))
    while match.result is None:
        match.play(engine.choose(match.s, Limit(time=0.05)))


@pytest.mark.long
@pytest.mark.parametrize("perfect", [True, False])
def test_the_clock_starts_when_the_search_is_compiled(cold: Engine, monkeypatch: pytest.MonkeyPatch, perfect: bool) -> None:
    """On a clock that stands still but for the compiler, which takes days."""
    now, bind, bound = [100.0], Native.bind, list[str]()

    def slow(native: Native, entry: Any, *args: Any, **named: Any) -> Any:
        now[0] += 3 * FOREVER
        bound.append(entry.__name__)
        return bind(native, entry, *args, **named)

    monkeypatch.setattr(Native, "bind", slow)
    monkeypatch.setattr(runner, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    engine = Engine(cold.game, memory=1, seed=0, perfect=perfect)
    found = engine.analyse(None, Limit(time=FOREVER))
    assert bound
    assert found.depth > 1
    assert (found.value, found.move, found.seconds) == ("win", 3, 0)


@pytest.mark.long
def test_prepare_async_lets_others_run(cold: Engine) -> None:
    async def both() -> tuple[int, list[Compiling]]:
        ticks, seen = 0, list[Compiling]()
        task = asyncio.create_task(cold.prepare_async(seen.append))
        while not task.done():
            await asyncio.sleep(0.01)
            ticks += 1
        await task
        return ticks, seen

    ticks, seen = asyncio.run(both())
    assert ticks > 3
    assert seen[-1].done


@pytest.mark.long
def test_what_other_threads_compile_is_not_told(cold: Engine, rules_file: Any) -> None:
    other = Engine(rules_file(RULES.replace("min(3", "min(4"), "other.py"), memory=1)
    seen: list[Compiling] = []
    thread = threading.Thread(target=other.prepare)
    thread.start()
    cold.prepare(seen.append)
    thread.join()
    assert [c.name for c in seen].count("search_window") == 1
    assert seen[-1].done


def test_rules_that_cannot_be_compiled_are_told_when_that_is_tried(rules_file: Any) -> None:
    engine = Engine(rules_file(RULES.replace("State(s.left - m)", "State(int(str(s.left - m)[::-1]))")), memory=1)
    for job in (engine.prepare, engine.choose, lambda: engine.start().result()):
        with pytest.raises(GameError, match=r"mygame\.py:"):
            job()


# -- results as JSON -----------------------------------------------------------------------------------------------------------


def test_an_analysis_as_json() -> None:
    game = load("tictactoe")
    s = Match(game, moves="b2 a1").s
    found = Engine(game, memory=1, seed=0).analyse(s, Limit(depth=3), lines=2)
    data = json.loads(found.to_json())
    assert data == found.as_json()
    assert (data["game"], data["state"]) == ("tictactoe", game.format_state(s))
    assert data["move"] == game.format_move(s, found.move)
    assert data["line"][0] == data["move"] == data["moves"][0]["move"]
    assert len(data["moves"]) == 2
    assert (data["score"], data["value"], data["depth"], data["nodes"]) == (found.score, found.value, 3, found.nodes)
    assert 0 <= data["fill"] <= 1


def test_games_of_chance_and_tables_as_json(tmp_path: Any) -> None:
    game = load("2048")
    s = game.start()
    while game.is_chance(s):
        s = game.play(s, game.outcomes(s)[0][0])
    data = json.loads(Engine(game, memory=1, seed=0, evaluate="rules").analyse(s, Limit(depth=1)).to_json())
    assert isinstance(data["score"], float)
    nim = load("nim")
    found = solve_tablebase(nim, tmp_path / "x").analysis(nim.start(), 0)
    assert found is not None
    assert json.loads(found.to_json())["value"] == "win"


def test_an_analysis_without_a_game_has_numbers() -> None:
    data = json.loads(Analysis(3, 12, line=(3, 4), moves=[(3, 12)]).to_json())
    assert (data["move"], data["line"], data["moves"]) == (3, [3, 4], [{"move": 3, "score": 12, "exact": False}])


def test_analyse_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyse", "tictactoe", "--depth", "3", "--json", "--memory", "1", "--seed", "0"]) == 0
    printed = json.loads(capsys.readouterr().out)
    found = json.loads(Engine("tictactoe", memory=1, seed=0).analyse(None, Limit(depth=3)).to_json())
    assert printed.pop("side") == "X"
    for data in (printed, found):
        del data["seconds"], data["nps"]
    assert printed == found
