"""Chess: published perft counts, and python-chess as the oracle of everything else."""

from typing import Any

import chess as oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from here import DATA
from plyground import load
from plyground.errors import TextError
from plyground.games.chess import evaluate, notation, rules
from plyground.measure.perft import native

GAME = load("chess")
SHORT = 5_000_000  # leaves

# -- perft ----------------------------------------------------------------------------------------------------------------------

# Each line: a FEN, then ;D<depth> <leaves> for some depths.
COUNTS = [
    (fen.strip(), int(depth), int(leaves))
    for line in (DATA / "chess" / "perft.txt").read_text().splitlines()
    for fen, *counts in [line.split(";")]
    for depth, leaves in [count.removeprefix("D").split() for count in counts]
]


@pytest.fixture(scope="module")
def perft():
    return native(GAME)


@pytest.mark.parametrize(("fen", "depth", "leaves"), [c for c in COUNTS if c[2] <= SHORT])
def test_perft(perft, fen, depth, leaves):
    assert perft(GAME.parse_state(fen), depth) == leaves


@pytest.mark.long
@pytest.mark.parametrize(("fen", "depth", "leaves"), [c for c in COUNTS if c[2] > SHORT])
def test_deep_perft(perft, fen, depth, leaves):
    assert perft(GAME.parse_state(fen), depth) == leaves


# -- random games beside python-chess -------------------------------------------------------------------------------------------

STARTS = [
    oracle.STARTING_FEN,
    *sorted({fen for fen, _, _ in COUNTS}),
    "4k3/8/8/8/8/8/8/4KQ2 w - - 90 80",
    "8/4k3/8/8/3p1p2/8/4P3/4K3 w - - 0 1",
]


def uci(s, m):
    promoted = rules.LETTERS[m >> 12].lower() if m >> 12 else ""
    return notation.name(s, m & 63) + notation.name(s, m >> 6 & 63) + promoted


def value(b):
    """The result for the side to move, as the rules of this package have it: draws need no claim."""
    if b.is_checkmate():
        return -1
    drawn = b.is_stalemate() or b.is_insufficient_material() or b.halfmove_clock >= 100
    return 0 if drawn else None


def compare(s, b):
    """Everything that both know of a position."""
    assert GAME.result(s) == value(b)
    assert notation.format_state(s) == b.fen()
    assert GAME.parse_state(b.fen()) == s
    assert GAME.parse_state(b.fen(en_passant="fen")) == s
    assert evaluate.forced(s) == b.is_check()
    assert rules.turn(s) == (b.turn == oracle.BLACK)
    by_name = {uci(s, m): m for m in rules.moves(s)}
    assert len(by_name) == len(list(rules.moves(s)))
    assert by_name.keys() == {m.uci() for m in b.legal_moves}
    return by_name


WORTH = dict(zip(oracle.PIECE_TYPES, (1, 3, 3, 5, 9, 100), strict=True))


def best_exchange(b, move):
    """What a capture wins if either side may go on to take on its square, with any piece, or stop: by trying everything."""
    to = move.to_square

    def moved(b, square):
        after = b.copy(stack=False)
        after.set_piece_at(to, after.remove_piece_at(square))
        return after

    def best(b, side):
        takers = b.attackers(side, to)
        if b.attackers(not side, to):
            takers -= b.kings
        prize = WORTH[b.piece_type_at(to)]
        return max([0, *(prize - best(moved(b, square), not side) for square in takers)])

    return WORTH[b.piece_type_at(to) or oracle.PAWN] - best(moved(b, move.from_square), not b.turn)


def compare_move(s, m, b, move):
    """Everything that both know of a move."""
    san = b.san(move)
    assert notation.format_move(s, m) == san
    assert {notation.parse_move(s, text) for text in (san, move.uci(), san.rstrip("+#"), b.lan(move))} == {m}
    won = best_exchange(b, move) if b.is_capture(move) and not move.promotion else None
    assert bool(evaluate.loud(s, m)) == (move.promotion is not None or (won is not None and won >= 0))
    assert won is None or (evaluate.order(s, m) >= 1000) == (won >= 0)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(STARTS), st.lists(st.integers(0, 1 << 16), min_size=1, max_size=60))
