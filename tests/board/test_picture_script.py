"""`picture.js` in a real browser: it puts together exactly what Python does, and everything fits."""

import random

import pytest

from plyground import load
from plyground.board.picture import SCRIPT, STYLE, picture
from plyground.pages.bundle import bundle
from plyground.rules.load import builtin_games

DRAW = """
const [picture, cells, turn, changed] = arguments;
const fresh = (cell) => changed.includes(cell);
const ways = [false, true].flatMap((flipped) => [false, true].map((labelled) => ({ turn, flipped, labelled, fresh })));
return [drawBoard(picture, cells), ...ways.map((way) => drawBoard(picture, cells, way))];
"""
TEXTS = """
document.head.innerHTML = `<style>${arguments[0]} svg { width: 500px; }</style>`;
document.body.innerHTML = arguments[1];
const box = ({ x, y, width, height }) => [x, y, x + width, y + height];
return [
  box(document.querySelector("svg").getBoundingClientRect()),
  [...document.querySelectorAll("text")].map((text) => [text.getAttribute("class"), box(text.getBoundingClientRect())]),
];
"""


def positions(name):
    """Some positions of a random game, each with the one before."""
    game, rng = load(name), random.Random(7)
    before, s = None, game.start()
    for ply in range(60):
        if ply % 12 == 0:
            yield game, s, before
        options = [m for m, _ in game.outcomes(s)] or game.legal(s)
        if not options:
            return
        before, s = s, game.play(s, rng.choice(options))


@pytest.mark.parametrize("name", builtin_games())
def test_the_script_draws_as_python_does(browser, name):
    browser.get("about:blank")
    for game, s, before in positions(name):
        drawn, cells, turn = picture(game.board, game.sides), game.cells(s), game.turn(s) or 0
        old = cells if before is None else game.cells(before)
        changed = [i for i, n in enumerate(cells) if n != old[i]]
        expected = [drawn.svg(cells)]
        for flipped in (False, True):
            expected += [drawn.svg(cells, turn, flipped, labelled, changed.__contains__) for labelled in (False, True)]
        assert browser.execute_script(bundle(SCRIPT) + DRAW, drawn.as_json(), cells, turn, changed) == expected
        assert game.draw(s, before).svg.endswith(expected[2].partition(">")[2]), "the same in a notebook"


def overlap(one, other):
    return min(one[2], other[2]) - max(one[0], other[0]) > 0.5 and min(one[3], other[3]) - max(one[1], other[1]) > 0.5


@pytest.mark.parametrize("name", [*builtin_games(), "gomoku(size=22)", "kalah(pits=7)", "nim(heaps=9)"])
def test_texts_fit_and_keep_apart(browser, name):
    """Whatever lies on the cells: all numbers stay inside the board and off the names beside it."""
    browser.get("about:blank")
    game = load(name)
    drawn, most = picture(game.board, game.sides), game.board.most
    for first in {0, 1, max(0, most - game.board.size), most}:
        cells = [min(most, first + i) for i in range(game.board.size)]
        for flipped in (False, True):
            svg = drawn.svg(cells, len(game.sides) - 1, flipped)
            board, texts = browser.execute_script(TEXTS, STYLE.read_text(encoding="utf-8"), svg)
            for i, (kind, box) in enumerate(texts):
                assert board[0] <= box[0] < box[2] <= board[2], (kind, box, board)
                assert board[1] - 4 <= box[1] < box[3] <= board[3] + 4, (kind, box, board)  # lines are higher than letters
                for other_kind, other in texts[i + 1 :]:
                    assert not overlap(_letters(box), _letters(other)), (kind, box, other_kind, other)


def _letters(box):
    """A line of text without what is above and below its letters."""
    left, top, right, bottom = box
    return left, top + 0.2 * (bottom - top), right, bottom - 0.2 * (bottom - top)
