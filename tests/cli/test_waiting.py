"""Commands that take longer than a second say what they do, on a terminal and in a pipe, and how long it will take."""

import dataclasses
import io
import sys
import threading
from typing import Any

import pytest

from plyground.cli import _terminal, commands, main
from plyground.cli._terminal import Countdown, StatusLine
from plyground.compile import progress
from plyground.solver.solver import Solver
from plyground.solver.solving import SolverProgress
from running import FOREVER


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(_terminal, "PROGRESS_DELAY", 1.0)


@pytest.fixture
def stderr(monkeypatch):
    def take(stream):
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return take


def test_a_pipe_gets_a_line_each_time_work_took_twice_as_long(stderr):
    stream = stderr(io.StringIO())
    with StatusLine() as line:
        for seconds in range(3600):
            line.show(f"after {seconds}", seconds)
    assert stream.getvalue().split() == [word for n in range(12) for word in ("after", str(2**n))]


def test_a_pipe_gets_no_line_twice(stderr):
    stream = stderr(io.StringIO())
    with StatusLine() as line:
        for seconds in range(1, 100):
            line.show("2 of 20 games" if seconds < 70 else "4 of 20 games", seconds)
    assert stream.getvalue().splitlines() == ["2 of 20 games", "4 of 20 games"]


def test_a_terminal_redraws_the_line_and_ends_without_it(stderr, monkeypatch):
    monkeypatch.setattr(_terminal, "REDRAW", 0.0)
    stream = stderr(Terminal())
    with StatusLine() as line:
        line.show("too early", 0.9)
        line.show("first", 1.0)
        line.show("second", 1.1)
    assert stream.getvalue() == "\rfirst\x1b[K\rsecond\x1b[K\r\x1b[K"


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_the_compiler_has_the_line_for_itself(stderr, monkeypatch, stream):
    monkeypatch.setattr(_terminal, "REDRAW", 0.0)
    shown = stderr(stream())
    heard: list[Any] = []
    monkeypatch.setattr(progress, "on_compile", heard.append)
    monkeypatch.setattr(progress, "line", lambda now: None)
    _terminal.show_compiling()
    now = progress.Compiling("nim", 1, "moves", 1.0, purpose="search", left=9.0)
    heard[0](now)
    before = shown.getvalue()
    with StatusLine() as line:
        line.show("hidden", 5.0)
        assert shown.getvalue() == before
        heard[0](dataclasses.replace(now, done=True))
        line.show("shown", 6.0)
    assert "shown" in shown.getvalue()


def test_a_pipe_hears_more_than_once_of_a_long_compilation(stderr, monkeypatch):
    """Several kernels may be compiled one after another; the estimate is for the current one."""
    stream = stderr(io.StringIO())
    heard: list[Any] = []
    clock = iter([0.0, 1.0, 1.0, 3.0, 3.0, 3.5, 3.5])
    monkeypatch.setattr(_terminal, "_compiling", set())
    monkeypatch.setattr(progress, "on_compile", heard.append)
    _terminal.show_compiling()
    monkeypatch.setattr("plyground.cli._terminal.time.monotonic", lambda: next(clock))
    for left in (9.0, 8.0, 7.0, 6.0):
        heard[0](progress.Compiling("nim", 1, "moves", 1.0, purpose="search", left=left))
    assert [line.rpartition(": ")[2] for line in stream.getvalue().splitlines()] == ["9 s left", "7 s left"]


