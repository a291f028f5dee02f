"""Checkers against a slow generator on plain squares, its notation, its ends, and what the heuristics must keep.

Counts from known positions are in data/checkers/perft.txt, compiled against interpreted rules in test_games.py.
"""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import load
from plyground.errors import TextError
from plyground.games import checkers as rules

GAME = load("checkers")

# -- the slow rules: a board is a dict from (row, col) to "b", "w", "B" or "W" ---------------------------------------------------

PLACE = {n + 1: (n // 4, n % 4 * 2 + 1 - n // 4 % 2) for n in range(32)}
NUMBER = {place: n for n, place in PLACE.items()}
Board = dict[tuple[int, int], str]


def board_of(s):
    cells = GAME.cells(s)
    return {(row, col): rules.BOARD.piece(cells[8 * row + col]).letter for row, col in NUMBER if cells[8 * row + col]}


def state_of(board: Board, side: str):
    lists = [",".join(("K" if p.isupper() else "") + str(NUMBER[at]) for at, p in board.items() if p.lower() == c) for c in "wb"]
    return GAME.parse_state(f"{side.upper()}:W{lists[0]}:B{lists[1]}")


def directions(piece):
    return [(dr, dc) for dr in (1, -1) for dc in (-1, 1) if piece.isupper() or dr == {"b": 1, "w": -1}[piece]]


def slow_jumps(board: Board, path: list[tuple[int, int]], piece):
    """Each path of jumps that cannot be made longer; the piece itself has left the board."""
    row, col = path[-1]
    found = []
    for dr, dc in directions(piece):
        over, land = (row + dr, col + dc), (row + 2 * dr, col + 2 * dc)
        if board.get(over, piece).lower() != piece.lower() and land in NUMBER and land not in board:
            rest = {at: p for at, p in board.items() if at != over}
            found += slow_jumps(rest, [*path, land], piece)
    return found or [path]


def slow_moves(board: Board, side):
    """Each legal move, as the numbers of the squares it touches down on."""
    jumps, steps = [], []
    for at, piece in board.items():
        if piece.lower() != side:
            continue
        rest = {other: p for other, p in board.items() if other != at}
        jumps += [path for path in slow_jumps(rest, [at], piece) if len(path) > 1]
        targets = [(at[0] + dr, at[1] + dc) for dr, dc in directions(piece)]
        steps += [[at, to] for to in targets if to in NUMBER and to not in board]
    return sorted(tuple(NUMBER[at] for at in path) for path in jumps or steps)


def slow_play(board: Board, path, side):
    """The board after a move, the pieces between the squares it touches taken away."""
    places = [PLACE[n] for n in path]
    after = dict(board)
    piece = after.pop(places[0])
    for (row, col), (to_row, to_col) in itertools.pairwise(places):
        if abs(to_row - row) == 2:
            del after[(row + to_row) // 2, (col + to_col) // 2]
    after[places[-1]] = piece.upper() if places[-1][0] == {"b": 7, "w": 0}[side] else piece
    return after


@st.composite
def states(draw):
    """Any placement: men and kings of both sides, thin or crowded."""
    pieces = draw(st.lists(st.sampled_from("....bwBW"), min_size=32, max_size=32))
    board: Board = {}
    for n, piece in enumerate(pieces, 1):
        if piece != "." and sum(p.lower() == piece.lower() for p in board.values()) < 12:
            crowned = (piece == "w" and n <= 4) or (piece == "b" and n >= 29)
            board[PLACE[n]] = piece.upper() if crowned else piece
    return state_of(board, draw(st.sampled_from("bw")))


def random_game(seed, plies=200):
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
    board, side = board_of(s), "bw"[s.side]
    found = list(rules.moves(s))
    assert sorted(tuple(rules.squares(m)) for m in found) == slow_moves(board, side)
    assert len(set(found)) == len(found)
    for m in found:
        assert board_of(rules.play(s, m)) == slow_play(board, rules.squares(m), side)
    assert rules.forced(s) == any(m & rules.JUMP for m in found)
    assert rules.can_move(s) == bool(found)


@settings(max_examples=200)
@given(states())
def test_any_position_as_the_slow_rules_have_it(s):
    agrees_with_slow_rules(s)


@settings(max_examples=8)
@given(st.integers(0, 1 << 32))
def test_games_as_the_slow_rules_have_them(seed):
    for s in random_game(seed):
        agrees_with_slow_rules(s)


# -- symmetry: the board turned round with the colours changed is the same game --------------------------------------------------


def turned(s):
    board = {(7 - row, 7 - col): p.translate(str.maketrans("bwBW", "wbWB")) for (row, col), p in board_of(s).items()}
    return state_of(board, "wb"[s.side])


@settings(max_examples=60)
@given(states())
def test_turning_the_board_changes_nothing(s):
    other = turned(s)
    assert rules.evaluate(other) == rules.evaluate(s)
    paths = {tuple(rules.squares(m)): m for m in rules.moves(s)}
    mirrored = {tuple(33 - n for n in rules.squares(m)): m for m in rules.moves(other)}
    assert paths.keys() == mirrored.keys()
    for path, m in paths.items():
        assert rules.order(s, m) == rules.order(other, mirrored[path])
        assert rules.loud(s, m) == rules.loud(other, mirrored[path])


@settings(max_examples=60)
@given(states())
def test_what_is_good_for_one_is_bad_for_the_other(s):
    """But for having the move."""
    other = rules.State(s.theirs, s.mine, s.kings, 1 - s.side, s.quiet)
    assert rules.evaluate(s) + rules.evaluate(other) == 2 * 3
    assert rules.key(s) != rules.key(other)
    assert rules.key(s) == rules.key(s._replace(quiet=17))


def test_material_and_crowning_count():
    even, ahead, king = (GAME.parse_state(f"B:W{w}:B{b}") for w, b in (("22,23", "10,11"), ("22", "10,11"), ("22,23", "10,K11")))
    assert rules.evaluate(ahead) > rules.evaluate(king) > rules.evaluate(even)
    s = GAME.parse_state("B:W11,22:BK1,27")
    by_order = sorted(rules.moves(s), key=lambda m: rules.order(s, m))
    assert GAME.format_move(s, by_order[-1]) in ("27-31", "27-32")
    assert [rules.loud(s, m) for m in by_order] == [False, False, True, True]


# -- the rules by example --------------------------------------------------------------------------------------------------------


def moves_of(text):
    s = GAME.parse_state(text)
    return sorted(GAME.format_move(s, m) for m in GAME.legal(s))


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        ("B:W22:B17,11", ["17x26"]),  # a capture must be made
        ("B:W14:B18,1", ["1-5", "1-6", "18-22", "18-23"]),  # men do not capture backwards
        ("B:W14:BK18", ["18x9"]),  # kings do
        ("B:W26,27:B22", ["22x31"]),  # a man that is crowned stops
        ("B:W6,7,14,15:B2", ["2x11x18", "2x9x18"]),  # same ends, other pieces: the whole path is written
        ("B:W6,7,14,15:BK2", ["2x11x18x9x2", "2x9x18x11x2"]),  # a loop either way
        ("B:W6,14,22:B2", ["2x25"]),  # the ends are enough where nothing else has them
        ("B:W7,15:BK2", ["2x18"]),
        ("B:W15,22:BK18,6", ["18x11", "18x25"]),  # not only the largest
    ],
)
def test_captures(state, moves):
    assert moves_of(state) == moves


def test_moves_are_read_short_and_in_full():
    s = GAME.parse_state("B:W6,14,22:B2")
    (m,) = GAME.legal(s)
    for text in ("2x25", "2x9x18x25", "2-25", "2:25", " 2X25 "):
        assert GAME.parse_move(s, text) == m
    for text in ("2x9", "2x9x25", "2", "x", "", "2x18x25x9", "2x9-1-25"):
        with pytest.raises(TextError):
            GAME.parse_move(s, text)
    loop = GAME.parse_state("B:W6,7,14,15:BK2")
    with pytest.raises(TextError):
        GAME.parse_move(loop, "2x2")
    assert GAME.parse_move(loop, "2x9x18x11x2") != GAME.parse_move(loop, "2x11x18x9x2")


def test_an_opening_as_it_is_written():
    s = GAME.start()
    for m in GAME.parse_moves(s, "11-15 23-19 8-11 22-17 11-16 24-20 16x23 27x11 7x16 20x11"):
        s = GAME.play(s, m)
    assert GAME.format_state(s) == "B:W11,17,21,25,26,28,29,30,31,32:B1,2,3,4,5,6,9,10,12"


@settings(max_examples=60)
@given(states(), st.integers(0, 79))
def test_texts_come_back(s, quiet):
    s = s._replace(quiet=quiet)
    assert GAME.parse_state(GAME.format_state(s)) == s
    for m in GAME.legal(s):
        assert GAME.parse_move(s, GAME.format_move(s, m)) == m
        assert GAME.parse_move(s, "-".join(map(str, rules.squares(m)))) == m


@pytest.mark.parametrize(
    "text",
    [
        *("", "B", "B:W1:B2", "B:W9:W10", "B:W9:B9", "B:W9,9:B1", "B:W33:B1", "B:W0:B1", "X:W9:B1", "B:W9:B29", "B:W4:B1"),
        *("B:W9:B1:H81", "B:W9:B1:H", "B:W9,:B1", "B:WK:B1", "B:WKK9:B1", "B:W9K:B1", "B:W9:B1:B2", "W9:B1", "B:9:1"),
        "B:W" + ",".join(map(str, range(20, 33))) + ":B1",
    ],
)
def test_bad_positions_are_refused(text):
    with pytest.raises(TextError):
        GAME.parse_state(text)


def test_positions_are_read_generously():
    s = GAME.parse_state("W:B12,16:WK10,18,24")
    assert GAME.format_state(s) == "W:WK10,18,24:B12,16"
    assert GAME.parse_state(" w:wk10, 18,24:b12,16:h0. ") == s


# -- how games end ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["B:W16,19:B12", "B:W9:B", "W:W5,9:B1,2,6:H80"])
def test_a_side_that_cannot_move_has_lost(state):
    s = GAME.parse_state(state)
    assert GAME.result(s) == -1
    assert GAME.legal(s) == []


def test_eighty_quiet_plies_are_a_draw():
    s = GAME.parse_state("B:WK32,13:BK1:H78")
    s = GAME.play(s, GAME.parse_move(s, "1-6"))
    assert GAME.format_state(s) == "W:W13,K32:BK6:H79"
    assert GAME.result(s) is None
    assert GAME.result(GAME.play(s, GAME.parse_move(s, "32-27"))) == 0
    assert GAME.format_state(GAME.play(s, GAME.parse_move(s, "13-9"))) == "B:W9,K32:BK6"
    s = GAME.parse_state("W:WK10:BK6,22:H79")
    assert GAME.format_state(GAME.play(s, GAME.parse_move(s, "10x1"))) == "B:WK1:B22"
    assert GAME.repetition == 3


# -- drawn -----------------------------------------------------------------------------------------------------------------------


def test_the_board_is_drawn_with_its_numbers():
    assert GAME.show(GAME.parse_state("B:W21,K4:BK6,12")).splitlines() == [
        "  .   .   .   W     1  2  3  4",
        ".   B   .   .       5  6  7  8",
        "  .   .   .   b     9 10 11 12",
        ".   .   .   .      13 14 15 16",
        "  .   .   .   .    17 18 19 20",
        "w   .   .   .      21 22 23 24",
        "  .   .   .   .    25 26 27 28",
        ".   .   .   .      29 30 31 32",
        "",
        "black 2, white 2",
    ]
    cells = GAME.cells(GAME.start())
    assert (cells[:8], cells[56:]) == ([0, 1] * 4, [3, 0] * 4)
    assert rules.BOARD.names[8:16] == ["5", "", "6", "", "7", "", "8", ""]


def test_a_capture_is_touched_along_its_path():
    s = GAME.parse_state("B:W18,26,27:B15")
    assert [[rules.BOARD.names[cell] for cell in GAME.touch(s, m)] for m in GAME.legal(s)] == [["15", "22", "31"]]
