"""Othello: published perft counts, and slow rules that walk the rays of a board of letters as the oracle of everything else."""

from functools import cache

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.bits import popcount
from plyground.check import check
from plyground.errors import TextError
from plyground.games.othello import evaluate, notation
from plyground.games.othello.rules import PASS, State
from plyground.measure.perft import interpreted, native

GAME = load("othello")
SHORT = 30_000_000  # leaves

# -- the slow rules: a board is 64 letters, X, O or -, from a1 row by row -------------------------------------------------------


def slow_flips(board, square, side):
    other = "XO"[side == "X"]
    turned = []
    for file_step, row_step in [(f, r) for f in (-1, 0, 1) for r in (-1, 0, 1) if f or r]:
        file, row, passed = square % 8 + file_step, square // 8 + row_step, []
        while 0 <= file < 8 and 0 <= row < 8 and board[8 * row + file] == other:
            passed.append(8 * row + file)
            file, row = file + file_step, row + row_step
        if 0 <= file < 8 and 0 <= row < 8 and board[8 * row + file] == side:
            turned += passed
    return turned


def slow_moves(board, side):
    """The moves, a pass as 64; none where the game is over."""
    found = [square for square in range(64) if board[square] == "-" and slow_flips(board, square, side)]
    other = "XO"[side == "X"]
    passes = not found and any(board[square] == "-" and slow_flips(board, square, other) for square in range(64))
    return [PASS] if passes else found


def slow_play(board, side, m):
    if m != PASS:
        board = "".join(side if i == m or i in slow_flips(board, m, side) else c for i, c in enumerate(board))
    return board, "XO"[side == "X"]


def slow_margin(board, side):
    mine, theirs = board.count(side), 64 - board.count(side) - board.count("-")
    return 64 - 2 * theirs if mine > theirs else 2 * mine - 64 if mine < theirs else 0


def text(s):
    return GAME.format_state(s).split()


@st.composite
def boards(draw):
    """Any discs at all, thin or dense, whether or not a game leads there."""
    mine, theirs, gaps = (draw(st.integers(0, 2**64 - 1)) for _ in range(3))
    both = (mine | theirs) & (gaps if draw(st.booleans()) else 2**64 - 1)
    return State(mine & both, theirs & both & ~mine, draw(st.integers(0, 1)))


@st.composite
def played(draw):
    """A state that a game leads to, the end included."""
    s = GAME.start()
    for choice in draw(st.lists(st.integers(0, 59), max_size=70)):
        legal = GAME.legal(s)
        if not legal:
            break
        s = GAME.play(s, legal[choice % len(legal)])
    return s


# -- perft ----------------------------------------------------------------------------------------------------------------------

# Each line: a state, then ;D<depth> <leaves> for some depths. A pass is a ply; a game that ended earlier stays a leaf. The counts
# from the start are published ones, the others were made by the slow rules above.
COUNTS = [
    (state.strip(), int(depth), int(leaves))
    for line in (DATA / "othello" / "perft.txt").read_text().splitlines()
    for state, *counts in [line.split(";")]
    for depth, leaves in [count.removeprefix("D").split() for count in counts]
]


def state_of(name):
    return GAME.start() if name == "start" else GAME.parse_state(name)


@pytest.fixture(scope="module")
def perft():
    return native(GAME)


@pytest.mark.parametrize(("state", "depth", "leaves"), [c for c in COUNTS if c[2] <= SHORT])
def test_perft(perft, state, depth, leaves):
    assert perft(state_of(state), depth) == leaves


@pytest.mark.parametrize(("state", "depth", "leaves"), [c for c in COUNTS if c[2] <= 2000])
def test_perft_interpreted(state, depth, leaves):
    assert interpreted(GAME)(state_of(state), depth) == leaves


@pytest.mark.long
@pytest.mark.parametrize(("state", "depth", "leaves"), [c for c in COUNTS if c[2] > SHORT])
def test_deep_perft(perft, state, depth, leaves):
    assert perft(state_of(state), depth) == leaves


# -- the rules beside the slow ones ---------------------------------------------------------------------------------------------


@settings(max_examples=150)
@given(boards())
def test_any_board(s):
    board, side = text(s)
    assert GAME.parse_state(f"{board} {side}") == s
    expected = slow_moves(board, side)
    assert GAME.legal(s) == expected
    assert GAME.result(s) == (None if expected else slow_margin(board, side))
    for m in expected:
        after = GAME.play(s, m)
        assert text(after) == list(slow_play(board, side, m))
        assert after.turn == 1 - s.turn


