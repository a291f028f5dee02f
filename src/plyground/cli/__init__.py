"""The command line: `plyground COMMAND …`. Each file in this folder is a command, except those with an underscore.

A command's file has a docstring (its help), `arguments(parser)`, `run(args)`, which returns the exit code, and optionally
`JSON`, the help of `--json`. `SERVERS` has the commands that serve the engine to other programs, one per protocol. Nothing
heavy is imported before a command runs. Exit codes: 0 success; 1 a negative answer (`check` found problems); 2 an error that
the user can fix, 130 Ctrl-C.
"""

from __future__ import annotations

import argparse
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
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NoReturn, TextIO

from plyground.errors import GameWarning, PlygroundError, suggestion
from plyground.rules.load import load
from plyground.system.streams import accept_any_text, discard_output, print_error, printable, write_error

if TYPE_CHECKING:
    from plyground.protocols.server import Server

    Opened = Callable[[BinaryIO, BinaryIO], Server]

PACKAGE = Path(__file__).parent.parent
GAME = "such as chess, 'connect4(rows=5)' or ./mygame.py"
EVALUATE = (
    "evaluate with a net, with evaluate(s) from a Python file, or with the game's own evaluation (`rules`); "
    "default: the net that was trained for the game or comes with it, if there is one"
)
RULES = ("plyground.loaded.", "plyground.games.")
"""The prefixes of the names of modules with rules."""
_left_running: list[bool] = []
"""Not empty once a command has left a thread in native code."""
STANDARD_LIBRARY = tuple({Path(sysconfig.get_path(kind)) for kind in ("stdlib", "platstdlib")})


# -- what a command is ----------------------------------------------------------------------------------------------------------


class UsageError(PlygroundError):
    """Invalid arguments on the command line."""


class Parser(argparse.ArgumentParser):
    """A parser that reports errors on one line, like all our errors."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")

    def print_help(self, file: TextIO | None = None) -> None:  # type: ignore[override]
        """Print the help; argparse itself would ignore write errors."""
        print(self.format_help(), end="", file=file)


@dataclass(frozen=True)
class Command:
    """A command of `plyground`."""

    name: str
    help: str
    """What the command does: one line, then details and examples."""
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    """Return the exit code."""
    json: str | None = "print the result as one JSON object"
    """What `--json` does; None if there is no such option."""

    def parser(self) -> Parser:
        """Return the parser of its arguments."""
        parser = Parser(
            prog=f"plyground {self.name}", description=self.help, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        self.arguments(parser)
        if self.json is not None:
            parser.add_argument("--json", action="store_true", help=self.json)
        parser.add_argument("--debug", action="store_true", help="show the full traceback of an error")
        return parser


def position(parser: argparse.ArgumentParser, game: str | None = None) -> None:
    """Add the arguments for a game and a position; `game` is the default if GAME is optional."""
    if game is None:
        parser.add_argument("game", metavar="GAME", help=GAME)
    else:
        parser.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME} (default {game})")
    parser.add_argument("--state", metavar="TEXT", help="start from this state, in the game's own notation")
    parser.add_argument("--moves", metavar="TEXT", default="", help="play these moves first")


def int_in_range(low: int, high: int) -> Callable[[str], int]:
    """Return a type for argparse: a whole number within these limits.

    >>> int_in_range(1, 20)("7")
    7
    """

    def read(text: str) -> int:
        if not text.isdecimal() or not low <= int(text[:12]) <= high:
            raise argparse.ArgumentTypeError(f"must be a whole number from {low} to {high}, not {text!r:.20}")
        return int(text)

    return read


# -- the protocols ---------------------------------------------------------------------------------------------------------

SERVER_HELP = """{summary}

  plyground {usage}

