"""Wrong states, moves, limits, levels and sizes: one line that says what would be right."""

import random
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from here import DATA
from plyground import GameError, PlygroundError, load
from plyground.cli import main
from plyground.engine.engine import Engine
from plyground.kernels.solve.solver_table import ExactTable
from plyground.play import checked
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.players.spec import make_player
from plyground.rules.game import Game
from plyground.rules.load import builtin_games
from plyground.solver.book import make_book
from plyground.solver.prover import Prover, prove
from plyground.solver.solver import Solver
from plyground.solver.tablebase import solve_tablebase
from plyground.system.machine import free_memory

NOT_STATES = ["4455", 7, (), (1, 2), [0, 0], {"mine": 0}, object(), b"x"]
NOT_LIMITS = [5, 0, "1", 0.5, {"time": 1}, (1,), True, ""]


def refused(job, *words):
    """The one line with which a job is refused."""
    with pytest.raises(PlygroundError) as e:
        job()
    told = str(e.value)
    assert "\n" not in told
    for word in words:
        assert word in told
    return told


# -- limits ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["depth", "nodes", "moves_left"])
@pytest.mark.parametrize("value", ["3", True, False, 0, -1, 2.5, 3.0, [], float("nan")])
def test_a_limit_in_whole_numbers(name, value):
    told = refused(lambda: Limit(**{name: value}))
    assert told == f"{name} must be a whole number from 1 up, not {value!r}"


@pytest.mark.parametrize("name", ["time", "clock"])
@pytest.mark.parametrize("value", ["3", True, 0, -1, -0.5, float("nan"), float("inf"), [], 1j, np.zeros(2)])
def test_a_limit_in_seconds(name, value):
    told = refused(lambda: Limit(**{name: value}))
    assert told.startswith(f"{name} must be a number of seconds above 0, not ")


@pytest.mark.parametrize("value", ["0", True, -1, float("nan"), None])
def test_an_increment(value):
    refused(lambda: Limit(clock=1, increment=value), "increment must be a number of seconds from 0 up, not ")


def test_infinite_is_yes_or_no():
    refused(lambda: Limit(infinite="yes"), "infinite must be True or False, not 'yes'")


def test_numbers_of_other_types_are_numbers():
    limit = Limit(depth=np.int64(3), time=np.float32(0.5), nodes=np.uint8(9))
    assert limit.budget() == (0.5, 0.5)
    refused(lambda: Limit(time=Decimal("nan")), "time must be")


# -- the engine --------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine():
    return Engine("connect4", memory=1, seed=0)


def ways(engine):
    """Every way to ask an engine."""
    return [engine.choose, engine.analyse, lambda *a, **k: engine.start(*a, **k).result()]


@pytest.mark.parametrize("s", NOT_STATES)
def test_the_engine_is_given_something_else_than_a_state(engine, s):
    for ask in ways(engine):
        refused(lambda ask=ask: ask(s, Limit(depth=1)), "not a state of connect4", "game.start()")


def test_a_state_of_another_game(engine):
    refused(lambda: engine.choose(load("chess").start(), Limit(depth=1)), "is not a State of this game")


def test_the_fields_of_a_state_are_checked(engine):
    start = engine.game.start()
    for wrong in ("x", 1.5, 1 << 70, None):
        refused(lambda wrong=wrong: engine.choose(start._replace(**{start._fields[0]: wrong}), Limit(depth=1)), start._fields[0])


def test_a_position_that_cannot_be(engine):
    """Both sides on one cell, a stone in the air."""
    start = engine.game.start()
    for bits in ((1, 1), (1 << 3, 0)):
        for ask in ways(engine):
            refused(lambda ask=ask, bits=bits: ask(type(start)(*bits), Limit(depth=1)), "connect4")


def test_a_finished_game(engine):
    over = Match(engine.game, moves="4142434").s
    for ask in ways(engine):
        refused(lambda ask=ask: ask(over, Limit(depth=1)), "the game is over")


def test_where_dice_are_to_be_thrown():
    e = Engine("backgammon", memory=1)
    refused(lambda: e.choose(None, Limit(depth=1)), "chance is to move")


@pytest.mark.parametrize("limit", NOT_LIMITS)
@pytest.mark.parametrize("level", [3, 10])
def test_the_engine_is_given_something_else_than_a_limit(level, limit):
    e = Engine("connect4", memory=1, level=level)
    for ask in ways(e):
        refused(lambda ask=ask: ask(None, limit), "limit must be a Limit, such as Limit(time=1)")


