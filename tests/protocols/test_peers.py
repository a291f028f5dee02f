"""External engines as players: what is sent to them, what they answer, and what is refused."""

import random
import sys

import pytest

from here import DATA
from plyground import Limit, Match, load
from plyground.errors import PlygroundError
from plyground.play.report import Position
from plyground.players import external_engine, process, uci_client
from plyground.players.player import CRASHED, FORFEITS, HUNG, ILLEGAL, LATE, UNPARSABLE, ForfeitError
from plyground.players.spec import make_player
from plyground.players.uci_client import UciOption
from plyground.protocols.options import EngineOption
from running import FOREVER

ENGINE = f"ugi:{sys.executable} {DATA / 'engines' / 'engine.py'}"
NIM = load("nim")


@pytest.fixture
def player():
    """Makes a player from its text, for a game; all are closed after the test."""
    made = []

    def make(text, game=NIM, **options):
        made.append(make_player(text, game, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


def engine(how="", game="nim", options=""):
    return f"{ENGINE} {game} {how}{options}"


def test_a_game_is_told_from_its_start_and_found_has_what_the_engine_says(player):
    one, match = player(engine(options=",depth=5,nodes=1000")), Match(NIM)
    for n in (1, 2):
        found = one.choose(match.position)
        match.play(found)
        assert (found.score, found.depth, found.nodes, found.move) == (17 + n, 3, 99, match.moves[-1])
        match.play(NIM.legal(match.s)[-1])
    assert match.moves[0] == NIM.legal(NIM.start())[0]
    assert one.program == "Test Engine"
    one.close()
    assert one.process.stderr == "go depth 5 nodes 1000\n" * 2


CHESS = load("chess")
UCI = f"uci:{ENGINE[4:]} chess"


def test_chess_is_told_in_its_own_notation(player):
    one, match = player(f"{UCI},depth=1,UCI_Elo=1200", CHESS), Match(CHESS, moves="e4 c5")
    found = one.choose(match.position)
    match.play(found)
    assert found.line == (match.moves[-1],)
    ending = Match(CHESS, "7k/P7/8/8/8/8/8/7K w - - 0 1", moves="a8=R+ Kg7")
    found = one.choose(ending.position)
    ending.play(found)
    one.close()
    assert one.process.stderr.splitlines() == [
        "setoption name UCI_Elo value 1200",
        "setoption name UCI_LimitStrength value true",
        "position startpos moves e2e4 c7c5",
        "go depth 1",
        "position fen 7k/P7/8/8/8/8/8/7K w - - 0 1 moves a7a8r h8g7",
        "go depth 1",
    ]


@pytest.mark.parametrize(
    ("line", "score", "value"),
    [
        ("info depth 9 score cp -35 nodes 5", -35, "unknown"),
        ("info score cp 29000 depth 9", 8999, "unknown"),
        ("info depth 9 score mate 3", 9995, "win"),
        ("info depth 9 score mate -3", -9994, "loss"),
        ("info depth 9 score mate 0", -10000, "loss"),
        ("info depth 9 score mate 900", 8999, "unknown"),
        ("info depth 9 multipv 2 score cp 7", None, ""),
        ("info string score cp 7", None, ""),
        ("info depth 9 currmove e2e4", None, ""),
        ("info depth 9 score", None, ""),
    ],
)
def test_scores_are_read(player, line, score, value):
    one = player(UCI, CHESS)
    assert one.handle_line(line) is None
    assert score is None if one.found is None else (one.found.score, one.found.value) == (score, value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [("e2e5", ILLEGAL), ("0000", ILLEGAL), ("(none)", ILLEGAL), ("Nf3", UNPARSABLE), ("", UNPARSABLE), ("e2e4 e7e5", UNPARSABLE)],
)
def test_what_is_no_move_of_chess(player, text, reason):
    one = player(UCI, CHESS)
    with pytest.raises(ForfeitError) as error:
        one.move(CHESS.start(), text)
    assert error.value.reason == reason


def test_limits_and_clocks_become_words_of_go(player):
    one = player(engine(), limit=Limit(time=0.25))
    one.choose(Position.of(NIM))
    one.choose(Position.of(NIM), Limit(clock=60, increment=2))
    one.close()
    assert one.process.stderr == "go movetime 250\ngo p1time 60000 p2time 60000 p1inc 2000 p2inc 2000\n"


def test_a_given_limit_is_not_cut_short_by_the_usual_one(player):
    for own, limit, told in (
        ("", Limit(depth=20), "depth 20"),
        ("", Limit(nodes=5), "nodes 5"),
        ("", Limit(), "movetime 1000"),
        ("", None, "movetime 1000"),
        (",time=0.25", Limit(depth=20), "depth 20 movetime 250"),
        (",depth=3", Limit(depth=20), "depth 20"),
    ):
        one = player(engine(options=own))
        one.choose(Position.of(NIM), limit)
        one.close()
        assert one.process.stderr == f"go {told}\n"


def test_options_are_set_as_the_engine_spells_them(player):
    one = player(engine(options=",hash=32,own book=TRUE,style=very wild,Clear Hash,Log File=a b.txt,time=1"))
    one.close()
    assert one.process.stderr.splitlines() == [
        "setoption name Hash value 32",
        "setoption name Own Book value true",
        "setoption name Style value Very Wild",
        "setoption name Clear Hash",
        "setoption name Log File value a b.txt",
    ]
    assert one.limit == Limit(time=1)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (",Hsh=3", "Test Engine has no option 'Hsh'; its options are Clear Hash, Hash, Log File, Own Book, Style"),
        (",Hash=65", "Hash must be a whole number from 1 to 64, not '65'"),
        (",Hash=many", "Hash must be a whole number from 1 to 64, not 'many'"),
        (",Own Book=1", "Own Book must be true or false, not '1'"),
        (",Style=Odd", "Style must be one of Quiet, Very Wild, not 'Odd'"),
        (",Clear Hash=1", "Clear Hash is a button, which has no value: leave out =1"),
        (",=3", "'=3' has no name; an option is written NAME=VALUE"),
        (",time=soon", "time must be a number, not 'soon'"),
        (",depth=0", "depth must be a whole number from 1 up, not 0"),
    ],
)
def test_wrong_options_are_refused_in_one_line(player, options, why):
    with pytest.raises(PlygroundError) as error:
        player(engine(options=options))
    assert str(error.value) == f"{engine(options=options)}: {why}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("uci:", "uci:: name the engine's program, as in uci:stockfish or uci:./engine --uci"),
        ("ugi:no-such-engine", "ugi:no-such-engine: no-such-engine: there is no such program"),
        ("ugi:./none --fast,time=1", "ugi:./none --fast,time=1: ./none: there is no such program"),
        ("ugi:/", "ugi:/: /: this is a folder, not a program"),
        ("ugi:'/a", "ugi:'/a: '/a: cannot be read (No closing quotation)"),
        (f"ugi:{DATA}/engines/engine.py", "you have no permission to run this file"),
        ("uci:sh", "uci:sh: uci is for chess, not for nim"),
    ],
)
def test_wrong_programs_are_refused_in_one_line(player, text, why):
    with pytest.raises(PlygroundError) as error:
        player(text, load("chess") if text == "uci:" else NIM)
    assert why in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("how", "reason", "why"),
    [
        ("crashes", CRASHED, "it has ended (exit code 3: the net is broken)"),
        ("hangs", HUNG, "it sent no move within"),
        ("mute", UNPARSABLE, "; it wrote 'I think I like the middle'"),
        ("rubbish", UNPARSABLE, "it wrote bestmove without a move"),
        ("floods", UNPARSABLE, "it wrote more than 1 MB without an answer"),
        ("illegal", ILLEGAL, "'zz9' is not a legal move in"),
        ("late", LATE, "s; it had 0.2 s"),
    ],
)
def test_a_fault_is_a_forfeit_with_its_reason(player, monkeypatch, how, reason, why):
    one = player(engine(how), limit=Limit(time=FOREVER))
    s = NIM.play(NIM.start(), one.choose(Position.of(NIM)).move)
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1 << 20)
    if how in ("hangs", "mute", "late"):
        one.limit = Limit(time=0.2)
        monkeypatch.setattr(external_engine, "LATE_TOLERANCE_SECONDS", 0.1)
        monkeypatch.setattr(external_engine, "STOP_GRACE_SECONDS", FOREVER if how == "late" else 0.1)
    with pytest.raises(ForfeitError) as error:
        one.choose(Position.of(NIM, s))
    assert (error.value.reason, why in str(error.value)) == (reason, True)
    assert reason in FORFEITS
    assert error.value.stderr.count("go movetime") == 2
    assert "\n" not in str(error.value)


