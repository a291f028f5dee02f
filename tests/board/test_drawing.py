"""A picture that stands alone: it needs no page, and says in words what it shows."""

import re
from xml.etree import ElementTree

import pytest

import boards
from plyground import Board, GameError, load
from plyground.board.drawing import style, words
from plyground.board.picture import STYLE, picture
from plyground.rules.load import builtin_games

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", builtin_games())
def test_a_drawing_needs_nothing_else(name):
    game = load(name)
    drawn = game.draw(game.start())
    root = ElementTree.fromstring(drawn._repr_svg_())
    assert root.find(f"{SVG}title").text.startswith(game.title)
    assert root.find(f"{SVG}desc").text
    assert not re.search(r"var\(|light-dark|url\(|href|<script|@import", drawn.svg)
    assert "prefers-color-scheme: dark" in drawn.svg


@pytest.mark.parametrize("name", builtin_games())
def test_every_class_has_a_rule(name):
    game = load(name)
    parts = [part for drawings in picture(game.board, game.sides).sets for part in drawings]
    ruled = set(re.findall(r"\.([a-z][\w-]*)", STYLE.read_text(encoding="utf-8")))
    for view in picture(game.board, game.sides).views:
        parts += [view.ground, *view.labels]
    assert {each for names in re.findall(r'class="([^"]*)"', "".join(parts)) for each in names.split()} <= ruled


def test_only_what_is_used_is_styled():
    css = style('<circle class="nought"/>')
    assert ".nought { fill: none; stroke: #b0480b;" in css.partition("@media")[0]
    assert ".nought { stroke: #f5a05a }" in css.partition("@media")[2]
    assert "cross" not in css


def test_the_last_move_is_marked_from_both_sides():
    game = load("tictactoe")
    s = game.play(game.start(), game.parse_move(game.start(), "a1"))
    assert "fresh" not in game.draw(s).svg
    for flip, place in ((False, "0 20"), (True, "20 0")):
        drawn = game.draw(s, game.start(), flip=flip).svg
        assert re.findall(r'<g class="fresh" transform="translate\((.*?)\)">', drawn) == [place]


def test_the_side_to_move_is_told():
    game = load("chess")
    mate = game.parse_state("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert "<title>Chess, white to move</title>" in game.draw(game.start()).svg
    assert "<title>Chess</title>" in game.draw(mate).svg
    assert "<desc>white: Q g7, K g6; black: k h8</desc>" in game.draw(mate).svg


def test_the_score_is_told():
    game = load("2048")
    s = game.parse_state("2 2 . . / . . . . / . . . . / . . . . score=64")
    assert "<title>2048, score 64</title>" in game.draw(s).svg


def test_what_lies_on_a_backgammon_board_is_told():
    game = load("backgammon")
    cells = [0] * 30
    cells[5], cells[23], cells[25], cells[26], cells[28], cells[29] = 3, 17, 16, 12, 3, 1
    told = words(game.board, game.sides, cells)
    assert told == "X: 3 on 6, 12 off; O: 2 on 24, 1 bar; dice: 3, 1"


def test_heaps_are_told():
    assert words(Board("heaps", cols=2, count=9), ("first", "second"), [3, 0]) == "a has 3, b has 0"


def test_a_game_without_a_board_says_so(rules_file):
    text = (boards.PICTURE.parents[2] / "README.md").read_text(encoding="utf-8")
    game = load(rules_file(re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0]))
    with pytest.raises(GameError, match=r"^mygame has no board to draw; add BOARD = Board"):
        game.draw(game.start())


def test_the_readme_shows_the_boards():
    assert boards.PICTURE.read_text(encoding="utf-8") == boards.draw_boards(), "python benchmarks/run.py boards"
    readme = (boards.PICTURE.parents[2] / "README.md").read_text(encoding="utf-8")
    assert re.match(r"# Plyground\n\n!\[[^]]+\]\(docs/images/boards.svg\)\n", readme)
