"""Questions for the page: small trees of the search in which the reader crosses out what the search will prune.

A question shows every leaf with its value, even those that the search never visited: their values are computed here, from
the rules alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from plyground import score
from plyground.explain import Explanation
from plyground.rules.hooks import State
from plyground.rules.rollouts import with_rollouts
from plyground.textbook.algorithm import LIKELY
from plyground.textbook.derived_games import with_likely
from plyground.textbook.trace import Node, Value
from plyground.textbook.tree import Tree

SIZES = ((12, 4), (50, 8))
"""The sizes of questions, small ones first: the maximum number of leaves, and the number of questions."""

MIN_LEAVES, TRIES = 4, 400
"""The minimum number of leaves, and the number of nodes that are tried as the root of a question."""


@dataclass
class Branch:
    """A node of a question; `node` is None if the search never visited it."""

    move: str
    state: State
    kind: str
    value: Value | None = None
    why: str = ""
    node: Node | None = None
    children: list[Branch] = field(default_factory=list)

    def leaves(self) -> Iterator[Value]:
        """Return the values of the leaves."""
        if not self.children:
            assert self.value is not None
            yield self.value
        for child in self.children:
            yield from child.leaves()

    def prunes(self) -> bool:
        """Return whether there is a leaf that the search skipped."""
        return self.node is None or any(child.prunes() for child in self.children)

    def as_json(self, board: Callable[[State], int], place: Mapping[int, int]) -> dict[str, object]:
        """Return the branch for the page: letters as in the page's nodes, n is its index there, x is 1 if it was pruned."""
        row: dict[str, Any] = {"m": self.move, "k": self.kind, "board": board(self.state), "x": int(self.node is None)}
        if self.node is not None:
            row["n"] = place[self.node.enter.node]
        if not self.children:
            row |= {"v": self.value, "l": self.why}
        elif self.node is not None and self.node.cutoff is not None:
            row["why"] = self.node.cutoff.reason
        return {**row, "children": [child.as_json(board, place) for child in self.children]}


@dataclass
class QuizQuestion:
    """A tree to prune, and the number of its root in the search."""

    tree: Branch
    number: int

    def leaves(self) -> Iterator[Value]:
        """Return the values of the leaves."""
        return self.tree.leaves()

    def as_json(self, board: Callable[[State], int], place: Mapping[int, int]) -> dict[str, object]:
        """Return the question for the page."""
        return {"node": place[self.number], "tree": self.tree.as_json(board, place)}


class TreeTooLargeError(Exception):
    """A tree that is too large for a question, or has a leaf that would need its own search."""


def questions(found: Explanation) -> list[QuizQuestion]:
    """Return questions from the last search, small ones first; no two alike, each with something to prune.

    There are none about a search with learned values, which are not known here.
    """
    if not found.record.cutoffs or len(found.game.sides) != 2 or "chance" in found.game.has or "games" in found.options:
        return []
    asked: dict[object, QuizQuestion] = {}
    for most, count in SIZES:
        _ask(found, most, len(asked) + count, asked)
    return list(asked.values())


def _ask(found: Explanation, most: int, count: int, asked: dict[object, QuizQuestion]) -> None:
    """Add questions in the order of the search until there are `count`: trees as large as fit, none inside another."""
    builder = _Builder(found, most)
    waiting = [found.roots[-1]]
    for _ in range(TRIES):
        if not waiting or len(asked) == count:
            break
        node = waiting.pop()
        try:
            tree = builder.question(node)
        except TreeTooLargeError:
            waiting.extend(child for child in reversed(node.children) if child.children)
            continue
        leaves = tuple(tree.leaves())
        if tree.prunes() and len(leaves) >= MIN_LEAVES:
            asked.setdefault((leaves, node.enter.alpha, node.enter.beta), QuizQuestion(tree, node.enter.node))


class _Builder:
    def __init__(self, found: Explanation, most: int) -> None:
        self.found, self.most = found, most
        self.game = with_rollouts(found.game) if found.options.get("estimate") == "rollouts" else found.game
        self.sign = Tree(found.game).sign
        self.listed = with_likely(found.game).moves if found.options.get("near") == LIKELY else found.game.moves
        self.faster = found.options.get("wins") == "faster"
        self.leaves = 0

    def question(self, node: Node) -> Branch:
        """Return the complete tree below a node."""
        self.leaves, ply, above = 0, 0, node.enter.parent
        while above is not None:
            ply, above = ply + 1, self.found.nodes[above].enter.parent
        depth = math.inf if node.enter.depth is None else node.enter.depth
        return self.branch(node, self.found.move(node), node.enter.state, 1 if node.enter.kind == "max" else -1, depth, ply)

    def branch(self, node: Node | None, move: str, s: State, side: int, depth: float, ply: int) -> Branch:
        branch = Branch(move, s, "max" if side > 0 else "min", node=node)
        branch.value, branch.why = self.searched(node) if node is not None else self.unvisited_value(s, side, depth, ply)
        if branch.value is not None:
            self.leaves += 1
            if self.leaves > self.most:
                raise TreeTooLargeError
            return branch
        for m in self.moves(node, s):
            below = None if node is None else next((c for c in node.children if c.enter.move == m), None)
            child = self.game.child(s, m)
            text = self.game.format_move(s, m)
            branch.children.append(self.branch(below, text, child, side * self.sign(s, child), depth - 1, ply + 1))
        return branch

    def searched(self, node: Node) -> tuple[Value | None, str]:
        """Return the value of a leaf of the search and where it comes from."""
        if node.leave is None or (node.leaf is not None and (node.children or node.leaf.kind == "quiet")):
            raise TreeTooLargeError
        if node.hit is not None:
            return node.leave.value, f"table, {node.hit.kind}"
        return (node.leaf.value, node.leaf.kind) if node.leaf is not None else (None, "")

    def unvisited_value(self, s: State, side: int, depth: float, ply: int) -> tuple[int | None, str]:
        """Return the same for a state that the search never visited."""
        result = self.game.result(s)
        if result is not None:
            return side * score.final(result, ply if self.faster else score.MAX_PLIES, bool(self.game.margin)), "terminal"
        return (side * score.clip(int(self.game.evaluate(s))), "heuristic") if depth <= 0 else (None, "")

    def moves(self, node: Node | None, s: State) -> list[int]:
        """Return the moves in the order they are tried."""
        if node is None:
            return [int(m) for m in self.listed(s)]
        tried = [child.enter.move for child in node.children if child.enter.move is not None]
        if len(set(tried)) < len(tried):
            raise TreeTooLargeError
        return [*tried, *(node.cutoff.pruned if node.cutoff is not None else ())]
