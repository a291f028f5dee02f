"""The way of a position into a weight and back to a leaf, as docs/architecture.md draws it."""

import re

from here import DOCS
from test_architecture import HOME

MOST_FILES = 11


def test_the_way_of_a_position_is_short_and_its_files_are_there():
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    drawn = page.partition("## The path of a position into a weight")[2].partition("\n## ")[0]
    files = re.findall(r"^    ([a-z_/]+/[a-z_]+) ", drawn, re.MULTILINE)
    assert 10 <= len(files) <= MOST_FILES
    assert [name for name in files if not (HOME / f"{name}.py").is_file()] == []
