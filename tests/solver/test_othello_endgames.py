"""Othello's endgames: known values, the textbook's on interpreted rules, and the counting at the end beside the rules."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import score as scores
from plyground.bits import MASK, popcount
from plyground.errors import TextError
from plyground.games.othello import endgame, evaluate, notation, rules
from plyground.rules.load import load
from plyground.solver.solver import Solver
from plyground.textbook.alphabeta import fail_soft
from plyground.textbook.tree import Tree

GAME = load("othello")
LONG = 21
"""Empty squares from which on a position takes seconds."""


def facts() -> list[tuple[str, int, str]]:
    """Every position of the file: its text, its score, its moves with theirs."""
    file = DATA / "othello" / "endgames.txt"
    rows = [line.split(";") for line in file.read_text().splitlines() if not line.startswith("#")]
    return [(row[0].strip(), int(row[1]), row[3] if len(row) > 3 else "") for row in rows]


FACTS = facts()
SHORT = [fact for fact in FACTS if fact[0].count("-") < LONG]


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(GAME, memory=64)


def discs(told: int | None) -> int:
    """A score of the solver in discs."""
    assert told is not None
    return scores.margin(told) or 0


def with_empty(n: int, seed: int) -> Any:
    """A state of a random game with that many empty squares; of the next one where that game has ended before."""
    while True:
        rng, s = random.Random(seed), GAME.start()
        while GAME.result(s) is None and popcount(~(s.mine | s.theirs)) > n:
            s = GAME.play(s, rng.choice(GAME.legal(s)))
        if GAME.result(s) is None:
            return s
        seed += 1


def check(solver: Solver, text: str, value: int) -> None:
    """The position has the value, and the best line ends with it."""
    s = GAME.parse_state(text)
    found = solver.solve(s)
    assert discs(found.score) == value
    assert found.move == found.line[0]
    mover = s.turn
    for m in found.line:
        assert m in GAME.legal(s)
        s = GAME.play(s, m)
    assert GAME.result(s) == (value if s.turn == mover else -value)


@pytest.mark.parametrize(("text", "value"), [fact[:2] for fact in SHORT])
def test_endgames(solver: Solver, text: str, value: int) -> None:
    check(solver, text, value)


@pytest.mark.long
@pytest.mark.parametrize(("text", "value"), [fact[:2] for fact in FACTS if fact not in SHORT])
def test_long_endgames(solver: Solver, text: str, value: int) -> None:
    check(solver, text, value)


@pytest.mark.parametrize(("text", "value", "moves"), [fact for fact in SHORT if fact[2]])
def test_every_move(solver: Solver, text: str, value: int, moves: str) -> None:
    s = GAME.parse_state(text)
    found = solver.solve(s, all_moves=True, line=False)
    expected = {name: int(v) for name, v in re.findall(r"(\w\d)=([+-]\d+)", moves)}
    assert {GAME.format_move(s, m): discs(v) for m, v in found.moves} == expected
    assert found.moves[0][1] == found.score
    assert discs(found.score) == value


@pytest.mark.parametrize(("empty", "seed"), [(n, 10 * n + i) for n in range(1, 10) for i in range(5)] + [(10, 3), (10, 10)])
def test_the_textbook_agrees(solver: Solver, empty: int, seed: int) -> None:
    s = with_empty(empty, seed)
    assert discs(solver.solve(s).score) == discs(fail_soft(Tree(GAME), s))


@pytest.mark.long
@pytest.mark.parametrize(("empty", "seed"), [(10, 30), (10, 50), (10, 70), (11, 1)])
def test_the_textbook_agrees_further_from_the_end(solver: Solver, empty: int, seed: int) -> None:
    s = with_empty(empty, seed)
    assert discs(solver.solve(s).score) == discs(fail_soft(Tree(GAME), s))


@pytest.mark.parametrize("plies", [0, 26])
def test_far_from_the_end_it_stops_in_time(plies: int) -> None:
    """The shallow search that ranks moves once knew of no clock: this went on for minutes, deaf to Ctrl-C."""
    moves, s, rng = "", GAME.start(), random.Random(plies)
    for _ in range(plies):
        m = rng.choice(GAME.legal(s))
        moves += f"{GAME.format_move(s, m)} "
        s = GAME.play(s, m)
    words = [sys.executable, "-m", "plyground", "solve", "othello", "--time", "0.2", "--moves", moves]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert "stopped" in done.stdout


@settings(max_examples=300)
@given(st.integers(0, MASK), st.integers(0, 63))
def test_the_last_disc_is_counted_as_it_is_played(mine: int, square: int) -> None:
    mine &= ~(1 << square)
    theirs = ~mine & MASK ^ 1 << square
    assert endgame.count_last(mine, square) == popcount(rules.flips(mine, theirs, square))
    s = rules.State(mine, theirs, 0)
    for beta in (-20, 0, 1, 20):
        value, exact = endgame.last_one(mine, square, beta), discs(fail_soft(Tree(GAME), s))
        assert exact >= value >= beta or exact <= value < beta


@settings(max_examples=100)
@given(st.integers(2, 7), st.integers(0, 10**6), st.integers(-40, 40))
def test_finish_gives_bounds(empty: int, seed: int, beta: int) -> None:
    s = with_empty(empty, seed)
    exact = discs(fail_soft(Tree(GAME), s))
    value, nodes = endgame.finish(s, beta)
    if nodes:
        assert exact >= value >= beta or exact <= value < beta
    else:
        assert popcount(~(s.mine | s.theirs)) < 4


@settings(max_examples=50)
@given(st.integers(5, 40), st.integers(0, 10**6))
def test_anchored_discs_are_never_turned(empty: int, seed: int) -> None:
    s, rng = with_empty(empty, seed), random.Random(seed)
    side, anchored = s.turn, endgame.full_line_stable(s.mine, s.mine | s.theirs)
    assert evaluate.stable_discs(s.mine) & ~anchored == 0
    assert endgame.upper_bound(s.theirs, s.mine, 65) in (64, 64 - 2 * popcount(anchored))
    while GAME.result(s) is None:
        s = GAME.play(s, rng.choice(GAME.legal(s)))
        assert anchored & ~(s.mine if s.turn == side else s.theirs) == 0


def test_full_lines_anchor() -> None:
    """All lines through d4 are full, so that it stays; so does the corner, but not e4, whose diagonal has an empty square."""
    s = GAME.parse_state("X--X--X--X-X-X--" + "--XXX---" + 8 * "X" + "--XXX---" + "-X-X-X--" + "X--X--X-" + "---X---X" + " X")
    assert {notation.format_move(s, m) for m in range(64) if endgame.full_line_stable(s.mine, s.mine) >> m & 1} >= {"d4", "a1"}
    assert not endgame.full_line_stable(s.mine, s.mine) >> 28 & 1


def test_a_side_that_must_pass(solver: Solver) -> None:
    s = GAME.parse_state("OX" + 30 * "X" + 22 * "O" + 10 * "-" + " X")
    assert discs(solver.solve(s).score) == discs(fail_soft(Tree(GAME), s))
    s = GAME.parse_state("OX" + 62 * "-" + " X")
    found = solver.solve(s)
    assert (discs(found.score), found.line) == (-64, (rules.PASS, 2))


def test_a_game_that_is_over(solver: Solver) -> None:
    assert discs(solver.solve(GAME.parse_state(40 * "X" + 24 * "-" + " O")).score) == -64
    assert discs(solver.solve(GAME.parse_state(32 * "X" + 32 * "O" + " O")).score) == 0


@settings(max_examples=300)
@given(
    st.one_of(st.text(max_size=90), st.text("XOxo-. ;\n", min_size=60, max_size=70), st.from_regex(r"[XOxo.\-]{63,65} ?[XOxo]?"))
)
def test_any_text_is_a_position_or_refused_in_one_line(text: str) -> None:
    try:
        s = GAME.parse_state(text)
    except TextError as e:
        assert "\n" not in str(e)
        assert "is not a state of othello" in str(e)
        return
    board, side = text.partition(";")[0].upper().replace(".", "-").split()
    assert GAME.format_state(s) == f"{board} {side}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        *(
            (text, "64 squares are needed")
            for text in ("", "X", 63 * "-" + " X", 65 * "-" + " X", 64 * "7" + " X", "\x00", "ß" * 64)
        ),
        *((64 * "-" + rest, "the side to move, X or O") for rest in ("", " Z", " X O", " XO")),
    ],
)
def test_bad_positions_are_refused(text: str, why: str) -> None:
    with pytest.raises(TextError, match=rf"is not a state of othello \(.*{why}") as caught:
        GAME.parse_state(text)
    assert "\n" not in str(caught.value)