def test_faults_at_the_start(player, monkeypatch):
    monkeypatch.setattr(uci_client, "UCIOK_SECONDS", 0.5)
    with pytest.raises(ForfeitError, match=r"deaf: it did not answer ugiok within 0.5 s") as error:
        player(engine("deaf"))
    assert error.value.reason == HUNG
    monkeypatch.undo()
    with pytest.raises(ForfeitError, match=r"ends: it has ended \(exit code 1: no licence\)") as error:
        player(engine("ends"))
    assert (error.value.reason, error.value.stderr) == (CRASHED, "no licence\n")


def test_an_engine_without_time_limit_is_told_to_stop_at_last(player, monkeypatch):
    monkeypatch.setattr(external_engine, "MAX_MOVE_SECONDS", 0.1)
    monkeypatch.setattr(external_engine, "STOP_GRACE_SECONDS", FOREVER)
    one = player(engine("late"), limit=Limit(depth=3))
    one.choose(Position.of(NIM))
    assert one.choose(Position.of(NIM)).move in NIM.legal(NIM.start())


@pytest.mark.parametrize(
    ("line", "option"),
    [
        ("option name Hash type spin default 16 min 1 max 33554432", UciOption("Hash", EngineOption("spin", None, 1, 33554432))),
        ("option name Contempt type spin min -5 max 5 default -3", UciOption("Contempt", EngineOption("spin", None, -5, 5))),
        (
            "option name N type spin",
            UciOption("N", EngineOption("spin", None, -uci_client.MAX_SPIN, uci_client.MAX_SPIN)),
        ),
        ("option", None),
        ("option name x", None),
    ],
)
def test_options_are_read(line, option):
    assert UciOption.parse(line) == option


