"""Proof-number search (Allis, 1994): proves or disproves a win, always working where that is easiest.

It expands one leaf at a time. The proof number of a node is the minimum number of leaves that must be won to prove it won; the
disproof number is the minimum number that must not be won to disprove it. One proven move is enough for the attacker, so an
attacker's node takes the smallest proof number of its children and the sum of their disproof numbers; a defender's node is the
other way round. The leaf to expand is found by following, from the root, the child that gave the smallest number.

Contract: who wins, not how soon. A first search asks whether the side to move wins, a second whether it loses.
"""

from __future__ import annotations

import math

from plyground import score
from plyground.rules.hooks import State
from plyground.textbook.derived_games import plain_state
from plyground.textbook.tree import Answer, Tree

UNKNOWN, YES, NO = (1, 1), (0, math.inf), (math.inf, 0)


class ProofNode:
    """A node of the tree, which is kept in memory: its two numbers, and its children once it is expanded."""

    __slots__ = ("attacks", "children", "move", "number", "numbers", "state")

    def __init__(self, state: State, move: int | None, attacks: bool, number: int) -> None:
        self.state = state
        self.move = move
        self.attacks = attacks  # whether the attacker is to move
        self.number = number
        self.numbers: tuple[float, float] = UNKNOWN
        self.children: list[ProofNode] = []

    def update(self) -> None:
        """Compute the numbers that follow from those of the children."""
        proofs, disproofs = zip(*(child.numbers for child in self.children), strict=True)
        self.numbers = (min(proofs), sum(disproofs)) if self.attacks else (sum(proofs), min(disproofs))

    def most_proving(self) -> ProofNode:
        """Return the child that gave this node the smaller of its numbers."""
        which = 0 if self.attacks else 1
        return min(self.children, key=lambda child: child.numbers[which])


def prove(tree: Tree, s: State, goal: int, nodes: int) -> ProofNode:
    """Search for a proof that the side to move gets at least `goal` (1 a win, 0 a draw), and return the root."""
    end = tree.visits + nodes
    root = new_leaf(tree, None, s, None, attacks=True, goal=goal)
    while 0 not in root.numbers and tree.visits < end:
        path = [root]
        while path[-1].children:
            path.append(path[-1].most_proving())
        leaf = path[-1]
        for m in tree.game.moves(leaf.state):
            child = tree.game.child(leaf.state, m)
            attacks = leaf.attacks == (tree.sign(leaf.state, child) > 0)
            leaf.children.append(new_leaf(tree, leaf, child, int(m), attacks, goal))
        for node in reversed(path):
            node.update()
            report_numbers(tree, node)
    return root


def new_leaf(tree: Tree, parent: ProofNode | None, s: State, move: int | None, attacks: bool, goal: int) -> ProofNode:
    """Create a leaf; its numbers are final if the game is over there."""
    leaf = ProofNode(s, move, attacks, tree.visits)
    tree.visits += 1
    kind = "max" if attacks else "min"
    tree.trace.enter(leaf.number, None if parent is None else parent.number, move, plain_state(s), None, None, kind)
    result = tree.game.result(s)
    if result is not None:
        leaf.numbers = YES if (result if attacks else -result) >= goal else NO
        tree.trace.leaf(leaf.number, result if attacks else -result, "terminal")
    report_numbers(tree, leaf)
    return leaf


def report_numbers(tree: Tree, node: ProofNode) -> None:
    """Report the current numbers of a node to the trace."""
    if not tree.trace.words:
        return
    line = best_line(node)
    tree.trace.leave(
        node.number, "/".join("∞" if n == math.inf else f"{n:g}" for n in node.numbers), line[0] if line else None, line
    )


def best_line(node: ProofNode) -> tuple[int, ...]:
    """Return the moves from child to child, each the most proving one."""
    line = []
    while node.children:
        node = node.most_proving()
        assert node.move is not None
        line.append(node.move)
    return tuple(line)


def proof_number(tree: Tree, s: State, nodes: int) -> Answer:
    """Return who wins from s: a draw, or a win or loss at an unknown distance."""
    win = score.final(1, score.MAX_PLIES, margin=False)
    for goal, value in ((1, win), (0, 0)):
        root = prove(tree, s, goal, nodes)
        line = best_line(root)
        move = line[0] if line else None
        if root.numbers[0] == 0:
            return Answer(value, move, line, "a win, proven" if value else "a draw, proven")
        if root.numbers[1] != 0:
            return Answer(0, move, line, f"not settled within {nodes:,} nodes")
    return Answer(-win, move, line, "a loss, proven")
