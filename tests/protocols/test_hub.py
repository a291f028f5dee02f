"""Hub 2: positions and moves, transcripts, what is refused, searches that are stopped, and other engines as players."""

import random
import sys

import pytest
from talking import Talk, canned_players

from here import DATA
from plyground import Limit, Match, load
from plyground.errors import PlygroundError, TextError
from plyground.play.report import Position
from plyground.players.player import HUNG, ILLEGAL, UNPARSABLE, ForfeitError
from plyground.protocols.hub import START, Hub, arguments, command_text, limit_of, read_move, read_state, write_move, write_state
from running import FOREVER

CANNED = f"hub:{sys.executable} {DATA / 'engines' / 'canned.py'} hub"
GAME = load("draughts")


# -- text ------------------------------------------------------------------------------------------------------------------


def test_positions_and_moves_are_read_as_they_are_written():
    dice, captures, kings = random.Random(4), 0, 0
    for _ in range(6):
        match = Match(GAME)
        while match.result is None and len(match.moves) < 120:
            s = match.s
            text = write_state(GAME, s)
            assert GAME.format_state(read_state(GAME, text)) == GAME.format_state(s).partition(":H")[0]
            m = dice.choice(GAME.legal(s))
            move = write_move(GAME, s, m)
            first, *others = move.split("x")
            assert read_move(GAME, s, "x".join([first, *others[:1], *dice.sample(others[1:], len(others[1:]))])) == m
            captures, kings = captures + len(others[1:]), kings + ("W" in text[1:] or "B" in text[1:])
            match.play(m)
    assert captures > 20
    assert kings > 20


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        ("W:W28:B23", {"28x19x23"}),
        ("W:WK46:B32", {"46x28x32", "46x23x32", "46x19x32", "46x14x32", "46x10x32", "46x5x32"}),
        ("B:W32,42:B28", {"28x48x32x42"}),
    ],
)
def test_a_capture_names_what_is_captured(state, moves):
    s = GAME.parse_state(state)
    assert {write_move(GAME, s, m) for m in GAME.legal(s)} == moves


@pytest.mark.parametrize("text", ["", "32-29", "32x28", "28x19", "32", "-", "32-28x3", "x", "99-98", "32-28 19-23"])
def test_moves_that_are_not_legal_are_refused(text):
    with pytest.raises(TextError):
        read_move(GAME, GAME.start(), text)


@pytest.mark.parametrize("text", ["", "W", START[1:], "X" + START[1:], START + "e", START.replace("w", "x"), "W" + 50 * "b"])
def test_positions_that_are_none_are_refused(text):
    with pytest.raises(TextError):
        read_state(GAME, text)


def test_arguments_are_read_as_they_are_written():
    given = {"name": "Old Dam", "empty": "", "score": "-0.5", "pv": "a=b c", "move-time": "1"}
    assert arguments(command_text("info", **given).partition(" ")[2]) == given
    assert arguments("  think  ") == {"think": ""}
    with pytest.raises(TextError, match="cannot be read"):
        arguments('moves="32-28')


@pytest.mark.parametrize(
    ("level", "limit"),
    [
        ("", Limit(infinite=True)),
        ("infinite", Limit(infinite=True)),
        ("depth=0", Limit(depth=1)),
        ("depth=7 nodes=9", Limit(depth=7, nodes=9)),
        ("move-time=2", Limit(time=2.0)),
        ("move-time=0", Limit(time=0.001)),
        ("move-time=-5", Limit(time=0.001)),
        ("time=60", Limit(clock=60.0)),
        ("time=60 inc=2", Limit(clock=62.0, increment=2.0)),
        ("time=-1 inc=2 moves=0", Limit(clock=1.0, increment=2.0)),
        ("moves=9 time=291.587 colour=red", Limit(clock=291.587, moves_left=9)),
        ("move-time=999999999999999", Limit(time=1e12)),
    ],
)
def test_levels(level, limit):
    assert limit_of(arguments(level)) == limit


@pytest.mark.parametrize("level", ["depth=many", "time=1e400", "move-time=nan", "inc=-", "nodes=1e3"])
def test_levels_that_are_none_are_refused(level):
    with pytest.raises(TextError, match="must be a number"):
        limit_of(arguments(level))


# -- the engine side -------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def without_net(monkeypatch, tmp_path):
    """The rules judge, whatever net comes with the game: other tests compile that too."""
    monkeypatch.setattr("plyground.nets.net_evaluation.SHIPPED", tmp_path)


@pytest.fixture
def talk():
    one = Talk(Hub)
    one.send("set-param name=memory value=4")
    yield one
    one.close()


def values(line):
    return arguments(line.partition(" ")[2])


def test_a_transcript(talk):
    told = talk.ask("hub", until="wait")
    assert told[0].startswith("id name=Plyground version=")
    assert "param name=variant value=normal type=enum values=normal" in told
    assert talk.ask("init", until="ready")[-1] == "ready"
    while not talk.server._thinker.ready(1):
        pass
    talk.send("new-game", f'pos pos={START} moves="32-28 19-23 28x19x23 14x23x19"', "level move-time=0.2")
    *infos, done = talk.ask("go think", until="done")
    last = values(infos[-1])
    assert {"depth", "score", "nodes", "time", "nps", "pv"} <= set(last)
    s = Match(GAME, moves="32-28 19-23 28x19 14x23").s
    m = read_move(GAME, s, values(done)["move"])
    read_move(GAME, GAME.play(s, m), values(done)["ponder"])
    assert last["pv"].split()[:2] == list(values(done).values())
    talk.send("quit")