WORDS = (
    "info depth seldepth multipv score cp mate lowerbound nodes pv string bestmove ponder a1 b2 zz 0 1 -3 7 99999999999 "
    + "9" * 5000
    + " ٣ \x1b[2J readyok id option name type spin copyprotection error ,;= feature move 12 +3 . _ #3"
).split()


@pytest.mark.parametrize("lines", [2000, pytest.param(100_000, marks=pytest.mark.long)])
def test_any_line_is_a_move_or_a_fault_or_nothing(player, lines):
    one, s, dice = player(engine()), NIM.start(), random.Random(1)
    moves = faults = 0
    for _ in range(lines):
        text = one.handle_line(" ".join(dice.choices(WORDS, k=dice.randrange(12))))
        if dice.random() < 0.3:
            text = one.handle_line(f"bestmove {' '.join(dice.choices(WORDS, k=dice.randrange(3)))}")
        if text is None:
            continue
        try:
            moves += one.move(s, text) in NIM.legal(s)
        except ForfeitError as e:
            faults += e.reason in (UNPARSABLE, ILLEGAL)
    assert moves > lines / 1000
    assert faults > lines / 10


def test_the_name_of_an_engine_is_short_and_harmless(player):
    one = player(engine())
    one.set_program_name("\x1b[2J very   long" * 20)
    assert one.program.startswith(r"\x1b[2J very long")
    assert len(one.program) <= external_engine.MAX_NAME_LENGTH
    one.set_program_name(" ")
    assert one.program.startswith(r"\x1b[2J very long")
