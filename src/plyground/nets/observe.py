"""Inference from random games: the second side's view of the board, its symmetries, and where the cells are stored.

*Sides*: `cells` always gives the board as the first side sees it. A net should learn the same from both sides, so for the second
side the pieces change owners and the board is turned the way the rules turn it: upside down in chess, by half a turn in checkers,
not at all in Othello. The first position and the moves of random games show which: from the point of view of the side to move,
both sides must begin and move alike. If that shows nothing, as in games where stones are only placed, each side gets its own
weights.

*Cells*: where possible, compiled code reads the contents of cells in the state's own words, which is several times faster than
calling `cells`. Most states are bitboards or rows of digits, and random games show which bits belong to which cell: a *plane* is
a word with a bit for each cell that has one content (`mine & ~kings`); *digits* are words with a few bits for each cell. Either
way the words are cut into chunks of a few bits. Each chunk gives a list of cells with their contents, so whatever is additive
over cells, such as the numbers of active weights, becomes a table with a row for each value of each chunk.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from plyground.bits import MASK
from plyground.board.board import BARS, DICE, GRIDS, OFF, POINTS, Board
from plyground.compile.net_structure import ALWAYS_FIRST, TURN, Factor
from plyground.nets.features import CELLS, DIGITS, PLANES, Array, BitRange, CellReader, SideView
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.layout import Field
from plyground.rules.rollouts import random_game

STATES = 1500
CHECK_STATES, CHECK_PLIES = 40, 5
"""The number of states whose evaluations show that `evaluate` is still the same, and the plies from one to the next."""
MAX_PLIES = 300
"""The maximum length of a random game, in plies."""
MIN_SIMILARITY_GAIN = 1.2
"""The factor by which the moves of both sides must be more similar on a turned board than on the board itself."""

Permutation = tuple[int, ...]
"""For each cell, the cell whose content it gets."""
Place = tuple[int, int]
"""A word of a state: the number of its field, and of the item in it (-1 for a plain number)."""
FIRST_STATES = 100
"""States that are compared before all others."""
MAX_PLANES, MAX_DIGITS = 24, 256
"""States with more words are not searched for planes or digits."""


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
        for ply, (s, moves) in enumerate(itertools.islice(random_game(game, dice, MAX_PLIES), count - found)):
            found += 1
            yield SampledState(s, ply, not moves)


def sample_evaluations(game: Game) -> list[float]:
    """Return what `evaluate` gives in some states of random games, which changes if it or the rules change."""
    states = enumerate(random_states(game, CHECK_STATES * CHECK_PLIES))
    return [float(game.evaluate(p.s)) for n, p in states if n % CHECK_PLIES == 0 and not p.over]


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
    shown = likeness[best][0] and likeness[best][1] > MIN_SIMILARITY_GAIN * likeness[0][1]
    return SideView(side, first, mirrors[best if shown else 0], swap, apart=not shown)


def side_to_move(game: Game, games: Sequence[SampledState]) -> tuple[int, int]:
    """Return what shows the side to move (`turn`, else a field with two alternating values) and its value for the first side."""
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


# -- the contents of cells -----------------------------------------------------------------------------------------------------


def reader_of(game: Game, view: SideView, games: Sequence[SampledState], cells: Sequence[int], digits: bool = True) -> CellReader:
    """Return the fastest reader that agrees with `cells`, seen by the side to move, on these cells in all these games.

    Without `digits`, cells are bits or bytes: only these can be followed from one leaf to the next.
    """
    sides = [[p.s for p in games if view.side_of(game, p.s) == side] for side in (0, 1)]
    sides = [states for states in sides if states]
    seen = [np.array([view.contents_for(side, game.cells(s)) for s in states]) for side, states in enumerate(sides)]
    names = [(i, j) for i, f in enumerate(game.layout.fields) if not f.array or f.words <= MAX_PLANES for j in _items(f)]
    if 0 < len(names) <= MAX_DIGITS:
        words = [np.array([_words(s, names) for s in states], np.uint64) for states in sides]
        widths = [w for w in (4, 8) if len(view.swap) <= 1 << w]
        found = None if game.layout.arrays or not digits else _digits(names, words, seen, cells, widths)
        if found is None and len(names) <= MAX_PLANES and not game.layout.arrays:
            found = _planes(names, words, seen, cells)
        found = found or _bits(names, words, seen, cells, len(view.swap))
        if found is not None:
            return found
    return by_cells(game, view, cells, len(sides))


def by_cells(game: Game, view: SideView, cells: Sequence[int], sides: int) -> CellReader:
    """Return the reader that calls `cells`: a byte for each cell, eight in a word."""
    size = len(view.mirror)
    return CellReader(CELLS, (), tuple(_bytes(view, side, cells, size) for side in range(sides)))


def _bytes(view: SideView, side: int, cells: Sequence[int], size: int) -> tuple[BitRange, ...]:
    at = [view.mirror[c] if side else c for c in cells]
    return tuple(BitRange(i // 8, i % 8 * 8, 8, c, 0) for c, i in zip(cells, at, strict=True))


def _items(field: Field) -> Iterable[int]:
    """Return the numbers of the items of a field, -1 for a plain number."""
    return range(math.prod(field.shape)) if field.shape else (-1,)


def _words(s: State, names: Sequence[Place]) -> list[int]:
    """Return these items of the fields of a state as words."""
    flat = {field: np.ravel(s[field]).tolist() for field in {field for field, item in names if item >= 0}}
    return [int(s[field] if item < 0 else flat[field][item]) & MASK for field, item in names]


# -- digits ---------------------------------------------------------------------------------------------------------------------


def _digits(
    names: Sequence[Place], words: Sequence[Array], seen: Sequence[Array], cells: Sequence[int], widths: Sequence[int]
) -> CellReader | None:
    """Return a reader for cells whose content is a number of a few bits in a word; None if that doesn't fit."""
    places = [(n, shift, w) for n in range(len(names)) for w in widths for shift in range(0, 64, w)]
    spots = []
    for rows, contents in zip(words, seen, strict=True):
        first = np.array([rows[:FIRST_STATES, n] >> np.uint64(shift) & np.uint64((1 << w) - 1) for n, shift, w in places])
        found: list[BitRange] = []
        for c in cells:
            likely = [places[i] for i in np.flatnonzero((first == contents[:FIRST_STATES, c]).all(axis=1))]
            fits = [
                BitRange(n, shift, w, c, 0)
                for n, shift, w in likely
                if (rows[:, n] >> np.uint64(shift) & np.uint64((1 << w) - 1) == contents[:, c]).all()
            ]
            if not fits or not contents[:, c].any():
                return None
            found.append(fits[0])
        spots.append(found)
    return _reader(DIGITS, names, spots)


