"""The public names: what a type checker accepts, what `help`, `dir` and `repr` show."""

import pydoc
import re
import subprocess
import sys

import pytest

import plyground
from here import ROOT
from plyground import Engine, Game, Match, Solver, TextError, load


def type_errors(tmp_path, text):
    """What mypy in strict mode says about a program, one line per error."""
    file = tmp_path / "program.py"
    file.write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--follow-imports=silent", str(file)]
    done = subprocess.run([*words, "--config-file", str(ROOT / "pyproject.toml")], cwd=tmp_path, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_a_type_checker_knows_every_public_name_and_refuses_others(tmp_path):
    public = "".join(f"from plyground import {name}\n" for name in plyground.__all__)
    wrong = "from plyground import Egnine\n"
    use = 'reveal_type(Engine("nim").choose())\nreveal_type(load("nim"))\nplyground.Sovler("nim")\n'
    found = type_errors(tmp_path, f"import plyground\n{public}{wrong}{use}")
    lines = len(plyground.__all__) + 2
    assert [re.search(r":(\d+): (\w+): (.*)", line).groups() for line in found] == [
        (str(lines), "error", 'Module "plyground" has no attribute "Egnine"; maybe "Engine"?  [attr-defined]'),
        (str(lines + 1), "note", 'Revealed type is "int"'),
        (str(lines + 2), "note", 'Revealed type is "plyground.rules.game.Game"'),
        (str(lines + 3), "error", 'Module has no attribute "Sovler"; maybe "Solver"?  [attr-defined]'),
    ]


def test_dir_lists_the_names_that_are_imported_when_they_are_used():
    assert set(plyground.__all__) <= set(dir(plyground))
    assert plyground.Report.__name__ == "Report"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("start", "start(self) -> 'RulesState'\n |      Return the initial state."),
        ("moves", "moves(self, s: 'State') -> 'Iterable[int]'\n |      Return the moves"),
        ("play", "play(self, s: 'State', m: 'int') -> 'RulesState'\n |      Return the state after m"),
    ],
)
def test_help_shows_the_rules(name, words):
    assert words in pydoc.plain(pydoc.render_doc(Game)), name


def test_reprs_say_which_game_and_in_which_state():
    game = load("connect4(rows=4, cols=5)")
    assert repr(game) == "<Game connect4(rows=4, cols=5): X, O>"
    match = Match(game, moves="3 3 3")
    assert repr(match) == "<Match connect4(rows=4, cols=5): 3 moves, O to move>"
    match.resign()
    assert repr(match) == "<Match connect4(rows=4, cols=5): 3 moves, X wins: O has resigned>"
    assert repr(Match("2048")) == "<Match 2048: 0 moves, chance to move>"
    assert repr(Engine(game, memory=1, level=3)) == (
        "<Engine connect4(rows=4, cols=5): level 3, evaluates by evaluate, 1 MB, 1 thread>"
    )
    assert repr(Solver("nim", memory=1)) == "<Solver nim: 1 thread>"


def test_the_repr_of_a_game_from_a_file_names_the_file(rules_file):
    text = (ROOT / "tests" / "data" / "rules" / "game.py").read_text(encoding="utf-8")
    path = rules_file(text)
    assert repr(load(str(path))).startswith(f"<Game mygame from {path}: ")


@pytest.mark.parametrize("m", [99, -1, 3.0, True, None, "3", [3]])
def test_a_game_refuses_an_illegal_move(m):
    game = load("connect4")
    with pytest.raises(TextError) as raised:
        game.play(game.start(), m)
    assert str(raised.value).startswith(f"{m!r} is not a legal move here; legal: 3 (4), 2 (3), 4 (5)")


def test_a_game_refuses_moves_after_its_end_and_outcomes_that_chance_does_not_give():
    game = load("connect4")
    with pytest.raises(TextError, match="3 is not a legal move here; the game is over"):
        game.play(Match(game, moves="4142434").s, 3)
    dice = load("backgammon")
    with pytest.raises(TextError, match=r"^99 is not a legal move here; legal: "):
        dice.play(dice.start(), 99)
    assert dice.outcomes(dice.play(dice.start(), dice.outcomes(dice.start())[0][0])) == []


def test_a_move_may_be_an_integer_of_any_kind_and_leaves_the_state_alone():
    import numpy as np

    game = load("gomoku(size=5)")  # rules that play in place
    first = game.start()
    after = game.play(first, np.int64(49))  # type: ignore[arg-type]
    assert game.identity(after) == game.identity(game.child(first, 49)) != game.identity(first)
    assert game.identity(first) == game.identity(game.start())
