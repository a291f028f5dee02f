"""What every test shares, a real browser among it."""

import os
import sys

import pytest
from hypothesis import settings

import chromium

settings.register_profile("plyground", deadline=None, print_blob=True)
settings.load_profile("plyground")


# Pseudo-terminals, limits and groups of processes, and signals to a thread: Windows has none of them, not even to import.
collect_ignore = (
    [
        "system/test_files.py",
        "cli/test_interrupts.py",
        "cli/test_play_command.py",
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


@pytest.fixture
def rules_file(tmp_path):
    """Writes a rules file of its own for a test and gives its path."""

    def write(text, name="mygame.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def without_browser():
    """May the tests in a browser be left out? Never where every check must run (CI=true)."""
    return chromium.installed() is None and not os.environ.get("CI")


def pytest_collection_modifyitems(config, items):
    """Without a browser, its tests are left out; the summary says so."""
    left_out = [item for item in items if "browser" in item.fixturenames] if without_browser() else []
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter):
    """Tells that the tests in a browser were left out, and what to do about it."""
    if without_browser():
        terminalreporter.write_line(
            "no Chromium with its driver here: the tests that need a browser were left out; `make browser` installs it",
            yellow=True,
        )


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium with an empty profile."""
    with chromium.started(tmp_path_factory.mktemp("profile")) as driver:
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
