"""A net's estimate: native code equals plain Python to the bit, symmetric states are worth the same, weights need no compiler."""

import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import plyground
from here import DATA
from plyground import Engine, GameError, Limit, load
from plyground.nets.derive import derive_features
from plyground.nets.file_format import save
from plyground.nets.observe import by_cells, random_states, symmetries
from random_nets import NativeNet, features, random_net

GAMES_FOLDER = Path(plyground.__file__).parent / "games"
NEWCOMER = DATA / "newcomer"
GAMES = ("othello", "connect4", "checkers", "kalah", "2048", "backgammon", "draughts", "tictactoe", "nim", "chess", "gomoku")
SLOW = {"gomoku", "draughts", "chess", "nim", "checkers", "connect4", "backgammon"}
ENGINE = "tictactoe"
"""The game whose search with a net is compiled; tests of training compile it too."""
MANY = [pytest.param(g, marks=pytest.mark.long) if g in SLOW else g for g in GAMES]


NEWCOMERS = [str(NEWCOMER / f"{name}.py") for name in ("chopsticks", "dots_and_boxes")]
MORE = [pytest.param(str(NEWCOMER / f"{name}.py"), marks=pytest.mark.long) for name in ("quarto", "pig", "hex", "morris")]


@pytest.mark.parametrize("spec", [*MANY, *NEWCOMERS, *MORE])
def test_native_code_equals_python_to_the_bit(spec):
    game, net = load(spec), random_net(spec)
    native = NativeNet(spec, net)
    for p in random_states(game, 300, seed=5):
        assert native.total(p.s) == net.total(game, p.s)
        assert sorted(native.active(p.s)) == sorted(net.features.active(game, p.s))


@pytest.mark.parametrize(("spec", "count"), [("othello", 8), ("connect4", 2), ("2048", 8), ("tictactoe", 8), ("checkers", 1)])
def test_symmetric_states_are_worth_the_same(spec, count):
    game, net = load(spec), random_net(spec)
    games = list(random_states(game, 200, seed=3))
    assert len(symmetries(game, game.board, list(random_states(game)))) == count
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
    game, net = load(ENGINE), random_net(ENGINE)
    file = tmp_path / "some.net"
    save(file, game, net)
    engine = Engine(game, evaluate=file, perfect=False)
    found = engine.analyse(None, Limit(depth=1), lines=0)
    worth = {m: -net.value(game, game.play(game.start(), m)) for m in game.legal(game.start())}
    assert dict(found.moves) == worth
    assert Engine(game).net is None
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "plyground" / "nets").mkdir(parents=True)
    file.rename(tmp_path / "plyground" / "nets" / f"{ENGINE}.net")
    assert Engine(game).net is not None
    assert Engine(game, evaluate="rules").net is None
    assert Engine(game, exact=True).net is None


def test_new_weights_need_no_compiler(tmp_path, monkeypatch):
    from plyground.compile import native

    game = load(ENGINE)
    for seed in (1, 2):
        save(tmp_path / f"{seed}.net", game, random_net(ENGINE, seed))
    first = Engine(game, evaluate=tmp_path / "1.net", perfect=False).analyse(None, Limit(depth=4))
    monkeypatch.setattr(native.Native, "bind", None)
    second = Engine(game, evaluate=tmp_path / "2.net", perfect=False).analyse(None, Limit(depth=4))
    assert first.score != second.score


def test_estimates_stay_below_proven_results(tmp_path):
    game, net = load(ENGINE), random_net(ENGINE, most=0)
    net.weights[:] = 32767
    save(tmp_path / "large.net", game, net)
    assert Engine(game, evaluate=tmp_path / "large.net", perfect=False).analyse(None, Limit(depth=2)).score == 8999


@pytest.mark.parametrize("spec", NEWCOMERS[1:])
def test_hidden_units_are_clipped_and_wrap(spec):
    """Weights so small that most units are neither 0 nor ONE, and so large that 16 bits don't hold their sums."""
    game = load(spec)
    for most in (60, 32767):
        net = random_net(spec, most=most)
        native = NativeNet(spec, net)
        totals = [net.total(game, p.s) for p in random_states(game, 60, seed=4)]
        assert totals == [native.total(p.s) for p in random_states(game, 60, seed=4)]
        assert len(set(totals)) > 20


HEXAGONS = """
from typing import NamedTuple
from plyground import Board

BOARD = Board("free", at=((0, 0), (1, 0), (0, 1), (1, 1)), lines=((0, 1), (0, 2), (1, 3), (2, 3)))

class State(NamedTuple):
    board: tuple[int, ...]
    side: int

def start(): return State((0,) * 4, 0)
def moves(s): return [m for m in range(4) if not s.board[m]]
def play(s, m): return State(s.board[:m] + (1 + s.side,) + s.board[m + 1:], 1 - s.side)
def result(s): return None if 0 in s.board else 0
"""


