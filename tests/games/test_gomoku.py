"""Gomoku against slow rules written from scratch: scans of the board, lines as text, and search without short cuts."""

from __future__ import annotations

import functools
import itertools
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import int64, uint64

from here import DATA
from plyground import load
from plyground.compile.native import Native
from plyground.compile.vocabulary import (
    ONGOING,
    evaluate,
    forced,
    key,
    loud,
    moves,
    order,
    read_state,
    replies,
    step,
    store,
    undo_step,
    verdict,
)
from plyground.compile.vocabulary import (
    load as word,
)
from plyground.engine.engine import Engine
from plyground.errors import GameError, TextError
from plyground.measure.perft import perft
from plyground.play.limit import Limit
from plyground.rules.game import Game
from plyground.textbook.derived_games import with_likely

GOMOKU = DATA / "gomoku"
DIRECTIONS = ((0, 1), (1, -1), (1, 0), (1, 1))
Board = dict[tuple[int, int], str]


# -- the slow rules: a board is a dict from (row, col), counted from the bottom left, to a stone ---------------------------------


def size_of(game: Game) -> int:
    return game.parameters["size"]


def board_of(game: Game, s: Any) -> Board:
    lines = game.format_state(s).split("/")[::-1]
    return {(row, col): c for row, line in enumerate(lines) for col, c in enumerate(line) if c != "."}


def square(game: Game, m: int) -> tuple[int, int]:
    text = game.format_move(None, m)
    return int(text[1:]) - 1, ord(text[0]) - 97


def run(board: Board, at: tuple[int, int], d: tuple[int, int]) -> int:
    """How many stones of one side stand in a row through a stone."""
    n = 1
    for sign in (1, -1):
        row, col = at
        while board.get((row := row + sign * d[0], col := col + sign * d[1])) == board[at]:
            n += 1
    return n


def has_five(board: Board, side: str, exact: bool) -> bool:
    runs = [run(board, at, d) for at, stone in board.items() if stone == side for d in DIRECTIONS]
    return any(n == 5 if exact else n >= 5 for n in runs)


