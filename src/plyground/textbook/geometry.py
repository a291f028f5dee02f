"""Where a move goes on the board, found by comparing what is on its cells before and after it."""

from __future__ import annotations

from plyground.board.board import GRIDS
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.carry import bare

Cell = tuple[int, int]
"""Row and column on the board, from the top left."""


class Geometry:
    """The board of a game whose cells lie in rows and columns."""

    def __init__(self, game: Game) -> None:
        self.game, board, s = game, game.board, game.start()
        self.known = board is not None and board.shape in GRIDS
        rows, self.cols = (len(board.row_names), len(board.col_names)) if board and self.known else (1, 1)
        self.middle = ((rows - 1) / 2, (self.cols - 1) / 2)
        touched = [game.touch(bare(s), m) for m in game.legal(s)]
        self.fixed = board is not None and board.shape in ("squares", "points") and all(len(cells) == 1 for cells in touched)
        """Is a move a cell, whatever is on the board?"""
        self._places: dict[int, Cell | None] = {}

    def changes(self, s: State, m: int) -> list[tuple[Cell, bool]]:
        """Return the cells that m changes without emptying them, and whether they were empty before."""
        if not self.known:
            return []
        before, after = (self.game.cells(bare(x)) for x in (s, self.game.child(s, m)))
        pairs = enumerate(zip(before, after, strict=True))
        return [(divmod(i, self.cols), old == 0) for i, (old, new) in pairs if old != new and new]

    def place(self, s: State, m: int) -> Cell | None:
        """Return the cell where m puts a piece; None if it puts none or the board is unknown."""
        if self.fixed and m in self._places:
            return self._places[m]
        changed = sorted(self.changes(s, m), key=lambda change: not change[1])
        where = changed[0][0] if changed else None
        if self.fixed:
            self._places[m] = where
        return where

    def flips(self, s: State, m: int) -> int:
        """Return how many pieces on the board m turns over."""
        return sum(not was_empty for _, was_empty in self.changes(s, m))

    def stones(self, s: State) -> dict[Cell, int]:
        """Return the occupied cells and what is on them."""
        return {divmod(i, self.cols): x for i, x in enumerate(self.game.cells(bare(s))) if x}
