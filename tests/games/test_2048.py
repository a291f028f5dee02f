"""2048 against slides of plain lists, one row at a time, and compiled against interpreted on random boards."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import uint64

from plyground import load
from plyground.compile.native import Native
from plyground.compile.vocabulary import ONGOING, evaluate, read_state, step, store_real, verdict, write_state
from plyground.compile.vocabulary import canonical as native_canonical
from plyground.compile.vocabulary import chance as native_chance
from plyground.compile.vocabulary import moves as native_moves
from plyground.errors import TextError
from plyground.games import _2048 as rules

GAME = load("2048")
Grid = list[list[int]]

# -- the slow rules: a board is four lists of four exponents -----------------------------------------------------------------


def slow_row(row: list[int]) -> tuple[list[int], int]:
    """A row pushed to the left: each tile stops at the wall or merges, once, with an equal one; and the tiles made."""
    out: list[int] = []
    gain, open_ = 0, False
    for tile in row:
        if tile == 0:
            continue
        if open_ and out[-1] == tile and tile < 15:
            out[-1] += 1
            gain += 2 ** out[-1]
            open_ = False
        else:
            out.append(tile)
            open_ = True
    return out + [0] * (4 - len(out)), gain


def turned(grid: Grid) -> Grid:
    """A quarter turn against the clock: what was on the right comes to the top."""
    return [[grid[row][col] for row in range(4)] for col in reversed(range(4))]


def slow_slide(grid: Grid, m: int) -> tuple[Grid, int]:
    turns = {"left": 0, "up": 1, "right": 2, "down": 3}[rules.DIRECTIONS[m]]
    for _ in range(turns):
        grid = turned(grid)
    pushed = [slow_row(row) for row in grid]
    grid = [row for row, _ in pushed]
    for _ in range(4 - turns if turns else 0):
        grid = turned(grid)
    return grid, sum(gain for _, gain in pushed)


def grid_of(cells: int) -> Grid:
    return [[cells >> 16 * row + 4 * col & 15 for col in range(4)] for row in range(4)]


def word_of(grid: Grid) -> int:
    return sum(grid[row][col] << 16 * row + 4 * col for row in range(4) for col in range(4))


def boards(seed: int, number: int) -> list[int]:
    """Random boards of every fullness, with few and with many different tiles, the largest ones included."""
    rng = random.Random(seed)
    found = []
    for _ in range(number):
        tiles = rng.sample(range(1, 16), rng.randint(1, 12))
        share = rng.choice((0.0, 0.05, 0.3, 0.7))
        found.append(word_of([[0 if rng.random() < share else rng.choice(tiles) for _ in range(4)] for _ in range(4)]))
    return [cells for cells in found if cells]


def slides_of(cells: int) -> list[int]:
    return [m for m in range(4) if slow_slide(grid_of(cells), m)[0] != grid_of(cells)]


# -- slides ------------------------------------------------------------------------------------------------------------------


def test_every_row_slides_as_by_hand() -> None:
    for row in range(0, 65536, 4):
        cells = sum((row + i) << 16 * i for i in range(4))
        wanted, gain = slow_slide(grid_of(cells), rules.LEFT)
        assert rules.slide_left(cells) == (word_of(wanted), gain), hex(row)


@pytest.mark.parametrize(
    ("before", "after", "gain"),
    [
        ("2 2 2 2", "4 4 . .", 8),
        ("4 2 2 .", "4 4 . .", 4),
        (". 2 2 2", "4 2 . .", 4),
        ("2 . . 2", "4 . . .", 4),
        ("32768 32768 . .", "32768 32768 . .", 0),
        ("16384 16384 32768 .", "32768 32768 . .", 32768),
    ],
)
def test_a_tile_merges_once_and_the_largest_never(before: str, after: str, gain: int) -> None:
    s = GAME.parse_state(f"{before}/. . . ./. . . ./. . . 2 score=100 tiles=0")
    wanted = GAME.parse_state(f"{after}/. . . ./. . . ./2 . . . score={100 + gain} tiles=1")
    assert GAME.play(s, GAME.parse_move(s, "left")) == wanted


def test_slides_moves_and_ends_of_random_boards() -> None:
    ended = 0
    for cells in boards(1, 1500):
        s = rules.State(cells, 1000, 0)
        for m in range(4):
            wanted, gain = slow_slide(grid_of(cells), m)
            assert rules.play(s, m) == (word_of(wanted), 1000 + gain, 1)
        assert list(rules.moves(s)) == slides_of(cells)
        assert rules.result(s) == (None if slides_of(cells) else 1000)
        ended += not slides_of(cells)
    assert ended > 30


def test_one_empty_corner_keeps_the_game_alive() -> None:
    """The corner is the lowest bit of the word."""
    s = GAME.parse_state(". 2 4 8/16 32 64 128/2 4 8 16/32 64 128 256 score=9 tiles=0")
    assert GAME.result(s) is None
    assert [GAME.format_move(s, m) for m in GAME.legal(s)] == ["up", "left"]
    assert GAME.result(GAME.play(GAME.play(s, 0), 24)) == 9  # up, and then a 2 in the lower left corner
    full = GAME.parse_state("4 2 4 8/16 32 64 128/2 4 8 16/32 64 128 256 score=9 tiles=0")
    assert GAME.result(full) == 9
    assert GAME.legal(full) == []


# -- compiled as interpreted -------------------------------------------------------------------------------------------------


def survey(addresses, number, out, reals):
    """For each state: what each slide, its canonical form, its moves, outcomes, result and evaluation are."""
    for i in range(number):
        s = read_state(addresses + uint64(24 * i))
        for m in range(4):
            write_state(out + uint64(24 * (5 * i + m)), step(s, m))
        write_state(out + uint64(24 * (5 * i + 4)), native_canonical(s))
        found = 0
        for m in native_moves(s):
            found |= 1 << m
        weights = 0
        for m, weight in native_chance(step(s, 0)):
            weights += m * weight
        result = verdict(s)
        store_real(reals + uint64(32 * i), float(found))
        store_real(reals + uint64(32 * i + 8), float(weights))
        store_real(reals + uint64(32 * i + 16), -1.0 if result == ONGOING else float(result))
        store_real(reals + uint64(32 * i + 24), evaluate(s))
    return 0


def test_compiled_as_interpreted() -> None:
    states = [rules.State(cells, 77, 0) for cells in boards(2, 1500)]
    kernel = Native(GAME).bind(survey, "int64(uint64, int64, uint64, uint64)")
    words = np.concatenate([GAME.layout.row(s) for s in states])
    out, reals = np.zeros((len(states) * 5, 3), np.uint64), np.zeros((len(states), 4))
    kernel(words.ctypes.data, len(states), out.ctypes.data, reals.ctypes.data)
    for i, s in enumerate(states):
        wanted = [rules.play(s, m) for m in range(4)] + [GAME.canonical(s)]
        assert [GAME.layout.read(row) for row in out[5 * i : 5 * i + 5]] == wanted
        result = rules.result(s)
        weights = sum(m * weight for m, weight in rules.chance(rules.play(s, 0)))
        expected = [sum(1 << m for m in rules.moves(s)), weights, -1 if result is None else result, rules.evaluate(s)]
        assert reals[i].tolist() == expected


# -- chance ------------------------------------------------------------------------------------------------------------------


def test_the_first_two_tiles_are_placed_by_chance() -> None:
    s = GAME.start()
    outcomes = GAME.outcomes(s)
    assert len(outcomes) == 32
    assert sum(p for _, p in outcomes) == pytest.approx(1)
    s = GAME.play(s, GAME.parse_move(s, "a1=2"))
    assert GAME.is_chance(s)
    assert len(GAME.outcomes(s)) == 30
    s = GAME.play(s, GAME.parse_move(s, "d4=4"))
    assert not GAME.is_chance(s)
    assert GAME.format_state(s) == "2 . . ./. . . ./. . . ./. . . 4 score=0 tiles=0"


def test_a_two_is_nine_times_as_likely_as_a_four() -> None:
    for cells in boards(3, 200):
        s = rules.State(cells, 0, 1)
        weighted = list(rules.chance(s))
        empty = [i for i in range(16) if not cells >> 4 * i & 15]
        assert [m for m, _ in weighted] == [2 * i + four for i in empty for four in (0, 1)]
        assert [w for _, w in weighted] == [9, 1] * len(empty)
        for m, _ in weighted:
            t = rules.play(s, m)
            assert t == (cells | (2 if m & 1 else 1) << 4 * (m >> 1), 0, 0)
        assert not list(rules.chance(rules.State(cells, 0, 0)))


# -- symmetries and estimates ------------------------------------------------------------------------------------------------


def images(cells: int) -> list[int]:
    grids = [grid_of(cells)]
    for _ in range(3):
        grids.append(turned(grids[-1]))
    return [word_of(g) for grid in grids for g in (grid, [row[::-1] for row in grid])]


def test_the_eight_images_have_one_representative() -> None:
    for cells in boards(4, 300):
        seen = {rules.canonical(rules.State(image, 5, 0)) for image in images(cells)}
        assert seen == {(min(images(cells)), 5, 0)}
        values = {rules.evaluate(rules.State(image, 5, 0)) for image in images(cells)}
        assert len(values) == 1


def test_order_empty_cells_and_merges_are_worth_something() -> None:
    def worth(text: str) -> float:
        return GAME.evaluate(GAME.parse_state(text))

    tidy = worth("256 128 64 32/16 8 4 2/. . . ./. . . .")
    assert isinstance(tidy, float)
    assert tidy > worth("32 256 2 64/16 . 4 8/128 . . ./. . . .")
    assert worth("64 32 . ./. . . ./. . . ./. . . .") > worth("64 32 2 4/2 4 2 4/4 2 4 2/2 4 2 4")
    assert worth("4 4 . ./. . . ./. . . ./. . . .") > worth("4 . 4 ./. . . ./. . . ./. . . .")
    assert worth("64 32 . ./. . . ./. . . ./. . . . score=500") - worth("64 32 . ./. . . ./. . . ./. . . .") == 500


@given(st.integers(1, 2**64 - 1), st.integers(0, 10**6))
def test_an_estimate_lies_between_the_score_and_the_largest_result(cells: int, score: int) -> None:
    assert score <= rules.evaluate(rules.State(cells, score, 0)) <= GAME.margin


def play_out(rng: random.Random, greedy: bool) -> int:
    s: Any = GAME.start()
    while (value := GAME.result(s)) is None:
        weighted = GAME.outcomes(s)
        if weighted:
            (m,) = rng.choices([m for m, _ in weighted], [p for _, p in weighted])
        else:
            options = GAME.legal(s)
            m = max(options, key=lambda m: GAME.evaluate(GAME.play(s, m))) if greedy else rng.choice(options)
        s = GAME.play(s, m)
    return int(value)


def test_one_look_ahead_with_the_estimate_beats_chance_by_far() -> None:
    rng = random.Random(6)
    blind = sum(play_out(rng, greedy=False) for _ in range(6))
    assert sum(play_out(rng, greedy=True) for _ in range(6)) > 3 * blind


# -- text --------------------------------------------------------------------------------------------------------------------


def test_states_are_read_as_they_are_written() -> None:
    rng = random.Random(7)
    for cells in boards(8, 200):
        empty = 16 - sum(tile > 0 for row in grid_of(cells) for tile in row)
        s = rules.State(cells, rng.randint(0, 10**6), rng.randint(0, min(2, empty)))
        assert GAME.parse_state(GAME.format_state(s)) == s
        for m in range(32 if s.tiles else 4):
            assert rules.parse_move(s, rules.format_move(s, m)) == m


def test_a_board_alone_is_a_state() -> None:
    s = GAME.parse_state("2 . . 4 / . . . . / . . . . / . . . 2048")
    assert s == (1 | 2 << 12 | 11 << 60, 0, 0)
    assert [GAME.parse_move(s, c) for c in "urdl"] == [GAME.parse_move(s, c) for c in rules.DIRECTIONS] == [0, 1, 2, 3]
    assert GAME.show(s).splitlines()[1].split() == ["1", "2", ".", ".", "4"]
    assert GAME.cells(s)[12:] == [0, 0, 0, 11]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2 . . 4/. . . ./. . . .",
        "2 . . 4/. . . ./. . . ./. . .",
        "3 . . 4/. . . ./. . . ./. . . .",
        "2 . . 65536/. . . ./. . . ./. . . .",
        "2 . . -2/. . . ./. . . ./. . . .",
        ". . . ./. . . ./. . . ./. . . .",
        "2 . . 4/. . . ./. . . ./. . . . score=-1",
        "2 . . 4/. . . ./. . . ./. . . . tiles=3",
        "2 4 2 4/4 2 4 2/2 4 2 4/4 2 4 2 tiles=1",
        "2 . . 4/. . . ./. . . ./. . . . moves=3",
    ],
)
def test_bad_boards_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="is not a state of 2048"):
        GAME.parse_state(text)


@pytest.mark.parametrize("text", ["a1=2", "sideways", "", "x"])
def test_bad_slides_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="legal: up, right"):
        GAME.parse_move(GAME.parse_state(". . . ./. 2 . ./. . . ./. . . ."), text)


@pytest.mark.parametrize("text", ["up", "a1=2", "e1=2", "b5=2", "b2=8", "b2"])
def test_bad_tiles_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="not a legal move"):
        GAME.parse_move(GAME.parse_state("2 . . ./. . . ./. . . ./. . . . tiles=1"), text)
