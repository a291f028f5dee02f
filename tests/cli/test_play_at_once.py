"""While the engine is compiled, a textbook search plays; then the engine takes over."""

import io
import sys
import threading
from typing import Any

import pytest

from plyground import Match, cli, load
from plyground.cli import main, play
from plyground.cli._prompt import Prompt
from plyground.cli.play import CompilingPlayer, calls_numba, make_in_background
from plyground.errors import PlygroundError
from plyground.play.match import PERSON
from plyground.play.report import Position
from plyground.players.spec import make_player
from plyground.records.recorder import GameRecorder
from plyground.records.store import Records
from positions import PILE
from running import FOREVER


@pytest.fixture
def compiled():
    """Set when the compiler is done."""
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def warming(compiled):
    def start(game, spec="random"):
        def make():
            assert compiled.wait(FOREVER)
            return make_player(spec, game, 1)

        player = CompilingPlayer("engine", game, make)
        player.compiling = True
        return player

    return start


@pytest.mark.parametrize("name", ["connect4", "backgammon", "2048"])
def test_the_textbook_answers_until_the_engine_is_ready(name, warming, compiled):
    game = load(name)
    match = Match(game, seed=1)
    while game.is_chance(match.s):
        match.roll()
    player = warming(game)
    found = player.choose(match.position, match.limit())
    assert found.source == "textbook"
    assert found.move in match.legal()
    compiled.set()
    assert player.ready(FOREVER)
    assert player.choose(match.position).source == "random"


def test_a_person_is_told_once_and_once_more_when_the_engine_takes_over(warming, compiled):
    game = load("tictactoe")
    match, out = Match(game, players=(PERSON, "engine")), io.StringIO()
    prompt = Prompt(match, {1: warming(game)}, out)
    for m in ("b2", "a2"):
        match.play(m)
        prompt.play_computer_move()
    said = out.getvalue()
    assert said.count("until it is ready, a textbook search plays") == 1
    with pytest.raises(PlygroundError, match="the engine is still being compiled"):
        prompt.commands.level("3")
    compiled.set()
    assert prompt.players[1].ready(FOREVER)  # type: ignore[attr-defined]
    prompt.switch_to_ready_engines()
    assert out.getvalue().count("The engine is ready and plays O from now on.") == 1
    assert prompt.players[1].name == "random"
    assert not prompt.compiling_sides


def test_an_engine_that_cannot_be_made_reports_its_error():
    game = load("nim")

    def make():
        raise PlygroundError("the rules can't be compiled")

    player = CompilingPlayer("engine", game, make)
    assert player.ready(FOREVER)
    with pytest.raises(PlygroundError, match="can't be compiled"):
        player.choose(Position.of(game))


def test_an_engine_that_is_in_the_cache_plays_from_the_first_move():
    game = load("nim")
    make_player("engine", game)
    assert not isinstance(make_in_background("engine", game, 1, begin_early=True), CompilingPlayer)


def test_a_person_is_not_kept_waiting_for_an_engine_that_is_in_the_cache(monkeypatch):
    """It is made when it is needed first, and then waited for: the textbook plays only while something is compiled."""
    game, out = load("nim"), io.StringIO()
    match = Match(game, players=(PERSON, "engine"))
    engine = make_player("engine", game)
    monkeypatch.setattr(play, "make_player", lambda *args: engine)
    player = make_in_background("engine", game, 1, begin_early=True, wait=False)
    assert isinstance(player, CompilingPlayer)
    prompt = Prompt(match, {1: player}, out)
    match.play("a1")
    prompt.play_computer_move()
    assert prompt.players == {1: engine}
    assert "second plays" in out.getvalue()
    assert "ready" not in out.getvalue()
    assert "textbook_moves" not in match.notes


@pytest.mark.parametrize("wrong", ["engine:level=11", "engine:time=-1", "engine:evaluate=missing.py", "engine:colour=red"])
def test_a_wrong_option_is_refused_before_the_first_move(wrong):
    with pytest.raises(PlygroundError):
        make_in_background(wrong, load("nim"), 1, begin_early=True, wait=False)


def test_the_end_of_a_start_without_compiling_is_not_taken_for_compiling():
    game = load("nim")
    player = CompilingPlayer("engine", game, lambda: make_player("random", game, 1))
    assert player.ready(FOREVER)
    assert not player.compiling


