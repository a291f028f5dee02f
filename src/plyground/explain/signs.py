"""How a node is drawn: its sign, its window, its value. All values are max's, as in the event stream."""

from __future__ import annotations

from typing import Any

from plyground.play.words import short
from plyground.textbook.trace import Node

SHAPES = {"max": "▲", "min": "▼", "chance": "●"}
"""The sign of a node: a triangle that points in the direction its side wants the value to go."""
LEAF, TABLE, SIDE, CUT, BEST = "■", "▦", "◆", "✂", "★"
SETTLED = {"terminal": "game over", "heuristic": "estimate", "quiet": "estimate, quiet"}


def window(node: Node) -> str:
    """The window of a node; empty if its algorithm has none."""
    alpha, beta = node.enter.alpha, node.enter.beta
    return "" if alpha is None else f"({short(alpha)}, {short(beta)})"


def value(node: Node) -> Any:
    """What a node is worth: a leaf's own value, even if fail-hard returns less; None if the search was stopped."""
    left_with = None if node.leave is None else node.leave.value
    own = node.leaf is not None and not node.children and not isinstance(left_with, str)
    return node.leaf.value if node.leaf is not None and own else left_with


def sign(node: Node) -> str:
    """`=` if the value of a node is exact, `≤` or `≥` if it is only a bound."""
    alpha, beta, worth = node.enter.alpha, node.enter.beta, value(node)
    if node.hit is not None:
        return {"exact": "=", "lower": "≥", "upper": "≤"}[node.hit.kind]
    if alpha is None or not node.children:
        return "="
    return "≤" if worth <= alpha else "≥" if worth >= beta else "="


def shape(node: Node) -> str:
    """The sign of a node: a leaf, a table hit, or whose turn it is."""
    if node.hit is not None:
        return TABLE
    if node.leaf is not None and not node.children:
        return LEAF
    return SHAPES.get(node.enter.kind, SIDE)


def settled(node: Node) -> str:
    """Where the value of a node comes from, if not from its children."""
    if node.hit is not None:
        return f"table, {node.hit.kind}"
    return "" if node.leaf is None or node.children else SETTLED[node.leaf.kind]
