"""Deriving the features of a game from its board, its rules and random games: groups of cells that have weights, and phases.

Groups of cells are lines, boxes and walks on a grid, neighbours elsewhere. Where there are no useful groups, single cells feed
hidden units instead.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import numpy as np

from plyground.board.board import GRIDS, OFF, Board
from plyground.compile.net_structure import ALWAYS_FIRST, EVALUATION, NOTHING, Item
from plyground.errors import GameError
from plyground.nets.features import FIELDS, INCREMENTAL_GROUPS, BitRange, CellReader, Features, SideView, TiedGroups, board_text
from plyground.nets.net import HIDDEN
from plyground.nets.observe import (
    STATES,
    Permutation,
    SampledState,
    random_states,
    reader_of,
    side_to_move,
    side_view,
    symmetries,
)
from plyground.rules.game import Game

PHASE = 4
"""The change in the number of pieces that makes a new phase."""
MAX_PHASES = 10
LARGE_BOARD_STATES = 5000
"""The number of states of random games on a large board: each piece should have been on each cell."""
MIN_GROUP_CELLS = 5
"""If groups can't have this many cells, single cells feed hidden units instead."""
MAX_CONTENTS, MAX_TILES = 1 << 16, 1 << 24
"""The largest number of contents of a group, which must fit into 16 bits; and of a group of tiles: those numbers are read as
digits, so more bits cost little."""
MAX_GROUP_LENGTH, MIN_GROUP_LENGTH = 10, 4
LARGE, WINDOW = 120, 7
"""On a board with at least LARGE cells, rows of WINDOW cells share weights wherever they are."""
BUDGET, LARGER_BUDGET = 47, 63
"""The default number of groups, counting symmetric ones: with the count of pieces, three or four vectors of 16."""

Group = tuple[int, ...]
"""Cells whose contents have a weight together."""


def derive_features(game: Game) -> Features:
    """Return the features of a game, derived from its board, its GROUPS and random games."""
    board = game.board
    games = list(random_states(game, STATES if board is None or board.size < LARGE else LARGE_BOARD_STATES))
    if board is None:
        return _without_board(game, games)
    view = side_view(game, board, games[:STATES])
    used = [c for c, name in enumerate(board.cell_names()) if name]
    used = used[: OFF + 2] if board.shape == "backgammon" else used
    found = symmetries(game, board, games)
    chosen = _groups_of_rules(game, board)
    if not chosen and not _without_geometry(board):
        chosen = default_groups(board, used, board.most + 1, found)
    kinds = tuple(_tied_groups(board, group, found) for group in _distinct(chosen, found))
    counted, counts = _counts(board, used)
    phases = _phases([game.cells(p.s) for p in games], counted, counts)
    grid = lattice(board, used) if board.shape in GRIDS else []
    if not game.groups and len(used) >= LARGE and grid and longest_group(board.most + 1) >= WINDOW:
        kinds = _groups_anywhere(board, grid)
    many = sum(len(kind.groups) for kind in kinds) > INCREMENTAL_GROUPS
    phases = (0,) if many else phases
    reader = reader_of(game, view, games, used, digits=not many)
    return Features(
        board_text(game), view, reader, kinds, 0 if kinds else HIDDEN, counted, counts, phases,
        _base(game, games, hidden=not kinds),
    )  # fmt: skip


def _groups_anywhere(board: Board, grid: Sequence[Sequence[int]]) -> tuple[TiedGroups, ...]:
    """Return the groups of a large board: rows of cells that share weights wherever they are, and single cells."""
    labels = tuple(range(board.most + 1))
    rows = TiedGroups(labels, tuple(windows(grid, WINDOW)), (tuple(range(WINDOW))[::-1],))
    return rows, *(TiedGroups(labels, ((c,),), ()) for row in grid for c in row)


def _without_geometry(board: Board) -> bool:
    """Return whether a board has no usable geometry, or so many contents that groups of cells would be too small.

    The points of backgammon are a row, but what matters is far apart: a race, or the number of pieces on the bar.
    """
    if board.shape == "backgammon":
        return True
    few = not board.count and board.shape != "tiles" and longest_group(board.most + 1) < MIN_GROUP_CELLS
    return few or (board.shape == "free" and not board.lines)


