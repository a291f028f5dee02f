"""Limiting moves: where most moves are far from everything, only those near what stands are searched.

The set of cells worth a try is not made anew in every state: each move hands it down with its own neighbourhood added. This
changes values, of course: a search sees only what the limited game allows. A game may say by itself which moves are worth a
search (`likely`, as gomoku does); `with_neighbours` gives it to any game whose moves fill the cells of a grid.
"""

from __future__ import annotations

import copy
from typing import Any

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.textbook.carry import Carried, carry
from plyground.textbook.geometry import Cell, Geometry


def around(cell: Cell, within: int) -> frozenset[Cell]:
    """The cells at most `within` steps away, diagonal steps too; some may lie outside the board, where no move goes."""
    row, col = cell
    steps = range(-within, within + 1)
    return frozenset((row + down, col + right) for down in steps for right in steps)


def with_likely(game: Game) -> Game:
    """The game in which only those moves are tried that its rules call likely; all, where they call none so."""
    new = copy.copy(game)
    new.moves = lambda s: list(game.likely(s)) or game.moves(s)
    return new


def with_neighbours(game: Game, root: Any, within: int) -> Game:
    """The game searched from `root` on, in which only cells within so many steps of a stone are tried.

    On the empty board that is the middle. Where no cell is left that is near to a stone, every move may be tried.
    """
    board = Geometry(game)
    if not board.fixed:
        raise PlygroundError(f"{game.name} cannot be limited to neighbours: that needs a board of cells that moves fill")
    middle = (int(board.middle[0]), int(board.middle[1]))
    near: frozenset[Cell] = frozenset([middle])
    stones = board.stones(root)
    if stones:
        near = frozenset().union(*(around(cell, within) for cell in stones))

    def hand_down(near: frozenset[Cell], s: Any, m: int) -> frozenset[Cell]:
        where = board.place(s, m)
        return near if where is None else near | around(where, within)

    def moves(c: Carried) -> list[int]:
        every = [int(m) for m in game.moves(c.state)]
        return [m for m in every if board.place(c.state, m) in c.along] or every  # type: ignore[operator]

    new = carry(game, near, hand_down)
    new.moves = moves
    return new
