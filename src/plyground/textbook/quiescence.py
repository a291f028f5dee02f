"""Quiescence: an estimate is only reliable in a quiet state, so search on until the state is quiet.

Without it a search stops in the middle of an exchange and counts the piece it has just won; the recapture one ply later is
beyond its horizon. Here, below the depth limit, only loud moves are followed (captures, promotions, fives). Instead of playing
one, the side to move may stand pat, unless all its moves are loud.

Contract: that of fail-soft, for the value of a game in which loud moves go on for at most `quiet` plies below the depth.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.tree import INFINITE, WHOLE, Tree, node, window


def stand(tree: Tree, s: State, depth: float, moves: list[int]) -> tuple[int, list[int]]:
    """Return what standing pat is worth (minus infinity if every move is loud), and the loud moves to follow."""
    loud = tree.at().moves = [m for m in moves if tree.game.loud(s, m)]
    if depth <= -tree.memory.get("quiet", 12):
        return tree.estimate(s, "quiet"), []
    return (-INFINITE if len(loud) == len(moves) else tree.estimate(s, "quiet")), loud


@node
def quiescence(tree: Tree, s: State, depth: float = WHOLE, alpha: int = -INFINITE, beta: int = INFINITE) -> int:
    """Return the value of s for the side to move; only quiet states are estimated."""
    if (value := tree.over(s)) is not None:
        return value
    best, moves = -INFINITE, tree.moves(s)
    if depth <= 0:
        best, moves = stand(tree, s, depth, moves)
        if best >= beta:
            return best
    for m in moves:
        child, sign = tree.play(s, m)
        best = max(best, sign * quiescence(tree, child, depth - 1, *window(sign, max(alpha, best), beta)))
        if best >= beta:
            tree.cutoff(m, best, beta)
            break
    return best