def _groups_of_rules(game: Game, board: Board) -> list[Group]:
    """Return the groups that the rules name."""
    try:
        found = [tuple(int(c) for c in group) for group in game.groups]
    except (TypeError, ValueError):
        found = [()]
    for group in found:
        if not group or len(set(group)) < len(group) or not all(0 <= c < board.size for c in group):
            raise GameError(
                f"{game.line_of('GROUPS')}: GROUPS must be a tuple of groups, each with different cells "
                f"from 0 to {board.size - 1}"
            )
        size = (max(_labels(board, len(group))) + 1) ** len(group)
        if size > (MAX_TILES if board.shape == "tiles" else MAX_CONTENTS):
            raise GameError(
                f"{game.line_of('GROUPS')}: a group of {len(group)} cells can have {size:,} contents, which is too many"
            )
    return found


def _distinct(groups: Sequence[Group], ways: Sequence[Permutation]) -> list[Group]:
    """Return the groups without those that are images of earlier ones."""
    seen: set[frozenset[int]] = set()
    found = []
    for group in groups:
        if frozenset(group) not in seen:
            found.append(group)
            seen |= {frozenset(image) for image in images(group, ways)}
    return found


def _tied_groups(board: Board, group: Group, ways: Sequence[Permutation]) -> TiedGroups:
    orders = {tuple(group.index(way[c]) for c in group) for way in ways if {way[c] for c in group} == set(group)}
    return TiedGroups(_labels(board, len(group)), tuple(images(group, ways)), tuple(sorted(orders - {tuple(range(len(group)))})))


def _labels(board: Board, cells: int) -> tuple[int, ...]:
    """Return the digit for each content: in groups of several cells, large counts are the same."""
    if cells == 1 or not board.count:
        return tuple(range(board.most + 1))
    if board.shape == "backgammon":  # up to four of one's own, up to three of the other side's
        return (0, *(min(n, 4) for n in range(1, board.count + 1)), *(4 + min(n, 3) for n in range(1, board.count + 1)))
    return tuple(min(n, 15) for n in range(board.most + 1))


