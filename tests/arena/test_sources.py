"""What a match plays travels as text: files may change or be gone meanwhile."""

import sys
from dataclasses import replace
from typing import Any

import pytest
from playing import through_json

from plyground.arena.messages import Job
from plyground.arena.pair import play_pair, prepare
from plyground.arena.sources import UnpackedSetup, collect
from plyground.cluster import remote_work
from plyground.cluster.remote_work import PackedGame, bundle, pack_game, source_hash, unpack_game
from plyground.errors import GameWarning, PlygroundError
from plyground.players.spec import PlayerSpec
from plyground.rules.load import GAMES, load
from plyground.system.codec import encode

RULES = """
from typing import NamedTuple

import helper
from pieces.heap import least
from plyground import parameters

SIZE = parameters(size=7)


class State(NamedTuple):
    left: int


def start():
    return State(SIZE)


def moves(s):
    for m in range(least(), min(s.left, helper.MOST) + 1):
        yield m


def play(s, m):
    return State(s.left - m)


def result(s):
    return -1 if s.left == 0 else None
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "heap.py").write_text(RULES)
    (tmp_path / "helper.py").write_text("MOST = 2\n")
    (tmp_path / "random.py").write_text("MOST = 2\n")  # not the module of that name
    (tmp_path / "unused.py").write_text("MOST = 2\n")
    (tmp_path / "pieces").mkdir()
    (tmp_path / "pieces" / "__init__.py").write_text("")
    (tmp_path / "pieces" / "heap.py").write_text("import random\n\n\ndef least():\n    return 1\n")
    return tmp_path


def unpacked(setup):
    return UnpackedSetup.unpack(through_json(setup))


def test_shipped_games_travel_by_name():
    setup = collect("connect4(rows=5)", ["random", "engine"])
    assert setup.game == PackedGame("connect4(rows=5)")
    data: dict[str, Any] = encode(setup)
    assert "files" not in data["game"]
    assert unpacked(setup).game.name == "connect4(rows=5)"


@pytest.mark.parametrize(("path", "name"), [("nim.py(size=4)", "nim(size=4)"), ("_2048.py", "2048"), ("othello", "othello")])
def test_shipped_games_travel_as_text_if_named_by_path(path, name):
    game = load(f"{GAMES / path}")
    assert game.name == name
    copy = unpack_game(pack_game(game, f"{GAMES / path}"))
    assert (copy.name.lstrip("_"), copy.parameters) == (name, game.parameters)
    assert copy.file != game.file


def test_a_rules_file_travels_with_what_it_imports(folder):
    assert list(bundle(folder / "heap.py")) == ["heap.py", "helper.py", "pieces/__init__.py", "pieces/heap.py"]


@pytest.fixture
def no_sched(monkeypatch):
    """No module `sched` is loaded before the test, nor is that of the test afterwards."""
    monkeypatch.delitem(sys.modules, "sched", raising=False)
    yield
    sys.modules.pop("sched", None)


@pytest.mark.parametrize("first", [True, False], ids=["found first", "found last"])
def test_a_module_with_a_name_of_python_s_travels_if_the_rules_import_it(folder, monkeypatch, no_sched, first):
    """Python looks in the folder of the rules first if it was started there, else last."""
    (folder / "sched.py").write_text("MOST = 3\n")
    (folder / "heap.py").write_text(
        RULES.replace("import helper", "import sched as helper")
        .replace("helper.MOST", "MOST")
        .replace("\n\ndef start", "\n\nMOST = getattr(helper, 'MOST', 1)\n\n\ndef start")
    )
    if first:
        monkeypatch.syspath_prepend(str(folder))
    here = load(f"{folder / 'heap.py'}(size=8)")
    assert here.legal(here.start()) == ([1, 2, 3] if first else [1])
    setup = collect(f"{folder / 'heap.py'}(size=8)", ["random", "random"])
    assert ("sched.py" in (setup.game.files or {})) == first
    there = unpacked(setup).game
    assert there.legal(there.start()) == here.legal(here.start())


def test_a_match_plays_what_it_started_with(folder):
    spec = f"{folder / 'heap.py'}(size=9)"
    setup = collect(spec, ["random", "random"])
    (folder / "helper.py").write_text("MOST = 3\n")
    (folder / "heap.py").write_text(RULES.replace("-1 if", "1 if"))
    game = unpacked(setup).game
    assert (game.name, game.start().left) == ("heap(size=9)", 9)
    assert game.legal(game.start()) == [1, 2]
    assert game.result(game.State(0)) == -1
    changed = unpacked(collect(spec, ["random", "random"])).game  # in the same process, with modules of the same names
    assert changed.legal(changed.start()) == [1, 2, 3]
    assert changed.result(changed.State(0)) == 1
    assert "helper" not in vars(sys.modules["plyground"])


def test_nothing_of_the_folder_is_needed(folder):
    setup = collect(str(folder / "heap.py"), ["random", "random"])
    for file in sorted(folder.rglob("*.py")):
        file.unlink()
    game = unpacked(setup).game
    job = Job(0, ("random", "textbook:negamax,depth=all"), seed=1, opening=("1",))
    games = play_pair(unpacked(setup), job).games
    assert {game.reason for game in games} == {"rules"}
    assert game.start().left == 7


def test_a_cache_that_cannot_be_used_is_not_needed(folder, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE", str(folder / "heap.py"))  # a file, not a folder
    assert unpacked(collect(str(folder / "heap.py"), ["random", "random"])).game.start().left == 7


def test_a_hint_about_the_rules_is_given_once(folder):
    (folder / "heap.py").write_text(RULES + "\n\ndef evalute(s):\n    return 0\n")
    with pytest.warns(GameWarning, match="evalute") as told:
        unpacked(collect(str(folder / "heap.py"), ["random", "random"]))
    assert len(told) == 1


def test_evaluations_of_the_same_name_stay_apart(tmp_path):
    for name, value in (("a", 11), ("b", 22)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "my_eval.py").write_text(f"import shared\n\n\ndef evaluate(s):\n    return {value} + shared.X\n")
        (tmp_path / name / "shared.py").write_text(f"X = {value}00\n")
    players = [f"engine:depth=1,evaluate={tmp_path}/{name}/my_eval.py" for name in "ab"]
    setup = unpacked(collect("nim", [*players, "random"]))
    from plyground.rules.evaluation import with_evaluation

    texts = [str(setup.player(PlayerSpec.parse(player))) for player in players]
    files = [text.rpartition("=")[2] for text in texts]
    values = [with_evaluation(setup.game, file).evaluate(setup.game.start()) for file in files]
    assert values == [1111, 2222]
    assert str(setup.player(PlayerSpec.parse("random"))) == "random"


def test_an_evaluation_brings_a_module_with_a_name_of_python_s(tmp_path):
    (tmp_path / "my_eval.py").write_text("import sched\n\n\ndef evaluate(s):\n    return sched.VALUE\n")
    (tmp_path / "sched.py").write_text("VALUE = 7\n")
    player = f"engine:depth=1,evaluate={tmp_path}/my_eval.py"
    setup = unpacked(collect("nim", [player, "random"]))
    from plyground.rules.evaluation import with_evaluation

    file = str(setup.player(PlayerSpec.parse(player))).rpartition("=")[2]
    assert with_evaluation(setup.game, file).evaluate(setup.game.start()) == 7


def test_errors_name_files_as_the_user_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_eval.py").write_text("def evaluate(s):\n    try:\n        return 1\n    finally:\n        pass\n")
    player = "engine:depth=1,evaluate=./my_eval.py"
    setup = unpacked(collect("nim", [player, "random"]))
    job = Job(0, (player, "random"), seed=1)
    with pytest.raises(PlygroundError) as error:
        prepare(setup, job)
    assert str(error.value).startswith(f"{player}: ./my_eval.py:2: `try:` can't be compiled")


def begin(players):
    """What happens before the first pair of a match."""
    prepare(unpacked(collect("nim", players)), Job(0, tuple(players), seed=1))


def test_bad_input_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "bytes.py").write_bytes(b"\xff\xfe")
    for players, why in (
        ([f"engine:evaluate={tmp_path / 'bytes.py'}"], f"{tmp_path / 'bytes.py'}: cannot be read (not a text file)"),
        (["engine:evaluate=./none.py"], "engine:evaluate=./none.py: ./none.py: no such file"),
        (["stockfish"], "there is no player 'stockfish'"),
        (["engine:dept=6"], "engine:dept=6: 'dept=6' is not an option"),
    ):
        with pytest.raises(PlygroundError) as error:
            begin([*players, "random"])
        assert why in str(error.value)


@pytest.mark.parametrize("part", ["version", "code"])
def test_another_version_is_refused(part):
    given: dict[str, Any] = {part: "0.0.7"}
    setup = replace(collect("nim", ["random", "random"]), **given)
    with pytest.raises(PlygroundError, match=r"^this match was started by Plyground .*; both must be the same$"):
        unpacked(setup)


def test_the_hash_of_the_code_leaves_out_the_pages(tmp_path, monkeypatch):
    """A wheel has them inside the package, a checkout beside it."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "a.py").write_text("x = 1\n", encoding="utf-8")
    monkeypatch.setattr(remote_work, "HOME", tmp_path)
    before = source_hash.__wrapped__()
    (tmp_path / "docs" / "b.py").write_text("x = 2\n", encoding="utf-8")
    assert source_hash.__wrapped__() == before
    (tmp_path / "a.py").write_text("x = 3\n", encoding="utf-8")
    assert source_hash.__wrapped__() != before
