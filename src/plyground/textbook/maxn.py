"""max^n: three sides or more, each of which takes what is best for itself.

Contract: a value for each side, when everybody looks only for the own value and takes the first of equal moves. There is no
alpha-beta for it: what one side loses, some other side wins, but which one is open.
"""

from __future__ import annotations

from typing import Any

from plyground.textbook.tree import WHOLE, Tree, node_for_all


@node_for_all
def maxn(tree: Tree, s: Any, depth: float = WHOLE) -> tuple[float, ...]:
    """What each side gets from s on."""
    if (value := tree.shares(s, depth)) is not None:
        return value
    side = tree.game.turn(s) or 0
    children = (maxn(tree, tree.play(s, m)[0], depth - 1) for m in tree.moves(s))
    return max(children, key=lambda value: value[side])
