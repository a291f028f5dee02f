"""A game's scripts in a real browser."""

import pytest
from scripts import Scripts


@pytest.fixture
def scripts(browser, tmp_path):
    """Opens pages with some of the scripts."""
    return Scripts(browser, tmp_path)
