"""The board as the side to move sees it.

`cells` always gives the board as the first side sees it. A net should learn the same from both sides, so for the second side the
pieces change owners and the board is turned as the rules turn it: in chess upside down, in checkers by half a turn, in Othello
not at all. How the rules turn it is read off the first position and the moves in random games: seen by the side to move, both
sides must begin and move alike. If that shows nothing, as where stones are only placed, each side gets weights of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from plyground.board.board import BARS, DICE, GRIDS, OFF, POINTS, Board
from plyground.compile.structure import ALWAYS_FIRST, TURN
from plyground.learn.sample import Ply
from plyground.rules.game import Game

CLEARLY = 1.2
"""How much more alike the moves of both sides must be on a turned board than on one that is not."""


@dataclass(frozen=True)
class View:
    """How the second side sees the board."""

    side: int
    """The number of the state's field that says who moves; TURN if the rules' `turn` does, ALWAYS_FIRST if nothing does."""
    first: int
    """With a field: its value when the first side moves."""
    mirror: tuple[int, ...]
    """For the second side: the cell whose content it sees at each place."""
    swap: tuple[int, ...]
    """For the second side: what it sees in place of each content."""
    apart: bool
    """Has each side weights of its own?"""

    def side_of(self, game: Game, s: Any) -> int:
        """The side to move."""
        if self.side == TURN:
            return game.turn(s) or 0
        return 0 if self.side == ALWAYS_FIRST else int(int(s[self.side]) != self.first)

    def seen(self, side: int, cells: Sequence[int]) -> list[int]:
        """What the side sees on each cell."""
        return [self.swap[cells[c]] for c in self.mirror] if side else list(cells)


def view_of(game: Game, board: Board, games: Sequence[Ply]) -> View:
    """The view that fits the moves of these random games."""
    side, first = who_moves(game, games)
    same, swap = tuple(range(board.size)), _owners_changed(board)
    if side == ALWAYS_FIRST:
        return View(side, first, same, tuple(range(board.most + 1)), apart=False)
    ways = _ways(board)
    if board.shape in ("pits", "backgammon") or _colour_blind(game, games):
        return View(side, first, ways[0], swap, apart=False)
    mine = _changes(game, View(side, first, same, swap, apart=True), games, 0)
    first_cells, likeness = game.cells(games[0].s), []
    for mirror in ways:
        view = View(side, first, mirror, swap, apart=False)
        theirs = _changes(game, view, games, 1)
        alike = len(mine & theirs) / max(1, len(theirs))
        likeness.append((view.seen(1, first_cells) == first_cells, alike))
    best = max(range(len(ways)), key=lambda i: likeness[i])
    shown = likeness[best][0] and likeness[best][1] > CLEARLY * likeness[0][1]
    return View(side, first, ways[best if shown else 0], swap, apart=not shown)


def who_moves(game: Game, games: Sequence[Ply]) -> tuple[int, int]:
    """How the side to move is known: by `turn`, else by a field with two values that alternate."""
    if len(game.sides) == 1:
        return ALWAYS_FIRST, 0
    if "turn" in game.has:
        return TURN, 0
    for i, f in enumerate(game.layout.fields):
        if not f.shape:
            values = [{int(p.s[i]) for p in games if p.ply % 2 == parity} for parity in (0, 1)]
            if len(values[0]) == len(values[1]) == 1 and values[0] != values[1]:
                return i, values[0].pop()
    return ALWAYS_FIRST, 0


def _owners_changed(board: Board) -> tuple[int, ...]:
    """For each content, the same of the other side."""
    if board.shape == "backgammon":
        n = board.count
        return (0, *range(n + 1, 2 * n + 1), *range(1, n + 1))
    if board.count or len(board.pieces) != 2 or len(board.pieces[0]) != len(board.pieces[1]):
        return tuple(range(board.most + 1))
    n = len(board.pieces[0])
    return (0, *range(n + 1, 2 * n + 1), *range(1, n + 1))


def _ways(board: Board) -> list[tuple[int, ...]]:
    """How a board may be turned for the second side; the first fits if nothing tells them apart."""
    cells = range(board.size)
    if board.shape == "pits":
        return [tuple((c + board.size // 2) % board.size for c in cells)]
    if board.shape == "backgammon":
        points = tuple(range(POINTS - 1, -1, -1))
        return [(*points, BARS + 1, BARS, OFF + 1, OFF, DICE, DICE + 1)]
    if board.shape not in GRIDS:
        return [tuple(cells)]
    rows, cols = len(board.row_names), len(board.col_names)
    grid = [[cols * r + c for c in range(cols)] for r in range(rows)]
    return [flat(g) for g in (grid, [row[::-1] for row in grid[::-1]], grid[::-1], [row[::-1] for row in grid])]


def flat(grid: Iterable[Sequence[int]]) -> tuple[int, ...]:
    """The cells of a grid row by row."""
    return tuple(c for row in grid for c in row)


def _changes(game: Game, view: View, games: Sequence[Ply], side: int) -> set[frozenset[tuple[int, int, int]]]:
    """What the moves of a side change, as it sees the board: cells, each with its content before and after."""
    found = set()
    for before, after in itertools.pairwise(games):
        if after.ply and view.side_of(game, before.s) == side and not game.is_chance(before.s):
            one, two = (view.seen(side, game.cells(p.s)) for p in (before, after))
            found.add(frozenset((i, a, b) for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b))
    return found


def _colour_blind(game: Game, games: Sequence[Ply]) -> bool:
    """Is `key` the same whichever side is to move? Then so is everything else."""
    for i, f in enumerate(game.layout.fields):
        if not f.shape and all(int(p.s[i]) == game.turn(p.s) for p in games):
            turned = [p.s._replace(**{f.name: 1 - int(p.s[i])}) for p in games[:50]]
            return all(game.key(p.s) == game.key(t) for p, t in zip(games, turned, strict=False))
    return False
