"""Groups of cells whose contents are judged together: lines, boxes and walks on a grid, neighbours elsewhere."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from plyground.board.board import GRIDS, Board
from plyground.learn.symmetry import Permutation

MOST = 1 << 16
"""Contents that a group may have: its number must fit into 16 bits."""
LONGEST, SHORTEST = 10, 4
LARGE, WINDOW = 120, 7
"""On a board with so many cells, rows of seven share weights wherever they are."""
BUDGET, LARGER_BUDGET = 47, 63
"""How many groups there are by default, symmetric ones counted: with the count of pieces, three or four vectors of 16."""

Group = tuple[int, ...]


def longest(contents: int) -> int:
    """How many cells a group may have, if each has so many contents."""
    n = 1
    while n < LONGEST and contents ** (n + 1) <= MOST:
        n += 1
    return n


def lattice(board: Board, used: Sequence[int]) -> list[list[int]]:
    """The used cells of a grid in rows and columns; a board that uses only the dark squares is moved together."""
    cols = len(board.col_names)
    rows = [[c for c in range(cols * r, cols * r + cols) if c in set(used)] for r in range(len(board.row_names))]
    return rows if len({len(row) for row in rows}) == 1 else []


def lines(grid: Sequence[Sequence[int]], most: int) -> list[Group]:
    """Every row, column and diagonal of four cells or more, in pieces of at most `most` cells, from each end."""
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
        elif len(line) >= min(SHORTEST, rows, cols):
            found.append(tuple(line))
    return found


def windows(grid: Sequence[Sequence[int]], size: int) -> list[Group]:
    """Every row of so many neighbours, in all four directions."""
    rows, cols, found = len(grid), len(grid[0]), []
    for r, c, (down, right) in itertools.product(range(rows), range(cols), ((0, 1), (1, 0), (1, 1), (1, -1))):
        way = [(r + i * down, c + i * right) for i in range(size)]
        if all(0 <= y < rows and 0 <= x < cols for y, x in way):
            found.append(tuple(grid[y][x] for y, x in way))
    return found


def boxes(grid: Sequence[Sequence[int]], high: int, wide: int) -> list[Group]:
    """Every box of so many rows and columns."""
    corners = [(r, c) for r in range(len(grid) - high + 1) for c in range(len(grid[0]) - wide + 1)]
    return [tuple(grid[r + i][c + j] for i in range(high) for j in range(wide)) for r, c in corners]


def walks(grid: Sequence[Sequence[int]], size: int, seed: int = 1) -> list[Group]:
    """Random walks from cell to neighbour, no cell twice."""
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
    """On a board of lines: each cell with its neighbours, and larger connected groups."""
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


def images(group: Group, symmetries: Sequence[Permutation]) -> list[Group]:
    """What symmetries make of a group; each set of cells once."""
    found: dict[frozenset[int], Group] = {}
    for way in symmetries:
        image = tuple(way[c] for c in group)
        found.setdefault(frozenset(image), image)
    return list(found.values())


def default_groups(board: Board, used: Sequence[int], contents: int, symmetries: Sequence[Permutation]) -> list[Group]:
    """Groups for a board about which nothing else is known."""
    if board.shape == "pits":
        return _pits(board)
    most = longest(contents)
    if board.shape == "free":
        return _chosen(neighbourhoods(board, min(most, 8)), symmetries, LARGER_BUDGET)
    grid = lattice(board, used) if board.shape in GRIDS else []
    if not grid or len(grid) < 2 or len(grid[0]) < 2:
        return [tuple(used[i : i + most]) for i in range(0, len(used), max(1, most // 2))]
    half = len(used) < board.size  # on dark squares only, lines would be zigzags
    shapes = [(3, 2), (2, 3)] if most >= 6 else [(2, 2)]
    offers = [] if half else lines(grid, min(most, 8))
    offers += [box for high, wide in shapes for box in boxes(grid, high, wide)] if half or most < 8 else []
    offers += walks(grid, min(most, 8))
    return _chosen(offers, symmetries, max(BUDGET, len(offers) - 4 * BUDGET if half else 0))


def _chosen(offers: Sequence[Group], symmetries: Sequence[Permutation], budget: int) -> list[Group]:
    """The first groups that, with what symmetries make of them, are within the budget; one of each set of images."""
    seen: set[frozenset[int]] = set()
    found = []
    for group in offers:
        ways = {frozenset(image) for image in images(group, symmetries)}
        if not ways & seen and len(seen) + len(ways) <= budget:
            seen |= ways
            found.append(group)
    return found


def _pits(board: Board) -> list[Group]:
    """Single pits and stores; neighbours; pits that face each other."""
    n = len(board.col_names)
    own, other = list(range(n)), list(range(n + 1, 2 * n + 1))
    near: list[Group] = [(side[i], side[i + 1]) for side in (own, other) for i in range(n - 1)]
    facing: list[Group] = [(own[i], other[n - 1 - i]) for i in range(n)]
    return [*((c,) for c in range(board.size)), *near, *facing]
