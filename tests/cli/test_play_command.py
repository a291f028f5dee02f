"""`plyground play`: what is kept of a game, how it goes on, and what can be typed."""

import io
import json
import re
import signal
import sqlite3
import subprocess
import sys

import pytest

from here import DATA, EXAMPLES
from plyground import Match, load
from plyground.cli import main
from plyground.records.store import Records, records_path
from plyground.rules.load import builtin_games
from running import announcing, read_until

PLYGROUND = [sys.executable, "-m", "plyground", "play"]


def play(*words, typed=()):
    """Stdout of a game in which these lines are typed."""
    done = subprocess.run([*PLYGROUND, *words], input="".join(f"{x}\n" for x in typed), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def play_here(monkeypatch, capsys):
    """The same in this process, which needs no time to start."""

    def run(*words, typed=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{x}\n" for x in typed)))
        assert main(["play", *words]) == 0
        return capsys.readouterr().out

    return run


def kept():
    """The game that was written last."""
    with Records(new=False) as records:
        return max(records.games(), key=lambda row: row.written)


# -- what is kept ----------------------------------------------------------------------------------------------------------


def leave_while_it_thinks(at, *words):
    """Ctrl-C once the opponent is in this function, where it would stay for minutes."""
    pipe = subprocess.PIPE
    with subprocess.Popen(announcing(at, "play", *words), stdin=pipe, stdout=pipe, stderr=pipe) as process:
        read_until(process.stderr, b"has begun")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    return process.returncode, out.decode(), err.decode()


@pytest.mark.parametrize(
    ("opponent", "at"),
    [
        ("engine:level=10,time=600", "plyground.solver.solving.SolverSearch.solve"),
        ("engine:level=10,depth=60", "plyground.engine.searcher.SearchThread.ask"),
    ],
)
def test_ctrl_c_while_the_engine_thinks_keeps_the_game(opponent, at):
    """On a board without a book: while the solver is at it, and while the search is."""
    code, out, err = leave_while_it_thinks(at, "connect4(rows=7, cols=7)", "--moves", "4", "--against", opponent)
    assert code == 130
    assert "Traceback" not in err
    assert out.splitlines()[-1] == "the game is kept as record 1; plyground play --load resumes it"
    assert kept().moves == ["4"]
    assert kept().players == ["person", opponent]


def test_ctrl_c_while_the_textbook_thinks_keeps_the_game():
    words = ("connect4", "--moves", "4", "--against", "textbook:minimax,depth=30")
    code, out, _ = leave_while_it_thinks("plyground.textbook.tree.Tree.__init__", *words)
    assert (code, out.splitlines()[-1]) == (130, "the game is kept as record 1; plyground play --load resumes it")


def test_a_game_that_is_left_goes_on_as_it_was():
    first = play("nim", "--side", "second", "--against", "engine:level=3,time=0.1", "--seed", "7", "--eval", typed=["quit"])
    assert "You are second, first is engine:level=3,time=0.1." in first
    assert "the game is kept as record 1; plyground play --load resumes it" in first
    again = play("--load", typed=["undo", "quit"])
    assert "You are second, first is engine:level=3,time=0.1." in again
    assert (kept().seed, kept().more["notes"]) == (7, {"eval": True})


def test_a_saved_game_keeps_sides_opponent_and_dice(tmp_path):
    file = str(tmp_path / "game.json")
    words = ("2048", "--against", "random", "--seed", "4")
    going_on = play(*words, "--json", typed=["left", "up", "left", "up"])
    play(*words, typed=["left", "up", f"save {file}", "quit"])
    resumed = play("--load", file, "--json", typed=["left", "up"])
    assert json.loads(resumed)["moves"] == json.loads(going_on)["moves"]


def test_what_is_asked_for_now_counts_more_than_what_was_saved(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(Match("nim", moves="a1", players=["person", "random"], seed=3).to_text())
    assert "You are first, second is random." in play("--load", str(file), "--seed", "5", typed=["quit"])
    assert kept().seed == 5
    assert "You are second, first is random." in play("--load", str(file), "--side", "second", typed=["quit"])
    assert "second is engine:level=2." in play("--load", str(file), "--level", "2", typed=["quit"])
    assert kept().players == ["person", "engine:level=2"]


def test_nothing_to_go_on_with(capsys):
    assert main(["play", "--load"]) == 2
    assert "there is no unfinished game" in capsys.readouterr().err


def test_a_finished_game_is_kept_and_one_without_a_move_is_not(play_here):
    play_here("nim", typed=["quit"])
    assert not records_path().exists()
    play_here("nim(heaps=1, size=3)", "--against", "random", "--seed", "3", typed=["a3"])
    row = kept()
    assert (row.game, row.players, row.seed) == ("nim(heaps=1, size=3)", ["person", "random"], 3)
    assert (row.moves, row.result, row.points, row.reason) == (["a3"], 1, 1, "rules")
    with Records(new=False) as records:
        assert records.match(1).ended == "rules"
        assert records.last_unfinished("play") is None


def test_a_game_by_its_number(play_here):
    play_here("nim", "--side", "both", typed=["a1", "quit"])
    play_here("nim", "--side", "both", typed=["b1", "quit"])
    assert json.loads(play_here("--load", "--json", typed=["quit"]))["moves"] == ["b1"]
    assert json.loads(play_here("--load", "1", "--json", typed=["c1", "quit"]))["moves"] == ["a1", "c1"]
    again = json.loads(play_here("--load", "--json", typed=["quit"]))
    assert (again["record"], again["moves"]) == (1, ["a1", "c1"])


def test_numbers_that_are_no_games(play_here, capsys):
    play_here("nim", "--side", "both", typed=["a1", "quit"])
    with Records() as records:
        number = records.new_match("arena", "nim", ["random", "random"], {})
        with records.lock(1):
            assert main(["play", "--load"]) == 2
    assert main(["play", "--load", "9"]) == 2
    assert main(["play", "--load", str(number)]) == 2
    locked, missing, arena = capsys.readouterr().err.splitlines()
    assert locked == "plyground: match 1 is being played by another process; wait for it or stop it"
    assert missing.startswith("plyground: there is no match 9 in ")
    assert arena == f"plyground: match {number} is not a game of plyground play; only such games can be resumed"


def test_kill_loses_nothing():
    """At any moment, each move whose answer was seen is there."""
    words = ("2048", "--against", "random", "--seed", "4", "--eval")
    process = subprocess.Popen([*PLYGROUND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        for move in ("left", "up", "left", "flip"):
            process.stdin.write(f"{move}\n")
        process.stdin.flush()
        seen = ""
        while seen.count("to move> ") < 5:
            seen += process.stdout.read(1)
        process.kill()
    killed = kept().moves
    assert [move for move in killed if move in ("left", "up")] == ["left", "up", "left"]
    resumed = json.loads(play("--load", "--json", typed=["up"]))
    assert resumed["moves"][:-2] == killed
    assert resumed["moves"] == json.loads(play(*words, "--json", typed=["left", "up", "left", "up"]))["moves"]
    assert resumed["notes"]["eval"] is True


def test_what_the_engine_found_is_kept_with_its_moves(play_here):
    typed = ["a1", "undo", "b1", "a1", "quit"]
    play_here("nim", "--against", "engine:level=10", "--clock", "60", typed=typed)
    row = kept()
    assert row.moves[0] == "b1"
    assert [score is None for score in row.scores] == [depth is None for depth in row.depths] == [True, False] * 2
    assert all(seconds >= 0 for seconds in row.times)
    assert len(row.times) == len(row.nodes) == 4
    play_here("--load", typed=["undo", "quit"])
    assert len(kept().scores) == len(kept().moves) == 2


@pytest.mark.parametrize("place", ["file/records.db", "folder"])
def test_a_place_that_cannot_be_written(play_here, monkeypatch, tmp_path, place):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("PLYGROUND_RECORDS", str(tmp_path / place))
    out = play_here("nim", "--side", "both", typed=["a1", "b1", "quit"])
    assert out.count("this game is not kept: ") == 1
    assert "resumes it" not in out


def test_records_that_another_program_keeps_locked_do_not_stop_the_game(play_here, monkeypatch):
    """Each move once waited for a minute, in which not even Ctrl-C helped."""
    play_here("nim", "--side", "both", typed=["a1", "quit"])
    monkeypatch.setattr("plyground.records.database.LOCK_TIMEOUT_SECONDS", 10**9)
    monkeypatch.setattr("plyground.records.recorder.WRITE_TIMEOUT_SECONDS", 0.01)
    other = sqlite3.connect(records_path(), isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    out = play_here("nim", "--side", "both", typed=["a1", "b1", "quit"])
    other.close()
    assert out.count("this game is not kept: ") == 1
    assert kept().moves == ["a1"]


def test_a_clock(capsys):
    out = play("nim", "--against", "random", "--clock", "300+2", typed=["a1", "quit"])
    assert "first to move, 4:59 left> " in out or "first to move, 5:00 left> " in out
    assert kept().more["clock"]["increment"] == 2
    assert play("--load", typed=["quit"]).count("left> ") == 1
    assert main(["play", "nim", "--clock", "5", "--time", "3"]) == 2
    assert "--clock and --time cannot be combined" in capsys.readouterr().err


def test_a_flag_falls_without_a_line_being_typed():
    """Nothing is written to the pipe, and it stays open."""
    process = subprocess.Popen([*PLYGROUND, "nim", "--clock", "0.5"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        out = process.stdout.read()
    assert out.endswith("left> \nsecond wins: first has run out of time\n")
    assert process.returncode == 0


def test_with_a_clock_lines_that_came_together_are_read_one_by_one():
    out = play("nim", "--side", "both", "--clock", "600", "--json", typed=["a1", "b1", "c1"])
    assert json.loads(out)["moves"] == ["a1", "b1", "c1"]


def test_a_player_that_cannot_be_stopped_loses_on_time():
    out = play("connect4", "--moves", "4", "--against", "textbook:minimax,depth=30", "--clock", "1")
    assert out.endswith("X wins: O has run out of time\n")


# -- what can be typed -----------------------------------------------------------------------------------------------------


def test_resign():
    assert play("connect4", "--against", "random", typed=["4", "resign"]).endswith("X to move> O wins: X has resigned\n")


def test_undo_and_redo():
    out = play("nim", "--side", "both", "--json", typed=["a1", "b1", "c1", "undo", "undo", "redo", "quit"])
    assert json.loads(out)["moves"] == ["a1", "b1"]


def test_eval_says_the_score_now():
    out = play("tictactoe", "--side", "both", "--moves", "a1 a2 b1 b2", typed=["eval", "eval on", "eval x", "quit"])
    assert "X to move> X wins in 1 ply (solved)" in out
    assert "evaluations are shown after the computer's moves" in out
    assert "type eval, eval on or eval off" in out


def test_a_hint_and_an_evaluation_where_three_play():
    out = play(str(EXAMPLES / "three_heaps.py"), "--side", "both", typed=["hint", "eval", "quit"])
    values = r"then red \d, green \d, blue \d \(max\^n, depth 3\)\n"
    assert re.search(rf"red to move> [abc][123]: {values}red to move> {values}", out)
    assert "explain" not in out


def test_a_hint_says_what_its_number_means():
    """Othello's net counts in points of the margin; where the unit is the rules' own, a winning chance says what it is worth."""
    othello = play("othello", "--against", "random", "--seed", "1", typed=["hint", "quit"])
    assert re.search(r"black \(X\) to move> [a-h]\d: [+-]\d+\.\d points for black \(depth \d+(, unfinished)?\): ", othello)
    race = play(str(EXAMPLES / "breakthrough.py"), "--side", "both", typed=["eval", "quit"])
    assert re.search(r"to move> ([+-]\d+ for \w+, a winning chance of about \d+ %|even) \(depth \d+(, unfinished)?\)", race)


def test_the_level_changes_in_mid_game():
    typed = ["level", "a1", "level 3", "level", "level 11", "quit"]
    out = play("nim", "--against", "engine:time=0.1", typed=typed)
    assert "the engine plays at level 10 of 10; level N changes it" in out
    assert "the engine plays at level 3 of 10 from now on\n" in out
    assert "the engine plays at level 3 of 10; level N changes it" in out
    assert "a level is a whole number from 1 to 10, as in level 5" in out
    assert kept().players == ["person", "engine:level=3,time=0.1"]
    assert "second is engine:level=3,time=0.1." in play("--load", typed=["quit"])
    random = play("nim", "--against", "random", typed=["level 3", "quit"])
    assert "level changes the strength of the engine; your opponent is random" in random


def test_the_page_lists_every_command():
    from plyground.cli._commands import HELP

    page = (EXAMPLES.parent / "docs" / "match.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| (`.*?) \|", page.partition("## At the terminal")[2], re.MULTILINE) == [
        ", ".join(f"`{word}`" for word in words.split(", ")) for words, _ in HELP
    ]


def test_the_moves_so_far():
    out = play("chess", "--side", "both", typed=["history", "e4", "e5", "Nf3", "history", "quit"])
    assert "white to move> no move has been made yet\n" in out
    assert "black to move> 1. e4 e5 2. Nf3\n" in out


def test_the_moves_so_far_with_rolls_and_other_turns():

    match = Match("backgammon", seed=1)
    for _ in range(4):
        match.roll() if match.mover is None else match.play(match.legal()[0])
    one, two, three, four = match.move_texts()
    assert match.movetext() == f"({one}) 1. {two} ({three}) {four}"
    again = Match("kalah", moves="3 2 4")  # the first seed of a turn that ends in the store gives another turn
    assert again.movetext() == "1. 3 2 4"


def test_a_review_names_mistakes_and_what_would_have_been_better():
    """X lets O win: c3 instead of the block."""
    typed = ["review", "a1", "b2", "b1", "a3", "review", "quit"]
    out = play("tictactoe", "--side", "both", typed=typed)
    assert "you haven't made a move yet" in out
    assert re.search(r"4 moves of yours: (1 blunder|2 blunders)\n", out)
    assert re.search(r"2\.\.\. a3\?\? is a blunder: O loses in \d pl(y|ies)\. Better is c1: ", out)
    assert "a review needs the engine" in play(str(EXAMPLES / "three_heaps.py"), "--side", "both", typed=["a1", "review"])


def test_a_roll_is_rolled():
    match = Match("backgammon", seed=1)
    roll = match.game.format_move(match.s, match.roll())
    assert match.game.show(match.s).endswith(f"{match.side} rolls {roll}")


def test_moves_of_several_parts_stand_one_on_a_line():
    out = play("backgammon", "--side", "both", "--seed", "1", typed=["moves", "quit"])
    match = Match("backgammon", seed=1)
    while match.mover is None:
        match.roll()
    texts = [match.game.format_move(match.s, m) for m in match.legal()]
    lines = out.partition("X to move> ")[2].splitlines()[: len(texts)]
    assert sorted(lines) == sorted(texts)
    assert lines[0] == min(texts, key=lambda text: int(text.partition("/")[0]))


def test_flip():
    out = play("chess", "--side", "both", typed=["flip", "e4", "quit"])
    assert "h g f e d c b a\nR N B K Q B N R 1\nP P P P P P P P 2\n" in out
    assert kept().more["notes"] == {"flip": True}
    assert play("--load", typed=["quit"]).count("R N B K Q B N R 1") == 1


# -- how it looks ----------------------------------------------------------------------------------------------------------


def test_a_pipe_gets_plain_letters():
    out = play("chess", "--against", "random", typed=["e4", "quit"])
    assert out.isascii()
    assert "You are white (PBNRQK), black (pbnrqk) is random." in out


def test_a_game_of_three_sides():
    path = str(EXAMPLES / "three_heaps.py")
    out = play(path, "--side", "second", typed=["resign"])
    sides = load(path).sides
    assert f"You are {sides[1]}, {sides[0]} is textbook:maxn,depth=3, {sides[2]} is textbook:maxn,depth=3." in out
    assert out.endswith(f"{sides[1]} has resigned\n")


def test_words_on_a_board_are_no_pieces():
    from plyground.cli.show import paint

    game = load("checkers")
    text = paint(game, game.start(), None, unicode=True).plain
    assert text.endswith("black 12, white 12")
    assert text.count("●") == text.count("○") == 12


def test_the_only_move_is_named_once():
    state = "--XXXXOXXXXXXOOXXOXOOOOXXOXOOOOXXOOOXOOXXOXOOXOXXOOOOOXXXOOXXXXX X"
    out = play("othello", "--side", "both", "--state", state, typed=["nonsense", "quit"])
    assert out.count("the only move is pass") == 1


def test_dice_in_a_pipe():
    out = play("backgammon", "--side", "both", "--seed", "1", typed=["quit"])
    assert "\n[" in out


@pytest.mark.parametrize("name", builtin_games())
def test_plain_letters_are_those_of_show(name):
    """The board at a terminal without Unicode is the text of `show`; turned round, it has the same pieces."""
    from plyground.cli.show import paint

    match = Match(load(name), seed=1)
    for _ in range(12):
        match.roll() if match.mover is None else match.play(match.legal()[0])
        board = paint(match.game, match.s, None, unicode=False).plain
        assert board == match.game.show(match.s)
        assert sorted(paint(match.game, match.s, None, unicode=False, flip=True).plain.split()) == sorted(board.split())
        if match.result is not None:
            break


def test_one_sign_for_a_piece_on_the_board_and_below_it():
    from plyground.cli.show import paint

    game = load("othello")
    assert paint(game, game.start(), None, unicode=True).plain.endswith("black ● 2, white ○ 2")
    assert paint(game, game.start(), None, unicode=False).plain.endswith("black X 2, white O 2")
    match = Match("backgammon", seed=1)
    match.roll()
    assert "bar: ● 0, ○ 0   off: ● 0, ○ 0" in paint(match.game, match.s, None, unicode=True).plain


def test_a_checkered_board():
    """Squares alternate, take two columns, and black is on dark and on light ones; marked ones have a colour of their own."""
    from plyground.cli.show import CHANGED, DARK, LIGHT, paint

    game = load("chess")
    s = game.play(game.start(), game.parse_move(game.start(), "e4"))
    text = paint(game, s, game.start(), unicode=True, squares=True)
    assert text.plain.split("\n")[0] == "8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜ "
    squares = [str(span.style).rpartition("on ")[2] for span in text.spans if "on color" in str(span.style)]
    assert squares[:9] == [f"color({LIGHT})", f"color({DARK})"] * 4 + [f"color({DARK})"]
    assert squares.count(f"color({CHANGED})") == 2
    assert "." not in text.plain
    assert "on color" not in str(paint(game, s, None, unicode=True).spans)
    assert "on color" not in str(paint(load("othello"), load("othello").start(), None, unicode=True, squares=True).spans)


def test_what_has_changed_is_marked():
    from plyground.cli.show import paint

    game = load("chess")
    s = game.play(game.start(), game.parse_move(game.start(), "e4"))
    text = paint(game, s, game.start(), unicode=False)
    assert [text.plain[span.start : span.end] for span in text.spans if "reverse" in str(span.style)] == ["P", "."]


@pytest.mark.parametrize("name", [name for name in builtin_games() if len(load(name).sides) > 1])
def test_signs_are_those_of_the_board(name):
    """Each sign that a game gives stands on its board at some time."""
    game = load(name)
    boards = ""
    match = Match(game, seed=1)
    for i in range(400):
        boards += game.show(match.s)
        if match.result is not None:
            match = Match(game, seed=i)
        match.roll() if match.mover is None else match.play(match.legal()[i * 7 % len(match.legal())])
    assert all(sign in boards for signs in game.signs for sign in signs)


# -- engines of other programs ---------------------------------------------------------------------------------------------


def test_an_engine_of_another_program_plays_and_is_kept_with_its_whole_path(play_here, monkeypatch):
    monkeypatch.chdir(DATA)
    told = play_here(
        "tictactoe", "--against", f"ugi:{sys.executable} engines/engine.py tictactoe", "--eval", typed=["b2", "quit"]
    )
    assert "O plays a3\n+18 for O (depth 3): a3" in told
    assert kept().players == ["person", f"ugi:{sys.executable} {DATA}/engines/engine.py tictactoe"]
    assert kept().more["engines"] == [None, "Test Engine"]
    monkeypatch.chdir("/")
    assert "O plays b3" in play_here("--load", typed=["c3", "quit"])


def test_a_game_can_go_on_after_the_engine_has_failed(play_here, capsys, monkeypatch):
    engine = f"ugi:{sys.executable} {DATA}/engines/engine.py tictactoe"
    monkeypatch.setattr("sys.stdin", io.StringIO("b2\nc3\n"))
    assert main(["play", "tictactoe", "--against", f"{engine} crashes"]) == 2
    out, err = capsys.readouterr()
    assert err == f"plyground: {engine} crashes: it has ended (exit code 3: the net is broken)\n"
    assert f"the game is kept as record {kept().match}; plyground play --load resumes it" in out
    assert "O plays b3" in play_here("--load", "--against", engine, typed=["quit"])


# -- clocks and the compiler ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--against", "engine:depth=1"], ["--against", "engine:depth=1", "--table", "TABLE"], []])
def test_no_clock_runs_while_an_engine_is_made(words, play_here, monkeypatch, tmp_path):
    """It is made before the clocks start; the one that gives hints, while they stand still."""
    from plyground.players.builtin import EnginePlayer
    from plyground.solver.tablebase import solve_tablebase

    solve_tablebase(load("nim(heaps=1, size=2)"), str(tmp_path / "nim.ply"))
    begun, made, old_start, old_init = [], [], Match.start_clock, EnginePlayer.__init__

    def start_clock(match):
        begun.append(match.clock)
        old_start(match)

    def init(player, *args, **options):
        made.append([clock.running for clock in begun])
        old_init(player, *args, **options)

    monkeypatch.setattr(Match, "start_clock", start_clock)
    monkeypatch.setattr(EnginePlayer, "__init__", init)
    given = [str(tmp_path / "nim.ply") if word == "TABLE" else word for word in words]
    play_here("nim(heaps=1, size=2)", "--clock", "60", *(given or ["--side", "both"]), typed=["hint", "a1", "quit"])
    assert made[0] == ([None] if not words else [])
    assert all(running is None for one in made for running in one)
