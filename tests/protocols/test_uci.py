"""UCI from the other program's side: transcripts, and one test for each thing that the protocol asks for."""

import random
import subprocess
import sys

import chess
import pytest
from talking import Talk, parts

from plyground import load
from plyground.protocols.uci import UciServer, uci_move, uci_word

MATED = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE = "7k/8/8/8/8/8/1r6/K7 w - - 0 1"
MATE_IN_ONE = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"
MATE_IN_TWO = "7k/8/5K2/8/8/8/8/Q7 w - - 0 1"
needs_chess = pytest.mark.long
"""Chess takes half a minute to compile; test_ugi.py and test_thinker.py test most of this with smaller games."""


def uci():
    """A server with the rules' own evaluation, whose kernel other tests use too."""
    talk = Talk(lambda source, target: UciServer(source, target, load("chess")))
    talk.send("setoption name EvalFile value rules", "setoption name Hash value 4")
    return talk


@pytest.fixture(scope="module")
def shared():
    talk = uci()
    talk.ask("isready", until="readyok")
    while not talk.server.thinker.ready(1):
        pass
    yield talk
    assert talk.close() == []


@pytest.fixture
def talk(shared):
    """An engine that is ready and plays a new game."""
    shared.send("ucinewgame")
    yield shared
    assert shared.ask("stop", "isready", until="readyok")[-1] == "readyok"


# -- without a search ----------------------------------------------------------------------------------------------------------


def test_the_handshake():
    talk = uci()
    assert talk.ask("uci", until="uciok") == [
        "id name Plyground 0.1.0",
        "id author the Plyground developers",
        "option name Hash type spin default 64 min 1 max 65536",
        "option name Threads type spin default 1 min 1 max 256",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Move Overhead type spin default 50 min 0 max 5000",
        "option name EvalFile type string default <empty>",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name UCI_LimitStrength type check default false",
        "option name UCI_Elo type spin default 2200 min 600 max 2200",
        "uciok",
    ]
    assert talk.close() == []


def test_the_handshake_needs_neither_the_compiler_nor_numpy():
    code = """
import sys
from plyground.cli import main
from plyground.protocols import server
def shut_down(server):
    sys.stderr.write(" ".join({"numpy", "numba", "llvmlite", "plyground.engine.engine"} & set(sys.modules)))
server.Server.shut_down = shut_down
from plyground.protocols.uci import UciServer
UciServer.shut_down = shut_down
sys.exit(main(["uci"]))
"""
    done = subprocess.run([sys.executable, "-c", code], input="uci\nquit\n", capture_output=True, text=True, check=True)
    assert done.stdout.endswith("uciok\n")
    assert done.stderr == ""


def test_moves_are_written_and_read_as_python_chess_does():
    game, dice = load("chess"), random.Random(3)
    for _ in range(6):
        board, s = chess.Board(), game.start()
        while not board.is_game_over() and board.ply() < 120 and game.result(s) is None:
            words = {uci_word(s, m): m for m in game.legal(s)}
            assert set(words) == {move.uci() for move in board.legal_moves}
            assert all(uci_move(s, word) == m for word, m in words.items())
            word = dice.choice(sorted(words))
            board.push_uci(word)
            s = game.play(s, words[word])


def test_castling_en_passant_and_promotion():
    talk = uci()
    talk.send("position fen r3k2r/P7/8/4pP2/8/8/8/R3K2R w KQkq e6 0 1 moves e1g1 e8c8 a7a8n")
    talk.ask("uci", until="uciok")
    server = talk.server
    assert server.game.format_state(server.position.s).startswith("N1kr3r/8/8/4pP2/8/8/8/R4RK1 b")
    talk.send("position fen r3k2r/P7/8/4pP2/8/8/8/R3K2R w KQkq e6 0 1 moves f5e6")
    talk.ask("uci", until="uciok")
    assert server.game.format_state(server.position.s).startswith("r3k2r/P7/4P3/8/8/8/8/R3K2R b")
    talk.close()


@pytest.mark.parametrize(
    ("position", "why"),
    [
        ("position fen rubbish", "is not a state of chess"),
        ("position startpos moves e2e4 e2e4", "'e2e4' is not a legal move here"),
        ("position startpos moves e2e4 Nf6", "'Nf6' is not a move; moves are written e2e4, e7e8q"),
        ("position startpos moves " + "e2e4 " * 20000, "at most 10,000 moves"),
        ("position", "a position is startpos or fen"),
    ],
)
def test_a_position_that_cannot_be_read_is_not_played_in(position, why):
    talk = uci()
    said = talk.ask(position, "go depth 1")
    assert why in said[0]
    assert said[-1] == "bestmove (none)"
    assert talk.close() == []


