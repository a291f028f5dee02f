"""Explanations to look at."""

import pytest
from searches import FIGURE, explained


@pytest.fixture(scope="session")
def figure():
    """Alpha-beta on the textbook tree."""
    return explained(FIGURE, "alphabeta,depth=2")


@pytest.fixture(scope="session")
def connect4():
    """Alpha-beta on the first moves of Connect 4."""
    return explained("connect4", "alphabeta,depth=3")