def near(board: Board, size: int) -> set[tuple[int, int]]:
    around = {(size // 2, size // 2)} | {(r + i, c + j) for r, c in board for i in range(-2, 3) for j in range(-2, 3)}
    return {(r, c) for r, c in around - set(board) if 0 <= r < size and 0 <= c < size}


KINDS = ("dead", "one", "open one", "two", "open two", "three", "open three", "four", "open four", "five")


@functools.cache
def kind(line: str, exact: bool) -> int:
    """What the stone in the middle of a line of X, dots and # makes of it."""
    middle = len(line) // 2
    left = len(line[:middle]) - len(line[:middle].rstrip("X"))
    right = len(line[middle:]) - len(line[middle:].lstrip("X"))
    if left + right == 5 or (left + right > 5 and not exact):
        return KINDS.index("five")
    after = [kind(line[:i] + "X" + line[i + 1 :], exact) for i, c in enumerate(line) if c == "."]
    fives = after.count(KINDS.index("five"))
    if fives:
        return KINDS.index("open four" if fives > 1 else "four")
    return max([0, *(k - 2 for k in after)])


def line_kinds(game: Game, board: Board, at: tuple[int, int], side: str) -> list[int]:
    size, exact = size_of(game), bool(game.parameters["exact"])
    reach = 5 if exact else 4
    found = []
    for i, j in DIRECTIONS:
        line = ""
        for k in range(-reach, reach + 1):
            row, col = at[0] + k * i, at[1] + k * j
            stone = board.get((row, col), ".") if 0 <= row < size and 0 <= col < size else "#"
            line += "X" if k == 0 or stone == side else "." if stone == "." else "#"
        found.append(kind(line, exact))
    return found


def check_tables(game: Game, s: Any) -> None:
    """Everything that the state keeps up to date, against the stones."""
    board, size, exact = board_of(game, s), size_of(game), bool(game.parameters["exact"])
    scope = game.rules["play"].__globals__
    totals = [0, 0]
    for row in range(size):
        for col in range(size):
            m = scope["CORNER"] + row * scope["STRIDE"] + col
            shapes = [0, 0]
            if (row, col) not in board:
                for side in (0, 1):
                    shapes[side] = sum(scope["LINE_VALUE"][k] for k in line_kinds(game, board, (row, col), "XO"[side]))
                    totals[side] += shapes[side]
            assert [scope["shape"](s, m, 0), scope["shape"](s, m, 1)] == shapes, game.format_move(s, m)
    assert s.numbers[:2].tolist() == totals
    assert game.turn(s) == len(board) % 2
    assert has_five(board, "XO"[1 - len(board) % 2], exact) == (game.result(s) == -1)
    if game.result(s) is None:
        every = {(row, col) for row in range(size) for col in range(size)} - set(board)
        for found, wanted in ((game.legal(s), every), (list(game.likely(s)), near(board, size))):
            assert {square(game, m) for m in found} == wanted
            assert len(found) == len(wanted)


def playout(game: Game, choices: list[int], clumsy: int = 3) -> tuple[list[int], list[Any]]:
    """The moves and states of a game in which each choice is among the best by `order`, now and then among all."""
    line, states = [], [game.start()]
    for n in choices:
        s = states[-1]
        options = game.legal(s)
        if not options:
            break
        if n % 7:
            options = list(game.likely(s))
        if n % clumsy:
            options = sorted(options, key=lambda m: -game.order(s, m))[:6]
        line.append(options[n // clumsy % len(options)])
        states.append(game.play(s, line[-1]))
    return line, states


SPECS = [
    "gomoku",
    "gomoku(size=20)",
    "gomoku(size=9, exact=1)",
    "gomoku(size=7)",
    "gomoku(size=5)",
    "gomoku(size=22, exact=1)",
]
choices = st.lists(st.integers(0, 999), min_size=10, max_size=80)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SPECS), choices)
def test_tables_are_those_of_the_stones(spec: str, chosen: list[int]) -> None:
    game = load(spec)
    s = playout(game, chosen)[1][-1]
    check_tables(game, s)
    again = game.parse_state(game.format_state(s))
    assert game.identity(again) == game.identity(s)
    assert game.key(again) == game.key(s)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SPECS), choices)
def test_undo_restores_every_state_of_a_game(spec: str, chosen: list[int]) -> None:
    game = load(spec)
    line, states = playout(game, chosen)
    s = game.start()
    for m, after in zip(line, states[1:], strict=True):
        game.rules["play"](s, m)
        assert game.identity(s) == game.identity(after)
    for m, before in zip(reversed(line), reversed(states[:-1]), strict=True):
        game.rules["undo"](s, m)
        assert game.identity(s) == game.identity(before)


def turned(text: str, times: int, mirror: bool) -> str:
    rows = text.split("/")
    for _ in range(times):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
    return "/".join(row[::-1] if mirror else row for row in rows)


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(SPECS), choices, st.integers(0, 3), st.booleans())
def test_nothing_depends_on_how_the_board_is_turned(spec: str, chosen: list[int], times: int, mirror: bool) -> None:
    game = load(spec)
    s = playout(game, chosen)[1][-1]
    other = game.parse_state(turned(game.format_state(s), times, mirror))
    assert game.result(other) == game.result(s)
    if game.result(s) is not None:
        return
    assert game.evaluate(other) == game.evaluate(s)
    if board_of(game, s):
        assert sorted(game.order(other, m) for m in game.moves(other)) == sorted(game.order(s, m) for m in game.moves(s))
    assert len(list(game.rules["replies"](other))) == len(list(game.rules["replies"](s)))


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 1), st.text("X.", min_size=11, max_size=11), st.integers(0, 10), st.sampled_from(["row", "column", "diagonal"])
)
def test_a_stone_wins_as_a_scan_says(exact: int, line: str, at: int, way: str) -> None:
    """A line of X, into which one more X is played: overlines win or not."""
    game = load(f"gomoku(size=11, exact={exact})")
    stones = {
        (5, i) if way == "row" else (i, 5) if way == "column" else (i, i) for i, c in enumerate(line) if c == "X" and i != at
    }
    board = dict.fromkeys(stones, "X")
    harmless = [(row, col) for row in (0, 2, 8, 10) for col in (1, 4, 7, 10) if row != col]  # no five in these
    board |= dict.fromkeys([cell for cell in harmless if cell not in board][: len(stones)], "O")
    target = (5, at) if way == "row" else (at, 5) if way == "column" else (at, at)
    if has_five(board, "X", bool(exact)) or target in board:
        return
    rows = ["".join(board.get((row, col), ".") for col in range(11)) for row in range(11)]
    s = game.parse_state("/".join(rows[::-1]))
    m = game.rules["parse_move"](s, f"{chr(97 + target[1])}{target[0] + 1}")
    won = has_five(board | {target: "X"}, "X", bool(exact))
    assert (game.result(game.play(s, m)) == -1) == won
    assert (game.order(s, m) == 9000) == won


