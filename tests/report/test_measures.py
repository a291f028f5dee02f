"""What is read from games: everything here is counted by hand."""

import pytest
from studies import record

from plyground import load
from plyground.report.measures import (
    leads,
    longest_run,
    measure_choices,
    measure_drama,
    measure_level,
    measure_step,
    replay,
    used_moves,
)
from plyground.report.searches import measure_decisions

GAME = load("tictactoe")
FIRST = ["a1", "a2", "b1", "b2", "c1"]
SECOND = ["a1", "a2", "b1", "b2", "a3", "c2"]
DRAWN = ["b2", "a3", "c3", "a1", "a2", "c2", "b3", "b1", "c1"]


def test_results_are_counted_for_the_first_side():
    pairs = [
        [record(FIRST, 0, 1.0), record(FIRST, 1, 0.0)],  # the first side won both
        [record(SECOND, 0, 0.0), record(DRAWN, 1, 0.5)],
    ]
    found = measure_level(GAME, 9, pairs)
    assert (found.games, found.different, found.wins, found.draws, found.losses) == (4, 3, 2, 1, 1)
    assert found.first.value == 2.5 / 4
    assert found.drawn.value == 1 / 4
    assert found.lengths == {5: 2, 6: 1, 9: 1}
    assert (found.plies.least, found.plies.most) == (5, 9)
    assert found.points is None


def test_games_with_margins_have_points_for_the_first_side():
    pair = [record(["3"], 0, 1.0, points=12), record(["4"], 1, 1.0, points=2)]
    found = measure_level(load("kalah"), 5, [pair])
    assert found.results == {-2: 1, 12: 1}
    assert found.margin.value == 5


def test_endless_games_are_counted_and_have_no_points():
    alone = load("2048")
    pair = [record(["up"], 0, points=0, reason="length"), record(["up"], 1, points=900)]
    found = measure_level(alone, 2, [pair])
    assert (found.endless.value, found.by_length, found.results) == (0.5, 1, {900: 1})
    assert found.first is None


def test_the_dice_of_a_pair_count_once():
    pair = [record(["4-2"], 0, 1.0), record(["4-2"], 1, 0.0)]
    assert measure_level(load("backgammon"), 2, [pair] * 10).first.n == 10
    assert measure_level(GAME, 2, [pair] * 10).first.n == 20


def test_the_stronger_level_is_the_first_player_on_both_sides():
    players = ["level:5", "level:3"]
    pairs = [[record(FIRST, 0, 1.0, players=players), record(FIRST, 1, 0.0, players=players)]] * 3
    found = measure_step(5, 3, [*pairs, [record(DRAWN, 0, 0.5, players=players), record(SECOND, 1, 1.0, players=players)]])
    assert found.score.value == (3 * 0.5 + 0.75) / 4
    assert (found.games, found.different) == (8, 4)


def test_choices_at_each_ply():
    found = measure_choices([replay(GAME, record(DRAWN)), replay(GAME, record(FIRST))])
    assert found.by_ply == [9, 8, 7, 6, 5, 4, 3, 2, 1]
    assert (found.forced.value, found.longest) == (1 / 14, 1)


def test_moves_that_nobody_makes():
    found = used_moves(GAME, [replay(GAME, record(FIRST))] * 20)
    assert (found.known, found.never) == (9, 4)
    assert found.examples == ["a3", "b3", "c2", "c3"]
    assert sum(found.by_cell) == 100
    assert sorted(set(found.by_cell)) == [0, 20]


def test_scores_are_turned_to_the_first_side():
    game = replay(GAME, record(FIRST, scores=[10, -10, 20, -20, 9999]))
    assert [ply.score for ply in game.plies] == [10, 10, 20, 20, 9999]


@pytest.mark.parametrize(
    ("scores", "found"),
    [([1, 1, 1], [1]), ([1, -1, 1, -1], []), ([0, 0, 5, 5, -5, -5, 3, 3], [1, -1, 1]), ([None, None], []), ([2, None, 2], [1])],
)
def test_a_lead_needs_two_scores_that_agree(scores, found):
    assert leads(scores) == found


def test_comebacks_and_early_decisions():
    behind = record(FIRST, 0, 1.0, scores=[-5, 5, 9, -9997, 9998])
    found = measure_drama(GAME, [behind], [replay(GAME, behind)])
    assert "evaluate" in GAME.has or found.changes is None
    judged = load("connect4")
    moves = ["4", "4", "4", "4"]
    game = record(moves, 0, 1.0, scores=[-5, 5, 9, -9997])
    found = measure_drama(judged, [game], [replay(judged, game)])
    assert found.changes.value == 1
    assert found.comebacks.value == 1
    assert found.decided.value == 1 / 4


def test_forced_sequences():
    assert longest_run([1, 1, 2, 1, 1, 1]) == 3
    assert longest_run([]) == 0


def test_decisions_are_searched_move_by_move():
    threat = replay(GAME, record(["a1", "b2", "a2", "c3", "b1"]))  # with b1, X can still lose: only a3 wins at once
    found = measure_decisions(GAME, [threat], seed=1, seconds=None)
    assert found.positions == 5
    assert 0 < found.only.value < 1
    assert found.close.value >= 1
