"""The command line: `plyground COMMAND …`. Each file in this folder is a command; to add a command, add a file.

A command has a docstring (its help), `arguments(parser)` and `run(args)`, which returns the exit code; `JSON` says what `--json`
prints, and is None for protocols, which have their own form. Nothing heavy is imported before a command runs. Exit codes: 0
success, 1 the answer is no, 2 an error that the user can fix, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import os
import pkgutil
import sys
import threading
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn, TextIO

from plyground.errors import GameWarning, PlygroundError
from plyground.system.streams import CANNOT_WRITE, accept_any_text, silence, tell

PACKAGE = Path(__file__).parent.parent


class UsageError(PlygroundError):
    """Invalid arguments on the command line."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, like all our errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")

    def print_help(self, file: Any = None) -> None:
        """Prints the help; argparse itself would ignore write errors."""
        print(self.format_help(), end="", file=file)


def commands() -> list[str]:
    """The names of the commands: the files in this folder."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def _module(command: str) -> ModuleType:
    return importlib.import_module(f"plyground.cli.{command}")


def _parser_of(command: str) -> Parser:
    module = _module(command)
    doc = inspect.cleandoc(module.__doc__ or "")
    parser = Parser(prog=f"plyground {command}", description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    module.arguments(parser)
    told = getattr(module, "JSON", "print the result as one JSON object")
    if told is not None:
        parser.add_argument("--json", action="store_true", help=told)
    parser.add_argument("--debug", action="store_true", help="show the full traceback of an error")
    return parser


def _overview() -> str:
    width = max(map(len, commands()))
    lines = [f"  {c:{width}}  {inspect.cleandoc(_module(c).__doc__ or '').splitlines()[0]}" for c in commands()]
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
    command, rest = words[0], words[1:]
    if command not in commands():
        import difflib

        close = difflib.get_close_matches(command, commands(), 1, 0.5)
        hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(commands())}"
        raise UsageError(f"there is no command {command!r:.40}; {hint}")
    try:
        args = _parser_of(command).parse_args(rest)
    except SystemExit:  # --help
        return 0
    return int(_module(command).run(args))


def _fault_in_rules(e: BaseException) -> str | None:
    """The place in a rules file where an exception was raised; None if it came from elsewhere."""
    frames = traceback.extract_tb(e.__traceback__)
    if not frames:
        return None
    file = Path(frames[-1].filename)
    if file.is_relative_to(PACKAGE) and file.parent != PACKAGE / "games":
        return None
    ours = [f for f in frames if Path(f.filename).is_relative_to(PACKAGE) and Path(f.filename).parent != PACKAGE / "games"]
    after = frames[frames.index(ours[-1]) + 1 :] if ours else frames
    if not after or "site-packages" in after[0].filename or after[0].filename.startswith("<"):
        return None
    return f"{Path(after[-1].filename).name}:{after[-1].lineno}"


def _tell(message: str) -> None:
    tell(f"plyground: {' '.join(message.split())}")


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
    """Runs one command and returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
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
        if isinstance(e, OSError) and e.errno in CANNOT_WRITE and not debug:
            silence(sys.stdout)
            _tell(f"{e.filename or 'the output'} cannot be written ({e.strerror})")
            return 2
        place = _fault_in_rules(e)
        if debug or place is None:
            raise
        _tell(f"{place}: {type(e).__name__}: {e}; `plyground check` finds the moves that lead there")
        return 2


def _interrupted() -> int:
    from plyground.cli._terminal import tidy

    tidy()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if any(t is not threading.main_thread() and t.daemon for t in threading.enumerate()):
        # Native code may still run on a worker; a normal exit would free the memory that it uses.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(130)
    return 130
