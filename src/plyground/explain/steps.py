"""The search as steps for the reader: the events, with related ones merged.

look    a node is entered; a leaf or a table hit has its value at once
back    the value goes back to the parent
cut     the remaining moves of the node are skipped
update  a node that was left before gets another value (proof-number search)
done    the root has its value
"""

from __future__ import annotations

from typing import Any, NamedTuple

from plyground.textbook.trace import Child, Cutoff, Enter, Event, Leave

LOOK, BACK, CUT, UPDATE, DONE = "look", "back", "cut", "update", "done"


class Step(NamedTuple):
    """One step; `best`: the value that went back is the parent's best so far."""

    what: str
    node: int
    best: bool = False


class Walk(NamedTuple):
    """The steps, and for each node its values, each with the step from which it is known."""

    steps: list[Step]
    values: dict[int, list[tuple[int, Any]]]


def walk(events: list[Event]) -> Walk:
    """The steps that the events describe."""
    steps: list[Step] = []
    values: dict[int, list[tuple[int, Any]]] = {}
    parents: dict[int, int | None] = {}
    for i, e in enumerate(events):
        if isinstance(e, Enter):
            parents[e.node] = e.parent
            steps.append(Step(LOOK, e.node))
        elif isinstance(e, Cutoff):
            steps.append(Step(CUT, e.node))
        elif isinstance(e, Leave):
            after = events[i + 1] if i + 1 < len(events) else None
            goes_back = isinstance(after, Child) and after.node == parents[e.node]
            if not goes_back and steps[-1] != Step(LOOK, e.node):
                first = e.node not in values and parents[e.node] is None
                steps.append(Step(DONE if first else UPDATE, e.node))
            values.setdefault(e.node, []).append((len(steps) - 1, e.value))
            if isinstance(after, Child) and goes_back:
                steps.append(Step(BACK, e.node, after.best))
    return Walk(steps, values)
