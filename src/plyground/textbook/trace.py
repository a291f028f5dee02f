"""The event stream: what a search does, reported as it happens.

Every algorithm walks a `Tree`, and the tree reports each step to its `Trace`: a node is entered with its window, is a leaf or
found in the table, gets the value of a child, is cut off, and is left with its value. All values and windows are from the view
of max, the side to move at the root, whatever the algorithm uses; in games with more than two sides a value is a tuple.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from plyground.errors import PlygroundError
from plyground.rules.hooks import State

Value = float | tuple[float, ...] | str
"""An int; a float in games of chance, a tuple of numbers with three or more sides, "proof/disproof" in proof-number search."""
Depth = float | None
"""The plies left to search; None to the end of the game."""
Window = tuple[float, float] | None
"""Alpha and beta; None if the algorithm has no window."""


class Trace:
    """Receives every step of a search; this base class ignores them."""

    words = False
    """Whether cutoffs come with the reason in words and the moves they skip, which take time to produce."""

    def enter(self, node: int, parent: int | None, move: int | None, s: State, depth: Depth, window: Window, kind: str) -> None:
        """Enter a node: its number, its parent's number, the move that leads to it, its state, the depth left and its window.

        The kind is max, min or chance; with three or more sides, the name of the side to move.
        """

    def listed(self, node: int, moves: list[int]) -> None:
        """Report the moves of a node, in the order in which they will be tried."""

    def glance(self, node: int, move: int) -> None:
        """Report that the state after a move was evaluated to order the moves."""

    def leaf(self, node: int, value: Value, kind: str) -> None:
        """Report a leaf: `terminal` (the game is over), `heuristic` (estimated) or `quiet` (estimated after loud moves)."""

    def hit(self, node: int, value: Value, kind: str, move: int | None) -> None:
        """Report that a table entry settles the node; it is `exact`, or a bound, `lower` or `upper`."""

    def child(self, node: int, move: int, value: Value, best: bool) -> None:
        """Report the value of the child after `move`, which may be the node's best so far."""

    def cutoff(self, node: int, move: int, first: bool, pruned: tuple[int, ...], reason: str) -> None:
        """Report that after `move` the `pruned` moves need not be searched; `first` is true if it was the first move tried."""

    def leave(self, node: int, value: Value, move: int | None, line: tuple[int, ...]) -> None:
        """Leave the node with its value, its best move and the best line from it."""


class Counter(Trace):
    """Counts what happens."""

    def __init__(self) -> None:
        self.nodes = 0
        self.leaves = 0
        self.evaluations = 0
        self.cutoffs = 0
        self.first_move_cutoffs = 0
        self.table_hits = 0
        self.interior = 0
        self.moves = 0

    def enter(self, node: int, parent: int | None, move: int | None, s: State, depth: Depth, window: Window, kind: str) -> None:
        """Count the node."""
        self.nodes += 1

    def listed(self, node: int, moves: list[int]) -> None:
        """Count the moves, for the branching factor."""
        self.interior += 1
        self.moves += len(moves)

    def glance(self, node: int, move: int) -> None:
        """Count the evaluation."""
        self.evaluations += 1

    def leaf(self, node: int, value: Value, kind: str) -> None:
        """Count the leaf, and the evaluation if there was one."""
        self.leaves += 1
        self.evaluations += kind != "terminal"

    def hit(self, node: int, value: Value, kind: str, move: int | None) -> None:
        """Count the hit."""
        self.table_hits += 1

    def cutoff(self, node: int, move: int, first: bool, pruned: tuple[int, ...], reason: str) -> None:
        """Count the cutoff."""
        self.cutoffs += 1
        self.first_move_cutoffs += first

    @property
    def branching(self) -> float:
        """The average number of moves at the nodes where moves were listed."""
        return self.moves / self.interior if self.interior else 0.0


class NodeLimitError(Exception):
    """A search has reached the node limit of its trace."""


