"""Processes of other programs, as tests see them."""

import os
import subprocess
import sys
import time


def gone(pid):
    """Has a process ended? One that waits for its parent to notice has."""
    try:
        os.kill(pid, 0)
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def at_terminal(command, stdout=None, typed=b"", **environment):
    """What a program prints to a pseudo-terminal until it ends, and its exit code; with `stdout`, only stderr is the terminal."""
    import pty

    master, slave = pty.openpty()
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=stdout or slave, stderr=slave, env={**os.environ, "TERM": "xterm", **environment}
    ) as process:
        os.close(slave)
        process.stdin.write(typed)
        process.stdin.close()
        seen = b""
        try:
            while part := os.read(master, 65536):
                seen += part
        except OSError:  # the program has ended
            pass
    os.close(master)
    return seen.decode(), process.returncode


def memory(pid="self", reset=False):
    """Return the memory that a process holds now, and the most that it has held, in MB; zeros where the system does not say.

    With `reset`, the most is counted from now on.
    """
    held = {"VmRSS": 0, "VmHWM": 0}
    try:
        if reset:
            with open(f"/proc/{pid}/clear_refs", "w", encoding="ascii") as file:
                file.write("5")
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            held |= {name: int(rest.split()[0]) >> 10 for name, _, rest in (x.partition(":") for x in file) if name in held}
    except OSError:
        pass
    return held["VmRSS"], held["VmHWM"]


FOREVER = 86_400
"""Seconds, where something asks for a limit: no test depends on the speed of the machine. pytest reports a test that hangs."""


def wait_until(true):
    """Waits until a function returns something true, however long that takes."""
    while not true():
        time.sleep(0.01)


def read_until(stream, text, times=1):
    """Reads what a program writes to a pipe until it has written a text `times` times; returns all that was read."""
    seen = b""
    while seen.count(text) < times:
        part = os.read(stream.fileno(), 65536)
        assert part, f"it ended before it wrote {text!r}: {seen!r}"
        seen += part
    return seen


ANNOUNCING = """
import pkgutil, sys
module, _, name = sys.argv.pop(1).rpartition(".")
place = pkgutil.resolve_name(module)
original = getattr(place, name)
def stub(*args, **options):
    print("has begun", file=sys.stderr, flush=True)
    return original(*args, **options)
setattr(place, name, stub)
from plyground.cli import main
sys.exit(main(sys.argv[1:]))
"""


def announcing(function, *words):
    """Return the command line of a `plyground` that writes "has begun" to stderr whenever it calls a function."""
    return [sys.executable, "-c", ANNOUNCING, function, *words]
