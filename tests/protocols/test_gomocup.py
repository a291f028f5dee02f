"""The protocol of Piskvork and Gomocup: transcripts, what is refused, moves that are called off, and other engines as players."""

import random
import re
import sys
import types

import pytest
from talking import Talk, canned_players

from here import DATA
from plyground import Limit, Match, load
from plyground.errors import PlygroundError
from plyground.play.report import Position
from plyground.players import board_engines
from plyground.players.player import HUNG, ILLEGAL, UNPARSABLE, ForfeitError
from plyground.players.spec import make_player
from plyground.protocols.gomocup import Gomocup, position
from running import FOREVER

CANNED = f"gomocup:{sys.executable} {DATA / 'engines' / 'canned.py'} gomocup"
FOUR = ["3,3,1", "4,3,1", "5,3,1", "6,3,1", "3,5,2", "4,5,2", "6,6,2", "2,3,2"]
"""Four in a row of the side to move, which began; 7,3 completes them."""


@pytest.fixture(autouse=True)
def without_net(monkeypatch, tmp_path):
    """The rules judge, whatever net comes with the game: other tests compile that too."""
    monkeypatch.setattr("plyground.nets.net_evaluation.SHIPPED", tmp_path)


@pytest.fixture
def talk():
    """A server that thinks for a short time."""
    one = Talk(Gomocup)
    one.send("INFO timeout_turn 100")
    yield one
    one.close()


def said(talk, *lines):
    """The answer to lines, without messages."""
    talk.send(*lines)
    while (line := talk.next()).startswith("MESSAGE"):
        pass
    return line


def test_a_transcript(talk):
    (about,) = talk.ask("ABOUT", until='name="Plyground",')
    assert re.fullmatch(r'name="Plyground", version="[\d.]+", author="[^"]+"', about)
    assert said(talk, "START 15\r") == "OK"
    talk.send("INFO timeout_match 180000", "INFO max_memory 419430400", "INFO game_type 2", "INFO rule 0", "INFO folder C:\\x")
    assert said(talk, "INFO time_left 180000", "BEGIN") == "7,7"
    x, y = map(int, said(talk, "INFO time_left 179000", "TURN 8,8").split(","))
    assert (x, y) not in {(7, 7), (8, 8)}
    assert said(talk, f"TAKEBACK {x},{y}") == "OK"
    assert said(talk, "TAKEBACK 8,8") == "OK"
    assert said(talk, "turn 8,7") not in {"7,7", "8,7"}
    assert said(talk, "RESTART") == "OK"
    assert said(talk, "BOARD", *FOUR, "DONE") == "7,3"
    talk.send("END")


def test_a_board_is_read_in_any_order_for_either_side(talk):
    assert said(talk, "START 15") == "OK"
    second = ["9,9,2", *FOUR]  # the other side has one stone more: it began
    for stones in (FOUR, second):
        for seed in range(3):
            assert said(talk, "BOARD", *random.Random(seed).sample(stones, len(stones)), "DONE") == "7,3"
    theirs = [f"{line[:-1]}{3 - int(line[-1])}" for line in FOUR]
    assert said(talk, "BOARD", *theirs, "DONE") == "7,3"  # to stop the other side


def test_stones_lie_where_the_protocol_says():
    game = load("gomoku")
    s = position(game, {(0, 0): 1, (14, 1): 2})
    assert game.format_state(s).split("/")[:2] == ["X" + 14 * ".", 14 * "." + "O"]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (["START 4"], "ERROR gomoku.py: size=4 is out of range; size must be 5 to 22"),
        (["START 999999999"], "ERROR gomoku.py: size=999999999 is out of range"),
        (["START"], "ERROR START needs the size of the board, as in START 20"),
        (["START -3"], "ERROR START needs the size of the board, as in START 20"),
        (["RECTSTART 15,20"], "ERROR the board must be square, as with START 20"),
        (["BEGIN"], "ERROR there is no board yet: START comes first"),
        (["RESTART"], "ERROR there is no board yet: START comes first"),
        (["TURN 1,1"], "ERROR 1,1 is not on the board"),
        (["BOARD", "1,1,1", "DONE"], "ERROR there is no board yet: START comes first"),
        (["DONE"], "ERROR DONE ends a list that begins with BOARD"),
        (["SWAP2BOARD", "7,7", "8,7", "9,9", "DONE"], "UNKNOWN SWAP2BOARD"),
        (["PLAY 1,1"], "UNKNOWN PLAY 1,1"),
        (["  ", "what?"], "UNKNOWN what?"),
    ],
)
def test_refused_before_there_is_a_board(talk, lines, answer):
    assert said(talk, *lines).startswith(answer)
    assert said(talk, "ABOUT").startswith("name=")  # one answer, not more


