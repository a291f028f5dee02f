"""NBoard 2: games in GGF, transcripts, the rule of ping, what is refused, and other engines as players."""

import math
import random
import re
import sys
from typing import Any

import pytest
from talking import Talk, canned_players

from here import DATA
from plyground import Limit, Match, load
from plyground.errors import PlygroundError, TextError
from plyground.play.report import Position
from plyground.players.player import HUNG, ILLEGAL, UNPARSABLE, ForfeitError
from plyground.protocols.nboard import EMPTY, NBoard, read_game
from plyground.records.notations import ggf
from plyground.records.rows import GameRow
from running import FOREVER

CANNED = f"nboard:{sys.executable} {DATA / 'engines' / 'canned.py'} nboard"
GAME = load("othello")
HEAD = "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
OPENING = f"{HEAD}BO[8 {EMPTY} *]B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"


def passing():
    """A random game with a pass, and its moves as texts."""
    for seed in range(100):
        dice, match = random.Random(seed), Match(GAME)
        while match.result is None:
            match.play(dice.choice(GAME.legal(match.s)))
        texts = [GAME.format_move(s, m) for s, m in zip(match.states, match.moves, strict=False)]
        if "pass" in texts[:-1]:
            return match, texts
    raise AssertionError


# -- games -----------------------------------------------------------------------------------------------------------------


def test_a_game_is_read_with_its_clocks():
    found = read_game(GAME, OPENING.replace("B[D3]", "B[d3/1.5/10]").replace("W[F4]", "W[F4//70.5]"))
    assert found.states[-1] == Match(GAME, moves="f5 f6 d3 c5 e6 f7 e7 f4").s
    assert found.left == [890.0, 829.5]
    both = read_game(GAME, OPENING.replace("TI[15:00]", "TB[5:00/0:02]TW[1:00:00//2:00]"))
    assert (both.left, both.increment) == ([308.0, 3600.0], [2.0, 0.0])
    assert read_game(GAME, OPENING.replace("TI[15:00]", "")).left == [float("inf")] * 2


def record(moves):
    """A game of which only the moves are known."""
    unknown: list[Any] = [None] * len(moves)
    told = unknown, unknown, unknown, unknown
    players = ["one", "two"]
    return GameRow(1, 0, 0, "arena", "othello", players, 0, None, 0, moves, None, None, None, *told, None, {}, {}, "2026-01-01")


def test_games_that_we_write_are_read():
    match, texts = passing()
    row = record(texts)
    text = ggf(row, None)
    assert "[PA]" in text
    assert read_game(GAME, text).states == match.states
    assert read_game(GAME, re.sub(r"[BW]\[PA\]", "", text)).states == match.states  # passes may be left out
    later = match.states[10]
    assert read_game(GAME, ggf(record(texts[10:]), GAME.format_state(later))).states == match.states[10:]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "F5",
        "(;GM[Chess]PB[x];)",
        OPENING.replace("8 ---", "8 --"),
        OPENING.replace("BO[8", "BO[10"),
        OPENING.replace("W[F6]", "W[A1]"),
        OPENING.replace("W[F6]", "B[F6]"),
        OPENING.replace("W[F6]", "W[]"),
        OPENING.replace("W[F6]", "W[PA]"),
    ],
)
def test_games_that_are_none_are_refused(text):
    with pytest.raises(TextError):
        read_game(GAME, text)


# -- the engine side -------------------------------------------------------------------------------------------------------


@pytest.fixture
def talk():
    one = Talk(NBoard)
    yield one
    one.close()


