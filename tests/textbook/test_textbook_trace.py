"""The event stream: which events come, in which order, for whom values count, and that the counters come from it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.textbook import ALGORITHMS, Counter, Recorder, Trace, fitting, search
from plyground.textbook.trace import Child, Cutoff, Enter, Event, Hit, Leaf, Leave, Node, build_trees
from plyground.textbook.tree import INFINITE
from positions import walk, with_evaluate

TICTACTOE = load("tictactoe")


def record(name: str, s: Any, **options: Any) -> tuple[Recorder, Any]:
    trace = Recorder()
    return trace, search(name, TICTACTOE, s, trace, **options)


def test_a_small_search_step_by_step() -> None:
    s = TICTACTOE.parse_state("XOX/OOX/.X.")  # O to move: g loses nothing, a1 draws, c1 stops X's column
    trace, found = record("alphabeta", s, depth="all")
    a1, c1 = TICTACTOE.parse_move(s, "a1"), TICTACTOE.parse_move(s, "c1")
    after = TICTACTOE.play(s, a1)
    assert trace.events[:5] == [
        Enter(0, None, None, s, None, -INFINITE, INFINITE, "max"),
        Enter(1, 0, a1, after, None, -INFINITE, INFINITE, "min"),
        Enter(2, 1, c1, TICTACTOE.play(after, c1), None, -INFINITE, INFINITE, "max"),
        Leaf(2, -9998, "terminal"),
        Leave(2, -9998, None, ()),
    ]
    assert trace.events[5:8] == [Child(1, c1, -9998, True), Leave(1, -9998, c1, (c1,)), Child(0, a1, -9998, True)]
    assert trace.events[-1] == Leave(0, 0, c1, (c1, a1))
    assert (found.value, found.move, found.line) == (0, c1, (c1, a1))


def test_the_reason_of_a_cut_off_is_told_in_words() -> None:
    game = with_evaluate(TICTACTOE, lambda s: {0b1: -5, 0b101: -5, 0b10: 0, 0b11: 3}.get(s.both, -4))
    trace = Recorder()
    search("alphabeta", game, game.start(), trace, depth=2)
    reasons = [e.reason for e in trace.events if isinstance(e, Cutoff)]
    assert "min can already force -4 here, max has -3 elsewhere" not in reasons
    assert reasons
    assert all(r.startswith("min can already force ") and ", max has " in r for r in reasons)
    for e in trace.events:
        if isinstance(e, Cutoff):
            here, elsewhere = (int(w) for w in e.reason.replace(",", "").split() if w.lstrip("-").isdigit())
            assert here <= elsewhere
            assert len(e.pruned) > 0 or e.move == 8


def test_a_cut_off_names_the_moves_that_are_left_out() -> None:
    trace, _ = record("alphabeta", TICTACTOE.parse_state("X../.O./..."), depth=4, order="game")
    cut = 0
    waiting = build_trees(trace.events)
    while waiting:
        tree = waiting.pop()
        waiting += tree.children
        looked = [child.enter.move for child in tree.children]
        if tree.cutoff:
            cut += 1
            assert looked[-1] == tree.cutoff.move
            assert sorted([*looked, *tree.cutoff.pruned]) == TICTACTOE.legal(tree.enter.state)
        elif looked:
            assert sorted(looked) == TICTACTOE.legal(tree.enter.state)
    assert cut == trace.cutoffs > 0


def test_a_cut_off_by_a_win_names_the_win() -> None:
    trace, _ = record("alphabeta", TICTACTOE.parse_state("X../.O./..."), depth=5)
    reasons = {e.reason for e in trace.events if isinstance(e, Cutoff)}
    assert any("a win for min in " in r for r in reasons)
    assert any("max can already force" in r and "min has" in r for r in reasons)


def test_written_out_or_in_one_function_the_steps_are_the_same() -> None:
    s = TICTACTOE.parse_state("X../.O./...")
    for one, other in (("minimax", "negamax"), ("alphabeta_minimax", "alphabeta")):
        assert record(one, s, depth=4)[0].events == record(other, s, depth=4)[0].events


def check_stream(events: list[Event], counter: Recorder) -> None:
    """Nodes nest, every value is reported once as the child's and once as the node's, and the counters fit."""
    stack: list[int] = []
    for before, e in zip([None, *events], events, strict=False):
        if isinstance(e, Enter):
            assert e.parent == (stack[-1] if stack else None)
            stack.append(e.node)
        elif isinstance(e, Leave):
            assert stack.pop() == e.node
        elif isinstance(e, Child):
            assert isinstance(before, Leave)
            assert (e.node, e.value) == (stack[-1], before.value)
        else:
            assert e.node == stack[-1]
    assert not stack
    kinds = {kind: sum(isinstance(e, kind) for e in events) for kind in (Enter, Leaf, Hit, Cutoff)}
    assert kinds == {Enter: counter.nodes, Leaf: counter.leaves, Hit: counter.table_hits, Cutoff: counter.cutoffs}
    assert counter.evaluations == sum(isinstance(e, Leaf) and e.kind != "terminal" for e in events)
    assert counter.first_move_cutoffs == sum(isinstance(e, Cutoff) and e.first for e in events)


def check_values(tree: Node) -> None:
    """Where a node was neither cut nor found in the table, its value is the best of its children's, for its side."""
    for child in tree.children:
        check_values(child)
    if not tree.children or tree.cutoff or tree.leaf or tree.enter.alpha is not None:
        return
    best = max if tree.enter.kind == "max" else min
    assert tree.leave is not None
    assert tree.leave.value == best(child.leave.value for child in tree.children if child.leave)


