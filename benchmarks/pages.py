"""Markdown tables and their places in the pages: between `<!-- bench:NAME -->` and `<!-- /bench -->`."""

from __future__ import annotations

import re


def table(rows: list[list[str]], right: bool = False) -> str:
    """Return rows as a table with the first row as its header; `right` aligns all columns but the first to the right."""
    bars = ["---", *(["--:" if right else "---"] * (len(rows[0]) - 1))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [rows[0], bars, *rows[1:]])


def fill(text: str, mark: str, content: str) -> str:
    """Replace everything between `<!-- MARK -->` and its end mark; the end mark of `bench:x` is `<!-- /bench -->`.

    >>> fill("a <!-- bench:x -->old<!-- /bench --> z", "bench:x", "new")
    'a <!-- bench:x -->\\n\\nnew\\n\\n<!-- /bench --> z'
    """
    pattern = re.compile(rf"(<!-- {re.escape(mark)} -->).*?(<!-- /{mark.split(':')[0]} -->)", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"the page has no place for {mark}")
    return pattern.sub(lambda m: f"{m[1]}\n\n{content}\n\n{m[2]}", text)
