"""A real browser for tests and benchmarks: a headless Chromium with an empty profile."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--window-size=1400,900"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def find() -> tuple[str, str] | None:
    """Return the paths of Chromium and its driver, if both are installed."""
    browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    driver = shutil.which("chromedriver")
    return (browser, driver) if browser and driver else None


@contextlib.contextmanager
def start(profile: Path) -> Iterator[Any]:
    """Run a browser with this folder as its profile; yield its driver."""
    found = find()
    assert found is not None, "Chromium and its driver are needed here: `make browser` installs them"
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = found[0]
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(found[1], log_output=subprocess.DEVNULL))
    try:
        yield driver
    finally:
        with warnings.catch_warnings():
            # Selenium leaves its connections to the collector.
            warnings.simplefilter("ignore", ResourceWarning)
            driver.quit()
