"""The README is true: its game holds at the first try, its code runs, its commands exist."""

import re
import shlex
from pathlib import Path

import pytest

from plyground import load, perft
from plyground.check import check
from plyground.cli import _parser_of
from plyground.match import Match

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = re.findall(r"^    plyground (.*?)(?:\s{2,}.*|\s+#.*)?$", README, re.MULTILINE)


@pytest.fixture
def mygame(rules_file):
    return load(str(rules_file(BLOCKS[0])))


def test_a_newcomers_game_works_at_the_first_try(mygame):
    assert len(BLOCKS[0].strip().splitlines()) <= 35
    assert check(mygame, games=20).problems == []
    assert perft.native(mygame)(mygame.start(), 9) == 127_872
    match = Match(mygame, moves="5 1 8 2 4 9 6")
    assert match.describe_end() == "first wins"


def test_the_code_runs(capsys):
    for block in BLOCKS[1:]:
        exec(block, {})
    *_, move, value = capsys.readouterr().out.splitlines()
    assert move.isdecimal()
    assert value == "draw"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_are_taken(command):
    name, *words = shlex.split(command)
    _parser_of(name).parse_args(words)


def test_there_are_commands():
    assert len(COMMANDS) >= 8


@pytest.mark.parametrize("link", re.findall(r"\]\(([^)#]+)\)", README))
def test_the_links_lead_somewhere(link):
    assert link.startswith("https://") or (Path(__file__).parent.parent / link).exists()
