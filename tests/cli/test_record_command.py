"""`plyground record`: list, show and export."""

import json

import pytest

from plyground import Match
from plyground.cli import main
from plyground.records.store import Records, records_path


def played(game, moves, side=0, **more):
    """A game as the arena keeps it."""
    match = Match(game, moves=moves)
    value = match.result or 0
    assert isinstance(value, int)
    points = value if match.turn == side else -value
    row = {"side": side, "players": ["engine:depth=2", "random"], "seed": 5, "moves": match.move_texts(), "opening": 1}
    row |= {"result": 0.5 if points == 0 else float(points > 0), "points": points, "reason": match.reason or "length"}
    return row | {"seconds": 0.25, **more}


WON = "a1 b1 a2 b2 a3"


@pytest.fixture
def records():
    """A match of tic-tac-toe, one of chess that is unfinished, and a game against a person."""
    with Records() as records:
        first = records.new_match("arena", "tictactoe", ["engine:depth=2", "random"], {"games": 2}, seed=1)
        found = {"scores": [None, 0, 3, 9996, None], "depths": [None, 2, 2, 2, None], "times": [0.0, 0.5, 0.5, 0.5, 0.5]}
        games = [played("tictactoe", WON, 0, **found), played("tictactoe", WON, 1)]
        records.add_pair(first, {"pair": 0, "games": games})
        records.end(first, "games")
        limit = {"depth": 2, "increment": 0.0, "infinite": False, "overhead": 0.05}
        second = records.new_match("arena", "chess", ["engine:depth=2", "random"], {"sprt": [0, 10], "limit": limit}, seed=2)
        records.schedule(second, [{"pair": pair} for pair in range(3)])
        records.add_pair(second, {"pair": 2, "games": [played("chess", "f3 e5 g4 Qh4#", side) for side in (0, 1)]})
        third = records.new_match("play", "nim", ["person", "random"], {}, seed=3)
        records.write_game(third, {"side": 0, "players": ["person", "random"], "seed": 3, "moves": ["a1", "b1"], "seconds": 9.0})
        yield records


def run(*words, code=0):
    assert main(["record", *words]) == code


def rows(text):
    return [line.split() for line in text.splitlines()]


@pytest.mark.usefixtures("records")
def test_list(capsys):
    run("list")
    head, *lines = rows(capsys.readouterr().out)
    assert head == ["match", "kind", "game", "players", "games", "score", "began", "end"]
    assert [line[:3] + line[-1:] for line in lines] == [
        ["1", "arena", "tictactoe", "games"],
        ["2", "arena", "chess", "unfinished"],
        ["3", "play", "nim", "unfinished"],
    ]
    assert lines[0][5:9] == ["2", "+1", "=0", "-1"]


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--game", "chess"], [2]),
        (["--kind", "arena"], [1, 2]),
        (["--unfinished"], [2, 3]),
        (["--unfinished", "--kind", "play"], [3]),
        (["--game", "gomoku"], []),
    ],
)
def test_list_some(capsys, words, found):
    run("list", *words, "--json")
    assert [match["id"] for match in json.loads(capsys.readouterr().out)["matches"]] == found


@pytest.mark.usefixtures("records")
def test_list_the_games_of_a_match(capsys):
    run("list", "1")
    assert rows(capsys.readouterr().out) == [
        ["game", "X", "O", "plies", "result", "end", "time"],
        ["1.0.0", "engine:depth=2", "random", "5", "1-0", "rules", "0.250", "s"],
        ["1.0.1", "random", "engine:depth=2", "5", "1-0", "rules", "0.250", "s"],
    ]
    run("list", "2", "--json")
    assert [game["id"] for game in json.loads(capsys.readouterr().out)["games"]] == ["2.2.0", "2.2.1"]


@pytest.mark.usefixtures("records")
def test_show_a_game(capsys):
    run("show", "1.0.0")
    out = capsys.readouterr().out
    assert "record 1.0.0 (match 1, pair 0): tictactoe, " in out
    assert "  X: engine:depth=2\n  O: random\n" in out
    assert "  1  X     a1    opening" in out
    assert "  4  O     b2    win in 4      2           0.500\n" in out
    assert out.endswith("X wins\n")
    run("show", "1.0")
    assert capsys.readouterr().out.count("X wins\n") == 2
    run("show", "1.0.1", "--json")
    assert json.loads(capsys.readouterr().out)["moves"] == WON.split()


