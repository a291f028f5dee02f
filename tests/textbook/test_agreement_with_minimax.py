"""Every exact algorithm equals plain minimax: all games, random states, an evaluation that no search can guess."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground.rules.game import Game
from plyground.rules.load import builtin_games, load
from plyground.score import final
from plyground.textbook import ALGORITHMS, find, fitting
from plyground.textbook.algorithm import PLAIN, kind
from plyground.textbook.ordering import PARTS
from plyground.textbook.table import POLICIES
from positions import hashing, walk

RULES = DATA / "textbook"
SMALL = [
    *(
        "nim",
        "nim(misere=1)",
        "nim(heaps=2, size=4)",
        "tictactoe",
        "tictactoe(rows=3, cols=4, k=3)",
        "connect4(rows=4, cols=4, k=3)",
    ),
    *(f"{RULES}/{name}" for name in ("again.py", "again.py(count=1)", "tug.py", "tug.py(lead=1)")),
]
SMALLER = {"gomoku": "gomoku(size=6)", "kalah": "kalah(pits=3, seeds=3)"}
LARGE = [SMALLER.get(name, name) for name in builtin_games() if kind(load(name)) == PLAIN and name not in SMALL]
WITH_TABLE = ("alphabeta_bounds", "alphabeta_fixed", "deepening", "mtdf")  # a hit ends a line early
EXACT = [name for name, a in ALGORITHMS.items() if a.exact == "value" and a.fits == (PLAIN,) and "depth" in a.options]


def sound_depth(game: Game, s: Any, leaves: int) -> int:
    """The largest depth, from 1 to 8, at which the whole tree has at most `leaves` leaves."""
    level, depth = [game.play(s, m) for m in game.legal(s)], 1
    while depth < 8:
        level = [game.play(child, m) for child in level[: leaves + 1] for m in game.legal(child)]
        if not 0 < len(level) <= leaves:
            break
        depth += 1
    return depth


def check(spec: str, plies: int, seed: int, order: str, replace: str, wins: str, leaves: int) -> None:
    game = hashing(load(spec))
    states = walk(game, plies, random.Random(seed))
    s, before = states[-1], states[:-1]
    depth = sound_depth(game, s, leaves)
    value = find("minimax").search(game, s, {"depth": depth, "wins": wins}, history=before).value
    for name in EXACT:
        a = ALGORITHMS[name]
        given = {
            "depth": depth,
            "wins": wins,
            "order": order,
            "replace": replace,
            "table": 16,
            "time": 1e6,
            "start": 1 + seed % 4,
            "step": 1 + seed // 4 % 3,
            "reorder": ("sort", "lift")[seed // 12 % 2],
            "width": 1 + seed % 3,
        }
        found = a.search(game, s, {k: v for k, v in given.items() if k in a.options}, history=before)
        assert found.value == value, (name, game.format_state(s), depth)
        end = replay(game, s, found.line, wins)
        if name not in WITH_TABLE and not game.repetition:
            assert end == value, (name, game.format_state(s), depth, found.line)


def replay(game: Game, s: Any, line: tuple[int, ...], wins: str) -> int:
    """The value, at the root, of where a line of legal moves leads."""
    sign = 1
    assert line
    for m in line:
        assert m in game.legal(s)
        child = game.play(s, m)
        sign = sign if game.turn(child) == game.turn(s) is not None else -sign
        s = child
    result = game.result(s)
    if result is None:
        return sign * game.evaluate(s)
    return sign * (9000 * result if wins == "equal" and not game.margin else final(result, len(line), bool(game.margin)))


ORDERS = st.sampled_from(["none", *(p for p in PARTS if p not in ("centre", "near", "flips")), "captures+killers+history"])
OPTIONS = {
    "seed": st.integers(0, 10**6),
    "order": ORDERS,
    "replace": st.sampled_from(list(POLICIES)),
    "wins": st.sampled_from(["faster", "equal"]),
}


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=15, deadline=None)
@given(plies=st.integers(0, 10), **OPTIONS)
def test_every_exact_algorithm_equals_minimax(spec: str, plies: int, seed: int, order: str, replace: str, wins: str) -> None:
    check(spec, plies, seed, order, replace, wins, 200)


@pytest.mark.parametrize("spec", LARGE)
@settings(max_examples=5, deadline=None)
@given(plies=st.integers(4, 60), **OPTIONS)
def test_every_exact_algorithm_equals_minimax_in_large_games(
    spec: str, plies: int, seed: int, order: str, replace: str, wins: str
) -> None:
    check(spec, plies, seed, order, replace, wins, 100)


@pytest.mark.long
@pytest.mark.parametrize("spec", [*SMALL, *LARGE])
@settings(max_examples=25, deadline=None)
@given(plies=st.integers(0, 60), **OPTIONS)
def test_every_exact_algorithm_equals_minimax_deeper(
    spec: str, plies: int, seed: int, order: str, replace: str, wins: str
) -> None:
    check(spec, plies, seed, order, replace, wins, 500)


WHOLE_GAMES = ["nim(heaps=2, size=4)", "nim(heaps=2, size=4, misere=1)", "connect4(rows=3, cols=3, k=3)", f"{RULES}/again.py",
               f"{RULES}/again.py(count=1)", f"{RULES}/tug.py", f"{RULES}/tug.py(lead=1)"]  # fmt: skip


@pytest.mark.parametrize("spec", WHOLE_GAMES)
@settings(max_examples=5, deadline=None)
@given(plies=st.integers(1, 6), **OPTIONS)
def test_whole_games_have_one_value(spec: str, plies: int, seed: int, order: str, replace: str, wins: str) -> None:
    game = load(spec)
    states = walk(game, plies, random.Random(seed))
    s, before = states[-1], states[:-1]
    value = find("minimax").search(game, s, {"depth": "all", "wins": wins}, history=before).value
    winner = (value > 0) - (value < 0)
    for a in (a for a in fitting(game) if a.name != "td"):
        given = {"depth": "all", "wins": wins, "order": order, "replace": replace, "table": 16, "time": 1e6}
        found = a.search(game, s, {k: v for k, v in given.items() if k in a.options}, history=before)
        assert found.value == (9000 * winner if a.exact == "winner" else value), (a.name, s)
