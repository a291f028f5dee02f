"""Null windows, MTD(f), aspiration, proof-number search, and draws by repetition."""

from __future__ import annotations

import random
from typing import Any

import pytest

from here import DATA
from plyground import load
from plyground.textbook import Counter, Recorder, Tree, find, search
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.derived_games import with_repetition
from plyground.textbook.minimax import negamax
from plyground.textbook.pvs import aspiration, mtdf
from plyground.textbook.table import FixedTable
from plyground.textbook.trace import Enter, Leave, build_trees
from positions import hashing, reachable, walk

TICTACTOE, CONNECT4 = load("tictactoe"), load("connect4")
RULES = DATA / "textbook"
TUG = load(str(RULES / "tug.py"))


def roots(trace: Recorder) -> list[Enter]:
    return [e for e in trace.events if isinstance(e, Enter) and e.parent is None]


# -- null windows --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("guess", [-10_000, -3, 0, 2, 10_000])
def test_mtdf_finds_the_value_from_any_guess_with_null_windows_only(guess: int) -> None:
    game = hashing(CONNECT4)
    s = walk(game, 8, random.Random(1))[-1]
    trace = Recorder()
    tree = Tree(game, trace)
    tree.memory["bounds"] = FixedTable(1000)
    found = mtdf(tree, s, 3, guess)
    exact = search("minimax", game, s, depth=3)
    assert found.value == exact.value
    assert all(e.beta - e.alpha == 1 for e in trace.events if isinstance(e, Enter))
    assert found.move is not None
    child = game.play(s, found.move)
    assert -search("minimax", game, child, depth=2).value == exact.value


def test_a_right_guess_needs_two_searches_and_a_wrong_one_more() -> None:
    game = hashing(CONNECT4)
    s = walk(game, 8, random.Random(1))[-1]
    value = search("minimax", game, s, depth=3).value
    count = {}
    for guess in (value, value + 2, value - 2):
        trace = Recorder()
        tree = Tree(game, trace)
        tree.memory["bounds"] = FixedTable(1000)
        mtdf(tree, s, 3, guess)
        count[guess] = len(roots(trace))
    assert count[value] == 2
    assert max(count.values()) > 2


def test_aspiration_opens_the_window_to_the_side_where_the_value_is() -> None:
    game = hashing(CONNECT4)
    s = walk(game, 8, random.Random(1))[-1]
    value = search("minimax", game, s, depth=3).value
    for guess, windows in ((value, 1), (value - 9, 2), (value + 9, 2)):
        trace = Recorder()
        assert aspiration(Tree(game, trace), s, 3, guess, 2) == value
        assert (roots(trace)[0].alpha, roots(trace)[0].beta) == (guess - 2, guess + 2)
        assert len(roots(trace)) == windows


def test_null_windows_save_nodes_with_a_good_order() -> None:
    nodes = dict.fromkeys(("alphabeta", "pvs", "scout"), 0)
    for seed in range(6):
        s = walk(CONNECT4, 6, random.Random(seed))[-1]
        for name in nodes:
            trace = Counter()
            search(name, CONNECT4, s, trace, depth=5, order="game")
            nodes[name] += trace.nodes
    assert nodes["pvs"] < nodes["alphabeta"]
    assert nodes["scout"] < 1.1 * nodes["alphabeta"]


# -- proof-number search -------------------------------------------------------------------------------------------------------


def test_it_proves_who_wins_on_every_state() -> None:
    game = load("connect4(rows=3, cols=3, k=3)")
    solved: dict[str, Any] = {}
    find("minimax_table").search(game, game.start(), {"wins": "equal"}, memory=solved)
    for s in random.Random(1).sample(reachable(game), 80):
        assert search("proof_number", game, s).value == solved["solved"][s].value


