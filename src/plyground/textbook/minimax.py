"""Minimax: the value of a state is the value of its best child for the side to move.

Contract: the exact value of s to the depth. A win is worth 10000 minus the plies to it, so faster wins and slower losses are
preferred; an estimate at the depth limit is always smaller than a proven win.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, node_for_max


@node_for_max
def maximise(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Return the value of s for max when max is to move and takes the largest."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = maximise if sign > 0 else minimise
        best = max(best, turn(tree, child, depth - 1))
    return best


@node_for_max
def minimise(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Return the value of s for max when min is to move and takes the smallest."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = minimise if sign > 0 else maximise
        best = min(best, turn(tree, child, depth - 1))
    return best


@node
def negamax(tree: Tree, s: State, depth: float = WHOLE) -> int:
    """Return the value of s for the side to move. What is good for one side is bad for the other, so one function is enough."""
    if (value := tree.leaf(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * negamax(tree, child, depth - 1))
    return best
