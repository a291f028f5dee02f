"""How the engine plays: mates and tactics in chess, threats in gomoku, games against weaker players."""

from __future__ import annotations

import random

import pytest

from here import DATA
from plyground.engine.engine import Engine
from plyground.play.limit import Limit
from plyground.play.match import Match
from plyground.rules.load import load
from plyground.score import proven
from plyground.solver.prover import Prover

TACTICS = [
    [part.strip() for part in line.split(";")]
    for line in (DATA / "chess" / "tactics.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def chess() -> Engine:
    return Engine("chess", memory=16, seed=0, evaluate="rules")


@pytest.mark.parametrize(("fen", "what", "best"), [t for t in TACTICS if t[1].startswith("mate")])
def test_mates_are_found(chess: Engine, fen: str, what: str, best: str) -> None:
    game = chess.game
    s = game.parse_state(fen)
    chess.forget()
    found = chess.analyse(s, Limit(nodes=1_000_000))
    assert found.plies is not None
    assert found.plies <= 2 * int(what.split()[1]) - 1
    assert game.format_move(s, found.move).rstrip("+#") in best.split()


@pytest.mark.parametrize(("fen", "what", "best"), [t for t in TACTICS if t[1] == "best"])
def test_tactics_are_seen(chess: Engine, fen: str, what: str, best: str) -> None:
    game = chess.game
    s = game.parse_state(fen)
    chess.forget()
    found = chess.analyse(s, Limit(nodes=150_000))
    assert game.format_move(s, found.move).rstrip("+#") in best.split()


def play(first: Engine | None, second: Engine | None, spec: str, seed: int, limit: Limit, most: int = 2000) -> Match:
    """A game of at most `most` plies between two players; None plays at random. Two random plies open it: games differ."""
    rng = random.Random(seed)
    match = Match(load(spec))
    players = (first, second)
    while match.result is None and len(match.moves) < most:
        if match.game.is_chance(match.s):
            match.roll(rng)
            continue
        player = players[match.turn]
        if player is None or len(match.moves) < 2:
            match.play(rng.choice(match.legal()))
        else:
            match.play(player.choose(match.s, limit, match.states[:-1]))
    return match


def points(strong: Engine, weak: Engine | None, spec: str, games: int, limit: Limit) -> float:
    """The points of the first player over a match in which each opening is played with both sides."""
    total = 0.0
    for i in range(games):
        first = i % 2 == 0
        match = play(*((strong, weak) if first else (weak, strong)), spec, i // 2, limit)
        winner = match.winner
        total += 0.5 if winner is None else float((winner == 0) == first)
    return total


@pytest.mark.parametrize(
    ("spec", "evaluate"),
    [
        ("checkers", "rules"),
        ("connect4", None),
        pytest.param("gomoku", None, marks=pytest.mark.long),
        ("kalah", "rules"),
        ("othello", None),
    ],
)
def test_a_few_games_against_random_are_won(spec: str, evaluate: str | None) -> None:
    assert points(Engine(spec, memory=4, seed=1, evaluate=evaluate), None, spec, 4, Limit(nodes=3000)) >= 3.5


@pytest.mark.long
@pytest.mark.parametrize("spec", ["checkers", "gomoku", "kalah", "othello"])
def test_full_strength_beats_random(spec: str) -> None:
    assert points(Engine(spec, memory=4, seed=1), None, spec, 100, Limit(nodes=5000)) >= 99


@pytest.mark.long
def test_full_strength_beats_random_at_backgammon() -> None:
    assert points(Engine("backgammon", memory=4, seed=1), None, "backgammon", 100, Limit(depth=1)) >= 90


@pytest.mark.long
@pytest.mark.parametrize("spec", ["checkers", "chess", "connect4", "gomoku", "kalah", "othello"])
def test_stronger_levels_beat_weaker_ones(spec: str) -> None:
    ten, five, one = (Engine(spec, memory=4, level=level, seed=level) for level in (10, 5, 1))
    limit = Limit(nodes=30_000)
    assert points(ten, five, spec, 20, limit) > 10
    assert points(five, one, spec, 20, limit) > 10


def scores_of_2048(player: Engine | None, limit: Limit, seeds: range, most: int) -> list[int]:
    """The points that a player reaches within `most` plies, tiles included."""
    return [play(player, None, "2048", seed, limit, most).s.score for seed in seeds]


@pytest.mark.long
def test_2048_is_better_than_random() -> None:
    """Random games are over within 800 plies; the engine's score is what it has by then."""
    ours = scores_of_2048(Engine("2048", memory=4, seed=0), Limit(depth=1), range(100), 800)
    theirs = scores_of_2048(None, Limit(depth=1), range(100), 800)
    assert sum(a > b for a, b in zip(ours, theirs, strict=True)) >= 99


@pytest.mark.long
def test_stronger_levels_are_better_at_2048() -> None:
    ten, five, one = (
        sum(scores_of_2048(Engine("2048", memory=4, level=level, seed=level), Limit(depth=2), range(20), 1500))
        for level in (10, 5, 1)
    )
    assert ten > five > one


@pytest.mark.long
def test_stronger_levels_are_better_at_backgammon() -> None:
    ten, five, one = (Engine("backgammon", memory=4, level=level, seed=level) for level in (10, 5, 1))
    assert points(ten, five, "backgammon", 200, Limit(depth=2)) > 100
    assert points(five, one, "backgammon", 100, Limit(depth=2)) > 50


@pytest.mark.long
def test_no_illegal_move_in_200_fast_games_of_chess() -> None:
    """`Match.play` refuses an illegal move."""
    engine = Engine("chess", memory=4, seed=2)
    for seed in range(200):
        match = play(engine, engine, "chess", seed, Limit(nodes=300))
        assert match.result is not None


# -- gomoku -------------------------------------------------------------------------------------------------------------------


def gomoku(black: str, white: str) -> Match:
    """A position with these stones, X to move if there are as many of both."""
    game = load("gomoku")
    cells = [["."] * 15 for _ in range(15)]
    for stones, mark in ((black, "X"), (white, "O")):
        for name in stones.split():
            cells[15 - int(name[1:])][ord(name[0]) - 97] = mark
    return Match(game, "/".join("".join(row) for row in cells))


@pytest.fixture(scope="module", params=["rules", pytest.param(None, marks=pytest.mark.long)])
def five(request: pytest.FixtureRequest) -> Engine:
    """Gomoku with the evaluation of its rules, and as it plays."""
    return Engine("gomoku", memory=16, seed=0, evaluate=request.param)


@pytest.fixture(scope="module")
def prover() -> Prover:
    return Prover("gomoku", memory=16)


@pytest.mark.parametrize(
    ("black", "white", "good"),
    [
        ("h8 i8 j8", "h3 d4", "f8 g8 k8 l8"),  # an open three in a row
        ("h8 h9 h10", "c3 m4", "h6 h7 h11 h12"),
        ("e5 f6 g7", "m2 c12", "c3 d4 h8 i9"),
        ("h8 i8 k8", "c3 m4", "g8 j8 l8"),  # X X _ X
        ("h8 j8 k8", "c3 m4", "g8 i8 l8"),
        ("g7 h8 j10", "c3 m4", "f6 i9 k11"),
        ("h8 i8 j8 k8", "g8 c3 d4", "l8"),  # a four with one end
        ("h8 i8 k8 l8", "c3 d4 m2", "j8"),  # a split four
    ],
)
def test_what_must_be_blocked_is_blocked(five: Engine, black: str, white: str, good: str) -> None:
    match = gomoku(black, white)
    assert match.side == "O"
    move = five.choose(match.s, Limit(nodes=40_000))
    assert match.game.format_move(match.s, move) in good.split()


@pytest.mark.parametrize(
    ("black", "white"),
    [
        ("h8 i8 j8 k8", "g8 c3 d4 e12"),  # five at once
        ("h8 i8 j8", "c3 d4 e12"),  # an open four
        ("h8 i8 k8", "c3 d12 m2"),  # the same through the gap
        ("h8 i8 j8 l9 l10", "g8 c3 d4 m2 b12"),  # four-three: k8 makes a four, the other row an open three
        ("f8 g8 h8 i9 i10", "e8 c3 d13 m2 b12"),
        ("h5 h6 h7 i8 j8", "h4 c3 d13 m2 b12"),
    ],
)
def test_won_positions_are_won(five: Engine, prover: Prover, black: str, white: str) -> None:
    match = gomoku(black, white)
    assert match.side == "X"
    found = five.analyse(match.s, Limit(nodes=300_000))
    assert found.score > 0
    assert proven(int(found.score))
    assert found.value == "win"
    assert prover.prove(match.s, Limit(nodes=200_000)).value == "win"
    defender = Engine("gomoku", memory=4, seed=1, evaluate="rules")
    while match.result is None:
        player = five if match.side == "X" else defender
        match.play(player.choose(match.s, Limit(nodes=100_000)))
    assert match.game.sides[match.winner] == "X"