def test_sums_over_the_board_stay_apart() -> None:
    scope = load("gomoku(size=22)").rules["play"].__globals__
    points = scope["POINTS"]
    assert 4 * 22 * 22 * max(worth & points for worth in scope["LINE_VALUE"]) <= points
    counters = [worth & ~points for worth in scope["LINE_VALUE"] if worth & ~points]
    assert all(high // low > 4 * 22 * 22 for low, high in itertools.pairwise(counters))


def test_a_person_may_play_anywhere() -> None:
    game = load("gomoku")
    s = game.start()
    assert len(game.legal(s)) == 225
    for text in ("a1", "o15", "H8"):
        s = game.play(s, game.parse_move(s, text))
    assert len(game.legal(s)) == 222
    assert len(list(game.likely(game.start()))) == 1


@pytest.mark.long
def test_the_engine_does_not_follow_a_stone_into_the_corner() -> None:
    game = load("gomoku")
    s = game.play(game.start(), game.parse_move(game.start(), "a1"))
    assert game.format_move(s, Engine(game, memory=4, seed=0).choose(s, Limit(depth=3))) == "h8"


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(SPECS), choices)
def test_what_is_not_near_a_stone_neither_threatens_nor_replies(spec: str, chosen: list[int]) -> None:
    """So that `replies` and `threats`, which look at likely moves only, leave out none of all the legal ones."""
    game = load(spec)
    scope = game.rules["play"].__globals__
    for s in playout(game, chosen)[1][:-1]:
        near = set(game.likely(s))
        far = [m for m in game.legal(s) if m not in near]
        assert all(scope["shape"](s, m, side) < scope["A_FOUR"] for m in far for side in (0, 1))
        for side in (0, 1):
            lines = scope["open_fours"](s, side)
            assert not lines or not any(scope["stops"](s, m, lines, side) for m in far)


def test_overlines() -> None:
    text = "......./......./......./XXX.XX./......./O.O.O../O.O...."
    for exact, result in ((0, -1), (1, None)):
        game = load(f"gomoku(size=7, exact={exact})")
        s = game.parse_state(text)
        assert game.result(game.play(s, game.parse_move(s, "d4"))) == result


def test_a_full_board_is_drawn() -> None:
    game = load("gomoku(size=5)")
    s = game.parse_state("XXOOX/OOXXO/XXOOX/OOXXO/XXOO.")
    assert game.legal(s) == [game.parse_move(s, "e1")]
    s = game.play(s, game.parse_move(s, "e1"))
    assert game.result(s) == 0
    assert game.legal(s) == []


# -- hand-made positions -------------------------------------------------------------------------------------------------------


def positions() -> list[Any]:
    blocks = (GOMOKU / "threats.txt").read_text().split("\n\n")[1:]
    found = []
    for block in blocks:
        title, spec, *lines = block.strip().splitlines()
        facts = dict(line.split(": ") for line in lines if ": " in line)
        found.append(pytest.param(spec, "/".join(line for line in lines if ": " not in line), facts, id=title))
    return found


