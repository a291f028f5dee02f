"""What every test shares, a real browser among it."""

import os
import signal
import sys
import threading

import pytest
from hypothesis import settings

import chromium
from plyground.play.words import count
from running import FOREVER, wait_until

settings.register_profile("plyground", deadline=None, print_blob=True)
settings.load_profile("plyground")

pytest_plugins = ["forked"]

if hasattr(signal, "pthread_kill") and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background of a shell: the programs that tests start and interrupt would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# Pseudo-terminals, devices, limits and groups of processes, signals to a thread: Windows has none of them, not even to import.
collect_ignore = (
    [
        "system/test_files.py",
        "cli/test_interrupts.py",
        "cli/test_play_command.py",
        "cli/test_unwritable.py",
        "records/test_damage.py",
        "protocols/test_fuzz.py",
        "protocols/test_process.py",
    ]
    if sys.platform == "win32"
    else []
)


@pytest.fixture(autouse=True)
def no_game_left(monkeypatch, tmp_path_factory):
    """Games that tests play are not kept among the user's own, and tests see none of the user's nets and books."""
    folder = tmp_path_factory.mktemp("data")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    monkeypatch.setenv("PLYGROUND_RECORDS", str(folder / "records.db"))


@pytest.fixture(autouse=True)
def no_progress(monkeypatch):
    """Commands show no progress on a slow machine either, so that tests can tell everything they write."""
    monkeypatch.setattr("plyground.cli._terminal.PROGRESS_DELAY", float("inf"))


@pytest.fixture
def interrupt_main():
    """Brings Ctrl-C to the main thread, once, and waits until it has it; may be called from any thread."""
    taken: list[int] = []  # not an Event: its lock may be held where the signal comes

    def take(*args):
        taken.append(1)
        signal.default_int_handler(*args)

    def interrupt():
        if not taken:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            wait_until(lambda: taken)

    before = signal.signal(signal.SIGINT, take)
    yield interrupt
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def rules_file(tmp_path):
    """Writes a rules file of its own for a test and gives its path."""

    def write(text, name="mygame.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


LEFT_OUT = pytest.StashKey[str]()
"""Which tests were left out for want of a browser."""


def without_browser():
    """May the tests in a browser be left out? Never where every check must run (CI=true)."""
    return chromium.find() is None and not os.environ.get("CI")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Without a browser, its tests are left out; the summary says so."""
    left_out = [item for item in items if "browser" in getattr(item, "fixturenames", ())] if without_browser() else []
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]
        folders = sorted({item.path.parent.relative_to(config.rootpath).as_posix() for item in left_out})
        config.stash[LEFT_OUT] = f"{count(len(left_out), 'test')} in {', '.join(folders)}"
        getattr(config, "workeroutput", {})["left out"] = config.stash[LEFT_OUT]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Takes over what a worker has left out: this process has collected no tests."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left out", "")


def pytest_terminal_summary(terminalreporter, config):
    """Tells which tests were left out for want of a browser, and what to do about it."""
    if left_out := config.stash.get(LEFT_OUT, ""):
        line = f"left out, because Chromium and its driver are not installed: {left_out}; `make browser` installs them"
        terminalreporter.write_line(line, yellow=True)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium with an empty profile."""
    with chromium.start(tmp_path_factory.mktemp("profile")) as driver:
        driver.set_script_timeout(FOREVER)
        driver.set_page_load_timeout(FOREVER)
        yield driver


@pytest.fixture
def scripts(browser, tmp_path):
    """Opens pages with some of the scripts of a game's page."""
    from scripts import Scripts

    return Scripts(browser, tmp_path)


@pytest.fixture
def at(browser, tmp_path):
    """Opens the page of a game; at the end nothing may have gone wrong in it, and no request may have left it."""
    from player import Player

    from plyground import load

    browser.get_log("browser")

    def open_page(name, hash="", state=None):
        return Player(browser, tmp_path, load(name)).open(hash, state)

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []


@pytest.fixture
def watched(browser, at):
    """Opens the page of a game as `at` does, with its engine watched (`player.WATCH`)."""
    from player import WATCH

    made = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    yield at
    browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", made)
