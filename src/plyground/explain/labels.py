"""How a node is written: its sign, its window, its value; and what a learned estimate is made of, one part per row.

All values are max's, as in the event stream; parts of an estimate are for the side to move.
"""

from __future__ import annotations

from typing import Any

from plyground.explain import LARGEST
from plyground.play import words
from plyground.play.words import short
from plyground.rules.evaluation import Judgement
from plyground.textbook.trace import Node

SHAPES = {"max": "▲", "min": "▼", "chance": "●"}
"""The sign of a node: a triangle that points in the direction its side wants the value to go."""
LEAF, TABLE, SIDE, CUT, BEST = "■", "▦", "◆", "✂", "★"
SETTLED = {"terminal": "game over", "heuristic": "estimate", "quiet": "estimate, quiet"}
NOTHING = 1e-9
"""Sums of parts are rounded."""
PartRow = tuple[str, str, str]
"""What a part adds for the side to move, its cells, what lies on them."""


def window(node: Node) -> str:
    """Return the window of a node; empty if its algorithm has none."""
    alpha, beta = node.enter.alpha, node.enter.beta
    return "" if alpha is None else f"({short(alpha)}, {short(beta)})"


def value(node: Node) -> Any:
    """Return what a node is worth: a leaf's own value, even if fail-hard returns less; None if the search was stopped."""
    left_with = None if node.leave is None else node.leave.value
    own = node.leaf is not None and not node.children and not isinstance(left_with, str)
    return node.leaf.value if node.leaf is not None and own else left_with


def sign(node: Node) -> str:
    """Return `=` if the value of a node is exact, `≤` or `≥` if it is only a bound."""
    alpha, beta, worth = node.enter.alpha, node.enter.beta, value(node)
    if node.hit is not None:
        return {"exact": "=", "lower": "≥", "upper": "≤"}[node.hit.kind]
    if alpha is None or not node.children:
        return "="
    return "≤" if worth <= alpha else "≥" if worth >= beta else "="


def shape(node: Node) -> str:
    """Return the sign of a node: a leaf, a table hit, or whose turn it is."""
    if node.hit is not None:
        return TABLE
    if node.leaf is not None and not node.children:
        return LEAF
    return SHAPES.get(node.enter.kind, SIDE)


def settled(node: Node) -> str:
    """Return where the value of a node comes from, if not from its children."""
    if node.hit is not None:
        return f"table, {node.hit.kind}"
    return "" if node.leaf is None or node.children else SETTLED[node.leaf.kind]


def estimate_head(judgement: Judgement) -> str:
    """Return the estimate, what it means, and how it comes from its parts."""
    means = f" ({judgement.expects})" if judgement.expects else ""
    return f"{words.short(judgement.value)}{means}: {judgement.how} {words.count(len(judgement.parts), judgement.what)}"


def estimate_rows(judgement: Judgement, count: int = LARGEST) -> list[PartRow]:
    """Return the parts that add most, those that cost most, and the rest."""
    good, bad = judgement.largest(count)
    shown = [*good, *reversed(bad)]
    found = [_part_row(judgement, part.cells, part.adds) for part in shown]
    others, rest = len(judgement.parts) - len(shown), judgement.total - sum(part.adds for part in shown)
    if others or abs(rest) > NOTHING:
        apart = abs(judgement.total - sum(part.adds for part in judgement.parts)) < NOTHING * max(1.0, abs(judgement.total))
        named = [words.count(others, f"other {judgement.what}")] if others else []
        found.append((_signed(rest), ", and ".join([*named, *([] if apart else ["all together"])]) or "rounding", ""))
    return found


def _part_row(judgement: Judgement, cells: tuple[int, ...], adds: float) -> PartRow:
    names = " ".join(judgement.names[c] for c in cells) or "this position"
    return _signed(adds), names, " ".join(judgement.contents[c] for c in cells)


def _signed(x: float) -> str:
    return f"{x:+.1f}" if abs(x) >= 10 else f"{x:+.3g}"
