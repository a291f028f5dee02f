"""The search still takes the nodes that benchmarks/signature.txt says: a change of its shape is never an accident."""

import pytest

from plyground.rules.load import builtin_games
from signature import DEPTHS, FILE, line

SMALL = ("connect4", "nim", "tictactoe")
LINES = {text.split()[0]: text for text in FILE.read_text(encoding="utf-8").splitlines()}


def test_every_game_has_a_line() -> None:
    assert list(LINES) == builtin_games() == sorted(DEPTHS)


@pytest.mark.parametrize("name", [n if n in SMALL else pytest.param(n, marks=pytest.mark.long) for n in LINES])
def test_the_signature_holds(name: str) -> None:
    assert line(name) == LINES[name], "the search has changed: say why, and run `python benchmarks/run.py signature`"
