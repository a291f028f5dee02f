"""Chess engines that speak the protocol of XBoard, as players."""

import sys

import pytest

from here import DATA
from plyground import Limit, Match, load
from plyground.errors import PlygroundError
from plyground.play.report import Position
from plyground.players import xboard
from plyground.players.player import ILLEGAL, UNPARSABLE, ForfeitError
from plyground.players.spec import make_player

ENGINE = f"xboard:{sys.executable} {DATA / 'engines' / 'xboard.py'}"
CHESS = load("chess")
ENDGAME = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"


@pytest.fixture
def player():
    """Makes a player from its text; all are closed after the test."""
    made = []

    def make(text, **options):
        made.append(make_player(text, CHESS, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def test_a_game_is_told_move_by_move(player):
    one, match = player(f"{ENGINE},time=2"), Match(CHESS, moves="e4 e5")
    for reply in ("a6", "b6"):
        found = one.choose(match.position)
        match.play(found)
        assert (found.score, found.depth, found.nodes, found.move) == (15, 3, 99, match.moves[-1])
        match.play(reply)
    one.close()
    assert one.program == "Old Timer"
    assert one.process.stderr.splitlines() == ["usermove e2e4", "usermove e7e5", "st 2", "usermove a7a6", "st 2"]


def test_a_move_that_was_taken_back_begins_the_game_anew(player):
    one, match = player(f"{ENGINE},time=2"), Match(CHESS, moves="e4 e5")
    one.choose(match.position)
    match = Match(CHESS, moves="d4")
    assert one.choose(match.position).move in match.legal()
    one.close()
    assert one.process.stderr.splitlines()[-2:] == ["usermove d2d4", "st 2"]


def test_limits_become_those_of_the_protocol(player):
    one = player(f"{ENGINE},depth=4,time=0.25,memory=8,Clear Hash,resign=1")
    one.choose(Position.of(CHESS))
    one.choose(Position.of(CHESS), Limit(clock=90, increment=2))
    one.close()
    told = "memory 8|option Clear Hash|option Resign=1|sd 4|level 1 0:01 0|time 25|sd 4|level 0 2 2|time 9000"
    assert one.process.stderr.splitlines() == told.split("|")


def test_a_depth_is_told_when_it_changes(player):
    one, match = player(ENGINE), Match(CHESS)
    for limit in (Limit(depth=3), Limit(depth=3), Limit(depth=5), Limit(nodes=9), Limit(nodes=9)):
        match.play(one.choose(match.position, limit))
        match.play(match.legal()[0])
    one.close()
    told = [line for line in one.process.stderr.splitlines() if not line.startswith("usermove")]
    assert told == ["sd 3", "sd 5", "st 1", "st 1"]  # the protocol has no limit of nodes


def test_only_a_new_game_removes_a_depth(player):
    one, match = player(ENGINE), Match(CHESS)
    match.play(one.choose(match.position, Limit(depth=3)))
    match.play("a6")
    one.choose(match.position, Limit(time=2))
    one.close()
    assert one.process.stderr.splitlines() == ["sd 3", "usermove b1a3", "usermove a7a6", "st 2"]


def test_engines_without_features_play_too(player, monkeypatch):
    monkeypatch.setattr(xboard, "FEATURE_SECONDS", 0.1)
    one, match = player(f"{ENGINE} old,time=2"), Match(CHESS, moves="e4")
    assert one.choose(match.position).move in match.legal()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (",Hash=3", "Old Timer has no option 'Hash'; its options are Clear Hash, Resign, memory"),
        (",nodes=3", "the protocol of XBoard has no limit of nodes; give time or depth"),
    ],
)
def test_what_the_engine_does_not_have_is_refused(player, text, why):
    with pytest.raises(PlygroundError) as error:
        player(ENGINE + text)
    assert str(error.value) == f"{ENGINE}{text}: {why}"


def test_positions_need_a_feature(player):
    one = player(f"{ENGINE},time=2")
    with pytest.raises(PlygroundError, match="Old Timer can't begin from a position of its own"):
        one.choose(Position.of(CHESS, CHESS.parse_state(ENDGAME)))


@pytest.mark.parametrize(
    ("how", "reason", "why"),
    [
        ("resigns", "resignation", "it has resigned"),
        ("claims", UNPARSABLE, "it wrote '1/2-1/2 {a draw, I think}' instead of a move"),
        ("illegal", ILLEGAL, "'e2e5' is not a legal move in"),
        ("refuses", UNPARSABLE, "it rejected the move: 'Illegal move: e2e4'"),
    ],
)
def test_faults_lose_the_game(player, how, reason, why):
    one = player(f"{ENGINE} {how},time=2")
    with pytest.raises(ForfeitError) as error:
        one.choose(Position.of(CHESS))
    assert (error.value.reason, str(error.value).startswith(why)) == (reason, True)
