"""Folders and streams that can't be written: one clear line or a result, and the rules are never blamed for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from here import DATA
from plyground.cli import commands, main
from plyground.compile.cache import cache_folder
from plyground.system.streams import json_text

FULL = Path("/dev/full")
PLYGROUND = [sys.executable, "-m", "plyground"]
COMMANDS = {
    "arena": ["arena", "nim", "random", "random", "--games", "1", "--workers", "1"],
    "arena plot": ["arena", "nim", "random", "random", "--games", "1", "--workers", "1", "--plot", "x.svg"],
    "games": ["games"],
    "completion": ["completion", "zsh"],
    "docs": ["docs", "contract"],
    "new": ["new", "fresh"],
    "check": ["check", "nim", "--games", "2"],
    "perft": ["perft", "nim", "3"],
    "play": ["play", "nim", "--side", "none", "--against", "random", "--seed", "1"],
    "bench": ["bench", "nim"],
    "analyse": ["analyse", "nim", "--depth", "3", "--memory", "1"],
    "solve": ["solve", "nim"],
    "solve table": ["solve", "nim", "--table", "x.ply"],
    "book": ["book", "nim", "--plies", "1"],
    "explain": ["explain", "nim", "--depth", "2"],
    "explain page": ["explain", "nim", "--depth", "2", "--out", "x.html"],
    "compare": ["compare", "nim", "--depth", "2", "--nodes", "4"],
    "net": ["net", "connect4"],
    "record": ["record", "list"],
    "report": ["report", "nim", "--games", "2", "--workers", "1"],
    "show": ["show", "nim"],
    "train": ["train", "tictactoe", "--games", "20", "--no-match"],
    "train out": ["train", "tictactoe", "--games", "20", "--no-match", "--out", "x.net"],
    "web": ["web", "nim", "--out", "x.html"],
    "web folder": ["web", "nim", "--out", "pages/deep"],
    "uci": ["uci"],
    "ugi": ["ugi", "nim"],
    "hub": ["hub"],
    "nboard": ["nboard"],
    "gomocup": ["gomocup"],
}
"""Every command, with the kinds of files that it writes into its working directory."""
HELLO = {"uci": "uci", "ugi": "ugi", "hub": "hub", "nboard": "nboard 2", "gomocup": "ABOUT"}
"""Commands that take stdin and stdout for themselves, with a line that each answers: they run in a process of their own."""
SLOW = ("report", "check", "train", "train out", "web", "web folder", "bench", "perft", "solve table")
"""What takes seconds where nothing is cached."""
IN_HERE = {"arena plot", "new", "solve table", "explain page", "train out", "web", "web folder"}
"""What writes into the working directory."""


def test_every_command_is_among_them():
    assert {words[0] for words in COMMANDS.values()} == set(commands())


def but_slow(names):
    return [pytest.param(name, marks=pytest.mark.long) if name in SLOW else name for name in names]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("plyground.measure.perft.BENCH_SECONDS", 0.001)
    monkeypatch.setattr("plyground.measure.perft.start_times", lambda spec: (1.0, 1.0))


def run(name, capsys, stdout=None):
    """The exit code of a command, and its error if it reports one; the rules are to blame for nothing here."""
    words = COMMANDS[name]
    if name in HELLO:
        typed, out = f"{HELLO[name]}\nquit\nEND\n", stdout or subprocess.DEVNULL
        done = subprocess.run([*PLYGROUND, *words], input=typed, stdout=out, stderr=subprocess.PIPE, text=True)
        code, err = done.returncode, done.stderr
    else:
        with pytest.MonkeyPatch.context() as patch:
            if stdout:
                patch.setattr(sys, "stdout", stdout)
            code = main(words)
        err = capsys.readouterr().err
    for blame in ("Traceback", ".py:", "plyground check"):
        assert blame not in err
    errors = [line for line in err.splitlines() if line.startswith("plyground: ") and "are not cached" not in line]
    assert (code, len(errors)) in ((0, 0), (2, 1)), err
    return errors[0].removeprefix("plyground: ") if errors else None


@pytest.fixture
def no_home(monkeypatch, tmp_path):
    """No home, and no other folder for the user's data; what is compiled is cached as usual."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(cache_folder()))
    for variable in ("XDG_DATA_HOME", "XDG_CACHE_HOME", "PLYGROUND_RECORDS"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/dev/null")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_home_that_is_no_folder(name, no_home, capsys):
    folder = "/dev/null/.local/share/plyground"
    cannot = {
        **dict.fromkeys(["arena", "arena plot", "book"], f"{folder}: this folder cannot be created (Not a directory)"),
        "train": f"{folder}/nets: this folder cannot be created (Not a directory)",
        "record": f"{folder}/records.db: there are no records yet; plyground play and plyground arena write them",
    }
    assert run(name, capsys) == cannot.get(name)


@pytest.mark.parametrize("name", ["arena", "book", "train", "record", "analyse", "uci"])
def test_a_home_that_nobody_knows(name, no_home, monkeypatch, capsys):
    """As in a container whose user has no entry in the list of users."""

    def unknown():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", unknown)
    unknown_home = "the home folder of this user is not known; set HOME or XDG_DATA_HOME to a folder"
    assert run(name, capsys) == (None if name == "uci" else unknown_home)


@pytest.mark.parametrize("words", [["--evaluate", "~nobody-here/x.net"], ["--evaluate", "~nobody-here/x.py"]])
def test_the_home_of_an_unknown_user_is_a_missing_file(words, capsys):
    assert main(["analyse", "nim", *words]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"plyground: {words[1]}: ")
    assert "o such file" in err


@pytest.mark.parametrize("name", but_slow(COMMANDS))
def test_a_cache_below_a_file(name, monkeypatch, tmp_path, capsys):
    """Then everything is compiled anew."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "file" / "cache"))
    assert (run(name, capsys) is None) == (name != "record")


@pytest.fixture(params=["read-only", "removed"])
def here(request, monkeypatch, tmp_path):
    """A working directory in which nothing can be written, even as root."""
    folder = Path("/proc")
    if request.param == "removed":
        folder = tmp_path / "folder"
        folder.mkdir()
    monkeypatch.chdir(folder)
    if request.param == "removed":
        folder.rmdir()


@pytest.mark.parametrize("name", COMMANDS)
def test_a_working_directory_that_takes_nothing(name, here, capsys):
    found = run(name, capsys)
    assert (found is not None) == (name in IN_HERE or name == "record")
    if name in IN_HERE:
        assert "No such file or directory" in found


@pytest.mark.skipif(not FULL.exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_behind_stdout(name, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    main(["play", "nim", "--side", "none", "--against", "random"])  # so that there is a record
    capsys.readouterr()
    with open(FULL, "w", encoding="utf-8") as full:
        assert run(name, capsys, full) == "the output cannot be written (No space left on device)"


# -- whose fault it is ---------------------------------------------------------------------------------------------------------

FAULTS = {
    "1 // 0": "ZeroDivisionError: integer division or modulo by zero",
    "put((1, 2), 5, 0)": "IndexError: ",
    "statistics.mean([])": "StatisticsError: mean requires at least one data point",
    "open('/nowhere/at-all')": "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/at-all'",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_the_rules_names_their_line(fault, rules_file, capsys):
    """Also if our functions for rules, or Python's library, raise what the rules made them raise."""
    rules = (DATA / "rules" / "game.py").read_text(encoding="utf-8")
    show = f"def show(s):\n    return {fault} if s.left < 3 else str(s)\n"
    text = f"import statistics\nfrom plyground.bits import put\n{rules}\n\n{show}"
    line = len(text.splitlines())
    path = rules_file(text)
    assert main(["show", str(path), "--moves", "3 2"]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"plyground: {path.name}:{line}: {FAULTS[fault]}")
    assert err.endswith("; `plyground check` finds the moves that lead there\n")


def test_a_fault_of_ours_is_not_blamed_on_the_rules(monkeypatch):
    """Not even if it shows in Python's library."""
    monkeypatch.setattr("plyground.cli.games.run", lambda args: json_text(object()))
    with pytest.raises(TypeError):
        main(["games"])