@pytest.mark.parametrize("name", [a.name for a in fitting(TICTACTOE) if a.name != "proof_number"])
def test_every_algorithm_tells_its_steps(name: str) -> None:
    s = walk(TICTACTOE, 4, random.Random(3))[-1]
    options = {k: v for k, v in {"depth": 3, "time": 1e6}.items() if k in ALGORITHMS[name].options}
    trace, found = record(name, s, **options)
    check_stream(trace.events, trace)
    trees = build_trees(trace.events)
    assert trees
    for tree in trees:
        check_values(tree)
    assert trees[-1].leave is not None
    assert trees[-1].leave.value == found.value or name in ("mtdf", "minimax_symmetric")


def test_looking_costs_no_nodes() -> None:
    s = TICTACTOE.parse_state("X../.O./...")
    counts = []
    for trace in (Counter(), Recorder()):
        search("alphabeta", TICTACTOE, s, trace, depth=4)
        counts.append((trace.nodes, trace.leaves, trace.evaluations, trace.cutoffs, trace.first_move_cutoffs, trace.moves))
    assert counts[0] == counts[1]
    assert search("alphabeta", TICTACTOE, s, Trace(), depth=4) == search("alphabeta", TICTACTOE, s, depth=4)


def test_a_table_hit_names_its_kind_and_its_move() -> None:
    trace, _ = record("alphabeta_bounds", TICTACTOE.start(), depth=5)
    hits = [e for e in trace.events if isinstance(e, Hit)]
    assert {e.kind for e in hits} == {"exact", "lower", "upper"}
    assert all(e.move is not None for e in hits)


def test_too_large_a_search_is_refused_not_kept() -> None:
    with pytest.raises(PlygroundError, match="more than 1,000 steps, too many to show; try a smaller depth"):
        search("minimax", TICTACTOE, TICTACTOE.start(), Recorder(limit=1000), depth=4)


def test_the_branching_factor_is_measured() -> None:
    trace = Counter()
    search("minimax", TICTACTOE, TICTACTOE.start(), trace, depth=2)
    assert trace.branching == (9 + 9 * 8) / 10