def test_a_transcript(talk):
    assert talk.ask("nboard 2", until="set") == ["set myname Plyground"]
    talk.send("set depth 3", f"set game {OPENING}", "set contempt 50")
    assert talk.ask("ping 1", until="pong")[-1] == "pong 1"
    while not talk.server._thinker.ready(1):
        pass
    *told, move = talk.ask("go", until="===")
    assert "status thinking" in told
    assert re.fullmatch(r"nodestats \d+ \d+\.\d\d", told[-1])
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", move)
    searches = [line.split() for line in told if line.startswith("search")]
    assert [line[-1] for line in searches] == ["1", "2", "3"]
    assert talk.until("status") == ["status"]
    at = move.split()[1].partition("/")[0]
    assert talk.server._record.states[-1] == Match(GAME, moves="f5 f6 d3 c5 e6 f7 e7 f4").s  # not played yet
    talk.ask(f"move {move[4:]}", "ping 2", until="pong")
    assert talk.server._record.states[-1] == Match(GAME, moves=f"f5 f6 d3 c5 e6 f7 e7 f4 {at}").s
    assert talk.ask("learn", until="learned") == ["learned"]
    talk.send("quit")


def test_a_hint_has_the_best_moves(talk):
    talk.send("nboard 2", "set depth 4", f"set game {OPENING}", "hint 3")
    told = [line.split() for line in talk.until("nodestats") if line.startswith("search")]
    last = [line for line in told if line[-1] == "4"]
    assert len({line[1][:2] for line in last}) == 3
    assert [float(line[2]) for line in last] == sorted((float(line[2]) for line in last), reverse=True)
    for line in told:
        moves = re.findall("..", line[1])
        Match(GAME, GAME.format_state(talk.server._record.states[-1]), " ".join(moves).lower().replace("pa", "pass"))
    assert talk.until("status") == ["status"]


def test_nothing_is_said_about_a_position_after_pong(talk):
    talk.send("nboard 2", "set depth 99", f"set game {OPENING}")
    for n, question in enumerate(["go", "hint 2", "hint 64"] * 3):
        talk.send(question, f"ping {n}")
        talk.until("pong")
        assert talk.ask("learn", until="learned") == ["learned"]
    talk.send("set depth 1")
    assert talk.ask("go", until="===")[-1].startswith("=== ")


def test_a_pass_is_a_move(talk):
    match, texts = passing()
    at = texts.index("pass")
    talk.send("nboard 2", "set depth 1", f"set game (;GM[Othello]BO[8 {EMPTY} *];)")
    talk.send(*(f"move {text.upper()}" for text in texts[:at]))
    assert talk.ask("go", until="===")[-1].startswith("=== PA/")
    talk.ask("move PA", "ping 1", until="pong")
    assert talk.server._record.states[-1] == match.states[at + 1]


def test_the_end_of_a_game_is_exact(talk):
    match, _ = passing()
    s = next(s for s in match.states if GAME.cells(s).count(0) == 4)
    talk.send("nboard 2", "set depth 2", f"set game (;GM[Othello]BO[8 {GAME.format_state(s).replace('X', '*')}];)", "hint 1")
    last = [line.split() for line in talk.until("nodestats") if line.startswith("search")][-1]
    assert last[-1] == "100%"
    assert float(last[2]) == solve(s)


def solve(s):
    """The margin for the side to move."""
    moves = GAME.legal(s)
    return max(-solve(GAME.play(s, m)) for m in moves) if moves else GAME.result(s)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["set depth deep"], "a depth is a whole number, not 'deep'"),
        (["set game chess"], "'chess' is not a game of Othello in GGF"),
        (["move A1"], "A1"),
        (["move"], "'' is not a move; it is written F5, or PA for a pass"),
        (["move A1", "go"], "the position is unknown"),
        ([f"set game (;GM[Othello]BO[8 {'*' * 64} O];)", "go"], "the game is over"),
        (["analyze"], "Plyground does not analyse whole games"),
    ],
)
def test_refused(talk, lines, why):
    told = talk.ask(*lines, "ping 7", until="pong")
    assert any(line.startswith("status") and why in line for line in told)


def test_unknown_lines_are_ignored(talk):
    assert talk.ask("", "hello", "set colour red", "set contempt", "ping", until="pong") == ["pong"]


# -- other engines ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def player():
    with canned_players(CANNED, "othello") as make:
        yield make


