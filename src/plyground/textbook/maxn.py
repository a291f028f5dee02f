"""max^n: three or more sides, each of which takes what is best for itself.

Contract: a value for each side, if every side maximises its own value and takes the first of equal moves. Alpha-beta doesn't
apply: what one side loses, some other side wins, but it may be any of them.
"""

from __future__ import annotations

from plyground.rules.hooks import State
from plyground.textbook.tree import WHOLE, Tree, node_for_all


@node_for_all
def maxn(tree: Tree, s: State, depth: float = WHOLE) -> tuple[float, ...]:
    """Return what each side gets from s on."""
    if (value := tree.shares(s, depth)) is not None:
        return value
    side = tree.game.turn(s) or 0
    children = (maxn(tree, tree.play(s, m)[0], depth - 1) for m in tree.moves(s))
    return max(children, key=lambda value: value[side])
