"""Iterative deepening: when it stops, what it has by then, and in which order it looks."""

from __future__ import annotations

from itertools import count
from typing import Any, NamedTuple

import pytest

from plyground import load
from plyground.rules.game import Game
from plyground.textbook import Counter, Tree, find
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.deepening import at_root, choose, deepen, lift_best, sort_all
from plyground.textbook.tree import INFINITE
from positions import with_evaluate

TICTACTOE, CONNECT4 = load("tictactoe"), load("connect4")
DEEPENING = find("deepening")


def deepened(state: str, **options: Any) -> Any:
    game = CONNECT4 if state.count("/") == 5 else TICTACTOE
    return DEEPENING.search(game, game.parse_state(state), {"time": 1e6, **options})


class Roots(Counter):
    """Hears the depth of every iteration, and the moves in the order in which the root tried them."""

    def __init__(self) -> None:
        super().__init__()
        self.depths: list[float | None] = []
        self.tried: list[list[int | None]] = []

    def enter(self, node: int, parent: int | None, move: int | None, state: Any, depth: Any, *rest: Any) -> None:
        super().enter(node, parent, move, state, depth, *rest)
        if parent is None:
            self.root = node
            self.depths.append(depth)
            self.tried.append([])
        elif parent == self.root:
            self.tried[-1].append(move)


def test_a_drawn_game_ends_when_nothing_is_estimated_any_more() -> None:
    found = deepened(".../.../...")
    assert (found.value, found.note) == (0, "depth 9")


def test_it_stops_when_a_win_is_proven() -> None:
    assert deepened("XO./O../..X")[:2] == (9999, 4)
    found = deepened("X../.../.O.")
    assert (found.value, found.note) == (9995, "depth 5")


def test_it_stops_when_every_move_loses() -> None:
    found = deepened("......./......./......./......./O....../O.XXX..")
    assert (found.value, found.note) == (-9998, "depth 2")


def test_the_iteration_that_finds_a_win_is_finished_for_there_may_be_a_faster_one() -> None:
    game = TICTACTOE
    s = game.parse_state(".../OXO/XOX")  # b3 wins in 3, a3 and c3 at once
    values: dict[int, int] = {}
    assert at_root(Tree(game), s, 3, [1, 0, 2], values, fail_soft) == 9999
    assert values == {1: 9997, 0: 9999, 2: 9999}
    assert choose(Tree(game), s, 3, fail_soft).move == 0


def test_time_ends_a_search_in_the_middle_and_the_last_finished_iteration_counts() -> None:
    for limit in (0.5, 30, 300, 3_000):
        ticks = count()
        trace = Counter()
        found = DEEPENING.search(CONNECT4, CONNECT4.start(), {"time": limit, "depth": 5}, trace, clock=map(float, ticks).__next__)
        depth = int(found.note.split()[1])
        assert depth >= 1
        assert trace.nodes <= limit + 8, "a tick is a node; only depth 1 is searched whatever the time"
        assert found.value == find("minimax").search(CONNECT4, CONNECT4.start(), {"depth": depth}).value


def test_a_search_that_was_broken_off_leaves_the_tree_ready_for_the_next() -> None:
    ticks = count()
    tree = Tree(TICTACTOE, clock=lambda: float(next(ticks)))
    assert deepen(tree, TICTACTOE.start(), 9, 60, fail_soft).note == "depth 2"
    assert (tree.here, tree.ply) == (None, -1)
    assert fail_soft(tree, TICTACTOE.start(), 2) == find("minimax").search(TICTACTOE, TICTACTOE.start(), {"depth": 2}).value
    assert deepen(tree, TICTACTOE.start(), 3, search=fail_soft).note == "depth 3"


def test_the_root_is_reordered_between_iterations() -> None:
    game = with_evaluate(TICTACTOE, lambda s: 5 if s.both == 0b100 else 0)  # good for the side that did not take cell 2
    heard = Roots()
    DEEPENING.search(game, game.start(), {"depth": 2, "time": 1e6}, heard)
    assert heard.tried == [[0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 3, 4, 5, 6, 7, 8, 2]]


def test_all_root_values_but_those_of_the_best_so_far_are_upper_bounds() -> None:
    s = TICTACTOE.parse_state("X../.../...")
    values: dict[int, int] = {}
    best = at_root(Tree(TICTACTOE), s, 3, [], values, fail_soft)
    exact = {m: -find("minimax").search(TICTACTOE, TICTACTOE.play(s, m), {"depth": 2}).value for m in TICTACTOE.legal(s)}
    assert values == {1: -1, 2: 0, 3: 0, 4: 1, 5: 1, 6: 0, 7: 1, 8: 0}
    assert exact == {1: -1, 2: 0, 3: -1, 4: 1, 5: -1, 6: 0, 7: -1, 8: 0}
    assert all(exact[m] <= values[m] <= best for m in exact)
    partial_explanation = -INFINITE
    for m, value in values.items():
        if value > partial_explanation:
            assert exact[m] == value, "what was the best so far is exact"
            partial_explanation = value
    assert sort_all(list(values), values) == [4, 5, 7, 2, 3, 6, 8, 1], "the worst moves 5 and 7 come before 2, 6 and 8"
    assert lift_best(list(values), values) == [4, 1, 2, 3, 5, 6, 7, 8]