def test_random_games(fen, choices):
    s, b = GAME.parse_state(fen), oracle.Board(fen)
    positions: dict[str, Any] = {}
    for choice in choices:
        by_name = compare(s, b)
        # The board, the side, the rights and a legal capture en passant: what repetition compares.
        assert positions.setdefault(rules.key(s), b.fen().split()[:4]) == b.fen().split()[:4]
        if value(b) is not None:
            break
        name = sorted(by_name)[choice % len(by_name)]
        compare_move(s, by_name[name], b, oracle.Move.from_uci(name))
        s = GAME.play(s, by_name[name])
        b.push_uci(name)
    assert len(set(map(tuple, positions.values()))) == len(positions)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "8/8/8/k2pP2K/8/8/8/8 w - d6 0 1", "8/8/8/8/k1Pp2R1/8/8/K7 b - c3 0 1"]),
    st.lists(st.integers(0, 2), max_size=40),
)
def test_repetition_by_key(fen, choices):
    s, b = GAME.parse_state(fen), oracle.Board(fen)
    keys = [rules.key(s)]
    for choice in choices:
        if value(b) is not None:
            break
        name = sorted(m.uci() for m in b.legal_moves)[: choice + 1][-1]
        s = GAME.play(s, notation.parse_move(s, name))
        b.push_uci(name)
        keys.append(rules.key(s))
        assert keys.count(keys[-1]) == max(n for n in range(1, len(keys) + 1) if n == 1 or b.is_repetition(n))


def test_a_capture_en_passant_that_opens_the_king_is_not_in_the_key():
    one, two = (GAME.parse_state(f"8/8/8/K2pP2r/8/8/8/4k3 w - {square} 0 1") for square in ("d6", "-"))
    assert one == two
    s = GAME.parse_state("4k3/3p4/8/K3P2r/8/8/8/8 b - - 0 1")
    assert notation.format_state(GAME.play(s, notation.parse_move(s, "d5"))) == "4k3/8/8/K2pP2r/8/8/8/8 w - - 0 2"


# -- the ends of a game ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        ("8/8/8/4k3/8/8/8/4K3 w - - 0 1", 0),
        ("8/8/8/4k3/8/8/8/4KB2 b - - 0 1", 0),
        ("8/8/8/4k3/8/8/8/4KN2 b - - 0 1", 0),
        ("8/8/8/4k3/8/8/8/4KNN1 b - - 0 1", None),
        ("8/8/8/4kn2/8/8/8/4KN2 b - - 0 1", None),
        ("8/8/8/4kn2/8/8/8/4KB2 b - - 0 1", None),
        ("B1B1b3/8/8/4k3/8/8/8/4KB2 w - - 0 1", 0),
        ("B7/8/8/4k3/8/8/8/4K1b1 w - - 0 1", None),
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", None),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 3 40", -1),
        ("7k/5Q2/8/8/8/8/8/4K3 b - - 3 40", 0),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 99 90", None),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 100 90", 0),
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 100 90", -1),
        ("R5k1/5pp1/8/8/8/8/8/4K3 b - - 100 90", 0),
        ("7k/5Q2/8/8/8/8/8/4K3 b - - 100 90", 0),
    ],
)
def test_results(fen, expected):
    assert GAME.result(GAME.parse_state(fen)) == expected


def test_mate_on_the_hundredth_ply():
    s = GAME.parse_state("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90")
    assert GAME.result(GAME.play(s, notation.parse_move(s, "Ra8#"))) == -1
    assert GAME.result(GAME.play(s, notation.parse_move(s, "Ra7"))) == 0


# -- what the search asks -------------------------------------------------------------------------------------------------------


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(STARTS), st.lists(st.integers(0, 1 << 16), max_size=30))
def test_evaluation_and_passing(fen, choices):
    s = GAME.parse_state(fen)
    for choice in choices:
        options = GAME.legal(s)
        child = GAME.play(s, options[choice % len(options)])
        if GAME.result(child) is not None:
            break
        s = child
    b = oracle.Board(notation.format_state(s))
    mirrored = GAME.parse_state(b.mirror().fen())
    assert evaluate.evaluate(s) == evaluate.evaluate(mirrored)
    assert abs(evaluate.evaluate(s)) < 9000
    assert sorted(evaluate.order(s, m) for m in GAME.legal(s)) == sorted(
        evaluate.order(mirrored, m) for m in GAME.legal(mirrored)
    )
    assert evaluate.may_pass(s) == (not b.is_check() and bool(b.occupied_co[b.turn] & ~(b.pawns | b.kings)))
    if not b.is_check():
        b.push(oracle.Move.null())
        assert notation.format_state(evaluate.passes(s)).split()[:4] == b.fen(en_passant="legal").split()[:4]
        assert abs(evaluate.evaluate(s) + evaluate.evaluate(evaluate.passes(s))) <= 2 * evaluate.TEMPO


