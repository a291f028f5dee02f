"""The symmetries of a board, read off the rules' `canonical`: what it does to the cells in random games."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.board.board import GRIDS, Board
from plyground.learn.sample import Ply
from plyground.learn.view import flat
from plyground.rules.game import Game

Permutation = tuple[int, ...]
"""For each cell, the cell whose content it gets."""


def ways_of(board: Board) -> list[Permutation]:
    """The reflections and rotations of a grid."""
    if board.shape not in GRIDS:
        return [tuple(range(board.size))]
    rows, cols = len(board.row_names), len(board.col_names)
    grid = [[cols * r + c for c in range(cols)] for r in range(rows)]
    across = [grid, [list(row) for row in zip(*grid, strict=True)]] if rows == cols else [grid]
    return [flat(way) for g in across for way in (g, g[::-1], [row[::-1] for row in g], [row[::-1] for row in g[::-1]])]


def symmetries(game: Game, board: Board, games: Sequence[Ply]) -> list[Permutation]:
    """The permutations of cells that `canonical` uses, and their products; the first changes nothing."""
    same = tuple(range(board.size))
    ways, found = ways_of(board), {same}
    if "canonical" not in game.has or game.in_place:
        return [same]
    for p in games:
        one, two = game.cells(p.s), game.cells(game.canonical(p.s))
        fits = [way for way in ways if [one[c] for c in way] == two]
        if len(fits) == 1:
            found.add(fits[0])
    while more := {tuple(a[c] for c in b) for a in found for b in found} - found:
        found |= more
    return [same, *sorted(found - {same})]
