"""Null windows: showing that a move is no better than another is cheaper than finding its value.

A null window from `bound` to `bound + 1` does just that. Scout (Pearl, 1980) tests every move but the first this way;
principal variation search does so within alpha-beta's window; aspiration guesses a small window for the whole search.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, window


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
    """Principal variation search. Contract: that of fail-soft.

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


def aspire(tree: Tree, s: State, depth: float, guess: int, width: int) -> int:
    """Return the value of s, first searched for near a guess; if it falls outside the window, the window is opened on that side.

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


def aspiration(tree: Tree, s: State, depth: float, width: int = 50) -> int:
    """Return the value of s to the depth; the value at each depth is the guess for the next."""
    if depth == WHOLE:
        return aspire(tree, s, depth, 0, width)
    value = 0
    for d in range(1, int(depth) + 1):
        value = aspire(tree, s, d, value, width)
    return value
