"""Broken rules files: each gets its own line, the name at fault and a hint. The lines are in data/broken/expected.txt."""

import pytest

from here import DATA
from plyground import Game, GameError, PlygroundError, TextError, load
from plyground.check.inspection import CompiledRules
from plyground.measure import perft

BROKEN = DATA / "broken"
EXPECTED = {line.split(".py")[0]: line for line in (BROKEN / "expected.txt").read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize("name", sorted(p.stem for p in BROKEN.glob("*.py")))
def test_one_clear_line(name):
    path = BROKEN / f"{name}.py"
    with pytest.raises(GameError) as e:  # noqa: PT012
        perft.native(load(str(path)))
        CompiledRules(load(str(path)))  # asks every rule
    assert str(e.value).replace(str(path), path.name) == EXPECTED[name]


def test_every_expected_line_has_its_file():
    assert set(EXPECTED) == {p.stem for p in BROKEN.glob("*.py")}


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("conect4", "there is no game named 'conect4'; did you mean connect4?"),
        ("mess", "there is no game named 'mess'; the games are "),
        ("nosuchthing", "there is no game named 'nosuchthing'; the games are "),
        ("./nosuch.py", "./nosuch.py: no such file"),
        ("connect4(rows=50)", "connect4.py: connect4 needs (rows + 1) * cols <= 63"),
        ("connect4(rows=five)", "'rows=five' in 'connect4(rows=five)': write a parameter as name=number"),
        ("connect4(size=5)", "connect4 has no parameter 'size'; it has rows=6, cols=7, k=4"),
        ("connect4(", "does not name a game"),
        ("", "does not name a game"),
        ("tests", "there is no game named 'tests'"),
        ("__init__", "there is no game named '__init__'"),
    ],
)
def test_games_that_cannot_be_found(spec, words):
    with pytest.raises(GameError) as e:
        load(spec)
    assert words in str(e.value)
    assert "\n" not in str(e.value)


def test_texts_say_what_is_wrong_and_what_would_be_right():
    game = load("connect4")
    with pytest.raises(TextError, match="a stone has an empty cell below it"):
        game.parse_state("X....../......./......./......./......./.......")
    with pytest.raises(TextError, match=r"'9' is not a legal move here; legal: 4, 3, 5, 2, 6, 1, 7"):
        game.parse_move(game.start(), "9")
    with pytest.raises(TextError, match="the initial state is written '3-4-5'"):
        load("nim").parse_state("3-4")


def test_a_game_needs_rules():
    with pytest.raises(PlygroundError, match="`State` is missing"):
        Game({})


def test_the_helpers_own_file_is_named(tmp_path):
    (tmp_path / "far_helper.py").write_text("def left(n, m):\n    return n - m if n > 0 else int(str(n))\n")
    rules = (BROKEN / "text_result_later.py").read_text().replace("State(s.stones - m)", "State(left(s.stones, m))")
    (tmp_path / "game.py").write_text(rules.replace("import NamedTuple", "import NamedTuple\n\nfrom far_helper import left"))
    with pytest.raises(GameError, match=r"far_helper\.py:2: .* can't be compiled: "):
        perft.native(load(str(tmp_path / "game.py")))
