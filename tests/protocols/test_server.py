"""Lines in and answers out, whatever the other program does."""

import io
import os
import shlex
import subprocess
import sys
import threading

import pytest

from plyground.errors import PlygroundError
from plyground.protocols.server import MAX_LINE_BYTES, Server, lines_of


class Echo(Server):
    """Says what it hears, and what went wrong."""

    def handle(self, line):
        if line == "quit":
            self.over = True
        elif line == "refuse":
            raise PlygroundError("no\nthanks")
        elif line == "fail":
            raise ZeroDivisionError("by zero")
        else:
            self.say(line)

    def send_error(self, text):
        self.say(f"error {text}")

    def shut_down(self):
        self.say("left")


def answers(given):
    target = io.BytesIO()
    Echo(io.BytesIO(given), target).serve()
    return target.getvalue().decode().splitlines()


def test_lines_are_answered_in_order_until_the_input_ends():
    assert answers(b"a\nb\r\n\nc") == ["a", "b", "", "c", "left"]


def test_nothing_is_handled_after_the_end():
    assert answers(b"a\nquit\nb\n") == ["a", "left"]


def test_an_error_is_one_line_and_the_next_line_follows(capsys):
    assert answers(b"refuse\nfail\na\n") == ["error no thanks", "error ZeroDivisionError: by zero", "a", "left"]
    shown = capsys.readouterr().err
    assert "ZeroDivisionError" in shown
    assert "thanks" not in shown


def test_a_long_line_is_cut_and_the_next_one_is_whole():
    long = b"x" * (3 * MAX_LINE_BYTES + 7)
    assert [len(line) for line in lines_of(io.BytesIO(long + b"\nnext\n" + long))] == [MAX_LINE_BYTES, 4, MAX_LINE_BYTES]


def test_a_closed_pipe_ends_the_server_even_if_more_lines_come():
    reader, writer = os.pipe()
    os.close(reader)
    given, giver = os.pipe()
    with os.fdopen(given, "rb") as source, os.fdopen(writer, "wb", buffering=0) as target:
        server = Echo(source, target)
        os.write(giver, b"a\n")
        server.serve()  # returns although `giver` is still open
        assert server.broken
        os.close(giver)


def test_a_server_that_hangs_is_left_when_the_input_has_ended(monkeypatch):
    monkeypatch.setattr("plyground.protocols.server.EXIT_TIMEOUT", 0.01)
    hangs, heard = threading.Event(), []

    class Hanging(Server):
        def handle(self, line):
            heard.append(line)
            hangs.wait()

    Hanging(io.BytesIO(b"a\nb\n"), io.BytesIO()).serve()
    assert heard == ["a"]
    hangs.set()


@pytest.mark.parametrize("ending", ["quit\n", ""])
def test_what_rules_print_is_no_answer_and_what_they_read_is_nothing(ending):
    code = """
from plyground.protocols import server

class Printing(server.Server):
    def handle(self, line):
        self.over = line == "quit"
        print("printed", line)
        try:
            input()
        except EOFError:
            self.say("said " + line)

server.run(Printing)
"""
    done = subprocess.run([sys.executable, "-c", code], input=f"a\nb\n{ending}", capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["said a", "said b"]
    assert "printed a" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a shell of another kind")
def test_without_stdin_there_is_one_clear_line():
    command = f"{shlex.quote(sys.executable)} -m plyground uci <&-"
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "plyground: a protocol needs stdin and stdout, and one of them is closed\n"
