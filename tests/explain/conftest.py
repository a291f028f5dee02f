"""Explanations to look at, and a real browser to open their pages in."""

import os
import shutil
import subprocess
import warnings

import pytest
from searches import FIGURE, explained

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--window-size=1400,900"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


@pytest.fixture(scope="session")
def figure():
    """Alpha-beta on the textbook tree."""
    return explained(FIGURE, "alphabeta,depth=2")


@pytest.fixture(scope="session")
def connect4():
    """Alpha-beta on the first moves of Connect 4."""
    return explained("connect4", "alphabeta,depth=3")


def chromium():
    """Chromium and its driver, where both are installed."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


def without_browser():
    """May the tests of the page be left out? Never where every check must run (CI=true)."""
    return chromium() is None and not os.environ.get("CI")


def pytest_collection_modifyitems(config, items):
    """Without a browser, its tests are left out; the summary says so."""
    left_out = [item for item in items if "browser" in item.fixturenames] if without_browser() else []
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def pytest_terminal_summary(terminalreporter):
    """Tells that the tests of the page were left out, and what to do about it."""
    if without_browser():
        terminalreporter.write_line(
            "no Chromium with its driver here: the tests that open the page of `plyground explain` were left out; "
            "`make browser` installs it",
            yellow=True,
        )


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A headless Chromium with an empty profile."""
    found = chromium()
    assert found is not None, "Chromium and its driver are needed here: `make browser` installs them"
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(found[1], log_output=subprocess.DEVNULL))
    yield driver
    with warnings.catch_warnings():
        # Selenium leaves its connections to the collector.
        warnings.simplefilter("ignore", ResourceWarning)
        driver.quit()
