"""The games in examples/, as newcomers would write them: they keep the contract, and count what other rules files count."""

import pytest

from here import DATA, EXAMPLES
from plyground import Match, Solver, load
from plyground.check import check
from plyground.measure import perft

NEWCOMER = DATA / "newcomer"


NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.long] * (n == "breakthrough")) for n in NAMES])
def test_an_example_keeps_the_contract(name):
    report = check(load(EXAMPLES / f"{name}.py"), games=3, seed=1)
    assert report.problems == []
    assert report.warnings == []


@pytest.mark.parametrize(
    ("spec", "other", "depth"),
    [
        ("hex.py(size=3)", "hex.py(size=3)", 9),
        ("breakthrough.py(size=5)", "breakthrough.py(rows=5, cols=5)", 4),
        ("breakthrough.py", "breakthrough.py", 3),
    ],
)
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
def test_two_rules_files_of_one_game_count_the_same(spec, other, depth, compiled):
    one, two = load(f"{EXAMPLES}/{spec}"), load(f"{NEWCOMER}/{other}")
    count = perft.native if compiled else perft.interpreted
    for d in range(1, depth + 1 if compiled else 4):
        assert count(one)(one.start(), d) == count(two)(two.start(), d)


def test_hex_knows_who_has_won():
    match = Match(load(f"{EXAMPLES}/hex.py(size=3)"), moves="b1 a2 a3 c2 b2")
    assert match.describe_end() == "black wins"
    match = Match(load(f"{EXAMPLES}/hex.py(size=3)"), moves="a1 a3 a2 b2 c2 c1")
    assert match.describe_end() == "white wins"


@pytest.mark.long
def test_black_wins_small_hex_boards():
    """By a stolen strategy; on 3 x 3 with the third stone."""
    assert Solver(f"{EXAMPLES}/hex.py(size=3)").solve().score == 10000 - 5
    assert Solver(f"{EXAMPLES}/hex.py(size=4)").solve().value == "win"


def test_breakthrough_captures_diagonally_and_ends_on_the_far_row_or_without_men():
    game = load(f"{EXAMPLES}/breakthrough.py(size=5)")
    match = Match(game, moves="b2-b3")
    names = [game.format_move(match.s, m) for m in match.legal()]
    assert {"a4xb3", "c4xb3"} <= set(names)
    assert not {"b4-b3", "b4xb3"} & set(names)
    nearly = game.State(1 << 5, 1 << 12, 0)  # white on a4, black on c3
    assert [game.result(game.play(nearly, m)) for m in game.legal(nearly)] == [-1, -1]
    alone = game.State(game.start().white, 0, 1)
    assert game.result(alone) == -1
