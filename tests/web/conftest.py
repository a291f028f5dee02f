"""A game's page in a real browser."""

import pytest
from player import Player

from plyground import load


@pytest.fixture
def at(browser, tmp_path):
    """Opens the page of a game; at the end nothing may have gone wrong in it, and no request may have left it."""
    browser.get_log("browser")

    def open_page(name, hash="", state=None):
        return Player(browser, tmp_path, load(name)).open(hash, state)

    yield open_page
    assert [entry["message"] for entry in browser.get_log("browser")] == []
    assert browser.execute_script("return performance.getEntriesByType('resource').map((entry) => entry.name)") == []
