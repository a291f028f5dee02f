"""Kalah: slow rules that carry seeds around a list, one by one, as the oracle; and values of small boards that others solved."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.check import check
from plyground.errors import GameError, TextError
from plyground.measure.perft import native

GAME = load("kalah")
# Few pits with many seeds go around the board several times; 7 pits of 18 fill a byte nearly to the brim.
SPECS = [
    "kalah",
    "kalah(empty_capture=1)",
    "kalah(pits=1, seeds=5)",
    "kalah(pits=2, seeds=30, empty_capture=1)",
    "kalah(pits=3, seeds=3)",
    "kalah(pits=7, seeds=18)",
    "kalah(pits=7, seeds=18, empty_capture=1)",
]
SHORT = 20  # seeds

# -- the slow rules: a board is a list, the mover's pits and store, then the other side's ----------------------------------------


def slow_play(board, pit, empty_capture):
    """The board after a move, seen by the same side; whether that side moves again; and the seeds taken from across."""
    board = list(board)
    pits = len(board) // 2 - 1
    own, theirs = pits, 2 * pits + 1  # the stores
    seeds, board[pit] = board[pit], 0
    at = pit
    while seeds:
        at = (at + 1) % len(board)
        if at != theirs:
            board[at] += 1
            seeds -= 1
    taken = 0
    if at < own and board[at] == 1:
        across = 2 * pits - at
        taken = board[across]
        if taken or empty_capture:
            board[own] += taken + 1
            board[at] = board[across] = 0
    rows = [range(own), range(own + 1, theirs)]
    if any(not any(board[i] for i in row) for row in rows):
        for row, store in zip(rows, (own, theirs), strict=True):
            for i in row:
                board[store] += board[i]
                board[i] = 0
    return board, at == own, taken


def slow_moves(board):
    return [pit for pit in range(len(board) // 2 - 1) if board[pit]]


def slow_perft(board, depth, empty_capture):
    if depth == 0:
        return 1
    n = 0
    for pit in slow_moves(board):
        after, again, _ = slow_play(board, pit, empty_capture)
        half = len(after) // 2
        n += slow_perft(after if again else after[half:] + after[:half], depth - 1, empty_capture)
    return n


def numbers(game, s):
    """The list of the slow rules, read from the text of a state."""
    *words, mover = game.format_state(s).replace("/", "").replace(",", " ").split()
    board = [int(n) for n in words]
    half = len(board) // 2
    return board if mover == "south" else board[half:] + board[:half]


def state_of(game, board, mover):
    """The state for the list of the slow rules."""
    half = len(board) // 2
    halves = [",".join(map(str, part[:-1])) + f" {part[-1]}" for part in (board[:half], board[half:])]
    return game.parse_state(" / ".join(halves if mover == 0 else halves[::-1]) + f" {game.sides[mover]}")


@st.composite
def games_and_states(draw):
    """A game and any way to spread its seeds in which it goes on."""
    game = load(draw(st.sampled_from(SPECS)))
    pits, total = game.parameters["pits"], game.margin
    cuts = sorted(draw(st.lists(st.integers(0, total), min_size=2 * pits + 1, max_size=2 * pits + 1)))
    board = [b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True)]
    assume(any(board[:pits]) and any(board[pits + 1 : -1]))
    return game, state_of(game, board, draw(st.integers(0, 1)))


# -- the rules beside the slow ones ---------------------------------------------------------------------------------------------


@settings(max_examples=300)
@given(games_and_states())
def test_any_state(given_):
    game, s = given_
    board = numbers(game, s)
    assert game.parse_state(game.format_state(s)) == s
    assert game.result(s) is None
    assert game.legal(s) == slow_moves(board)
    for m in game.legal(s):
        after = game.play(s, m)
        expected, again, taken = slow_play(board, m, game.parameters["empty_capture"])
        assert after.turn == (s.turn if again else 1 - s.turn)
        half = len(expected) // 2
        seen = expected if again else expected[half:] + expected[:half]
        assert numbers(game, after) == seen
        over = not any(seen[: half - 1])
        assert game.result(after) == (seen[half - 1] - seen[-1] if over else None)
        assert game.loud(s, m) == (again or taken > 0)
        assert game.order(s, m) == (2000 if again else 1000 + 10 * taken if taken else 0) + m


@settings(max_examples=100)
@given(games_and_states())
def test_evaluate_is_an_estimate(given_):
    game, s = given_
    assert abs(game.evaluate(s)) <= 8999


@pytest.mark.parametrize("spec", ["kalah", "kalah(pits=2, seeds=30, empty_capture=1)"])
def test_perft(spec):
    game = load(spec)
    board = numbers(game, game.start())
    counts = [slow_perft(board, depth, game.parameters["empty_capture"]) for depth in range(1, 7)]
    count = native(game)
    assert [count(game.start(), depth) for depth in range(1, 7)] == counts


@pytest.mark.parametrize("spec", ["kalah", pytest.param("kalah(pits=7, seeds=18, empty_capture=1)", marks=pytest.mark.long)])
def test_compiled_rules_agree(spec):
    assert check(load(spec), games=10).problems == []


# -- values of small boards: each line pits, seeds, empty_capture, the first player's margin with best play ----------------------

SOLVED = [tuple(int(n) for n in line.split()) for line in (DATA / "kalah" / "solved.txt").read_text().splitlines()]


def solve(game, s, low, high, known):
    """The margin for the side to move, exact within the window, or a bound beyond it; `known` keeps bounds."""
    value = game.result(s)
    if value is not None:
        return value
    at_least, at_most = known.get((s.mine, s.theirs), (-game.margin, game.margin))
    if at_least >= high or at_least == at_most:
        return at_least
    if at_most <= low:
        return at_most
    best, bar = -game.margin, low
    for m in sorted(game.moves(s), key=lambda m: -game.order(s, m)):
        after = game.play(s, m)
        again = after.turn == s.turn
        value = solve(game, after, bar, high, known) if again else -solve(game, after, -high, -bar, known)
        best, bar = max(best, value), max(bar, value)
        if bar >= high:
            break
    known[s.mine, s.theirs] = (best if best > low else at_least, best if best < high else at_most)
    return best


def value_of(pits, seeds, empty_capture):
    game = load(f"kalah(pits={pits}, seeds={seeds}, empty_capture={empty_capture})")
    return solve(game, game.start(), -game.margin, game.margin, {})


@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), [v for v in SOLVED if 2 * v[0] * v[1] <= SHORT])
def test_solved_values(pits, seeds, empty_capture, margin):
    assert value_of(pits, seeds, empty_capture) == margin


@pytest.mark.long
@pytest.mark.parametrize(("pits", "seeds", "empty_capture", "margin"), [v for v in SOLVED if 2 * v[0] * v[1] > SHORT])
def test_larger_solved_values(pits, seeds, empty_capture, margin):
    assert value_of(pits, seeds, empty_capture) == margin


# -- the rules by example -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        # The last seed in the own store: another turn.
        ("4,4,4,4,4,4 0 / 4,4,4,4,4,4 0 south", "3", "4,4,0,5,5,5 1 / 4,4,4,4,4,4 0 south"),
        # The last seed in an own empty pit takes those across with it.
        ("1,0,4,4,4,4 5 / 4,4,4,4,6,4 0 south", "1", "0,0,4,4,4,4 12 / 4,4,4,4,0,4 0 north"),
        # None across: it stays.
        ("1,0,4,4,4,4 5 / 4,4,4,4,0,4 6 south", "1", "0,1,4,4,4,4 5 / 4,4,4,4,0,4 6 north"),
        # Thirteen seeds come back to the pit they left: a capture with the seed that was sown across.
        ("0,0,13,1,0,0 5 / 5,5,5,2,5,5 2 south", "3", "1,1,0,2,1,1 10 / 6,6,6,0,6,6 2 north"),
        # Fourteen go past it.
        ("0,0,14,1,0,0 4 / 5,5,5,2,5,5 2 south", "3", "1,1,1,3,1,1 5 / 6,6,6,3,6,6 2 north"),
        # North's last seed goes home: south gets what lies in its row.
        ("1,2,0,0,0,0 20 / 0,0,0,0,0,1 24 north", "6", "0,0,0,0,0,0 23 / 0,0,0,0,0,0 25 north"),
        # The mover's own row empties: the other side gets its seeds.
        ("0,0,0,0,0,1 24 / 1,2,0,0,0,0 20 south", "6", "0,0,0,0,0,0 25 / 0,0,0,0,0,0 23 south"),
    ],
)
def test_examples(before, move, after):
    s = GAME.parse_state(before)
    assert GAME.format_state(GAME.play(s, GAME.parse_move(s, move))) == after


def test_empty_capture():
    game = load("kalah(empty_capture=1)")
    s = game.parse_state("1,0,4,4,4,4 5 / 4,4,4,4,0,4 6 south")
    assert game.format_state(game.play(s, 0)) == "0,0,4,4,4,4 6 / 4,4,4,4,0,4 6 north"


@pytest.mark.parametrize(("mover", "margin"), [("south", 2), ("north", -2)])
def test_result_is_for_the_side_to_move(mover, margin):
    s = GAME.parse_state(f"0,0,0,0,0,0 25 / 0,0,0,0,0,0 23 {mover}")
    assert GAME.result(s) == margin
    assert GAME.legal(s) == []


def test_a_decided_game_is_played_out():
    assert GAME.result(GAME.parse_state("0,0,0,0,0,1 40 / 1,0,0,0,0,0 6 south")) is None


@given(games_and_states())
def test_key_is_the_position_as_the_mover_sees_it(given_):
    game, s = given_
    assert game.key(s) == game.key(s._replace(turn=1 - s.turn))
    assume(s.mine != s.theirs)
    assert game.key(s) != game.key(s._replace(mine=s.theirs, theirs=s.mine))


# -- text -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "4,4,4,4,4,4 0 / 4,4,4,4,4,4 0",
        "4,4,4,4,4,4 0 / 4,4,4,4,4,4 0 east",
        "4,4,4,4,4,4 0 4,4,4,4,4,4 0 south",
        "4,4,4,4,4 4 / 4,4,4,4,4,4 0 south",
        "4,4,4,4,4,4 1 / 4,4,4,4,4,4 0 south",
        "4,4,4,4,4,-4 8 / 4,4,4,4,4,4 0 south",
        "4,4,4,4,4,300 0 / 4,4,4,4,4,4 0 south",
        "4,4,4,4,4,٤ 0 / 4,4,4,4,4,4 0 south",
        "0,0,0,0,0,0 20 / 4,4,4,4,4,4 4 south",
    ],
)
def test_bad_states(bad):
    with pytest.raises(TextError, match="is not a state of kalah") as caught:
        GAME.parse_state(bad)
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("bad", ["", "0", "7", "a", "-1", "1.0", "²"])
def test_bad_moves(bad):
    with pytest.raises(TextError, match="legal: 1, 2, 3, 4, 5, 6"):
        GAME.parse_move(GAME.start(), bad)


@pytest.mark.parametrize(
    ("given_", "told"),
    [
        ("pits=0", "pits=0 is out of range; pits must be 1 to 7"),
        ("pits=8", "pits=8 is out of range; pits must be 1 to 7"),
        ("seeds=0", "seeds must be 1 to 127"),
        ("pits=6, seeds=22", "2 \\* pits \\* seeds <= 255"),
        ("empty_capture=2", "empty_capture must be 0 or 1"),
    ],
)
def test_bad_parameters(given_, told):
    with pytest.raises(GameError, match=told):
        load(f"kalah({given_})")


def test_show():
    s = GAME.parse_state("1,2,3,4,5,6 7 / 0,1,0,2,0,10 7 north")
    assert GAME.show(s).splitlines() == [
        "      6   5   4   3   2   1",
        "     10   0   2   0   1   0   -> north",
        "  7                           7",
        "      1   2   3   4   5   6      south",
        "      1   2   3   4   5   6",
    ]


def test_board():
    s = GAME.parse_state("1,2,3,4,5,6 6 / 0,1,0,2,0,10 8 north")
    assert GAME.cells(s) == [1, 2, 3, 4, 5, 6, 6, 0, 1, 0, 2, 0, 10, 8]
    assert [GAME.touch(s, m) for m in GAME.legal(s)] == [[8], [10], [12]]


def test_moves_in_a_row():
    s = GAME.start()
    assert GAME.parse_moves(s, "36 21") == [2, 5, 1, 0]