def _reader(kind: str, names: Sequence[Place], spots: Sequence[Sequence[BitRange]]) -> CellReader:
    """Return a reader of plain words, which are renumbered: only those with spots are read."""
    needed = sorted({spot.word for side in spots for spot in side})
    number = {word: i for i, word in enumerate(needed)}
    placed = tuple(tuple(spot._replace(word=number[spot.word]) for spot in side) for side in spots)
    return CellReader(kind, tuple((Factor(*names[n], inverted=False),) for n in needed), placed)


# -- planes ---------------------------------------------------------------------------------------------------------------------


def _planes(names: Sequence[Place], words: Sequence[Array], seen: Sequence[Array], cells: Sequence[int]) -> CellReader | None:
    """Return a reader for bitboards; None if the state isn't one."""
    bits = [np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little").reshape(len(rows), len(names), 64) for rows in words]
    places = [[_place(b, contents[:, c]) for c in cells] for b, contents in zip(bits, seen, strict=True)]
    if any(len(set(at)) < len(at) for at in places):
        return None
    # What the words say at the place of each cell, and what lies on it: all cells and states in one array.
    found = [np.concatenate([b[:, :, p] for p in at]) for b, at in zip(bits, places, strict=True)]
    there = [np.concatenate([contents[:, c] for c in cells]) for contents in seen]
    used = _sufficient_words(found, there)
    if used is None:
        return None
    codes = [f[:, used] @ (1 << np.arange(len(used))) for f in found]
    pairs = [dict(zip(code.tolist(), y.tolist(), strict=True)) for code, y in zip(codes, there, strict=True)]
    known = set().union(*pairs)
    kinds: dict[tuple[int, ...], list[int]] = {}
    for code in sorted(known):
        kinds.setdefault(tuple(pair.get(code, 0) for pair in pairs), []).append(code)
    kinds.pop((0,) * len(pairs), None)
    products = [_product(codes, known - set(codes), len(used)) for codes in kinds.values()]
    if None in products:
        return None
    planes = tuple(tuple(Factor(names[used[i]][0], names[used[i]][1], inverted) for i, inverted in p or ()) for p in products)
    spots = tuple(
        tuple(
            BitRange(w, p, 1, c, kind[side]) for w, kind in enumerate(kinds) if kind[side] for c, p in zip(cells, at, strict=True)
        )
        for side, at in enumerate(places)
    )
    return CellReader(PLANES, planes, spots)


def _bits(
    names: Sequence[Place], words: Sequence[Array], seen: Sequence[Array], cells: Sequence[int], contents: int
) -> CellReader | None:
    """Return a reader for boards of several words: a bit for each content of each cell, anywhere. None if that doesn't fit."""
    spots = []
    for rows, there in zip(words, seen, strict=True):
        columns = np.unpackbits(rows.view(np.uint8), axis=1, bitorder="little")
        known = {column.tobytes(): i for i, column in enumerate(columns.T.copy())}
        wanted = [(c, k, (there[:, c] == k).astype(np.uint8)) for c in cells for k in range(1, contents)]
        places = [known.get(column.tobytes(), -1) if column.any() else -1 for _, _, column in wanted]
        if min(places) < 0:
            return None
        spots.append([BitRange(p // 64, p % 64, 1, c, k) for (c, k, _), p in zip(wanted, places, strict=True)])
    return _reader(PLANES, names, spots)


def _place(bits: Array, content: Array) -> int:
    """Return the bit whose values in all words say most about the content of a cell."""
    evidence = np.zeros(64)
    for k in np.unique(content):
        here = content == k
        if 0 < here.sum() < len(here):
            apart = np.abs(bits[here].mean(axis=0) - bits[~here].mean(axis=0)).max(axis=0)
            evidence += apart * min(1, here.sum() / 20)  # a content seen only once or twice is weak evidence
    return int(evidence.argmax())


def _sufficient_words(found: Sequence[Array], there: Sequence[Array]) -> list[int] | None:
    """Return a few words that together determine the content, each chosen because it helps most; None if they can't."""
    used: list[int] = []
    wrong = sum(map(len, there))
    while wrong:
        options = [i for i in range(found[0].shape[1]) if i not in used]
        errors = {i: sum(_mismatches(f[:, [*used, i]], y) for f, y in zip(found, there, strict=True)) for i in options}
        if not errors or len(used) == 10:
            return None
        best = min(options, key=lambda i: errors[i])
        if errors[best] >= wrong:
            return None
        used, wrong = [*used, best], errors[best]
    return sorted(used)


def _mismatches(bits: Array, content: Array) -> int:
    """Count how often the content is not the one that these bits suggest."""
    code = bits @ (1 << np.arange(bits.shape[1]))
    most = int(content.max()) + 1
    table = np.bincount(code * most + content, minlength=(1 << bits.shape[1]) * most).reshape(-1, most)
    return int((table.sum(axis=1) - table.max(axis=1)).sum())


def _product(codes: list[int], others: set[int], count: int) -> list[tuple[int, bool]] | None:
    """Return the shortest product of words, some inverted, that is 1 for these codes and 0 for the others; None if none is."""
    fixed = [(i, not codes[0] >> i & 1) for i in range(count) if len({code >> i & 1 for code in codes}) == 1]

    def excludes_others(factors: Sequence[tuple[int, bool]]) -> bool:
        return not any(all((other >> i & 1) != inverted for i, inverted in factors) for other in others)

    for n in range(1, len(fixed) + 1):
        for factors in itertools.combinations(sorted(fixed, key=lambda f: f[1]), n):
            if excludes_others(factors):
                return list(factors)
    return None
