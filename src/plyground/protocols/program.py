"""Which program a player's text names, and with which options: `uci:./stockfish --quiet,Threads=1,time=0.5`."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from plyground.errors import PlygroundError

WORDS = ("uci", "ugi", "xboard", "gomocup", "hub", "nboard")
"""The protocols of engines that run as processes of their own."""

GAMES = os.pathsep.join(("/usr/games", "/usr/local/games"))
"""Where Debian puts chess engines; not all users have it among the folders of their programs."""


def program_of(spec: str) -> str | None:
    """The program that a player's text names, with its arguments; None if it is no engine of another program.

    >>> program_of("uci:gnuchess --uci,Hash=16"), program_of("engine:depth=3")
    ('gnuchess --uci', None)
    """
    word, _, rest = spec.partition(":")
    return rest.partition(",")[0].strip() if word.strip() in WORDS else None


def with_program(spec: str, command: list[str]) -> str:
    """The text of a player with another program.

    >>> with_program("uci:gnuchess --uci,Hash=16", ["/usr/games/gnuchess", "--uci"])
    'uci:/usr/games/gnuchess --uci,Hash=16'
    """
    word, _, rest = spec.partition(":")
    _, comma, options = rest.partition(",")
    return f"{word.strip()}:{shlex.join(command)}{comma}{options}"


def with_whole_paths(spec: str) -> str:
    """The text of a player as it can be read in any folder: files that it names relative to this one get their whole path.

    >>> with_whole_paths("engine:depth=3")
    'engine:depth=3'
    """
    text = program_of(spec)
    if text is None:
        return spec
    program, *arguments = command = find_program(text)
    named = os.path.basename(program) == text.split()[0] and not any(map(os.path.isfile, arguments))
    return spec if named else with_program(spec, command)


def find_program(text: str) -> list[str]:
    """The whole path of a program that is named by its path or can be found by its name, and its arguments.

    Arguments that are files get their whole path too, because an engine runs in the folder of its program.
    """
    if not text:
        raise PlygroundError("name the engine's program, as in uci:stockfish or uci:./engine --uci")
    whole = _path(text)  # a path may have spaces
    if whole is not None:
        return [whole]
    try:
        name, *arguments = shlex.split(text)
    except ValueError as e:
        raise PlygroundError(f"{text}: cannot be read ({e})") from e
    path = _path(name)
    if path is None:
        raise PlygroundError(f"{name}: {_why_not(name)}")
    command = [path, *(os.path.abspath(x) if os.path.isfile(x) else x for x in arguments)]
    if any("," in part for part in command):
        raise PlygroundError(f"{text}: a comma begins the options, so no path may have one")
    return command


def _path(name: str) -> str | None:
    """The whole path of a program."""
    name = os.path.expanduser(name)
    found = shutil.which(name) or shutil.which(name, path=GAMES)
    return None if found is None else os.path.abspath(found)


def _why_not(name: str) -> str:
    path = Path(name).expanduser()
    if path.is_dir():
        return "this is a folder, not a program"
    if path.is_file():
        return "this file is not a program that you may run"
    return "there is no such program"


def read_options(spec: str) -> dict[str, str]:
    """The options in a player's text, by name; a name alone, such as that of a button, has an empty value.

    >>> read_options("uci:stockfish, Skill Level = 3,Clear Hash")
    {'Skill Level': '3', 'Clear Hash': ''}
    """
    found = {}
    for part in filter(None, (p.strip() for p in spec.split(",")[1:])):
        name, _, value = (x.strip() for x in part.partition("="))
        if not name:
            raise PlygroundError(f"{part!r:.40} has no name; an option is written NAME=VALUE")
        found[name] = value
    return found
