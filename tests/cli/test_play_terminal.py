"""`plyground play` at a real terminal: signs, colours, keys."""

import codecs
import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest

from plyground import Match, load
from plyground.players.spec import make_player
from plyground.records.store import Records

PLYGROUND = [sys.executable, "-m", "plyground", "play"]


class Terminal:
    """A game at a pseudo-terminal."""

    def __init__(self, *words, **environment):
        self.master, slave = pty.openpty()
        size = struct.pack("HHHH", 50, int(environment.pop("COLUMNS", 100)), 0, 0)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        names = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment}
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [*PLYGROUND, *words], stdin=slave, stdout=slave, stderr=slave, env={**clean, **names}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.seen = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # a character may come in two parts

    def wait(self, text):
        """What is printed up to a text, which is then left behind."""
        while text not in self.seen:
            try:
                self.seen += self.decoder.decode(os.read(self.master, 65536))
            except OSError:
                raise AssertionError(self.seen) from None
        before, _, self.seen = self.seen.partition(text)
        return before + text

    def rest(self):
        """What is printed until the program ends."""
        try:
            while data := os.read(self.master, 65536):
                self.seen += self.decoder.decode(data)
        except OSError:
            pass
        return self.seen

    def type(self, text):
        os.write(self.master, text.encode())

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


@pytest.fixture
def terminal():
    opened = []

    def start(*words, **environment):
        opened.append(Terminal(*words, **environment))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def test_signs_and_colours_where_the_terminal_has_them(terminal):
    seen = terminal("othello", "--side", "both").wait("to move> ")
    assert "You are black (●) and white (○)." in seen
    assert "\x1b[1;36m●" in seen
    assert "black (●) to move> " in seen


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_signs_and_colours_only_there(terminal, environment):
    seen = terminal("othello", "--side", "both", **environment).wait("to move> ")
    if "NO_COLOR" in environment:
        assert not re.search(r"\x1b\[[0-9;]*[349][0-7]m", seen)
        assert "●" in seen
    else:
        assert "You are black (X) and white (O)." in seen
        assert "●" not in seen
    if "TERM" in environment:
        assert "\x1b[1" not in seen


def test_dice_are_drawn(terminal):
    assert "╭───────╮ ╭───────╮" in terminal("backgammon", "--side", "both").wait("to move> ")


def test_arrow_keys(terminal):
    game = terminal("2048", "--against", "random", "--seed", "3")
    game.wait("player to move> ")
    game.type("\x1b[A")
    game.wait("up\r\n")
    game.wait("player to move> ")
    game.type("state\r")
    state = game.wait("tiles=0")
    match = Match("2048", seed=3)
    while match.mover is None:
        match.roll()
    match.play("up")
    match.roll()
    assert match.game.format_state(match.s) in state
    game.wait("player to move> ")
    game.type("\x04")
    game.wait("the game is kept as record 1")
    assert game.process.wait() == 0


def test_a_key_makes_the_engine_move_now(terminal):
    """After a key, with ten minutes left to think; Ctrl-C leaves in the middle of the next search."""
    make_player("engine:time=600", load("othello"))  # else a textbook search plays until it is compiled
    game = terminal("othello", "--time", "600")
    game.wait("to move> ")
    game.type("f5\r")
    game.wait("Enter: move now) depth ")
    game.type("\r")
    game.wait("white plays ")
    game.wait("to move> ")
    game.type("hint\r")
    game.wait("Enter: move now) depth ")
    game.type("\x03")
    game.wait("the game is kept as record 1")
    assert game.process.wait() == 130
    with Records(new=False) as records:
        assert next(records.games()).moves[0] == "f5"
    assert "Traceback" not in game.seen


# -- the clock -------------------------------------------------------------------------------------------------------------


def test_the_clock_ticks_at_the_prompt_and_the_flag_falls_by_itself(terminal):
    """What has been typed stays while the clock ticks, and nobody presses a key at the end."""
    game = terminal("nim", "--against", "random", "--clock", "600")
    game.wait("left> ")
    game.type("a")
    times: set[str] = set()
    while len(times) < 3:
        times.add(re.findall(r"\d+:\d\d", game.wait("left> a"))[-1])
    game = terminal("nim", "--against", "random", "--clock", "3")
    game.type("a")
    game.wait("second wins: first has run out of time")
    assert game.process.wait() == 0


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}])
def test_the_flag_falls_at_any_terminal(terminal, environment):
    game = terminal("nim", "--against", "random", "--clock", "0.5", **environment)
    game.wait("second wins: first has run out of time")
    assert game.process.wait() == 0


@pytest.mark.parametrize("environment", [{}, {"TERM": "dumb"}])
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
@pytest.mark.parametrize("clock", [[], ["--clock", "600"]])
def test_ctrl_c_and_ctrl_d_leave(terminal, environment, key, code, clock):
    game = terminal("nim", "--side", "both", *clock, **environment)
    game.wait("first to move")
    game.wait("> ")
    game.type("a1\r")
    game.wait("second to move")
    game.wait("> ")
    game.type(key)
    game.wait("the game is kept as record 1; plyground play --load resumes it")
    assert game.process.wait() == code
    assert "Traceback" not in game.rest()


def test_the_engines_clock_ticks_too(terminal):
    game = terminal("connect4", "--moves", "4", "--against", "textbook:minimax,depth=30", "--clock", "600")
    times: set[str] = set()
    while len(times) < 3:
        game.wait("is thinking …, ")
        times.add(re.findall(r"\d+:\d\d", game.wait(" "))[0])
    game = terminal("connect4", "--moves", "4", "--against", "textbook:minimax,depth=30", "--clock", "2")
    game.wait("● wins: ○ has run out of time")