class NodeLimitedTrace(Counter):
    """Counts what happens, and stops the search at a number of nodes."""

    def __init__(self, limit: float) -> None:
        super().__init__()
        self.limit = limit

    def enter(self, node: int, parent: int | None, move: int | None, s: State, depth: Depth, window: Window, kind: str) -> None:
        """Count the node; raise `NodeLimitError` beyond the limit."""
        if self.nodes >= self.limit:
            raise NodeLimitError
        self.nodes += 1


class Enter(NamedTuple):
    """A node is entered: see `Trace.enter`."""

    node: int
    parent: int | None
    move: int | None
    state: State
    depth: Depth
    alpha: float | None
    beta: float | None
    kind: str


class Leaf(NamedTuple):
    """A node is a leaf: see `Trace.leaf`."""

    node: int
    value: Value
    kind: str


class Hit(NamedTuple):
    """A table entry settles a node: see `Trace.hit`."""

    node: int
    value: Value
    kind: str
    move: int | None


class Child(NamedTuple):
    """A child has a value: see `Trace.child`."""

    node: int
    move: int
    value: Value
    best: bool


class Cutoff(NamedTuple):
    """Moves are skipped: see `Trace.cutoff`."""

    node: int
    move: int
    first: bool
    pruned: tuple[int, ...]
    reason: str


class Leave(NamedTuple):
    """A node is left: see `Trace.leave`."""

    node: int
    value: Value
    move: int | None
    line: tuple[int, ...]


Event = Enter | Leaf | Hit | Child | Cutoff | Leave


class Recorder(Counter):
    """Counts, and keeps every event in order; refuses to grow beyond `limit` events."""

    words = True

    def __init__(self, limit: int = 1_000_000) -> None:
        super().__init__()
        self.events: list[Event] = []
        self.limit = limit

    def _keep(self, event: Event) -> None:
        if len(self.events) >= self.limit:
            raise PlygroundError(f"the search has more than {self.limit:,} steps, too many to show; try a smaller depth")
        self.events.append(event)

    def enter(self, node: int, parent: int | None, move: int | None, s: State, depth: Depth, window: Window, kind: str) -> None:
        """Keep an `Enter`."""
        super().enter(node, parent, move, s, depth, window, kind)
        alpha, beta = window or (None, None)
        self._keep(Enter(node, parent, move, s, depth, alpha, beta, kind))

    def leaf(self, node: int, value: Value, kind: str) -> None:
        """Keep a `Leaf`."""
        super().leaf(node, value, kind)
        self._keep(Leaf(node, value, kind))

    def hit(self, node: int, value: Value, kind: str, move: int | None) -> None:
        """Keep a `Hit`."""
        super().hit(node, value, kind, move)
        self._keep(Hit(node, value, kind, move))

    def child(self, node: int, move: int, value: Value, best: bool) -> None:
        """Keep a `Child`."""
        self._keep(Child(node, move, value, best))

    def cutoff(self, node: int, move: int, first: bool, pruned: tuple[int, ...], reason: str) -> None:
        """Keep a `Cutoff`."""
        super().cutoff(node, move, first, pruned, reason)
        self._keep(Cutoff(node, move, first, pruned, reason))

    def leave(self, node: int, value: Value, move: int | None, line: tuple[int, ...]) -> None:
        """Keep a `Leave`."""
        self._keep(Leave(node, value, move, line))


@dataclass
class Node:
    """What the events say about one node, with its children in the order they were entered."""

    enter: Enter
    children: list[Node] = field(default_factory=list)
    leaf: Leaf | None = None
    hit: Hit | None = None
    cutoff: Cutoff | None = None
    leave: Leave | None = None


def build_trees(events: list[Event]) -> list[Node]:
    """Return the trees that the events describe: one for each search that started at the root."""
    nodes: dict[int, Node] = {}
    roots: list[Node] = []
    for e in events:
        if isinstance(e, Enter):
            nodes[e.node] = Node(e)
            (roots if e.parent is None else nodes[e.parent].children).append(nodes[e.node])
        elif not isinstance(e, Child):
            setattr(nodes[e.node], type(e).__name__.lower(), e)
    return roots
