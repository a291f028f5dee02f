"""Alpha-beta: minimax that skips what can't matter.

alpha is what the side to move can already get, beta what the other side can hold it to. A move worth beta or more refutes the
state: the other side will avoid it, so the remaining moves need not be searched.

Contract, for a window alpha < beta and the minimax value v of s to the depth:

                fail-hard returns    fail-soft returns
    v <= alpha       alpha           an upper bound on v, at most alpha
    between            v             v
    v >= beta        beta            a lower bound on v, at least beta
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, node_for_max, window


@node_for_max
def maximise(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s for max when max is to move; alpha is what max has elsewhere, beta what min has."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = maximise if sign > 0 else minimise
        best = max(best, turn(tree, child, depth - 1, alpha, beta))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
        alpha = max(alpha, best)
    return best


@node_for_max
def minimise(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s for max when min is to move."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = minimise if sign > 0 else maximise
        best = min(best, turn(tree, child, depth - 1, alpha, beta))
        if best <= alpha:
            tree.cutoff(m, -best, -alpha)
            break
        beta = min(beta, best)
    return best


@node
def fail_hard(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s for the side to move, never outside the window."""
    if (value := tree.leaf(s, depth)) is not None:
        return max(alpha, min(beta, value))
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        alpha = max(alpha, sign * fail_hard(tree, child, depth - 1, *window(sign, alpha, beta)))
        if alpha >= beta:
            tree.cutoff(m, alpha, beta)
            break
    return alpha


@node
def fail_soft(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s for the side to move; outside the window, the best bound found."""
    if (value := tree.leaf(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * fail_soft(tree, child, depth - 1, *window(sign, max(alpha, best), beta)))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best
