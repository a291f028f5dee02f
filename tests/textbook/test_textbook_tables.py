"""Tables: whole games, what is kept and what is not, and which variants may differ from plain minimax."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import PlygroundError, load
from plyground.textbook import Counter, Tree, find, search
from plyground.textbook.algorithm import KEYS
from plyground.textbook.table import (
    POLICIES,
    Entry,
    FixedTable,
    SolvedState,
    StoneKeys,
    UnlimitedTable,
    Zobrist,
    alphabeta_bounds,
)
from plyground.textbook.tree import EXACT, INFINITE, LOWER, UPPER, WHOLE
from positions import hashing, reachable, walk, with_evaluate

TICTACTOE, NIM = load("tictactoe"), load("nim")


def test_a_solved_game_is_looked_up() -> None:
    memory: dict[str, Any] = {}
    solver, trace = find("minimax_table"), Counter()
    found = solver.search(NIM, NIM.start(), trace=trace, memory=memory)
    assert found.note.startswith(f"{len(memory['solved'])} states in the table; the first player wins in 1")
    assert memory["solved"][NIM.start()] == SolvedState(found.value, found.move)
    s, nodes, value = NIM.start(), trace.nodes, found.value
    for m in found.line:
        s, value = NIM.play(s, m), -value
        found = solver.search(NIM, s, trace=trace, memory=memory)
        nodes += 1
        assert trace.nodes == nodes, "a state of the table is one look"
        value += 1 if value > 0 else -1
        assert found.value == value, "each ply on the way brings the win a ply nearer"
    assert NIM.result(s) == -1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("tictactoe(rows=3, cols=3, k=2)", "X wins in 3 plies"),
        ("nim(heaps=2, size=2)", "the first player wins in 3 plies"),
        ("nim(heaps=2, size=1)", "the second player wins in 2 plies"),
        ("connect4(rows=3, cols=3, k=3)", "a draw with perfect play"),
    ],
)
def test_the_value_of_a_game_in_words(spec: str, words: str) -> None:
    game = load(spec)
    assert search("minimax_table", game, game.start()).note.endswith(f"; {words}")
    assert search("alphabeta_table", game, game.start()).note.endswith(f"; {words}")


def test_pruned_states_are_not_stored_and_a_new_search_is_made_for_them() -> None:
    memory: dict[str, Any] = {}
    player = find("alphabeta_table")
    solved: dict[Any, Any] = {}
    find("minimax_table").search(TICTACTOE, TICTACTOE.start(), memory=solved)
    player.search(TICTACTOE, TICTACTOE.start(), memory=memory)
    first = dict(memory["unpruned"])
    assert 0 < len(first) < len(solved["solved"])
    assert all(info.value == solved["solved"][s].value for s, info in first.items())
    inside, outside = Counter(), Counter()
    away = next(s for s in reachable(TICTACTOE) if s not in first and len(TICTACTOE.legal(s)) == 6)
    player.search(TICTACTOE, next(iter(first)), trace=inside, memory=memory)
    assert player.search(TICTACTOE, away, trace=outside, memory=memory).value == solved["solved"][away].value
    assert (inside.nodes, inside.table_hits) == (1, 1)
    assert outside.nodes > 1
    assert len(memory["unpruned"]) > len(first)


@settings(max_examples=15, deadline=None)
@given(plies=st.integers(0, 8), seed=st.integers(0, 10**6), depth=st.integers(1, 4))
def test_a_table_without_depths_is_exact_where_each_move_fills_a_cell(plies: int, seed: int, depth: int) -> None:
    for game in (hashing(load("connect4(rows=4, cols=4, k=3)")), hashing(TICTACTOE)):
        s = walk(game, plies, random.Random(seed))[-1]
        value = search("minimax", game, s, depth=depth).value
        assert search("alphabeta_cleared", game, s, depth=depth).value == value
        assert search("alphabeta_deeper", game, s, depth=depth).value == value


def test_a_table_without_depths_errs_where_a_state_is_met_at_several() -> None:
    game = with_evaluate(NIM, lambda s: sum(s.heaps))
    s = game.start()
    assert search("minimax", game, s, depth=3).value == -3
    assert search("alphabeta_cleared", game, s, depth=3).value == 5
    assert search("alphabeta_bounds", game, s, depth=3).value == -3


def test_a_deeper_entry_sees_more_than_the_depth() -> None:
    game = with_evaluate(load("nim(heaps=2, size=4)"), lambda s: sum(s.heaps))
    s = game.parse_state("2-4")
    assert search("minimax", game, s, depth=4).value == 1
    assert search("alphabeta_deeper", game, s, depth=4).value == 9995 == search("minimax", game, s, depth=5).value


def test_the_table_is_cleared_before_each_move_or_lasts() -> None:
    s = TICTACTOE.parse_state("X.O/.../...")
    for name, lasts in (("alphabeta_cleared", False), ("alphabeta_deeper", True), ("alphabeta_bounds", True)):
        memory: dict[str, Any] = {}
        once, twice = Counter(), Counter()
        find(name).search(TICTACTOE, s, {"depth": 4}, once, memory=memory)
        find(name).search(TICTACTOE, s, {"depth": 4}, twice, memory=memory)
        assert twice.nodes == (1 if lasts else once.nodes), name


def test_bounds_say_what_they_know() -> None:
    s = TICTACTOE.parse_state("XX./OO./...")  # X wins at once
    tree = Tree(TICTACTOE)
    known = tree.memory["bounds"] = UnlimitedTable(TICTACTOE.identity)
    for alpha, beta, bound in ((-INFINITE, INFINITE, EXACT), (0, 1, LOWER), (9999, 10000, UPPER)):
        known.entries.clear()
        value = alphabeta_bounds(tree, s, WHOLE, alpha, beta)
        assert known.probe(s) == Entry(WHOLE, bound, value, 2, False)
    known.entries.clear()
    alphabeta_bounds(tree, s, 1, -INFINITE, INFINITE)
    entry = known.probe(s)
    assert entry is not None
    assert entry.estimated, "other moves were estimated, though the best one wins"


@pytest.mark.parametrize(
    ("bound", "value", "settles"),
    [
        (EXACT, 0, True),
        (LOWER, 5, True),
        (LOWER, 4, False),
        (UPPER, -5, True),
        (UPPER, -4, False),
        (UPPER, 9, False),
        (LOWER, -9, False),
    ],
)
def test_an_entry_settles_a_node_only_if_it_decides(bound: int, value: int, settles: bool) -> None:
    trace = Counter()
    tree = Tree(TICTACTOE, trace)
    known = tree.memory["bounds"] = UnlimitedTable(TICTACTOE.identity)
    known.store(TICTACTOE.start(), Entry(2, bound, value, 8, True))
    found = alphabeta_bounds(tree, TICTACTOE.start(), 2, -5, 5)
    assert (trace.nodes, trace.table_hits) == (1, 1) if settles else trace.nodes > 1
    assert (found == value) if settles else (found == search("minimax", TICTACTOE, TICTACTOE.start(), depth=2).value)
    deeper = Counter()
    tree = Tree(TICTACTOE, deeper)
    tree.memory["bounds"] = known
    alphabeta_bounds(tree, TICTACTOE.start(), 1, -5, 5)
    assert deeper.nodes > 1, "an entry of another depth settles nothing"


def test_a_hit_on_an_estimate_is_one() -> None:
    for state, estimated in (("X../.O./...", True), ("XOX/OXO/.X.", False)):
        s = TICTACTOE.parse_state(state)
        tree = Tree(TICTACTOE)
        tree.memory["bounds"] = UnlimitedTable(TICTACTOE.identity)
        counts = []
        for _ in range(2):
            before = tree.estimates
            alphabeta_bounds(tree, s, 3, -INFINITE, INFINITE)
            counts.append(tree.estimates - before)
        assert [n > 0 for n in counts] == [estimated, estimated]


def test_the_move_of_the_table_is_tried_first() -> None:
    s = TICTACTOE.start()
    tree = Tree(TICTACTOE)
    known = tree.memory["bounds"] = UnlimitedTable(TICTACTOE.identity)
    known.store(s, Entry(1, LOWER, 0, 4, True))
    alphabeta_bounds(tree, s, 2, -INFINITE, INFINITE)
    assert tree.root is not None
    assert tree.root.moves == [4, 0, 1, 2, 3, 5, 6, 7, 8]


# -- keys ----------------------------------------------------------------------------------------------------------------------


def test_the_sorted_stones_are_the_same_in_whatever_order_they_came() -> None:
    key = StoneKeys(TICTACTOE, TICTACTOE.start()).key
    assert key(TICTACTOE.start()) == ()
    keys = []
    for line in ((0, 4, 8), (8, 4, 0)):
        s = TICTACTOE.start()
        for m in line:
            s = TICTACTOE.play(s, m)
        keys.append(key(s))
    assert keys == [(0 * 2 + 1, 4 * 2, 8 * 2 + 1)] * 2


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(rows=3, cols=3, k=3)"])
def test_the_sorted_stones_tell_all_states_apart(spec: str) -> None:
    game = load(spec)
    states = reachable(game)
    assert len({StoneKeys(game, game.start()).key(s) for s in states}) == len(states)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4(rows=4, cols=4, k=3)", "gomoku(size=5)"])
@settings(max_examples=8, deadline=None)
@given(plies=st.integers(0, 12), seed=st.integers(0, 10**6), near=st.sampled_from(["likely", "1"]))
def test_every_key_gives_the_same_search(spec: str, plies: int, seed: int, near: str) -> None:
    game = hashing(load(spec))
    s = walk(game, plies, random.Random(seed))[-1]
    options: dict[str, Any] = {"depth": 3, "near": near if game.name == "gomoku" else "likely"}
    value = search("minimax", game, s, **options).value
    found = []
    for key in KEYS:
        trace, memory = Counter(), dict[str, Any]()
        assert find("alphabeta_bounds").search(game, s, {**options, "key": key}, trace, memory=memory).value == value
        found.append((trace.nodes, trace.table_hits, trace.cutoffs, len(memory["bounds"].entries)))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "gomoku(size=5)"])
def test_every_key_has_the_same_hits_and_there_are_some(spec: str) -> None:
    game = load(spec)
    hits = []
    for key in KEYS:
        trace = Counter()
        search("alphabeta_bounds", game, game.play(game.start(), game.legal(game.start())[0]), trace, depth=4, key=key)
        hits.append(trace.table_hits)
    assert hits[0] == hits[1] == hits[2] > 0


@pytest.mark.parametrize("name", ["othello", "checkers", "chess", "nim", "kalah"])
def test_stones_are_no_key_where_moves_do_more_than_add_one(name: str) -> None:
    game = load(name)
    with pytest.raises(PlygroundError, match=f"^{name} cannot use key=stones: a move there must add one stone, "):
        search("alphabeta_bounds", game, game.start(), depth=1, key="stones")


# -- a table of fixed size -----------------------------------------------------------------------------------------------------


def test_zobrist_keys_tell_states_apart_and_depend_on_the_state_alone() -> None:
    states = reachable(TICTACTOE)
    one, other = Zobrist(seed=1), Zobrist(seed=1)
    keys = [one.key(s) for s in states]
    assert len(set(keys)) == len(states) == 5_478
    assert keys[::-1] == [other.key(s) for s in reversed(states)]
    assert one.key(states[0]) == 0, "no bit, no word"
    assert one.key((1, 2)) == one.key((1, 0)) ^ one.key((0, 2))


def entry(depth: int) -> Entry:
    return Entry(depth, EXACT, depth, None, False)


@pytest.mark.parametrize(
    ("policy", "left"),
    [("always", {3}), ("deeper", {9}), ("two-tier", {9, 3})],
)
def test_what_a_full_slot_does(policy: str, left: set[int]) -> None:
    table = FixedTable(POLICIES[policy][1], policy)  # a single slot
    for state, depth in (((1,), 5), ((2,), 9), ((4,), 7), ((8,), 3)):
        table.store(state, entry(depth))
    kept = {e.depth for s in ((1,), (2,), (4,), (8,)) if (e := table.probe(s)) is not None}
    assert kept == left
    assert len(table) == len(left)


def test_an_entry_of_the_same_state_is_written_over() -> None:
    for policy in POLICIES:
        table = FixedTable(8, policy)
        table.store((1,), entry(5))
        table.store((1,), entry(2))
        found = table.probe((1,))
        assert found is not None
        assert found.depth == 2
        assert len(table) == 1


def test_a_small_table_stays_small_and_costs_nodes_not_values() -> None:
    s = TICTACTOE.parse_state("X../.O./...")
    nodes = []
    for size in (2, 64, 100_000):
        trace = Counter()
        memory: dict[Any, Any] = {}
        assert find("alphabeta_fixed").search(TICTACTOE, s, {"depth": "all", "table": size}, trace, memory=memory).value == 0
        assert len(memory["bounds"]) <= size
        nodes.append(trace.nodes)
    assert nodes == sorted(nodes, reverse=True)
    assert nodes[0] > 2 * nodes[-1]
