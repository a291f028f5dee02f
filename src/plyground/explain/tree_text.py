"""The tree for the terminal. Large trees are folded: the best line is shown first, then level by level while there is room."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text

from plyground.explain import (
    MAX_PARTS,
    SIGNS,
    Explanation,
    bound_sign,
    estimate_head,
    estimate_rows,
    node_sign,
    node_value,
    value_source,
    window_text,
)
from plyground.play import words
from plyground.textbook.trace import Node

MAX_LINES = 60
"""Lines of a folded tree."""
LEAVES = 20
"""Leaves on one line of a folded tree, besides those on the best line."""
DIM, STRONG, CUT, BEST = "dim", "bold", "red", "bold green"


def summary(found: Explanation) -> Text:
    """Return the settings of the search, its result, and its effort."""
    record, answer = found.record, found.answer
    depth = "to the end of the game" if found.depth is None else f"to depth {found.depth}"
    who = "".join(f", {side} is {kind}" for kind, side in found.sides.items())
    text = Text(f"{found.game.title}, {found.algorithm_text} {depth}{who}\n")
    text.append("no value yet" if answer.value is None else f"value {words.for_max(answer.value)}", STRONG)
    line = words.line(found.game, found.state, answer.line)
    if line:
        text.append(f", best line {' '.join(line)}", STRONG)
    counts = [words.count(record.nodes, "node"), words.count(record.evaluations, "evaluation")]
    if record.cutoffs:
        share = record.first_move_cutoffs / record.cutoffs
        counts.append(f"{words.count(record.cutoffs, 'cutoff')} ({share:.0%} on the first move)")
    if record.table_hits:
        counts.append(words.count(record.table_hits, "table hit"))
    text.append(f"\n{', '.join(counts)}")
    if answer.note:
        text.append(f"\n{answer.note}")
    return text


def learned_parts(found: Explanation, full: bool = False) -> Text | None:
    """Return the parts of a learned estimate of the position: those that add most and those that cost most, or all of them."""
    judgement = found.judgement
    if judgement is None:
        return None
    rows = estimate_rows(judgement, len(judgement.parts) if full else MAX_PARTS)
    wide, far = (max(len(row[i]) for row in rows) for i in (0, 1))
    text = Text(f"learned estimate {estimate_head(judgement)}")
    for adds, cells, contents in rows:
        text.append(f"\n  {adds.rjust(wide)}  ", STRONG)
        text.append(f"{cells.ljust(far)}  {contents}".rstrip())
    return text


def tree(found: Explanation, full: bool = False) -> Text:
    """Return the tree, one node per line; in a folded tree, neighbouring leaves share a line."""
    drawing = _TreeText(found, full)
    lines = [line for i, root in enumerate(found.roots) for line in drawing.root(root, i)]
    if drawing.folded:
        folded = f"folded: {drawing.folded:,} of {words.count(found.record.nodes, 'node')}"
        lines.append(Text(f"{folded}; --full shows all, --out tree.html makes a page", DIM))
    return Text("\n").join(lines)


def unfolded(found: Explanation, room: int = MAX_LINES) -> set[int]:
    """Return the nodes whose children are shown: those on the best line, then level by level while there is room."""
    shown = {n for n in found.best if found.nodes[n].children}
    room -= sum(_height(found.nodes[n]) for n in shown)
    level = list(found.roots)
    while level:
        for node in level:
            if node.enter.node not in shown and node.children:
                room -= _height(node)
                if room < 0:
                    return shown
                shown.add(node.enter.node)
        level = [child for node in level for child in node.children]
    return shown


def _height(node: Node) -> int:
    leaves = any(not child.children for child in node.children)
    return sum(bool(child.children) for child in node.children) + leaves + (node.cutoff is not None)


class _TreeText:
    def __init__(self, found: Explanation, full: bool) -> None:
        self.found, self.full = found, full
        self.shown = set(found.nodes) if full else unfolded(found)
        self.folded = 0

    def root(self, root: Node, number: int) -> Iterator[Text]:
        many = len(self.found.roots) > 1
        head = Text(f"search {number + 1} of {len(self.found.roots)}  " if many else "")
        yield head.append_text(self.label(root))
        yield from self.below(root, "")

    def below(self, node: Node, guide: str) -> Iterator[Text]:
        """Yield the lines for everything below a node."""
        if node.enter.node not in self.shown:
            return
        parts = self.parts(node)
        for i, part in enumerate(parts):
            last = i == len(parts) - 1
            line = Text(guide + ("└─ " if last else "├─ "), DIM)
            if isinstance(part, Text):
                yield line.append_text(part)
            else:
                yield line.append_text(self.label(part))
                yield from self.below(part, guide + ("   " if last else "│  "))

    def parts(self, node: Node) -> list[Node | Text]:
        """Return what is shown below a node: its children, with several leaves as one text, and the cutoff."""
        found: list[Node | Text] = []
        leaves: list[Node] = []
        for child in node.children:
            if self.full or child.children:
                found += self.join_leaves(leaves)
                leaves = []
                found.append(child)
            else:
                leaves.append(child)
        found += self.join_leaves(leaves)
        if node.cutoff is not None:
            found.append(self.cutoff(node))
        return found

    def join_leaves(self, leaves: list[Node]) -> list[Node | Text]:
        if len(leaves) < 2:
            return list(leaves)
        text = Text()
        few = [leaf for i, leaf in enumerate(leaves) if i < LEAVES or leaf.enter.node in self.found.best]
        for leaf in few:
            best = leaf.enter.node in self.found.best
            label = f"{node_sign(leaf)} {self.found.move(leaf)} {bound_sign(leaf)} {words.short(node_value(leaf))}"
            text.append(label + (f" {SIGNS['best']}" if best else "") + "   ", BEST if best else "")
        if len(few) < len(leaves):
            self.folded += len(leaves) - len(few)
            text.append(f"+ {len(leaves) - len(few):,} more", DIM)
        text.rstrip()
        return [text]

    def cutoff(self, node: Node) -> Text:
        cut = node.cutoff
        assert cut is not None
        names = self.found.moves(node, cut.pruned)
        rest = " ".join(names[:12]) + (f" … ({len(names)})" if len(names) > 12 else "")
        return Text(f"{SIGNS['cut']} {rest or 'nothing is left'}: {cut.reason}", CUT)

    def label(self, node: Node) -> Text:
        """Return a node on one line."""
        found, best = self.found, node.enter.node in self.found.best
        text = Text(f"{node_sign(node)} ")
        if found.move(node):
            text.append(f"{found.move(node)} ", STRONG)
        if node.children:
            text.append(f"{node.enter.kind} {window_text(node)} ".replace("  ", " "), DIM)
        if node.leave is not None:
            text.append(f"{bound_sign(node)} {words.short(node_value(node))}", BEST if best else STRONG)
        if best:
            text.append(f" {SIGNS['best']}", BEST)
        if value_source(node):
            text.append(f"  {value_source(node)}", DIM)
        if node.children and node.enter.node not in self.shown:
            below = _count(node)
            self.folded += below
            text.append(f"  + {below:,} below", DIM)
        return text


def _count(node: Node) -> int:
    waiting, total = list(node.children), 0
    while waiting:
        node = waiting.pop()
        total += 1
        waiting.extend(node.children)
    return total