Other programs start this command; `plyground docs protocols` explains how to set them up. It reads commands from stdin and
answers on stdout. The rules are compiled once; until that is done, a slower search answers.
"""


def _gomocup(args: argparse.Namespace) -> Opened:
    from plyground.protocols.gomocup import Gomocup

    return Gomocup


def _hub(args: argparse.Namespace) -> Opened:
    from plyground.protocols.hub import Hub

    return Hub


def _nboard(args: argparse.Namespace) -> Opened:
    from plyground.protocols.nboard import NBoard

    return NBoard


def _uci(args: argparse.Namespace) -> Opened:
    from plyground.protocols.uci import UciServer

    game = load("chess")
    return lambda source, target: UciServer(source, target, game)


def _ugi(args: argparse.Namespace) -> Opened:
    from plyground.protocols.ugi import UgiServer

    game = load(args.game)
    if len(game.sides) > 2:
        raise PlygroundError(f"{game.name} has {len(game.sides)} sides; UGI is for games with one or two")
    return lambda source, target: UgiServer(source, target, game)


def _command(name: str, opened: Callable[[argparse.Namespace], Opened], summary: str, usage: str) -> Command:
    def arguments(parser: argparse.ArgumentParser) -> None:
        if "GAME" in usage:
            parser.add_argument("game", metavar="GAME", help=GAME)

    def run(args: argparse.Namespace) -> int:
        from plyground.protocols.server import run as serve

        return serve(opened(args))

    return Command(name, SERVER_HELP.format(summary=summary, usage=usage.replace("GAME", "connect4")), arguments, run, json=None)


SERVERS = {
    command.name: command
    for command in (
        _command(
            "gomocup",
            _gomocup,
            "Play gomoku in Piskvork and other programs: the engine side of the Gomocup protocol.",
            "gomocup     (started by Piskvork, as pbrain-plyground)",
        ),
        _command(
            "hub",
            _hub,
            "Play international draughts in other programs: the engine side of Hub 2.",
            "hub         (started by Hub, pydraughts, …)",
        ),
        _command(
            "nboard",
            _nboard,
            "Play Othello in NBoard and other programs: the engine side of NBoard 2.",
            "nboard      (started by NBoard)",
        ),
        _command(
            "uci",
            _uci,
            "Play chess in other programs: the engine side of UCI, the Universal Chess Interface.",
            "uci         (started by Cute Chess, Arena, python-chess, …)",
        ),
        _command(
            "ugi",
            _ugi,
            "Play any game in other programs: the engine side of UGI, the Universal Game Interface.",
            "ugi GAME    (started by a match runner or a board that speaks UGI)",
        ),
    )
}


# -- running a command -----------------------------------------------------------------------------------------------------


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
            "Write the rules of a turn-based game in plain Python; get an engine, a solver, step-by-step explanations",
            "of searches, and a board for it.",
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
    """Return the line of the rules that caused an exception; None if Plyground's own code did.

    The innermost file in the traceback that is ours or the rules' decides; the standard library acts for its caller.
    """
    for frame, line in reversed(list(traceback.walk_tb(e.__traceback__))):
        file = Path(frame.f_code.co_filename)
        if frame.f_globals.get("__name__", "").startswith(RULES) or not _in_library(file):
            return f"{file.name}:{line}"
        if file.is_relative_to(PACKAGE) and file != PACKAGE / "bits.py":
            return None
    return None


def _in_library(file: Path) -> bool:
    """Return whether a file of a traceback belongs to Python, to an installed package or to ours, or is generated code."""
    folders = (PACKAGE, *STANDARD_LIBRARY)
    return (
        str(file).startswith("<")
        or any(file.is_relative_to(folder) for folder in folders)
        or not {"site-packages", "dist-packages"}.isdisjoint(file.parts)
    )


def _print_error(message: str) -> None:
    print_error(f"plyground: {printable(' '.join(message.split()))}")


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, GameWarning):
        _print_error(f"warning: {message}")
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
        _print_error(str(e))
        return 2
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        discard_output(sys.stdout)  # the reader of our output has closed the pipe
        return 141
    except Exception as e:
        message = None if debug else _message(e)
        if message is not None:
            _print_error(message)
            return 2
        if not _left_running:
            raise
        traceback.print_exc()
        return 1


def _message(e: Exception) -> str | None:
    """Return the message for an exception of the system or the rules; None if our own code is wrong."""
    if full := write_error(e):
        discard_output(sys.stdout)
        return full
    if place := _fault_in_rules(e):
        return f"{place}: {type(e).__name__}: {e}; `plyground check` finds the moves that lead there"
    return f"{e.filename}: {e.strerror or e}" if isinstance(e, OSError) and e.filename else None


def _interrupted() -> int:
    from plyground.cli._terminal import clear_displays

    clear_displays()
    if sys.stderr.isatty():
        print(file=sys.stderr)
    if any(t is not threading.main_thread() and t.daemon for t in threading.enumerate()):
        _exit_at_once(130)
    return 130


def leave_running() -> None:
    """Record that a thread may still run native code when the command is over."""
    _left_running.append(True)


def _exit_at_once(code: int) -> NoReturn:
    """End the process while threads run native code: a normal exit would free the memory that they use."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            stream.flush()
    os._exit(code)
