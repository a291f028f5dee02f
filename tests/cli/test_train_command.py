"""`plyground train`: what it prints, refuses and keeps."""

import json
import random
import signal
import sys
import threading
import time

import numpy as np
import pytest

from here import DATA
from plyground import Match, load
from plyground.cli import main
from plyground.learn import file
from plyground.learn.derive import features_of
from plyground.learn.find import net_file, own_file
from plyground.learn.learner import Learner

GAME = "tictactoe"


def test_it_trains_plays_a_few_games_and_says_so(capsys):
    assert main(["train", GAME, "--games", "1500"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{own_file(load(GAME))}: a net of {features_of(load(GAME)).weights:,} weights for tictactoe"
    assert out[1].endswith(" s")
    assert " drawn, " in out[2]
    assert out[2].endswith(" lost against the game's own evaluation, 2,000 nodes per move")
    first = np.array(file.load(net_file(load(GAME)), load(GAME)).weights)
    assert main(["train", GAME, "--games", "1500", "--seed", "2", "--threads", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["against"]["player"] == "net"
    assert sum(told["against"][x] for x in ("wins", "draws", "losses")) == 40
    assert told["seed"] == 2
    assert not np.array_equal(first, file.load(net_file(load(GAME)), load(GAME)).weights)


def test_a_net_for_an_evaluation_that_has_changed_is_trained_again(rules_file, capsys):
    """The old net is refused, so there is nothing but the rules to play against."""
    text = (DATA / "rules" / "take.py").read_text(encoding="utf-8")
    assert main(["train", str(rules_file(text)), "--games", "500", "--no-match"]) == 0
    path = rules_file(text.replace("s.left % 4", "s.left % 5"))
    assert main(["analyse", str(path), "--depth", "1"]) == 2
    assert "that or the rules have changed since, so train it again" in capsys.readouterr().err
    assert main(["train", str(path), "--games", "500", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["against"]["player"] == "rules"


@pytest.mark.long
def test_a_solitaire_tells_its_points(capsys):
    spec = str(DATA / "newcomer" / "peg_solitaire.py")
    assert main(["train", spec, "--games", "3000", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert main(["train", spec, "--games", "3000"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[2] == f"{told['points']:,.6g} points per game, on average, when it looks one ply ahead"
    game, rng = load(spec), random.Random(1)
    by_chance = []
    for _ in range(200):
        match = Match(game)
        while match.result is None:
            match.play(rng.choice(match.legal()))
        by_chance.append(match.result)
    assert told["points"] > sum(by_chance) / len(by_chance)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--minutes", "1", "--games", "5"], "--minutes and --games cannot be combined"),
        (["--minutes", "0"], "--minutes must be above 0 and at most 10,000"),
        (["--games", "0"], "must be a whole number"),
        (["--games", "5", "--out", "/no/such/x.net"], "there is no folder /no/such"),
        (["--games", "5", "--out", "/"], "/: this is a folder; give the name of a file in it"),
    ],
)
def test_what_makes_no_sense_is_refused(words, why, capsys):
    assert main(["train", GAME, *words]) == 2
    err = capsys.readouterr().err
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals to a thread")
def test_ctrl_c_keeps_the_best_so_far_and_the_same_command_goes_on(monkeypatch, capsys, tmp_path):
    round_, out = Learner.round, tmp_path / "x.net"

    def stub(self):
        round_(self)
        if self.progress.rounds == 12:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            time.sleep(0.5)

    monkeypatch.setattr(Learner, "round", stub)
    words = ["train", GAME, "--games", "30000", "--out", str(out), "--no-match", "--json"]
    monkeypatch.setattr("os._exit", lambda code: sys.exit(code))  # a thread may be about to end
    try:
        assert main(words) == 130
    except SystemExit as e:
        assert e.code == 130
    told, err = capsys.readouterr()
    assert "stopped: the same command goes on" in err
    stopped = json.loads(told)
    assert stopped["finished"] is False
    assert file.load(out, load(GAME)).record["games"] == stopped["games"] < 30000
    assert (tmp_path / "x.net.training").exists()
    monkeypatch.setattr(Learner, "round", round_)
    assert main(words) == 0
    told, err = capsys.readouterr()
    done = json.loads(told)
    assert f"going on after {stopped['games']:,} games; --restart begins again\n" in err
    assert done["games"] >= 30000
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.net"]
    assert main([*words[:4], "--out", str(tmp_path / "whole.net"), "--no-match", "--json"]) == 0
    assert np.array_equal(file.load(out, load(GAME)).weights, file.load(tmp_path / "whole.net", load(GAME)).weights)
