"""Ctrl-C: whatever was found up to then is printed or kept, and never a traceback."""

import itertools
import json
import pkgutil
import signal
import subprocess
import sys
import threading

import pytest

from plyground.cli import main
from running import wait_until

PLYGROUND = [sys.executable, "-m", "plyground"]


@pytest.fixture
def interrupt(tmp_path):
    """Runs a command that gets Ctrl-C once it has printed a text; exit code, stdout and stderr."""

    def run(*words, after):
        files = [tmp_path / "stdout", tmp_path / "stderr"]
        with files[0].open("wb") as out, files[1].open("wb") as err:
            process = subprocess.Popen([*PLYGROUND, *words], stdin=subprocess.PIPE, stdout=out, stderr=err)
        with process:
            wait_until(lambda: process.poll() is not None or after in "".join(file.read_text() for file in files))
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            process.wait()
        texts = [file.read_text() for file in files]
        assert "Traceback" not in texts[1]
        return process.returncode, *texts

    return run


def test_analyse_prints_what_it_has(interrupt):
    code, out, _ = interrupt("analyse", "chess", "--infinite", "--evaluate", "rules", after=" nodes/s ")
    assert code == 0
    assert out.splitlines()[-2].startswith("white to move: ")
    assert out.splitlines()[-1].startswith("line: ")


def run_here(monkeypatch, *words):
    """The exit code of a command; where it leaves at once because a job still runs, as native code would, we stay."""
    monkeypatch.setattr("os._exit", lambda code: sys.exit(code))
    try:
        return main(list(words))
    except SystemExit as e:
        return e.code


@pytest.fixture
def ctrl_c(monkeypatch, capsys, interrupt_main):
    """Runs a command in which a function, at its n-th call, brings Ctrl-C and then hangs; exit code, stdout and stderr."""
    released = threading.Event()

    def run(*words, at, call):
        module, _, name = at.rpartition(".")
        place = pkgutil.resolve_name(module)
        original, calls = getattr(place, name), itertools.count(1)

        def stub(*args, **options):
            if next(calls) == call:
                interrupt_main()
                released.wait()
            return original(*args, **options)

        monkeypatch.setattr(place, name, stub)
        return run_here(monkeypatch, *words), *capsys.readouterr()

    yield run
    released.set()


def test_compare_prints_the_rows_that_are_done(ctrl_c):
    words = ("compare", "tictactoe", "--depth", "3", "--algorithms", "alphabeta,minimax,pvs")
    code, out, err = ctrl_c(*words, at="plyground.textbook.compare._row", call=3)
    assert code == 130
    assert [line.split()[0] for line in out.splitlines()[3:]] == ["alphabeta", "minimax"]
    assert err == "stopped: 2 of 3 algorithms finished\n"


def test_compare_prints_its_json(ctrl_c):
    words = ("compare", "tictactoe", "--depth", "3", "--algorithms", "alphabeta,minimax,pvs", "--json")
    code, out, _ = ctrl_c(*words, at="plyground.textbook.compare._row", call=2)
    assert code == 130
    assert [row["algorithm"] for row in json.loads(out)["rows"]] == ["alphabeta"]
    assert json.loads(out)["stopped"] is True


def test_check_tells_what_it_has_checked(ctrl_c):
    code, out, err = ctrl_c("check", "nim", "--games", "9", at="plyground.check.checker.Checker.play", call=4)
    assert code == 130
    assert "nim passes" in out
    assert ": 3 random games, " in out
    assert err.splitlines()[-1] == "stopped: 3 of 9 games checked"


def test_perft_tells_the_moves_that_are_counted(ctrl_c):
    words = ("perft", "tictactoe", "3", "--interpreted", "--json")
    code, out, err = ctrl_c(*words, at="plyground.measure.perft.options", call=40)
    found = json.loads(out)
    assert code == 130
    assert found["stopped"] is True
    assert 0 < len(found["divide"]) < 9
    assert set(found["divide"].values()) == {56}
    assert found["leaves"] == 56 * len(found["divide"])
    assert err == f"stopped: {len(found['divide'])} of 9 moves counted\n"


def test_perft_keeps_the_leaves_when_a_further_count_is_stopped(ctrl_c):
    words = ("perft", "tictactoe", "3", "--interpreted", "--distinct")
    code, out, _ = ctrl_c(*words, at="plyground.measure.perft.distinct_interpreted", call=1)
    assert code == 130
    assert "depth 3: 504 leaves" in out


