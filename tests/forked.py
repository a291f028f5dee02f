"""A pytest plugin: tests run in a forked process, which is replaced by a fresh one once it has grown.

Numba keeps all code that it has compiled or loaded until its process ends, 10 MB for each kernel it compiles, and the tests
compile hundreds of them. The process that collected the tests runs none, so every fork of it starts small.
"""

import ctypes
import faulthandler
import gc
import multiprocessing
import os
import signal
import sys
import warnings

import pytest
from _pytest.runner import runtestprotocol

from running import memory

FULL = 768
"""Megabytes at which the process is replaced after a test."""
LIMIT = 2048
"""Megabytes that it must not reach, not even during a test."""
PR_SET_PDEATHSIG = 1
"""Asks Linux for a signal when the parent ends."""


class Forked:
    """The process that runs the tests now, as its parent sees it, and the plugin inside of it."""

    def __init__(self, session):
        self.session = session
        self.numbers = {item: number for number, item in enumerate(session.items)}
        self.pipe = None
        self.forked = False

    # -- in the parent --------------------------------------------------------------------------------------------------

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        if self.forked:
            self.reports = runtestprotocol(item, nextitem=nextitem, log=False)
            return True
        faulthandler.cancel_dump_traceback_later()  # the process that runs the test looks out for itself
        if self.pipe is None:
            self.fork()
        hook, config = item.ihook, item.config
        hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        try:
            self.pipe.send((self.numbers[item], self.numbers.get(nextitem)))
            reports, full = self.pipe.recv()
        except (EOFError, OSError):
            reports, full = [], True
        for data in reports:
            hook.pytest_runtest_logreport(report=config.hook.pytest_report_from_serializable(config=config, data=data))
        code = self.ended() if full else 0
        if code:
            hook.pytest_runtest_logreport(report=self.crash(item, code))
        hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True

    def fork(self):
        self.pipe, inside = multiprocessing.Pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # forks of a process with threads: ours belong to xdist
            self.pid = os.fork()
        if self.pid == 0:
            code = 1
            try:
                ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)
                self.pipe.close()
                self.forked = True
                self.serve(inside)
                code = 0
            finally:
                try:
                    self.session._setupstate.teardown_exact(None)
                finally:
                    os._exit(code)
        inside.close()

    def ended(self):
        """Waits until the process has ended; its exit code."""
        self.pipe.close()
        self.pipe = None
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def crash(self, item, code):
        why = f"the process ended with exit code {code} while it ran {item.nodeid}"
        return pytest.TestReport(item.nodeid, item.location, {}, "failed", why, "call")

    def pytest_sessionfinish(self):
        if self.pipe is not None and not self.forked:
            self.ended()

    # -- in the process -------------------------------------------------------------------------------------------------

    def serve(self, pipe):
        """Runs the tests that the parent names until it has no more, or until this process is full."""
        items, hook, config = self.session.items, self.session.config.hook, self.session.config
        self.full = False
        while not self.full:
            try:
                number, following = pipe.recv()
            except EOFError:
                return
            hook.pytest_runtest_protocol(item=items[number], nextitem=None if following is None else items[following])
            pipe.send(([hook.pytest_report_to_serializable(config=config, report=r) for r in self.reports], self.full))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        if self.forked:
            memory(reset=True)
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self, item):
        """Fails a test that needed too much memory; takes down all fixtures if the process is to be replaced."""
        done = yield
        if self.forked:
            now, most = memory()
            if now > FULL:
                gc.collect()
                now, _ = memory()
            self.full = now > FULL
            if self.full:
                self.session._setupstate.teardown_exact(None)
            if most > LIMIT:
                pytest.fail(f"{item.nodeid} took the memory of this process to {most:,} MB; at most {LIMIT:,}", pytrace=False)
        return done


def pytest_collection_finish(session):
    """Starts to fork where that is safe, unless a debugger needs the terminal or nothing is to be run."""
    option = session.config.option
    workers = session.config.pluginmanager.hasplugin("dsession")  # the tests run in other processes
    if sys.platform == "linux" and not (option.usepdb or option.collectonly or option.setupshow or workers):
        session.config._tmp_path_factory.getbasetemp()  # one for all
        session.config.pluginmanager.register(Forked(session), "forked tests")
