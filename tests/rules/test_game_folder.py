"""A game in a folder: `rules.py` and the files beside it, read as one game."""

import os

import pytest

from here import DATA
from plyground import GameError, load
from plyground.check import check
from plyground.cluster.remote_work import pack_game, unpack_game
from plyground.compile.fingerprint import kernel_hash
from plyground.compile.native import Native, failure
from plyground.compile.rewrite.rewriter import reachable_functions
from plyground.compile.vocabulary import evaluate, read_state
from plyground.errors import GameWarning
from plyground.rules.evaluation import with_evaluation

RULES = (DATA / "rules" / "game.py").read_text(encoding="utf-8")
EVALUATE = """
from .rules import FROM
from ._weights import WEIGHT


def evaluate(s):
    return WEIGHT * (s.left % 4) - FROM
"""
FILES = {
    "rules.py": RULES,
    "evaluate.py": EVALUATE,
    "_weights.py": "WEIGHT = 5\n",
    "notation.py": "from .rules import State\n\n\ndef show(s):\n    return f'{s.left} left'\n",
    "test_mygame.py": "raise AssertionError('tests are no part of a game')\n",
}


@pytest.fixture
def folder(tmp_path):
    """Write a game in a folder, with some files changed, and return its path; a file changed to None is left out."""

    def write(**changed):
        path = tmp_path / "mygame"
        path.mkdir(exist_ok=True)
        for name, text in {**FILES, **{f"{stem}.py": text for stem, text in changed.items()}}.items():
            if text is not None:
                (path / name).write_text(text, encoding="utf-8")
        return path

    return write


def estimate(address):
    return evaluate(read_state(address))


def value_of(game):
    return game.evaluate(game.start())


def test_all_files_are_one_game(folder):
    path = folder()
    game = load(str(path))
    assert (game.name, game.summary, game.spec, game.file) == ("mygame", "Count down.", str(path), str(path / "rules.py"))
    assert game.show(game.start()) == "7 left"
    assert {"evaluate", "show"} <= game.has
    assert load(path) is load(f"{path}/") is game
    assert value_of(game) == 5 * 3 - 7
    assert value_of(load(f"{path}(start=9)")) == 5 * 1 - 9
    assert value_of(load(load(f"{path}(start=9)").spec)) == 5 * 1 - 9
    assert game.line_of("evaluate") == f"{path / 'evaluate.py'}:6"
    assert game.line_of("moves").startswith(f"{path / 'rules.py'}:")


@pytest.mark.parametrize("name", ["rules.py", "evaluate.py", "_weights.py"])
def test_an_edit_in_any_file_is_seen(folder, name):
    path = folder()
    old = load(str(path))
    tag = kernel_hash(old, None, {})
    edits = {"rules.py": ("start=7", "start=5"), "evaluate.py": ("% 4", "% 2"), "_weights.py": ("5", "6")}
    text = (path / name).read_text(encoding="utf-8")
    (path / name).write_text(text.replace(*edits[name]), encoding="utf-8")  # of the same size, and within the same second
    os.utime(path / name, ns=(1, (path / name).stat().st_mtime_ns + 1))
    new = load(str(path))
    assert value_of(new) != value_of(old)
    assert kernel_hash(new, None, {}) != tag or name == "rules.py"  # the initial state is not compiled, but FROM is
    assert not (path / "__pycache__").exists()