def test_refused_on_a_board(talk):
    assert said(talk, "RECTSTART 15,15") == "OK"
    assert said(talk, "TURN 15,3") == "ERROR 15,3 is not on the board, which has the size 15"
    assert said(talk, "TURN -1,3") == "ERROR -1,3 is not on the board, which has the size 15"
    assert said(talk, "TURN 3") == "ERROR a cell is written x,y, not '3'"
    assert said(talk, "TAKEBACK 3,3") == "ERROR 3,3 is empty"
    assert said(talk, "BOARD", "1,1,1", "DONE").startswith("ERROR 1 own stones and 0 opposing stones are impossible")
    assert said(talk, "BOARD", "1,1,1", "1,1,2", "DONE") == "ERROR there are two stones on 1,1"
    assert said(talk, "BOARD", "1,1,3", "5,x", "DONE").startswith("ERROR '1,1,3' is not a stone on the board")
    five = [f"{x},3,2" for x in range(5)] + [f"{x},5,1" for x in (0, 2, 4, 6)]
    assert said(talk, "BOARD", *five, "DONE") == "ERROR the game is over"
    talk.send("BOARD", "1,1,1")  # a list that is left unfinished
    assert said(talk, "BEGIN") == "7,7"
    assert said(talk, "TURN 7,7") == "ERROR 7,7 is not empty"
    for rule in (2, 4, 5, 8):
        assert said(talk, f"INFO rule {rule}", "TURN 3,3").startswith(f"ERROR rule {rule} is not supported")
    assert re.fullmatch(r"\d+,\d+", said(talk, "INFO rule 0", "INFO rule x", "INFO", "INFO news 1", "TURN 3,3"))


def test_thinking_is_called_off_and_cut_short(talk):
    assert said(talk, "START 15", "INFO timeout_turn 600000") == "OK"
    talk.send("BOARD", "7,7,1", "8,8,2", "DONE")
    assert said(talk, "TURN 3,3") == "ERROR TURN cancelled the search in progress"
    assert said(talk, "TAKEBACK 8,8") == "OK"  # no move is said for the board before
    assert said(talk, "BOARD", "7,7,1", "8,8,2", "DONE", "RESTART") == "OK"
    move = said(talk, "BOARD", "7,7,1", "8,8,2", "DONE", "INFO timeout_turn 0")
    assert re.fullmatch(r"\d+,\d+", move)
    assert said(talk, f"TAKEBACK {move}") == "OK"


def test_little_memory_is_told_with_the_next_move(talk):
    assert said(talk, "START 15", "INFO max_memory 83886080") == "OK"
    told = talk.ask("BEGIN", until="7,7")
    assert "MESSAGE 80 MB is not enough memory; about 300 MB is needed" in told


@pytest.mark.long
def test_exactly_five(talk):
    six = [f"{x},3,1" for x in (3, 4, 5, 7, 8)] + [f"{x},9,2" for x in (3, 4, 5, 7, 8)]
    assert said(talk, "START 15", "INFO timeout_turn 2000") == "OK"
    assert said(talk, "BOARD", *six, "DONE") == "6,3"
    assert said(talk, "INFO rule 1", "RESTART") == "OK"
    while not talk.server._thinker.ready(1):
        pass
    assert said(talk, "BOARD", *six, "DONE") not in {"6,3", "6,9"}


@pytest.mark.long
def test_twenty_cells(talk):
    assert said(talk, "START 20", "INFO timeout_turn 1000") == "OK"
    assert said(talk, "BEGIN") == "10,9"
    assert said(talk, "BOARD", "19,19,1", "18,18,1", "17,17,1", "16,16,1", "0,0,2", "0,2,2", "0,4,2", "15,0,2", "DONE") == "15,15"


# -- other engines ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def player():
    with canned_players(CANNED, "gomoku") as make:
        yield make


def heard(one):
    one.close()
    return one.process.stderr.splitlines()


