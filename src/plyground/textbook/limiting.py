"""Limiting moves: where most moves are far from every stone, only those near a stone are searched.

The set of cells worth trying is not rebuilt in every state: each move passes it on with its own neighbourhood added. This
changes values, of course: a search sees only what the limited game allows. A game can say which moves are worth searching
(`likely`, as gomoku does); `with_neighbours` does this for any game whose moves fill the cells of a grid.
"""

from __future__ import annotations

from plyground.errors import PlygroundError
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.textbook.carry import Carried, carry
from plyground.textbook.geometry import Cell, Geometry


def around(cell: Cell, within: int) -> frozenset[Cell]:
    """Return the cells at most `within` steps away, diagonals included; some may lie off the board, where there are no moves."""
    row, col = cell
    steps = range(-within, within + 1)
    return frozenset((row + down, col + right) for down in steps for right in steps)


def with_likely(game: Game) -> Game:
    """Return the game in which only the moves its rules call likely are tried, or all moves where there are none."""
    return game.replace(moves=lambda s: list(game.likely(s)) or game.moves(s))


def with_neighbours(game: Game, root: State, within: int) -> Game:
    """Return the game from `root` on, in which only cells within this many steps of a stone are tried.

    On the empty board that is the middle. Where no cell near a stone is left, every move may be tried.
    """
    board = Geometry(game)
    if not board.fixed:
        raise PlygroundError(f"{game.name} cannot be limited to neighbours: it needs a board of cells that moves fill")
    middle = (int(board.middle[0]), int(board.middle[1]))
    near: frozenset[Cell] = frozenset([middle])
    stones = board.stones(root)
    if stones:
        near = frozenset().union(*(around(cell, within) for cell in stones))

    def hand_down(near: frozenset[Cell], s: State, m: int) -> frozenset[Cell]:
        where = board.place(s, m)
        return near if where is None else near | around(where, within)

    def moves(c: Carried) -> list[int]:
        every = [int(m) for m in game.moves(c.state)]
        return [m for m in every if board.place(c.state, m) in c.along] or every  # type: ignore[operator]

    return carry(game, near, hand_down).replace(moves=moves)
