"""The standard streams of the command line: neither unusual characters nor a full disk cause a traceback.

Characters that the encoding lacks are written in ASCII (`<=` for `≤`); accents are dropped, and the rest becomes `?`.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import json
import os
import sys
from typing import BinaryIO, TextIO, TypeVar, cast

T = TypeVar("T")
ASCII_REPLACEMENTS = {"…": "...", "∞": "inf", "≤": "<=", "≥": ">=", "→": "->", "←": "<-"} | dict(
    zip(
        "·×–—−‘’“”✓✗✂↑↓▲▼●○■□▦★◆▸▾─│├└┌┐┘┤┬┴┼",
        "-x---''\"\"+xx^v^voo##%*+>v-||`..'|--+",
        strict=True,
    )
)
"""ASCII replacements for characters that the encoding lacks."""
CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Errors of a full or broken disk."""
HANDLER = "plyground-twins"
UNREADABLE = "backslashreplace"
"""How undecodable bytes are read."""


def ascii_replacement(character: str) -> str:
    """Return a replacement for the character in ASCII.

    >>> "".join(map(ascii_replacement, "Müll … ≤ ♔"))
    'Mull ... <= ?'
    """
    if character in ASCII_REPLACEMENTS:
        return ASCII_REPLACEMENTS[character]
    import unicodedata

    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(character) else "?")


def _twins(e: UnicodeError) -> tuple[str, int]:
    if not isinstance(e, UnicodeEncodeError):
        raise e
    return "".join(map(ascii_replacement, e.object[e.start : e.end])), e.end


def printable(text: str, also: str = "") -> str:
    r"""Return a text of another program or from a file, with characters that could do something to a terminal as escapes.

    >>> printable("\x1b[2Jhello")
    '\\x1b[2Jhello'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in also else c.encode("unicode_escape").decode("ascii") for c in text)


def clean(value: T) -> T:
    """Return data as JSON has it, with every text in it `printable`."""
    return cast("T", _clean(value))


def _clean(value: object) -> object:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_clean(item) for item in value]
    return {_clean(name): _clean(item) for name, item in value.items()} if isinstance(value, dict) else value


def json_text(value: object) -> str:
    r"""Return data as one line of JSON, in which characters that could do something to a terminal are escapes.

    >>> json_text(["é", "\x9b"])
    '["é", "\\u009b"]'
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in text)


def accept_any_text() -> None:
    """Make stdout and stderr print any text, and stdin read any bytes."""
    codecs.register_error(HANDLER, _twins)
    for stream, errors in ((sys.stdout, HANDLER), (sys.stderr, HANDLER), (sys.stdin, UNREADABLE)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def can_show(text: str) -> bool:
    """Return whether stdout's encoding can show every character of a text."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def write_error(e: BaseException) -> str | None:
    """Return the message for a failed write; None for any other exception."""
    if isinstance(e, OSError) and e.errno in CANNOT_WRITE:
        return f"{e.filename or 'the output'} cannot be written ({e.strerror})"
    return None


def discard_output(stream: TextIO) -> None:
    """Redirect a broken stream to null, so that buffered text does not raise again when Python exits."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def print_error(text: str, end: str = "\n") -> None:
    """Print a text to stderr and flush it; if that fails, later output is discarded."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        discard_output(sys.stderr)


def protocol_streams() -> tuple[BinaryIO, BinaryIO]:
    """Return stdin and stdout for a protocol alone; for all else (rules that print) stdin is empty and stdout is stderr."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return lines, answers
