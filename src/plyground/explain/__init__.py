"""A search explained: its tree as text, as a picture, and as a page to step through it.

Everything here reads the event stream of `textbook.trace`; only `explain` searches. Values are max's, as in the event stream; the
parts of a learned estimate are for the side to move.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from plyground.play import words
from plyground.play.match import Match
from plyground.rules.game import Game
from plyground.rules.hooks import EvaluationBreakdown, State
from plyground.score import infinite
from plyground.textbook.algorithm import Algorithm
from plyground.textbook.registry import find
from plyground.textbook.trace import Child, Cutoff, Enter, Event, Leave, Node, Recorder, Value, build_trees
from plyground.textbook.tree import WHOLE, Answer

MAX_STEPS = 200_000
"""The maximum number of events kept of a search: about 50,000 nodes, more than a reader will step through."""
MAX_PARTS = 5
"""The number of parts of a learned estimate that are shown, for the side to move and against it."""
SIGNS = {"max": "▲", "min": "▼", "chance": "●", "leaf": "■", "table": "▦", "side": "◆", "cut": "✂", "best": "★"}
"""The signs of nodes and lines: a triangle points in the direction in which its side wants the value to go."""
SOURCES = {"terminal": "game over", "heuristic": "estimate", "quiet": "estimate, quiet"}
"""Where the value of a leaf comes from."""
ROUNDING = 1e-9
"""Sums of parts are rounded."""
PartRow = tuple[str, str, str]
"""What a part adds for the side to move, its cells, what lies on them."""

LOOK, BACK, CUT, UPDATE, DONE = "look", "back", "cut", "update", "done"
"""Steps:

look    a node is entered; a leaf or a table hit has its value at once
back    the value goes back to the parent
cut     the remaining moves of the node are skipped
update  a node that was left before gets another value (proof-number search)
done    the root has its value
"""


class WalkStep(NamedTuple):
    """One step; `best` is true if the value that goes back is the parent's best so far."""

    what: str
    node: int
    best: bool = False


class Walk(NamedTuple):
    """The steps, and for each node its values, each with the step from which it is known."""

    steps: list[WalkStep]
    values: dict[int, list[tuple[int, Value]]]


def walk(events: list[Event]) -> Walk:
    """Return the steps that the events describe."""
    steps: list[WalkStep] = []
    values: dict[int, list[tuple[int, Value]]] = {}
    parents: dict[int, int | None] = {}
    for i, e in enumerate(events):
        if isinstance(e, Enter):
            parents[e.node] = e.parent
            steps.append(WalkStep(LOOK, e.node))
        elif isinstance(e, Cutoff):
            steps.append(WalkStep(CUT, e.node))
        elif isinstance(e, Leave):
            after = events[i + 1] if i + 1 < len(events) else None
            goes_back = isinstance(after, Child) and after.node == parents[e.node]
            if not goes_back and steps[-1] != WalkStep(LOOK, e.node):
                first = e.node not in values and parents[e.node] is None
                steps.append(WalkStep(DONE if first else UPDATE, e.node))
            values.setdefault(e.node, []).append((len(steps) - 1, e.value))
            if isinstance(after, Child) and goes_back:
                steps.append(WalkStep(BACK, e.node, after.best))
    return Walk(steps, values)


