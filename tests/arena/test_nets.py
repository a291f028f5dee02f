"""A match plays with the nets that it began with, whatever is trained meanwhile."""

import time
from pathlib import Path

import pytest
from playing import play_all, small, through_json

from plyground import PlygroundError, load
from plyground.arena.contest import Contest
from plyground.arena.messages import MatchSettings
from plyground.arena.pair import play_pair
from plyground.arena.sources import UnpackedSetup, collect
from plyground.arena.worker_pool import Workers
from plyground.cli import main
from plyground.nets.file_format import checksum, save
from plyground.nets.net_evaluation import own_file
from plyground.players.spec import PlayerSpec
from plyground.records.store import Records
from random_nets import random_net

GAME = "tictactoe"
PLAYERS = ["engine:depth=1", "level:3", "engine:evaluate=rules,depth=1", "random"]
ENGINE = PlayerSpec.parse("engine")


@pytest.fixture(autouse=True)
def no_copies(monkeypatch, tmp_path):
    """At first there are no copies of nets."""
    monkeypatch.setattr("plyground.nets.net_evaluation.copies_of_nets", lambda: tmp_path / "copies")


@pytest.fixture
def trained():
    """Writes a net where the engine finds it, as a training does."""
    path = own_file(load(GAME))
    path.parent.mkdir(parents=True)

    def train(seed):
        save(path, load(GAME), random_net(GAME, seed))
        return path

    return train


def evaluations(setup):
    """What each player judges by, and its net."""
    unpacked = UnpackedSetup.unpack(through_json(setup))
    return [(str(unpacked.player(spec)).partition("evaluate=")[2], unpacked.net(spec)) for spec in map(PlayerSpec.parse, PLAYERS)]


def test_players_keep_the_net_that_the_match_began_with(trained):
    path = trained(1)
    first, setup = checksum(path), collect(GAME, PLAYERS)
    for seed in (1, 2):  # trained again after the first round
        judges = evaluations(setup)
        assert [net for _, net in judges] == [f"tictactoe.net {first[:8]}"] * 2 + [None] * 2
        assert [where for where, _ in judges[2:]] == ["rules", ""]
        assert {checksum(where) for where, _ in judges[:2]} == {first}
        trained(seed + 1)
    assert evaluations(collect(GAME, PLAYERS))[0][1] == f"tictactoe.net {checksum(path)[:8]}" != f"tictactoe.net {first[:8]}"


def test_players_that_began_without_a_net_stay_without(trained):
    setup = collect(GAME, PLAYERS)
    trained(1)
    assert evaluations(setup)[0] == ("rules", None)


def test_a_net_beside_the_rules_is_used_by_workers_too(tmp_path):
    rules = tmp_path / "mine.py"
    rules.write_text(Path(load(GAME).file).read_text(encoding="utf-8"), encoding="utf-8")
    save(tmp_path / "mine.net", load(rules), random_net(GAME))
    unpacked = UnpackedSetup.unpack(collect(str(rules), PLAYERS))
    assert unpacked.net(ENGINE) == f"mine.net {checksum(tmp_path / 'mine.net')[:8]}"


def test_a_net_that_is_gone_is_told_in_one_line(trained, tmp_path):
    path = trained(1)
    setup, wanted = collect(GAME, PLAYERS), checksum(path)[:8]
    trained(2)  # before a copy was made
    with pytest.raises(PlygroundError) as error:
        UnpackedSetup.unpack(setup).player(ENGINE)
    assert str(error.value) == f"{path}: the net that this match began with ({wanted}) no longer exists; begin a new match"


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: b"junk", lambda data: data[:-1] + b"?"])
def test_a_damaged_copy_is_made_again(trained, damage):
    path = trained(1)
    setup = collect(GAME, PLAYERS)
    copy = Path(UnpackedSetup.unpack(setup).player(ENGINE).evaluation)
    assert copy != path
    copy.write_bytes(damage(copy.read_bytes()))
    assert Path(UnpackedSetup.unpack(setup).player(ENGINE).evaluation) == copy
    assert copy.read_bytes() == path.read_bytes()
    path.unlink()
    copy.write_bytes(damage(copy.read_bytes()))
    with pytest.raises(PlygroundError, match=r"no longer exists; begin a new match$"):
        UnpackedSetup.unpack(setup).player(ENGINE)


def test_games_name_their_nets_and_a_stopped_match_goes_on_with_them(trained, tmp_path, capsys):
    path, players = trained(1), ["engine:depth=1", "engine:evaluate=rules,depth=1"]
    label = f"tictactoe.net {checksum(path)[:8]}"
    with Records(tmp_path / "records.db") as records:
        match = Contest.new(records, GAME, players, MatchSettings(4), seed=1).match
        trained(2)
        contest = Contest(records, match)  # as after a stop
        assert contest.summary().pairs == 0
        with Workers(contest.setup, 1) as pool:
            contest.run(pool)
        for game in records.games(match):
            assert game.more["nets"] == [label, None]
    assert main(["record", "show", str(match), "--records", str(tmp_path / "records.db")]) == 0
    assert f"  net: {path} ({label[-8:]})\n" in capsys.readouterr().out
    assert main(["record", "show", f"{match}.0.1", "--records", str(tmp_path / "records.db")]) == 0
    assert f"  O: engine:depth=1 (net {label})\n" in capsys.readouterr().out


def test_a_game_of_play_names_the_net_of_the_engine(trained, capsys):
    label = f"tictactoe.net {checksum(trained(1))[:8]}"
    assert main(["play", GAME, "--side", "none", "--against", "engine:depth=1", "--seed", "1"]) == 0
    with Records() as records:
        assert next(iter(records.games(1))).more["nets"] == [label, label]
    capsys.readouterr()
    assert main(["record", "show", "1"]) == 0
    assert f"  X: engine:depth=1 (net {label})\n" in capsys.readouterr().out


@pytest.mark.long
def test_nets_travel_to_a_cluster(tmp_path):
    from dask_cluster import Dask
    from plyground.arena.cluster import Cluster

    file, net = tmp_path / "some.net", random_net(GAME)
    net.record["made"] = time.time()  # no worker has seen it before
    save(file, load(GAME), net)
    players = [f"engine:depth=1,evaluate={file}", "engine:evaluate=rules,depth=1"]
    with Dask(tmp_path) as dask:
        dask.worker()
        setup, jobs = small(GAME, players)
        here = [play_pair(UnpackedSetup.unpack(setup), job).games[0].moves for job in jobs]
        with Cluster(setup, dask.address) as pool:
            file.rename(tmp_path / "moved.net")
            found = play_all(pool, jobs)[0]
    assert [found[job.pair].games[0].moves for job in jobs] == here
    assert found[0].games[0].nets == (f"some.net {checksum(tmp_path / 'moved.net')[:8]}", None)
