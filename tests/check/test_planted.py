"""check, or load, names bugs that were planted in sound games."""

import re
import warnings

import pytest
from planted import PLANTS, UNKNOWABLE

from plyground.check import check
from plyground.errors import GameError
from plyground.rules.load import GAMES, load

LARGE = ("chess", "gomoku", "draughts", "othello", "backgammon", "checkers", "connect4", "kalah")
"""Games that take long to compile: a bug in one of them is looked for in the long run."""


def sources(plant):
    """The texts of the files of its game, by name."""
    files = sorted((GAMES / plant.game).glob("*.py")) or [GAMES / f"{plant.game}.py"]
    return {file.name: file.read_text(encoding="utf-8") for file in files}


def planted(rules_file, name, plant):
    """The path of a game with the bug in it: a file, or a folder with one in `rules.py`."""
    stem = re.sub(r"\W+", "_", f"{plant.game} {name}")
    texts = sources(plant)
    assert sum(text.count(plant.old) for text in texts.values()) == 1, plant
    new = {file: text.replace(plant.old, plant.new) for file, text in texts.items()}
    if len(texts) == 1:
        return str(rules_file(*new.values(), f"{stem}.py"))
    written = [rules_file(text, f"{stem}/{file}") for file, text in new.items()]
    return str(written[0].parent)


def found(path):
    """What loading and checking say: (rule, words), warnings with a question mark."""
    with warnings.catch_warnings(record=True) as hints:
        warnings.simplefilter("always")
        try:
            game = load(path)
        except GameError as e:
            return [("load", str(e))]
    if hints:
        return [("load", str(hint.message)) for hint in hints]
    report = check(game)
    return [(p.rule, p.message) for p in report.problems] + [(f"?{p.rule}", p.message) for p in report.warnings]


def parameters(plants):
    """The names of the bugs; in the short run, one for every eighth rule that check looks at, in a game that compiles fast."""
    seen: set[str] = set()
    for name, plant in plants.items():
        first = plant.game not in LARGE and plant.rule not in seen
        seen |= {plant.rule} if first else set()
        short = plant.rule == "load" or (first and len(seen) % 8 == 1)
        yield name if short else pytest.param(name, marks=pytest.mark.long)


def test_what_a_bug_replaces_stands_once_in_its_game():
    assert {
        name for name, plant in PLANTS.items() if sum(text.count(plant.old) for text in sources(plant).values()) != 1
    } == set()


@pytest.mark.parametrize("name", list(parameters(PLANTS)))
def test_a_planted_bug_is_named(rules_file, name):
    plant = PLANTS[name]
    told = found(planted(rules_file, name, plant))
    assert [words for rule, words in told if rule == plant.rule and plant.words in words], told


@pytest.mark.parametrize("name", list(parameters({name: plant for name, (plant, _) in UNKNOWABLE.items()})))
def test_what_cannot_be_known_is_not_complained_about(rules_file, name):
    plant, _ = UNKNOWABLE[name]
    assert found(planted(rules_file, name, plant)) == []


def test_nine_of_ten_are_named():
    assert len(PLANTS) >= 60
    assert len(PLANTS) >= 9 * len(UNKNOWABLE)
