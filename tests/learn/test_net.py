"""A net's estimate: native code equals plain Python to the bit, symmetric states are worth the same, weights need no compiler."""

import numpy as np
import pytest
from nets import NativeNet, features, random_net

from plyground import Engine, Limit, load
from plyground.learn.file import save
from plyground.learn.sample import plies
from plyground.learn.symmetry import symmetries

GAMES = ("othello", "connect4", "checkers", "kalah", "2048", "backgammon", "draughts", "tictactoe", "nim", "chess")
SLOW = {"draughts", "chess", "nim", "tictactoe"}
MANY = [pytest.param(g, marks=pytest.mark.long) if g in SLOW else g for g in GAMES]


@pytest.mark.parametrize("spec", [*MANY, "connect4(rows=4, cols=5)"])
def test_native_code_equals_python_to_the_bit(spec):
    game, net = load(spec), random_net(spec)
    native = NativeNet(spec, net)
    for p in plies(game, 300, seed=5):
        assert native.total(p.s) == net.total(game, p.s)
        assert native.active(p.s) == net.features.active(game, p.s)


@pytest.mark.parametrize(("spec", "count"), [("othello", 8), ("connect4", 2), ("2048", 8), ("tictactoe", 8), ("checkers", 1)])
def test_symmetric_states_are_worth_the_same(spec, count):
    game, net = load(spec), random_net(spec)
    games = list(plies(game, 200, seed=3))
    assert len(symmetries(game, game.board, list(plies(game)))) == count
    if count > 1:
        assert any(game.canonical(p.s) != p.s for p in games)
        assert all(net.total(game, p.s) == net.total(game, game.canonical(p.s)) for p in games)
    loose = random_net(spec)
    loose.weights = np.random.default_rng(2).integers(-99, 99, len(loose.weights)).astype(np.int16)
    if count > 1:
        assert any(loose.total(game, p.s) != loose.total(game, game.canonical(p.s)) for p in games)


@pytest.mark.parametrize(
    ("spec", "second", "apart"),
    [
        ("othello", 0, False),
        ("connect4", 0, True),
        ("checkers", 63, False),
        ("kalah", 7, False),
        pytest.param("chess", 56, False, marks=pytest.mark.long),
    ],
)
def test_the_second_side_sees_the_board_turned(spec, second, apart):
    view = features(spec).view
    assert (view.mirror[0], view.apart) == (second, apart)


def test_bitboards_are_read_as_planes_and_counts_as_digits():
    names = [f.name for f in load("checkers").layout.fields]
    reader = features("checkers").reader
    words = [[("~" if f.inverted else "") + names[f.field] for f in word] for word in reader.words]
    assert sorted(map(sorted, words)) == [["kings", "mine"], ["kings", "theirs"], ["mine", "~kings"], ["theirs", "~kings"]]
    assert [features(g).reader.kind for g in ("othello", "kalah", "2048", "backgammon")] == [
        "planes",
        "digits",
        "digits",
        "cells",
    ]


def test_the_engine_searches_with_a_net_and_finds_it(tmp_path, monkeypatch):
    game, net = load("connect4"), random_net("connect4")
    file = tmp_path / "some.net"
    save(file, game, net)
    engine = Engine(game, evaluate=file, perfect=False)
    found = engine.analyse(None, Limit(depth=1), lines=0)
    worth = {m: -net.value(game, game.play(game.start(), m)) for m in game.legal(game.start())}
    assert dict(found.moves) == worth
    assert Engine(game).net is None
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "plyground" / "nets").mkdir(parents=True)
    file.rename(tmp_path / "plyground" / "nets" / "connect4.net")
    assert Engine(game).net is not None
    assert Engine(game, evaluate="rules").net is None
    assert Engine(game, exact=True).net is None


def test_new_weights_need_no_compiler(tmp_path, monkeypatch):
    from plyground.compile import native

    game = load("connect4")
    for seed in (1, 2):
        save(tmp_path / f"{seed}.net", game, random_net("connect4", seed))
    first = Engine(game, evaluate=tmp_path / "1.net", perfect=False).analyse(None, Limit(depth=4))
    monkeypatch.setattr(native.Native, "bind", None)
    second = Engine(game, evaluate=tmp_path / "2.net", perfect=False).analyse(None, Limit(depth=4))
    assert first.score != second.score


def test_estimates_stay_below_proven_results(tmp_path):
    game, net = load("connect4"), random_net("connect4", most=0)
    net.weights[:] = 32767
    save(tmp_path / "large.net", game, net)
    assert Engine(game, evaluate=tmp_path / "large.net", perfect=False).analyse(None, Limit(depth=2)).score == 8999
