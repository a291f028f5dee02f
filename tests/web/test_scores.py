"""The page puts scores into the same words as Python, and into winning chances that make sense."""

import random

import pytest

from here import DATA
from plyground import load
from plyground import score as scores
from plyground.pages import HERE
from plyground.play import words
from plyground.play.report import Analysis
from plyground.web.estimates import units

INTS = [0, *(sign * n for n in (1, 3, 35, 999, 1000, 8999, *range(9000, 10065), 10500, 19999, 30000) for sign in (1, -1))]
FLOATS = [0.0, -0.0, 0.25, -0.0625, 0.03125, 1e-18, -0.00004, 0.138649, 99.9996, 100.0, 999.99996, -40280.4, 1234567.8, 0.5, -2.5]
TEXT = HERE / "text.js"
WORDS = """
const scores = new Scores(facts);
return given[0].map(Number).map((x) => [
  scores.short(x), ...[[true, true], [false, true], [false, false]].map(([exact, sure]) => scores.score(x, exact, sure)),
]);
"""


def told(x):
    return [words.short(x), *(words.score(x, exact, sure) for exact, sure in ((True, True), (False, True), (False, False)))]


@pytest.fixture
def page(scripts):
    """Opens the words of a game's scores."""
    return lambda name: scripts.open(load(name), "scores.js", TEXT)


@pytest.mark.parametrize("name", ["tictactoe", "kalah"])
def test_scores_are_put_into_the_words_of_python(name, page):
    assert page(name).run(WORDS, INTS) == [told(x) for x in INTS]


def test_expected_results_too(page):
    rng = random.Random(0)
    numbers = [*FLOATS, *(round(rng.uniform(-3, 3), 6) for _ in range(300)), *(rng.randrange(-64, 64) / 64 for _ in range(100))]
    # As text: the driver would turn -0.0 into 0.
    assert page("2048").run(WORDS, [repr(x) for x in numbers]) == [told(x) for x in numbers]


def test_numbers_and_the_effort_of_a_search(page):
    body = "return given[0].map(([n, t]) => [quantity(n, 'node'), nodeRate(n, t)]);"
    efforts = [(1, 0.0), (1200, 0.0121), (31_400_000, 10.0), (99_999, 1.0), (100_000, 1.0), (500, 4210.5), (77, 0.7)]
    assert page("tictactoe").run(body, efforts) == [[words.count(n, "node"), words.rate(n, t)] for n, t in efforts]


@pytest.mark.parametrize("name", ["tictactoe", "2048"])
def test_the_verdict_of_a_search(name, page):
    found = [
        Analysis(0, x, depth=depth, exact=exact, limited=limited, partial=not exact and limited)
        for x in ([0.5, 0.0, -1.0] if name == "2048" else [0, 35, -35, 9993, -9994, 10012])
        for depth, exact, limited in ((5, False, False), (9, True, False), (7, False, True))
    ]
    given = [{key: getattr(f, key) for key in ("score", "exact", "depth", "partial", "value", "limited")} for f in found]
    told = page(name).run("return given[0].map((found) => new Scores(facts).verdict('X', found));", given)
    assert told == [f.describe("X") for f in found]


CHANCE = "return given[0].map(([x, exact]) => new Scores(facts).winningChance(x, exact));"


def test_what_is_proven_is_certain_and_estimates_are_not(page):
    typical = units(load("kalah"))["estimate"]
    asked = [[scores.win_in(3), False], [-scores.win_in(3), True], [0, True], [10012, False], [-10001, False], [typical, False]]
    assert page("kalah").run(CHANCE, asked) == [1, 0, 0.5, 1, 0, pytest.approx(0.731, abs=0.001)]
    rising = page("kalah").run(CHANCE, [[x, False] for x in range(-8000, 8001, 100)])
    assert rising == sorted(rising)
    assert all(
        0 <= share <= 1 and share + opposite == pytest.approx(1) for share, opposite in zip(rising, rising[::-1], strict=True)
    )


def test_an_expected_result_is_a_chance_where_one_wins_draws_or_loses(page):
    assert page(DATA / "newcomer" / "pig.py").run(CHANCE, [[0.5, False], [-1.0, False], [0.0, False]]) == [0.75, 0, 0.5]


@pytest.mark.parametrize(
    ("name", "plain"), [("backgammon", False), ("2048", False), ("connect4", False), (DATA / "newcomer" / "pig.py", True)]
)
def test_the_unit_of_estimates(name, plain):
    game = load(name)
    found = units(game)
    assert found == units(game)
    assert (found["estimate"] > 0, found["plain"]) == (True, plain)


def test_random_games_give_the_unit_if_nothing_else_does(rules_file):
    text = """
from typing import NamedTuple
class State(NamedTuple):
    left: int
def start(): return State(3)
def moves(s): return range(1, 1 + min(2, s.left))
def play(s, m): return State(s.left - m)
def result(s): return -1 if s.left <= 0 else None
"""
    found = units(load(rules_file(text)))
    assert 1 < found["estimate"] < scores.LIMIT
    assert not found["plain"]
