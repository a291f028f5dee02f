"""Writes the tables in docs/contract.md from `rules/hooks.py`, `board/board.py` and `rules/hooks.py`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from pages import fill, table
from plyground.board.board import Board
from plyground.rules.hooks import CONSTANTS, HOOKS, Tuning

PAGE = Path(__file__).parents[1] / "docs" / "contract.md"


def fill_tables(text: str) -> str:
    """Return the page with every table filled in."""
    hooks = [[f"`{h.call}`", "yes" if h.required else "no", h.meaning] for h in HOOKS.values() if not h.solver]
    constants = [[f"`{c.name}`", c.meaning] for c in CONSTANTS.values() if not c.solver]
    solver = [[f"`{h.call}`", h.meaning] for h in HOOKS.values() if h.solver]
    solver += [[f"`{c.name}`", c.meaning] for c in CONSTANTS.values() if c.solver]
    tuning = [[f"`{f.name}`", str(f.default), f.metadata["meaning"]] for f in fields(Tuning)]
    board = [[f"`{f.name}`", f.metadata["meaning"]] for f in fields(Board)]
    text = fill(text, "contract:board", table([["part", "meaning"], *board]))
    text = fill(text, "contract:hooks", table([["name", "required", "meaning"], *hooks]))
    text = fill(text, "contract:constants", table([["name", "meaning"], *constants]))
    text = fill(text, "contract:solver", table([["name", "meaning"], *solver]))
    return fill(text, "contract:tuning", table([["number", "default", "meaning"], *tuning]))


def write() -> None:
    """Write the tables into the page."""
    PAGE.write_text(fill_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
