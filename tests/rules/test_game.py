"""Finding and loading a game: by name, with parameters, by path, by entry point; and what a Game gives."""

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import Game, GameError, PlygroundError, load, parameters
from plyground.errors import TextError
from plyground.rules.load import builtin_games, installed_games

RULES = (DATA / "rules" / "game.py").read_text(encoding="utf-8")


def test_by_name_and_with_parameters():
    assert load("connect4") is load("connect4")
    game = load("connect4(rows=5, cols=4, k=3)")
    assert game.name == game.spec == "connect4(rows=5, cols=4, k=3)"
    assert game.parameters == {"rows": 5, "cols": 4, "k": 3}
    assert load("connect4").parameters == {"rows": 6, "cols": 7, "k": 4}
    assert load(" connect4 ( rows = 5 ) ").format_state(game.start()).count("/") == 4


def test_by_path(rules_file):
    path = rules_file(RULES)
    game = load(str(path))
    assert (game.name, game.title, game.summary, game.spec) == ("mygame", "mygame", "Count down.", str(path))
    assert load(f"{path}(start=4)").start().left == 4
    assert load(load(f"{path}(start=4)").spec).start().left == 4


def test_an_edited_file_is_read_again(rules_file):
    path = rules_file(RULES)
    assert load(str(path)).start().left == 7
    import os

    path.write_text(RULES.replace("start=7", "start=9"))
    os.utime(path, ns=(1, 1))
    assert load(str(path)).start().left == 9