def test_what_an_engine_is_told_and_what_it_says(player):
    answer = "status Old Disc is thinking|search F5d6 1.25 0 10@73%|nodestats 4321 0.2|===F5/1.25/0.2"
    one, match = player(answer, "book C5 -0.50 99 26|=== c5 -0.50 0.0", options=",depth=10"), Match(GAME)
    found = one.choose(match.position)
    match.play(found)
    assert (found.score, found.depth, found.nodes, one.program) == (125, 10, 4321, "Old Disc")
    match.play("d6")
    assert GAME.format_move(match.s, one.choose(match.position, Limit(clock=125.5)).move) == "c5"
    assert (one.found.score, one.found.depth) == (-50, 26)
    one.close()
    start = f"BO[8 {EMPTY} *]"
    assert one.process.stderr.splitlines() == [
        "nboard 2",
        "set depth 10",
        "ping 1",
        f"set game (;GM[Othello]PC[Plyground]PB[black]PW[white]RE[?]TY[8]{start};)",
        "set depth 10",
        "ping 2",
        "go",
        f"set game (;GM[Othello]PC[Plyground]PB[black]PW[white]RE[?]TI[2:06]TY[8]{start}B[F5//0.5]W[D6];)",
        "set depth 10",
        "ping 3",
        "go",
    ]


@pytest.mark.parametrize("left", [0.04, 0.1, 0.3, 1.0, 2.56, 60.0, 60.5, 3599.9])
@pytest.mark.parametrize("moves", ["f5 d6", "f5 d6 c3"])
def test_an_engine_hears_its_clock_to_a_tenth(player, left, moves):
    match = Match(GAME, moves=moves)
    one = player("=== F1")
    one.start_search(match.position, Limit(clock=left))
    one.close()
    (told,) = (line for line in one.process.stderr.splitlines() if line.startswith("set game"))
    assert re.search(r"TI\[\d+:[0-5]\d\]", told)
    assert read_game(GAME, told).left[match.turn] == pytest.approx(max(0.1, math.floor(10 * left + 1e-6) / 10))


@pytest.mark.parametrize(("said", "depth"), [("60%", 0), ("100%", 0), ("91%W", 0), ("26@73%", 26), ("26", 26), ("26:3", 26)])
def test_a_percentage_is_no_depth(player, said, depth):
    one = player(f"search F5 +1.25 0  {said} 3.1|=== F5")
    assert one.choose(Position.of(GAME)).depth == depth
    assert one.found.score == 125


def test_seconds_per_move_become_a_clock_for_the_rest_of_the_game(player):
    one = player("=== F5", options=",time=2")
    one.choose(Position.of(GAME))
    one.close()
    assert "TI[1:02]" in one.process.stderr  # 30 own moves and one more
    assert one.process.stderr.count("set depth 99") == 2


@pytest.mark.parametrize(
    ("answer", "reason", "why"),
    [
        ("=== A1/0/1", ILLEGAL, "A1 is not a legal move"),
        ("=== PA", ILLEGAL, "PA is not a legal move"),
        ("=== i9", UNPARSABLE, "'i9' cannot be read as a move"),
        ("===", UNPARSABLE, "'' cannot be read as a move"),
        ("F5", UNPARSABLE, "it wrote 'F5'"),
        ("status stuck", HUNG, "it sent no move"),
    ],
)
def test_faults(player, monkeypatch, answer, reason, why):
    one, silent = player(answer), answer in ("F5", "status stuck")  # no move follows
    if silent:
        monkeypatch.setattr("plyground.players.external_engine.STOP_GRACE_SECONDS", 0.1)
    with pytest.raises(ForfeitError) as error:
        one.choose(Position.of(GAME), Limit(clock=0.3 if silent else FOREVER))
    assert (error.value.reason, why in str(error.value)) == (reason, True)


@pytest.mark.parametrize(
    ("spec", "options", "why"),
    [
        ("connect4", "", "nboard is for othello, not for connect4"),
        ("othello", ",nodes=100", "engines of nboard have no limit but depth and time"),
        ("othello", ",Hash=3", "nboard has no options, such as 'Hash'"),
    ],
)
def test_wrong_players_are_refused(player, spec, options, why):
    with pytest.raises(PlygroundError, match=why):
        player(spec=spec, options=options)
