"""docs/textbook.md: every algorithm has its rung, and the code on the page runs."""

from __future__ import annotations

import re

import pytest

from here import DOCS
from plyground.textbook import ALGORITHMS
from plyground.textbook.algorithm import PLAIN

PAGE = (DOCS / "textbook.md").read_text(encoding="utf-8")


def test_every_algorithm_is_on_the_page_with_its_idea_its_contract_and_its_row() -> None:
    compared = {a.name for a in ALGORITHMS.values() if a.fits == (PLAIN,) and a.name != "td"}
    assert set(re.findall(r"^<!-- row:(\w+) -->", PAGE, re.MULTILINE)) == compared
    for name in ALGORITHMS:
        assert f"**{name}**" in PAGE, name
    assert "| T | 0 | a3 | 549,946 |" in PAGE
    assert "| T | 0 | a3 | 18,297 |" in PAGE
    assert PAGE.count("\n| T | 0 |") == len(compared)


def test_the_code_on_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    exec(code, {})
    assert re.fullmatch(r"-?\d+ \(3(, \d)+\) \d+ \d+\n", capsys.readouterr().out)
