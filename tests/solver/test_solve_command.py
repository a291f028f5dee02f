"""`plyground solve`: what it prints, what it refuses, how it is stopped."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from plyground.cli import main
from running import announcing, read_until

FIELDS = ["game", "state", "score", "value", "plies", "bounds", "move", "line", "nodes", "seconds", "moves"]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["solve", *words])
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code, out, _ = run(capsys, *words, "--json")
    assert code == 0
    return json.loads(out)


def test_json_has_the_fields_and_the_usual_count(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "connect4", "--moves", "44555566", "--all-moves", "--no-book")
    assert list(found) == FIELDS
    assert (found["game"], found["value"]) == ("connect4", "win")
    assert found["plies"] % 2 == 1
    assert found["score"] == (44 - 8 - found["plies"]) // 2
    assert found["move"] == found["line"][0] == found["moves"][0]["move"]
    assert len(found["line"]) == found["plies"]
    assert len(found["moves"]) == 7
    assert found["moves"][0]["score"] == found["score"] == max(m["score"] for m in found["moves"])


def test_othello_is_told_in_discs(capsys: pytest.CaptureFixture[str]) -> None:
    board = "--XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOO- O"
    found = run_json(capsys, "othello", "--state", board)
    code, out, _ = run(capsys, "othello", "--state", board)
    assert code == 0
    assert found["value"] == "loss"
    assert found["score"] < 0
    assert f"loses by {-found['score']}" in out
    assert found["plies"] is None


def test_weak_tells_who_wins(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "connect4", "--moves", "44555566", "--weak", "--no-book", "--all-moves")
    assert found["value"] == "win"
    assert {m["score"] for m in found["moves"]} == {None}
    exact = run_json(capsys, "connect4", "--moves", "44555566", "--no-book", "--all-moves")
    assert {m["move"]: m["value"] for m in found["moves"]} == {m["move"]: m["value"] for m in exact["moves"]}
    assert all((m["value"] == "win") == (m["score"] > 0) for m in exact["moves"])


def test_a_batch_answers_line_by_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("# two positions, a wrong one, a finished game\n44555566\n\n4455667x\n445566\n4455667\n")
    code, out, _ = run(capsys, "connect4", "--batch", str(file), "--json", "--no-book")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [row["position"] for row in rows] == ["44555566", "4455667x", "445566", "4455667"]
    assert "neither a state" in rows[1]["error"]
    assert (rows[2]["value"], rows[2]["plies"], rows[2]["score"]) == ("win", 1, 18)
    assert (rows[3]["value"], rows[3]["plies"], rows[3]["nodes"]) == ("loss", 0, 0)
    code, out, _ = run(capsys, "connect4", "--batch", str(file), "--no-book")
    assert code == 1
    assert out.splitlines()[2].startswith("445566  18  ")
    file.write_text("445566\n")
    assert run(capsys, "connect4", "--batch", str(file))[0] == 0


def test_bytes_that_are_no_text_spoil_their_own_line_only(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_bytes(b"\xef\xbb\xbf445566\n\xff\xfe\x00\n  # an indented remark\n445566\n")
    code, out, _ = run(capsys, "connect4", "--batch", str(file), "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert [row.get("score") for row in rows] == [18, None, 18]
    assert rows[1]["number"] == 2


def test_a_batch_of_proofs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("h8 h9 i8 i9 j8 j9\nnonsense\n")
    code, out, _ = run(capsys, "gomoku", "--batch", str(file), "--json")
    rows = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert (rows[0]["position"], rows[0]["value"], list(rows[0])[1:]) == ("h8 h9 i8 i9 j8 j9", "win", FIELDS)
    assert "error" in rows[1]
    code, out, _ = run(capsys, "gomoku", "--batch", str(file), "--proof")
    assert out.splitlines()[0].startswith("h8 h9 i8 i9 j8 j9  win  ")


def test_a_batch_tells_every_move_too(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("44555566\n")
    found = run_json(capsys, "connect4", "--moves", "44555566", "--all-moves")
    _, out, _ = run(capsys, "connect4", "--batch", str(file), "--all-moves")
    assert out.split()[2:9] == [f"{m['move']}={m['score']}" for m in found["moves"]]
    _, out, _ = run(capsys, "connect4", "--batch", str(file), "--all-moves", "--weak")
    assert sorted(out.split()[2:9]) == sorted(f"{m['move']}={m['value']}" for m in found["moves"])


def test_proofs(capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "tictactoe", "--proof")
    assert list(found) == FIELDS
    assert (found["value"], found["score"]) == ("draw", 0)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["chess"], "can repeat positions"),
        (["2048"], "game of chance"),
        (["othello"], "too long to solve"),
        (["connect4", "--moves", "4455667"], "the game is over"),
        (["connect4", "--moves", "9"], "not a legal move"),
        (["connect4", "--state", "XXXXXXX"], "not a state"),
        (["connect4", "--state", "......./......./......./......./......./XX....."], "as many stones as O"),
        (["connect4", "--batch", "nosuchfile"], "No such file"),
        (["connect4", "--batch", "x", "--table", "y"], "cannot be combined"),
        (["connect4", "--batch", "x", "--moves", "44"], "leave out --state and --moves"),
        (["connect4", "--batch", ""], "No such file"),
        (["connect4", "--proof", "--all-moves"], "--proof and --all-moves cannot be combined"),
        (["connect4", "--table", "x", "--threads", "2"], "--table and --threads cannot be combined"),
        (["connect4", "--states", "9"], "--states needs --table"),
        (["connect4", "--state", "......./......./......./......./......./..Q...."], "not a state"),
        (["connect4", "--memory", "1000000"], "does not fit into memory"),
        (["connect4(rows=4, rows=5)"], "rows is given twice"),
        (["connect4", "--time", "-1"], "time must be a number of seconds above 0, not -1.0"),
        (["connect4", "--threads", "0"], "threads must be a whole number from 1 to 256"),
        (["connect4", "--memory", "0"], "a number of MB above 0, not 0.0"),
        (["chess", "--ending", "KQK"], "--table"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(capsys: pytest.CaptureFixture[str], words: list[str], told: str) -> None:
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert told in err


@example(text="0\x850")  # a line break to Python, but not to readers of JSON lines
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(max_size=70) | st.from_regex(r"[1-7]{0,9}", fullmatch=True) | st.from_regex(r"[-XO]{60,66} [XO]", fullmatch=True)
)
def test_any_line_of_a_batch_gets_an_answer(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lines.txt"
    file.write_text(text, encoding="utf-8", errors="replace")
    code, out, err = run(capsys, "connect4", "--batch", str(file), "--json", "--time", "0.02", "--weak")
    assert code in (0, 1), err
    for line in out.removesuffix("\n").split("\n") if out else []:
        assert "error" in (row := json.loads(line)) or row["value"] in ("win", "draw", "loss", "unknown")


def test_a_time_limit_gives_true_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "connect4", "--time", "0.5", "--no-book", "--json")
    found = json.loads(out)
    assert code == 1
    assert (found["score"], found["value"]) == (None, "unknown")
    low, high = found["bounds"]
    assert low <= 1 <= high


def test_ctrl_c_prints_what_is_proven() -> None:
    words = [sys.executable, "-m", "plyground", "solve", "connect4", "--no-book"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    while "nodes" not in (line := process.stderr.readline()):
        assert line, "it ended before it told how far it was"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 1, err
    assert re.search(r"stopped: .*\n[\d,]+ nodes", out)


def test_ctrl_c_in_a_batch_prints_what_is_proven(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text("445566\n4\n445566\n")
    words = announcing(
        "plyground.solver.solving.SolverSearch.solve", "solve", "connect4", "--no-book", "--json", "--batch", str(file)
    )
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["score"] == 18
    read_until(process.stderr, b"has begun", times=2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130, err
    found = json.loads(out)
    assert (found["position"], found["score"]) == ("4", None)
    assert found["bounds"][0] < found["bounds"][1]
