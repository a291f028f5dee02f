"""A records database or a saved game may be anyone's: looking at it runs nothing from it, and playing it asks first."""

import io
import json

import pytest

from plyground.arena.sources import collect
from plyground.cli import main
from plyground.records.store import Records
from plyground.system.codec import encode

RULES = """
from pathlib import Path
from typing import NamedTuple

Path({mark!r}).touch()
SIDES = ("left", "right")


class State(NamedTuple):
    left: int = 3


def start():
    return State()


def moves(s):
    yield from range(1, min(s.left, 2) + 1)


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None
"""


@pytest.fixture
def mark(tmp_path):
    """The file that the rules leave behind when they are run."""
    return tmp_path / "was-run"


@pytest.fixture
def rules(tmp_path, mark):
    file = tmp_path / "heap.py"
    file.write_text(RULES.format(mark=str(mark)))
    return file


GAME = {"side": 0, "players": ["random", "random"], "seed": 1, "moves": ["1", "2"], "result": 1.0, "points": 1, "reason": "rules"}


@pytest.fixture
def database(tmp_path, rules, mark, monkeypatch):
    """Match 1 keeps the text of its rules, match 2 names their file."""
    path = tmp_path / "foreign.db"
    setup = encode(collect(str(rules), ["random", "random"]))
    with Records(path) as records:
        for kept in (setup, None):
            match = records.new_match("arena", str(rules), ["random", "random"], {"games": 4}, kept, seed=1)
            records.add_pair(match, {"pair": 0, "games": [GAME, {**GAME, "side": 1}]})
    mark.unlink()
    monkeypatch.setattr("plyground.rules.load._loaded", {})  # what was loaded once is not run again
    return path


@pytest.mark.parametrize("match", ["1", "2"])
@pytest.mark.parametrize(
    "words", [["list"], ["list", "{}"], ["show", "{}"], ["show", "{}.0.0"], ["export", "{}"], ["list", "{}", "--json"]]
)
def test_looking_at_records_runs_no_rules(database, mark, capsys, words, match):
    code = main(["record", *(word.format(match) for word in words), "--records", str(database)])
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    assert out
    assert not mark.exists()


@pytest.mark.parametrize("match", ["1", "2"])
def test_the_board_is_shown_if_the_rules_are_named_or_trusted(database, rules, mark, capsys, monkeypatch, match):
    show = ["record", "show", f"{match}.0.0", "--records", str(database)]
    assert main(show) == 0
    assert (
        "the board is not shown: its rules are not run; name them with --game FILE.py, or add --trust" in capsys.readouterr().out
    )
    assert main([*show, "--game", str(rules)]) == 0
    assert "left: random" in capsys.readouterr().out
    assert mark.exists()
    mark.unlink()
    monkeypatch.setattr("plyground.rules.load._loaded", {})
    assert main([*show, "--trust"]) == 0
    assert "left: random" in capsys.readouterr().out
    assert mark.exists()


def test_games_that_are_installed_are_shown_at_once(tmp_path, capsys):
    with Records(tmp_path / "x.db") as records:
        match = records.new_match(
            "arena", "tictactoe", ["random", "random"], {}, encode(collect("tictactoe", ["random"])), seed=1
        )
        records.add_pair(match, {"pair": 0, "games": [{**GAME, "moves": ["b2"]}, {**GAME, "side": 1, "moves": ["b2"]}]})
    assert main(["record", "show", "1.0.0", "--records", str(tmp_path / "x.db")]) == 0
    assert "X: random" in capsys.readouterr().out


def resume(database, *words):
    return main(["arena", "--resume", "1", "--workers", "1", "--records", str(database), *words])


def test_a_match_of_another_database_is_resumed_only_if_it_is_trusted(database, mark, capsys):
    assert resume(database) == 2
    refusal = f"match 1 would run rules, evaluations or programs named in {database}; if you trust this file, add --trust"
    assert capsys.readouterr().err == f"plyground: {refusal}\n"
    assert not mark.exists()
    assert resume(database, "--trust") == 0
    assert mark.exists()


