"""Scores: an estimate never outweighs a proven result, the faster win and the slower loss are preferred."""

from __future__ import annotations

import pytest

from plyground import load
from plyground.textbook import search
from positions import with_evaluate

TICTACTOE = load("tictactoe")


@pytest.mark.parametrize("name", ["minimax", "negamax", "alphabeta", "alphabeta_bounds", "pvs", "mtdf"])
def test_no_estimate_outweighs_a_win_or_a_loss(name: str) -> None:
    told = with_evaluate(TICTACTOE, lambda s: -(10**6))  # bad for the side to move, beyond all measure
    assert search(name, told, TICTACTOE.parse_state("XX./OO./..."), depth=1)[:2] == (9999, 2), "a win is better than that"
    assert search(name, told, TICTACTOE.parse_state("XX./.O./..."), depth=2)[:2] == (-8999, 2), "a loss is worse than that"


def test_the_faster_win_and_the_slower_loss() -> None:
    s = TICTACTOE.parse_state(".../OXO/XOX")  # b3 wins in 3, a3 and c3 at once
    assert search("minimax", TICTACTOE, s, depth="all").move == 0
    lost = TICTACTOE.parse_state("X../.../.O.")
    lost = TICTACTOE.play(lost, 2)  # X threatens b3; O can only delay
    found = search("minimax", TICTACTOE, lost, depth="all")
    assert (found.value, found.move) == (-9996, 1)
    assert search("minimax", TICTACTOE, lost, depth="all", wins="equal").value == -9000
