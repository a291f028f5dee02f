"""Derives the features of a game from its board, its rules and random games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from plyground.board.board import GRIDS, OFF, Board
from plyground.compile.structure import ALWAYS_FIRST
from plyground.errors import GameError
from plyground.learn.dense import HIDDEN
from plyground.learn.features import LAZY, Features, Kind, board_text
from plyground.learn.fields import items_of, reader_of_fields
from plyground.learn.groups import LARGE, MOST, WINDOW, default_groups, images, lattice, longest, windows
from plyground.learn.reader import reader_of
from plyground.learn.sample import STATES, Ply, plies
from plyground.learn.symmetry import symmetries
from plyground.learn.view import View, view_of, who_moves
from plyground.rules.game import Game

PHASE = 4
"""How many pieces more or fewer make a new phase."""
MOST_PHASES = 10
MANY = 5000
"""States of random games on a large board: each piece should have been on each cell."""
SMALLEST = 5
"""If a group could not have so many cells, single cells feed hidden units instead."""
MOST_TILES = 1 << 24
"""Contents that a group of tiles may have: their numbers are read as digits, so more bits cost little."""


def features_of(game: Game) -> Features:
    """The features of a game, derived from its board, its GROUPS and random games."""
    board = game.board
    games = list(plies(game, STATES if board is None or board.size < LARGE else MANY))
    if board is None:
        return _without_board(game, games)
    view = view_of(game, board, games[:STATES])
    used = [c for c, name in enumerate(board.cell_names()) if name]
    used = used[: OFF + 2] if board.shape == "backgammon" else used
    ways = symmetries(game, board, games)
    chosen = _given(game, board) or ([] if _flat(board) else default_groups(board, used, board.most + 1, ways))
    kinds = tuple(_kind(board, group, ways) for group in _distinct(chosen, ways))
    counted, counts = _count(board, used)
    phases = _phases([game.cells(p.s) for p in games], counted, counts)
    grid = lattice(board, used) if board.shape in GRIDS else []
    if not game.groups and len(used) >= LARGE and grid and longest(board.most + 1) >= WINDOW:
        kinds = _anywhere(board, grid)
    lazy = sum(len(kind.groups) for kind in kinds) > LAZY
    phases = (0,) if lazy else phases
    reader = reader_of(game, view, games, used, digits=not lazy)
    return Features(
        board_text(game), view, reader, kinds, 0 if kinds else HIDDEN, counted, counts, phases, _base(game, games)
    )  # fmt: skip


def _anywhere(board: Board, grid: Sequence[Sequence[int]]) -> tuple[Kind, ...]:
    """On a large board: rows of cells that share weights wherever they are, and single cells."""
    labels = tuple(range(board.most + 1))
    rows = Kind(labels, tuple(windows(grid, WINDOW)), (tuple(range(WINDOW))[::-1],))
    return rows, *(Kind(labels, ((c,),), ()) for row in grid for c in row)


def _flat(board: Board) -> bool:
    """Is there no geometry to go by, or are there so many contents that groups of cells would be too small?

    The points of backgammon are a row, but what counts is far apart: a race, or how many pieces are on the bar.
    """
    if board.shape == "backgammon":
        return True
    few = not board.count and board.shape != "tiles" and longest(board.most + 1) < SMALLEST
    return few or (board.shape == "free" and not board.lines)


def _without_board(game: Game, games: Sequence[Ply]) -> Features:
    """Features from the numbers of the state."""
    items = items_of(game, games)
    if not items:
        raise GameError(f"{game.where}: the states of {game.name} don't differ in any number, so there is nothing to learn from")
    side, first = who_moves(game, games)
    contents = max(item.high - item.low for item in items) + 1
    view = View(side, first, tuple(range(len(items))), tuple(range(contents)), apart=side != ALWAYS_FIRST)
    reader = reader_of_fields(items, 1 if side == ALWAYS_FIRST else 2)
    return Features(board_text(game), view, reader, (), HIDDEN, ((0,) * contents,), (0,) * len(items), (0,), _base(game, games))


def _given(game: Game, board: Board) -> list[tuple[int, ...]]:
    """The groups that the rules name."""
    try:
        found = [tuple(int(c) for c in group) for group in game.groups]
    except (TypeError, ValueError):
        found = [()]
    for group in found:
        if not group or len(set(group)) < len(group) or not all(0 <= c < board.size for c in group):
            raise GameError(
                f"{game.at('GROUPS')}: GROUPS must be a tuple of groups, each with different cells from 0 to {board.size - 1}"
            )
        size = (max(_labels(board, len(group))) + 1) ** len(group)
        if size > (MOST_TILES if board.shape == "tiles" else MOST):
            raise GameError(f"{game.at('GROUPS')}: a group of {len(group)} cells can have {size:,} contents, which is too many")
    return found


def _distinct(groups: Sequence[tuple[int, ...]], ways: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The groups without those that symmetries make of earlier ones."""
    seen: set[frozenset[int]] = set()
    found = []
    for group in groups:
        if frozenset(group) not in seen:
            found.append(group)
            seen |= {frozenset(image) for image in images(group, ways)}
    return found


def _kind(board: Board, group: tuple[int, ...], ways: Sequence[tuple[int, ...]]) -> Kind:
    turns = {tuple(group.index(way[c]) for c in group) for way in ways if {way[c] for c in group} == set(group)}
    return Kind(_labels(board, len(group)), tuple(images(group, ways)), tuple(sorted(turns - {tuple(range(len(group)))})))


def _labels(board: Board, cells: int) -> tuple[int, ...]:
    """The digit for each content: in groups of several cells, large counts are the same."""
    if cells == 1 or not board.count:
        return tuple(range(board.most + 1))
    if board.shape == "backgammon":  # up to four of one's own, up to three of the other side's
        return (0, *(min(n, 4) for n in range(1, board.count + 1)), *(4 + min(n, 3) for n in range(1, board.count + 1)))
    return tuple(min(n, 15) for n in range(board.most + 1))


def _count(board: Board, used: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """What decides the phase: the number of pieces, or of seeds that are not in a store yet."""
    nothing, contents = (0,) * (board.most + 1), range(board.most + 1)
    if board.shape in ("tiles", "backgammon"):
        return (nothing,), (0,) * board.size
    if board.shape == "pits":
        stores = {board.size // 2 - 1, board.size - 1}
        return (nothing, tuple(contents)), tuple(int(c not in stores) for c in range(board.size))
    each = tuple(contents) if board.count else tuple(min(n, 1) for n in contents)
    return (nothing, each), tuple(int(c in set(used)) for c in range(board.size))


def _phases(boards: Sequence[Sequence[int]], counted: Any, counts: Any) -> tuple[int, ...]:
    """The phase for each count, from the first to the last that occurred."""
    seen = [sum(counted[k][x] for k, x in zip(counts, cells, strict=True)) for cells in boards]
    low, high = min(seen), max(seen)
    most = sum(max(counted[k]) for k in counts)
    phases = max(1, min(MOST_PHASES, (high - low) // PHASE))
    width = max(1, -(-(high - low + 1) // phases))
    return tuple(max(0, min(phases - 1, (n - low) // width)) for n in range(max(high, min(most, 255)) + 1))


def _base(game: Game, games: Sequence[Ply]) -> int:
    """In a solitaire: the field that is the result when the game ends."""
    ends = [p.s for p in games if p.over]
    if len(game.sides) == 1 and ends:
        for i, f in enumerate(game.layout.fields):
            if not f.shape and all(int(s[i]) == game.result(s) for s in ends):
                return i
    return -1
