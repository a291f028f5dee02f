"""Draughts against a slow generator on plain squares, its notation, its ends, and what the heuristics must keep.

Counts from known positions are in data/draughts/perft.txt, compiled against interpreted rules in test_games.py.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import load
from plyground.errors import TextError
from plyground.games import draughts as rules

GAME = load("draughts")

# -- the slow rules: a board is a dict from (row, col) to "b", "w", "B" or "W" ---------------------------------------------------

PLACE = {n + 1: (n // 5, n % 5 * 2 + 1 - n // 5 % 2) for n in range(50)}
NUMBER = {place: n for n, place in PLACE.items()}
DIAGONALS = [(dr, dc) for dr in (1, -1) for dc in (-1, 1)]
Board = dict[tuple[int, int], str]


def board_of(s):
    cells = GAME.cells(s)
    return {(row, col): rules.BOARD.piece(cells[10 * row + col]).letter for row, col in NUMBER if cells[10 * row + col]}


def state_of(board: Board, side: str):
    lists = [",".join(("K" if p.isupper() else "") + str(NUMBER[at]) for at, p in board.items() if p.lower() == c) for c in "wb"]
    return GAME.parse_state(f"{side.upper()}:W{lists[0]}:B{lists[1]}")


def ray(at, way):
    """The squares from `at` to the edge."""
    row, col = at
    while (row + way[0], col + way[1]) in NUMBER:
        row, col = row + way[0], col + way[1]
        yield row, col


def slow_captures(board: Board, at, piece, taken):
    """Each (end, captured squares) that the piece can reach from `at`; it has left the board, what it has taken has not."""
    found = [(at, taken)] if taken else []
    for way in DIAGONALS:
        line = list(ray(at, way))
        near = next((i for i, place in enumerate(line) if place in board), len(line))
        if (near > 0 and piece.islower()) or near == len(line):
            continue
        victim = line[near]
        if board[victim].lower() == piece.lower() or victim in taken:
            continue
        for land in line[near + 1 : near + 2] if piece.islower() else line[near + 1 :]:
            if land in board:
                break
            found += slow_captures(board, land, piece, taken | {victim})
    return found


def slow_moves(board: Board, side):
    """The legal moves, as (from, to, captured), in the numbers of the squares."""
    captures: set[Any] = set()
    steps: set[Any] = set()
    for at, piece in board.items():
        if piece.lower() != side:
            continue
        rest = {other: p for other, p in board.items() if other != at}
        captures |= {(at, to, taken) for to, taken in slow_captures(rest, at, piece, frozenset())}
        for way in DIAGONALS:
            if piece.isupper() or way[0] == {"b": 1, "w": -1}[side]:
                for to in list(ray(at, way))[: None if piece.isupper() else 1]:
                    if to in board:
                        break
                    steps.add((at, to, frozenset()))
    most = max((len(taken) for _, _, taken in captures), default=0)
    legal = {c for c in captures if len(c[2]) == most} or steps
    return {(NUMBER[at], NUMBER[to], frozenset(NUMBER[p] for p in taken)) for at, to, taken in legal}


def slow_play(board: Board, move, side):
    at, to, taken = PLACE[move[0]], PLACE[move[1]], {PLACE[n] for n in move[2]}
    after = {place: p for place, p in board.items() if place not in taken}
    piece = after.pop(at)
    after[to] = piece.upper() if to[0] == {"b": 9, "w": 0}[side] else piece
    return after


def squares(m):
    """A move as (from, to, captured), in the numbers of the squares."""
    captured = frozenset(n + 1 for n in range(50) if m >> 12 + n & 1)
    return rules.DARK.number(m >> 6 & 63), rules.DARK.number(m & 63), captured


@st.composite
def states(draw):
    """Any placement: men and kings of both sides, thin or crowded."""
    kinds = draw(st.sampled_from(["......bw", "....bwBW", ".......bwW", ".......bbwB", "...bw"]))
    pieces = draw(st.lists(st.sampled_from(kinds), min_size=50, max_size=50))
    board: Board = {}
    for n, piece in enumerate(pieces, 1):
        if piece != "." and sum(p.lower() == piece.lower() for p in board.values()) < 20:
            crowned = (piece == "w" and n <= 5) or (piece == "b" and n >= 46)
            board[PLACE[n]] = piece.upper() if crowned else piece
    return state_of(board, draw(st.sampled_from("bw")))


def random_game(seed, plies=300):
    """The states of a game of random moves."""
    rng = random.Random(seed)
    s = GAME.start()
    for _ in range(plies):
        yield s
        legal = GAME.legal(s)
        if not legal:
            return
        s = GAME.play(s, rng.choice(legal))


def agrees_with_slow_rules(s):
    board, side = board_of(s), "wb"[s.side]
    found = list(rules.moves(s))
    assert {squares(m) for m in found} == slow_moves(board, side)
    assert len(set(found)) == len(found)
    for m in found:
        assert board_of(rules.play(s, m)) == slow_play(board, squares(m), side)
    assert rules.forced(s) == any(m >> 12 for m in found)
    assert rules.can_move(s) == bool(found)


@settings(max_examples=200)
@given(states())
def test_any_position_as_the_slow_rules_have_it(s):
    agrees_with_slow_rules(s)


@settings(max_examples=6)
@given(st.integers(0, 1 << 32))
def test_games_as_the_slow_rules_have_them(seed):
    for s in random_game(seed):
        agrees_with_slow_rules(s)


# -- symmetry: the board turned round with the colours changed is the same game --------------------------------------------------


def turned(s):
    board = {(9 - row, 9 - col): p.translate(str.maketrans("bwBW", "wbWB")) for (row, col), p in board_of(s).items()}
    return state_of(board, "bw"[s.side])


@settings(max_examples=60)
@given(states())
def test_turning_the_board_changes_nothing(s):
    other = turned(s)
    assert rules.evaluate(other) == rules.evaluate(s)
    found = {squares(m): m for m in rules.moves(s)}
    mirrored = {(51 - a, 51 - b, frozenset(51 - n for n in taken)): m for (a, b, taken), m in zip(*named(other), strict=True)}
    assert found.keys() == mirrored.keys()
    for name, m in found.items():
        assert rules.order(s, m) == rules.order(other, mirrored[name])
        assert rules.loud(s, m) == rules.loud(other, mirrored[name])


def named(s):
    """The names of the moves, and the moves."""
    found = list(rules.moves(s))
    return [squares(m) for m in found], found


@settings(max_examples=60)
@given(states())
def test_what_is_good_for_one_is_bad_for_the_other(s):
    """But for having the move."""
    other = rules.State(s.theirs, s.mine, s.kings, 1 - s.side, s.quiet)
    assert rules.evaluate(s) + rules.evaluate(other) == 2 * 3
    assert rules.key(s) != rules.key(other)
    assert rules.key(s) == rules.key(s._replace(quiet=7))


def test_material_and_crowning_count():
    texts = ("W:W32,33:B18,19", "W:W32,33,34:B18,19", "W:W32,K33:B18,19", "W:WK32,K33:BK18", "W:WK32,33,34:BK18,2")
    even, man, king, hopeless, hopeful = (rules.evaluate(GAME.parse_state(text)) for text in texts)
    assert even < man < king
    assert 0 < hopeless < hopeful  # two kings do not catch a third
    s = GAME.parse_state("W:WK50,6:B20")
    assert GAME.format_move(s, max(rules.moves(s), key=lambda m: rules.order(s, m))) == "6-1"
    assert [GAME.format_move(s, m) for m in rules.moves(s) if rules.loud(s, m)] == ["6-1"]


# -- the rules by example --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        ("W:W28:B33", ["28x39"]),  # men capture backwards
        ("W:W32,35:B28,30,19", ["32x14", "35x13"]),  # two are more than one, whoever takes them
        ("W:W36,K45:B31,34", ["36x27", "45x1", "45x12", "45x18", "45x23", "45x29", "45x7"]),  # a king stops where it likes
        ("W:WK46:B28,23", ["46-32", "46-37", "46-41"]),  # no jump over two in a row
        ("W:WK22:B7,11,30,32,33", ["22x25"]),  # 30 blocks the way to a third piece until the move is over
        ("W:W28:B12,13,22,23", ["28x28"]),  # round a loop: one move, whichever way
        ("W:WK43:B12,15,20,23,38", ["43x21x3x25", "43x32x14x25"]),  # same ends, other pieces: the whole path is written
        ("W:W13:B7,8", ["13x11"]),
    ],
)
def test_moves(state, moves):
    s = GAME.parse_state(state)
    assert sorted(GAME.format_move(s, m) for m in GAME.legal(s)) == moves


def after(state, move):
    s = GAME.parse_state(state)
    return GAME.play(s, GAME.parse_move(s, move))


@pytest.mark.parametrize(
    ("state", "move", "wanted"),
    [
        ("W:W13:B7,8,30", "13x11", "B:W11:B30"),  # over the last row and back: still a man
        ("W:W13:B8,30", "13x2", "B:WK2:B30"),
        ("B:W20,42:B38,1", "38x47", "W:W20:B1,K47"),
        ("B:W20:B45,1", "45-50", "W:W20:B1,K50"),
    ],
)
def test_a_man_is_crowned_where_its_move_ends(state, move, wanted):
    assert GAME.format_state(after(state, move)) == wanted


def test_moves_are_read_short_and_in_full():
    s = GAME.parse_state("W:WK46:B28,14")
    m = GAME.parse_move(s, "46x5")
    for text in ("46x23x5", "46x19x5", "46-5", "46:5", " 46X5 "):
        assert GAME.parse_move(s, text) == m
    for text in ("46x23", "46x41x5", "46x23x19x5", "46", "x", "", "46x5x5"):
        with pytest.raises(TextError):
            GAME.parse_move(s, text)
    s = GAME.parse_state("W:WK43:B12,15,20,23,38")
    with pytest.raises(TextError):
        GAME.parse_move(s, "43x25")
    assert GAME.parse_move(s, "43x21x3x25") != GAME.parse_move(s, "43x32x14x25")
    loop = GAME.parse_state("W:W28:B12,13,22,23")
    assert GAME.parse_move(loop, "28x17x8x19x28") == GAME.parse_move(loop, "28x19x8x17x28") == GAME.parse_move(loop, "28x28")


def test_an_opening_as_it_is_written():
    s = GAME.start()
    for m in GAME.parse_moves(s, "32-28 19-23 28x19 14x23 37-32 10-14"):
        s = GAME.play(s, m)
    white, black = "31,32,33,34,35,36,38,39,40,41,42,43,44,45,46,47,48,49,50", "1,2,3,4,5,6,7,8,9,11,12,13,14,15,16,17,18,20,23"
    assert GAME.format_state(s) == f"W:W{white}:B{black}"


@settings(max_examples=60)
@given(states(), st.integers(0, 9))
def test_texts_come_back(s, quiet):
    s = s._replace(quiet=quiet)
    assert GAME.parse_state(GAME.format_state(s)) == s
    for m in GAME.legal(s):
        assert GAME.parse_move(s, GAME.format_move(s, m)) == m


@pytest.mark.parametrize(
    "text",
    [
        *("", "W", "W:W1:B2", "W:W9:W10", "W:W9:B9", "W:W9,9:B1", "W:W51:B1", "W:W0:B1", "X:W9:B1", "W:W9:B46", "W:W5:B1"),
        *("W:W9:B1:H51", "W:WK9:BK1:H11", "W:WK9:BK1,K2,K3:H33", "W:W9:B1:H", "W:W9,:B1", "W:WK:B1", "W:WKK9:B1", "W:9:1"),
        "W:W" + ",".join(map(str, range(30, 51))) + ":B1",
    ],
)
def test_bad_positions_are_refused(text):
    with pytest.raises(TextError):
        GAME.parse_state(text)


# -- how games end ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["W:W6:B1,7", "W:W36:B27,31", "W:W:B7", "W:W6:B1,7:H50"])
def test_a_side_that_cannot_move_has_lost(state):
    s = GAME.parse_state(state)
    assert GAME.result(s) == -1
    assert GAME.legal(s) == []


@pytest.mark.parametrize(
    ("state", "move", "quiet", "result"),
    [
        # 25 moves each with kings only
        ("W:WK46,K47,30:BK1,K2:H48", "46-41", 49, None),
        ("W:WK46,K47,30:BK1,K2:H49", "46-41", 50, 0),
        ("W:WK46,K47,30:BK1,K2:H49", "30-25", 0, None),
        ("W:WK46,K47,30:BK1,K2,23:H49", "46x5", 0, None),
        ("W:WK46,K47:BK1,K2:H40", "46-41", 41, None),
        # 16 moves each with three pieces against a king, whatever moves
        ("W:WK46,K47,K48:BK1:H30", "46-41", 31, None),
        ("W:WK46,K47,K48:BK1:H31", "46-41", 32, 0),
        ("B:WK46,K47,30:BK3:H31", "3-8", 32, 0),
        ("W:WK46,30,39:BK3:H31", "30-25", 32, 0),
        ("W:WK46,6,39:BK3:H5", "6-1", 6, None),
        ("W:W6,30,39:BK3:H5", "6-1", 0, None),
        ("W:WK46,K47,K48:BK5,41:H5", "46x37", 0, None),
        # 5 moves each with two pieces or one against a king
        ("W:WK46,30:BK3:H8", "30-25", 9, None),
        ("W:WK46,30:BK3:H9", "30-25", 10, 0),
        ("W:WK46:BK3:H9", "46-41", 10, 0),
        ("B:WK46,K37,K48:BK5:H20", "5x41", 0, None),
    ],
)
def test_draws(state, move, quiet, result):
    s = after(state, move)
    assert s.quiet == quiet
    assert GAME.result(s) == result


def test_a_position_that_comes_again_is_known():
    """The same pieces with the same side to move, whatever the counter says."""
    assert GAME.repetition == 3
    s = first = GAME.parse_state("W:WK47,40:BK4,6")
    for m in GAME.parse_moves(s, "47-42 4-10 42-47 10-4"):
        s = GAME.play(s, m)
    assert GAME.key(s) == GAME.key(first)
    assert s.quiet == 4


# -- drawn -----------------------------------------------------------------------------------------------------------------------


def test_the_board_is_drawn_with_its_numbers():
    lines = GAME.show(GAME.parse_state("W:W26,K5:BK7,15")).splitlines()
    assert lines[:4] == [
        "  .   .   .   .   W     1  2  3  4  5",
        ".   B   .   .   .       6  7  8  9 10",
        "  .   .   .   .   b    11 12 13 14 15",
        ".   .   .   .   .      16 17 18 19 20",
    ]
    assert lines[5] == "w   .   .   .   .      26 27 28 29 30"
    assert lines[-2:] == ["", "white 2, black 2"]
    cells = GAME.cells(GAME.start())
    assert (cells[:10], cells[90:]) == ([0, 3] * 5, [1, 0] * 5)
    assert rules.BOARD.names[10:20] == ["6", "", "7", "", "8", "", "9", "", "10", ""]


def test_a_capture_is_touched_along_one_of_its_ways():
    s = GAME.parse_state("W:WK46:B37,28,14")
    for m in GAME.legal(s):
        way = [int(rules.BOARD.names[cell]) for cell in GAME.touch(s, m)]
        assert way in rules.routes(s, m)
    assert len(GAME.legal(s)) > 1
