"""Choosing a move at the root, and iterative deepening: search to depth 1, then 2, then 3, until the time is up.

The shallow searches cost little next to the last one and pay for themselves: the root's moves are reordered by what is known
about them, and everywhere else the table remembers the best move of the previous search.
"""

from __future__ import annotations

from collections.abc import Iterator

from plyground import score
from plyground.rules.hooks import State
from plyground.textbook.table import BoundedSearch, alphabeta_bounds
from plyground.textbook.tree import INFINITE, WHOLE, Answer, SearchTimeout, Tree, node, window


@node
def at_root(tree: Tree, s: State, depth: float, order: list[int], values: dict[int, int], search: BoundedSearch) -> int:
    """Return the value of s; try the moves in the given order (fill it if empty) and record the value of each.

    A move better than all before it has its exact value. Any other was only shown to be no better: it has an upper bound, and
    a much worse move may have the same bound as one that is nearly as good.
    """
    if (value := tree.over(s)) is not None:
        return value
    order[:] = order or tree.moves(s)
    best = -INFINITE
    for m in order:
        child, sign = tree.play(s, m)
        values[m] = sign * search(tree, child, depth - 1, *window(sign, best, INFINITE))
        best = max(best, values[m])
    return best


def choose(tree: Tree, s: State, depth: float, search: BoundedSearch = alphabeta_bounds) -> Answer:
    """Return the best move of s by one search to the depth."""
    return tree.answer(at_root(tree, s, depth, [], {}, search))


def sort_all(order: list[int], values: dict[int, int]) -> list[int]:
    """Sort all moves by their values, exact or bounds; equal ones keep their order, so the best move comes first."""
    return sorted(order, key=lambda m: -values[m])


def lift_best(order: list[int], values: dict[int, int]) -> list[int]:
    """Put the best move first; the others keep their order, because their bounds don't tell which of them is better."""
    best = max(order, key=lambda m: values[m])
    return [best, *(m for m in order if m != best)]


REORDERINGS = {"sort": sort_all, "lift": lift_best}
"""What to do with the root's moves between two iterations."""


def depths(start: int, step: int, last: float) -> Iterator[float]:
    """Yield the depth of each iteration: from start on by steps, and the last depth in the end.

    >>> list(depths(1, 1, 4)), list(depths(2, 2, 6)), list(depths(2, 2, 7)), list(depths(5, 1, 3))
    ([1, 2, 3, 4], [2, 4, 6], [2, 4, 6, 7], [3])
    """
    d = start
    while d < last:
        yield d
        d += step
    yield last


def deepen(
    tree: Tree,
    s: State,
    depth: float,
    seconds: float = WHOLE,
    search: BoundedSearch = alphabeta_bounds,
    start: int = 1,
    step: int = 1,
    reorder: str = "sort",
) -> Answer:
    """Return the best move of s that the last finished iteration found.

    Contract: the first iteration is always finished, however long it takes. The search stops before the depth limit or the
    deadline when a win is proven (after that iteration, as there may be a faster win), when every move loses, or when no
    estimate was needed, so a deeper search would find the same.
    """
    end = tree.clock() + seconds
    order: list[int] = []
    found = Answer(0, None, ())
    for d in depths(start, step, depth):
        values: dict[int, int] = {}
        estimates = tree.estimates
        tree.deadline = end if d > start else WHOLE
        try:
            value = at_root(tree, s, d, order, values, search)
        except SearchTimeout:
            break
        found = tree.answer(value, note=f"depth {d}")._replace(depth=d)
        settled = score.proven(value) and not tree.game.margin  # a larger margin may still be found deeper
        if settled or tree.estimates == estimates:
            break
        order = REORDERINGS[reorder](order, values)
    tree.deadline = WHOLE
    return found
