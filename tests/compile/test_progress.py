"""Nobody waits for the compiler without knowing: a line that counts down on a terminal, one line elsewhere, and a callback."""

import json
import os
import re
import subprocess
import sys

import pytest

from plyground import Compiling
from plyground.compile import progress
from plyground.measure import perft
from plyground.rules.load import load
from plyground.system.patience import patience
from running import at_terminal

PLYGROUND = [sys.executable, "-m", "plyground"]
LEFT = r"Compiling {} for {} \(first time only\): \d+ s left"
PERFT = "from plyground import load, on_compile; from plyground.measure import perft; perft.native(load('nim'))"


@pytest.fixture
def cold(tmp_path, monkeypatch):
    """An empty cache."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_a_command_counts_down_before_its_result(cold):
    seen, code = at_terminal([*PLYGROUND, "perft", "nim", "3"])
    assert code == 0
    line, result = re.search("\\r" + LEFT.format("nim", "perft"), seen), seen.index("nim, depth 3:")
    assert line.start() < result
    assert seen[:result].endswith("\r\x1b[K")  # it is gone when the result comes
    assert "Compiling" not in at_terminal([*PLYGROUND, "perft", "nim", "3"])[0]


def test_a_python_program_shows_it_on_a_terminal_only(cold):
    seen, code = at_terminal([sys.executable, "-c", PERFT])
    assert code == 0
    assert re.search(LEFT.format("nim", "perft"), seen)


def test_a_python_program_can_turn_it_off(cold):
    assert at_terminal([sys.executable, "-c", PERFT.replace("; perft", "; on_compile(None); perft")]) == ("", 0)


def test_a_python_program_whose_stderr_is_no_terminal_is_silent(cold):
    done = subprocess.run([sys.executable, "-c", PERFT], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_json_stays_json_at_a_terminal(cold, tmp_path):
    with open(tmp_path / "out", "w") as out:
        seen, code = at_terminal([*PLYGROUND, "perft", "nim", "3", "--json"], out)
    assert code == 0
    assert re.search(LEFT.format("nim", "perft"), seen)
    assert json.loads((tmp_path / "out").read_text())["depth"] == 3


@pytest.fixture
def heard(monkeypatch):
    """What a callback hears."""
    seen: list[Compiling] = []
    monkeypatch.setattr(progress, "_listener", None)
    progress.on_compile(seen.append)
    return seen


def test_a_callback_hears_of_each_function(cold, heard):
    perft.native(load("nim"))
    assert [now.functions for now in heard] == [*range(len(heard) - 1), len(heard) - 2]
    assert [now.done for now in heard] == [False] * (len(heard) - 1) + [True]
    assert {(now.game, now.purpose) for now in heard} == {("nim", "perft")}
    assert heard[0].left > 0
    heard.clear()
    perft.native(load("nim"))
    assert heard == []


def test_the_estimate_is_the_pace_of_the_last_time(cold, heard):
    os.makedirs(cold, mode=0o700)
    (cold / "pace.json").write_text('{"perft": 2.0, "search": 1e9, "damaged": 3}')
    perft.native(load("nim"))
    assert heard[0].left > 20
    kept = json.loads((cold / "pace.json").read_text())
    assert 0 < kept["perft"] < 2
    assert kept["search"] == 10


def test_compiling_does_not_count_as_time_of_the_rules(cold):
    game = load("nim")
    with patience("nim.py", 0.05):
        count = perft.native(game)
    assert count(game.start(), 1) == len(game.legal(game.start()))
