"""The games in examples/, as newcomers would write them: they keep the contract, and count what other rules files count."""

import random

import pytest

from here import DATA, EXAMPLES
from plyground import Match, Solver, load
from plyground.check import check
from plyground.errors import TextError
from plyground.measure import perft

NEWCOMER = DATA / "newcomer"


NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))


LONG = ("breakthrough", "mailbox_chess")


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.long] * (n in LONG)) for n in NAMES])
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


def counts(most):
    """The published counts of chess up to a size: the position, the depth and the number of lines of play."""
    for line in (DATA / "chess" / "perft.txt").read_text(encoding="utf-8").splitlines():
        state, *rest = line.split(";")
        for word in rest:
            depth, count = word.split()
            if int(count) <= most:
                yield state.strip(), int(depth.removeprefix("D")), int(count)


def test_plain_chess_counts_what_is_published():
    game = load(EXAMPLES / "mailbox_chess.py")
    count, found = perft.interpreted(game), list(counts(most=3000))
    assert len(found) > 40
    for state, depth, expected in found:
        assert count(game.parse_state(state), depth) == expected, state


@pytest.mark.long
def test_plain_chess_counts_what_is_published_in_native_code():
    game = load(EXAMPLES / "mailbox_chess.py")
    count = perft.native(game)
    for state, depth, expected in counts(most=1_000_000):
        assert count(game.parse_state(state), depth) == expected, state


def test_plain_chess_plays_as_the_fast_one():
    plain, fast = load(EXAMPLES / "mailbox_chess.py"), load("chess")
    for seed in range(4):
        rng, s, t = random.Random(seed), plain.start(), fast.start()
        for _ in range(80):
            assert plain.cells(s) == [(0, 1, 3, 2, 4, 5, 6, 7, 9, 8, 10, 11, 12)[x] for x in fast.cells(t)]  # P B N, P N B
            ways = {(*plain.touch(s, m), m >> 12): m for m in plain.legal(s)}
            promotions = (0, 3, 2, 4, 5)
            others = {(*fast.touch(t, m), promotions[m >> 12]): m for m in fast.legal(t)}
            assert plain.result(s) in (None, fast.result(t))
            if fast.result(t) is not None:
                break
            assert ways.keys() == others.keys()
            way = rng.choice(sorted(ways))
            s, t = plain.play(s, ways[way]), fast.play(t, others[way])


def test_plain_chess_ends_by_checkmate_stalemate_and_fifty_moves():
    game = load(EXAMPLES / "mailbox_chess.py")
    assert Match(game, moves="f2-f3 e7-e5 g2-g4 d8-h4").describe_end() == "black wins"
    ends = {
        "7k/5Q2/6K1/8/8/8/8/8 b - - 3 1": 0,
        "R6k/8/6K1/8/8/8/8/8 b - - 100 90": -1,
        "7k/8/6K1/8/8/8/8/R7 b - - 100 90": 0,
        "7k/8/6K1/8/8/8/8/R7 b - - 99 90": None,
    }
    assert {state: game.result(game.parse_state(state)) for state in ends} == ends
    again = Match(game, moves="g1-f3 g8-f6 f3-g1 f6-g8 g1-f3 g8-f6 f3-g1 f6-g8")
    assert again.describe_end() == "drawn by repetition"


@pytest.mark.parametrize(
    ("text", "words"), [("8/8 w - - 0", "64 squares"), ("8/8/8/8/8/8/8/8 w - - 0", "a king of each side"), ("", "")]
)
def test_plain_chess_refuses_what_is_no_position(text, words):
    with pytest.raises(TextError, match=f"is not a state of mailbox_chess.*{words}"):
        load(EXAMPLES / "mailbox_chess.py").parse_state(text)


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