@pytest.mark.parametrize(("spec", "text", "facts"), positions())
def test_threats(spec: str, text: str, facts: dict[str, str]) -> None:
    game = load(spec)
    s = game.parse_state(text)

    def names(found: Any) -> list[str]:
        return sorted(game.format_move(s, m) for m in found) or ["-"]

    options = game.legal(s)
    best = max(game.order(s, m) for m in options)
    value = game.evaluate(s)
    held = {
        "replies": names(game.rules["replies"](s)),
        "first": names(m for m in options if game.order(s, m) == best),
        "loud": names(m for m in options if game.loud(s, m)),
        "forced": ["yes" if game.rules["forced"](s) else "no"],
        "value": ["won" if value > 8000 else "lost" if value < -8000 else "open"],
    }
    assert {name: held[name] for name in facts} == {name: sorted(fact.split()) for name, fact in facts.items()}


# -- compiled ------------------------------------------------------------------------------------------------------------------


def story(address, picks, out, n):
    """Plays a game, each move picked by a number, takes it all back, and writes down what the rules say on the way."""
    s = read_state(address)
    at = out
    plies = 0
    while plies < n and verdict(s) == ONGOING:
        options, orders, louds, answers = 0, 0, 0, 0
        for m in moves(s):
            options += 1
            orders = (orders * 31 + order(s, m)) & 0xFFFFFFFF
            louds += loud(s, m) * m
        for m in replies(s):
            answers += m
        pick = word(picks + uint64(8 * plies)) % options
        chosen = 0
        for m in moves(s):
            if pick == 0:
                chosen = m
            pick -= 1
        store(at, int64(options))
        store(at + uint64(8), int64(orders))
        store(at + uint64(16), int64(louds))
        store(at + uint64(24), int64(answers))
        store(at + uint64(32), int64(evaluate(s)))
        store(at + uint64(40), int64(forced(s)))
        store(at + uint64(48), int64(chosen))
        s = step(s, chosen)
        store(at + uint64(56), int64(key(s)))
        at += uint64(64)
        plies += 1
    for i in range(plies):
        undo_step(s, word(at - uint64(64 * i + 16)))
    return plies


@pytest.mark.parametrize("spec", ["gomoku", pytest.param("gomoku(size=20, exact=1)", marks=pytest.mark.long)])
def test_compiled_rules_play_as_the_plain_ones(spec: str) -> None:
    game = load(spec)
    native = Native(game)
    tell = native.bind(story, "int64(uint64, uint64, uint64, int64)")
    dice = random.Random(5)
    for _ in range(2):
        picks = np.array([dice.randrange(10**6) for _ in range(100)])
        out = np.zeros((100, 8), np.int64)
        row = game.layout.row(game.start())
        plies = tell(row.ctypes.data, picks.ctypes.data, out.ctypes.data, 100)
        assert row.tobytes() == game.identity(game.start())
        s = game.start()
        for i in range(plies):
            options = game.legal(s)
            orders = 0
            for m in options:
                orders = (orders * 31 + game.order(s, m)) & 0xFFFFFFFF
            m = options[picks[i] % len(options)]
            told = [len(options), orders, sum(m for m in options if game.loud(s, m)), sum(game.rules["replies"](s))]
            told += [game.evaluate(s), int(game.rules["forced"](s)), m]
            s = game.play(s, m)
            assert out[i].tolist() == [*told, np.uint64(game.key(s)).astype(np.int64)]
        assert plies == 100 or game.result(s) is not None


def negamax(s, depth, ply, alpha, beta, narrow):
    """1000 less the plies to a forced win within the depth, its opposite for a loss, 0 for anything else."""
    value = verdict(s)
    if value != ONGOING:
        return (1000 - ply) * value
    if depth == 0:
        return 0
    best = -2000
    if narrow:
        for m in replies(s):
            if best < beta:
                value = -negamax(step(s, m), depth - 1, ply + 1, -beta, -max(alpha, best), narrow)
                undo_step(s, m)
                best = max(best, value)
    if best == -2000:
        for m in moves(s):
            if best < beta:
                value = -negamax(step(s, m), depth - 1, ply + 1, -beta, -max(alpha, best), narrow)
                undo_step(s, m)
                best = max(best, value)
    return best


def solve(address, depth, narrow):
    return negamax(read_state(address), int64(depth), int64(0), int64(-2000), int64(2000), int64(narrow))


