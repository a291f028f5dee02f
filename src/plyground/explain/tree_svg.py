"""The tree as a picture: SVG, from left to right, one column per ply, for a paper or a slide."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyground.errors import PlygroundError
from plyground.explain import SIGNS, Explanation, bound_sign, node_sign, node_value, value_source, window_text
from plyground.pages.plot import escape
from plyground.play import words
from plyground.textbook.trace import Node

MAX_NODES = 400
"""With more nodes than this, the picture can't be read."""
WIDTH, GAP, BETWEEN, PAD = 132, 46, 6, 16
TALL, FLAT = 38, 22
"""Height of a node with a line for its window, and of one without."""
STYLE = """
svg { background: #fff; font: 13px system-ui, "Helvetica Neue", sans-serif; }
text { fill: #20242b; }
rect { fill: #fbfaf7; stroke: #c9ccd2; }
path { fill: none; stroke: #b9bec8; stroke-width: 1.3; }
.move, .value { font-weight: 650; }
.window, .pruned text, .head { fill: #5d6470; font-size: 11px; }
.max .shape { fill: #1f5fbf; } .min .shape { fill: #b0480b; } .chance .shape { fill: #7a3fa8; }
.best rect { stroke: #17743f; } .best .value { fill: #17743f; }
path.best { stroke: #17743f; stroke-width: 3; }
path.pruned { stroke-dasharray: 5 4; }
@media (prefers-color-scheme: dark) {
  svg { background: #16181d; }
  text { fill: #e7e8ea; }
  rect { fill: #1f2229; stroke: #444a55; }
  path { stroke: #565c68; }
  .window, .pruned text, .head { fill: #a3a9b5; }
  .max .shape { fill: #79aefc; } .min .shape { fill: #f5a05a; } .chance .shape { fill: #c79bf0; }
  .best rect, path.best { stroke: #5fce8b; } .best .value { fill: #5fce8b; }
}
"""


@dataclass
class PlacedNode:
    """A node in the picture, or the moves it skipped; `top` is relative to the parent's top until everything is placed."""

    node: Node
    pruned: bool
    best: bool
    height: int
    children: list[PlacedNode] = field(default_factory=list)
    top: float = 0
    left: float = 0
    width: float = WIDTH


def picture(found: Explanation) -> str:
    """Return the picture, ready to be written to a file."""
    if len(found.nodes) > MAX_NODES:
        many = f"the tree has {len(found.nodes):,} nodes, but a picture can show {MAX_NODES}"
        raise PlygroundError(f"{many}; try a smaller depth, or write a page (.html)")
    wide = _wide(found)
    forest = [_place(found, root, wide) for root in found.roots]
    drawn: list[str] = []
    width, bottom = 0.0, PAD + 24.0
    for root in forest:
        outline = close_up(root)
        highest = min(top for top, _ in outline)
        _settle(root, bottom - highest, PAD)
        bottom += max(low for _, low in outline) - highest + 3 * BETWEEN
        width = max(width, PAD + len(outline) * (wide + GAP))
        drawn += _draw(found, root)
    who = ", ".join(f"{side} is {kind}" for kind, side in found.sides.items())
    title = f"{found.game.title}: {found.algorithm_text}, value {words.for_max(found.answer.value)}" + (f"; {who}" if who else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{bottom:g}" viewBox="0 0 {width:g} {bottom:g}" '
        f'role="img">'
        f'<title>{escape(title)}</title><style>{STYLE}</style><text class="head" x="{PAD}" y="{PAD + 8}">{escape(title)}</text>'
        f"{''.join(drawn)}</svg>\n"
    )


def _wide(found: Explanation) -> float:
    """Return a width for the longest move and value side by side: a letter takes about 7.5 pixels, the sign of a node 34."""
    letters = max(len(found.move(node)) + len(_value(found, node)) for node in found.nodes.values())
    return max(float(WIDTH), 34 + 7.5 * letters)


