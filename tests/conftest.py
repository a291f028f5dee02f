"""What every test shares."""

import sys

import pytest
from hypothesis import settings

settings.register_profile("plyground", deadline=None, print_blob=True)
settings.load_profile("plyground")


# Pseudo-terminals, limits of a process and signals to a thread: Windows has none of them, not even to import.
collect_ignore = ["system/test_files.py", "cli/test_interrupts.py", "cli/test_play_command.py"] if sys.platform == "win32" else []


@pytest.fixture(autouse=True)
def no_game_left(monkeypatch, tmp_path_factory):
    """Games that tests leave unfinished are not kept among the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))


@pytest.fixture
def rules_file(tmp_path):
    """Writes a rules file of its own for a test and gives its path."""

    def write(text, name="mygame.py"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write