def test_a_win_is_nearly_a_hundred_men(talk):
    won = "W" + "".join("w" if n == 27 else "b" if n == 22 else "e" for n in range(50))  # 28 takes 23, the last piece
    *infos, done = talk.ask(f"pos pos={won}", "level depth=5", "go think", until="done")
    assert values(infos[-1])["score"] == "99.99"
    assert values(done) == {"move": "28x19x23"}


def test_searches_end_when_they_are_told(talk):
    talk.send(f"pos pos={START}", "level infinite", "go analyze", "ping")
    assert "done" not in [line.partition(" ")[0] for line in talk.until("pong")]
    talk.until("info")
    assert talk.ask("stop", until="done")
    for level in ("depth=3", "move-time=0.1", "time=1 inc=0.1"):
        talk.send(f"pos pos={START}", f"level {level}", "go ponder", "ping")
        assert "done" not in [line.partition(" ")[0] for line in talk.until("pong")]
        assert talk.ask("ponder-hit", until="done")
    talk.send("level infinite", "go ponder", "stop")
    assert talk.until("done")
    talk.send("level nodes=100", "go think", "level nodes=100", "go think")  # each gets an answer
    assert [talk.until("done")[-1].split("=")[0] for _ in range(2)] == ["done move"] * 2


def test_moves_are_played_on_and_those_known_are_not_read_again(talk):
    kings = "W" + "".join({0: "W", 49: "B"}.get(n, "e") for n in range(50))
    for moves in ("1-7 50-44 7-1 44-50", "1-7 50-44 7-1 44-50 1-12", "1-7 50-39 7-1", "1-7"):
        talk.send(f'pos pos={kings} moves="{moves}"', "ping")
        assert talk.until("pong") == ["pong"]
        match = Match(GAME, "W:WK1:BK50", moves)
        assert talk.server._states == match.states


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("set-param name=variant value=frisian", "the variant 'frisian' is not supported, only normal"),
        ("set-param name=book value=true", "there is no parameter 'book'; there are variant, threads, memory, level"),
        ("set-param name=threads value=0", "threads must be a whole number from 1 to 256, not '0'"),
        ("set-param", "there is no parameter ''"),
        ("castle", "there is no command 'castle'"),
        ("pos pos=W", "a position is W or B, then 50 squares"),
        (f"pos pos={START} moves=32-23", "'32-23' is not a legal move in Wbbb"),
        ('pos pos="', "cannot be read"),
        ("level =", "cannot be read"),
    ],
)
def test_refused(talk, line, why):
    (error,) = talk.ask(line, until="error")
    assert why in values(error)["message"]


def test_nothing_is_searched_in_a_wrong_position_or_variant(talk):
    assert values(talk.ask("go think", until="done")[0])["message"] == "there is no position to search"
    talk.send(f"pos pos={START}", "pos pos=W")
    talk.until("error")
    assert values(talk.ask("go think", until="done")[0])["message"] == "there is no position to search"
    lost = "W" + "".join("b" if n == 22 else "e" for n in range(50))
    assert values(talk.ask(f"pos pos={lost}", "go think", until="done")[0])["message"] == "the game is over"
    talk.ask("set-param name=variant value=losing", until="error")
    assert "not supported" in talk.ask("init", until="error")[-1]
    assert "not supported" in talk.ask(f"pos pos={START}", "go think", until="error")[-1]
    assert talk.ask("set-param name=variant value=normal", "init", until="ready")


# -- other engines ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def player():
    with canned_players(CANNED, "draughts") as make:
        yield make


def test_what_an_engine_is_told_and_what_it_says(player):
    info = 'info depth=12 score=0.31 nodes=1234 pv="32-28 19-23"|loading|info depth=x score=1|done move=32-28 ponder=19-23'
    one, match = player(info, "done move=28x19x23", options=",book=false,depth=12,time=2"), Match(GAME)
    found = one.choose(match.position)
    match.play(found)
    assert (found.score, found.depth, found.nodes, one.program) == (31, 12, 1234, "Old Dam")
    match.play("19-23")
    assert one.choose(match.position, Limit(clock=60, increment=1.5)).move in GAME.legal(match.s)
    one.close()
    assert one.process.stderr.splitlines() == [
        "hub",
        "set-param name=variant value=normal",
        "set-param name=book value=false",
        "init",
        "new-game",
        f"pos pos={START}",
        "level depth=12",
        "level move-time=2.0",
        "go think",
        f'pos pos={START} moves="32-28 19-23"',
        "level depth=12",
        "level time=58.500 inc=1.5",
        "go think",
    ]


@pytest.mark.parametrize(
    ("answer", "reason", "why"),
    [
        ("done move=32-23", ILLEGAL, "'32-23' is not a legal move in Wbbb"),
        ("done move=e4", UNPARSABLE, "'e4' cannot be read as a move"),
        ("done", UNPARSABLE, "'' cannot be read as a move"),
        ('done move="32-28', UNPARSABLE, "cannot be read"),
        ("error message=tired", UNPARSABLE, "it wrote 'error message=tired'"),
        ("info depth=3", HUNG, "it sent no move"),
    ],
)
def test_faults(player, monkeypatch, answer, reason, why):
    monkeypatch.setattr("plyground.players.external_engine.STOP_GRACE_SECONDS", 0.1)
    one = player(answer, limit=Limit(time=FOREVER if answer.startswith("done") else 0.3))
    with pytest.raises(ForfeitError) as error:
        one.choose(Position.of(GAME))
    assert (error.value.reason, why in str(error.value)) == (reason, True)


def test_wrong_players_are_refused(player):
    with pytest.raises(PlygroundError, match="hub is for draughts, not for checkers"):
        player(spec="checkers")
    with pytest.raises(PlygroundError, match="Old Dam has no parameter 'bok'; it has variant, book"):
        player(options=",bok=1")
