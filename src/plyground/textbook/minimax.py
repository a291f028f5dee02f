"""Minimax: the value of a state is that of its best child, for whoever is to move.

Contract: the value of s to the depth, exactly. A win is worth 10000 less the plies to it, so that the faster win and the
slower loss are preferred; an estimate at the depth limit is never as large as a proven result.
"""

from __future__ import annotations

from typing import Any

from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, node_for_max


@node_for_max
def maximise(tree: Tree, s: Any, depth: float = WHOLE) -> int:
    """The value of s for max, who is to move and takes the largest."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = maximise if sign > 0 else minimise
        best = max(best, turn(tree, child, depth - 1))
    return best


@node_for_max
def minimise(tree: Tree, s: Any, depth: float = WHOLE) -> int:
    """The value of s for max, when min is to move and takes the smallest."""
    if (value := tree.utility(s, depth)) is not None:
        return value
    best = INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        turn = minimise if sign > 0 else maximise
        best = min(best, turn(tree, child, depth - 1))
    return best


@node
def negamax(tree: Tree, s: Any, depth: float = WHOLE) -> int:
    """The value of s for the side to move: what is good for the other side is bad for this one, so one function does."""
    if (value := tree.leaf(s, depth)) is not None:
        return value
    best = -INFINITE
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * negamax(tree, child, depth - 1))
    return best
