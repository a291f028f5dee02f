"""`plyground net`: which net judges, how it was trained, and a packed copy of it."""

import json

import numpy as np
import pytest

from plyground import load
from plyground.cli import main
from plyground.nets import file_format
from plyground.nets.net_evaluation import own_file
from plyground.train import learner
from random_nets import random_net

GAME = "connect4(rows=4, cols=5)"


@pytest.fixture
def net():
    """A net of the user's own, which the engine finds."""
    found = random_net(GAME)
    found.record = {"games": 1200, "seconds": 30.04, "seed": 7, "finished": True}
    path = own_file(load(GAME))
    path.parent.mkdir(parents=True)
    file_format.save(path, load(GAME), found)
    return found


def test_it_tells_what_the_engine_uses(net, capsys):
    assert main(["net", GAME]) == 0
    first, sees, trained = capsys.readouterr().out.splitlines()
    path, game = own_file(load(GAME)), load(GAME)
    assert first.startswith(f"{path} (yours): the net {file_format.checksum(path)[:8]} for {game.name}, ")
    assert f"{np.count_nonzero(net.weights):,} of {len(net.weights):,} weights are not 0" in sees
    assert trained == "trained: 1,200 games in 30.0 s, seed 7"
    assert main(["net", GAME, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["file"], told["from"], told["record"]["seed"]) == (str(path), "yours", 7)


def test_without_a_net_it_says_who_judges(capsys):
    assert main(["net", "nim"]) == 0
    assert capsys.readouterr().out == (
        "nim has no net: the engine uses the evaluation of its rules; `plyground train nim` trains one\n"
    )
    assert main(["net", "nim", "--pack", "x.net"]) == 2
    assert "nim has no net" in capsys.readouterr().err


def test_all_games_are_listed_even_if_a_net_is_damaged(capsys):
    path = own_file(load("nim"))
    path.parent.mkdir(parents=True)
    path.write_bytes(b"x")
    assert main(["net"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines()}
    assert lines["nim"].split(maxsplit=1)[1] == f"{path}: this is not a net"
    assert lines["tictactoe"].split() == ["tictactoe", "none"]
    assert main(["net", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["nets"]) == len(lines) - 1


def test_a_packed_copy_is_nearly_the_same_net(net, tmp_path, capsys):
    net.weights[np.random.default_rng(1).random(len(net.weights)) < 0.8] = 0  # most weights of a large net are not used
    file_format.save(tmp_path / "whole.net", load(GAME), net)
    small = tmp_path / "small.net"
    assert main(["net", GAME, "--evaluate", str(tmp_path / "whole.net"), "--pack", str(small)]) == 0
    assert capsys.readouterr().out.startswith(f"{small} (a file): the net {file_format.checksum(small)[:8]} for")
    assert small.stat().st_size < (tmp_path / "whole.net").stat().st_size / 3
    found = file_format.load(small, load(GAME))
    assert np.abs(found.weights.astype(int) - net.weights).max() <= 4
    assert found.record == net.record
    assert main(["net", GAME, "--evaluate", str(tmp_path / "whole.net"), "--pack", str(small), "--step", "1"]) == 0
    assert np.array_equal(file_format.load(small, load(GAME)).weights, net.weights)


def test_a_packed_copy_may_keep_only_the_main_weights(net, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(learner, "POSITIONS", 10_000)
    small = tmp_path / "small.net"
    assert main(["net", GAME, "--pack", str(small), "--most", "300", "--step", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["used"] in range(290, 301)
    found = file_format.load(small, load(GAME)).weights
    assert np.array_equal(found[found != 0], net.weights[found != 0])


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (["--pack", "x.net"], "name the game of the net"),
        (["nim", "--step", "8"], "--step needs --pack OUT"),
        (["nim", "--most", "8"], "--most needs --pack OUT"),
        (
            ["backgammon", "--pack", "x.net", "--most", "8"],
            "the net of backgammon has hidden units: all of its weights are needed",
        ),
        (["nim", "--pack", "x.net", "--step", "0"], "must be a whole number from 1 to 1024"),
        (["nim", "--evaluate", "none.net"], "none.net: cannot be read (No such file or directory)"),
    ],
)
def test_what_is_refused_in_one_line(line, why, capsys):
    assert main(["net", *line]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1