def test_it_goes_deep_where_the_win_is_forced() -> None:
    s = TICTACTOE.parse_state("X../.../.O.")
    trace, plain = Counter(), Counter()
    found = search("proof_number", TICTACTOE, s, trace)
    assert (found.value, found.note) == (9000, "a win, proven")
    search("alphabeta", TICTACTOE, s, plain, depth="all")
    assert trace.nodes < plain.nodes
    assert -search("minimax", TICTACTOE, TICTACTOE.play(s, found.move), depth="all").value > 9000


def test_it_gives_up_when_told_to_and_says_so() -> None:
    found = search("proof_number", CONNECT4, CONNECT4.start(), nodes=200)
    assert (found.value, found.note) == (0, "not settled within 200 nodes")
    assert found.move in CONNECT4.legal(CONNECT4.start())


def test_its_numbers_are_told() -> None:
    trace = Recorder()
    search("proof_number", TICTACTOE, TICTACTOE.parse_state("XX./OO./..."), trace)
    told = [e for e in trace.events if isinstance(e, Leave) and e.node == 0]
    assert [e.value for e in told] == ["1/1", "0/∞"]
    (root,) = build_trees(trace.events)
    assert [child.enter.move for child in root.children] == [2, 5, 6, 7, 8]
    assert [child.leave.value for child in root.children if child.leave] == ["0/∞", "1/1", "1/1", "1/1", "1/1"]


# -- repetition ----------------------------------------------------------------------------------------------------------------


def test_a_position_that_stood_before_is_a_draw() -> None:
    game = with_repetition(TUG)
    s = game.start()
    there = game.play(s, 2)
    back = game.play(there, 2)
    assert (s.state, there.state, back.state) == ((0,), (-2,), (0,))
    assert (game.result(s), game.result(there), game.result(back)) == (None, None, 0)
    assert game.identity(back) != game.identity(s)


def test_the_root_itself_is_never_drawn_but_what_stood_in_the_game_is() -> None:
    minimax, start = find("minimax"), TUG.start()
    one, two = TUG.play(start, 1), TUG.play(start, 2)
    assert minimax.search(TUG, start, {"depth": 1}).value == 2
    assert minimax.search(TUG, start, {"depth": 1}, history=[start]).value == 2
    assert minimax.search(TUG, start, {"depth": 1}, history=[start, two]).value == 1
    assert minimax.search(TUG, start, {"depth": 1}, history=[start, one, two]).value == 0


@pytest.mark.parametrize(("lead", "value"), [(-3, 0), (-1, 0), (0, 0), (1, 0), (2, 9999)])
def test_to_and_fro_is_a_draw_unless_somebody_can_do_better(lead: int, value: int) -> None:
    game = load(f"{RULES / 'tug.py'}(lead={lead})")
    for name in ("minimax", "alphabeta", "alphabeta_bounds", "pvs"):
        assert search(name, game, game.start(), depth="all").value == value
    assert search("minimax_table", game, game.start()).value == value
    assert search("proof_number", game, game.start()).value == (9000 if value else 0)


def test_a_table_never_carries_a_draw_to_another_path() -> None:
    game = hashing(load("checkers"))
    for seed in range(3):
        states = walk(game, 60, random.Random(seed))
        path = with_repetition(game, states[:-1])
        root = path.start()._replace(state=states[-1])
        value = negamax(Tree(path), root, 3)
        assert fail_soft(Tree(path), root, 3) == value
        assert find("alphabeta_bounds").search(game, states[-1], {"depth": 3}, history=states[:-1]).value == value


@pytest.mark.parametrize("name", ["alphabeta", "alphabeta_hard", "scout", "pvs", "aspiration"])
def test_every_step_of_the_best_line_is_a_best_move(name: str) -> None:
    game = hashing(load("connect4(rows=4, cols=4, k=3)"))
    for plies in range(4):
        s = walk(game, plies, random.Random(plies))[-1]
        found = search(name, game, s, depth=4)
        value = found.value
        for i, m in enumerate(found.line[:-1]):
            s, value = game.play(s, m), -value
            if abs(value) < 9000:
                assert search("minimax", game, s, depth=3 - i).value == value, (name, found)
