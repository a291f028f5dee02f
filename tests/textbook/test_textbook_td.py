"""Temporal-difference learning: it learns, it can be repeated, and what it has learned plays and can be looked into."""

import math
import random
from typing import Any

import pytest

from plyground import PlygroundError, load
from plyground.cli import main
from plyground.textbook import search, td


def test_a_value_moves_towards_its_target_and_no_further():
    values = td.LearnedValues(lambda s: [s, "every state"])
    before = values.value(("here",))
    values.move_towards(("here",), 1.0, rate=0.5)
    assert before == 0 < values.value(("here",)) < 1
    assert values.weights[("here",)] == values.weights["every state"] > 0
    for _ in range(2000):
        values.move_towards(("here",), -0.5, rate=0.5)
    assert values.value(("here",)) == pytest.approx(-0.5, abs=1e-3)


def test_one_game_as_the_pseudocode_has_it():
    """Three plies; a table of values, so that each step can be computed by hand."""
    game = load("nim(heaps=1, size=3)")
    values = td.LearnedValues(td.state_feature(game))
    steps, after = td.self_play(values, game, random.Random(1), explore=0.0)
    assert after == -1, "who is to move when no stone is left has lost"
    expected, target = {}, float(after)
    for s, sign in reversed(steps):
        target *= sign
        expected[game.identity(s)] = math.tanh(0.5 * target)
        target *= 0.25  # lambda; the value before the change was 0
    td.learn(values, game, 1, random.Random(1), rate=0.5, explore=0.0, trace=0.25)
    assert {s: math.tanh(w) for s, w in values.weights.items() if w} == pytest.approx(expected)


@pytest.mark.parametrize(
    ("spec", "lesson", "least"),
    [
        ("tictactoe", td.TdSettings(300), 0.85),
        ("tictactoe", td.TdSettings(1500, "state"), 0.88),
        ("connect4(rows=5, cols=5)", td.TdSettings(100), 0.85),
        pytest.param("connect4", td.TdSettings(400), 0.93, marks=pytest.mark.long),
    ],
)
def test_it_learns(spec, lesson, least):
    game = load(spec)
    first, last = td.curve(game, lesson, parts=1, played=100)
    assert (first.games, last.games) == (0, lesson.games)
    assert last.score >= max(least, first.score + 0.05)


def test_a_seed_gives_the_same_lesson():
    game = load("tictactoe")
    one, two, other = (td.learned_values(game, td.TdSettings(40, seed=seed)).weights for seed in (1, 1, 2))
    assert one == two != other
    assert [p.score for p in td.curve(game, td.TdSettings(20), 2, 20)] == [
        p.score for p in td.curve(game, td.TdSettings(20), 2, 20)
    ]


def test_the_mover_sees_its_own_pieces_first():
    """The same picture with the colours exchanged has the same value."""
    game = load("tictactoe")
    lines = td.line_features(game)
    x = game.parse_state(game.format_state(game.play(game.start(), 0)))
    found: Any = lines(x)
    assert sorted({cell for line in found for cell in line.seen}) == [0, 2], "the stone belongs to the other side"


def test_it_is_an_algorithm_like_the_others(capsys):
    game = load("tictactoe")
    found = search("td", game, game.start(), games=200, depth=2)
    assert found.move in game.legal(game.start())
    assert found.note.endswith("weights learned from 200 games")
    assert search("td", game, game.parse_state("XX./OO./..."), games=10).value == 9999, "a win is seen, not learned"
    assert main(["explain", "tictactoe", "--algorithm", "td,games=20", "--depth", "2"]) == 0
    assert "depth 2" in capsys.readouterr().out


def test_lines_need_a_board_of_rows_and_columns():
    with pytest.raises(PlygroundError, match=r"td cannot learn nim by lines: .*give it features=state"):
        search("td", load("nim"), load("nim").start())
    assert search("td", load("nim"), load("nim").start(), games=20, features="state").move is not None


def test_the_command_draws_its_learning_curve(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["compare", "tictactoe", "--algorithms", "td", "--options", "games=30", "--plot", "learning.svg"]) == 0
    assert "written to learning.svg" in capsys.readouterr().out
    drawn = (tmp_path / "learning.svg").read_text(encoding="utf-8")
    assert "score against random moves" in drawn
    assert "Tic-tac-toe: temporal-difference learning" in drawn
