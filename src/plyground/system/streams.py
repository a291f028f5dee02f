"""The standard streams of the command line: neither unusual characters nor a full disk cause a traceback.

Characters that the encoding lacks are written in ASCII (`<=` for `≤`); accents are dropped, and the rest becomes `?`.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys
from typing import BinaryIO, TextIO

TWINS = {"…": "...", "∞": "inf", "≤": "<=", "≥": ">=", "→": "->", "←": "<-"} | dict(
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


def twin(character: str) -> str:
    """A replacement for the character in ASCII.

    >>> "".join(map(twin, "Müll … ≤ ♔"))
    'Mull ... <= ?'
    """
    if character in TWINS:
        return TWINS[character]
    import unicodedata

    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return plain or ("" if unicodedata.combining(character) else "?")


def _twins(e: UnicodeError) -> tuple[str, int]:
    if not isinstance(e, UnicodeEncodeError):
        raise e
    return "".join(map(twin, e.object[e.start : e.end])), e.end


def accept_any_text() -> None:
    """Makes stdout and stderr print any text, and stdin read any bytes."""
    codecs.register_error(HANDLER, _twins)
    for stream, errors in ((sys.stdout, HANDLER), (sys.stderr, HANDLER), (sys.stdin, UNREADABLE)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def can_show(text: str) -> bool:
    """Can stdout's encoding show every character of a text?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def silence(stream: TextIO) -> None:
    """Redirects a broken stream to null, so that buffered text does not raise again when Python exits."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def tell(text: str, end: str = "\n") -> None:
    """Prints a text to stderr and flushes it; if that fails, later output is discarded."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def own_streams() -> tuple[BinaryIO, BinaryIO]:
    """Stdin and stdout for a protocol alone; for everything else (rules that print) stdin is empty and stdout is stderr."""
    lines, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return lines, answers
