"""`plyground new`: the game that it writes is whole, its test passes, and nothing is overwritten."""

import json
import os
import subprocess
import sys

import pytest

from here import ROOT
from plyground import load
from plyground.check import check
from plyground.cli import main
from plyground.play.match import Match
from plyground.rules.hooks import HOOKS

REQUIRED = [name for name, hook in HOOKS.items() if hook.required]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty folder to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_game_is_whole_and_holds(here, capsys):
    assert main(["new", "my_game"]) == 0
    out = capsys.readouterr().out
    assert "plyground play ./my_game.py" in out
    assert sorted(p.name for p in here.iterdir()) == ["my_game.py", "test_my_game.py"]
    game = load("./my_game.py")
    assert {"State", *REQUIRED, "BOARD", "evaluate", "format_move"} <= set(game.rules)
    assert (game.title, game.sides) == ("My game", ("X", "O"))
    assert game.summary.startswith("My game: ")
    assert game.rule_text
    assert "{{" not in (here / "my_game.py").read_text() + (here / "test_my_game.py").read_text()
    assert check(game, games=20).problems == []
    assert Match(game, moves="b2 A1 c 3").move_texts() == ["b2", "a1", "c3"]


def test_every_rule_has_a_comment(here):
    main(["new", "mygame"])
    game = load("./mygame.py")
    for name in (*REQUIRED, "evaluate", "format_move"):
        assert game.rules[name].__doc__, name


def test_its_test_passes_and_its_lint_is_clean(here):
    assert main(["new", "mygame"]) == 0
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mygame.py"]
    done = subprocess.run(run, capture_output=True, text=True, env=env, cwd=here)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout
    for words in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *words, "--config", str(ROOT / "pyproject.toml"), "--no-cache", "."]
        done = subprocess.run(ruff, capture_output=True, text=True, cwd=here)
        assert done.returncode == 0, done.stdout


def test_it_plays(here):
    assert main(["new", "mygame"]) == 0
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    play = [sys.executable, "-m", "plyground", "play", "./mygame.py", "--side", "both"]
    done = subprocess.run(play, input="a1\na2\nb1\nb2\nc1\n", capture_output=True, text=True, env=env, cwd=here)
    assert done.returncode == 0, done.stderr
    assert "X wins" in done.stdout


def test_a_folder_may_be_named(here, capsys):
    (here / "games").mkdir()
    assert main(["new", "games/mygame.py", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"rules": "games/mygame.py", "test": "games/test_mygame.py"}
    assert load("games/mygame.py").title == "Mygame"


@pytest.mark.parametrize("there", ["mygame.py", "test_mygame.py"])
def test_nothing_is_overwritten(here, capsys, there):
    (here / there).write_text("mine")
    assert main(["new", "mygame"]) == 2
    assert f"{there} already exists and is not overwritten" in capsys.readouterr().err
    assert (here / there).read_text() == "mine"
    assert len(list(here.iterdir())) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("My Game", "is not a valid name"),
        ("2048", "is not a valid name"),
        ("class", "is not a valid name"),
        ("", "is not a valid name"),
        ("random", "is the name of a Python module"),
        ("test_mine", "is the name of a Python module or a test"),
        ("nowhere/mygame", "there is no folder 'nowhere'"),
    ],
)
def test_a_name_that_would_not_do_is_refused(here, capsys, name, told):
    assert main(["new", name]) == 2
    err = capsys.readouterr().err
    assert told in err
    assert err.count("\n") == 1
    assert list(here.iterdir()) == []
