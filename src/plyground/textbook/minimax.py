"""Minimax and its relatives without cuts: the value of a state is backed up from all states below it.

    two sides                 max takes the largest value of the children, min the smallest
    chance                    an outcome counts by its probability: the average
    three or more sides       each side takes what is best for itself

Contract: the exact value of s to the depth. Without chance, a win is worth 10000 minus the plies to it, so faster wins and slower
losses are preferred; an estimate at the depth limit is always smaller than a proven win. In games of chance, values are expected
results, and depth counts the plies of players only.
"""

from __future__ import annotations

import math

from plyground.rules.hooks import State
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, node_for_all, node_for_max

# -- two sides ----------------------------------------------------------------------------------------------------------------


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


# -- chance -------------------------------------------------------------------------------------------------------------------


@node_for_max
def expectimax(tree: Tree, s: State, depth: float = WHOLE) -> float:
    """Return the expected result for a single player against chance."""
    if (value := tree.expected(s, depth)) is not None:
        return value
    if outcomes := tree.outcomes(s):
        return sum(p * expectimax(tree, tree.play(s, m)[0], depth) for m, p in outcomes)
    return max(expectimax(tree, tree.play(s, m)[0], depth - 1) for m in tree.moves(s))


@node
def expectiminimax(tree: Tree, s: State, depth: float = WHOLE) -> float:
    """Return the expected result for the side to move, in games with one side or two."""
    if (value := tree.expected(s, depth)) is not None:
        return value
    if outcomes := tree.outcomes(s):
        total = 0.0
        for m, p in outcomes:
            child, sign = tree.play(s, m)
            total += p * sign * expectiminimax(tree, child, depth)
        return total
    best = -math.inf
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * expectiminimax(tree, child, depth - 1))
    return best


# -- three or more sides ------------------------------------------------------------------------------------------------------


@node_for_all
def maxn(tree: Tree, s: State, depth: float = WHOLE) -> tuple[float, ...]:
    """Return what each side gets from s on if every side maximises its own value and takes the first of equal moves.

    Alpha-beta doesn't apply: what one side loses, some other side wins, but it may be any of them.
    """
    if (value := tree.side_values(s, depth)) is not None:
        return value
    side = tree.game.turn(s) or 0
    children = (maxn(tree, tree.play(s, m)[0], depth - 1) for m in tree.moves(s))
    return max(children, key=lambda value: value[side])
