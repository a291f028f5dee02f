"""`plyground arena`: its errors, its lines, what Ctrl-C leaves behind, and how a match goes on."""

import json
import re
import shutil
import signal
import subprocess
import sys
from xml.etree import ElementTree

import pytest

from plyground import load
from plyground.cli import main
from plyground.records.store import Records

"""Seconds that a test waits for what must happen, on a busy machine."""
LIMITED = ["nim", "engine:depth=2", "random", "--games", "6", "--seed", "3", "--workers", "1"]


def run(capsys, *words):
    code = main(["arena", *words])
    return code, *capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nim"], "a match needs a game and two players or more, as in plyground arena connect4"),
        (["nim", "random"], "a match needs a game and two players or more"),
        (["nim", "random", "rendom"], "there is no player 'rendom'"),
        (["nimm", "random", "random"], "there is no game named 'nimm'"),
        (["nim", "random", "engine:dept=3"], "'dept=3' is not an option of the engine"),
        (["nim", "random", "engine:evaluate=./no.py"], "./no.py: no such file"),
        (["nim", "random", "random", "--games", "0"], "argument --games: must be a whole number from 1 to 1000000, not '0'"),
        (["nim", "random", "random", "--time", "-1"], "time must be a number of seconds above 0"),
        (["nim", "random", "random", "--sprt", "5"], "--sprt takes two Elo differences, such as 0,10, not '5'"),
        (["nim", "random", "random", "--sprt", "10,0"], "two bounds in Elo, the lower one first"),
        (["nim", "random", "random", "random", "--sprt", "0,10"], "a sequential test compares two players"),
        (["nim", "random", "random", "--model", "logistic"], "--model needs --sprt LOW,HIGH"),
        (["nim", "random", "random", "--openings", "no.txt"], "no.txt: cannot be read"),
        (["nim", "random", "random", "--plot", "no/elo.svg"], "no/elo.svg: cannot be written (there is no folder no)"),
        (["nim", "random", "random", "--cluster", "tcp://h:1", "--workers", "2"], "--workers and --cluster cannot be combined"),
        (["nim", "random", "random", "--resume"], "--resume keeps the settings of the match; leave out GAME and players"),
        (["--resume", "--games", "5"], "--resume keeps the settings of the match; leave out --games"),
        (["--resume"], "there are no records yet"),
        (["--resume", "x"], "argument --resume: must be a whole number"),
        (["nim", "random", "random", "--records", "nim.txt"], "nim.txt: this is not a database, or it is damaged"),
    ],
)
def test_one_line_and_exit_code_2(capsys, monkeypatch, tmp_path, words, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nim.txt").write_text("not a database " * 100)
    code, out, err = run(capsys, *words)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert told in err
    assert [path.name for path in tmp_path.iterdir()] == ["nim.txt"]


def test_a_game_keeps_the_name_that_was_given(capsys, tmp_path):
    opening = tmp_path / "openings.txt"
    opening.write_text("moves: a1\n")
    path = str(tmp_path / "mine.py")
    shutil.copy(str(load("nim").file), path)
    code, out, _ = run(capsys, path, "random", "random", "--games", "2", "--openings", str(opening), "--json")
    assert code == 0
    assert json.loads(out.splitlines()[-1])["game"] == path


def test_no_match_is_unfinished(capsys, tmp_path):
    with Records(tmp_path / "x.db") as records:
        match = records.new_match("arena", "nim", ["random", "random"], {"games": 2}, {}, 1)
        records.end(match, "games")
    for words, told in ((["--resume"], "there is no unfinished match"), (["--resume", "7"], "there is no match 7")):
        code, _, err = run(capsys, *words, "--records", str(tmp_path / "x.db"))
        assert code == 2
        assert told in err


def test_a_match_as_json_and_its_end_once_more(capsys, tmp_path):
    code, out, err = run(capsys, *LIMITED, "--json", "--plot", str(tmp_path / "elo.svg"))
    assert code == 0
    *pairs, summary = map(json.loads, out.splitlines())
    assert [line["pair"] for line in pairs] == [0, 1, 2]
    assert all(line["players"] == ["engine:depth=2", "random"] and len(line["results"]) == 2 for line in pairs)
    assert summary["ended"] == "games"
    assert summary["games"] + summary["duplicates"] + summary["unpaired"] == 6
    assert summary["wins"] + summary["draws"] + summary["losses"] == summary["games"]
    assert summary["llr"] is None
    assert summary["elo_low"] <= summary["elo"] <= summary["elo_high"]
    assert f"to resume it after a stop: plyground arena --resume {summary['match']} --workers 1 --plot" in err
    assert "engine:depth=2 against random" in ElementTree.parse(tmp_path / "elo.svg").getroot()[0].text
    code, out, err = run(capsys, "--resume", str(summary["match"]), "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == summary | {"seconds": 0.0}


def test_three_players_have_standings_and_a_cross_table(capsys):
    code, out, _ = run(capsys, "tictactoe", "random", "engine:depth=9", "random", "--games", "4", "--workers", "1")
    assert code == 0
    standings, cross, *_ = out.split("\n\n")
    assert [line.split()[1] for line in standings.splitlines()[1:2]] == ["engine:depth=9"]
    assert {"random (1)", "random (2)"} <= set(re.findall(r"random \(\d\)", standings))
    assert len(cross.splitlines()) == 4


def stopped(words, after):
    """Runs a command in a process that gets Ctrl-C once it has printed `after` lines."""
    command = [sys.executable, "-m", "plyground", "arena", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        lines = [process.stdout.readline() for _ in range(after)]
        process.send_signal(signal.SIGINT)
        rest, err = process.communicate()
    return process.returncode, [*lines, *rest.splitlines()], err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_and_then_the_printed_command(capsys, tmp_path):
    records = str(tmp_path / "x.db")
    match = ["nim", "textbook:alphabeta,depth=3", "random", "--games", "60", "--seed", "5"]
    code, lines, err = stopped([*match, "--workers", "1", "--records", records, "--json"], after=3)
    assert code == 130
    assert "Traceback" not in err
    summary = json.loads(lines[-1])
    assert summary["ended"] == "stopped"
    kept = int(re.search(r"stopped: (\d+) of 60 games were kept; to resume: ", err)[1])
    assert 6 <= kept < 60
    assert kept - 2 * (len(lines) - 1) in (0, 2)  # Ctrl-C can come between keeping a pair and printing it
    command = err.strip().rpartition("to resume: plyground arena ")[2].split()
    assert command == ["--resume", "1", "--workers", "1", "--records", records, "--json"]
    code, out, _ = run(capsys, *command)
    assert code == 0
    rest = [json.loads(line) for line in out.splitlines()]
    assert [json.loads(line)["pair"] for line in lines[:-1]] == list(range(len(lines) - 1))
    assert [line["pair"] for line in rest[:-1]] == list(range(kept // 2, 30))
    _, out, _ = run(capsys, *match, "--workers", "1", "--records", str(tmp_path / "y.db"), "--json")
    whole = json.loads(out.splitlines()[-1])
    assert whole | {"seconds": 0} == rest[-1] | {"seconds": 0}


def test_a_sequential_test_stops_a_match(capsys):
    words = ["tictactoe", "engine:depth=9", "random", "--sprt", "0,50", "--seed", "1", "--workers", "1"]
    code, out, _ = run(capsys, *words)
    assert code == 0
    assert "engine:depth=9 is stronger than random: " in out
    assert "the test has accepted: +50 normalized Elo explains the results better than +0" in out
