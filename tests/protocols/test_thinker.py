"""The engine in the background: what happens before it is ready, when it can't be built, and when time runs out."""

import threading
from types import SimpleNamespace

import pytest
from talking import Talk, parts

from here import DATA
from plyground import Limit, load
from plyground.play.report import Report
from plyground.protocols import thinker, universal
from plyground.protocols.ugi import UgiServer
from plyground.textbook import registry


@pytest.fixture
def slow(monkeypatch):
    """Compiling waits until this event is set."""
    gate, build = threading.Event(), thinker.BackgroundEngine._compile

    def compiled(self, wanted):
        gate.wait()
        return build(self, wanted)

    monkeypatch.setattr(thinker.BackgroundEngine, "_compile", compiled)
    monkeypatch.setattr(universal, "READY_SECONDS", 0.05)
    yield gate
    gate.set()


def ugi(spec):
    talk = Talk(lambda source, target: UgiServer(source, target, load(spec)))
    talk.send("setoption name Hash value 1")
    return talk


@pytest.mark.parametrize("spec", ["tictactoe", "backgammon"])
def test_before_the_engine_is_ready_the_textbook_answers(slow, spec):
    talk, game = ugi(spec), load(spec)
    assert talk.ask("isready", "isready", "isready", until="readyok") == ["readyok"]
    assert [talk.until("readyok"), talk.until("readyok")] == [["readyok"]] * 2
    roll = "" if spec == "tictactoe" else " moves 3-1"
    s = game.start() if spec == "tictactoe" else game.play(game.start(), game.parse_move(game.start(), "3-1"))
    for go in ("go movetime 50", "go p1time 100 p2time 100", "go depth 3", "go infinite"):
        talk.send(f"position startpos{roll}", go)
        if "time" not in go:
            talk.send("stop")
        *told, best = talk.until("bestmove")
        assert "not ready" in told[0]
        assert parts(told[-1])["score"]
        assert talk.server.read(s, best.split()[1]) in game.legal(s)
    assert talk.close() == []


def test_a_question_that_is_stopped_at_once_is_answered_by_the_textbook_too(slow):
    """Before its search has begun: the textbook's clock must still run out."""
    talk, game = ugi("connect4"), load("connect4")
    asked = thinker.SearchRequest(game.start(), Limit(depth=9), lambda found: None)
    asked.stopped.set()
    assert talk.server.thinker._by_textbook(asked).depth < 6
    assert talk.close() == []


def test_the_textbook_reports_the_depth_of_its_last_iteration(slow, monkeypatch):
    """Not the length of its line, which ends where the table had the answer."""
    talk, game = ugi("nim"), load("kalah(pits=3, seeds=2)")
    answer = registry.find("deepening").search(game, game.start(), {"depth": 9})
    assert (answer.depth, len(answer.line)) == (9, 8)
    monkeypatch.setattr(registry, "find", lambda name: SimpleNamespace(search=lambda *given, **options: answer))
    asked = thinker.SearchRequest(game.start(), Limit(time=1), lambda found: None)
    talk.server.thinker.game = game
    assert talk.server.thinker._by_textbook(asked).depth == 9
    assert talk.close() == []


def test_a_search_without_time_limit_waits_for_the_engine(slow):
    talk = ugi("tictactoe")
    talk.send("position startpos", "go depth 2")
    assert "not ready" in talk.until("info")[0]
    slow.set()
    *told, _ = talk.until("bestmove")
    assert int(parts(told[-1])["nodes"]) > 0  # the textbook does not count
    assert talk.close() == []


def test_ponderhit_counts_before_the_engine_is_ready(slow):
    talk = ugi("tictactoe")
    talk.send("position startpos", "go ponder movetime 20")
    assert "not ready" in talk.until("info")[0]
    assert talk.ask("ponderhit")[-1].startswith("bestmove")
    assert talk.close() == []


def test_after_ponderhit_the_best_moves_so_far_count():
    """Of the 1000 seconds for this move, 600 were over before the hit."""
    for best_moves, reached in (([1] * 9, True), ([1, 2], False)):
        asked = thinker.SearchRequest(None, Limit(clock=30_000), lambda found: None, pondering=True)
        asked.began -= 600
        for depth, m in enumerate(best_moves, 1):
            assert not asked.on_engine_report(Report(depth, depth, 0, 1, 0, 0, (m,)))
        asked.released.set()
        assert asked.limit_reached() == reached


def test_what_is_set_while_it_compiles_counts(slow):
    talk = ugi("tictactoe")
    talk.ask("isready", until="readyok")
    talk.send("setoption name Hash value 2", "position startpos", "go depth 1")
    talk.until("info")
    slow.set()
    assert talk.until("bestmove")[-1].startswith("bestmove")
    assert talk.server.thinker._engine.memory == 2
    assert talk.close() == []


BROKEN = """
from typing import NamedTuple

class State(NamedTuple):
    left: int

def start():
    return State(5)

def moves(s):
    yield from (n for n in (1, 2) if n <= s.left and "12".find(f"{n:>1}") >= 0)

def play(s, m):
    return State(s.left - m)

def result(s):
    return -1 if s.left == 0 else None
"""


def test_rules_that_cannot_be_compiled_are_told_and_played_by_the_textbook(rules_file):
    talk = ugi(str(rules_file(BROKEN)))
    *told, best = talk.ask("position startpos", "go depth 9")
    assert any("mygame.py" in line for line in told), told
    assert best == "bestmove 2"  # leaves three
    assert talk.ask("go movetime 50")[-1] == "bestmove 2"
    assert talk.close() == []


def test_rules_that_fail_in_a_search_are_told_and_any_move_is_sent():
    """A result beyond MARGIN: the search finds it and raises an error, also while the next command stops it."""
    talk = ugi(f"{DATA / 'chance' / 'one_die.py'}(margin=3)")
    talk.ask("isready", until="readyok")
    while not talk.server.thinker.ready(1):
        pass
    *told, best = talk.ask("position fen die=4 left=1 kept=0", "go depth 2")
    assert any("larger than MARGIN" in line for line in told), told
    assert parts(told[-1])["score"] == "cp 0"
    assert best != "bestmove 0000"
    said = talk.ask("go infinite", "go infinite", "stop", "isready", until="readyok")
    assert len([line for line in said if line.startswith("bestmove")]) == 2
    assert talk.close() == []