def _place(found: Explanation, node: Node, wide: float) -> PlacedNode:
    best = node.enter.node in found.best
    below = [_place(found, child, wide) for child in node.children]
    place = PlacedNode(node, False, best, TALL if node.children else FLAT, below, width=wide)
    if node.cutoff is not None and node.cutoff.pruned:
        place.children.append(PlacedNode(node, True, False, FLAT, width=wide))
    return place


def close_up(place: PlacedNode) -> list[tuple[float, float]]:
    """Move the branches below a place as close together as possible, and centre the place on them.

    Returns the outline: the top and bottom of each column from the place on, relative to the top of the place.
    """
    outline: list[tuple[float, float]] = []
    for child in place.children:
        below = close_up(child)
        child.top = max([0.0, *(bottom + BETWEEN - top for (_, bottom), (top, _) in zip(outline, below, strict=False))])
        for i, (top, bottom) in enumerate(below):
            top, bottom = top + child.top, bottom + child.top
            outline[i : i + 1] = [(min(top, outline[i][0]) if i < len(outline) else top, bottom)]
    if not place.children:
        return [(0, place.height)]
    first, last = place.children[0], place.children[-1]
    start = (first.top + first.height / 2 + last.top + last.height / 2 - place.height) / 2
    for child in place.children:
        child.top -= start
    return [(0, place.height), *((top - start, bottom - start) for top, bottom in outline)]


def _settle(place: PlacedNode, top: float, left: float) -> None:
    place.top, place.left = top, left
    for child in place.children:
        _settle(child, top + child.top, left + place.width + GAP)


def _draw(found: Explanation, place: PlacedNode) -> list[str]:
    parts = []
    for child in place.children:
        parts.append(_line(place, child))
        parts += _draw(found, child)
    parts.append(_draw_pruned(found, place) if place.pruned else _node(found, place))
    return parts


def _line(place: PlacedNode, child: PlacedNode) -> str:
    x1, y1 = place.left + place.width, place.top + place.height / 2
    x2, y2 = child.left, child.top + child.height / 2
    kind = "pruned" if child.pruned else "best" if child.best and place.best else ""
    bend = (x1 + x2) / 2
    return f'<path class="{kind}" d="M{x1:g} {y1:g}C{bend:g} {y1:g} {bend:g} {y2:g} {x2:g} {y2:g}"/>'


def _value(found: Explanation, node: Node) -> str:
    best = f" {SIGNS['best']}" if node.enter.node in found.best else ""
    known = node_value(node)
    return "" if known is None else f"{bound_sign(node)} {words.short(known)}{best}"


def _node(found: Explanation, place: PlacedNode) -> str:
    node, x, y = place.node, place.left, place.top + 15
    move, value = found.move(node) or "root", _value(found, node)
    label = " ".join(part for part in (move, value, value_source(node)) if part)
    window = f'<text class="window" x="{x + 7:g}" y="{y + 16:g}">{escape(window_text(node) or node.enter.kind)}</text>'
    return (
        f'<g class="{escape(node.enter.kind)}{" best" if place.best else ""}"><title>{escape(label)}</title>'
        f'<rect x="{x:g}" y="{place.top:g}" width="{place.width:g}" height="{place.height}" rx="5"/>'
        f'<text x="{x + 7:g}" y="{y:g}"><tspan class="shape">{node_sign(node)}</tspan> '
        f'<tspan class="move">{escape(move)}</tspan></text>'
        f'<text class="value" x="{x + place.width - 7:g}" y="{y:g}" text-anchor="end">{escape(value)}</text>'
        f"{window if node.children else ''}</g>"
    )


def _draw_pruned(found: Explanation, place: PlacedNode) -> str:
    cut = place.node.cutoff
    assert cut is not None
    names = found.moves(place.node, cut.pruned)
    text = " ".join([SIGNS["cut"], *names[:8]]) + (f" … ({len(names)})" if len(names) > 8 else "")
    return (
        f'<g class="pruned"><title>{escape(cut.reason)}</title>'
        f'<text x="{place.left + 4:g}" y="{place.top + 15:g}">{escape(text)}</text></g>'
    )
