"""Finding where compiled code can read the contents of cells: if possible in the state's own words, which is several times
faster.

Most states are bitboards or rows of digits. Random games show which bits belong to which cell: a *plane* is a word with a bit for
each cell that has one content (`mine & ~kings`); *digits* are words with a few bits for each cell. If neither fits, the rules'
`cells` is called. Without a board, the numbers of the state are seen as cells: small ones as contents, larger ones bit by bit,
because they are mostly bitboards; numbers that never change are left out.

Either way the words are cut into chunks of a few bits. Each chunk gives a list of cells with their contents, so whatever is
additive over cells, such as the numbers of active weights, becomes a table with a row for each value of each chunk.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

import numpy as np

from plyground.bits import MASK
from plyground.compile.net_structure import Factor, Item
from plyground.nets.features import CELLS, DIGITS, FIELDS, PLANES, Array, CellReader, SideView, Spot
from plyground.nets.observe import SampledState
from plyground.rules.game import Game
from plyground.rules.hooks import State
from plyground.rules.layout import Field

Place = tuple[int, int]
"""A word of a state: the number of its field, and of the item in it (-1 for a plain number)."""
FEW = 100
"""States that are tried before all others."""
MOST_PLANES, MOST_DIGITS = 24, 256
"""States with more words are not searched for planes or digits."""


def reader_of(game: Game, view: SideView, games: Sequence[SampledState], cells: Sequence[int], digits: bool = True) -> CellReader:
    """Return the fastest reader that gives what `cells` gives, seen by the side to move, for these cells in all these games.

    Without `digits`, cells are bits or bytes: only these can be followed from one leaf to the next.
    """
    sides = [[p.s for p in games if view.side_of(game, p.s) == side] for side in (0, 1)]
    sides = [states for states in sides if states]
    seen = [np.array([view.contents_for(side, game.cells(s)) for s in states]) for side, states in enumerate(sides)]
    names = [(i, j) for i, f in enumerate(game.layout.fields) if not f.array or f.words <= MOST_PLANES for j in _items(f)]
    if 0 < len(names) <= MOST_DIGITS:
        words = [np.array([_words(s, names) for s in states], np.uint64) for states in sides]
        widths = [w for w in (4, 8) if len(view.swap) <= 1 << w]
        found = None if game.layout.arrays or not digits else _digits(names, words, seen, cells, widths)
        if found is None and len(names) <= MOST_PLANES and not game.layout.arrays:
            found = _planes(names, words, seen, cells)
        found = found or _bits(names, words, seen, cells, len(view.swap))
        if found is not None:
            return found
    return by_cells(game, view, cells, len(sides))


def by_cells(game: Game, view: SideView, cells: Sequence[int], sides: int) -> CellReader:
    """Return the reader that calls `cells`: a byte for each cell, eight in a word."""
    size = len(view.mirror)
    return CellReader(CELLS, (), tuple(_bytes(view, side, cells, size) for side in range(sides)))


def _bytes(view: SideView, side: int, cells: Sequence[int], size: int) -> tuple[Spot, ...]:
    at = [view.mirror[c] if side else c for c in cells]
    return tuple(Spot(i // 8, i % 8 * 8, 8, c, 0) for c, i in zip(cells, at, strict=True))


def _items(field: Field) -> Iterable[int]:
    """Return the numbers of the items of a field, -1 for a plain number."""
    return range(math.prod(field.shape)) if field.shape else (-1,)


def _words(s: State, names: Sequence[Place]) -> list[int]:
    """Return these items of a state's fields as words."""
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
        few = np.array([rows[:FEW, n] >> np.uint64(shift) & np.uint64((1 << w) - 1) for n, shift, w in places])
        found: list[Spot] = []
        for c in cells:
            likely = [places[i] for i in np.flatnonzero((few == contents[:FEW, c]).all(axis=1))]
            fits = [
                Spot(n, shift, w, c, 0)
                for n, shift, w in likely
                if (rows[:, n] >> np.uint64(shift) & np.uint64((1 << w) - 1) == contents[:, c]).all()
            ]
            if not fits or not contents[:, c].any():
                return None
            found.append(fits[0])
        spots.append(found)
    needed = sorted({spot.word for side in spots for spot in side})
    number = {word: i for i, word in enumerate(needed)}
    placed = tuple(tuple(spot._replace(word=number[spot.word]) for spot in side) for side in spots)
    return CellReader(DIGITS, tuple((Factor(names[n][0], names[n][1], inverted=False),) for n in needed), placed)


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
        tuple(Spot(w, p, 1, c, kind[side]) for w, kind in enumerate(kinds) if kind[side] for c, p in zip(cells, at, strict=True))
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
        spots.append([Spot(p // 64, p % 64, 1, c, k) for (c, k, _), p in zip(wanted, places, strict=True)])
    needed = sorted({spot.word for side in spots for spot in side})
    number = {word: i for i, word in enumerate(needed)}
    placed = tuple(tuple(spot._replace(word=number[spot.word]) for spot in side) for side in spots)
    return CellReader(PLANES, tuple((Factor(names[n][0], names[n][1], inverted=False),) for n in needed), placed)


def _place(bits: Array, content: Array) -> int:
    """Return the bit whose values in all words say most about a cell's content."""
    evidence = np.zeros(64)
    for k in np.unique(content):
        here = content == k
        if 0 < here.sum() < len(here):
            apart = np.abs(bits[here].mean(axis=0) - bits[~here].mean(axis=0)).max(axis=0)
            evidence += apart * min(1, here.sum() / 20)  # a content that was seen only once or twice proves little
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

    def excluded(factors: Sequence[tuple[int, bool]]) -> bool:
        return not any(all((other >> i & 1) != inverted for i, inverted in factors) for other in others)

    for n in range(1, len(fixed) + 1):
        for factors in itertools.combinations(sorted(fixed, key=lambda f: f[1]), n):
            if excluded(factors):
                return list(factors)
    return None


# -- without a board --------------------------------------------------------------------------------------------------------

MOST_ITEMS = 256
WIDEST_RANGE = 63
"""Numbers with a wider range are seen as bits."""


def items_of(game: Game, games: Sequence[SampledState]) -> tuple[Item, ...]:
    """Return the numbers of the state that change from one state to another, or their bits."""
    found: list[Item] = []
    for i, f in enumerate(game.layout.fields):
        columns = np.array([np.ravel(np.array(p.s[i], dtype=object)) for p in games], dtype=object)
        for j in range(columns.shape[1]):
            numbers = [int(x) for x in columns[:, j]]
            found += _items_in(i, j if f.shape else -1, numbers)
    return tuple(found[:MOST_ITEMS])


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
    spots = tuple(Spot(i // 8, i % 8 * 8, 8, i, 0) for i in range(len(items)))
    return CellReader(FIELDS, (), (spots,) * sides, tuple(items))
