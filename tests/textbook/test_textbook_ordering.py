"""Move ordering: what each part puts first, and that it saves nodes and changes no value."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.rules.game import Game
from plyground.rules.load import builtin_games
from plyground.textbook import Counter, Tree, search
from plyground.textbook.ordering import PARTS, Ordering, make_ordering
from plyground.textbook.tree import WHOLE, node
from positions import hashing, walk

TICTACTOE, CONNECT4 = load("tictactoe"), load("connect4")


def arranged(game: Game, s: Any, order: str) -> list[int]:
    """The moves of s as a search would try them."""

    @node
    def look(tree: Tree, s: Any, depth: float = WHOLE) -> int:
        tree.moves(s)
        return 0

    tree = Tree(game, ordering=make_ordering(game, order))
    look(tree, s)
    assert tree.root is not None
    return tree.root.moves


def test_centre_first() -> None:
    assert arranged(TICTACTOE, TICTACTOE.start(), "centre") == [4, 1, 3, 5, 7, 0, 2, 6, 8]
    high = CONNECT4.parse_state("......./......./......./...O.../...X.../...O.X.")
    assert arranged(CONNECT4, high, "centre") == [3, 2, 4, 1, 5, 0, 6], "a column counts, however high its stones are"


def test_the_games_own_order_and_captures() -> None:
    s = TICTACTOE.parse_state("XX./OO./...")
    assert arranged(TICTACTOE, s, "game")[:2] == [2, 5]
    assert arranged(TICTACTOE, s, "captures") == [2, 5, 6, 7, 8]


def test_depth_1_values() -> None:
    s = TICTACTOE.parse_state("XX./O.O/...")
    moves = arranged(TICTACTOE, s, "values")
    assert moves[0] == 2
    values = [-TICTACTOE.evaluate(TICTACTOE.play(s, m)) for m in moves[1:]]
    assert values == sorted(values, reverse=True)


def test_what_has_cut_comes_first_at_its_ply_or_anywhere() -> None:
    tree = Tree(TICTACTOE, ordering=Ordering(TICTACTOE, "killers+history"))
    assert tree.ordering is not None
    seen: list[list[int]] = []

    @node
    def look(tree: Tree, s: Any, depth: float) -> int:
        if depth == 3:
            assert tree.ordering is not None
            for m in (5, 6, 8):
                tree.ordering.cutoff(tree, s, m, depth)
            tree.ordering.cutoff(tree, s, 2, 1)
        seen.append(tree.moves(s))
        if depth > 2:
            look(tree, tree.play(s, 0)[0], depth - 1)
            look(tree, tree.play(tree.play(s, 0)[0], 1)[0], depth - 1)
        return 0

    look(tree, TICTACTOE.start(), 3)
    assert seen[0][:4] == [8, 2, 5, 6], "killers are the last two that cut, history has all of them, the deep ones first"
    assert seen[1] == [1, 2, 3, 4, 5, 6, 7, 8], "another ply and the other side know nothing of it"


def test_near_the_last_move_first() -> None:
    game = load("tictactoe(rows=5, cols=5, k=4)")
    tried: dict[int, list[int]] = {}

    @node
    def look(tree: Tree, s: Any, depth: float) -> int:
        moves = tree.moves(s)
        if depth == 2:
            for m in moves:
                tried[m] = []
                look(tree, tree.play(s, m)[0], depth - 1)
        else:
            here = tree.current().move
            assert here is not None
            tried[here] = moves
        return 0

    look(Tree(game, ordering=Ordering(game, "near")), game.start(), 2)
    assert tried[0][:3] == [1, 5, 6]
    assert set(tried[12][:8]) == {6, 7, 8, 11, 13, 16, 17, 18}


def test_fewest_flips_first() -> None:
    game = load("othello")
    s = walk(game, 20, random.Random(4))[-1]

    def flips(m: int) -> int:
        return (game.play(s, m).theirs & ~s.mine).bit_count() - 1

    turned = [flips(m) for m in arranged(game, s, "flips")]
    assert turned == sorted(turned)
    assert turned[0] < turned[-1]


@pytest.mark.parametrize("order", [*PARTS, "captures+killers+history", "game+near"])
@pytest.mark.parametrize("spec", ["tictactoe(rows=3, cols=4, k=3)", "connect4(rows=4, cols=4, k=3)", "nim"])
def test_no_order_changes_a_value(spec: str, order: str) -> None:
    game = hashing(load(spec))
    s = walk(game, 3, random.Random(5))[-1]
    trace = Counter()
    assert search("alphabeta", game, s, trace, depth=3, order=order).value == search("minimax", game, s, depth=3).value


def test_a_good_order_saves_nodes() -> None:
    nodes = {}
    for order in ("none", "game", "centre", "values", "killers+history"):
        trace = Counter()
        search("alphabeta", TICTACTOE, TICTACTOE.start(), trace, depth="all", order=order, wins="equal")
        nodes[order] = trace.nodes
        assert trace.first_move_cutoffs <= trace.cutoffs
    assert nodes["none"] == 18_297
    assert all(n < 18_297 for order, n in nodes.items() if order != "none"), nodes


def test_looking_at_each_child_costs_evaluations() -> None:
    plain, valued = Counter(), Counter()
    search("minimax", TICTACTOE, TICTACTOE.start(), plain, depth=1)
    search("minimax", TICTACTOE, TICTACTOE.start(), valued, depth=1, order="values")
    assert (plain.evaluations, valued.evaluations) == (9, 18)


def test_an_unknown_order_is_refused() -> None:
    with pytest.raises(PlygroundError, match="order=fastest is not none, or some of game, values, centre"):
        search("alphabeta", TICTACTOE, TICTACTOE.start(), order="fastest")
    with pytest.raises(PlygroundError, match="unknown move ordering 'best'; use none, or some of game"):
        Ordering(TICTACTOE, "game+best")


def test_every_shipped_board_can_be_ordered() -> None:
    for name in builtin_games():
        game = load(name)
        if "chance" in game.has:
            continue
        s = walk(game, 6, random.Random(1))[-1]
        for order in ("centre", "near", "flips"):
            assert sorted(arranged(game, s, order)) == sorted(game.legal(s)), (name, order)