def _counts(board: Board, used: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return what the phase depends on: the number of pieces, or of seeds that are not in a store yet."""
    nothing, contents = (0,) * (board.most + 1), range(board.most + 1)
    if board.shape in ("tiles", "backgammon"):
        return (nothing,), (0,) * board.size
    if board.shape == "pits":
        stores = {board.size // 2 - 1, board.size - 1}
        return (nothing, tuple(contents)), tuple(int(c not in stores) for c in range(board.size))
    each = tuple(contents) if board.count else tuple(min(n, 1) for n in contents)
    return (nothing, each), tuple(int(c in set(used)) for c in range(board.size))


def _phases(boards: Sequence[Sequence[int]], counted: Sequence[Sequence[int]], counts: Sequence[int]) -> tuple[int, ...]:
    """Return the phase for each count, from the first to the last that occurred."""
    seen = [sum(counted[k][x] for k, x in zip(counts, cells, strict=True)) for cells in boards]
    low, high = min(seen), max(seen)
    most = sum(max(counted[k]) for k in counts)
    phases = max(1, min(MAX_PHASES, (high - low) // PHASE))
    width = max(1, -(-(high - low + 1) // phases))
    return tuple(max(0, min(phases - 1, (n - low) // width)) for n in range(max(high, min(most, 255)) + 1))


def _base(game: Game, games: Sequence[SampledState], hidden: bool) -> int:
    """Return the base value that the net adds to.

    With hidden units that is the rules' evaluation, if there is one: learning as much would take long. In a solitaire, it is the
    field that holds the result when the game ends.
    """
    if hidden and "evaluate" in game.has:
        return EVALUATION
    ends = [p.s for p in games if p.over]
    if len(game.sides) == 1 and ends:
        for i, f in enumerate(game.layout.fields):
            if not f.shape and all(int(s[i]) == game.result(s) for s in ends):
                return i
    return NOTHING


# -- without a board -----------------------------------------------------------------------------------------------------------


MAX_ITEMS = 256
WIDEST_RANGE = 63
"""Numbers with a wider range are seen as bits."""


def _without_board(game: Game, games: Sequence[SampledState]) -> Features:
    """Return features made of the numbers of the state."""
    items = items_of(game, games)
    if not items:
        raise GameError(f"{game.where}: all states of {game.name} have the same numbers, so there is nothing to learn from")
    side, first = side_to_move(game, games)
    contents = max(item.high - item.low for item in items) + 1
    view = SideView(side, first, tuple(range(len(items))), tuple(range(contents)), apart=side != ALWAYS_FIRST)
    reader = reader_of_fields(items, 1 if side == ALWAYS_FIRST else 2)
    return Features(
        board_text(game), view, reader, (), HIDDEN, ((0,) * contents,), (0,) * len(items), (0,), _base(game, games, True)
    )


def items_of(game: Game, games: Sequence[SampledState]) -> tuple[Item, ...]:
    """Return the numbers of the state that change from one state to another, or their bits."""
    found: list[Item] = []
    for i, f in enumerate(game.layout.fields):
        columns = np.array([np.ravel(np.array(p.s[i], dtype=object)) for p in games], dtype=object)
        for j in range(columns.shape[1]):
            numbers = [int(x) for x in columns[:, j]]
            found += _items_in(i, j if f.shape else -1, numbers)
    return tuple(found[:MAX_ITEMS])


def _items_in(field: int, item: int, numbers: list[int]) -> list[Item]:
    low, high = min(numbers), max(numbers)
    if low == high:
        return []
    if high - low <= WIDEST_RANGE:
        return [Item(field, item, low, high, -1)]
    changing = [bit for bit in range(64) if len({x >> bit & 1 for x in numbers}) == 2]
    return [Item(field, item, 0, 1, bit) for bit in changing]


def reader_of_fields(items: Sequence[Item], sides: int) -> CellReader:
    """Return a reader that writes the content of each item into a byte."""
    spots = tuple(BitRange(i // 8, i % 8 * 8, 8, i, 0) for i in range(len(items)))
    return CellReader(FIELDS, (), (spots,) * sides, tuple(items))


# -- groups of cells ---------------------------------------------------------------------------------------------------------


def longest_group(contents: int) -> int:
    """Return the number of cells that a group may have, if each has this many contents."""
    n = 1
    while n < MAX_GROUP_LENGTH and contents ** (n + 1) <= MAX_CONTENTS:
        n += 1
    return n


def lattice(board: Board, used: Sequence[int]) -> list[list[int]]:
    """Return the used cells of a grid in rows and columns; if only the dark squares are used, they move together."""
    cols = len(board.col_names)
    rows = [[c for c in range(cols * r, cols * r + cols) if c in set(used)] for r in range(len(board.row_names))]
    return rows if len({len(row) for row in rows}) == 1 else []


def lines(grid: Sequence[Sequence[int]], most: int) -> list[Group]:
    """Return every row, column and diagonal of four cells or more, in pieces of at most `most` cells, from each end."""
    rows, cols = len(grid), len(grid[0])
    starts = [(r, 0, 0, 1) for r in range(rows)] + [(0, c, 1, 0) for c in range(cols)]
    starts += [(0, c, 1, 1) for c in range(cols)] + [(r, 0, 1, 1) for r in range(1, rows)]
    starts += [(0, c, 1, -1) for c in range(cols)] + [(r, cols - 1, 1, -1) for r in range(1, rows)]
    found = []
    for r, c, down, right in starts:
        line = []
        while 0 <= r < rows and 0 <= c < cols:
            line.append(grid[r][c])
            r, c = r + down, c + right
        if len(line) > most:
            found += [tuple(line[:most]), tuple(line[-most:])]
        elif len(line) >= min(MIN_GROUP_LENGTH, rows, cols):
            found.append(tuple(line))
    return found


def windows(grid: Sequence[Sequence[int]], size: int) -> list[Group]:
    """Return every row of `size` neighbours, in all four directions."""
    rows, cols, found = len(grid), len(grid[0]), []
    for r, c, (down, right) in itertools.product(range(rows), range(cols), ((0, 1), (1, 0), (1, 1), (1, -1))):
        way = [(r + i * down, c + i * right) for i in range(size)]
        if all(0 <= y < rows and 0 <= x < cols for y, x in way):
            found.append(tuple(grid[y][x] for y, x in way))
    return found


def boxes(grid: Sequence[Sequence[int]], high: int, wide: int) -> list[Group]:
    """Return every box of `high` rows and `wide` columns."""
    corners = [(r, c) for r in range(len(grid) - high + 1) for c in range(len(grid[0]) - wide + 1)]
    return [tuple(grid[r + i][c + j] for i in range(high) for j in range(wide)) for r, c in corners]


def walks(grid: Sequence[Sequence[int]], size: int, seed: int = 1) -> list[Group]:
    """Return random walks from cell to neighbour, which visit no cell twice."""
    dice, found = random.Random(seed), []
    rows, cols = len(grid), len(grid[0])
    for _ in range(4 * BUDGET):
        at = dice.randrange(rows), dice.randrange(cols)
        way = [at]
        for _ in range(20 * size):
            r, c = dice.choice(way)
            step = (r + dice.randint(-1, 1), c + dice.randint(-1, 1))
            if len(way) < size and 0 <= step[0] < rows and 0 <= step[1] < cols and step not in way:
                way.append(step)
        found.append(tuple(sorted(grid[r][c] for r, c in way)))
    return found


def neighbourhoods(board: Board, most: int, seed: int = 1) -> list[Group]:
    """Return, for a board of lines, each cell with its neighbours, and larger connected groups."""
    beside: dict[int, list[int]] = {c: [] for c in range(board.size)}
    for a, b in board.lines:
        beside[a].append(b)
        beside[b].append(a)
    dice = random.Random(seed)
    found = [(c, *beside[c][: most - 1]) for c in beside if beside[c]]
    for _ in range(BUDGET):
        group = [dice.randrange(board.size)]
        while len(group) < most and (edge := sorted({n for c in group for n in beside[c]} - set(group))):
            group.append(dice.choice(edge))
        found.append(tuple(sorted(group)))
    return found


def images(group: Group, ways: Sequence[Permutation]) -> list[Group]:
    """Return the images of a group under symmetries, each set of cells once."""
    found: dict[frozenset[int], Group] = {}
    for way in ways:
        image = tuple(way[c] for c in group)
        found.setdefault(frozenset(image), image)
    return list(found.values())


def default_groups(board: Board, used: Sequence[int], contents: int, ways: Sequence[Permutation]) -> list[Group]:
    """Return groups for a board about which nothing else is known."""
    if board.shape == "pits":
        return _pits(board)
    most = longest_group(contents)
    if board.shape == "free":
        return _within_budget(neighbourhoods(board, min(most, 8)), ways, LARGER_BUDGET)
    grid = lattice(board, used) if board.shape in GRIDS else []
    if not grid or len(grid) < 2 or len(grid[0]) < 2:
        return [tuple(used[i : i + most]) for i in range(0, len(used), max(1, most // 2))]
    half = len(used) < board.size  # on dark squares only, lines would be zigzags
    shapes = [(3, 2), (2, 3)] if most >= 6 else [(2, 2)]
    offers = [] if half else lines(grid, min(most, 8))
    offers += [box for high, wide in shapes for box in boxes(grid, high, wide)] if half or most < 8 else []
    offers += walks(grid, min(most, 8))
    return _within_budget(offers, ways, max(BUDGET, len(offers) - 4 * BUDGET if half else 0))


def _within_budget(offers: Sequence[Group], ways: Sequence[Permutation], budget: int) -> list[Group]:
    """Return the first groups that fit into the budget with all their images; one of each set of images."""
    seen: set[frozenset[int]] = set()
    found = []
    for group in offers:
        same = {frozenset(image) for image in images(group, ways)}
        if not same & seen and len(seen) + len(same) <= budget:
            seen |= same
            found.append(group)
    return found


def _pits(board: Board) -> list[Group]:
    """Return single pits and stores, neighbours, and pits that face each other."""
    n = len(board.col_names)
    own, other = list(range(n)), list(range(n + 1, 2 * n + 1))
    near: list[Group] = [(side[i], side[i + 1]) for side in (own, other) for i in range(n - 1)]
    facing: list[Group] = [(own[i], other[n - 1 - i]) for i in range(n)]
    return [*((c,) for c in range(board.size)), *near, *facing]