@pytest.mark.parametrize("spec", ["gomoku(size=7)", pytest.param("gomoku(size=7, exact=1)", marks=pytest.mark.long)])
def test_replies_change_neither_who_wins_nor_when(spec: str) -> None:
    game = load(spec)
    search = Native(game).bind(solve, "int64(uint64, int64, int64)")
    dice = random.Random(3)
    met: dict[int, int] = {}
    for _ in range(150):
        s = playout(game, [dice.randrange(1000) for _ in range(dice.randrange(6, 20))], clumsy=2)[1][-1]
        if list(game.rules["replies"](s)):
            row = game.layout.row(s)
            value, narrowed = (search(row.ctypes.data, 4, narrow) for narrow in (0, 1))
            assert value == narrowed, game.show(s)
            met[value] = met.get(value, 0) + 1
    assert {999, -998, 997, -996, 0} <= set(met)


def test_perft() -> None:
    game = load("gomoku")

    def count(s: Any, depth: int) -> int:
        return len(game.legal(s)) if depth == 1 else sum(count(game.play(s, m), depth - 1) for m in game.moves(s))

    assert [count(game.start(), depth) for depth in (1, 2)] == [225, 225 * 224]
    assert [perft(game, depth) for depth in (1, 2, 3)] == [225, 225 * 224, 225 * 224 * 223]


def test_the_engine_walks_likely_moves_only() -> None:
    game = with_likely(load("gomoku"))

    def count(s: Any, depth: int) -> int:
        return len(list(game.moves(s))) if depth == 1 else sum(count(game.play(s, m), depth - 1) for m in game.moves(s))

    def slow(board: Board, depth: int) -> int:
        return sum(slow(board | {at: "X"}, depth - 1) for at in near(board, 15)) if depth else 1

    assert [count(game.start(), depth) for depth in (1, 2, 3)] == [slow({}, depth) for depth in (1, 2, 3)] == [1, 24, 816]
    engine = Engine("gomoku", options=["likely"], memory=1)
    assert engine.analyse(None, Limit(depth=2)).nodes == 1 + (1 + 24)
    everything = Engine("gomoku", options=[], memory=1)
    assert len(everything.analyse(None, Limit(depth=1), lines=0).moves) == 225


# -- text ----------------------------------------------------------------------------------------------------------------------


def test_text() -> None:
    game = load("gomoku(size=6)")
    s = game.start()
    for m in game.parse_moves(s, "d4 c3"):
        s = game.play(s, m)
    text = "....../....../...X../..O.../....../......"
    assert game.format_state(s) == text
    assert game.format_state(game.parse_state(text)) == text
    assert game.show(s).splitlines()[2:4] == ["4 . . . X . .", "3 . . O . . ."]
    assert game.show(s).splitlines()[-1] == "  a b c d e f"
    assert game.cells(s)[12:18] == [0, 0, 0, 1, 0, 0]
    assert [game.format_move(s, m) for m in game.legal(s)][:4] == ["a1", "b1", "c1", "d1"]
    assert game.parse_move(s, "E4") == game.parse_move(s, "e4")
    for bad in ("", "d4", "a7", "g1", "a0", "a", "1a", "aa", "a1x", "a01", "a+1", "a\N{FULLWIDTH DIGIT ONE}"):
        with pytest.raises(TextError, match="not a legal move"):
            game.parse_move(s, bad)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "6 rows of 6"),
        ("......", "6 rows of 6"),
        ("......./....../....../....../....../......", "6 rows of 6"),
        ("O...../....../....../....../....../......", "as many stones as O"),
        ("XX..../....../....../....../....../......", "as many stones as O"),
        ("XXXXX./OOOOO./....../....../....../......", "already won"),
        ("x...../....../....../....../....../......", "written . or X or O"),
    ],
)
def test_text_that_is_no_position(text: str, why: str) -> None:
    with pytest.raises(TextError, match=why):
        load("gomoku(size=6)").parse_state(text)


@pytest.mark.parametrize("spec", ["gomoku(size=4)", "gomoku(size=23)", "gomoku(exact=2)", "gomoku(all=-1)", "gomoku(k=5)"])
def test_parameters_that_do_not_fit(spec: str) -> None:
    with pytest.raises(GameError, match="gomoku"):
        load(spec)
