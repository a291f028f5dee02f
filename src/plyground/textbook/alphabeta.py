"""Alpha-beta: minimax that skips what can't matter; with quiescence below the depth, and its cuts in games of chance.

alpha is what the side to move can already get, beta what the other side can hold it to. A move worth beta or more refutes the
state: the other side will avoid it, so the remaining moves need not be searched.

Contract, for a window alpha < beta and the minimax value v of s to the depth:

                fail-hard returns    fail-soft returns
    v <= alpha       alpha           an upper bound on v, at most alpha
    between            v             v
    v >= beta        beta            a lower bound on v, at least beta

Everything below `fail_soft` keeps its contract.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from plyground.rules.hooks import State
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, node_for_max, window

# -- two functions, or one ------------------------------------------------------------------------------------------------------


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


# -- quiescence -----------------------------------------------------------------------------------------------------------------

# An estimate is only reliable in a quiet state. A search that stops in the middle of an exchange counts the piece it has just
# won; the recapture one ply later is beyond its horizon. So below the depth limit loud moves (captures, promotions, fives) are
# followed. Instead of playing one, the side to move may stand pat, unless all its moves are loud.


def stand_pat(tree: Tree, s: State, depth: float, moves: list[int]) -> tuple[int, list[int]]:
    """Return what standing pat is worth (minus infinity if every move is loud), and the loud moves to follow."""
    loud = tree.current().moves = [m for m in moves if tree.game.loud(s, m)]
    if depth <= -tree.memory.get("quiet", 12):
        return tree.estimate(s, "quiet"), []
    return (-INFINITE if len(loud) == len(moves) else tree.estimate(s, "quiet")), loud


@node
def quiescence(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s if loud moves go on for at most `quiet` plies below the depth; only quiet states are estimated."""
    if (value := tree.over(s)) is not None:
        return value
    best, moves = -INFINITE, tree.moves(s)
    if depth <= 0:
        best, moves = stand_pat(tree, s, depth, moves)
        if best >= beta:
            return best
    for m in moves:
        child, sign = tree.play(s, m)
        best = max(best, sign * quiescence(tree, child, depth - 1, *window(sign, max(alpha, best), beta)))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best


# -- games of chance ------------------------------------------------------------------------------------------------------------

# Star1 and Star2 (Ballard, 1983) bring alpha-beta's cuts to chance nodes: if results are bounded (by MARGIN), an average can
# leave the window before all outcomes are known. If they are not, only the last outcome of a chance node can be cut.

Search = Callable[[Tree, State, float, float, float], float]


class OutcomeBounds:
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

    def thresholds(self, i: int, alpha: float, beta: float) -> tuple[float, float]:
        """Return the values of outcome i at which the average is sure to be alpha or less, and beta or more."""
        others = [j for j in range(len(self.outcomes)) if j != i]
        low = sum(self.outcomes[j][1] * self.lows[j] for j in others)
        high = sum(self.outcomes[j][1] * self.highs[j] for j in others)
        p = self.outcomes[i][1]
        return (alpha - high) / p, (beta - low) / p


@node
def star1(tree: Tree, s: State, depth: float = WHOLE, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """Search for the expectiminimax value; an unsearched outcome may be anything between the game's worst and best result."""
    if (value := tree.expected(s, depth)) is not None:
        return value
    if outcomes := tree.outcomes(s):
        return chance_node(tree, s, depth, alpha, beta, OutcomeBounds(tree, outcomes), star1)
    return player_node(tree, s, depth, alpha, beta, star1)


@node
def star2(tree: Tree, s: State, depth: float = WHOLE, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """Search as Star1 does, but first probe every outcome: a single reply bounds its value from one side, which may be enough.

    The better the first move of each state, the more it cuts: use a move ordering.
    """
    if (value := tree.expected(s, depth)) is not None:
        return value
    if not (outcomes := tree.outcomes(s)):
        return player_node(tree, s, depth, alpha, beta, star2)
    known = OutcomeBounds(tree, outcomes)
    for i, (m, _) in enumerate(outcomes):
        at_alpha, at_beta = known.thresholds(i, alpha, beta)
        child, sign = tree.play(s, m)
        if sign > 0 and beta < math.inf:
            known.lows[i] = max(known.lows[i], probe_first_reply(tree, child, depth, at_alpha, at_beta))
        if sign < 0 and alpha > -math.inf:
            known.highs[i] = min(known.highs[i], -probe_first_reply(tree, child, depth, -at_beta, -at_alpha))
        if known.low >= beta:
            return tree.cut_average(m, known.low, beta, at_least=True)
        if known.high <= alpha:
            return tree.cut_average(m, known.high, alpha, at_least=False)
    return chance_node(tree, s, depth, alpha, beta, known, star2)


@node
def probe_first_reply(tree: Tree, s: State, depth: float, alpha: float, beta: float) -> float:
    """Return a lower bound on s from its first move alone; the worst result if that move is not above alpha."""
    if (value := tree.expected(s, depth)) is not None:
        return value
    if tree.game.is_chance(s):
        return tree.low
    child, sign = tree.play(s, tree.moves(s)[0])
    value = sign * star2(tree, child, depth - 1, *window(sign, alpha, beta))
    return value if value > alpha else tree.low


def player_node(tree: Tree, s: State, depth: float, alpha: float, beta: float, search: Search) -> float:
    """Search a player's node by fail-soft alpha-beta."""
    best = -math.inf
    for m in tree.moves(s):
        child, sign = tree.play(s, m)
        best = max(best, sign * search(tree, child, depth - 1, *window(sign, max(alpha, best), beta)))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best


def chance_node(tree: Tree, s: State, depth: float, alpha: float, beta: float, known: OutcomeBounds, search: Search) -> float:
    """Search a chance node, each outcome with the window in which it still matters."""
    for i, (m, _) in enumerate(known.outcomes):
        at_alpha, at_beta = known.thresholds(i, alpha, beta)
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