@dataclass
class Explanation:
    """One recorded search."""

    game: Game
    state: State
    turn: int
    algorithm: str
    options: dict[str, Any]
    answer: Answer
    record: Recorder
    roots: list[Node] = field(init=False)

    def __post_init__(self) -> None:
        self.roots = build_trees(self.record.events)

    @property
    def depth(self) -> int | None:
        """The depth of the search; None if it went to the end of the game."""
        depth = self.options.get("depth", WHOLE)
        return None if depth == WHOLE else int(depth)

    @cached_property
    def walk(self) -> Walk:
        """The search step by step."""
        return walk(self.record.events)

    @cached_property
    def nodes(self) -> dict[int, Node]:
        """Every node by its number, in the order in which they were entered."""
        found: dict[int, Node] = {}
        waiting = list(reversed(self.roots))
        while waiting:
            node = waiting.pop()
            found[node.enter.node] = node
            waiting.extend(reversed(node.children))
        return dict(sorted(found.items()))

    @cached_property
    def best(self) -> frozenset[int]:
        """The numbers of the nodes on the best line of the last search."""
        found = set()
        node: Node | None = self.roots[-1]
        for m in (*self.answer.line, None):
            if node is None:
                break
            found.add(node.enter.node)
            node = next((child for child in reversed(node.children) if child.enter.move == m), None)
        return frozenset(found)

    @property
    def sides(self) -> dict[str, str]:
        """The sides that max and min are."""
        names = self.game.sides
        if len(names) > 2:
            return {}
        return {"max": names[self.turn], "min": names[1 - self.turn]} if len(names) == 2 else {"max": names[0]}

    @property
    def algorithm_text(self) -> str:
        """The algorithm with the options that differ from their defaults."""
        usual = find(self.algorithm).options
        shown = [f"{n}={v:g}" if isinstance(v, float) else f"{n}={v}" for n, v in self.options.items() if v != usual[n].default]
        return ", ".join([self.algorithm, *(text for text in shown if not text.startswith(("depth=", "time=")))])

    def probability(self, node: Node) -> float | None:
        """Return the probability of a node after a chance move; None after a player's move."""
        parent = None if node.enter.parent is None else self.nodes[node.enter.parent].enter
        if parent is None or parent.kind != "chance":
            return None
        return dict(self.game.outcomes(parent.state))[node.enter.move or 0]

    def move(self, node: Node) -> str:
        """Return the move that leads to a node, as people write it; empty at a root."""
        if node.enter.parent is None or node.enter.move is None:
            return ""
        return self.game.format_move(self.nodes[node.enter.parent].enter.state, node.enter.move)

    def moves(self, node: Node, moves: tuple[int, ...]) -> list[str]:
        """Return some moves of a node as people write them."""
        return [self.game.format_move(node.enter.state, m) for m in moves]

    def line(self, node: Node) -> list[str]:
        """Return the best line from a node on."""
        return [] if node.leave is None else words.line(self.game, node.enter.state, node.leave.line)

    @cached_property
    def judgement(self) -> EvaluationBreakdown | None:
        """The parts of a learned estimate of the position; None if no evaluation was learned, or the game is over."""
        explain_evaluation = self.game.explain_evaluation
        return None if explain_evaluation is None or self.game.result(self.state) is not None else explain_evaluation(self.state)

    def summary(self) -> dict[str, object]:
        """Return the settings and the result of the search as data."""
        line = words.line(self.game, self.state, self.answer.line)
        return {
            "game": self.game.spec,
            "state": self.game.format_state(self.state),
            "algorithm": self.algorithm,
            "depth": self.depth,
            "value": finite(self.answer.value),
            "move": line[0] if line else None,
            "line": line,
            "note": self.answer.note,
            "nodes": self.record.nodes,
            "evaluations": self.record.evaluations,
            "cutoffs": self.record.cutoffs,
            "first_move_cutoffs": self.record.first_move_cutoffs,
            "table_hits": self.record.table_hits,
        }

    def as_json(self) -> dict[str, object]:
        """Return the whole search as data: the summary, the parts of a learned estimate, every node, and the steps in order."""
        judgement = self.judgement
        return {
            **self.summary(),
            **({} if judgement is None else {"judgement": judgement.as_json(MAX_PARTS)}),
            "sides": self.sides,
            "tree": [self._node(node) for node in self.nodes.values()],
            "steps": [[step.what, step.node] for step in self.walk.steps],
        }

    def _node(self, node: Node) -> dict[str, Any]:
        enter, leave, cut = node.enter, node.leave, node.cutoff
        found: dict[str, Any] = {
            "node": enter.node,
            "parent": enter.parent,
            "move": self.move(node) or None,
            "kind": enter.kind,
            "state": self.game.format_state(enter.state),
            "depth": enter.depth,
            "window": None if enter.alpha is None else [finite(enter.alpha), finite(enter.beta)],
            "value": None if leave is None else finite(leave.value),
            "line": self.line(node),
            "on_best_line": enter.node in self.best,
        }
        if node.leaf is not None:
            found["leaf"] = node.leaf.kind
        if node.hit is not None:
            found["table_hit"] = node.hit.kind
        if cut is not None:
            (after,) = self.moves(node, (cut.move,))
            found["cutoff"] = {"after": after, "first": cut.first, "pruned": self.moves(node, cut.pruned), "reason": cut.reason}
        return found


Number = TypeVar("Number", bound=Value | None)


def finite(value: Number) -> Number | None:
    """Return a value as JSON can hold it: None if it is infinite."""
    return None if infinite(value) else value


