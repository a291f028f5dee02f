"""The standard streams as the command line uses them: no character, and no full disk behind them, ends in a traceback.

What an encoding cannot show is written with ASCII twins (`<=` for `≤`), accents are dropped, and the rest becomes `?`.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import io
import os
import sys
from typing import TextIO

TWINS = {"…": "...", "∞": "inf", "≤": "<=", "≥": ">=", "→": "->", "←": "<-"} | dict(
    zip(
        "·×–—−‘’“”✓✗✂↑↓▲▼●○■□▦★◆▸▾─│├└┌┐┘┤┬┴┼",
        "-x---''\"\"+xx^v^voo##%*+>v-||`..'|--+",
        strict=True,
    )
)
"""What stands for a character where the encoding has none."""
CANNOT_WRITE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Errors of a disk that takes no more."""
HANDLER = "plyground-twins"
UNREADABLE = "backslashreplace"
"""What becomes of undecodable bytes."""


def twin(character: str) -> str:
    """The character in ASCII.

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
    """From now on anything can be printed on stdout and stderr, and any bytes can be read from stdin."""
    codecs.register_error(HANDLER, _twins)
    for stream, errors in ((sys.stdout, HANDLER), (sys.stderr, HANDLER), (sys.stdin, UNREADABLE)):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=errors)


def can_show(text: str) -> bool:
    """Does the encoding of stdout have every character of a text?"""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def silence(stream: TextIO) -> None:
    """Nobody takes what is written to a stream; what is still buffered must not raise again when Python ends."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)


def tell(text: str, end: str = "\n") -> None:
    """Prints a text on stderr at once; where that cannot be written, work goes on all the same."""
    try:
        print(text, end=end, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)
