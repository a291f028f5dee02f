"""check, for games of chance: the engine's values beside the textbook's, and a MARGIN that results keep to."""

import pytest

from here import DATA
from plyground import load
from plyground.check import check
from plyground.errors import GameError
from plyground.play.match import Match

RULES = (DATA / "rules" / "check_chance.py").read_text(encoding="utf-8")


def test_dice_without_margin_hold(rules_file):
    assert check(load(str(rules_file(RULES))), games=10).problems == []


@pytest.mark.parametrize("margin", [5, pytest.param(100, marks=pytest.mark.long)])
def test_a_margin_that_is_large_enough_holds(rules_file, margin):
    text = RULES.replace("s.die - 0.5", "min(5.0, s.die - 0.5)")
    assert check(load(str(rules_file(f"{text}\n\nMARGIN = {margin}\n"))), games=10).problems == []


def test_a_margin_that_is_too_small_is_told(rules_file):
    game = load(str(rules_file(f"{RULES}\n\nMARGIN = 4\n")))
    found = {p.rule: p.message for p in check(game, games=10).problems}
    assert found["result"] == "`result` gives 5, larger than MARGIN = 4"
    assert found["evaluate"] == "`evaluate` gives 4.5, larger than MARGIN = 4; it must give an expected result"
    assert found["engine"].endswith("`result` gives 5, larger than MARGIN = 4; increase MARGIN, or leave it out")


def test_a_margin_that_the_first_states_break_is_refused_at_load(rules_file):
    text = RULES.replace("if s.kept else", "if s.kept else 9 if s.die == 1 else")
    with pytest.raises(GameError, match=r"mygame\.py:44: `result` gives 9, larger than MARGIN = 5; increase MARGIN"):
        load(str(rules_file(f"{text}\n\nMARGIN = 5\n")))


def test_an_engine_that_differs_is_found_with_its_moves(rules_file):
    """The state before a roll is evaluated by the engine alone: no other check asks the compiled rules for it."""
    text = RULES.replace("return s.die - 0.5", "return s.die - 0.5 if s.die else (s.left << 63 >> 63) * 0.25")
    game = load(str(rules_file(text)))
    (problem,) = check(game, games=10).problems
    assert problem.rule == "engine"
    assert "at depth 1 the engine finds" in problem.message
    assert game.format_state(Match(game, moves=problem.moves).s) == problem.state


def test_dice_of_a_longer_game_without_margin_hold(rules_file):
    text = RULES.replace("State(0, 2, 0)", "State(0, 9, 0)").replace("s.die - 1 if", "20 * s.die + s.left if")
    assert check(load(str(rules_file(text))), games=10).problems == []


def test_cards_that_everybody_sees_are_warned_about():
    """Kuhn poker keeps the contract, but the engine plays it with open cards."""
    report = check(load(str(DATA / "chance" / "kuhn.py")), games=30)
    assert report.problems == []
    assert [p.rule for p in report.warnings] == ["chance"]
    assert report.warnings[0].message.startswith("chance acts only before the first move, as if cards were dealt; all sides and ")


@pytest.mark.parametrize("name", ["one_die", "pig"])
def test_dice_that_are_rolled_again_are_no_deal(name):
    assert check(load(str(DATA / "chance" / f"{name}.py")), games=5).warnings == []
