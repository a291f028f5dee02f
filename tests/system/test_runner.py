"""One runner for all that works on threads: answers, deadlines, stops, exceptions, and no thread that is left behind."""

import ctypes
import threading
import time
from types import SimpleNamespace

import pytest

from plyground.system.runner import Runner, ThreadPool, Worker
from running import wait_until


def word(runner):
    """What native code reads."""
    return ctypes.c_int64.from_address(runner.address).value


@pytest.fixture(autouse=True)
def no_thread_stays():
    before = set(threading.enumerate())
    yield
    wait_until(lambda: set(threading.enumerate()) == before)


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

    runner = Runner()
    with pytest.raises(KeyboardInterrupt):
        runner.run(lambda number: until_stopped(runner), 2, tick=interrupt, every=0.01)
    assert runner.stopped


def test_ticks_come_while_it_runs_and_none_after_a_stop():
    ticks: list[int] = []

    def tick():
        assert not runner.stopped
        ticks.append(1)
        if len(ticks) == 3:
            runner.stop()

    runner = Runner()
    runner.run(lambda number: until_stopped(runner), tick=tick, every=0.01)
    assert len(ticks) == 3


def test_a_job_that_has_not_begun_yet_is_stopped_again_and_again():
    calls, enough = [], threading.Event()

    def on_stop():
        calls.append(1)
        if len(calls) == 3:
            enough.set()

    runner = Runner(0.01)
    assert runner.run(lambda number: enough.wait(), on_stop=on_stop) is True
    assert len(calls) >= 3


def test_the_clock_stands_while_it_is_told_to(monkeypatch):
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("plyground.system.runner.time", SimpleNamespace(perf_counter=lambda: clock.now))
    runner = Runner(10)
    clock.now += 3
    with runner.pause_clock():
        clock.now += 50
    assert (runner.seconds, runner.left) == (3, 7)


def test_a_worker_is_not_over_because_somebody_stopped_waiting(interrupt_main, monkeypatch):
    """`Thread.join` marks a thread as ended when Ctrl-C interrupts it."""
    wait, waiting, go_on = Worker.wait, threading.Event(), threading.Event()

    def job():
        waiting.wait()
        interrupt_main()
        return go_on.wait()

    def stub(*args):
        waiting.set()
        return wait(*args)

    monkeypatch.setattr(Worker, "wait", stub)
    worker = Worker(job)
    with pytest.raises(KeyboardInterrupt):
        worker.result()
    assert not worker.over
    go_on.set()
    assert worker.result() is True


def test_ctrl_c_while_a_thread_starts_leaves_no_job_behind(monkeypatch):
    start = threading.Thread.start
    ran: list[int] = []

    def stub(self):
        start(self)
        raise KeyboardInterrupt

    before = set(threading.enumerate())
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", stub)
        with pytest.raises(KeyboardInterrupt):
            Runner().run(ran.append)
    wait_until(lambda: set(threading.enumerate()) == before)
    assert ran == []


def test_a_worker_passes_an_exception_on():
    with pytest.raises(ZeroDivisionError):
        Worker(lambda: 1 // 0).result()


def test_a_crew_shares_its_jobs_and_ends_with_its_owner():
    crew, met = ThreadPool(3), threading.Barrier(3)
    numbers = []

    def job(number):
        met.wait()  # passes only if each of three threads has one of three jobs
        numbers.append(number)

    for _ in range(3):
        crew.run([job] * 3)
    assert sorted(numbers) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    crew.run([])


@pytest.mark.parametrize("where", [0, 1])
def test_a_crew_waits_for_all_and_passes_an_exception_on(where):
    crew, met, done = ThreadPool(2), threading.Barrier(2), []

    def job(number):
        met.wait()
        if number == where:
            raise ValueError(number)
        time.sleep(0.05)
        done.append(number)

    with pytest.raises(ValueError, match=str(where)):
        crew.run([job] * 2)
    assert done == [1 - where]
    crew.run([lambda number: done.append(7)] * 2)  # and is ready for more
    assert done[1:] == [7, 7]