@pytest.mark.parametrize("level", [0, 11, -1, "5", 5.5, True, None])
def test_levels(level):
    refused(lambda: Engine("connect4", level=level), "level must be a whole number from 1 to 10, not ")


@pytest.mark.parametrize("threads", [0, 257, "2", 1.5, True, None])
def test_threads(threads):
    for make in (Engine, Solver):
        refused(lambda make=make: make("connect4", threads=threads), "threads must be a whole number from 1 to 256, not ")


@pytest.mark.parametrize("lines", [-1, "2", 1.5, True, None])
def test_lines(engine, lines):
    refused(lambda: engine.analyse(None, Limit(depth=1), lines=lines), "lines must be a whole number from 0 up, not ")


@pytest.mark.parametrize("history", ["4455", 3, None, ["4455"], [None], load("connect4").start()])
def test_the_states_before(engine, history):
    refused(lambda: engine.choose(None, Limit(depth=1), history), "history")


def test_a_state_of_the_same_rules_loaded_twice_is_one(engine):
    other = Game(__import__("plyground.games.connect4", fromlist=["x"]), "connect4")
    assert other.State is not engine.game.State
    assert engine.choose(other.start(), Limit(depth=1)) in range(7)


@pytest.mark.parametrize("name", builtin_games())
def test_every_state_of_a_game_is_taken(name):
    game, dice = load(name), random.Random(3)
    for _ in range(3):
        match = Match(game)
        while match.result is None and len(match.moves) < 120:
            assert game.identity(checked.state(game, match.s)) == game.identity(match.s)
            match.play(dice.choice(match.legal()))


# -- other searchers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", NOT_STATES)
def test_solver_and_prover_are_given_something_else_than_a_state(s):
    refused(lambda: Solver("connect4", memory=1).solve(s), "not a state of connect4")
    refused(lambda: prove("tictactoe", s, memory=1), "not a state of tictactoe")


def test_the_solver_is_given_a_position_that_cannot_be():
    solver = Solver("connect4", memory=1)
    start = solver.game.start()
    refused(lambda: solver.solve(type(start)(1, 1)), "connect4")


@pytest.mark.parametrize("limit", NOT_LIMITS)
def test_solver_and_prover_are_given_something_else_than_a_limit(limit):
    refused(lambda: Solver("connect4", memory=1).solve(None, limit), "limit must be a Limit")
    refused(lambda: prove("tictactoe", None, limit, memory=1), "limit must be a Limit")


@pytest.mark.parametrize("game", [None, 3, ["connect4"], b"connect4"])
def test_something_else_than_a_game(game):
    for make in (load, Engine, Solver, Prover):
        refused(lambda make=make: make(game), "does not name a game; write chess")


# -- moves -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("m", [9, -1, 3.0, True, None, [3]])
def test_an_illegal_move_is_told_with_the_legal_ones(m):
    match = Match(load("connect4"))
    told = refused(lambda: match.play(m), f"{m!r} is not a legal move here; legal: 3 (4), 2 (3), 4 (5)")
    assert "…" not in told
    assert match.moves == []


def test_no_move_is_legal_at_the_end():
    refused(lambda: Match(load("connect4"), moves="4142434").play(3), "3 is not a legal move here; the game is over")


def test_a_match_is_given_a_name_a_state_or_nonsense():
    s = Match("connect4", moves="44").s
    assert Match(load("connect4"), s).s == s
    for wrong in [x for x in NOT_STATES if not isinstance(x, str)]:
        refused(lambda wrong=wrong: Match("connect4", wrong), "not a state of connect4")
    refused(lambda: Match("connect4", "nonsense"), "not a state of connect4")
    refused(lambda: Match(3), "does not name a game")


def test_a_move_of_another_integer_type_is_one():
    match = Match(load("connect4"))
    match.play(np.int64(3))
    assert [type(m) for m in match.moves] == [int]


# -- paths -------------------------------------------------------------------------------------------------------------------


