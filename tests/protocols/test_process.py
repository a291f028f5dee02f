"""Processes of engines: whatever they do, there is an answer in time, memory stays bounded, and nothing is left running."""

import os
import signal
import subprocess
import sys

import pytest

from plyground.errors import PlygroundError
from plyground.players import process as processes
from plyground.players.player import CRASHED, HUNG, UNPARSABLE, ForfeitError
from plyground.players.process import Process, log_of
from running import FOREVER, gone, wait_until

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
    assert process.line(FOREVER) == "you said hello"
    process.send("Grüße")
    assert process.wait_for("you", 20) == ["you said Grüße"]
    assert process.line(0.01) is None


def test_any_bytes_are_lines(started):
    process = started(r"import os; os.write(1, b'\xff\x00\tok\r\n' + b'x' * 100_000 + b'\nlast')")
    assert process.line(FOREVER) == "\\xff\tok"
    assert process.line(FOREVER) == "x" * processes.MAX_LINE_BYTES
    assert process.line(FOREVER) == "last"
    with pytest.raises(ForfeitError, match=r"it has ended \(exit code 0\)") as error:
        process.line(FOREVER)
    assert error.value.reason == CRASHED


def test_a_crash_tells_its_last_words(started):
    process = started("import sys; print('loading', file=sys.stderr); sys.exit('no net')")
    with pytest.raises(ForfeitError, match=r"it has ended \(exit code 1: no net\)") as error:
        process.wait_for("uciok", 20)
    assert error.value.reason == CRASHED
    assert process.stderr == "loading\nno net\n"
    with pytest.raises(ForfeitError, match="no net"):
        process.line(1)


def test_a_crash_is_noticed_though_a_child_holds_the_pipe(started):
    process = started(CHILD + "sys.exit(3)")
    child = int(process.line(FOREVER))
    with pytest.raises(ForfeitError, match=r"exit code 3"):
        process.line(FOREVER)
    wait_until(lambda: gone(child))


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
    monkeypatch.setattr(processes, "MAX_OUTPUT_BYTES", 1 << 20)
    process = started("while True: print('info string ' + 'x' * 100)")
    wait_until(lambda: process._lines.full())
    process.send("go")
    with pytest.raises(ForfeitError, match=r"it wrote more than 1 MB") as error:
        process.wait_for("bestmove", 60)
    assert error.value.reason == UNPARSABLE


def test_stderr_is_kept_in_part_and_in_a_log_of_bounded_size(started):
    process = started("import sys; sys.stderr.write('x' * 1_000_000 + '\\nthe end')")
    with pytest.raises(ForfeitError, match="the end"):
        process.line(FOREVER)
    assert len(process.stderr) == processes.STDERR_TAIL_BYTES
    assert process.stderr.endswith("x\nthe end")
    log = log_of(sys.executable).read_bytes()
    assert log.startswith(b"--- ")
    assert log.endswith(b"--- the rest is left out\n")
    assert processes.MAX_LOGGED_PER_PROCESS < len(log) < processes.MAX_LOGGED_PER_PROCESS + 2 * processes.CHUNK


def test_what_cannot_be_started_is_refused_in_one_line(tmp_path):
    file = tmp_path / "engine"
    file.write_bytes(b"\x00\x01")
    file.chmod(0o755)
    with pytest.raises(PlygroundError, match=r"engine: cannot be started \(") as error:
        Process([str(file)])
    assert "\n" not in str(error.value)


def test_closing_ends_an_engine_that_ignores_everything_and_its_child(started):
    process = started(CHILD + "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass")
    child = int(process.line(FOREVER))
    process.close()
    process.close()
    wait_until(lambda: gone(child))
    assert gone(process.pid)


on_linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes that leave the group are found in /proc")
LEAVES = """
import os, sys, time
if not os.fork():
    os.setsid()
    if os.fork():
        os._exit(0)
    print(os.getpid(), flush=True)  # a daemon: in a session of its own, and its parent has ended
    time.sleep(600)
os.wait()
time.sleep(600)
"""


@on_linux
def test_closing_ends_a_child_that_has_left_the_group_and_lost_its_parent(started):
    process = started(LEAVES)
    child = int(process.line(FOREVER))
    assert os.getsid(child) != os.getsid(process.pid)
    process.close()
    wait_until(lambda: gone(child))
    assert gone(process.pid)


@on_linux
def test_what_an_engine_has_started_ends_after_it_crashed(started):
    process = started(LEAVES.replace("os.wait()\ntime.sleep(600)", "sys.exit(3)"))
    child = int(process.line(FOREVER))
    with pytest.raises(ForfeitError, match="exit code 3"):
        process.line(FOREVER)
    wait_until(lambda: gone(child))


@on_linux
def test_no_child_outlives_the_program_that_was_killed():
    code = (
        "import sys, time; from plyground.players.process import Process; "
        f"engine = Process([sys.executable, '-c', {LEAVES!r}]); print(engine.line(600), flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        child = int(owner.stdout.readline())
        os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: gone(child))


@on_linux
def test_no_engine_of_an_engine_is_left(started):
    """The guard of the inner engine has to survive the end of the outer one."""
    process = started(
        "import sys, time; from plyground.players.process import Process; "
        f"engine = Process([sys.executable, '-c', {LEAVES!r}]); print(engine.pid, engine.line(600), flush=True); time.sleep(600)"
    )
    inner, child = map(int, process.line(FOREVER).split())
    process.close()
    wait_until(lambda: gone(inner) and gone(child))


def test_no_engine_outlives_the_program_that_was_killed():
    code = (
        "import sys, time; from plyground.players.process import Process; "
        "engine = Process([sys.executable, '-c', 'while True: pass']); print(engine.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    with owner:
        assert owner.stdout is not None
        engine = int(owner.stdout.readline())
        os.kill(owner.pid, signal.SIGKILL)
    wait_until(lambda: gone(engine))