@settings(max_examples=20)
@given(st.lists(st.integers(0, 59), min_size=70, max_size=70))
def test_whole_games(choices):
    s = GAME.start()
    board, side = text(s)
    for choice in choices:
        expected = slow_moves(board, side)
        assert GAME.legal(s) == expected
        if not expected:
            break
        m = expected[choice % len(expected)]
        s, (board, side) = GAME.play(s, m), slow_play(board, side, m)
        assert text(s) == [board, side]
    assert GAME.result(s) == slow_margin(board, side)


def test_compiled_rules_agree():
    assert check(GAME, games=10).problems == []


def test_start():
    s = GAME.start()
    assert [GAME.format_move(s, m) for m in GAME.legal(s)] == ["d3", "c4", "f5", "e6"]
    assert GAME.evaluate(s) == 0
    s = GAME.play(s, GAME.parse_move(s, "F5"))
    assert GAME.show(s).splitlines()[5] == "5 . . . X X X . ."
    assert GAME.show(s).splitlines()[-1] == "black X 4, white O 1"


def test_pass():
    s = GAME.parse_state("OX" + 62 * "-" + " X")
    assert GAME.result(s) is None
    assert [GAME.format_move(s, m) for m in GAME.legal(s)] == ["pass"]
    assert GAME.parse_move(s, "PASS") == GAME.parse_move(s, "--") == PASS
    s = GAME.play(s, PASS)
    assert GAME.format_state(s) == "OX" + 62 * "-" + " O"
    with pytest.raises(TextError, match="not a legal move here; legal: c1"):
        GAME.parse_move(s, "pass")
    s = GAME.play(s, GAME.parse_move(s, "c1"))
    assert GAME.result(s) == -64


def test_shortest_game():
    """White has lost every disc after nine plies; the empty squares count for black."""
    s = GAME.start()
    for m in GAME.parse_moves(s, "e6f4e3f6g5d6e7f5c5"):
        s = GAME.play(s, m)
    assert s.mine == 0
    assert popcount(s.theirs) == 13
    assert GAME.legal(s) == []
    assert GAME.result(s) == -64
    assert GAME.evaluate(s) == -6400


@pytest.mark.parametrize(
    ("state", "margin"),
    [
        (32 * "X" + 32 * "O" + " X", 0),
        (33 * "X" + 31 * "O" + " O", -2),
        (16 * "X" + 40 * "-" + 8 * "O" + " X", 48),
        (16 * "X" + 40 * "-" + 8 * "O" + " O", -48),
        (8 * "X" + 48 * "-" + 8 * "O" + " O", 0),
        (20 * "-" + 22 * "X" + 22 * "-" + " O", -64),
        (64 * "-" + " X", 0),
    ],
)
def test_margin(state, margin):
    s = GAME.parse_state(state)
    assert GAME.legal(s) == []
    assert GAME.result(s) == margin


def test_endgame_with_known_scores():
    """Six empty squares, with the published score of every move; solved by plain minimax over the rules."""
    s = GAME.parse_state("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X; H5:+6; G6:-2; F6:-4; H6:-10;")

    @cache
    def solve(s):
        value = GAME.result(s)
        return max(-solve(GAME.play(s, m)) for m in GAME.moves(s)) if value is None else value

    assert {GAME.format_move(s, m): -solve(GAME.play(s, m)) for m in GAME.legal(s)} == {"h5": 6, "g6": -2, "f6": -4, "h6": -10}


# -- symmetries, evaluation, ordering -------------------------------------------------------------------------------------------

SYMMETRIES = [
    lambda file, row: (file, row), lambda file, row: (7 - file, row), lambda file, row: (file, 7 - row),
    lambda file, row: (7 - file, 7 - row), lambda file, row: (row, file), lambda file, row: (7 - row, file),
    lambda file, row: (row, 7 - file), lambda file, row: (7 - row, 7 - file),
]  # fmt: skip


