"""Tic-tac-toe, the whole game: the counts that every course knows, and the same value from everybody."""

from __future__ import annotations

import random
from typing import Any

import pytest

from plyground import load
from plyground.textbook import ALGORITHMS, WHOLE, Counter, Tree, fitting
from plyground.textbook.alphabeta import fail_hard, fail_soft, quiescence
from plyground.textbook.pvs import pvs
from plyground.textbook.table import UnlimitedTable, alphabeta_bounds, alphabeta_deeper, alphabeta_unpruned
from plyground.textbook.tree import INFINITE
from positions import reachable

GAME = load("tictactoe")
WINDOWS = [(-INFINITE, INFINITE), (-1, 1), (0, 1), (-1, 0), (-9995, -9994), (9993, 9994), (9990, INFINITE), (-INFINITE, -9993)]


def whole(name: str) -> dict[str, Any]:
    """Options that make an algorithm search to the end of tic-tac-toe, however long it takes."""
    options = ALGORITHMS[name].options
    depth = {"depth": 9} if name in ("aspiration", "mtdf", "quiescence") else {"depth": "all"}
    return {**(depth if "depth" in options else {}), **({"time": 1e6} if "time" in options else {})}


def count(name: str, **options: Any) -> tuple[int, int]:
    trace = Counter()
    found = ALGORITHMS[name].search(GAME, GAME.start(), {**whole(name), **options}, trace)
    return found.value, trace.nodes


@pytest.mark.long
def test_minimax_visits_549946_nodes() -> None:
    assert count("minimax") == (0, 549_946)


@pytest.mark.parametrize("name", ["alphabeta_minimax", "alphabeta_hard", "alphabeta"])
def test_alphabeta_visits_18297_nodes(name: str) -> None:
    assert count(name, wins="equal") == (0, 18_297)
    assert count(name, wins="faster") == (0, 20_866), "telling faster wins from slower ones costs some cutoffs"


def test_the_full_table_has_5478_states_and_765_up_to_symmetry() -> None:
    memory: dict[str, Any] = {}
    found = ALGORITHMS["minimax_table"].search(GAME, GAME.start(), memory=memory)
    assert (found.value, found.note) == (0, "5,478 states in the table; a draw with perfect play")
    assert len(memory["solved"]) == 5_478 == len(reachable(GAME))
    found = ALGORITHMS["minimax_symmetric"].search(GAME, GAME.start())
    assert (found.value, found.note) == (0, "765 states in the table; a draw with perfect play")


def agree(states: list[Any]) -> None:
    """Every algorithm gives the value of the full table, and a move that keeps it."""
    solved: dict[str, Any] = {}
    learned: dict[str, Any] = {}  # once for all states: learning takes much longer than searching
    ALGORITHMS["minimax_table"].search(GAME, GAME.start(), memory=solved)
    for s in states:
        value = solved["solved"][s].value
        for a in fitting(GAME):
            found = a.search(GAME, s, whole(a.name), memory=learned if a.name == "td" else None)
            assert found.value == (value if a.exact != "winner" else (value > 0) * 9000 - (value < 0) * 9000), (a.name, s)
            assert (found.move is None) == (GAME.result(s) is not None), (a.name, s)
            if found.move is None:
                continue
            after = -solved["solved"][GAME.play(s, found.move)].value
            assert (after > 0) - (after < 0) == (value > 0) - (value < 0), (a.name, s, found)
            if a.exact != "winner":
                assert abs(after) - (after != 0) == abs(value), (a.name, s, found)


def lines_lead_to_values(states: list[Any]) -> None:
    """Where no table cuts a line short, it is played out to the value it has at the root."""
    for s in states:
        for name in ("minimax", "negamax", "alphabeta_minimax", "alphabeta_hard", "alphabeta", "scout", "pvs", "aspiration"):
            found, end = ALGORITHMS[name].search(GAME, s, {**whole(name), **({"width": 1} if name == "aspiration" else {})}), s
            for m in found.line:
                end = GAME.play(end, m)
            result = GAME.result(end) * (-1) ** len(found.line)
            assert found.value == (10_000 - len(found.line)) * result, (name, s, found)


def keep_contract(states: list[Any]) -> None:
    """The three cases of the contract of alpha-beta, fail-hard and fail-soft, in open, narrow and null windows."""
    solved: dict[str, Any] = {}
    ALGORITHMS["minimax_table"].search(GAME, GAME.start(), memory=solved)
    for s in states:
        v = solved["solved"][s].value
        for alpha, beta in WINDOWS:
            assert fail_hard(Tree(GAME), s, WHOLE, alpha, beta) == max(alpha, min(beta, v))
            for search in (fail_soft, pvs, quiescence, alphabeta_unpruned, alphabeta_deeper, alphabeta_bounds):
                tree = Tree(GAME)
                tree.memory["bounds"] = UnlimitedTable(GAME.identity)
                r = search(tree, s, WHOLE, alpha, beta)
                if r <= alpha:
                    assert v <= r, (search, s, alpha, beta)
                elif r >= beta:
                    assert v >= r, (search, s, alpha, beta)
                else:
                    assert v == r, (search, s, alpha, beta)


def late(states: list[Any], most: int) -> list[Any]:
    """States with few empty cells, which are quick to search."""
    return [s for s in states if 9 - s.both.bit_count() <= most]


def test_everybody_agrees_on_some_states() -> None:
    states = late(reachable(GAME), 6)
    agree(random.Random(1).sample(states, 40))


def test_the_best_line_leads_to_the_value_on_some_states() -> None:
    lines_lead_to_values(random.Random(3).sample(late(reachable(GAME), 6), 60))


def test_the_contract_of_windows_holds_on_some_states() -> None:
    keep_contract(random.Random(2).sample(late(reachable(GAME), 6), 60))


@pytest.mark.long
def test_everybody_agrees_on_every_state() -> None:
    agree(reachable(GAME))


@pytest.mark.long
def test_the_best_line_leads_to_the_value_on_every_state() -> None:
    lines_lead_to_values(late(reachable(GAME), 8))


@pytest.mark.long
def test_the_contract_of_windows_holds_on_every_state() -> None:
    keep_contract(reachable(GAME))
