"""How the tests are run: in a process that is replaced when it has grown, and without a browser where there is none."""

import os
import re
import subprocess
import sys

import pytest

from here import ROOT, TESTS
from running import gone, wait_until

forks = pytest.mark.skipif(sys.platform != "linux", reason="tests are forked on Linux only")

CONFTEST = """
pytest_plugins = ["forked"]

def pytest_configure():
    import forked
    forked.FULL, forked.LIMIT = 150, 300
"""
GROWS = """
import os, pytest
kept = []

@pytest.fixture(scope="module")
def log():
    with open("log", "a") as file:
        print("setup", file=file)
        yield file
        print("teardown", file=file)

@pytest.mark.parametrize("megabytes", [1, 1, 150, 1])
def test_grows(megabytes, log):
    kept.append(b"x" * (megabytes << 20))
    print(os.getpid(), file=log)
"""
EXCEEDS = """
def test_before(): pass
def test_exceeds(): assert b"x" * (300 << 20)  # freed before the test ends
def test_after(): pass
"""
CRASHES = """
import os
def test_before(): pass
def test_crashes(): os._exit(3)
def test_fails(): assert 1 + 1 == 3
def test_after(): pass
"""


HANGS = """
import os, pytest, time

@pytest.fixture
def log():
    with open("log", "a") as file:
        yield file
        print("teardown", file=file)

def test_hangs(log):
    print(os.getpid(), file=log, flush=True)
    time.sleep(86_400)
"""


@pytest.fixture
def pytest_says(tmp_path):
    """Runs pytest on a file of tests, in the same way as these tests are run; the last lines that it prints."""

    def run(text, *settings, start=subprocess.run):
        (tmp_path / "conftest.py").write_text(CONFTEST)
        (tmp_path / "test_it.py").write_text(text)
        (tmp_path / "pytest.ini").write_text("\n".join(["[pytest]", *settings]))
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTEST_ADDOPTS": ""}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
        done = start(command, cwd=tmp_path, env=environment, text=True, **pipes)
        return done.stdout if start is subprocess.run else done

    return run


@forks
def test_a_process_that_has_grown_is_replaced(pytest_says, tmp_path):
    assert "4 passed" in pytest_says(GROWS)
    log = (tmp_path / "log").read_text().split()
    first, last = log[1], log[6]
    assert log == ["setup", first, first, first, "teardown", "setup", last, "teardown"]
    assert first != last


@forks
def test_a_test_that_takes_too_much_memory_is_named(pytest_says):
    said = pytest_says(EXCEEDS)
    assert "test_it.py::test_exceeds took the memory of this process to" in said
    assert "3 passed, 1 error" in said


@forks
def test_a_crash_fails_its_test_only(pytest_says):
    said = pytest_says(CRASHES)
    assert "the process ended with exit code 3 while it ran test_it.py::test_crashes" in said
    assert "assert (1 + 1) == 3" in said
    assert "2 failed, 2 passed" in said


@forks
def test_a_test_that_hangs_is_ended_and_tells_where(pytest_says):
    said = pytest_says(HANGS, "faulthandler_timeout = 1", "faulthandler_exit_on_timeout = true")
    assert re.search(r'test_it\.py", line 12 in test_hangs', said)
    assert "the process ended with exit code 1 while it ran test_it.py::test_hangs" in said


@forks
def test_a_killed_run_leaves_no_process(pytest_says, tmp_path):
    log = tmp_path / "log"
    with pytest_says(HANGS, start=subprocess.Popen) as process:
        wait_until(lambda: log.exists() and log.read_text().endswith("\n"))
        process.kill()
    wait_until(lambda: gone(int(log.read_text().split()[0])))
    assert log.read_text().split()[1:] == ["teardown"]


@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_left_out_without_a_browser_is_said(tmp_path, workers):
    environment = {**os.environ, "PATH": str(tmp_path), "CI": ""}
    command = [sys.executable, "-m", "pytest", "tests/pages/test_pages.py", "-n", workers, "-p", "no:cacheprovider"]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True).stdout
    assert "left out, because Chromium and its driver are not installed: " in said
    assert "1 test in tests/pages; `make browser` installs them" in said