def test_a_pipe_hears_of_a_compilation_again_only_if_the_estimate_has_changed(stderr, monkeypatch):
    stream = stderr(io.StringIO())
    heard: list[Any] = []
    monkeypatch.setattr(_terminal, "_compiling", set())
    monkeypatch.setattr(progress, "on_compile", heard.append)
    monkeypatch.setattr(_terminal, "PROGRESS_DELAY", 0.0)
    _terminal.show_compiling()
    for left in (1.8, 1.7, 1.5, 0.9):
        heard[0](progress.Compiling("nim", 1, "moves", 1.0, purpose="search", left=left))
    assert [line.rpartition(": ")[2] for line in stream.getvalue().splitlines()] == ["2 s left", "1 s left"]


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_a_step_that_takes_long_is_shown_before_it_ends(stderr, monkeypatch, stream):
    monkeypatch.setattr(_terminal, "PROGRESS_DELAY", 0.0)
    shown = threading.Event()

    written = stderr(stream())
    write = written.write

    def watched(text):
        write(text)
        shown.set()

    monkeypatch.setattr(written, "write", watched)
    with Countdown("count", 3) as bar:
        bar.tick(0)
        assert shown.wait(FOREVER)
        shown.clear()
        assert "count: 0 of 3, 1 s so far" in written.getvalue()
        bar.tick()
        while "count: 1 of 3, " not in written.getvalue():
            assert shown.wait(FOREVER)
            shown.clear()
    assert " left" in written.getvalue()


def test_work_that_counts_its_own_steps(stderr, monkeypatch):
    """What an earlier run did does not make this one look faster."""
    clock = iter([0.0, 5.0])
    monkeypatch.setattr(_terminal, "Worker", lambda *job: None)
    monkeypatch.setattr("plyground.cli._terminal.time.monotonic", lambda: next(clock))
    with Countdown("book") as line:
        line.reach(10, 20, 10)
        assert (line._began, line._before, line.done, line.total) == (5.0, 10, 10, 20)
        line.reach(12, 20, 10)
        assert line._began == 5.0
        assert _terminal.progress_text("book", line.done, line.total, 4.0, line._before) == "book: 12 of 20, 16 s left"


LONG = {
    "analyse": (["analyse", "nim", "--depth", "3", "--memory", "1", "--json"], "analyse nim: "),
    "bench": (["bench", "nim"], "bench"),
    "book": (["book", "nim", "--plies", "2", "--file", "x.book"], "book nim"),
    "check": (["check", "nim", "--games", "2"], "check nim"),
    "compare": (["compare", "nim", "--depth", "2", "--plot", "x.svg"], "compare nim 2"),
    "explain": (["explain", "nim", "--depth", "2", "--out", "x.html"], "write x.html"),
    "perft": (["perft", "nim", "3", "--distinct"], "distinct nim 3"),
    "solve": (["solve", "nim(heaps=2)", "--time", "9"], ", at most 8 s left"),
    "solve --batch": (["solve", "nim(heaps=2)", "--batch", "positions.txt", "--no-book"], "a1: "),
    "solve --table": (["solve", "nim(heaps=2)", "--table", "x.ply"], "finding: "),
    "web": (["web", "nim", "--out", "x.html"], "write x.html"),
}
"""Commands that may take long, and what they then show."""
ELSEWHERE = {"arena", "net", "record", "report", "train"}
"""Tested with the command."""
SHORT = {"completion", "docs", "games", "new", "show"}
TALKING = {"play", "gomocup", "hub", "nboard", "uci", "ugi"}
"""A person or a program sees what they do."""


def test_every_command_is_among_them():
    assert {name.split()[0] for name in LONG} | ELSEWHERE | SHORT | TALKING == set(commands())


def slowly(found, on_progress):
    """Reports the progress of a search that was too short for it."""
    on_progress(SolverProgress(found.low, found.high, found.nodes, 1.0))
    return found


@pytest.mark.parametrize("name", LONG)
def test_what_takes_long_says_so(name, monkeypatch, tmp_path):
    words, expected = LONG[name]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "positions.txt").write_text("a1\n")
    monkeypatch.setattr("plyground.measure.perft.BENCH_SECONDS", 0.001)
    monkeypatch.setattr("plyground.measure.perft.start_times", lambda spec: (1.0, 1.0))
    seen = []
    begin, solve = Countdown.__init__, Solver.solve
    monkeypatch.setattr(StatusLine, "show", lambda line, text, seconds: seen.append(text))

    def init(countdown, text, total=0):
        seen.append(text)
        begin(countdown, text, total)

    monkeypatch.setattr(Countdown, "__init__", init)
    if words[0] == "solve":
        monkeypatch.setattr(Solver, "solve", lambda solver, *a, on_progress, **k: slowly(solve(solver, *a, **k), on_progress))
    assert main(words) == 0
    assert any(expected in text for text in seen), seen