def test_the_first_of_equals_is_the_best_move_and_comes_first() -> None:
    values = {3: 0, 1: 7, 2: 7, 0: -5}
    assert sort_all([3, 1, 2, 0], values) == [1, 2, 3, 0]
    assert lift_best([3, 1, 2, 0], values) == [1, 3, 2, 0]


def test_either_way_of_reordering_tries_the_best_move_of_the_search_before_first() -> None:
    s = TICTACTOE.parse_state("X../.../...")
    orders = {}
    for reorder in ("sort", "lift"):
        heard = Roots()
        DEEPENING.search(TICTACTOE, s, {"depth": 5, "time": 1e6, "reorder": reorder}, heard)
        orders[reorder] = heard.tried
        for depth, tried in enumerate(heard.tried[1:], 1):
            known = DEEPENING.search(TICTACTOE, s, {"depth": depth, "time": 1e6, "reorder": reorder})
            assert tried[0] == known.move
    assert orders["sort"] != orders["lift"]
    assert orders["lift"][1][1:] == [m for m in orders["lift"][0] if m != orders["lift"][1][0]]


def test_the_shallow_searches_pay_for_themselves() -> None:
    alone, deepening = Counter(), Counter()
    s = CONNECT4.parse_state("......./......./......./......./...O.../..XXO..")
    find("alphabeta").search(CONNECT4, s, {"depth": 6}, alone)
    found = DEEPENING.search(CONNECT4, s, {"depth": 6, "time": 1e6}, deepening)
    assert found.note == "depth 6"
    assert deepening.nodes < alone.nodes


@pytest.mark.parametrize(
    ("options", "depths"),
    [
        ({"depth": 4}, [1, 2, 3, 4]),
        ({"depth": 5, "start": 2}, [2, 3, 4, 5]),
        ({"depth": 6, "start": 2, "step": 2}, [2, 4, 6]),
        ({"depth": 5, "start": 2, "step": 2}, [2, 4, 5]),
        ({"depth": 3, "start": 8}, [3]),
    ],
)
def test_where_it_begins_and_how_far_it_steps(options: dict[str, int], depths: list[int]) -> None:
    for game, state in ((TICTACTOE, "X../.../..."), (CONNECT4, "......./......./......./......./...O.../..XXO..")):
        heard, s = Roots(), game.parse_state(state)
        found = DEEPENING.search(game, s, {"time": 1e6, **options}, heard)
        assert heard.depths == depths
        assert found.note == f"depth {depths[-1]}"
        assert found.value == find("minimax").search(game, s, {"depth": depths[-1]}).value


def test_the_first_search_is_finished_whatever_the_time() -> None:
    for start in (1, 3):
        ticks = map(float, count())
        found = DEEPENING.search(CONNECT4, CONNECT4.start(), {"time": 0.5, "start": start}, clock=ticks.__next__)
        assert found.note == f"depth {start}"
        assert found.value == find("minimax").search(CONNECT4, CONNECT4.start(), {"depth": start}).value


class Steps(NamedTuple):
    made: int
    stopped: int


def test_where_margins_count_a_win_does_not_end_it_for_a_larger_one_may_come() -> None:
    rules = {
        "State": Steps,
        "MARGIN": 5,
        "start": lambda: Steps(0, 0),
        "moves": lambda s: (0,) if s.made % 2 else (0, 1),
        "play": lambda s, m: Steps(s.made + 1, m),
        "result": lambda s: -1 if s.stopped else 5 if s.made == 6 else None,
    }
    game = Game(rules, "patience")  # the first side may stop and win by 1, or go on and win by 5
    for depth, value in ((1, 10_001), (5, 10_001), (6, 10_005)):
        found = DEEPENING.search(game, game.start(), {"depth": depth, "time": 1e6})
        assert found.value == value == find("minimax").search(game, game.start(), {"depth": depth}).value
        assert found.note == f"depth {depth}"


@pytest.mark.parametrize("state", ["XXX/OO./...", "XOX/XOO/OXX"])
def test_a_finished_game_has_its_value_and_no_move(state: str) -> None:
    found = deepened(state)
    assert (found.value, found.move, found.line) == (-10_000 if "XXX" in state else 0, None, ())