def test_a_board_of_lines_has_groups_of_neighbours_and_weights_for_each_side(rules_file):
    """Stones are only placed: nothing tells whether both sides have the same aim. A field says who moves."""
    seen = derive_features(load(rules_file(HEXAGONS, "hexagons.py")))
    assert {frozenset(kind.groups[0]) for kind in seen.kinds} >= {frozenset({0, 1, 2}), frozenset({3, 1, 2})}
    assert (seen.view.side, seen.view.apart, seen.sets) == (1, True, 2)


LARGE = """
from typing import NamedTuple
from plyground import Board

BOARD = Board("points", 11, 11)
ALTERNATE = True

class State(NamedTuple):
    board: tuple[int, ...]
    ply: int

def start(): return State((0,) * 121, 0)
def moves(s): return [m for m in range(121) if not s.board[m]]
def play(s, m): return State(s.board[:m] + (1 + s.ply % 2,) + s.board[m + 1:], s.ply + 1)
def result(s): return None if s.ply < 121 else 0
def turn(s): return s.ply % 2
"""


TICTACTOE = (GAMES_FOLDER / "tictactoe.py").read_text(encoding="utf-8")
MANY_GROUPS = f"""{TICTACTOE}
from itertools import combinations
GROUPS = (*combinations(range(9), 3), *combinations(range(9), 4))
"""


@pytest.mark.parametrize("text", [MANY_GROUPS, pytest.param(LARGE, marks=pytest.mark.long)], ids=["groups", "board"])
def test_many_groups_are_followed_change_by_change(text, rules_file):
    spec = str(rules_file(text, "large.py"))
    game, net = load(spec), random_net(spec)
    assert net.features.structure.incremental
    follow(game, net, NativeNet(spec, net))


@pytest.mark.parametrize("spec", ["connect4", *(pytest.param(game, marks=pytest.mark.long) for game in ("draughts", "chess"))])
def test_many_chunks_are_followed_change_by_change(spec, monkeypatch):
    if spec == "connect4":
        monkeypatch.setattr("plyground.nets.features.INCREMENTAL_CHUNKS", 0)
    game, net = load(spec), random_net(spec)
    net.features.__dict__.pop("structure", None)
    assert net.features.structure.incremental
    follow(game, net, NativeNet(spec, net))


def follow(game, net, native):
    """Whatever was looked at before, in whatever order: the sum is that of the state."""
    states = [p.s for p in random_states(game, 150, seed=1)]
    random.Random(1).shuffle(states)
    assert [native.total(s) for s in states] == [net.total(game, s) for s in states]
    assert sorted(native.active(states[0])) == sorted(net.features.active(game, states[0]))
    net.weights[:] //= 2
    native.memory.refresh()
    assert [native.total(s) for s in states[:9]] == [net.total(game, s) for s in states[:9]]


@pytest.mark.parametrize("text", ["", pytest.param(LARGE, marks=pytest.mark.long)])
def test_the_cells_of_the_rules_give_the_same(text, rules_file):
    """Where no words of the state are found: a byte for each cell, all of them or those that changed."""
    spec = str(rules_file(text, "large.py")) if text else "tictactoe"
    game, net = load(spec), random_net(spec)
    seen = net.features
    used = sorted({spot.cell for spot in seen.reader.spots[0]})
    net.features = replace(seen, reader=by_cells(game, seen.view, used, 2))
    native = NativeNet(spec, net)
    assert native.memory.net.features.structure.cells
    for p in random_states(game, 100, seed=2):
        assert native.total(p.s) == net.total(game, p.s)


def test_groups_of_the_rules_are_used_and_checked(rules_file):
    game = load(rules_file(TICTACTOE + "\nGROUPS = ((0, 1, 2), (3, 4, 5), (0, 4, 8))\n", "three.py"))
    assert [kind.groups[0] for kind in derive_features(game).kinds] == [(0, 1, 2), (3, 4, 5), (0, 4, 8)]
    for wrong in ("((0, 1, 99),)", "((0, 0),)", "7", "((),)", "(tuple(range(9)) + (9,) * 2,)"):
        game = load(rules_file(f"{TICTACTOE}\nGROUPS = {wrong}\n", "wrong.py"))
        with pytest.raises(GameError, match="GROUPS must be a tuple of groups"):
            derive_features(game)
    large = rules_file(TICTACTOE + "\nGROUPS = (tuple(range(12)),)\n", "large.py")
    with pytest.raises(GameError, match="can have 531,441 contents, which is too many"):
        derive_features(load(f"{large}(rows=4, cols=4)"))
