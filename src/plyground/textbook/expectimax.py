"""Games of chance: a node where dice or tiles decide is worth the average of its outcomes.

Values are expected results. Depth counts the players' plies; chance moves take none. Star1 and Star2 (Ballard, 1983) bring
alpha-beta's cuts to chance nodes: if results are bounded (by MARGIN), an average can leave the window before all outcomes are
known. If they are not, only the last outcome of a chance node can be cut.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from plyground.rules.hooks import State
from plyground.textbook.tree import WHOLE, Tree, node, node_for_max, window

# -- no cuts ----------------------------------------------------------------------------------------------------------------


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


# -- Star1 and Star2 ----------------------------------------------------------------------------------------------------------

Search = Callable[[Tree, Any, float, float, float], float]


class Average:
    """What is known about a chance node: a lower and an upper bound for each outcome."""

    def __init__(self, tree: Tree, outcomes: list[tuple[int, float]]) -> None:
        self.outcomes = outcomes
        self.lows, self.highs = [tree.low] * len(outcomes), [tree.high] * len(outcomes)

    @property
    def low(self) -> float:
        """The average if every outcome turns out as bad as it can."""
        return sum(p * value for (_, p), value in zip(self.outcomes, self.lows, strict=True))

    @property
    def high(self) -> float:
        """The average if every outcome turns out as good as it can."""
        return sum(p * value for (_, p), value in zip(self.outcomes, self.highs, strict=True))

    def needs(self, i: int, alpha: float, beta: float) -> tuple[float, float]:
        """Return the values of outcome i at which the average is sure to be alpha or less, and beta or more."""
        others = [j for j in range(len(self.outcomes)) if j != i]
        low = sum(self.outcomes[j][1] * self.lows[j] for j in others)
        high = sum(self.outcomes[j][1] * self.highs[j] for j in others)
        p = self.outcomes[i][1]
        return (alpha - high) / p, (beta - low) / p


@node
def star1(tree: Tree, s: State, depth: float = WHOLE, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """Search by fail-soft alpha-beta; an unsearched outcome may be anything between the game's worst and best result.

    Contract: the three cases of fail-soft, for the expectiminimax value.
    """
    if (value := tree.expected(s, depth)) is not None:
        return value
    if outcomes := tree.outcomes(s):
        return chance(tree, s, depth, alpha, beta, Average(tree, outcomes), star1)
    return player(tree, s, depth, alpha, beta, star1)


@node
def star2(tree: Tree, s: State, depth: float = WHOLE, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """Star1 that first probes every outcome: a single reply bounds its value from one side, which may be enough.

    Contract: that of Star1. The better the first move of each state, the more it cuts: use a move ordering.
    """
    if (value := tree.expected(s, depth)) is not None:
        return value
    if not (outcomes := tree.outcomes(s)):
        return player(tree, s, depth, alpha, beta, star2)
    known = Average(tree, outcomes)
    for i, (m, _) in enumerate(outcomes):
        at_alpha, at_beta = known.needs(i, alpha, beta)
        child, sign = tree.play(s, m)
        if sign > 0 and beta < math.inf:
            known.lows[i] = max(known.lows[i], probe(tree, child, depth, at_alpha, at_beta))
        if sign < 0 and alpha > -math.inf:
            known.highs[i] = min(known.highs[i], -probe(tree, child, depth, -at_beta, -at_alpha))
        if known.low >= beta:
            return tree.cut_average(m, known.low, beta, at_least=True)
        if known.high <= alpha:
            return tree.cut_average(m, known.high, alpha, at_least=False)
    return chance(tree, s, depth, alpha, beta, known, star2)


@node
def probe(tree: Tree, s: State, depth: float, alpha: float, beta: float) -> float:
    """Return a lower bound on s from its first move alone; the worst result if that move is not above alpha."""
    if (value := tree.expected(s, depth)) is not None:
        return value
    if tree.game.is_chance(s):
        return tree.low
    child, sign = tree.play(s, tree.moves(s)[0])
    value = sign * star2(tree, child, depth - 1, *window(sign, alpha, beta))
    return value if value > alpha else tree.low


def player(tree: Tree, s: State, depth: float, alpha: float, beta: float, search: Search) -> float:
    """Search a player's node by fail-soft alpha-beta."""
    best = -math.inf
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * search(tree, child, depth - 1, *window(sign, max(alpha, best), beta)))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best


def chance(tree: Tree, s: State, depth: float, alpha: float, beta: float, known: Average, search: Search) -> float:
    """Search a chance node, each outcome with the window in which it still matters."""
    for i, (m, _) in enumerate(known.outcomes):
        at_alpha, at_beta = known.needs(i, alpha, beta)
        child, sign = tree.play(s, m)
        value = sign * search(tree, child, depth, *window(sign, max(at_alpha, tree.low), min(at_beta, tree.high)))
        if value >= at_beta:
            known.lows[i] = max(known.lows[i], value)
            return tree.cut_average(m, max(known.low, beta), beta, at_least=True)
        if value <= at_alpha:
            known.highs[i] = min(known.highs[i], value)
            return tree.cut_average(m, min(known.high, alpha), alpha, at_least=False)
        known.lows[i] = known.highs[i] = value
    return known.low