def test_positions_are_read_on_from_the_last_one():
    talk = uci()
    server = talk.server

    def states(line):
        talk.ask(line, "uci", until="uciok")
        return server.position.states

    game = ["e2e4", "e7e5", "g1f3", "b8c6"]
    longer = states(f"position startpos moves {' '.join(game)}")
    assert states(f"position startpos moves {' '.join(game[:2])}") == longer[:3]
    assert states(f"position startpos moves {' '.join(game)}") == longer
    other = states("position startpos moves e2e4 c7c5")
    assert (other[:2], len(other)) == (longer[:2], 3)
    assert len(states("position startpos")) == 1
    talk.close()


@pytest.mark.parametrize(("fen", "score"), [(MATED, "mate 0"), (STALEMATE, "cp 0")])
@pytest.mark.parametrize("go", ["go infinite", "go ponder wtime 1000 btime 1000", "go"])
def test_without_a_legal_move_the_answer_waits_for_stop_too(fen, score, go):
    talk = uci()
    said = talk.ask(f"position fen {fen}", go, "uci", until="uciok")
    assert [parts(line)["score"] for line in said[:-1] if line.startswith("info depth")] == [score]
    assert not [line for line in said if line.startswith("bestmove")]
    assert talk.ask("stop") == ["bestmove (none)"]
    assert talk.ask("go movetime 10")[-1] == "bestmove (none)"
    assert talk.close() == []


def test_a_wrong_option_is_told_and_changes_nothing():
    talk = uci()
    for line, why in (
        ("setoption name Hash value many", "Hash must be a whole number from 1 to 65536, not 'many'"),
        ("setoption name hash value 0", "Hash must be a whole number from 1 to 65536, not '0'"),
        ("setoption name UCI_LimitStrength value maybe", "UCI_LimitStrength must be true or false, not 'maybe'"),
        ("setoption name Contempt value 3", "there is no option 'Contempt'; the options are Hash, Threads"),
        ("setoption Hash 3", "an option is set like this: setoption name Hash value 64"),
        ("xyzzy", "there is no command 'xyzzy'"),
    ):
        talk.send(line)
        assert talk.until("info")[-1].startswith(f"info string {why}")
    assert talk.server.options["Hash"] == 4
    talk.send("joho setoption name MULTIPV value 3")  # unknown words before a command are skipped, and case does not count
    talk.ask("uci", until="uciok")
    assert talk.server.options["MultiPV"] == 3
    talk.close()


# -- searches ------------------------------------------------------------------------------------------------------------------


@needs_chess
@pytest.mark.parametrize(
    "go",
    [
        "go depth 3",
        "go depth 0",
        "go nodes 2000",
        "go nodes 0",
        "go movetime 20",
        "go movetime 0",
        "go wtime 1000 btime 1000 winc 10 binc 10",
        "go wtime -50 btime 100",
        "go btime 1000",
        "go wtime 300 btime 300 movestogo 2",
        "go mate 1",
        "go depth 2 searchmoves a2a3 h2h4",
        "go movetime many depth 2",
        "go depth 99999999999999999999 nodes 100",
        "go nodes 99999999999999999999999999 movetime 20",
    ],
)
def test_every_form_of_go_ends_with_a_score_and_a_move(talk, go):
    *told, best = talk.ask("position startpos", go)
    assert parts(told[-1])["score"]
    move = best.split()[1]
    assert move in [m.uci() for m in chess.Board().legal_moves]
    assert parts(told[-1])["pv"].split()[0] == move
    if "searchmoves" in go:
        assert move in ("a2a3", "h2h4")


@needs_chess
@pytest.mark.parametrize("fen", [ONE_MOVE, MATE_IN_ONE])
def test_an_endless_search_answers_only_after_stop(talk, fen):
    talk.send(f"position fen {fen}", "go infinite")
    talk.until("info")
    said = talk.ask("isready", until="readyok")
    assert not [line for line in said if line.startswith("bestmove")]
    *_, best = talk.ask("stop")
    assert chess.Move.from_uci(best.split()[1]) in chess.Board(fen).legal_moves


@needs_chess
def test_pondering_answers_after_ponderhit_or_stop(talk):
    talk.send(f"position fen {MATE_IN_ONE}", "go ponder movetime 30")
    talk.until("info")
    assert not [line for line in talk.ask("isready", until="readyok") if line.startswith("bestmove")]
    assert talk.ask("ponderhit")[-1].startswith("bestmove f1f8")
    for go in ("go ponder wtime 200 btime 200", "go ponder depth 2", "go ponder nodes 500", "go ponder movetime 1"):
        assert talk.ask("position startpos", go, "ponderhit")[-1].startswith("bestmove")
        assert talk.ask(go, "stop")[-1].startswith("bestmove")
    talk.send("ponderhit", "stop", "ponderhit")  # nobody is thinking


