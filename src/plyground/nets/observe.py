"""What random games show about a game: how the second side sees the board, and which symmetries the board has.

`cells` always gives the board as the first side sees it. A net should learn the same from both sides, so for the second side the
pieces change owners and the board is turned the way the rules turn it: upside down in chess, by half a turn in checkers, not at
all in Othello. The first position and the moves of random games show which: from the point of view of the side to move, both
sides must begin and move alike. If that shows nothing, as in games where stones are only placed, each side gets its own weights.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from plyground.board.board import BARS, DICE, GRIDS, OFF, POINTS, Board
from plyground.compile.net_structure import ALWAYS_FIRST, TURN
from plyground.nets.features import SideView
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.rollouts import random_game

STATES = 1500
WITNESSES, APART = 40, 5
"""The number of states whose evaluations show that `evaluate` is still the same, and the plies from one to the next."""
LONGEST = 300
"""Plies of a random game before the next one begins."""
CLEARLY = 1.2
"""How much more alike the moves of both sides must be on a turned board than on one that is not turned."""

Permutation = tuple[int, ...]
"""For each cell, the cell whose content it gets."""


class SampledState(NamedTuple):
    """A state of a random game, the plies before it, and whether the game ends there."""

    s: State
    ply: int
    over: bool


def random_states(game: Game, count: int = STATES, seed: int = 1) -> Iterator[SampledState]:
    """Yield the states of random games, one game after the other, until there are `count` of them."""
    dice = random.Random(seed)
    found = 0
    while found < count:
        for ply, (s, moves) in enumerate(itertools.islice(random_game(game, dice, LONGEST), count - found)):
            found += 1
            yield SampledState(s, ply, not moves)


def sample_evaluations(game: Game) -> list[float]:
    """Return what `evaluate` gives in some states of random games, which changes if it or the rules change."""
    states = enumerate(random_states(game, WITNESSES * APART))
    return [float(game.evaluate(p.s)) for n, p in states if n % APART == 0 and not p.over]


# -- sides ------------------------------------------------------------------------------------------------------------------


def side_view(game: Game, board: Board, games: Sequence[SampledState]) -> SideView:
    """Return the view that fits the moves of these random games."""
    side, first = side_to_move(game, games)
    same, swap = tuple(range(board.size)), _swap_owners(board)
    if side == ALWAYS_FIRST:
        return SideView(side, first, same, tuple(range(board.most + 1)), apart=False)
    mirrors = _mirrors(board)
    if board.shape in ("pits", "backgammon") or _ignores_side(game, games):
        return SideView(side, first, mirrors[0], swap, apart=False)
    mine = _changes(game, SideView(side, first, same, swap, apart=True), games, 0)
    first_cells, likeness = game.cells(games[0].s), []
    for mirror in mirrors:
        view = SideView(side, first, mirror, swap, apart=False)
        theirs = _changes(game, view, games, 1)
        alike = len(mine & theirs) / max(1, len(theirs))
        likeness.append((view.contents_for(1, first_cells) == first_cells, alike))
    best = max(range(len(mirrors)), key=lambda i: likeness[i])
    shown = likeness[best][0] and likeness[best][1] > CLEARLY * likeness[0][1]
    return SideView(side, first, mirrors[best if shown else 0], swap, apart=not shown)


def side_to_move(game: Game, games: Sequence[SampledState]) -> tuple[int, int]:
    """Return what shows the side to move: `turn`, else a field with two alternating values; and its value for the first side."""
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


def _swap_owners(board: Board) -> tuple[int, ...]:
    """Return, for each content, the same content of the other side."""
    if board.shape == "backgammon":
        n = board.count
    elif board.count or len(board.pieces) != 2 or len(board.pieces[0]) != len(board.pieces[1]):
        return tuple(range(board.most + 1))
    else:
        n = len(board.pieces[0])
    return (0, *range(n + 1, 2 * n + 1), *range(1, n + 1))


def _mirrors(board: Board) -> list[Permutation]:
    """Return the ways to turn a board for the second side; the first is used if nothing tells them apart."""
    cells = range(board.size)
    if board.shape == "pits":
        return [tuple((c + board.size // 2) % board.size for c in cells)]
    if board.shape == "backgammon":
        points = tuple(range(POINTS - 1, -1, -1))
        return [(*points, BARS + 1, BARS, OFF + 1, OFF, DICE, DICE + 1)]
    if board.shape not in GRIDS:
        return [tuple(cells)]
    grid = _grid(board)
    return [_flat(g) for g in (grid, [row[::-1] for row in grid[::-1]], grid[::-1], [row[::-1] for row in grid])]


def _grid(board: Board) -> list[list[int]]:
    rows, cols = len(board.row_names), len(board.col_names)
    return [[cols * r + c for c in range(cols)] for r in range(rows)]


def _flat(grid: Iterable[Sequence[int]]) -> Permutation:
    return tuple(c for row in grid for c in row)


def _changes(game: Game, view: SideView, games: Sequence[SampledState], side: int) -> set[frozenset[tuple[int, int, int]]]:
    """Return what the moves of a side change on the board as it sees it: cells, each with its content before and after."""
    found = set()
    for before, after in itertools.pairwise(games):
        if after.ply and view.side_of(game, before.s) == side and not game.is_chance(before.s):
            one, two = (view.contents_for(side, game.cells(p.s)) for p in (before, after))
            found.add(frozenset((i, a, b) for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b))
    return found


def _ignores_side(game: Game, games: Sequence[SampledState]) -> bool:
    """Return whether `key` is the same whichever side is to move; then everything else is too."""
    for i, f in enumerate(game.layout.fields):
        if not f.shape and all(int(p.s[i]) == game.turn(p.s) for p in games):
            swapped = [game.State(*p.s)._replace(**{f.name: 1 - int(p.s[i])}) for p in games[:50]]
            return all(game.key(p.s) == game.key(t) for p, t in zip(games, swapped, strict=False))
    return False


# -- symmetries -------------------------------------------------------------------------------------------------------------


def symmetries(game: Game, board: Board, games: Sequence[SampledState]) -> list[Permutation]:
    """Return the permutations of cells that `canonical` uses in random games, and their products; the first changes nothing."""
    same = tuple(range(board.size))
    if "canonical" not in game.has or game.in_place:
        return [same]
    known, found = _grid_symmetries(board), {same}
    for p in games:
        one, two = game.cells(p.s), game.cells(game.canonical(p.s))
        fits = [way for way in known if [one[c] for c in way] == two]
        if len(fits) == 1:
            found.add(fits[0])
    while more := {tuple(a[c] for c in b) for a in found for b in found} - found:
        found |= more
    return [same, *sorted(found - {same})]


def _grid_symmetries(board: Board) -> list[Permutation]:
    """Return the reflections and rotations of a grid."""
    if board.shape not in GRIDS:
        return [tuple(range(board.size))]
    grid = _grid(board)
    square = len(grid) == len(grid[0])
    across = [grid, [list(row) for row in zip(*grid, strict=True)]] if square else [grid]
    return [_flat(way) for g in across for way in (g, g[::-1], [row[::-1] for row in g], [row[::-1] for row in g[::-1]])]
