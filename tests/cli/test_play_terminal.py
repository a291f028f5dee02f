"""`plyground play` at a real terminal: signs, colours, keys."""

import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

import pytest

from plyground import Match
from plyground.records.store import Records

PLYGROUND = [sys.executable, "-m", "plyground", "play"]


class Terminal:
    """A game at a pseudo-terminal."""

    def __init__(self, *words, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 100, 0, 0))
        names = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment}
        clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS")}
        self.process = subprocess.Popen(
            [*PLYGROUND, *words], stdin=slave, stdout=slave, stderr=slave, env={**clean, **names}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.seen = ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")  # a character may come in two parts

    def wait(self, text, seconds=90):
        """What is printed up to a text, which is then left behind."""
        until = time.monotonic() + seconds
        while text not in self.seen:
            assert select.select([self.master], [], [], max(0, until - time.monotonic()))[0], self.seen
            try:
                self.seen += self.decoder.decode(os.read(self.master, 65536))
            except OSError:
                raise AssertionError(self.seen) from None
        before, _, self.seen = self.seen.partition(text)
        return before + text

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
    assert game.process.wait(30) == 0


def test_a_key_makes_the_engine_move_now(terminal):
    game = terminal("connect4", "--side", "second", "--time", "600")
    game.wait("Enter: move now")
    time.sleep(0.3)
    game.type("\r")
    game.wait("X plays ")
    game.wait("to move> ")
    game.type("4\r")
    game.wait("Enter: move now")
    game.type("\x03")
    game.wait("the game is kept as record 1")
    assert game.process.wait(30) == 130
    with Records(new=False) as records:
        assert next(records.games()).moves[1] == "4"
    assert "Traceback" not in game.seen
