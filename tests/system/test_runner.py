"""One runner for all that works on threads: answers, deadlines, stops, exceptions, and no thread that is left behind."""

import ctypes
import signal
import threading
import time
from types import SimpleNamespace

import pytest

from plyground.system.runner import Crew, Runner, Worker


def word(runner):
    """What native code reads."""
    return ctypes.c_int64.from_address(runner.address).value


@pytest.fixture(autouse=True)
def no_thread_stays():
    before = set(threading.enumerate())
    yield
    until = time.monotonic() + 5
    while set(threading.enumerate()) - before and time.monotonic() < until:
        time.sleep(0.005)
    assert set(threading.enumerate()) == before


def until_stopped(runner):
    """A job that never has an answer and ends when native code would."""
    while not word(runner):
        time.sleep(0.001)


def test_the_first_answer_ends_the_others_and_is_no_stop():
    runner = Runner()

    def job(number):
        return answer if number == 1 else until_stopped(runner)

    for answer in (5, 0):
        assert runner.run(job, 3) == answer
        assert not runner.stopped
        assert word(runner) == 0, "the next run starts afresh"


def test_without_an_answer_all_run_to_their_end():
    done: list[int] = []
    assert Runner().run(done.append, 3) is None
    assert sorted(done) == [0, 1, 2]


@pytest.mark.parametrize("threads", [1, 2])
def test_the_deadline_stops_every_thread(threads):
    runner = Runner(0.05)
    assert runner.run(lambda number: until_stopped(runner), threads) is None
    assert runner.stopped
    assert word(runner) == 1
    assert runner.left <= 0


def test_a_stop_from_elsewhere():
    runner = Runner()
    timer = threading.Timer(0.05, runner.stop)
    timer.start()
    runner.run(lambda number: until_stopped(runner), 2)
    assert runner.stopped
    assert runner.run(lambda number: word(runner)) == 1, "a stop holds for all that follows"
    timer.join()


def test_an_exception_stops_the_others_and_is_raised():
    runner = Runner()
    with pytest.raises(ZeroDivisionError):
        runner.run(lambda number: 1 // 0 if number == 1 else until_stopped(runner), 2)
    assert runner.stopped


def test_an_exception_while_waiting_stops_all():
    def interrupt():
        raise KeyboardInterrupt

    runner = Runner(tick=interrupt, every=0.01)
    with pytest.raises(KeyboardInterrupt):
        runner.run(lambda number: until_stopped(runner), 2)
    assert runner.stopped


def test_ticks_come_while_it_runs_and_none_after_a_stop():
    ticks: list[int] = []

    def tick():
        assert not runner.stopped
        ticks.append(1)
        if len(ticks) == 3:
            runner.stop()

    runner = Runner(tick=tick, every=0.01)
    runner.run(lambda number: until_stopped(runner))
    assert len(ticks) == 3


def test_a_job_that_has_not_begun_yet_is_stopped_again_and_again():
    calls, enough = [], threading.Event()

    def on_stop():
        calls.append(1)
        if len(calls) == 3:
            enough.set()

    runner = Runner(0.01, on_stop=on_stop)
    assert runner.run(lambda number: enough.wait(10)) is True
    assert len(calls) >= 3


def test_the_clock_stands_while_it_is_told_to(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("plyground.system.runner.time", SimpleNamespace(perf_counter=lambda: clock.now))
    runner = Runner(10)
    clock.now += 3
    with runner.untimed():
        clock.now += 50
    assert (runner.seconds, runner.left) == (3, 7)


def test_a_worker_is_not_over_because_somebody_stopped_waiting():
    """`Thread.join` marks a thread as ended when Ctrl-C interrupts it."""
    go_on = threading.Event()
    worker = Worker(lambda: go_on.wait(30))
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        worker.result()
    assert not worker.over
    go_on.set()
    assert worker.result() is True


def test_a_worker_passes_an_exception_on():
    with pytest.raises(ZeroDivisionError):
        Worker(lambda: 1 // 0).result()


def test_a_crew_shares_its_jobs_and_ends_with_its_owner():
    crew, met = Crew(3), threading.Barrier(3)
    numbers = []

    def job(number):
        met.wait(5)  # passes only if each of three threads has one of three jobs
        numbers.append(number)

    for _ in range(3):
        crew.run([job] * 3)
    assert sorted(numbers) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    crew.run([])


@pytest.mark.parametrize("where", [0, 1])
def test_a_crew_waits_for_all_and_passes_an_exception_on(where):
    crew, met, done = Crew(2), threading.Barrier(2), []

    def job(number):
        met.wait(5)
        if number == where:
            raise ValueError(number)
        time.sleep(0.05)
        done.append(number)

    with pytest.raises(ValueError, match=str(where)):
        crew.run([job] * 2)
    assert done == [1 - where]
    crew.run([lambda number: done.append(7)] * 2)  # and is ready for more
    assert done[1:] == [7, 7]