@pytest.mark.parametrize(
    ("setup", "players", "job"),
    [
        ({}, ["uci:sh -c 'touch {mark}'", "random"], None),
        ({}, ["random", "random"], ["uci:sh -c 'touch {mark}'", "random"]),
        ({}, ["engine:evaluate={rules}", "random"], None),
        ({"usual": "{rules},depth=1"}, ["engine", "random"], None),
        ({"programs": {"uci:x": ["sh", "-c", "touch {mark}"]}}, ["random", "random"], None),
        ({"files": {"x.py": {"x.py": "import heap"}}}, ["random", "random"], None),
        ({"game": {"spec": "{rules}"}}, ["random", "random"], None),
        ({"game": None}, ["random", "random"], None),
    ],
)
def test_every_way_to_bring_code_is_found(tmp_path, rules, mark, capsys, setup, players, job):
    def filled(value):
        return json.loads(json.dumps(value).replace("{mark}", str(mark)).replace("{rules}", str(rules)))

    with Records(tmp_path / "x.db") as records:
        whole = encode(collect("nim", ["random"])) | filled(setup)
        match = records.new_match("arena", "nim", filled(players), {"games": 2}, whole, seed=1)
        if job:
            fields = {"match": match, "pair": 0, "players": filled(job), "start": None, "opening": [], "seed": 1}
            records.schedule(match, [fields])
    assert resume(tmp_path / "x.db") == 2
    assert "if you trust this file, add --trust" in capsys.readouterr().err
    assert not mark.exists()


def test_a_match_without_files_needs_no_trust(tmp_path, capsys):
    with Records(tmp_path / "x.db") as records:
        records.new_match("arena", "nim", ["random", "random"], {"games": 2}, encode(collect("nim", ["random"])), seed=1)
    assert resume(tmp_path / "x.db") == 0, capsys.readouterr().err


def test_files_that_a_setup_brings_stay_in_their_folder(tmp_path):
    from plyground.cluster.remote_work import write_sources
    from plyground.errors import PlygroundError

    for name in ("../../evil.py", str(tmp_path / "evil.py")):
        with pytest.raises(PlygroundError, match="would lie outside the folder"):
            write_sources({name: "x = 1"})


# -- saved games -------------------------------------------------------------------------------------------------------------


def saved(path, game, players):
    path.write_text(json.dumps({"game": game, "moves": [], "players": players, "seed": 1}))
    return str(path)


def play(monkeypatch, *words):
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr("plyground.rules.load._loaded", {})
    return main(["play", *words])


def test_rules_that_a_saved_game_names_are_run_only_if_the_user_says_so(tmp_path, rules, mark, capsys, monkeypatch):
    file = saved(tmp_path / "game.json", str(rules), ["person", "random"])
    assert play(monkeypatch, "--load", file) == 2
    named = f"plyground play {rules} --load {file}"
    assert (
        capsys.readouterr().err
        == f"plyground: {file}: its rules are a file; name it too, as in {named}, or add --trust to run it\n"
    )
    assert not mark.exists()
    assert play(monkeypatch, str(rules), "--load", file) == 0
    assert mark.exists()
    mark.unlink()
    assert play(monkeypatch, "--load", file, "--trust") == 0
    assert mark.exists()


@pytest.mark.parametrize("opponent", ["uci:sh -c 'touch {}'", "engine:evaluate={}.py"])
def test_programs_that_a_saved_game_names_are_run_only_if_the_user_says_so(tmp_path, mark, capsys, monkeypatch, opponent):
    file = saved(tmp_path / "game.json", "chess", ["person", opponent.format(mark)])
    assert play(monkeypatch, "--load", file) == 2
    assert "is a program or a file; add --trust, or choose another with --against" in capsys.readouterr().err
    assert not mark.exists()
    assert play(monkeypatch, "--load", file, "--against", "random") == 0
