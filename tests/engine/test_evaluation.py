"""An evaluation from a file: it replaces the game's own in the interpreter and in every kernel."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluations import OWN
from plyground import Engine, Limit, load
from plyground.errors import PlygroundError
from plyground.play.report import Position
from plyground.players.builtin import EnginePlayer
from plyground.players.spec import make_player
from plyground.rules.evaluation import with_evaluation
from plyground.textbook import find


def refused(call, *args, **options):
    """The message of the error that a call raises."""
    with pytest.raises(PlygroundError) as error:
        call(*args, **options)
    return str(error.value)


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "my_eval.py"
    path.write_text(OWN)
    return path


def test_the_file_sees_the_game_with_its_parameters(own):
    game, other = load("nim"), load("nim(heaps=2, size=9)")
    assert with_evaluation(game, own).evaluate(game.start()) == 1 - 50 + 30 + 5
    assert with_evaluation(other, own).evaluate(other.start()) == 2 - 145 + 20 + 9
    assert with_evaluation(game, own) is with_evaluation(game, str(own))
    assert game.evaluate(game.start()) == 0  # the game itself keeps its own


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 11), max_size=6), st.integers(1, 3))
def test_compiled_is_interpreted(own, line, depth):
    game = with_evaluation(load("nim"), own)
    s = game.start()
    for n in line:
        child = game.play(s, game.legal(s)[n % len(game.legal(s))])
        s = s if game.result(child) is not None else child
    found = Engine("nim", exact=True, evaluate=own, memory=1).analyse(s, Limit(depth=depth))
    assert found.score == find("minimax").search(game, s, {"depth": str(depth)}).value


def test_a_player_with_a_file(own):
    game = load("nim")
    player = make_player(text := f"engine:depth=1,evaluate={own}", game, seed=1)
    found = player.choose(Position.of(game))
    assert isinstance(player, EnginePlayer)
    assert found.move is not None
    assert player.name == text
    assert found.score == -player.engine.game.evaluate(game.play(game.start(), found.move)) != 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def evaluate(s):\n    return 1 +\n", ":2: invalid syntax"),
        ("def evalute(s):\n    return 1\n", ": `evaluate` is missing"),
        ("def evaluate(s, t):\n    return 1\n", ":1: `evaluate` must take one argument"),
        ("\ndef evaluate(s):\n    return s.heaps[0] / 2\n", ":2: `evaluate` gives 1.5; it must be an int"),
        ("def evaluate(s):\n    return 9000\n", ":1: `evaluate` gives 9000"),
        ("def evaluate(s):\n    return s.stones\n", ":2: `evaluate` raises AttributeError"),
        ("import nixda\n\ndef evaluate(s):\n    return 1\n", ":1: ModuleNotFoundError: No module named 'nixda'"),
        ("def evaluate(s):\n    return 1\n\ndef order(s, m):\n    return 1\n", ":4: `order` belongs in the rules"),
        ("def evaluate(s):\n    names = {i: str(i) for i in s.heaps}\n    return len(names)\n", ":2: `names = {i: str(i) for"),
        ("def evaluate(s):\n    try:\n        return 1\n    finally:\n        s = 0\n", ":2: `try:` can't be compiled"),
    ],
)
def test_a_wrong_file_is_refused_in_one_line(text, why, tmp_path):
    path = tmp_path / "my_eval.py"
    path.write_text(text)
    said = refused(make_player, f"engine:depth=2,evaluate={path}", load("nim"))
    assert why in said
    assert said.startswith(f"engine:depth=2,evaluate={path}: {path}")
    assert "\n" not in said


def test_a_missing_file_and_another_kind_are_refused(tmp_path):
    net = tmp_path / "weights.net"
    net.write_bytes(b"\0")
    assert refused(Engine, "nim", evaluate=tmp_path / "none.py") == f"{tmp_path / 'none.py'}: no such file"
    assert refused(Engine, "nim", evaluate=net) == f"{net}: this is not a net"


def test_mirror_images_must_be_worth_the_same(tmp_path):
    path = tmp_path / "my_eval.py"
    path.write_text("def evaluate(s):\n    return s.both & 0x7F\n")
    said = refused(Engine, "connect4", evaluate=path)
    assert said.startswith(f"{path}:1: `evaluate` gives different values for")
    assert "by symmetry" in said


def test_own_rules_are_imported_by_their_name(tmp_path):
    rules = tmp_path / "heaps.py"
    rules.write_text(
        "from typing import NamedTuple\n\nimport shared\n\nfrom plyground import parameters\n\nN = parameters(n=5)\n\n\n"
        "class State(NamedTuple):\n    left: int\n\n\ndef start():\n    return State(N)\n\n\n"
        "def moves(s):\n    for m in range(min(s.left, shared.MOST)):\n        yield m\n\n\n"
        "def play(s, m):\n    return State(s.left - m - 1)\n\n\n"
        "def result(s):\n    return -1 if s.left == 0 else None\n"
    )
    (tmp_path / "shared.py").write_text("MOST = 3\n")
    path = tmp_path / "my_eval.py"
    path.write_text("import heaps\nimport shared\n\n\ndef evaluate(s):\n    return heaps.N + shared.MOST\n")
    game = load(f"{rules}(n=9)")
    assert with_evaluation(game, path).evaluate(game.start()) == 12
    assert "`evaluate` is missing" in refused(Engine, game, evaluate=rules)