# -- typing ----------------------------------------------------------------------------------------------------------------


def test_tab_completes_moves_and_commands(terminal):
    game = terminal("chess", "--side", "both")
    game.wait("white to move> ")
    game.type("Nf\t")
    game.wait("Nf3")
    game.type("\r")
    game.wait("black to move> ")
    game.type("hist\t")
    game.wait("history")
    game.type("\r")
    game.wait("\r\n1. Nf3\r\n")
    game.wait("black to move> ")
    game.type("N\t")
    game.wait("Na6 Nc6 Nf6 Nh6")
    game.wait("black to move> N")
    game.type("zz\t")
    game.wait("\a")


def test_a_line_is_edited(terminal):
    """Ctrl-A, delete, Ctrl-U, backspace, history: each key as at a shell."""
    game = terminal("nim", "--side", "both")
    game.wait("first to move> ")
    game.type("xstate\x01\x1b[3~\r")
    game.wait("3-4-5")
    game.wait("first to move> ")
    game.type("\x1b[A")
    game.wait("state")
    game.type("\x15hel\x7f\x7f\x7fa1\r")
    game.wait("second to move> ")


def test_a_long_line_stays_in_one_row(terminal):
    game = terminal("nim", "--side", "both", COLUMNS="40")
    game.wait("first to move> ")
    game.type("x" * 60 + "end")
    row = game.wait("xend").rpartition("\r")[2]
    assert len(re.sub(r"\x1b\[[0-9]*[A-Z]", "", row)) < 40


def test_a_prompt_is_not_cut_within_a_word(terminal):
    """At 40 columns there is room for a short one; of a long one, the end stays."""
    terminal("nim", "--side", "both", "--clock", "9", COLUMNS="40").wait("\rfirst to move, 0:0")
    terminal("nim", "--side", "both", "--clock", "9", COLUMNS="30").wait("\rmove, 0:0")
    terminal("nim", "--side", "both", COLUMNS="0").wait("\rfirst to move> ")  # a terminal that doesn't know its width


# -- the picture -----------------------------------------------------------------------------------------------------------


def test_the_board_is_drawn_in_place(terminal):
    """The cursor goes up exactly as many rows as were printed since the board before."""
    game = terminal("tictactoe", "--side", "both")
    game.wait("X to move> ")
    game.type("b2\r")
    drawn = game.wait("O to move> ")
    up, picture = re.search(r"\x1b\[(\d+)A\r\x1b\[J(.*)", drawn, re.DOTALL).groups()
    assert int(up) == 7  # an empty row, the board with its letters, an empty row, the line that was typed
    assert "1. b2" in picture
    game.type("help\r")
    printed = game.wait("O to move> ").count("\r\n")
    game.type("a1\r")
    drawn = game.wait("X to move> ")
    assert int(re.search(r"\x1b\[(\d+)A", drawn)[1]) == 8 + printed
    game.type("\t")
    printed = game.wait("X to move> ").count("\r\n")
    assert printed == 2  # the row of the prompt, and the list
    game.type("c3\r")
    drawn = game.wait("O to move> ")
    assert int(re.search(r"\x1b\[(\d+)A", drawn)[1]) == 8 + printed


def test_a_dumb_terminal_draws_nothing_over(terminal):
    game = terminal("tictactoe", "--side", "both", TERM="dumb")
    game.wait("X to move> ")
    game.type("b2\r")
    assert "\x1b[" not in game.wait("O to move> ")


def test_a_checkered_board_where_there_are_colours(terminal):
    assert "48;5;67m" in terminal("chess", "--side", "both").wait("white to move> ")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "xterm"}):
        assert "48;5" not in terminal("chess", "--side", "both", **environment).wait("white to move> ")


def test_words_stay_whole_on_a_narrow_terminal(terminal):
    game = terminal("othello", "--side", "both", COLUMNS="40")
    seen = game.wait("to move> ")
    game.type("help\r")
    seen += game.wait("to move> ")
    game.type("nonsense\r")
    seen += game.wait("to move> ")
    for row in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen).replace("\r", "\n").split("\n"):
        assert len(row) <= 40, row


def test_one_sign_for_a_side(terminal):
    """Connect 4 calls its sides X and O; where the board shows ● and ○, so do the words."""
    game = terminal("connect4", "--against", "random", "--seed", "1")
    seen = game.wait("● to move> ")
    assert "You are ●, ○ is random." in seen
    game.type("4\r")
    assert "○ plays " in game.wait("● to move> ")
    game.type("resign\r")
    game.wait("○ wins: ● has resigned")


# -- after the game --------------------------------------------------------------------------------------------------------


def test_a_review_is_offered_after_the_game(terminal):
    game = terminal("tictactoe", "--side", "both", "--moves", "a1 b2 b1 a3")
    game.wait("X to move> ")
    game.type("c1\r")
    game.wait("X wins")
    game.wait("Review your moves? (y/N) ")
    game.type("y\r")
    game.wait("2... a3?? is a blunder: O loses in ")
    game.wait("Better is c1: ")
    game.wait("5 moves of yours: ")
    assert game.process.wait() == 0


def test_no_review_is_offered_where_nobody_played(terminal):
    game = terminal("tictactoe", "--side", "none", "--against", "random", "--seed", "1")
    assert game.process.wait() == 0
    assert "Review" not in game.rest()
