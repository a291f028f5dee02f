"""The comparison: its rows, the Knuth-Moore minimum, its limit, and the picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.textbook.compare import comparable, compare, curves, minimum, plot

TICTACTOE, CONNECT4 = load("tictactoe"), load("connect4")


def test_the_rows_of_a_comparison() -> None:
    told: list[Any] = []
    found = compare(CONNECT4, CONNECT4.start(), 3, on_row=told.append)
    data = json.loads(json.dumps(found.as_json()))
    assert (data["game"], data["depth"], data["branching"], data["minimum"]) == ("connect4", 3, 7.0, 7**2 + 7 - 1)
    assert [row.algorithm for row in told] == [row["algorithm"] for row in data["rows"]] == comparable(CONNECT4)
    rows = {row["algorithm"]: row for row in data["rows"]}
    assert {"value", "move", "nodes", "evaluations", "cutoffs", "table_hits", "seconds", "first_move_share"} <= set(
        rows["minimax"]
    )
    assert (rows["minimax"]["nodes"], rows["minimax"]["evaluations"]) == (1 + 7 + 49 + 343, 343)
    assert len({row["value"] for row in data["rows"] if row["exact"]}) == 1
    assert rows["minimax"]["first_move_share"] is None
    assert 0 < rows["alphabeta"]["first_move_share"] <= 1
    assert rows["alphabeta"]["table_hits"] == 0


def test_alphabeta_never_beats_the_minimum_of_a_uniform_tree() -> None:
    for depth in (1, 2, 3, 4):
        (row,) = compare(CONNECT4, CONNECT4.start(), depth, ["alphabeta"]).rows
        assert minimum(7, depth) <= row.evaluations <= 7**depth


def test_the_branching_factor_is_that_of_a_uniform_tree_with_as_many_leaves() -> None:
    late = TICTACTOE.parse_state("XO./.X./..O")
    found = compare(TICTACTOE, late, 3, ["minimax", "alphabeta"])
    leaves = sum(
        1
        for a in TICTACTOE.legal(late)
        for b in TICTACTOE.legal(TICTACTOE.play(late, a))
        for _ in TICTACTOE.legal(TICTACTOE.play(TICTACTOE.play(late, a), b))
    )
    assert found.branching == round(leaves ** (1 / 3), 2)
    assert found.minimum == minimum(leaves ** (1 / 3), 3)


def test_published_counts_are_those_of_wins_that_are_alike() -> None:
    (row,) = compare(TICTACTOE, TICTACTOE.start(), 9, ["alphabeta"]).rows
    assert (row.value, row.nodes) == (0, 18_297)
    (row,) = compare(TICTACTOE, TICTACTOE.start(), 9, ["alphabeta"], {"wins": "faster"}).rows
    assert (row.value, row.nodes) == (0, 20_866)


def test_what_takes_too_long_is_stopped_and_told() -> None:
    rows = compare(CONNECT4, CONNECT4.start(), 3, ["minimax", "alphabeta"], limit=300).rows
    assert [(row.algorithm, row.finished, row.value is None) for row in rows] == [
        ("minimax", False, True),
        ("alphabeta", True, False),
    ]
    assert rows[0].nodes == 300


def test_options_go_to_whoever_takes_them() -> None:
    rows = compare(CONNECT4, CONNECT4.start(), 3, ["alphabeta", "mtdf"], {"order": "game", "table": 4}).rows
    assert len({row.value for row in rows}) == 1
    (bounds,) = compare(TICTACTOE, TICTACTOE.start(), 4, ["alphabeta_bounds"]).rows
    assert bounds.table_hits > 0
    with pytest.raises(PlygroundError, match="star1 cannot play connect4"):
        compare(CONNECT4, CONNECT4.start(), 3, ["alphabeta", "star1"])


def test_games_of_chance_have_no_minimum() -> None:
    game = load("2048")
    s = game.play(game.play(game.start(), game.outcomes(game.start())[0][0]), 3)
    found = compare(game, s, 2)
    assert [row.algorithm for row in found.rows] == ["expectimax", "expectiminimax", "star1", "star2"]
    assert found.minimum is None


def test_the_picture_has_a_line_for_each_count_and_names_everybody() -> None:
    series = curves(TICTACTOE, TICTACTOE.start(), 3, ["minimax", "negamax", "alphabeta"], limit=500)
    assert series["minimax"] == [(1, 10), (2, 82)], "depth 3 is beyond the limit"
    assert len(series["alphabeta"]) == 3
    assert series["Knuth-Moore minimum"][0] == (1, 9)
    svg = plot(series, "tic-tac-toe < 4 & more")
    root = ET.fromstring(svg)
    texts = [e.text for e in root.iter() if e.tag.endswith("text")]
    assert "minimax, negamax" in texts
    assert "alphabeta" in texts
    assert "tic-tac-toe < 4 & more" in texts
    assert sum(e.tag.endswith("circle") for e in root.iter()) == 2 + 3 + 3
