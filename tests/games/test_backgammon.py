"""Backgammon against slow rules written from scratch: plain lists, one checker and one die at a time, every order tried."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numba import int64, uint64

from plyground import load
from plyground.compile.native import Native
from plyground.compile.vocabulary import ONGOING, evaluate, order, read_state, step, store, store_real, verdict, write_state
from plyground.compile.vocabulary import chance as native_chance
from plyground.compile.vocabulary import moves as native_moves
from plyground.errors import TextError
from plyground.games.backgammon import evaluate as estimates
from plyground.games.backgammon import rules
from plyground.games.backgammon.notation import counts

GAME = load("backgammon")
ROLLS = [(large, small) for large in range(1, 7) for small in range(1, large + 1)]
Side = tuple[int, ...]  # checkers on each place, 0 (off, not counted) to 25 (the bar), in the side's own count
Position = tuple[Side, Side]  # the side that moves, the other side

# -- the slow rules ----------------------------------------------------------------------------------------------------------


def slow_steps(position: Position, die: int) -> Iterator[Position]:
    """The positions after one checker has moved by one die."""
    for place in range(25, 0, -1):
        mine, theirs = map(list, position)
        if not mine[place] or (mine[25] and place != 25):
            continue
        target = place - die
        if target > 0:
            if theirs[25 - target] > 1:
                continue
            mine[target] += 1
            theirs[25] += theirs[25 - target]
            theirs[25 - target] = 0
        elif sum(mine[7:]) or (target < 0 and sum(mine[place + 1 :])):
            continue
        mine[place] -= 1
        yield tuple(mine), tuple(theirs)


def slow_plays(position: Position, dice: tuple[int, ...]) -> dict[tuple[int, ...], set[Position]]:
    """The positions that can be reached, by the dice played, in the order played."""
    reached: dict[tuple[int, ...], set[Position]] = {(): {position}}
    for played in [dice[:i] for i in range(1, len(dice) + 1)]:
        reached[played] = {after for before in reached[played[:-1]] for after in slow_steps(before, played[-1])}
    return reached


def slow_moves(position: Position, large: int, small: int) -> set[Position]:
    """The positions after a whole legal move."""
    if large == small:
        reached = slow_plays(position, (large,) * 4)
    else:
        reached = slow_plays(position, (large, small)) | slow_plays(position, (small, large))
    most = max(len(played) for played, ends in reached.items() if ends)
    if most == 1 and reached[(large,)]:
        return reached[(large,)]
    return set().union(*(ends for played, ends in reached.items() if len(played) == most))


def position_of(s: Any) -> Position:
    return tuple(counts(s.mine, s.mine4)), tuple(counts(s.theirs, s.theirs4))


def state_of(position: Position, dice: int, turn: int = 0) -> Any:
    words = [word for side in position for word in rules.pack_checkers(dict(enumerate(side)))]
    return rules.State(*(*words, dice, turn))


# -- positions: those of random games, and thrown together with many checkers on the bar and at home -------------------------


def next_state(s: Any, rng: random.Random) -> Any:
    weighted = GAME.outcomes(s)
    if weighted:
        return GAME.play(s, *rng.choices([m for m, _ in weighted], [p for _, p in weighted]))
    return GAME.play(s, rng.choice(GAME.legal(s)))


def from_games(rng: random.Random, number: int) -> Iterator[Any]:
    """States in which a player is to move."""
    s = GAME.start()
    while number:
        s = next_state(s, rng)
        if GAME.result(s) is not None:
            s = GAME.start()
        elif not GAME.is_chance(s):
            number -= 1
            yield s


def thrown_side(rng: random.Random, taken: set[int]) -> Side:
    side = [0] * 26
    kind = rng.random()
    places = [p for p in (range(1, 7) if kind < 0.4 else range(1, 26)) if 25 - p not in taken]
    places = rng.sample(places, min(len(places), rng.randint(1, 8))) + [25] * (rng.random() < 0.2)
    for _ in range(rng.randint(1, 15)):
        side[rng.choice(places)] += 1
    return tuple(side)


def thrown(rng: random.Random, number: int) -> Iterator[Any]:
    for _ in range(number):
        mine = thrown_side(rng, set())
        theirs = thrown_side(rng, {p for p in range(1, 25) if mine[p]})
        large, small = rng.choice(ROLLS)
        yield state_of((mine, theirs), 8 * large + small, rng.randint(0, 1))


def states(seed: int, number: int) -> list[Any]:
    rng = random.Random(seed)
    return [*from_games(rng, number // 2), *thrown(rng, number // 2)]


# -- the rules as by hand ----------------------------------------------------------------------------------------------------


def test_moves_reach_the_positions_of_the_slow_rules_each_once() -> None:
    passes = short = 0
    for s in states(1, 2400):
        found = rules.moves(s)
        after = [rules.play(s, m) for m in found]
        reached = [position_of(t)[::-1] for t in after]
        assert len(set(reached)) == len(found) == len(set(found)), GAME.format_state(s)
        assert set(reached) == slow_moves(position_of(s), s.dice >> 3, s.dice & 7), GAME.format_state(s)
        assert {(t.dice, t.turn) for t in after} == {(rules.ROLL, 1 - s.turn)}
        passes += found == [rules.PASS]
        short += found != [rules.PASS] and s.dice % 9 != 0 and all(m < 1024 for m in found)
    assert passes > 50
    assert short > 30


@pytest.mark.parametrize(
    ("state", "wanted"),
    [
        # Either die can be played, not both: the larger one must be.
        ("X 6-5 20,1(14) 16(2),13(5),8(3),6(5)", ["20/14"]),
        # The larger die cannot be played: the smaller one must be.
        ("X 6-5 20,1(14) 16(2),13(3),11(2),8(3),6(5)", ["20/15"]),
        # Both dice can be played, but not after 8/3: that is no move.
        ("X 6-5 20,8,1(13) 13(5),11(2),8(3),6(5)", ["20/15 8/2", "20/9"]),
        # From the bar first, with doubles twice, then the rest.
        ("X 3-3 bar(2),6(13) 13(5),8(5),5(5)", ["bar/16 bar/22", "bar/19 bar/22 6/3", "bar/19(2)", "bar/22(2) 6/3(2)"]),
        ("X 3-3 bar(3),6(12) 13(5),8(5),5(5)", ["bar/19 bar/22(2)", "bar/22(3) 6/3"]),
        # One of two enters: nothing else may move.
        ("X 6-5 bar(2),6(13) 13(5),8(3),6(4),1(3)", ["bar/20"]),
        # The home board is closed.
        ("O 6-5 1(2),2(2),3(2),4(2),5(2),6(2),12,11,10 bar,8(14)", ["pass"]),
        # A larger die than the highest point needs bears off from there.
        ("X 6-5 4(2),2 13(2)", ["4/off(2)"]),
        ("X 6-6 5(2),3,2(2),1 13(2)", ["5/off(2) 3/off 2/off"]),
        # While a checker stands higher, it must be moved.
        ("X 4-1 5,2 13(2)", ["5/1 2/1", "5/off"]),
        ("X 3-3 5,1 13(2)", ["5/off 1/off"]),
        # Nothing is borne off before the last checker is home.
        ("X 6-1 7,6,1 13(2)", ["7/1 6/5", "7/off"]),
        # Fewer than four of a double.
        ("X 5-5 20,1(14) 15(2),13(5),8(3),6(5)", ["20/15"]),
    ],
)
def test_the_rules_by_example(state: str, wanted: list[str]) -> None:
    s = GAME.parse_state(state)
    assert sorted(GAME.format_move(s, m) for m in GAME.legal(s)) == sorted(wanted)


# -- chance ------------------------------------------------------------------------------------------------------------------


def test_the_opening_roll_gives_each_side_one_die() -> None:
    s = GAME.start()
    outcomes = GAME.outcomes(s)
    assert len(outcomes) == 30
    assert {p for _, p in outcomes} == {1 / 30}
    for m, _ in outcomes:
        t = GAME.play(s, m)
        x, o = map(int, GAME.format_move(s, m).split("-"))
        assert (t.turn, t.dice) == (int(o > x), 8 * max(x, o) + min(x, o))
        assert position_of(t) == position_of(s)
        assert not GAME.is_chance(t)


def test_a_roll_comes_with_its_weight_and_leaves_the_turn() -> None:
    s = GAME.parse_state("O roll 24(2),13(5),8(3),6(5) 24(2),13(4),11,8(3),6(5)")
    assert dict(rules.chance(s)) == {8 * large + small: 1 if large == small else 2 for large, small in ROLLS}
    t = GAME.play(s, GAME.parse_move(s, "2-6"))
    assert GAME.format_state(t) == GAME.format_state(s).replace("roll", "6-2")
    assert GAME.turn(t) == GAME.turn(s) == 1
    t = GAME.play(t, GAME.parse_move(t, "24/18 13/11"))
    assert GAME.format_state(t) == "X roll 24(2),13(5),8(3),6(5) 24,18,13(3),11(2),8(3),6(5)"


# -- the end -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("loser", "value"),
    [
        ("6(14)", -1),
        ("24(2),13", -1),
        ("6(15)", -2),
        ("18,6(14)", -2),
        ("19,6(14)", -3),
        ("bar,6(14)", -3),
    ],
)
def test_a_game_a_gammon_a_backgammon(loser: str, value: int) -> None:
    for state, turn in ((f"X roll {loser} off", 0), (f"O roll off {loser}", 1)):
        s = GAME.parse_state(state)
        assert GAME.result(s) == value
        assert GAME.turn(s) == turn
        assert not GAME.is_chance(s)
        assert GAME.legal(s) == []


def test_the_last_checker_off_ends_the_game() -> None:
    s = GAME.parse_state("X 6-5 3,1 6(15)")
    s = GAME.play(s, GAME.parse_move(s, "3/off 1/off"))
    assert GAME.format_state(s) == "O roll off 6(15)"
    assert GAME.result(s) == -2


# -- text --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "text", "written"),
    [
        ("X 6-1 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "8/7, 13/7", "13/7 8/7"),
        ("X 6-1 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "24/23+24/18", "24/18 24/23"),
        ("X 6-5 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "24/18/13", "24/13"),
        ("X 6-5 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "18/13 24/18", "24/13"),
        ("X 3-3 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "6/3(2) 8/5(2)", "8/5(2) 6/3(2)"),
        ("X 3-3 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)", "13/10 10/7 13/10 10/7", "13/7(2)"),
        ("X 4-1 bar,6(14) 24,4,3,1(12)", "6/5 BAR/21*", "bar/21* 6/5"),
        ("X 2-2 6(2),5 21,13", "6/4*(2) 4/2(2)", "6/4*/2 6/2"),
        ("X 6-5 4(2),2 13(2)", "4/OFF(2)", "4/off(2)"),
        # Blots on the way: stars tell which one is hit.
        ("X 6-5 24,6(5) 13,7", "24/13", "24/13"),
        ("X 6-5 24,6(5) 13,7", "24/18*/13", "24/18*/13"),
        ("X 6-5 24,6(5) 7,6", "24/19*/13", "24/19*/13"),
    ],
)
def test_moves_as_people_write_them(state: str, text: str, written: str) -> None:
    s = GAME.parse_state(state)
    assert GAME.format_move(s, GAME.parse_move(s, text)) == written


@pytest.mark.parametrize(
    "text", ["3-1 8/5 6/5 6-6 24/18(2) 13/7(2)", "3-1 6/5+8/5 6-6 13/7 13/7 24/18 24/18", "3-1, 8/5, 6/5, 66, 24/18(2), 13/7(2)"]
)
def test_moves_of_several_words_follow_each_other(text: str) -> None:
    s = GAME.start()
    written = []
    for m in GAME.parse_moves(s, text):
        written.append(GAME.format_move(s, m))
        s = GAME.play(s, m)
    assert written == ["3-1", "8/5 6/5", "6-6", "24/18(2) 13/7(2)"]


def test_only_stars_tell_which_blot_is_hit() -> None:
    s = GAME.parse_state("X 6-5 24,6(5) 7,6")
    assert {GAME.format_move(s, m) for m in GAME.legal(s)} >= {"24/18*/13", "24/19*/13"}
    with pytest.raises(TextError, match="add stars to say which blots are hit"):
        GAME.parse_move(s, "24/13")


@pytest.mark.parametrize(
    "text", ["", "pass", "6-1", "13/7", "13/7*  8/7", "13/7 8/7 6/5", "13/6 8/7", "26/20 8/7", "13-6 8-7", "off/6"]
)
def test_bad_moves_are_refused(text: str) -> None:
    s = GAME.parse_state("X 6-1 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)")
    with pytest.raises(TextError, match="is not a legal move here"):
        GAME.parse_move(s, text)


@pytest.mark.parametrize("text", ["6", "7-1", "0-1", "6-5-4", "13/7", "pass", "3-3"])
def test_bad_rolls_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="is not a legal move here"):
        GAME.parse_move(GAME.start(), text)


def test_texts_are_read_as_they_are_written() -> None:
    for s in states(2, 120):
        assert GAME.parse_state(GAME.format_state(s)) == s
        legal = GAME.legal(s)
        written = [GAME.format_move(s, m) for m in legal]
        assert len(set(written)) == len(legal)
        for m, text in list(zip(legal, written, strict=True))[:5]:
            assert GAME.parse_move(s, text) == m
            assert GAME.parse_move(s, "+".join(text.split()[::-1])) == m
        rolling = s._replace(dice=rules.ROLL)
        assert GAME.parse_state(GAME.format_state(rolling)) == rolling
        for m, _ in rules.chance(rolling):
            assert GAME.parse_move(rolling, GAME.format_move(rolling, m)) == m


@pytest.mark.parametrize(
    "text",
    [
        "",
        "X 6-5 24(2),13(5),8(3),6(5)",
        "Y 6-5 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)",
        "X 7-5 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)",
        "X 6-5 24(2),13(5),8(3),6(6) 24(2),13(5),8(3),6(5)",
        "X 6-5 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(4),1",
        "X 6-5 26(2) 6(2)",
        "X 6-5 6,6 6(2)",
        "X 6-5 6(0) 6(2)",
        "X 6-5 six 6(2)",
        "X roll off 6(2)",
        "X 6-5 6(2) off",
        "O opening 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)",
        "X opening 24(2),13(5),8(3),6(4) 24(2),13(5),8(3),6(5)",
    ],
)
def test_bad_states_are_refused(text: str) -> None:
    with pytest.raises(TextError, match="is not a state of backgammon"):
        GAME.parse_state(text)


def test_the_board_is_shown_in_the_count_of_the_side_to_move() -> None:
    s = GAME.parse_state("O 6-5 bar,13(7),8(3),6(4) 24(2),13(5),8(3),6(3)")
    lines = GAME.show(s).splitlines()
    assert lines[0].split() == [*map(str, range(12, 6, -1)), "|", *map(str, range(6, 0, -1))]
    assert lines[5].split() == ["7", "|"]
    assert lines[-2:] == ["bar: X 1, O 0   off: X 0, O 2", "O rolls 6-5"]
    cells = GAME.cells(s)
    assert (cells[12], cells[18], cells[24:]) == (7, 15 + 3, [1, 0, 0, 15 + 2, 15 + 6, 15 + 5])


def test_each_die_is_touched_from_and_to() -> None:
    s = GAME.parse_state("X 6-1 24(2),13(5),8(3),6(5) 24(2),13(5),8(3),6(5)")
    assert GAME.touch(s, GAME.parse_move(s, "13/7 8/7")) == [12, 6, 7, 6]
    assert GAME.touch(s, GAME.parse_move(s, "13/6")) == [12, 6, 6, 5]
    alone = GAME.parse_state("X 6-1 3 1")
    assert [GAME.touch(alone, m) for m in GAME.legal(alone)] == [[2, 1, 1, 26]]


# -- compiled as interpreted -------------------------------------------------------------------------------------------------


def survey(addresses, number, out, values):
    """For each state: its moves, each with the state it leads to, behind their number; and its result, chances and estimate."""
    at = out
    for i in range(number):
        s = read_state(addresses + uint64(48 * i))
        count = 0
        top = at
        at += uint64(8)
        for m in native_moves(s):
            store(at, m)
            store(at + uint64(8), int64(order(s, m)))
            write_state(at + uint64(16), step(s, m))
            at += uint64(64)
            count += 1
        store(top, count)
        weights = 0
        for m, weight in native_chance(step(s, 0)):
            weights += m * weight
        result = verdict(step(s, 0))
        store_real(values + uint64(24 * i), float(weights))
        store_real(values + uint64(24 * i + 8), 0.0 if result == ONGOING else float(result))
        store_real(values + uint64(24 * i + 16), evaluate(s))
    return int64((at - out) >> 3)


def test_compiled_as_interpreted() -> None:
    """A move of 0 is played here as a pass wherever it may be legal: it hands the turn over."""
    sample = states(3, 800)
    kernel = Native(GAME).bind(survey, "int64(uint64, int64, uint64, uint64)")
    words = np.concatenate([GAME.layout.row(s) for s in sample])
    out, values = np.zeros(10**6, np.uint64), np.zeros((len(sample), 3))
    end = kernel(words.ctypes.data, len(sample), out.ctypes.data, values.ctypes.data)
    rows = iter(out[:end])
    for s, value in zip(sample, values, strict=True):
        found = [[next(rows) for _ in range(8)] for _ in range(int(next(rows)))]
        assert [int(row[0]) for row in found] == rules.moves(s)
        for m, hint, *after in found:
            assert GAME.layout.read(np.array(after)) == GAME.play(s, int(m))
            assert int(hint.view(np.int64)) == GAME.order(s, int(m))
        passed = GAME.child(s, rules.PASS)
        weights = sum(m * weight for m, weight in rules.chance(passed))
        assert value.tolist() == [weights, rules.result(passed) or 0, estimates.evaluate(s)]


# -- estimates ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        # On roll in an even race; further ahead; a gap less; one more off.
        ("X roll 6(5),5(5),4(5) 6(5),5(5),4(5)", None),
        ("X roll 6(5),5(5),3(5) 6(5),5(5),4(5)", "X roll 6(5),5(5),4(5) 6(5),5(5),4(5)"),
        ("X roll 6,5,4,2 6(5)", "X roll 6(2),4,1 6(5)"),
        ("X roll 6(3) 6(4)", "X roll 6(4) 6(4)"),
        # A blot that can be hit; one on the bar before five points and before two.
        ("X roll 13(5),6(10) 24(2),14,6(12)", "X roll 13(5),6(10) 24(2),11,6(12)"),
        ("X roll 8(3),6(3),5(3),4(2),3(2),2(2) bar,6(14)", "X roll 13(6),8(3),6(3),5(3) bar,6(14)"),
        # A prime of six before two checkers; of five.
        (
            "X roll 9(2),8(2),7(2),6(3),5(3),4(3) 24(2),6(13)",
            "X roll 12(2),8(2),7(2),6(3),5(3),4(3) 24(2),6(13)",
        ),
    ],
)
def test_what_is_better_is_worth_more(better: str, worse: str | None) -> None:
    value = GAME.evaluate(GAME.parse_state(better))
    assert value > (GAME.evaluate(GAME.parse_state(worse)) if worse else 0)


def test_a_gammon_in_sight_is_worth_more_than_a_win() -> None:
    assert GAME.evaluate(GAME.parse_state("X roll 2(2),1(2) bar(3),22(6),13(6)")) > 1.5
    assert GAME.evaluate(GAME.parse_state("O roll 2(2),1(2) bar(3),22(6),13(6)")) < -1.5
    assert 0.8 < GAME.evaluate(GAME.parse_state("X roll 2(2),1(2) 6(5),5(4),4(5)")) <= 1


def test_estimates_lie_between_the_results_and_turn_with_the_side() -> None:
    for s in states(4, 400):
        value = GAME.evaluate(s)
        assert isinstance(value, float)
        assert -3 < value < 3
        assert GAME.evaluate(s._replace(turn=1 - s.turn, dice=rules.ROLL)) == value


def winner_of(rng: random.Random, careful: int) -> int:
    """The points that the side which looks one move ahead wins against one that plays at random."""
    s: Any = GAME.start()
    while (value := GAME.result(s)) is None:
        if not GAME.is_chance(s) and s.turn == careful:
            after = [GAME.play(s, m) for m in GAME.legal(s)]
            s = min(after, key=lambda t: GAME.evaluate(t) if GAME.result(t) is None else GAME.result(t))
        else:
            s = next_state(s, rng)
    return value if s.turn == careful else -value


def test_one_look_ahead_with_the_estimate_beats_chance() -> None:
    rng = random.Random(5)
    points = [winner_of(rng, careful=i % 2) for i in range(12)]
    assert sum(p > 0 for p in points) >= 11
    assert sum(points) > 18
