"""Null windows: showing that a move is no better than another is cheaper than finding its value.

A null window from `bound` to `bound + 1` does just that. Scout (Pearl, 1980) tests every move but the first this way;
principal variation search does so within alpha-beta's window; aspiration guesses a small window for the whole search; MTD(f)
(Plaat, 1994) uses nothing but null windows.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.table import alphabeta_bounds
from plyground.textbook.tree import INFINITE, WHOLE, Answer, Tree, node, window


@node
def scout(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Return the value of s for the side to move; a move is searched only once a test has shown that it is better."""
    if (value := tree.leaf(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        if best == -INFINITE or sign * fail_soft(tree, child, depth - 1, *window(sign, best, best + 1)) > best:
            best = sign * scout(tree, child, depth - 1)
    return best


@node
def pvs(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s by principal variation search. Contract: that of fail-soft.

    The first move gets the full window; each later one gets a null window, then the full one only if it turns out better.
    """
    if (value := tree.leaf(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        low = max(alpha, best)
        high = beta if best == -INFINITE else low + 1
        value = sign * pvs(tree, child, depth - 1, *window(sign, low, high))
        if high <= value < beta:
            value = sign * pvs(tree, child, depth - 1, *window(sign, value - 1, beta))
        best = max(best, value)
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best


# -- the whole search -----------------------------------------------------------------------------------------------------------


def aspiration(tree: Tree, s: State, depth: float, guess: int, width: int) -> int:
    """Return the value of s, searched in a window around a guess that is opened on the side where the value turns out to be.

    Contract: the exact value. The better the guess, the fewer nodes.
    """
    alpha, beta = guess - width, guess + width
    while True:
        value = pvs(tree, s, depth, alpha, beta)
        if value <= alpha:
            alpha = -INFINITE
        elif value >= beta:
            beta = INFINITE
        else:
            return value


def deepen_aspiration(tree: Tree, s: State, depth: float, width: int = 50) -> int:
    """Return the value of s to the depth; the value at each depth is the guess for the next."""
    if depth == WHOLE:
        return aspiration(tree, s, depth, 0, width)
    value = 0
    for d in range(1, int(depth) + 1):
        value = aspiration(tree, s, d, value, width)
    return value


def mtdf(tree: Tree, s: State, depth: float, guess: int) -> Answer:
    """Return the value of s by null windows, starting at the guess; the best move comes from the last search that failed high.

    Each null window gives an upper or a lower bound; when the two meet, that is the value. This pays off only with a table, which
    remembers what earlier searches have found.

    Contract: the exact value. The better the first guess, the fewer searches.
    """
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
    """Run MTD(f) to the depth; each iteration starts from the value that the previous one found."""
    if depth == WHOLE:
        return mtdf(tree, s, depth, 0)
    found = mtdf(tree, s, 1, 0)
    for d in range(2, int(depth) + 1):
        found = mtdf(tree, s, d, found.value)
    return found