def test_two_files_of_one_name_keep_their_own_types(rules_file):
    """The module of the second takes the place of the first, whose State has its types as text."""
    text = f"from __future__ import annotations\n{RULES}"
    own = text.replace("left: int", "left: u64").replace("parameters\n", "parameters\nfrom plyground.bits import u64\n", 1)
    first = load(str(rules_file(own)))
    second = load(str(rules_file(text, "other/mygame.py")))
    assert [f.type for f in Game(first.modules[""]).layout.fields] == ["uint64"]
    assert [f.type for f in second.layout.fields] == ["int64"]


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Installs a package with entry points and files, and forgets its modules after the test."""

    def install(entries, files):
        info = tmp_path / "othergames-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: othergames\nVersion: 1.0\n")
        points = "".join(f"{name} = {module}\n" for name, module in entries.items())
        (info / "entry_points.txt").write_text(f"[plyground.games]\n{points}")
        for name, text in files.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        monkeypatch.syspath_prepend(str(tmp_path))

    before = set(sys.modules)
    yield install
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("countdown_rules", "othergames"):
            del sys.modules[name]


def test_by_entry_point(package):
    package({"countdown": "countdown_rules", "broken": "no_such_module"}, {"countdown_rules.py": RULES})
    assert set(installed_games()) == {"countdown", "broken"}
    assert load("countdown").start().left == 7
    assert load("countdown(start=3)").start().left == 3
    with pytest.raises(GameError, match="broken: importing its package raises ModuleNotFoundError"):
        load("broken")


ESTIMATE = "from .rules import FROM\n\n\ndef evaluate(s):\n    return FROM\n"


@pytest.mark.parametrize(
    ("module", "files", "has"),
    [
        pytest.param("othergames", {"__init__.py": RULES}, set(), id="the rules of a package"),
        pytest.param("othergames", {"__init__.py": RULES, "rules.py": "FROM = 1 // 0\n"}, set(), id="a package's own rules"),
        pytest.param(
            "othergames",
            {"__init__.py": f"from .most import MOST\n{RULES}".replace("min(3", "min(MOST"), "most.py": "MOST = 3\n"},
            set(),
            id="rules that import others of the package",
        ),
        pytest.param(
            "othergames.rules",
            {"__init__.py": "", "rules.py": RULES, "server.py": "1 // 0\n"},
            set(),
            id="a module of an ordinary package",
        ),
        pytest.param("othergames", {"__init__.py": "", "rules.py": RULES, "estimate.py": ESTIMATE}, {"evaluate"}, id="a folder"),
        pytest.param("othergames", {"rules.py": RULES, "estimate.py": ESTIMATE}, {"evaluate"}, id="a folder without __init__.py"),
    ],
)
def test_by_entry_point_to_a_package(package, module, files, has):
    package({"countdown": module}, {f"othergames/{name}": text for name, text in files.items()})
    game = load("countdown(start=3)")
    assert (game.name, game.start().left, game.has) == ("countdown(start=3)", 3, has)
    assert game.legal(game.start()) == [1, 2, 3]
    assert load(game.spec) is game
    assert load("countdown").start().left == 7


def test_an_entry_point_to_a_package_without_rules(package):
    package({"countdown": "othergames"}, {"othergames/other.py": RULES})
    with pytest.raises(GameError, match=r"countdown: its package othergames has no file rules\.py"):
        load("countdown")


def test_rules_can_be_given_as_names():
    scope: dict[str, Any] = {}
    exec(RULES, scope)
    game = Game(scope, "mine")
    assert game.legal(game.start()) == [1, 2, 3]
    assert repr(game) == "<Game mine: first, second>"


def test_parameters_outside_of_load_are_the_defaults():
    assert parameters(size=3) == 3
    assert parameters(rows=3, cols=4) == (3, 4)


def test_shipped_names_have_no_underscore():
    assert {"nim", "connect4", "tictactoe"} <= set(builtin_games())
    assert not any(name.startswith("_") for name in builtin_games())


@settings(max_examples=100)
@given(st.text(max_size=30) | st.text("nimconect4()=,-+0123 rows", max_size=30))
@example("0\n\\")
def test_any_spec_is_found_or_refused(spec):
    try:
        load(spec)
    except PlygroundError as e:
        assert "\n" not in str(e)


# -- defaults --------------------------------------------------------------------------------------------------------------------


def test_default_texts(rules_file):
    game = load(str(rules_file(RULES)))
    s = game.start()
    assert game.format_state(s) == game.show(s) == "left=7"
    assert game.parse_state("left=5").left == 5
    assert game.parse_move(s, "2") == game.parse_move(s, "#2") == 2
    for text in ("left", "left=", "left=x", "left=1 left=2 right=3", "left=1.2", "", f"left={1 << 63}"):
        with pytest.raises(PlygroundError, match="is not a state of mygame"):
            game.parse_state(text)


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        ("gomoku", ["h8", "H8", "h 8", "1. h8", " H 8 "]),
        ("tictactoe", ["b2", "B2", "b 2", "1.b2"]),
        ("othello", ["f5", "F5", "F 5", "1. f5"]),
        ("checkers", ["11-15", "11 15", "11 - 15", "11X15", "1. 11-15"]),
        ("draughts", ["32-28", "32 28", "32 - 28", "1. 32-28"]),
        ("connect4", ["4", "1. 4"]),
        ("nim", ["a3", "A3", "a 3"]),
        ("kalah", ["3", "1. 3"]),
    ],
)
def test_moves_as_people_write_them(spec, texts):
    game = load(spec)
    assert len({game.parse_move(game.start(), text) for text in texts}) == 1


def test_a_game_without_parse_move_passes_over_case_and_blanks(rules_file):
    text = RULES + "\n\ndef format_move(s, m):\n    return f'Take {m}' if m < 3 else 'take 2'\n"
    game = load(str(rules_file(text)))
    assert game.parse_move(game.start(), "take1") == game.parse_move(game.start(), "TAKE 1") == 1
    assert game.parse_move(game.start(), "Take 2") == 2
    with pytest.raises(TextError, match="not a legal move"):
        game.parse_move(game.start(), "TAKE 2")  # which could be two moves


def test_moves_run_together():
    game = load("connect4")
    assert game.parse_moves(game.start(), "4455") == game.parse_moves(game.start(), "4, 4 5 5") == [3, 3, 4, 4]
    assert game.parse_moves(game.start(), "") == []


def test_a_stuck_side_has_a_result(rules_file):
    text = RULES.replace("return -1 if s.left == 0 else None", "return None") + "\n\ndef stuck(s):\n    return -1\n"
    game = load(str(rules_file(text)))
    assert game.result(game.parse_state("left=0")) == -1
    assert game.quick_result(game.parse_state("left=0")) is None
    assert game.result(game.start()) is None


IN_PLACE = (DATA / "rules" / "game_in_place.py").read_text(encoding="utf-8")


def test_rules_in_place_still_give_values(rules_file):
    game = load(str(rules_file(IN_PLACE)))
    s = game.start()
    t = game.play(s, 2)
    assert (s.heap[0, 0], t.heap[0, 0], t.turn[0]) == (5, 3, 1)
    assert game.identity(s) != game.identity(t)
    assert game.format_state(t) == "heap=3.-3 turn=1"
    assert game.identity(game.parse_state("heap=3.-3 turn=1")) == game.identity(t)
    assert game.key(s) != game.key(t)
    assert isinstance(t.heap, np.ndarray)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("s.heap[0, 0] = int(s.heap[0, 0]) + m\n", "pass\n", "`undo` does not restore"),
        ("    s.turn[0] ^= 1\n\n\ndef undo", "    return s\n\n\ndef undo", "return nothing"),
        ("np.int8", "np.float64", "arrays of ints"),
    ],
)
def test_slips_of_rules_in_place(rules_file, old, new, words):
    assert old in IN_PLACE
    with pytest.raises(GameError, match=words):
        load(str(rules_file(IN_PLACE.replace(old, new))))


def test_undo_for_a_value_is_refused(rules_file):
    with pytest.raises(GameError, match="leave `undo` out"):
        load(str(rules_file(RULES + "\n\ndef undo(s, m):\n    pass\n")))


def test_a_move_that_looks_like_a_number_in_front(rules_file):
    game = load(str(rules_file(RULES + "\ndef format_move(s, m):\n    return f'1.{m}'\n")))
    s = game.start()
    assert game.parse_move(s, "1.2") == game.parse_move(s, "7. 1.2") == 2