def explain(match: Match, algorithm: Algorithm, options: Mapping[str, object], record: Recorder | None = None) -> Explanation:
    """Search the last state of the match and keep every step in the record."""
    record = Recorder(MAX_STEPS) if record is None else record
    answer, game = algorithm.search(match.game, match.s, options, record, match.states[:-1]), match.game
    if answer.learned is not None:
        game = copy.copy(game)
        game.evaluate, game.explain_evaluation = answer.learned.evaluate, answer.learned.explain_evaluation
    return Explanation(game, match.s, match.turn, algorithm.name, algorithm.read(options), answer, record)


def partial_explanation(match: Match, algorithm: Algorithm, options: Mapping[str, object], record: Recorder) -> Explanation:
    """Return the explanation of a search that is still running, from what has been recorded so far."""
    now = copy.copy(record)
    now.events = list(record.events)
    answer = Answer(None, None, ())
    return Explanation(match.game, match.s, match.turn, algorithm.name, algorithm.read(options), answer, now)


# -- nodes and estimates as text -----------------------------------------------------------------------------------------------


def window_text(node: Node) -> str:
    """Return the window of a node; empty if its algorithm has none."""
    alpha, beta = node.enter.alpha, node.enter.beta
    return "" if alpha is None else f"({words.short(alpha)}, {words.short(beta)})"


def shown_value(node: Node, returned: Value | None) -> Value | None:
    """Return the value that a node shows if it returns this: a leaf shows its own, even if fail-hard returns another."""
    own = node.leaf is not None and not node.children and not isinstance(returned, str)
    return node.leaf.value if node.leaf is not None and own else returned


def node_value(node: Node) -> Value | None:
    """Return the value that a node shows; None if the search was stopped."""
    return shown_value(node, None if node.leave is None else node.leave.value)


def bound_sign(node: Node) -> str:
    """Return `=` if the value of a node is exact, `≤` or `≥` if it is only a bound."""
    alpha, beta, value = node.enter.alpha, node.enter.beta, node_value(node)
    if node.hit is not None:
        return {"exact": "=", "lower": "≥", "upper": "≤"}[node.hit.kind]
    if alpha is None or beta is None or not node.children or not isinstance(value, int | float):
        return "="
    return "≤" if value <= alpha else "≥" if value >= beta else "="


def node_sign(node: Node) -> str:
    """Return the sign of a node: a leaf, a table hit, or whose turn it is."""
    if node.hit is not None:
        return SIGNS["table"]
    if node.leaf is not None and not node.children:
        return SIGNS["leaf"]
    return SIGNS.get(node.enter.kind, SIGNS["side"])


def value_source(node: Node) -> str:
    """Return where the value of a node comes from if not from its children, otherwise an empty text."""
    if node.hit is not None:
        return f"table, {node.hit.kind}"
    return "" if node.leaf is None or node.children else SOURCES[node.leaf.kind]


def estimate_head(judgement: EvaluationBreakdown) -> str:
    """Return a learned estimate, what it means, and how it comes from its parts."""
    means = f" ({judgement.expects})" if judgement.expects else ""
    return f"{words.short(judgement.value)}{means}: {judgement.how} {words.count(len(judgement.parts), judgement.what)}"


def estimate_rows(judgement: EvaluationBreakdown, count: int = MAX_PARTS) -> list[PartRow]:
    """Return the parts of a learned estimate that add most, those that cost most, and the rest; for the side to move."""
    good, bad = judgement.largest(count)
    shown = [*good, *reversed(bad)]
    found = [_part_row(judgement, part.cells, part.adds) for part in shown]
    others, rest = len(judgement.parts) - len(shown), judgement.total - sum(part.adds for part in shown)
    if others or abs(rest) > ROUNDING:
        apart = abs(judgement.total - sum(part.adds for part in judgement.parts)) < ROUNDING * max(1.0, abs(judgement.total))
        named = [words.count(others, f"other {judgement.what}")] if others else []
        found.append((_signed(rest), ", and ".join([*named, *([] if apart else ["all together"])]) or "rounding", ""))
    return found


def _part_row(judgement: EvaluationBreakdown, cells: tuple[int, ...], adds: float) -> PartRow:
    names = " ".join(judgement.names[c] for c in cells) or "this position"
    return _signed(adds), names, " ".join(judgement.contents[c] for c in cells)


def _signed(x: float) -> str:
    return f"{x:+.1f}" if abs(x) >= 10 else f"{x:+.3g}"