def test_order_takes_the_best_first():
    s = GAME.parse_state("3q1rk1/2P2p2/1p6/n1p5/1P2n1b1/5P2/8/2QR3K w - - 0 1")
    names = [notation.format_move(s, m) for m in sorted(GAME.legal(s), key=lambda m: -evaluate.order(s, m))]
    assert names[:7] == ["cxd8=Q", "c8=Q", "Rxd8", "fxe4", "fxg4", "bxa5", "bxc5"]
    assert set(names[-7:]) == {"Qxc5", "c8=N", "c8=B", "c8=R", "cxd8=N", "cxd8=B", "cxd8=R"}


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("4k3/8/8/8/8/8/8/3QK3", "4k3/8/8/8/8/8/8/3RK3"),
        ("4k3/8/P7/8/8/8/8/4K3", "4k3/8/8/8/8/P7/8/4K3"),
        ("4k3/p7/8/8/8/8/P7/2B1KB2", "4k3/p7/8/8/8/8/P7/2B1KN2"),
        ("4k3/pp6/8/8/8/8/PP6/4K3", "4k3/pp6/8/8/8/P7/P7/4K3"),
        ("4k3/8/8/8/8/8/P7/4K1N1", "4k3/8/8/8/8/8/8/2N1K1N1"),
        ("k7/2K5/8/8/8/8/8/4BN2", "8/8/8/3k4/8/8/8/K3BN2"),
        ("7k/5K2/8/8/8/8/8/2B2N2", "k7/2K5/8/8/8/8/8/2B2N2"),
        ("r5k1/p4ppp/8/8/8/8/P4PPP/1R4K1", "r5k1/p4ppp/8/8/8/8/P4PPP/5RK1"),
        ("r2q1rk1/5ppp/8/8/8/8/5PPP/R2Q1RK1", "r2q1rk1/5ppp/8/8/8/4K3/5PPP/R2Q1R2"),
        ("r2q1rk1/5ppp/8/6N1/8/3B3Q/5PPP/R5K1", "r2q1rk1/5ppp/8/8/8/8/5PPP/RN3BKQ"),
    ],
)
def test_evaluation_knows(better, worse):
    one, two = (evaluate.evaluate(GAME.parse_state(f"{pieces} w - - 0 1")) for pieces in (better, worse))
    assert one > two


# -- text -----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR wb KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 00",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 x",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqK - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K- - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e4 0 1",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e3 0 2",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1",
        "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPPKPPP/RNBQ1BNR w q - 0 3",
        "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqxbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
        "4k3/8/8/8/8/8/8/8 w - - 0 1",
        "4k2k/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/P3K3 w - - 0 1",
        "p3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
        "8/8/8/3kK3/8/8/8/8 w - - 0 1",
    ],
)
def test_bad_states(text):
    with pytest.raises(ValueError):  # noqa: PT011
        notation.parse_state(text)


