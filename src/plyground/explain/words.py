"""Values, windows and table hits as people read them. Every value is max's, as in the event stream."""

from __future__ import annotations

import math
from typing import Any

from plyground import score
from plyground.textbook.trace import Node
from plyground.textbook.tree import phrase

SHAPES = {"max": "▲", "min": "▼", "chance": "●"}
"""How a node is drawn: a triangle that points to where its side wants the value to go."""
LEAF, TABLE, SIDE, CUT, BEST = "■", "▦", "◆", "✂", "★"
SETTLED = {"terminal": "game over", "heuristic": "estimate", "quiet": "estimate, quiet"}


def infinite(value: Any) -> bool:
    """Is this the edge of a window that is open to that side? The scores of games of chance are floats and may be large.

    >>> infinite(-30000), infinite(float("inf")), infinite(123456.0), infinite((1, 2, 3))
    (True, True, False, False)
    """
    if isinstance(value, float):
        return math.isinf(value)
    return isinstance(value, int) and abs(value) >= score.INFINITE


def short(value: Any) -> str:
    """A value as it stands beside a node.

    >>> short(-3), short(9995), short(-9996), short(10012), short(-10000), short(30000)
    ('-3', 'win in 5', 'loss in 4', 'win by 12', 'loss', '∞')
    >>> short(0.25), short(-0.0), short(40280.4), short((1, 0, 0)), short("1/2"), short(None)
    ('0.25', '0', '40280', '(1, 0, 0)', '1/2', '?')
    """
    if value is None:
        return "?"
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return f"({', '.join(map(short, value))})"
    if infinite(value):
        return "∞" if value > 0 else "-∞"
    if isinstance(value, float):
        return score.rounded(value)
    if not score.proven(value):
        return str(value)
    name = "win" if value > 0 else "loss"
    if abs(value) in (score.PROVEN, score.WIN):
        return name  # in nobody knows how many plies, or all wins are alike
    by = score.margin(value)
    return f"{name} in {score.plies(value)}" if by is None else f"{name} by {abs(by)}"


def long(value: Any) -> str:
    """A value in a sentence.

    >>> long(9995), long(-3), long((1, 0, 0))
    ('a win for max in 5', '-3', '(1, 0, 0)')
    """
    if isinstance(value, int) and score.proven(value) and not infinite(value):
        return phrase(value)
    return short(value)


def window(node: Node) -> str:
    """The window of a node; nothing where its algorithm has none."""
    alpha, beta = node.enter.alpha, node.enter.beta
    return "" if alpha is None else f"({short(alpha)}, {short(beta)})"


def value(node: Node) -> Any:
    """What a node is worth: a leaf what it says itself, though fail-hard may hand up less; None where the search broke off."""
    left_with = None if node.leave is None else node.leave.value
    own = node.leaf is not None and not node.children and not isinstance(left_with, str)
    return node.leaf.value if node.leaf is not None and own else left_with


def sign(node: Node) -> str:
    """Is the value of a node just this, or at most or at least this, for it is outside the window?"""
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
    """What gave a node its value, where that was not its children."""
    if node.hit is not None:
        return f"table, {node.hit.kind}"
    return "" if node.leaf is None or node.children else SETTLED[node.leaf.kind]
