"""python-chess drives the program: whole games, and the first start on a machine, when nothing is compiled yet."""

import sys

import chess
import chess.engine
import pytest

COMMAND = [sys.executable, "-m", "plyground", "uci"]
LIMITS = (
    chess.engine.Limit(depth=2),
    chess.engine.Limit(nodes=300),
    chess.engine.Limit(time=0.01),
    chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
)


def play(engine, number):
    """One game with a random number of random moves at its start; python-chess raises an error for anything out of order."""
    board, limit = chess.Board(), LIMITS[number % len(LIMITS)]
    while not board.is_game_over(claim_draw=number % 2 == 0) and board.ply() < 300:
        found = engine.play(board, limit, game=number, info=chess.engine.INFO_ALL, ponder=number % 3 == 0)
        assert found.move in board.legal_moves
        assert "score" in found.info
        board.push(found.move)
    return board


@pytest.mark.long
def test_a_hundred_games():
    with chess.engine.SimpleEngine.popen_uci(COMMAND) as engine:
        assert engine.id["name"].startswith("Plyground")
        engine.configure({"Hash": 4, "Skill Level": 3})
        boards = [play(engine, number) for number in range(100)]
    assert len({board.fen() for board in boards}) > 90
    assert sum(board.is_checkmate() for board in boards) > 10


@pytest.mark.long
def test_the_first_start_on_a_machine_is_in_time(monkeypatch, tmp_path):
    """With an empty cache, python-chess waits 10 seconds for each answer on top of the time of the move."""
    monkeypatch.setenv("PLYGROUND_CACHE", str(tmp_path))
    with chess.engine.SimpleEngine.popen_uci(COMMAND) as engine:
        board = chess.Board()
        for _ in range(8):
            found = engine.play(board, chess.engine.Limit(time=0.5), info=chess.engine.INFO_ALL)
            assert "score" in found.info
            board.push(found.move)
        assert engine.analyse(board, chess.engine.Limit(depth=4))["depth"] == 4  # this waits for the compiler
        engine.ping()


@pytest.mark.long
def test_analysis_of_several_lines_and_of_some_moves():
    with chess.engine.SimpleEngine.popen_uci(COMMAND) as engine:
        board = chess.Board()
        three = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
        assert [info["multipv"] for info in three] == [1, 2, 3]
        assert len({info["pv"][0] for info in three}) == 3
        asked = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
        found = engine.play(board, chess.engine.Limit(depth=3), root_moves=asked)
        assert found.move in asked
        with engine.analysis(board) as endless:
            for info in endless:
                if info.get("depth", 0) > 8:
                    break
        engine.configure({"Threads": 2, "Hash": 1})
        assert engine.play(board, chess.engine.Limit(time=0.05)).move in board.legal_moves
