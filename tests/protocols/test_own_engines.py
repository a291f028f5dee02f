"""Our own engine as an engine of another program: in the arena over each protocol, and driven by pydraughts."""

import random
import sys

import pytest

from plyground.cli import main
from plyground.records.store import Records

LONG = pytest.mark.long


@pytest.fixture
def program(tmp_path):
    """Makes a program that serves a protocol."""

    def make(word):
        path = tmp_path / f"pbrain-{word}"
        path.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m plyground {word}\n")
        path.chmod(0o755)
        return path

    return make


@pytest.mark.parametrize(
    ("word", "spec", "options", "reasons"),
    [
        pytest.param("nboard", "othello", ",depth=2", {"rules"}, marks=LONG),
        pytest.param("nboard", "othello", ",time=0.05", {"rules"}, marks=LONG),
        pytest.param("gomocup", "gomoku", ",time=0.2", {"rules"}, marks=LONG),
        pytest.param("gomocup", "gomoku(size=9, exact=1)", ",time=0.2,max_memory=400000000", {"rules"}, marks=LONG),
        pytest.param("hub", "draughts", ",time=0.1,memory=4,level=9", {"rules", "repetition"}, marks=LONG),
        pytest.param("hub", "draughts", ",nodes=1000", {"rules", "repetition"}, marks=LONG),
    ],
)
def test_our_engine_plays_in_the_arena_over_a_protocol(program, tmp_path, word, spec, options, reasons):
    records = tmp_path / "games.db"
    players = [f"{word}:{program(word)}{options}", "random"]
    assert main(["arena", spec, *players, "--games", "2", "--workers", "1", "--records", str(records)]) == 0
    with Records(records) as kept:
        games = list(kept.games())
    assert len(games) == 2
    assert {game.reason for game in games} <= reasons, [game.more for game in games]
    assert sum(game.result for game in games) >= 1


@pytest.mark.long
@pytest.mark.parametrize("limit", [{"movetime": 0.05}, {"depth": 3}, {"nodes": 500}, {"time": 10.0, "inc": 0.1}])
def test_pydraughts_plays_games_with_our_engine(program, limit):
    """Two games against random moves: each side understands the other's positions and moves, and they agree on what is legal."""
    from draughts import Board
    from draughts.engine import HubEngine, Limit

    engine = HubEngine([str(program("hub"))])
    assert engine.variants == {"normal"}
    engine.init()
    for seed in range(2):
        dice, board = random.Random(seed), Board()
        while not board.is_over() and len(board.move_stack) < 150:
            if len(board.move_stack) % 2 == seed:
                found = engine.play(board, Limit(**limit), False)
                assert found.move.board_move in [move.board_move for move in board.legal_moves()]
                board.push(found.move)
            else:
                board.push(dice.choice(list(board.legal_moves())))
        assert board.is_over()
        engine.ping()
    engine.quit()
    assert engine.p.wait() == 0
    engine.p.stdin.close()
    engine.p.stdout.close()
