"""The README is true: its game holds at the first try. `test_docs.py` runs the rest of it."""

import re

import pytest

from here import ROOT
from plyground import load
from plyground.check import check
from plyground.measure import perft
from plyground.play.match import Match

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def mygame(rules_file):
    return load(rules_file(BLOCKS[0]))


def test_a_newcomers_game_works_at_the_first_try(mygame):
    assert len(BLOCKS[0].strip().splitlines()) <= 35
    assert check(mygame, games=20).problems == []
    assert perft.native(mygame)(mygame.start(), 9) == 127_872
    match = Match(mygame, moves="4 0 7 1 3 8 5")
    assert match.describe_end() == "first wins"


def test_its_board_holds_too(rules_file):
    game = load(rules_file(BLOCKS[0] + "\n\n" + BLOCKS[1]))
    assert check(game, games=20).problems == []
    s = Match(game, moves="4 0 7").s
    assert game.show(s) == "O . .    0 1 2\n. X .    3 4 5\n. X .    6 7 8"


def test_what_its_code_prints(capsys):
    for block in BLOCKS[1:]:
        exec(block, {})
    *_, move, value = capsys.readouterr().out.splitlines()
    assert move.isdecimal()
    assert value == "draw"