@needs_chess
def test_ponderhit_does_not_end_an_endless_search(talk):
    said = talk.ask("position startpos", "go infinite", "ponderhit", "isready", until="readyok")
    assert not [line for line in said if line.startswith("bestmove")]
    assert talk.ask("stop")[-1].startswith("bestmove")


@needs_chess
def test_mates_are_counted_in_moves(talk):
    assert parts(talk.ask(f"position fen {MATE_IN_ONE}", "go depth 4")[-2])["score"] == "mate 1"
    assert parts(talk.ask(f"position fen {MATE_IN_TWO}", "go depth 8")[-2])["score"] == "mate 2"
    lost = chess.Board(MATE_IN_TWO)
    lost.push_uci(talk.ask("go mate 2")[-1].split()[1])
    assert parts(talk.ask(f"position fen {lost.fen()}", "go depth 8")[-2])["score"] == "mate -1"


@needs_chess
def test_a_report_has_all_its_parts_and_a_line_that_can_be_played(talk):
    info = parts(talk.ask("position startpos moves e2e4", "go depth 6")[-2])
    assert list(info) == ["depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "time", "pv"]
    assert (info["depth"], info["multipv"]) == ("6", "1")
    board = chess.Board()
    board.push_uci("e2e4")
    for word in info["pv"].split():
        board.push_uci(word)


@needs_chess
def test_several_lines(talk):
    told = talk.ask("setoption name MultiPV value 3", f"position fen {ONE_MOVE}", "go depth 2")[:-1]
    assert {parts(line)["multipv"] for line in told} == {"1"}
    told = talk.ask("position startpos", "go depth 4")[:-1]
    assert {parts(line)["multipv"] for line in told} == {"1", "2", "3"}
    assert parts(told[-1])["multipv"] == "1"
    assert len({parts(line)["pv"].split()[0] for line in told[-3:]}) == 3
    talk.send("setoption name MultiPV value 1")


@needs_chess
def test_the_history_counts(talk):
    """Going back gives the position for the third time."""
    line = "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1"
    assert parts(talk.ask(line, "go depth 5 searchmoves f6g8")[-2])["score"] == "cp 0"


@needs_chess
def test_draws_by_rule_are_played_on(talk):
    fifty = "7k/8/8/8/8/8/R7/K7 w - - 120 90"
    assert talk.ask(f"position fen {fifty} moves a2a3 h8g8", "go depth 2")[-1].startswith("bestmove")
    dead = "7k/8/8/8/8/8/8/K7 w - - 0 1"
    assert talk.ask(f"position fen {dead}", "go depth 2")[-1].split()[1] in ("a1a2", "a1b1", "a1b2")


@needs_chess
def test_options_may_be_set_while_it_searches(talk):
    talk.send("position startpos", "go infinite")
    talk.send("setoption name Hash value 1", "setoption name Clear Hash", "setoption name MultiPV value 2")
    talk.send("setoption name Threads value 2")
    assert talk.ask("stop")[-1].startswith("bestmove")
    assert talk.ask("go depth 2")[-1].startswith("bestmove")
    engine = talk.server.thinker._engine
    assert (engine.memory, engine.threads) == (1, 2)
    talk.send("setoption name Hash value 4", "setoption name Threads value 1", "setoption name MultiPV value 1")


@needs_chess
def test_a_net_that_is_not_there_is_told_and_the_engine_plays_on(talk):
    said = talk.ask("setoption name EvalFile value /no/such.net", "position startpos", "go depth 1")
    assert any("/no/such.net" in line for line in said[:-1])
    assert said[-1].startswith("bestmove")
    talk.send("setoption name EvalFile value rules")


@needs_chess
def test_a_second_go_ends_the_first(talk):
    said = talk.ask("position startpos", "go infinite", "go depth 1", "isready", until="readyok")
    said += talk.ask("stop", "isready", until="readyok")
    assert len([line for line in said if line.startswith("bestmove")]) == 2


@needs_chess
@pytest.mark.parametrize("option", ["Skill Level value 0", "Skill Level value 19", "UCI_Elo value 700", "UCI_Elo value 2050"])
def test_held_back_it_still_plays_legal_moves(talk, option):
    talk.send(f"setoption name UCI_LimitStrength value {str('Elo' in option).lower()}", f"setoption name {option}")
    board = chess.Board()
    for _ in range(4):
        *told, best = talk.ask(f"position fen {board.fen()}", "go wtime 5000 btime 5000")
        assert parts(told[-1])["score"]
        board.push_uci(best.split()[1])
    talk.send("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 20")