def test_a_game_by_a_path(rules_file, tmp_path, monkeypatch):
    text = (DATA / "textbook" / "tug.py").read_text()
    path = rules_file(text)
    assert load(path) is load(str(path))
    assert Engine(path, memory=1).game is load(path)
    monkeypatch.chdir(tmp_path)
    assert load(Path("mygame.py")) is load(path)
    odd = tmp_path / "a (copy)"
    odd.mkdir()
    (odd / "mygame.py").write_text(text)
    assert load(odd / "mygame.py") is load(str(odd / "mygame.py"))
    assert load(load(odd / "mygame.py").spec).name == "mygame"


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        *((path, "no such file") for path in ("none.py", "connect4", "~nobody-at-all/x.py", "x" * 3000 + ".py", "\0.py")),
        (".", "this folder has no rules.py; the folder of a game needs one"),
    ],
)
def test_a_path_without_a_file(path, complaint):
    for spec in (Path(path), f"./{path}" if not path.startswith("~") else path):
        with pytest.raises(GameError, match=complaint):
            load(spec)


# -- memory ------------------------------------------------------------------------------------------------------------------

TOO_MUCH = 10 * int(free_memory() or 100_000)


def test_free_memory_is_less_than_all(monkeypatch, tmp_path):
    free = free_memory()
    assert free is not None
    assert 10 < free < 1 << 24
    (tmp_path / "meminfo").write_text("MemTotal: 2048000 kB\nMemAvailable: 1024000 kB\n")
    monkeypatch.setattr("plyground.system.machine.MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr("plyground.system.machine.GROUPS", tmp_path)
    assert free_memory() == 1000
    (tmp_path / "memory.max").write_text("max\n")
    assert free_memory() == 1000
    (tmp_path / "memory.max").write_text(f"{700 << 20}\n")
    (tmp_path / "memory.current").write_text(f"{600 << 20}\n")
    (tmp_path / "memory.stat").write_text(f"anon 5\ninactive_file {50 << 20}\n")
    assert free_memory() == 150
    monkeypatch.setattr("plyground.system.machine.MEMINFO", tmp_path / "none")
    assert free_memory() == 150


@pytest.mark.parametrize(
    "make",
    [
        lambda mb, folder: Engine("connect4", memory=mb),
        lambda mb, folder: Solver("connect4", memory=mb),
        lambda mb, folder: Prover("tictactoe", memory=mb),
        lambda mb, folder: prove("tictactoe", memory=mb),
        lambda mb, folder: make_book(load("tictactoe"), 2, folder / "x", memory=mb),
        lambda mb, folder: solve_tablebase(load("nim"), folder / "x", memory=mb),
        lambda mb, folder: make_player(f"engine:memory={mb}", load("nim")),
    ],
)
def test_more_memory_than_there_is_is_refused_before_anything_is_done(make, tmp_path, monkeypatch):
    monkeypatch.setattr("plyground.compile.native.Native.bind", lambda *a, **k: pytest.fail("something was compiled"))
    monkeypatch.setattr(ExactTable, "__init__", lambda *a, **k: pytest.fail("a table was made"))
    told = refused(lambda: make(TOO_MUCH, tmp_path), f"{TOO_MUCH:,} MB does not fit into memory", "MB are free; use less")
    assert f"{free_memory():,.0f}"[:2] in told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words",
    [
        ["analyse", "connect4", "--depth", "2"],
        ["solve", "connect4", "--moves", "444444"],
        ["solve", "connect4", "--batch", "/dev/null"],
        ["solve", "gomoku", "--proof"],
        ["solve", "nim", "--table", "x.ply"],
        ["book", "tictactoe", "--plies", "2", "--file", "x.book"],
    ],
)
def test_every_command_with_memory_refuses_too_much(words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--memory", str(TOO_MUCH)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert f"{TOO_MUCH:,} MB does not fit into memory" in err


@pytest.mark.parametrize("memory", [0, -1, "x", "64", True, float("nan"), float("inf"), None])
def test_a_size_is_a_number_above_0(memory):
    for make in (Engine, Solver, Prover):
        refused(lambda make=make: make("tictactoe", memory=memory), "memory must be a number of MB above 0, not ")


def test_a_table_needs_no_more_than_is_free_where_nothing_is_said(tmp_path, monkeypatch):
    """The usual 4096 MB are a limit, not a need."""
    monkeypatch.setattr("plyground.solver.tablebase.run.free_memory", lambda: 200.0)
    assert solve_tablebase(load("nim"), tmp_path / "x").states > 10
