"""Whole studies, with few games: every kind of game gets a report, and theory and report agree."""

import json
import re
from functools import reduce
from operator import xor

import pytest
from studies import Here, study

import here
from plyground import load
from plyground.report import Study
from plyground.report.matchups import Budget
from plyground.report.searches import exact_value

NEWCOMER = here.DATA / "newcomer"
UNFAIR = here.DATA / "report" / "head_start.py"


def texts(found):
    return " ".join(f"{verdict.mark}: {verdict.text}" for verdict in found.verdicts)


def test_tictactoe_is_a_draw():
    found = study("tictactoe", games=6).findings()
    assert found.value.value == "draw"
    assert "good: With perfect play the game is a draw: proven." in texts(found)
    assert found.games == 6 * 7
    assert found.top.drawn.value == 1
    assert found.choices.by_ply[0] == 9
    assert found.openings == []  # the start is fair


@pytest.mark.long
@pytest.mark.parametrize(("heaps", "size", "misere"), [(3, 5, 0), (3, 3, 0), (1, 1, 1), (2, 3, 1), (4, 4, 0)])
def test_nim_is_what_theory_says(heaps, size, misere):
    game = load(f"nim(heaps={heaps}, size={size}, misere={misere})")
    sizes = game.start().heaps
    wins = (sum(sizes) % 2 == 0) if misere and max(sizes) == 1 else reduce(xor, sizes) != 0
    assert exact_value(game, Budget(games=2), None).value == ("win" if wins else "loss")


def test_nim_has_no_fair_first_move():
    found = study("nim", games=2).findings()
    assert (found.value.value, found.value.moves["a2"]) == ("win", 1)
    assert "No first move makes it fair" in texts(found)


@pytest.mark.long
def test_an_unfair_game_is_flagged():
    found = study(str(UNFAIR), games=30).findings()
    assert found.verdicts[0].mark == "bad"
    assert "The first side gets 100 %" in found.verdicts[0].text
    assert "that is unfair" in found.verdicts[0].text


def test_connect4_is_a_win_for_the_first_side():
    found = exact_value(load("connect4"), Budget(games=2), None)
    assert (found.value, found.points, found.source) == ("win", 1, "book")
    assert found.moves == {"1": -1, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -1}


@pytest.mark.long
def test_kalah_is_won_by_eight():
    found = exact_value(load("kalah"), Budget(games=250), None)
    assert (found.value, found.points, found.text) == ("win", 8, "wins by 8")


def test_what_is_not_proven_is_not_called_proven():
    found = exact_value(load("kalah"), Budget(games=2), None)
    assert found.points is None
    assert "at least" in found.text or not found.proven
    assert exact_value(load("othello"), Budget(games=2), None).text == "the game is too long to be solved"
    assert not exact_value(load("chess"), Budget(games=2), None).proven


@pytest.mark.long
def test_a_solitaire_has_points_instead_of_sides():
    found = study(str(NEWCOMER / "peg_solitaire.py"), games=4).findings()
    assert found.top.first is None
    assert found.top.points.n == 4
    assert "Half of the games bring at least" in texts(found)


def test_a_game_of_chance():
    found = study(str(NEWCOMER / "pig.py"), games=4).findings()
    assert not found.value.proven
    assert found.top.games == 4
    assert found.openings == []


def test_three_sides_are_played_at_random_and_simply():
    found = study(str(NEWCOMER / "relay.py"), games=30).findings()
    assert found.games == 31  # without dice, the same player plays the same game
    assert sum(row.share.value for row in found.sides if row.player == "random") <= 1
    assert "neither levels nor a solver" in texts(found)


def test_the_same_games_give_the_same_report():
    one, other, another = (study("nim", games=2, seed=seed).findings().as_json() for seed in (3, 3, 4))
    for data in (one, other, another):
        del data["seconds"]
        del data["value"]["seconds"]
    assert one == other
    assert one["samples"] != another["samples"]
    assert json.loads(json.dumps(one, allow_nan=False)) == one


def test_an_interrupted_study_has_what_was_found(monkeypatch):
    def interrupt(*given):
        raise KeyboardInterrupt

    monkeypatch.setattr("plyground.report.searches.measure_decisions", interrupt)
    made = Study(load("nim"), Budget(games=2, workers=1), Here)
    with pytest.raises(KeyboardInterrupt):
        made.run()
    found = made.findings()
    assert found.stopped
    assert found.games == 7 * 2
    assert found.choices.positions > 0
    assert found.decisions is None


def test_counted_games_come_with_an_estimate():
    """While workers start, too, something is said; then how long the rest will take."""
    seen = []
    made = Study(load("tictactoe"), Budget(games=2, workers=1), Here)
    made.on_progress = lambda text, seconds: seen.append(text)
    made.run()
    assert "playing: 0 of 14 games" in seen
    assert any(re.fullmatch(r"playing: 4 of 14 games, \d+ s left", text) for text in seen)
    assert any(re.fullmatch(r"looking at decisions: 1 of at most 8, \d+ s left", text) for text in seen)


def test_minutes_come_with_the_time_of_everything(monkeypatch):
    """In every stage: nobody knows how much of the work the stages are."""
    seen = []
    made = Study(load("tictactoe"), Budget(minutes=5, workers=1), Here)
    made.on_progress = lambda text, seconds: seen.append(text)
    monkeypatch.setattr(Budget, "pairs", 1)
    made.run()
    assert {text.partition(",")[0].partition(":")[0] for text in seen} >= {"solving", "playing", "looking at decisions"}
    assert all(re.search(r", at most \d+ (s|min) left$", text) for text in seen)
    assert any(text.startswith("playing: 0 of at most 14 games, at most ") for text in seen)
