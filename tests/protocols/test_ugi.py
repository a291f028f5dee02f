"""UGI from the other program's side: transcripts, questions about the game, and moves of every game as single words."""

import io
import random

import pytest
from talking import Talk, parts

from plyground import Limit, Match, load
from plyground.play.report import Report
from plyground.protocols.ugi import UgiServer, move_of, word_of
from plyground.protocols.universal import Go

GAMES = ["2048", "backgammon", "checkers", "chess", "connect4", "draughts", "gomoku", "kalah", "nim", "othello", "tictactoe"]


def ugi(spec):
    """A server for a game."""
    talk = Talk(lambda source, target: UgiServer(source, target, load(spec)))
    talk.send("setoption name Hash value 1")
    return talk


def ready(talk):
    talk.ask("isready", until="readyok")
    while not talk.server.thinker.ready(1):
        pass


def response(talk, question):
    *_, said = talk.ask(f"query {question}", until="response")  # the engine may report that it is compiling
    return said.removeprefix("response ")


def test_a_transcript():
    talk = ugi("nim")
    *options, end = talk.ask("ugi", until="ugiok")
    assert options[:2] == ["id name Plyground 0.1.0", "id author the Plyground developers"]
    assert "option name Level type spin default 10 min 1 max 10" in options
    assert end == "ugiok"
    ready(talk)
    talk.send("uginewgame")
    ready(talk)
    assert talk.ask("position startpos", "query p1turn", until="response") == ["response true"]
    assert (response(talk, "gameover"), response(talk, "result")) == ("false", "none")
    *told, best = talk.ask("go movetime 100")
    assert best.split() == ["bestmove", best.split()[1]]  # exactly two words
    assert {"depth", "score", "nodes", "time", "nps"} <= set(parts(told[-1]))
    talk.send(f"position startpos moves {best.split()[1]}")
    assert response(talk, "p1turn") == "false"
    assert "ask p1turn, gameover, result" in talk.ask("query weather", until="info")[0]
    assert talk.close() == []


def test_what_is_lost_in_transmission_counts_on_a_clock_only():
    for ms in (1, 20, 100, 60_000):
        assert Go(["movetime", str(ms)], UgiServer.CLOCKS).limit(0, 50).budget() == (ms / 1000, ms / 1000)
    on_clock = Go(["p1time", "1000", "p2time", "9000", "p1inc", "10"], UgiServer.CLOCKS)
    assert on_clock.limit(0, 50).budget() == pytest.approx(Limit(clock=0.95, increment=0.01, overhead=0).budget())
    assert on_clock.limit(0, 0).budget() == pytest.approx(Limit(clock=1, increment=0.01, overhead=0).budget())


@pytest.mark.parametrize("spec", ["tictactoe", "nim"])
def test_two_engines_play_a_game_and_agree_on_its_end(spec):
    talks, game = [ugi(spec), ugi(spec)], load(spec)
    moves: list[str] = []
    position = "position startpos"
    for talk in talks:
        ready(talk)
    while response(talks[0], "gameover") == "false":
        mover = talks[len(moves) % 2]
        assert response(mover, "p1turn") == str(len(moves) % 2 == 0).lower()
        word = mover.ask("go p1time 1000 p2time 1000 p1inc 10 p2inc 10")[-1].split()[1]
        moves.append(word)
        position = f"position startpos moves {' '.join(moves)}"
        for talk in talks:
            talk.send(position)
    match = Match(game)
    for word in moves:
        match.play(game.parse_move(match.s, word))
    told = "draw" if match.winner is None else f"p{match.winner + 1}win"
    assert [response(talk, "result") for talk in talks] == [told, told]
    assert talks[0].ask("go depth 3")[-1] == "bestmove 0000"
    for talk in talks:
        assert talk.close() == []


@pytest.mark.parametrize("spec", GAMES)
def test_every_move_is_one_word_that_is_read_again(spec):
    game, dice = load(spec), random.Random(1)
    match = Match(game, seed=1)
    while match.result is None and len(match.moves) < 12:
        legal = match.legal()
        words = {word_of(game, match.s, m): m for m in legal}
        assert len(words) == len(legal)
        assert all(len(word.split()) == 1 and move_of(game, match.s, word) == m for word, m in words.items())
        match.play(dice.choice(legal))


@pytest.mark.parametrize("spec", GAMES)
def test_every_state_can_be_sent(spec):
    """A state is sent as words, in one line."""
    game, dice = load(spec), random.Random(2)
    talk = ugi(spec)
    match = Match(game, seed=2)
    while match.result is None and len(match.moves) < 12:
        match.play(dice.choice(match.legal()))
        talk.ask(f"position fen {game.format_state(match.s)}", "ugi", until="ugiok")
        assert game.identity(talk.server.position.s) == game.identity(match.s)
    assert talk.close() == []


def test_results_of_both_sides_and_repetition():
    talk = ugi("nim")
    last = load("nim")
    match = Match(last)
    words = []
    while match.result is None:
        words.append(word_of(last, match.s, match.legal()[-1]))
        match.play(match.legal()[-1])
    talk.send(f"position startpos moves {' '.join(words)}")
    assert response(talk, "gameover") == "true"
    assert response(talk, "result") == f"p{match.winner + 1}win"
    talk.close()
    talk = ugi("chess")
    back = "Nf3 Nf6 Ng1 Ng8 " * 2
    talk.send(f"position startpos moves {back}")
    assert (response(talk, "gameover"), response(talk, "result")) == ("true", "draw")
    talk.close()


def test_where_chance_is_to_move_it_rolls():
    talk = ugi("backgammon")
    word = talk.ask("position startpos", "go movetime 10")[-1].split()[1]
    game = load("backgammon")
    assert move_of(game, game.start(), word) in [m for m, _ in game.outcomes(game.start())]
    talk.ask(f"position startpos moves {word}", "ugi", until="ugiok")
    assert not game.is_chance(talk.server.position.s)
    assert talk.close() == []


@pytest.mark.parametrize(("heaps", "score"), [("0-1-1", "mate -2"), ("0-0-3", "mate 1")])
def test_wins_are_counted_in_plies(heaps, score):
    """Of two heaps with one stone each, whoever has to take one gets the other one taken."""
    talk = ugi("nim")
    ready(talk)
    assert parts(talk.ask(f"position fen {heaps}", "go depth 5")[-2])["score"] == score
    assert talk.close() == []


def test_a_level_is_a_limit_of_its_own():
    talk = ugi("tictactoe")
    ready(talk)
    talk.send("setoption name Level value 1")
    moves = {talk.ask("position startpos", "go p1time 60000 p2time 60000")[-1].split()[1] for _ in range(12)}
    assert len(moves) > 1  # level 1 varies
    assert talk.close() == []


def test_the_score_of_an_unfinished_iteration_is_a_lower_bound():
    game = load("nim")
    server = UgiServer(io.BytesIO(), io.BytesIO(), game)
    for partial, bound in ((True, " lowerbound"), (False, "")):
        report = Report(3, 4, 163, 10, 1.0, 0.0, (1,), partial=partial)
        assert server.info(game.start(), report).startswith(f"info depth 3 seldepth 4 multipv 1 score cp 163{bound} nodes 10")