def test_bench_prints_the_games_that_are_measured(ctrl_c, monkeypatch):
    monkeypatch.setattr("plyground.measure.perft.BENCH_SECONDS", 0.01)
    monkeypatch.setattr("plyground.measure.perft.start_times", lambda spec: (1.0, 0.5))
    code, out, err = ctrl_c("bench", "nim(heaps=2)", "nim", at="plyground.cli.bench.measure", call=2)
    assert code == 130
    assert out.splitlines()[-1].startswith("nim(heaps=2)")
    assert err.splitlines()[-1] == "stopped: 1 of 2 games measured"


def test_explain_shows_the_tree_as_far_as_it_has_grown(ctrl_c, tmp_path):
    words = ("explain", "tictactoe", "--depth", "3", "--out", str(tmp_path / "t.html"))
    code, out, err = ctrl_c(*words, at="plyground.textbook.trace.Recorder.leaf", call=30)
    assert code == 130
    assert "no value yet" in out
    assert "├─" in out
    assert "t.html was not written" in err
    assert not list(tmp_path.iterdir())


def test_web_keeps_the_pages_that_are_written(ctrl_c, tmp_path):
    words = ("web", "tictactoe", "nim", "--out", str(tmp_path / "games"), "--json")
    code, out, err = ctrl_c(*words, at="plyground.web.page", call=2)
    assert code == 130
    assert [page["game"] for page in json.loads(out)["pages"]] == ["tictactoe"]
    assert json.loads(out)["stopped"] is True
    assert err.splitlines()[-1] == "stopped: 1 of 2 pages written"
    assert [path.name for path in (tmp_path / "games").iterdir()] == ["tictactoe.html"]


def test_the_library_stops_its_search_before_it_passes_ctrl_c_on(interrupt_main):
    """A program of one's own that catches Ctrl-C around `choose` can ask the same engine again."""
    from plyground.engine.engine import Engine
    from plyground.play.limit import Limit

    engine = Engine("connect4", memory=1, perfect=False)
    engine.prepare()
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        engine.choose(limit=Limit(infinite=True), on_report=lambda report: interrupt_main())
    until_all_end(before)
    assert engine.choose(limit=Limit(nodes=1000)) in engine.game.legal(engine.game.start())


def until_all_end(before):
    """Waits until all jobs have ended that were started since; `Thread.is_alive` would not tell."""
    wait_until(lambda: all(thread.name != "plyground-worker" for thread in set(threading.enumerate()) - before))


def test_a_proof_stops_before_it_passes_ctrl_c_on(interrupt_main):
    from plyground.solver.prover import Prover

    prover = Prover("gomoku", memory=4)
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        prover.prove(on_progress=lambda progress: interrupt_main())
    assert prover.last.value == "unknown"
    until_all_end(before)


def test_a_table_goes_on_where_it_was_stopped(interrupt_main, monkeypatch, tmp_path):
    from plyground import load
    from plyground.solver.tablebase import run, solve_tablebase

    report, calls = run._Run.report, itertools.count(1)

    def stub(self, *args):
        if next(calls) == 5:
            interrupt_main()
        report(self, *args)

    monkeypatch.setattr(run._Run, "report", stub)
    game, file = load("connect4(rows=4, cols=4, k=3)"), tmp_path / "board.ply"
    before = set(threading.enumerate())
    with pytest.raises(KeyboardInterrupt):
        solve_tablebase(game, file, every=0, block=64)
    until_all_end(before)
    assert [p.name for p in tmp_path.iterdir()] == ["board.ply.part"]
    assert solve_tablebase(game, file).states > 1000
    assert [p.name for p in tmp_path.iterdir()] == ["board.ply"]


def test_a_book_goes_on_where_it_was_stopped(interrupt_main, capsys, monkeypatch, tmp_path):
    from plyground.solver.solver import Solver

    solve, calls = Solver.solve, itertools.count(1)

    def stub(self, *args, **options):
        if next(calls) == 20:
            interrupt_main()
        return solve(self, *args, **options)

    monkeypatch.setattr(Solver, "solve", stub)
    words = ["book", "connect4(rows=4, cols=4)", "--plies", "4", "--file", str(tmp_path / "small.book"), "--memory", "1"]
    before = set(threading.enumerate())
    assert run_here(monkeypatch, *words) == 130
    assert "stopped: run the same command again to resume from" in capsys.readouterr().err
    until_all_end(before)
    assert main(words) == 0
    assert "small.book" in capsys.readouterr().out
    assert [p.name for p in tmp_path.iterdir()] == ["small.book"]
