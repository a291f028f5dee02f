"""Processes of other programs, as tests see them."""

import os


def gone(pid):
    """Has a process ended? One that waits for its parent to notice has."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True