def moved(s, symmetry):
    """The state with each square where the symmetry puts it."""
    board, side = text(s)
    there = {}
    for square, c in enumerate(board):
        file, row = symmetry(square % 8, square // 8)
        there[8 * row + file] = c
    return GAME.parse_state("".join(there[i] for i in range(64)) + " " + side)


@settings(max_examples=60)
@given(st.one_of(boards(), played()))
def test_symmetries(s):
    images = [moved(s, symmetry) for symmetry in SYMMETRIES]
    assert {GAME.canonical(image) for image in images} == {min(images)}
    assert len({GAME.evaluate(image) for image in images}) == 1
    assert len({len(GAME.legal(image)) for image in images}) == 1


@given(boards())
def test_key_tells_discs_apart_but_not_colours(s):
    assert GAME.key(s) == GAME.key(s._replace(turn=1 - s.turn))
    assume(s.mine != s.theirs)
    assert GAME.key(s) != GAME.key(State(s.theirs, s.mine, s.turn))


@settings(max_examples=40)
@given(played(), st.lists(st.integers(0, 59), max_size=40))
def test_stable_discs_stay(s, choices):
    black, white = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
    safe = evaluate.stable_discs(black), evaluate.stable_discs(white)
    for choice in choices:
        legal = GAME.legal(s)
        if not legal:
            break
        s = GAME.play(s, legal[choice % len(legal)])
        black, white = (s.theirs, s.mine) if s.turn else (s.mine, s.theirs)
        assert safe[0] & ~black == 0
        assert safe[1] & ~white == 0


@pytest.mark.parametrize(
    ("discs", "safe"),
    [
        ("OX" + 62 * "-" + " X", 0),
        ("XXXO" + 60 * "-" + " X", 3),
        (8 * "X" + 56 * "-" + " X", 8),
        ("XXX-----" + "XX------" + "X-------" + 40 * "-" + " X", 6),
        ("XXX-----" + "-X------" + 48 * "-" + " X", 3),
    ],
)
def test_stable_count(discs, safe):
    assert popcount(evaluate.stable_discs(GAME.parse_state(discs).mine)) == safe


def test_evaluate_knows_corners():
    """The same discs, a corner held or the square diagonal to it: what an empty corner makes of an X square."""
    rest = 18 * "-" + "XOXO" + 4 * "-" + "OXOX" + 34 * "-"
    corner, x_square = (GAME.parse_state(start + rest[len(start) :] + " X") for start in ("X", 9 * "-" + "X"))
    bare = GAME.parse_state(rest + " X")
    assert GAME.evaluate(corner) > GAME.evaluate(bare) > GAME.evaluate(x_square)


@settings(max_examples=60)
@given(played())
def test_order_and_loud(s):
    corners = {0, 7, 56, 63}
    legal = GAME.legal(s)
    assert {m for m in legal if GAME.loud(s, m)} == corners & set(legal)
    if corners & set(legal):
        assert max(legal, key=lambda m: GAME.order(s, m)) in corners
    assert abs(GAME.evaluate(s)) <= 6400


def test_order_tries_squares_beside_an_empty_corner_late():
    s = GAME.parse_state("------------------O--------XO------OX--------------------------- X")
    names = sorted(GAME.legal(s), key=lambda m: -GAME.order(s, m))
    assert GAME.format_move(s, names[-1]) == "b2"


# -- text -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "moves"),
    [
        ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38;", "a2 a6 b1 c1 c6 c7 d7 d8 f7 g7"),
        ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X;", "a2 a7 b2 b7 f8 g1 g5 g7 h3 h4"),
        ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", "a4 b2 b5 b6 c2 c6 c7 d2 g2"),
        ("xxxoxxxxoxxxxxxxooxxxxxxoooxxxxxoooxxoo.ooooo...ooooooo.ooooooo. x", "f6 g6 h5 h6"),
    ],
)
def test_lines_of_endgame_files(line, moves):
    s = GAME.parse_state(line)
    assert sorted(GAME.format_move(s, m) for m in GAME.legal(s)) == moves.split()
    assert GAME.parse_state(GAME.format_state(s)) == s


BOARD = GAME.format_state(GAME.start()).split()[0]


@pytest.mark.parametrize(
    "bad", ["", BOARD, BOARD + " ?", BOARD + " XO", BOARD[1:] + " X", BOARD + "- X", "#" + BOARD[1:] + " X", BOARD + " X X"]
)
def test_bad_states(bad):
    with pytest.raises(TextError, match="is not a state of othello") as caught:
        GAME.parse_state(bad)
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("bad", ["", "a", "i1", "a9", "a0", "f55", "1f", "pas", "a1", "pass"])
def test_bad_moves(bad):
    with pytest.raises(TextError, match="legal: d3, c4, f5, e6"):
        GAME.parse_move(GAME.start(), bad)


@given(st.integers(0, 64))
def test_moves_as_text(m):
    assert notation.parse_move(None, notation.format_move(None, m)) == m


def test_board():
    assert "".join("-XO"[x] for x in GAME.cells(GAME.start())) == BOARD
