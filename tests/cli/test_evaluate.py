"""`--evaluate FILE` of analyse and play."""

import io
import json

import pytest

from evaluations import OWN
from plyground.cli import main


@pytest.fixture
def own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_eval.py").write_text(OWN)
    (tmp_path / "wrong.py").write_text("def evaluate(s):\n    return s.stones\n")
    return tmp_path / "my_eval.py"


@pytest.mark.long
def test_analyse_with_an_evaluation_of_ones_own(own, capsys):
    scores = []
    for more in ([], ["--evaluate", "./my_eval.py"]):
        assert main(["analyse", "nim", "--depth", "1", "--json", *more]) == 0
        scores.append(json.loads(capsys.readouterr().out)["score"])
    assert scores[0] == 0 != scores[1]


def test_play_against_an_evaluation_of_ones_own(own, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("a1\nquit\n"))
    assert main(["play", "nim", "--level", "2", "--evaluate", "my_eval.py", "--json"]) == 0
    players = json.loads(capsys.readouterr().out)["players"]
    assert players == ["person", f"engine:level=2,evaluate={own}"]


@pytest.mark.parametrize("command", ["analyse", "play"])
@pytest.mark.parametrize(("file", "why"), [("none.py", "no such file"), ("wrong.py", "`evaluate` raises AttributeError")])
def test_a_wrong_file_is_one_line(own, capsys, command, file, why):
    assert main([command, "nim", "--evaluate", file]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("plyground: ")
    assert file in err
    assert why in err
    assert err.count("\n") == 1


def test_evaluate_and_against_contradict_each_other(own, capsys):
    assert main(["play", "nim", "--evaluate", "my_eval.py", "--against", "random"]) == 2
    assert "cannot be combined with --against" in capsys.readouterr().err