def test_clocks_may_be_left_out():
    assert notation.parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") == rules.start()


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (oracle.STARTING_FEN, "e4", "e2e4"),
        (oracle.STARTING_FEN, "e2-e4", "e2e4"),
        (oracle.STARTING_FEN, "Ngf3!?", "g1f3"),
        ("4k2r/8/8/8/8/8/8/R3K3 b k - 0 1", "0-0", "e8g8"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O+", "e1c1"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "e1c1"),
        ("3r4/4P3/8/k7/8/8/8/4K3 w - - 0 1", "exd8=Q+", "e7d8q"),
        ("3r4/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8N", "e7e8n"),
        ("8/8/8/1B6/2Pp1k2/8/8/4K3 b - c3 0 1", "dxc3", "d4c3"),
        ("4k3/8/8/8/1b6/2P5/1P6/4K3 w - - 0 1", "cxb4", "c3b4"),
        ("4k3/8/8/8/R6R/8/8/R3K3 w - - 0 1", "Ra4d4", "a4d4"),
        (oracle.STARTING_FEN, "nf3", "g1f3"),
        (oracle.STARTING_FEN, "NF3", "g1f3"),
        (oracle.STARTING_FEN, "E2E4", "e2e4"),
        (oracle.STARTING_FEN, "E4", "e2e4"),
        (oracle.STARTING_FEN, "e2 e4", "e2e4"),
        (oracle.STARTING_FEN, "E2 - E4", "e2e4"),
        ("4k2r/8/8/8/8/8/8/R3K3 b k - 0 1", "o-o", "e8g8"),
        ("4k2r/8/8/8/8/8/8/R3K3 b k - 0 1", "00", "e8g8"),
        ("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", "0-0-0", "e1c1"),
        ("3r4/4P3/8/k7/8/8/8/4K3 w - - 0 1", "E7 E8 Q", "e7e8q"),
        ("8/8/8/1B6/2Pp1k2/8/8/4K3 b - c3 0 1", "dxc3 e.p.", "d4c3"),
        ("4k3/8/8/8/8/2p5/1P6/B3K3 w - - 0 1", "bxc3", "b2c3"),  # not the bishop, which could not
        ("4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1", "BXC3", "a1c3"),
        ("4k3/8/8/8/8/8/8/B3K3 w - - 0 1", "bf6", "a1f6"),
    ],
)
def test_moves_as_people_write_them(fen, text, expected):
    s = notation.parse_state(fen)
    assert uci(s, notation.parse_move(s, text)) == expected


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        (oracle.STARTING_FEN, "e5"),
        (oracle.STARTING_FEN, "e1g1"),
        (oracle.STARTING_FEN, "O-O"),
        (oracle.STARTING_FEN, "--"),
        (oracle.STARTING_FEN, "i9"),
        (oracle.STARTING_FEN, ""),
        ("3r4/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8"),
        ("3r4/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8k"),
        ("4k3/8/8/8/R6R/8/8/4K3 w - - 0 1", "Rd4"),
        ("4k3/8/8/8/8/2p5/8/B3K3 w - - 0 1", "bxc3"),  # a pawn's move: there is no pawn
        ("4k3/8/8/3p4/8/5N2/8/4K3 w - - 0 1", "Nf3 d4"),  # two moves
        ("4k2r/8/8/8/8/8/8/R3K3 w Q - 0 1", "Kc1"),
    ],
)
def test_moves_that_are_none(fen, text):
    with pytest.raises(ValueError):  # noqa: PT011
        notation.parse_move(notation.parse_state(fen), text)


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/3NK3 w - - 0 1", 0),
        ("4k3/8/8/8/8/8/8/2B1K3 b - - 0 1", 0),
        ("4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", 0),  # both bishops on dark squares
        ("2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", None),  # one on each colour: a corner mate is possible
        ("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1", None),
        ("4k1n1/8/8/8/8/8/8/3NK3 w - - 0 1", None),
        ("4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 w - - 0 1", None),  # no mate is possible, but material alone does not tell
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", None),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 80", 0),
    ],
)
def test_draws_are_those_that_the_rules_name(fen, result):
    assert "FIDE Laws of Chess" in GAME.rule_text
    assert GAME.result(GAME.parse_state(fen)) == result


def test_a_score_sheet_is_read_as_it_is_written():
    s = GAME.start()
    for text in ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6", "1. e2 e4 e7 e5 2. g1 f3 b8-c6 3. BB5 A6"):
        assert [GAME.format_move(s, m) for m in GAME.parse_moves(s, text)[:1]] == ["e4"]
        after = s
        for m in GAME.parse_moves(s, text):
            after = GAME.play(after, m)
        assert GAME.format_state(after).startswith("r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq")


def test_which_of_two_is_asked():
    s = GAME.parse_state("4k3/8/8/8/R6R/8/8/4K3 w - - 0 1")
    with pytest.raises(TextError, match=r"which one: from a4 or h4\?"):
        GAME.parse_move(s, "Rd4")


def test_a_fen_of_four_fields_is_enough():
    assert notation.parse_state("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -") == rules.start()


def test_show_and_board():
    s = rules.play(rules.start(), notation.parse_move(rules.start(), "e4"))
    rows = [line.split() for line in GAME.show(s).splitlines()]
    assert rows[0] == ["8", *"rnbqkbnr"]
    assert rows[4] == ["4", *"....P..."]
    assert rows[8] == [*"abcdefgh"]
    assert [GAME.touch(s, GAME.parse_move(s, text)) for text in ("e5", "Nf6")] == [[12, 28], [6, 21]]