def test_in_a_pipe_the_engine_is_waited_for(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a1\n"))
    assert main(["play", "nim", "--seed", "1"]) == 0
    assert "textbook" not in capsys.readouterr().out


def switch_to_ready_engines(prompt, compiled):
    """Let the engine become ready, and play from now on."""
    compiled.set()
    assert prompt.players[1].ready(FOREVER)
    prompt.switch_to_ready_engines()


def test_the_record_names_the_net_that_has_taken_over_and_the_moves_of_the_textbook(warming, compiled):
    game = load("tictactoe")
    match, players = Match(game, players=(PERSON, "engine")), {1: warming(game)}
    with GameRecorder() as recorder:
        recorder.follow(match, players)
        prompt = Prompt(match, players, io.StringIO())
        match.play("b2")
        prompt.play_computer_move()
        switch_to_ready_engines(prompt, compiled)
        prompt.players[1].net = "a-net"
        match.play(game.format_move(match.s, match.legal()[0]))
        prompt.play_computer_move()
        with Records() as records:
            row = next(records.games(recorder.number))
    assert row.more["nets"] == [None, "a-net"]
    notes: Any = row.more["notes"]
    assert notes["textbook_moves"] == [2]


def test_a_move_of_the_textbook_that_is_taken_back_is_no_longer_noted(warming, compiled):
    game = load("tictactoe")
    match = Match(game, players=(PERSON, "engine"))
    prompt = Prompt(match, {1: warming(game)}, io.StringIO())
    match.play("b2")
    prompt.play_computer_move()
    match.undo()
    switch_to_ready_engines(prompt, compiled)
    prompt.play_computer_move()
    assert len(match.moves) == 2
    assert "textbook_moves" not in match.notes


def test_the_advice_comes_when_the_engine_takes_over(warming, compiled, tmp_path):
    (tmp_path / "small.py").write_text(PILE)
    game = load(tmp_path / "small.py")
    out = io.StringIO()
    prompt = Prompt(Match(game, players=(PERSON, "engine")), {1: warming(game, "engine")}, out)
    prompt.switch_to_ready_engines()
    assert "has no `evaluate`" not in out.getvalue()
    switch_to_ready_engines(prompt, compiled)
    assert out.getvalue().count("has no `evaluate`") == 1


@pytest.mark.parametrize("order", ["hint", "eval", "review", "level"])
def test_what_needs_the_engine_says_that_it_is_being_compiled(order, warming):
    game = load("tictactoe")
    prompt = Prompt(Match(game, players=(PERSON, "engine")), {1: warming(game)}, io.StringIO())
    with pytest.raises(PlygroundError, match="the engine is still being compiled; "):
        prompt.commands.orders[order]("")


def test_a_review_after_the_game_waits_for_the_engine(warming, compiled, monkeypatch):
    game, out = load("tictactoe"), io.StringIO()
    match = Match(game, players=(PERSON, "engine"), moves="a1 b1 a2 b2 a3")
    prompt = Prompt(match, {1: warming(game)}, out)
    monkeypatch.setattr(prompt, "editor", type("Editor", (), {"read": lambda self, prompt: compiled.set() or "y"})())
    monkeypatch.setattr(prompt.commands, "review", lambda rest: prompt.say(f"warming: {prompt.compiling_sides}"))
    prompt.offer_review()
    assert "warming: []" in out.getvalue()


def test_the_textbook_is_not_asked_for_evaluations(warming):
    game, out = load("tictactoe"), io.StringIO()
    match = Match(game, players=(PERSON, "engine"))
    match.notes["eval"] = True
    match.play("b2")
    Prompt(match, {1: warming(game)}, out).play_computer_move()
    assert "O plays" in out.getvalue()
    assert "gives no evaluation" not in out.getvalue()


def test_first_time_only_is_said_where_it_is_true(warming, monkeypatch, tmp_path):
    game, out = load("tictactoe"), io.StringIO()
    match = Match(game, players=(PERSON, "engine"))
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "file" / "cache"))
    Prompt(match, {1: warming(game)}, out).switch_to_ready_engines()
    assert "The engine is being compiled; until" in out.getvalue()
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    Prompt(match, {1: warming(game)}, out).switch_to_ready_engines()
    assert "The engine is being compiled (first time only); until" in out.getvalue()


LESS = "@njit\ndef less(n, m):\n    return n - m\n"


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("", "s.left - m", False),
        ("import numpy", "int(numpy.abs(s.left - m))", False),
        (LESS, "less(s.left, m)", True),
        ("@functools.cache\n" + LESS, "less(s.left, m)", True),
        (LESS + "def outer(n, m):\n    return less(n, m)", "outer(s.left, m)", True),
        (LESS + "class Pile:\n    less = less", "Pile.less(s.left, m)", True),
    ],
)
def test_rules_that_call_numba_are_waited_for(head, body, expected, tmp_path):
    text = PILE.replace("s.left - m", body)
    (tmp_path / "pile.py").write_text(f"import functools\nfrom numba import njit\n{head}\n{text}")
    assert calls_numba(load(tmp_path / "pile.py")) is expected


@pytest.mark.parametrize(("error", "code"), [(PlygroundError("no"), 2), (BrokenPipeError(), 141), (KeyError("ours"), 1)])
def test_after_an_error_the_program_ends_at_once_if_the_compiler_runs(error, code, monkeypatch, capsys):
    def run(words):
        cli.leave_running()
        raise error

    monkeypatch.setattr(cli, "_left_running", [])
    monkeypatch.setattr(cli, "_run", run)
    monkeypatch.setattr(cli, "_fault_in_rules", lambda e: None)
    monkeypatch.setattr(cli, "discard_output", lambda stream: None)
    monkeypatch.setattr("os._exit", lambda code: sys.exit(code + 1000))
    with pytest.raises(SystemExit) as left:
        main([])
    assert left.value.code == code + 1000
    assert capsys.readouterr().err.startswith(("plyground: no", "Traceback") if code < 100 else "")
