"""Where a move goes on the board, found by comparing the board that the game draws before and after it."""

from __future__ import annotations

from typing import Any

from plyground.rules.game import Game
from plyground.textbook.carry import bare

EMPTY = ("", " ", ".", "-", None)
Cell = tuple[int, int]
"""Row and column on the board as the game draws it."""


class Geometry:
    """The board of a game whose `board(s)` gives rows of cells."""

    def __init__(self, game: Game) -> None:
        self.game = game
        drawn = game.rules["board"](bare(game.start())) if "board" in game.has else {}
        self.known = isinstance(drawn.get("cells"), list) and all(isinstance(row, list) for row in drawn["cells"])
        self.fixed = drawn.get("kind") == "grid"  # a move is then a cell, whatever is on the board
        self.middle = ((len(drawn["cells"]) - 1) / 2, (len(drawn["cells"][0]) - 1) / 2) if self.known else (0.0, 0.0)
        self.cols = len(drawn["cells"][0]) if self.known else 0
        self._places: dict[int, Cell | None] = {}

    def changes(self, s: Any, m: int) -> list[tuple[Cell, bool]]:
        """The cells that m changes without emptying them, and whether they were empty before."""
        if not self.known:
            return []
        before, after = (self.game.rules["board"](bare(x))["cells"] for x in (s, self.game.play(s, m)))
        found = []
        for row, (old, new) in enumerate(zip(before, after, strict=True)):
            for col, (a, b) in enumerate(zip(old, new, strict=True)):
                if a != b and b not in EMPTY:
                    found.append(((row, col), a in EMPTY))
        return found

    def place(self, s: Any, m: int) -> Cell | None:
        """The cell where m puts a piece; None if it puts none or the board is unknown."""
        if self.fixed and m in self._places:
            return self._places[m]
        changed = sorted(self.changes(s, m), key=lambda change: not change[1])
        where = changed[0][0] if changed else None
        if self.fixed:
            self._places[m] = where
        return where

    def flips(self, s: Any, m: int) -> int:
        """How many pieces on the board m turns over."""
        return sum(not was_empty for _, was_empty in self.changes(s, m))

    def stones(self, s: Any) -> dict[Cell, Any]:
        """The occupied cells and what is on them."""
        cells = self.game.rules["board"](bare(s))["cells"]
        return {(row, col): c for row, line in enumerate(cells) for col, c in enumerate(line) if c not in EMPTY}