@pytest.mark.usefixtures("records")
def test_show_a_match_and_a_game_that_goes_on(capsys):
    run("show", "2")
    out = capsys.readouterr().out
    assert "match 2, arena: chess\n  player 1: engine:depth=2\n  player 2: random\n  sprt: [0, 10]\n" in out
    assert '  sprt: [0, 10]\n  limit: {"depth": 2}\n  seed: 2\n' in out
    assert "2 games of 6 scheduled; unfinished\nplayer 1: 1 won, 0 drawn, 1 lost\n" in out
    assert "to resume: plyground arena --resume 2" in out
    run("show", "3")
    out = capsys.readouterr().out
    assert "1. a1 2. b1" in out
    assert out.endswith("unfinished; plyground play --load 3 resumes it\n")


def test_show_without_the_rules(records, rules_file, capsys):
    """The record can be read even if the rules file is gone."""
    file = rules_file("")
    file.unlink()
    number = records.new_match("play", str(file), ["person", "random"], {}, seed=3)
    row = {
        "side": 0,
        "players": ["person", "random"],
        "seed": 3,
        "moves": ["a1"],
        "result": 1,
        "points": 1,
        "reason": "resignation",
    }
    records.write_game(number, row)
    run("show", str(number))
    out = capsys.readouterr().out
    assert "  side 1: person\n  side 2: random\n\n1. a1\n\nthe board is not shown: " in out
    assert out.endswith("side 1 wins (resignation)\n")
    run("list", str(number))
    assert "side 1" in capsys.readouterr().out


@pytest.mark.usefixtures("records")
def test_export(tmp_path, capsys):
    run("export", "2")
    assert capsys.readouterr().out.count("1. f3 e5 2. g4 Qh4# 0-1") == 2
    for name, form, count in (("one.PGN", "pgn", 2), ("two.txt", "pgn", 2), ("three.jsonl", "jsonl", 2)):
        run("export", "2", "--out", str(tmp_path / name))
        assert capsys.readouterr().out == f"{count} games written to {tmp_path / name} as {form}\n"
        assert (tmp_path / name).stat().st_size > 0
    run("export", "1.0.1", "--out", str(tmp_path / "game"), "--json")
    assert json.loads(capsys.readouterr().out) == {"out": str(tmp_path / "game"), "format": "jsonl", "games": 1}
    assert json.loads((tmp_path / "game").read_text())["id"] == "1.0.1"
    run("export", "3", "--format", "jsonl")
    assert json.loads(capsys.readouterr().out)["id"] == "3"


@pytest.mark.usefixtures("records")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["show"], "name a record: plyground record show ID"),
        (["show", "x"], "'x' is not the name of a record"),
        (["show", "1.7"], "there is no record 1.7; plyground record list 1 shows the games of match 1"),
        (["show", "9.0.0"], "there is no match 9 in"),
        (["export", "1", "--format", "pgn"], "pgn is for chess, not for tictactoe; choose jsonl"),
        (["export", "1", "--out", "no/such/folder.jsonl"], "no/such/folder.jsonl: cannot be written (there is no folder"),
        (["list", "--records", "nothing.db"], "nothing.db: there are no records yet"),
        (["throw"], "invalid choice: 'throw'"),
    ],
)
def test_what_can_be_wrong(words, said, capsys):
    run(*words, code=2)
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("plyground: ")
    assert said in err
    assert err.count("\n") == 1


def test_an_export_that_fails_leaves_no_file(records, tmp_path):
    with Records() as again:
        again.new_match("arena", "chess", ["a", "b"], {})
    run("export", "1", "--format", "sgf", "--out", str(tmp_path / "out"), code=2)
    run("export", "4", "--out", str(tmp_path / "out"), code=2)
    assert list(tmp_path.iterdir()) == []


def test_no_records_at_all(capsys):
    run("list", code=2)
    assert "there are no records yet" in capsys.readouterr().err
    assert not records_path().exists()
