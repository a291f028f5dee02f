"""`plyground play`: what is kept of a game, how it goes on, and what can be typed."""

import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from here import DATA, EXAMPLES
from plyground import Match, load
from plyground.cli import main
from plyground.records.store import Records, records_path
from plyground.rules.load import shipped

PLYGROUND = [sys.executable, "-m", "plyground", "play"]


def play(*words, typed=()):
    """Stdout of a game in which these lines are typed."""
    done = subprocess.run(
        [*PLYGROUND, *words], input="".join(f"{x}\n" for x in typed), capture_output=True, text=True, timeout=120
    )
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


def leave_while_it_thinks(*words):
    """Ctrl-C once the engine thinks, which it would do for minutes."""
    process = subprocess.Popen([*PLYGROUND, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with process:
        seen = b""
        while b"1 2 3 4 5 6 7\n" not in seen:
            part = os.read(process.stdout.fileno(), 4096)
            assert part, process.stderr.read()
            seen += part
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    return process.returncode, (seen + out).decode(), err.decode()


@pytest.mark.parametrize("opponent", ["engine:level=10,time=600", "engine:level=10,depth=60"])
def test_ctrl_c_while_the_engine_thinks_keeps_the_game(opponent):
    """On a board without a book: while the solver is at it, and while the search is."""
    code, out, err = leave_while_it_thinks("connect4(rows=7, cols=7)", "--moves", "4", "--against", opponent)
    assert code == 130
    assert "Traceback" not in err
    assert out.splitlines()[-1] == "the game is kept as record 1; plyground play --load resumes it"
    assert kept().moves == ["4"]
    assert kept().players == ["person", opponent]


def test_ctrl_c_while_the_textbook_thinks_keeps_the_game():
    code, out, _ = leave_while_it_thinks("connect4", "--moves", "4", "--against", "textbook:minimax,depth=30")
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


def test_a_clock(capsys):
    out = play("nim", "--against", "random", "--clock", "300+2", typed=["a1", "quit"])
    assert "first to move, 4:59 left> " in out or "first to move, 5:00 left> " in out
    assert kept().more["clock"]["increment"] == 2
    assert play("--load", typed=["quit"]).count("left> ") == 1
    assert main(["play", "nim", "--clock", "5", "--time", "3"]) == 2
    assert "--clock and --time cannot be combined" in capsys.readouterr().err


def test_a_flag_falls():
    process = subprocess.Popen([*PLYGROUND, "nim", "--clock", "0.5"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        seen = ""
        while "left> " not in seen:
            seen += process.stdout.read(1)
        time.sleep(0.6)
        out, _ = process.communicate("a1\n", timeout=60)
    assert out == "second wins: first has run out of time\n"


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
    from plyground.cli._board import paint

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


@pytest.mark.parametrize("name", shipped())
def test_plain_letters_are_those_of_show(name):
    """The board at a terminal without Unicode is the text of `show`; turned round, it has the same pieces."""
    from plyground.cli._board import paint

    match = Match(load(name), seed=1)
    for _ in range(12):
        match.roll() if match.mover is None else match.play(match.legal()[0])
        board = paint(match.game, match.s, None, unicode=False).plain
        assert board == match.game.show(match.s)
        assert sorted(paint(match.game, match.s, None, unicode=False, flip=True).plain.split()) == sorted(board.split())
        if match.result is not None:
            break


def test_what_has_changed_is_marked():
    from plyground.cli._board import paint

    game = load("chess")
    s = game.play(game.start(), game.parse_move(game.start(), "e4"))
    text = paint(game, s, game.start(), unicode=False)
    assert [text.plain[span.start : span.end] for span in text.spans if "reverse" in str(span.style)] == ["P", "."]


@pytest.mark.parametrize("name", [name for name in shipped() if len(load(name).sides) > 1])
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
