"""Limited moves: which cells are tried, and that the set is handed down."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.textbook import Counter, find, search
from plyground.textbook.derived_games import AugmentedState, around, plain_state, with_likely, with_neighbours
from positions import hashing, walk

GAME = load("tictactoe(rows=6, cols=7, k=4)")


def test_the_first_move_is_in_the_middle_and_the_next_within_two_of_it() -> None:
    game = with_neighbours(GAME, GAME.start(), 2)
    s = game.start()
    assert list(game.moves(s)) == [2 * 7 + 3]
    s = game.play(s, 17)
    rows, cols = range(5), range(1, 6)
    assert list(game.moves(s)) == [row * 7 + col for row in rows for col in cols if (row, col) != (2, 3)]


def test_what_is_handed_down_is_what_the_stones_have_around_them() -> None:
    for seed in range(5):
        rng = random.Random(seed)
        game = with_neighbours(GAME, GAME.start(), 1)
        s = game.start()
        for _ in range(12):
            if game.result(s) is not None:
                break
            s = game.play(s, rng.choice(list(game.moves(s))))
            plain: Any = plain_state(s)
            stones = [m for m in range(42) if plain.both >> (m + m // 7) & 1]
            near = frozenset().union(*(around(divmod(m, 7), 1) for m in stones))
            assert list(game.moves(s)) == [m for m in GAME.moves(plain_state(s)) if divmod(m, 7) in near]
            anew = with_neighbours(GAME, plain_state(s), 1)
            assert list(anew.moves(AugmentedState(plain_state(s), anew.start().extra))) == list(game.moves(s))


def test_where_nothing_is_near_everything_may_be_tried() -> None:
    game = with_neighbours(GAME, GAME.start(), 1)
    assert list(game.moves(AugmentedState(GAME.start(), frozenset()))) == list(range(42))


def test_gomoku_limits_itself_in_the_same_way() -> None:
    game = load("gomoku(size=9)")
    near = with_likely(game)
    s = walk(near, 9, random.Random(2))[-1]
    limited = with_neighbours(game, s, 2)
    assert sorted(limited.moves(AugmentedState(s, limited.start().extra))) == sorted(near.moves(s))
    assert len(list(near.moves(s))) < len(list(game.moves(s)))


def test_what_the_game_calls_likely_is_all_that_is_searched_unless_told_otherwise() -> None:
    game = load("gomoku(size=9)")
    few, many = Counter(), Counter()
    search("minimax", game, game.start(), few, depth=1)
    search("minimax", game, game.start(), many, depth=1, near=0)
    assert (few.nodes, many.nodes) == (2, 82)
    proof = Counter()
    search("proof_number", game, game.start(), proof, nodes=2)
    assert proof.nodes == 82, "a proof looks at every move"


def test_a_search_within_limits_sees_fewer_moves_and_finds_the_row() -> None:
    s = GAME.parse_state("......./......./..XXX../..OO.../......./O......")
    wide, narrow = Counter(), Counter()
    assert (
        search("alphabeta", GAME, s, wide, depth=2).value == search("alphabeta", GAME, s, narrow, depth=2, near=1).value == 9999
    )
    assert narrow.branching < wide.branching


def test_all_algorithms_agree_within_the_limits() -> None:
    game = hashing(GAME)
    for seed in range(3):
        s = walk(game, 5, random.Random(seed))[-1]
        values = {
            name: find(name).search(game, s, {"depth": 2, "near": 1}).value
            for name in ("minimax", "negamax", "alphabeta", "alphabeta_bounds", "alphabeta_fixed", "pvs", "mtdf", "scout")
        }
        assert len(set(values.values())) == 1, values


@pytest.mark.parametrize("name", ["nim", "connect4"])
def test_a_game_without_cells_to_fill_is_refused(name: str) -> None:
    game = load(name)
    with pytest.raises(PlygroundError, match=f"{name} cannot be limited to neighbours"):
        search("alphabeta", game, game.start(), near=2)
