"""The command line: `plyground COMMAND …`. Each file in this folder is a command; to add a command, add a file.

A command's file has a docstring (its help), `arguments(parser)` and `run(args)`, which returns the exit code, and perhaps `JSON`,
the help of `--json`. Files with an underscore are shared; `_servers.py` has one command per protocol. Nothing heavy is imported
before a command runs. Exit codes: 0 success, 1 the answer is no, 2 an error that the user can fix, 130 Ctrl-C.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
import os
import pkgutil
import sys
import sysconfig
import threading
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from plyground.cli._arguments import Command, UsageError
from plyground.cli._servers import SERVERS
from plyground.errors import GameWarning, PlygroundError, suggestion
from plyground.system.streams import accept_any_text, printable, silence, tell, write_error

PACKAGE = Path(__file__).parent.parent
RULES = ("plyground.loaded.", "plyground.games.")
"""How the names of modules with rules begin, wherever their files are."""
_left_running: list[bool] = []
"""Not empty once a command has left a thread in native code."""
STANDARD_LIBRARY = tuple({Path(sysconfig.get_path(kind)) for kind in ("stdlib", "platstdlib")})


@functools.cache
def commands() -> list[str]:
    """Return the names of the commands: the files in this folder and the protocols."""
    return sorted([*(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")), *SERVERS])


def command(name: str) -> Command:
    """Return the command with this name."""
    if name in SERVERS:
        return SERVERS[name]
    module = importlib.import_module(f"plyground.cli.{name}")
    more = {"json": module.JSON} if hasattr(module, "JSON") else {}
    return Command(name, inspect.cleandoc(module.__doc__ or ""), module.arguments, module.run, **more)


def _overview() -> str:
    width = max(map(len, commands()))
    lines = [f"  {name:{width}}  {command(name).help.splitlines()[0]}" for name in commands()]
    return "\n".join(
        [
            "usage: plyground COMMAND …",
            "",
            "Write the rules of a turn-based game in plain Python; get an engine, a solver, a teacher and a board for it.",
            "",
            *lines,
            "",
            "For help on a command: plyground COMMAND --help. A GAME is a name (chess), a name with parameters",
            "('connect4(rows=5, cols=4, k=3)'), or your own rules file (./mygame.py).",
        ]
    )


def _run(words: list[str]) -> int:
    while words and words[0] == "--debug":
        words = words[1:]
    if not words or words[0] in ("-h", "--help", "help"):
        print(_overview())
        return 0
    if words[0] == "--version":
        from plyground import __version__

        print(f"plyground {__version__}")
        return 0
    name, rest = words[0], words[1:]
    if name not in commands():
        close = suggestion(name, commands())
        hint = f"did you mean {close}?" if close else f"the commands are {', '.join(commands())}"
        raise UsageError(f"there is no command {name!r:.40}; {hint}")
    chosen = command(name)
    try:
        args = chosen.parser().parse_args(rest)
    except SystemExit:  # --help
        return 0
    return chosen.run(args)


def _fault_in_rules(e: BaseException) -> str | None:
    """Return the line of the rules that raised an exception, or called what did; None if our own code did.

    Of the files in the traceback that are ours or the rules', the innermost decides: what Python's library does, it does for the
    one that called it.
    """
    for frame, line in reversed(list(traceback.walk_tb(e.__traceback__))):
        file = Path(frame.f_code.co_filename)
        if frame.f_globals.get("__name__", "").startswith(RULES) or not _in_library(file):
            return f"{file.name}:{line}"
        if file.is_relative_to(PACKAGE) and file != PACKAGE / "bits.py":
            return None
    return None


def _in_library(file: Path) -> bool:
    """Return whether a file of a traceback is part of Python, of an installed package or of ours, or is generated code."""
    folders = (PACKAGE, *STANDARD_LIBRARY)
    return (
        str(file).startswith("<")
        or any(file.is_relative_to(folder) for folder in folders)
        or not {"site-packages", "dist-packages"}.isdisjoint(file.parts)
    )


def _tell(message: str) -> None:
    tell(f"plyground: {printable(' '.join(message.split()))}")


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, GameWarning):
        _tell(f"warning: {message}")
    else:
        print(warnings.formatwarning(message, category, filename, lineno), end="", file=sys.stderr)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    code = _exit_code(list(sys.argv[1:] if argv is None else argv))
    if _left_running:
        _exit_at_once(code)
    return code


def _exit_code(words: list[str]) -> int:
    debug = "--debug" in words
    accept_any_text()
    warnings.showwarning = _warn
    try:
        code = _run(words)
        sys.stdout.flush()
        return code
    except PlygroundError as e:
        if debug:
            traceback.print_exc()
        _tell(str(e))
        return 2
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        silence(sys.stdout)  # the reader of our output has closed the pipe
        return 141
    except Exception as e:
        message = None if debug else _message(e)
        if message is not None:
            _tell(message)
            return 2
        if not _left_running:
            raise
        traceback.print_exc()
        return 1


def _message(e: Exception) -> str | None:
    """Return the line that reports an exception of the system or of the rules; None if our own code is wrong."""
    if full := write_error(e):
        silence(sys.stdout)
        return full
    if place := _fault_in_rules(e):
        return f"{place}: {type(e).__name__}: {e}; `plyground check` finds the moves that lead there"
    return f"{e.filename}: {e.strerror or e}" if isinstance(e, OSError) and e.filename else None


def _interrupted() -> int:
    from plyground.cli._terminal import tidy

    tidy()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if any(t is not threading.main_thread() and t.daemon for t in threading.enumerate()):
        _exit_at_once(130)
    return 130


def leave_running() -> None:
    """Say that a thread may still run native code when the command is over."""
    _left_running.append(True)


def _exit_at_once(code: int) -> NoReturn:
    """End the process while threads run native code: a normal exit would free the memory that they use."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)