def test_what_an_engine_is_told(player):
    one = player(
        "MESSAGE hm|10,10", "11,11", "SUGGEST 1,1", "1,1", spec="gomoku(size=20, exact=1)", options=",max_memory=1000,time=2"
    )
    game = load("gomoku(size=20, exact=1)")
    match = Match(game)
    found = one.choose(match.position)
    match.play(found)
    match.play("a1")
    found = one.choose(match.position)
    match.play(found)
    match = Match(game, moves="j11 k10 j10")  # another game
    assert game.format_move(match.s, one.choose(match.position).move) == "b19"
    times = ["INFO timeout_turn 2000", "INFO time_left 2147483647"]
    assert heard(one) == [
        "START 20",
        "INFO max_memory 1000",
        "INFO timeout_match 0",
        "INFO game_type 1",
        "INFO rule 1",
        *times,
        "BEGIN",
        *times,
        "TURN 0,19",
        "RESTART",
        *times,
        "BOARD",
        "9,9,2",
        "10,10,1",
        "9,10,2",
        "DONE",
        "PLAY 1,1",
    ]


def test_nothing_is_sent_right_after_a_move(player, monkeypatch):
    """Rapfi loses what arrives within milliseconds of its move."""
    waits: list[float] = []
    clock = types.SimpleNamespace(monotonic=lambda: 100.0, sleep=waits.append)
    one, match = player("7,7", "6,6"), Match("gomoku")
    monkeypatch.setattr(board_engines, "time", clock)
    for move in ("a1", "a2"):
        found = one.choose(match.position)
        match.play(found)
        match.play(move)
    assert waits == [0.0, pytest.approx(board_engines.MOVE_SPACING_SECONDS)]


def test_clocks(player):
    one, game = player("7,7"), load("gomoku")
    one.choose(Position.of(game), Limit(clock=61.5))
    assert heard(one)[-3:] == ["INFO timeout_turn 61500", "INFO time_left 61500", "BEGIN"]


def test_a_limit_that_the_protocol_does_not_have_becomes_a_second(player):
    one, game = player("7,7"), load("gomoku")
    one.choose(Position.of(game), Limit(depth=20))
    assert "INFO timeout_turn 1000" in heard(one)


@pytest.mark.parametrize(
    ("answer", "reason", "why"),
    [
        ("15,3", ILLEGAL, "15,3 is not on the board"),
        ("-1,3", ILLEGAL, "-1,3 is not on the board"),
        ("7,7", ILLEGAL, "'h8' is not a legal move"),
        ("ERROR no idea", UNPARSABLE, "it answered 'ERROR no idea' instead of a move"),
        ("UNKNOWN", UNPARSABLE, "it answered 'UNKNOWN' instead of a move"),
        ("seven", UNPARSABLE, "it wrote 'seven'"),
        ("MESSAGE thinking", HUNG, "it sent no move"),
    ],
)
def test_faults(player, monkeypatch, answer, reason, why):
    one, match = player("7,7", answer, limit=Limit(time=FOREVER)), Match("gomoku", moves="a1")
    found = one.choose(match.position)
    match.play(found)
    match.play("a2")
    if answer in ("seven", "MESSAGE thinking"):  # no move follows
        one.limit = Limit(time=0.3)
        monkeypatch.setattr("plyground.players.external_engine.STOP_GRACE_SECONDS", 0.1)
    with pytest.raises(ForfeitError) as error:
        one.choose(match.position)
    assert (error.value.reason, why in str(error.value)) == (reason, True)


@pytest.mark.parametrize(
    ("spec", "options", "why"),
    [
        ("connect4", "", "gomocup is for gomoku, not for connect4"),
        ("gomoku", ",Hash=3", "gomocup has no option 'Hash'; there are max_memory, folder"),
        ("gomoku", ",depth=3", "engines of gomocup have no limit but time"),
    ],
)
def test_wrong_players_are_refused(player, spec, options, why):
    with pytest.raises(PlygroundError, match=why):
        player(spec=spec, options=options)


def test_an_engine_that_has_no_such_board_is_refused(player, monkeypatch):
    monkeypatch.setattr(board_engines, "START_SECONDS", 0.2)
    with pytest.raises(PlygroundError, match="did not answer START 15 within"):
        make_player(f"gomocup:{sys.executable} -c 'import time; time.sleep(9)'", load("gomoku"))
    monkeypatch.undo()
    with pytest.raises(PlygroundError, match=r"answered 'ERROR too small' to START 15"):
        make_player(f"gomocup:{sys.executable} -c 'print(\"ERROR too small\")'", load("gomoku"))
