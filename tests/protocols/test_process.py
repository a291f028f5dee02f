"""Processes of engines: whatever they do, there is an answer in time, memory stays bounded, and nothing is left running."""

import os
import signal
import subprocess
import sys

import pytest

from dask_cluster import wait_until
from plyground.errors import PlygroundError
from plyground.play.player import CRASHED, HUNG, RUBBISH, ForfeitError
from plyground.protocols import process as processes
from plyground.protocols.process import Process, log_of
from running import gone

CHILD = "import subprocess, sys; child = subprocess.Popen(['sleep', '600']); print(child.pid, flush=True); "


@pytest.fixture
def started():
    """Starts a Python program as an engine; all are ended after the test."""
    running = []

    def start(code):
        running.append(Process([sys.executable, "-c", code]))
        return running[-1]

    yield start
    for process in running:
        process.close()


def test_lines_go_in_and_out(started):
    process = started("while True: print('you said', input(), flush=True)")
    process.send("hello")
    assert process.line(20) == "you said hello"
    process.send("Grüße")
    assert process.wait_for("you", 20) == ["you said Grüße"]
    assert process.line(0.01) is None


def test_any_bytes_are_lines(started):
    process = started(r"import os; os.write(1, b'\xff\x00\tok\r\n' + b'x' * 100_000 + b'\nlast')")
    assert process.line(20) == "\\xff\tok"
    assert process.line(20) == "x" * processes.LONGEST
    assert process.line(20) == "last"
    with pytest.raises(ForfeitError, match=r"it has ended \(exit code 0\)") as error:
        process.line(20)
    assert error.value.reason == CRASHED


def test_a_crash_tells_its_last_words(started):
    process = started("import sys; print('loading', file=sys.stderr); sys.exit('no net')")
    with pytest.raises(ForfeitError, match=r"it has ended \(exit code 1: no net\)") as error:
        process.wait_for("uciok", 20)
    assert error.value.reason == CRASHED
    assert process.said == "loading\nno net\n"
    with pytest.raises(ForfeitError, match="no net"):
        process.line(1)


def test_a_crash_is_noticed_though_a_child_holds_the_pipe(started):
    process = started(CHILD + "sys.exit(3)")
    child = int(process.line(20))
    with pytest.raises(ForfeitError, match=r"exit code 3"):
        process.line(20)
    assert gone(child)


def test_no_answer_is_a_hang(started):
    process = started("import time; print('later', flush=True); time.sleep(600)")
    with pytest.raises(ForfeitError, match=r"it did not answer uciok within 0.5 s") as error:
        process.wait_for("uciok", 0.5)
    assert error.value.reason == HUNG


def test_an_engine_that_does_not_read_stops_nobody(started):
    process = started("import time; time.sleep(600)")
    for _ in range(100):
        process.send("x" * 10_000)  # more than a pipe holds
    assert process.line(0.01) is None


def test_a_flood_is_held_back_and_refused_when_an_answer_is_due(started, monkeypatch):
    monkeypatch.setattr(processes, "MOST", 1 << 20)
    process = started("while True: print('info string ' + 'x' * 100)")
    wait_until(lambda: process._lines.full())
    process.send("go")
    with pytest.raises(ForfeitError, match=r"it wrote more than 1 MB") as error:
        process.wait_for("bestmove", 60)
    assert error.value.reason == RUBBISH


def test_stderr_is_kept_in_part_and_in_a_log_of_bounded_size(started):
    process = started("import sys; sys.stderr.write('x' * 1_000_000 + '\\nthe end')")
    with pytest.raises(ForfeitError, match="the end"):
        process.line(20)
    assert len(process.said) == processes.TAIL
    assert process.said.endswith("x\nthe end")
    log = log_of(sys.executable).read_bytes()
    assert log.startswith(b"--- ")
    assert log.endswith(b"--- the rest is left out\n")
    assert processes.LOGGED < len(log) < processes.LOGGED + 2 * processes.CHUNK


def test_what_cannot_be_started_is_refused_in_one_line(tmp_path):
    file = tmp_path / "engine"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    with pytest.raises(PlygroundError, match=r"engine: cannot be started \(") as error:
        Process([str(file)])
    assert "\n" not in str(error.value)


def test_closing_ends_an_engine_that_ignores_everything_and_its_child(started):
    process = started(CHILD + "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass")
    child = int(process.line(20))
    process.close()
    process.close()
    assert gone(child)
    assert gone(process.pid)


def test_no_engine_outlives_the_program_that_was_killed():
    code = (
        "import sys, time; from plyground.protocols.process import Process; "
        "engine = Process([sys.executable, '-c', 'while True: pass']); print(engine.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        engine = int(owner.stdout.readline())
        os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: gone(engine))
