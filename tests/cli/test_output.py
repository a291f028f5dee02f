"""Output that cannot show every character, or cannot be written at all: readable text, one line, the usual exit codes."""

import io
import json
import os
import subprocess
import sys
from typing import Any

import pytest

from here import DATA
from plyground.cli import commands, main

PLYGROUND = [sys.executable, "-m", "plyground"]
ENCODINGS = ["ascii", "latin-1"]

PIECES = (DATA / "rules" / "output_pieces.py").read_text(encoding="utf-8")


class Screen:
    """Runs commands with streams of an encoding."""

    def __init__(self, monkeypatch, encoding):
        self.monkeypatch, self.encoding = monkeypatch, encoding

    def stream(self, errors, data=b""):
        return io.TextIOWrapper(io.BytesIO(data), encoding=self.encoding, errors=errors, write_through=True)

    def run(self, *words, typed=b""):
        """Exit code, and what stood on stdout and stderr."""
        out, err = self.stream("strict"), self.stream("backslashreplace")
        for name, stream in (("stdout", out), ("stderr", err), ("stdin", self.stream("strict", typed))):
            self.monkeypatch.setattr(sys, name, stream)
        try:
            code: Any = main(list(words))
        except SystemExit as e:  # --help
            code = e.code
        return code, *(stream.buffer.getvalue().decode(self.encoding) for stream in (out, err))


@pytest.fixture(params=ENCODINGS)
def screen(request, monkeypatch):
    return Screen(monkeypatch, request.param)


@pytest.mark.parametrize("command", commands())
def test_help_can_be_read(screen, command):
    code, out, err = screen.run(command, "--help")
    assert (code, err) == (0, "")
    assert "\\u" not in out


def test_the_overview_can_be_read(screen):
    code, out, _ = screen.run()
    assert code == 0
    assert out.startswith("usage: plyground COMMAND ...")


COMMANDS = {
    "arena": ["arena", "GAME", "random", "random", "--games", "1", "--workers", "1", "--plot", "FOLDER/x.svg"],
    "games": ["games"],
    "completion": ["completion", "bash"],
    "docs": ["docs", "contract"],
    "new": ["new", "FOLDER/fresh"],
    "check": ["check", "GAME", "--games", "2"],
    "perft": ["perft", "GAME", "3", "--divide"],
    "play": ["play", "GAME", "--side", "none", "--against", "random", "--seed", "1"],
    "bench": ["bench", "GAME"],
    "analyse": ["analyse", "GAME", "--depth", "3", "--memory", "1"],
    "solve": ["solve", "GAME", "--all-moves"],
    "solve table": ["solve", "GAME", "--table", "FOLDER/x.ply", "--all-moves"],
    "solve batch": ["solve", "GAME", "--batch", "FOLDER/batch"],
    "book": ["book", "GAME", "--plies", "1", "--file", "FOLDER/x.book"],
    "explain": ["explain", "GAME", "--depth", "2"],
    "compare": ["compare", "GAME", "--depth", "2", "--nodes", "4"],
    "net": ["net", "GAME"],
    "record": ["record", "list"],
    "report": ["report", "GAME", "--games", "2", "--workers", "1"],
    "show": ["show", "GAME"],
    "train": ["train", "GAME", "--games", "20", "--no-match", "--out", "FOLDER/x.net"],
    "web": ["web", "GAME", "--out", "FOLDER/x.html"],
    "web folder": ["web", "GAME", "--out", "FOLDER/pages"],
}
"""Every command on a game whose words are not ASCII."""


PROTOCOLS = {"gomocup", "hub", "nboard", "uci", "ugi"}
"""They write what their protocols say, as bytes: tests/protocols."""


def test_every_command_is_among_them():
    assert {words[0] for words in COMMANDS.values()} | PROTOCOLS == set(commands())


@pytest.mark.parametrize("more", [[], ["--json"]])
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.long) if n == "train" else n for n in COMMANDS])
def test_every_command_prints_something_readable(screen, name, more, rules_file, tmp_path, monkeypatch):
    monkeypatch.setattr("plyground.measure.perft.BENCH_SECONDS", 0.001)
    monkeypatch.setattr("plyground.measure.perft.start_times", lambda spec: (1.0, 1.0))
    (tmp_path / "batch").write_text("coins=3\né\n♔ é\nnicht — so\n", encoding="utf-8")
    game = str(rules_file(PIECES))
    if name == "record":
        screen.run("play", game, "--side", "none", "--against", "random")
    words = [word.replace("GAME", game).replace("FOLDER", str(tmp_path)) for word in COMMANDS[name]]
    code, out, err = screen.run(*words, *more)
    assert code == (1 if name == "solve batch" else 0), err
    assert "Traceback" not in err
    assert out.strip()
    if more:
        for line in out.splitlines():
            json.loads(line)
    elif name not in ("games", "new"):
        assert "\\u" not in out


def test_json_says_the_same_in_every_encoding(screen, rules_file):
    path = str(rules_file(PIECES))
    _, out, _ = screen.run("perft", path, "1", "--divide", "--json")
    assert json.loads(out)["divide"] == {"é": 1, "♔": 1}


def test_signs_have_an_ascii_twin(screen):
    _, out, _ = screen.run("explain", "tictactoe", "--moves", "b2 a1 c3", "--depth", "2")
    assert "|- v a3 min (-inf, inf) = -3 *" in out
    assert "<= -3" in out


def test_errors_can_be_read(screen):
    code, _, err = screen.run("perft", "connect4", "3", "--moves", "♔")
    assert code == 2
    assert err.startswith("plyground: '?' is not a legal move here; legal: 4, 3")
    assert err.count("\n") == 1


def test_what_is_typed_may_be_anything(screen, rules_file):
    """Bytes that the encoding of stdin does not know are a wrong move, not a traceback."""
    path = str(rules_file(PIECES))
    code, out, _ = screen.run("play", path, "--side", "both", typed="♔ü\n#1\nquit\n".encode())
    assert code == 0
    assert "is not a legal move here" in out


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_environment_may_choose_the_encoding(encoding):
    done = subprocess.run(
        [*PLYGROUND, "explain", "tictactoe", "--depth", "1"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0, done.stderr
    assert b"(-inf, inf)" in done.stdout


def test_an_argument_of_undecodable_bytes_is_shown_in_one_line():
    done = subprocess.run([*PLYGROUND, "perft", b"nim", b"1", b"--moves", b"\xff"], capture_output=True)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1


# -- output that cannot be written ---------------------------------------------------------------------------------------------

FULL = "/dev/full"
needs_full = pytest.mark.skipif(not os.path.exists(FULL), reason="the system has no /dev/full")


@needs_full
@pytest.mark.parametrize(
    "words", [["games"], ["games", "--json"], ["perft", "nim", "3", "--interpreted"], ["--help"], ["games", "--help"]]
)
def test_a_full_disk_behind_stdout_is_told_in_one_line(words):
    with open(FULL, "w") as full:
        done = subprocess.run([*PLYGROUND, *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "plyground: the output cannot be written (No space left on device)\n"


@needs_full
@pytest.mark.parametrize(("words", "code"), [(["perft", "nosuch", "3"], 2), (["perft", "nim", "3"], 0)])
def test_a_full_disk_behind_stderr_changes_nothing(words, code, tmp_path):
    environment = {**os.environ, "PLYGROUND_CACHE": str(tmp_path)}  # so that "compiling" is shown
    with open(FULL, "w") as full:
        done = subprocess.run([*PLYGROUND, *words], stdout=subprocess.PIPE, stderr=full, env=environment)
    assert done.returncode == code
    assert bool(done.stdout) == (code == 0)
