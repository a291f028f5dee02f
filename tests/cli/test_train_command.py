"""`plyground train`: what it prints, refuses and keeps."""

import json
import math
import random
import re
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from here import DATA
from plyground import Match, load
from plyground.arena import pair
from plyground.cli import main, train
from plyground.nets import file_format
from plyground.nets.derive import derive_features
from plyground.nets.net_evaluation import net_file, own_file
from plyground.train.learner import Learner
from plyground.train.trainer import Trainer

GAME = "tictactoe"


def test_it_trains_plays_a_few_games_and_says_so(capsys):
    assert main(["train", GAME, "--games", "1500"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == f"{own_file(load(GAME))}: a net of {derive_features(load(GAME)).weights:,} weights for tictactoe"
    assert out[1].endswith(" s")
    assert " drawn, " in out[2]
    assert out[2].endswith(" lost against the game's own evaluation, 2,000 nodes per move")
    first = np.array(file_format.load(net_file(load(GAME)), load(GAME)).weights)
    assert main(["train", GAME, "--games", "1500", "--seed", "2", "--threads", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["against"]["player"] == "net"
    assert sum(told["against"][x] for x in ("wins", "draws", "losses")) == 40
    assert told["seed"] == 2
    assert not np.array_equal(first, file_format.load(net_file(load(GAME)), load(GAME)).weights)


def test_minutes_are_the_time_of_everything(monkeypatch, capsys):
    """What can be done before training is done before, so that its time is known; the match ends with the time."""
    events = []

    def watch(owner, name):
        old = getattr(owner, name)

        def call(*a):
            events.append(name)
            return old(*a)

        monkeypatch.setattr(owner, name, call)

    watch(pair, "prepare")
    watch(Trainer, "_run")
    watch(pair, "play_pair")
    assert main(["train", GAME, "--minutes", "0.001"]) == 0
    assert events == ["prepare", "_run", "play_pair"]
    out, err = capsys.readouterr()
    assert re.fullmatch(r"preparation took \d+ s of --minutes 0\.001; training takes 1 s more\n", err)
    assert out.splitlines()[2:] == [
        "0 won, 0 drawn, 0 lost against the game's own evaluation, 2,000 nodes per move",
        "time ran out after 0 of 40 games; increase --minutes to play them all",
    ]


def test_a_match_within_its_time_is_played_to_the_end(tmp_path):
    match = train.ClosingMatch(load(GAME), tmp_path)
    ticks: list[int] = []
    found: dict[str, Any] = match.play(Path("rules"), math.inf, ticks.append)
    assert sum(found[x] for x in ("wins", "draws", "losses")) == 40
    assert ticks == [0, *20 * [1]]


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
        assert isinstance(match.result, int)
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
def test_ctrl_c_keeps_the_best_so_far_and_the_same_command_goes_on(interrupt_main, monkeypatch, capsys, tmp_path):
    round_, out = Learner.round, tmp_path / "x.net"

    def stub(self):
        round_(self)
        if self.progress.rounds == 12:
            interrupt_main()

    monkeypatch.setattr(Learner, "round", stub)
    words = ["train", GAME, "--games", "30000", "--out", str(out), "--no-match", "--json"]
    monkeypatch.setattr("os._exit", lambda code: sys.exit(code))  # a thread may be about to end
    try:
        assert main(words) == 130
    except SystemExit as e:
        assert e.code == 130
    told, err = capsys.readouterr()
    assert "stopped: the same command resumes training" in err
    stopped = json.loads(told)
    assert stopped["finished"] is False
    assert file_format.load(out, load(GAME)).record["games"] == stopped["games"] < 30000
    assert (tmp_path / "x.net.training").exists()
    monkeypatch.setattr(Learner, "round", round_)
    assert main(words) == 0
    told, err = capsys.readouterr()
    done = json.loads(told)
    assert f"resuming after {stopped['games']:,} games; --restart starts again\n" in err
    assert done["games"] >= 30000
    assert sorted(p.name for p in tmp_path.iterdir()) == ["x.net"]
    assert main([*words[:4], "--out", str(tmp_path / "whole.net"), "--no-match", "--json"]) == 0
    assert np.array_equal(file_format.load(out, load(GAME)).weights, file_format.load(tmp_path / "whole.net", load(GAME)).weights)
