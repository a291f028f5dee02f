"""MTD(f): nothing but null windows (Plaat, 1994).

Each null-window search gives an upper or a lower bound on the value; when the two meet, that is the value. This only pays
off with a table, which remembers what earlier searches have found.

Contract: the exact value. The better the first guess, the fewer searches.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.table import alphabeta_bounds
from plyground.textbook.tree import INFINITE, WHOLE, Answer, Tree


def mtdf(tree: Tree, s: State, depth: float, guess: int) -> Answer:
    """Return the value of s by null windows, starting at the guess; the best move comes from the last search that failed high."""
    lower, upper, value = -INFINITE, INFINITE, guess
    found = Answer(value, None, ())
    while lower < upper:
        beta = max(value, lower + 1)
        value = alphabeta_bounds(tree, s, depth, beta - 1, beta)
        if value < beta:
            upper = value
        else:
            lower = value
            found = tree.answer(value)
    return found._replace(value=value)


def deepen_mtdf(tree: Tree, s: State, depth: float) -> Answer:
    """MTD(f) to the depth; each iteration starts from the value that the previous one found."""
    if depth == WHOLE:
        return mtdf(tree, s, depth, 0)
    found = mtdf(tree, s, 1, 0)
    for d in range(2, int(depth) + 1):
        found = mtdf(tree, s, d, found.value)
    return found
