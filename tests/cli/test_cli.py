"""The command line: what it prints, its exit codes, what it loads, and how it is left."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from here import DATA
from plyground import load
from plyground.cli import commands, main
from plyground.rules.load import builtin_games
from running import read_until

PLYGROUND = [sys.executable, "-m", "plyground"]


def run(capsys, *words):
    """Exit code, stdout and stderr of a command."""
    code = main(list(words))
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys, *words):
    code, out, _ = run(capsys, *words, "--json")
    assert out.count("\n") == 1
    return code, json.loads(out)


def shell(*words, **options):
    return subprocess.run([*PLYGROUND, *words], capture_output=True, text=True, **options)


# -- a fast start --------------------------------------------------------------------------------------------------------------

HEAVY = "import sys; heavy = {'numba', 'numpy', 'llvmlite', 'rich'} & set(sys.modules); assert not heavy, heavy"


@pytest.mark.parametrize(
    "code",
    [
        "import plyground",
        "from plyground.cli import main; main(['--help'])",
        "from plyground.cli import main; main(['--version'])",
        "from plyground.cli import main; main(['nosuch'])",
    ],
)
def test_no_compiler_is_loaded(code):
    subprocess.run([sys.executable, "-c", f"{code}\n{HEAVY}"], check=True, capture_output=True)


PROTOCOLS = ("uci", "ugi", "gomocup", "hub", "nboard")
"""Commands that answer as their protocol says."""


@pytest.mark.parametrize("command", commands())
def test_help(command):
    quiet = "import contextlib\nfrom plyground.cli import main\nwith contextlib.suppress(SystemExit):"
    code = f"{quiet}\n    main(['{command}', '--help'])"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{HEAVY}"], check=True, capture_output=True, text=True)
    assert done.stdout.startswith(f"usage: plyground {command}")
    assert ("--json" in done.stdout) == (command not in PROTOCOLS)


def test_the_overview_names_every_command(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    assert {"games", "check", "perft", "play", "bench"} <= set(commands())
    assert all(f"\n  {command} " in out for command in commands())


# -- what it prints ------------------------------------------------------------------------------------------------------------


def test_games(capsys):
    _, out, _ = run(capsys, "games")
    assert "connect4" in out
    assert "rows=6, cols=7, k=4" in out
    _, found = run_json(capsys, "games")
    (nim,) = [game for game in found["games"] if game["name"] == "nim"]
    assert nim["title"] == "Nim"
    assert nim["parameters"] == {"heaps": 3, "size": 5, "misere": 0}
    assert nim["summary"].startswith("Nim: take any number of stones")


def test_perft(capsys):
    code, found = run_json(capsys, "perft", "tictactoe", "9", "--finished", "--distinct")
    assert code == 0
    assert (found["game"], found["depth"], found["leaves"]) == ("tictactoe", 9, 127_872)
    assert (found["finished"], found["distinct"]) == (255_168, 78)
    assert found["seconds"] > 0
    _, out, _ = run(capsys, "perft", "tictactoe", "3", "--moves", "b2 a1", "--divide")
    assert "c3: 30\n" in out
    assert "depth 3: 210 leaves" in out


@pytest.mark.parametrize("more", [[], ["--interpreted"]])
def test_perft_of_a_state(capsys, more):
    _, found = run_json(capsys, "perft", "nim", "2", "--state", "0-1-2", "--divide", "--distinct", "--finished", *more)
    assert found["state"] == "0-1-2"
    assert found["divide"] == {"b1": 2, "c1": 2, "c2": 1}
    assert (found["leaves"], found["finished"], found["distinct"]) == (5, 2, 3)
    assert run_json(capsys, "perft", "nim", "0", *more)[1]["leaves"] == 1
    assert run_json(capsys, "perft", "nim", "3", "--state", "0-0-0", *more)[1]["leaves"] == 0


def test_check(capsys, rules_file):
    code, found = run_json(capsys, "check", "nim", "--games", "3")
    assert code == 0
    assert (found["game"], found["ok"], found["games"], found["problems"]) == ("nim", True, 3, [])
    text = TAKE_STONES.replace("-1 if s.stones == 0", "-1 if s.stones << 62 == 0")
    path = str(rules_file(text))
    code, found = run_json(capsys, "check", path, "--games", "3")
    assert code == 1
    assert set(found["problems"][0]) == {"rule", "message", "moves", "state"}
    code, out, _ = run(capsys, "check", path, "--games", "3")
    assert code == 1
    replay = next(line for line in out.splitlines() if line.startswith("  replay plyground "))
    import shlex

    assert main(shlex.split(replay)[2:]) == 0
    assert "mygame breaks 1 of the contract's rules" in out


TAKE_STONES = (DATA / "rules" / "take_stones.py").read_text(encoding="utf-8")


def test_bench(capsys, monkeypatch):
    monkeypatch.setattr("plyground.measure.perft.BENCH_SECONDS", 0.01)
    code, found = run_json(capsys, "bench", "nim(heaps=2)")
    assert code == 0
    (one,) = found["games"]
    assert one["game"] == "nim(heaps=2)"
    assert one["ratio"] > 0
    assert one["leaves"] > 0


# -- what goes wrong -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["perft", "nosuch", "3"], "there is no game named 'nosuch'"),
        (["perft", "nim", "-1"], "must be a whole number from 0 to 1000, not '-1'"),
        (["perft", "nim", "three"], "must be a whole number"),
        (["perft", "nim", "99999999999999999999"], "must be a whole number"),
        (["perft", "nim", "3", "--state", "9-9"], "'9-9' is not a state of nim"),
        (["perft", "nim", "3", "--moves", "a1 z9"], "'z9' is not a legal move here"),
        (["perft", "nim", "3", "--wrong"], "unrecognized arguments: --wrong; see plyground perft --help"),
        (["perft", "nim"], "the following arguments are required: DEPTH"),
        (["perf"], "there is no command 'perf'; did you mean perft?"),
        (["foo"], "there is no command 'foo'; the commands are analyse, arena"),
        (["check", "nim", "--games", "0"], "argument --games: must be a whole number from 1 to 1000000"),
        (["check", "./nosuch.py"], "./nosuch.py: no such file"),
        (["check", "tests/data/broken/try_except.py"], "try_except.py:21: "),
        (["check", "tests/data/broken/no_play.py", "--json"], "`play` is missing"),
        (["play", "nim", "--against", "nobody"], "there is no player 'nobody'"),
        (["play", "nim", "--side", "third"], "invalid choice: 'third'"),
        (["play", "--load", "/nosuch/file"], "cannot be read"),
        (["play", "nim", "--state", "1,2,3", "--load", "x"], "--load resumes a game; leave out --state"),
        (["play", "nim", "--state", "x"], "'x' is not a state of nim"),
    ],
)
def test_one_line_and_exit_code_2(capsys, monkeypatch, request, words, told):
    monkeypatch.chdir(request.config.rootpath)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    lines = [line for line in err.splitlines() if not line.startswith("Compiling")]
    assert len(lines) == 1
    assert lines[0].startswith("plyground: ")
    assert told in lines[0]


def test_debug_shows_the_whole(capsys):
    for words in (["perft", "nosuch", "3", "--debug"], ["--debug", "perft", "nosuch", "3"]):
        code, _, err = run(capsys, *words)
        assert code == 2
        assert "Traceback" in err
        assert err.splitlines()[-1].startswith("plyground: there is no game")


def test_rules_that_fail_later_are_told_with_their_line(capsys, rules_file):
    path = rules_file(TAKE_STONES.replace("State(s.stones - m)", "State(s.stones - (0, m, m, m)[m if s.stones > 5 else 9])"))
    code, _, err = run(capsys, "perft", str(path), "5", "--interpreted")
    assert code == 2
    assert err.startswith("plyground: mygame.py:21: IndexError: ")


# -- how it is left ------------------------------------------------------------------------------------------------------------


def test_a_closed_pipe_is_left_quietly():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*PLYGROUND, "games"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")


def interrupt(*words, after):
    """Exit code and stderr of a command that gets Ctrl-C once it has printed a text."""
    process = subprocess.Popen([*PLYGROUND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    seen = read_until(process.stdout, after)
    process.send_signal(signal.SIGINT)
    rest, _ = process.communicate()
    return process.returncode, (seen + rest).decode()


def test_ctrl_c_at_the_prompt():
    code, told = interrupt("play", "nim", "--side", "both", after=b"to move>")
    assert code == 130
    assert "Traceback" not in told


def test_ctrl_c_while_native_code_runs(rules_file, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    code, told = interrupt("perft", "tictactoe(rows=5, cols=5, k=5)", "20", after=b"Compiling")
    assert code == 130
    assert "Traceback" not in told


# -- play ----------------------------------------------------------------------------------------------------------------------


def test_play_to_the_end():
    done = shell("play", "nim(heaps=1, size=3)", "--side", "first", "--against", "random", input="moves\nnonsense\na3\n")
    assert done.returncode == 0, done.stderr
    assert "a1 a2 a3" in done.stdout
    assert "'nonsense' is not a legal move here; legal: a1, a2, a3 (or type help)" in done.stdout
    assert done.stdout.splitlines()[-1] == "first wins"


def test_play_with_every_order(tmp_path):
    orders = [
        "b1",
        "undo",
        "undo",
        "board",
        "state",
        "help",
        "save",
        f"save {tmp_path}/game.json",
        f"save {tmp_path}/no/x",
        "",
        "b2",
        "quit",
    ]
    done = shell("play", "nim", "--side", "both", input="\n".join(orders))
    assert done.returncode == 0, done.stderr
    assert "3-4-5\n" in done.stdout
    assert "there is no move to take back" in done.stdout
    assert "type save FILE" in done.stdout
    assert "cannot be written" in done.stdout
    assert json.loads((tmp_path / "game.json").read_text())["moves"] == []
    assert sorted(p.name for p in tmp_path.iterdir()) == ["game.json"]
    again = shell("play", "--load", f"{tmp_path}/game.json", "--side", "both", "--json", input="a3\n")
    assert json.loads(again.stdout)["moves"] == ["a3"]
    assert again.returncode == 0


def test_undo_takes_back_no_dice_and_no_move_of_the_other_alone():
    done = shell("play", "2048", "--seed", "3", input="undo\nquit\n")
    assert "there is no move to take back" in done.stdout
    assert done.stdout.count("chance: ") == 2
    done = shell("play", "nim", "--side", "second", "--against", "random", input="undo\nquit\n")
    assert "there is no move to take back" in done.stdout
    assert done.stdout.count("first plays") == 1


def test_watch_the_same_game_twice():
    one, two = (shell("play", "tictactoe", "--side", "none", "--against", "random", "--seed", "5", "--json") for _ in range(2))
    assert json.loads(one.stdout) | {"record": 2} == json.loads(two.stdout)
    assert json.loads(one.stdout)["result"] is not None


def test_play_against_the_textbook():
    done = shell("play", "tictactoe", "--side", "second", "--against", "textbook:alphabeta,depth=3", input="quit\n")
    assert done.returncode == 0, done.stderr
    assert "X plays " in done.stdout


# -- what there is -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", builtin_games())
def test_each_game_tells_its_rules_and_explains_its_parameters(capsys, name):
    code, out, _ = run(capsys, "games", name)
    assert code == 0
    assert "Rules: " in out
    assert max(map(len, out.splitlines())) <= 120
    for parameter, told in load(name).described.items():
        assert told.meaning
        assert told.range
        (line,) = [line for line in out.splitlines() if re.match(rf"{parameter} +{told.default} ", line)]
        assert told.meaning in line
    _, found = run_json(capsys, "games", name)
    assert set(found["described"]) == set(found["parameters"])


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gomoku(size=4)", "gomoku.py: size=4 is out of range; size must be 5 to 22 (cells on a side of the board)"),
        ("gomoku(exact=2)", "gomoku.py: exact=2 is out of range; exact must be 0 or 1 "),
        ("nim(misere=2)", "nim.py: misere=2 is out of range; misere must be 0 or 1 "),
        ("tictactoe(cols=27)", "tictactoe.py: cols=27 is out of range; cols must be 1 to 26 "),
        ("connect4(rows=0)", "connect4.py: rows=0 is out of range; rows must be 1 to 62 "),
    ],
)
def test_a_parameter_out_of_range_is_refused_with_its_range(capsys, spec, told):
    code, _, err = run(capsys, "games", spec)
    assert code == 2
    assert told in err