def test_the_engine_sees_all_files(folder):
    game = load(str(folder()))
    call = Native(game).bind(estimate, "int64(uint64)")
    assert call(game.layout.row(game.start()).ctypes.data) == value_of(game)
    assert check(game).problems == []


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rules": None}, "mygame: this folder has no rules.py; the folder of a game needs one"),
        ({"evaluate": "def evaluate(s):\n    return 0\n\n\ndef moves(s):\n    yield 1\n"}, "`moves` is also defined in"),
        ({"evaluate": "def evaluate(s)\n    return 0\n"}, "mygame/evaluate.py:1: expected ':'"),
        ({"evaluate": "from .rules import State\n\nN = 1 // 0\n"}, "mygame/evaluate.py:3: ZeroDivisionError"),
        (
            {"evaluate": "from .rules import State\n\n\ndef evaluate(s):\n    return s.right\n"},
            "mygame/evaluate.py:5: `evaluate` raises",
        ),
        ({"evaluate": "from rules import State\n"}, "mygame/evaluate.py:1: .* with a dot: from .rules import ..."),
        ({"evaluate": "def evaluate(s, m):\n    return 0\n"}, "mygame/evaluate.py:1: `evaluate` must take one argument"),
        ({"evaluate": "from .worth import WORTH\n"}, "mygame/evaluate.py:1: ModuleNotFoundError"),
        (
            {"evaluate": "\nfrom .sub.tab import T\n"},
            "mygame/evaluate.py:2: .* all files of a game are in one folder, not in sub/",
        ),
        ({"evaluate": "from . import sub\n"}, "mygame/evaluate.py:1: .* all files of a game are in one folder, not in sub/"),
    ],
)
def test_errors_name_the_file_and_the_line(folder, changed, words):
    path = folder(**changed)
    (path / "sub").mkdir()
    (path / "sub" / "tab.py").write_text("T = 1\n")
    with pytest.raises(GameError, match=words):
        load(str(path))


def test_a_file_of_a_folder_is_no_game_of_its_own(folder):
    path = folder(rules=RULES + "\nfrom ._weights import WEIGHT\n")
    with pytest.raises(GameError, match="if the file is part of a game, load the folder instead"):
        load(str(path / "rules.py"))


def test_rules_that_never_end_are_named(folder, monkeypatch):
    monkeypatch.setattr("plyground.system.patience.SECONDS", 0.3)
    with pytest.raises(GameError, match=r"mygame/evaluate\.py:[23]: `evaluate` takes too long"):
        load(str(folder(evaluate="def evaluate(s):\n    while True:\n        s.left + 1\n")))


def test_a_misspelt_name_is_found_in_any_file(folder):
    with pytest.warns(GameWarning, match=r"evaluate\.py:1: nothing uses `evaluation`; did you mean `evaluate`"):
        load(str(folder(evaluate="def evaluation(s):\n    return 0\n")))


def test_what_cannot_be_compiled_is_named_with_its_file(folder):
    game = load(str(folder(evaluate="def evaluate(s):\n    with open(s.left):\n        return 0\n")))
    with pytest.raises(GameError, match=r"mygame/evaluate\.py:2: .* can't be compiled"):
        Native(game).bind(estimate, "int64(uint64)")


@pytest.mark.parametrize("name", ["par (x)/game", "game (2)", "game (2)/sub (start=5)"])
def test_a_path_may_have_brackets(folder, tmp_path, name):
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    folder().rename(path)
    game = load(path)
    assert load(game.spec) is load(str(path)) is game
    assert value_of(load(f"{path}(start=9)")) == value_of(load(load(f"{path} (start=9)").spec)) == 5 * 1 - 9


def test_a_folder_travels_as_text(folder, tmp_path):
    path = folder()
    packed = pack_game(load(f"{path}(start=9)"), f"{path}(start=9)")
    assert packed.files is not None
    assert set(packed.files) == {f"mygame/{name}" for name in FILES}
    game = unpack_game(packed)
    assert game.name == "mygame(start=9)"
    assert game.file != str(path / "rules.py")
    assert value_of(game) == 5 * 1 - 9


@pytest.mark.parametrize("spec", ["mygame(start=9)", "othello"])
def test_an_evaluation_may_import_the_files_of_a_folder(folder, rules_file, spec):
    path = folder()
    own = spec.startswith("mygame")
    names = "from mygame.rules import FROM as N" if own else "from plyground.games.othello.rules import PASS as N"
    file = rules_file(f"{names}\n\n\ndef evaluate(s):\n    return N\n", "my_eval.py")
    game = load(str(path) + spec.removeprefix("mygame") if own else spec)
    assert value_of(with_evaluation(game, file)) == (9 if own else 64)


def test_errors_of_compiled_rules_name_the_file_of_a_shipped_folder():
    game = load("chess")
    function = next(f for f in reachable_functions(game.rules["moves"]) if f.__code__.co_filename.endswith("attacks.py"))
    line = function.__code__.co_firstlineno
    said = failure(game, GameError(f"`{function.__name__}` recurses too deeply"))
    assert said.startswith(f"chess/attacks.py:{line}: `{function.__name__}` recurses too deeply;")
