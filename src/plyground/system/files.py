"""Writes files completely or not at all.

The data goes to a new file in the same folder, which is renamed only when every byte is on the disk. So a full disk, a crash or
Ctrl-C leaves the old file as it was, and never half of the new one.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO

from plyground.errors import PlygroundError

NEW = getattr(os, "O_BINARY", 0) | os.O_WRONLY | os.O_CREAT | os.O_EXCL


def data_folder() -> Path:
    """Where the user's data is kept: books, records, nets."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "plyground"


def write_file(path: str | Path, parts: Iterable[Any]) -> None:
    """Writes these bytes to a file, completely or not at all."""
    try:
        target = Path(os.path.realpath(path))  # a link stays a link
        if target.exists() and not target.is_file():
            with open(target, "wb") as file:  # a device or a pipe must not be replaced
                _write(file, parts)
            return
        _replace(target, parts)
    except OSError as e:
        raise cannot_write(path, e) from e


def write_text(path: str | Path, text: str) -> None:
    """Writes text to a file in UTF-8, completely or not at all."""
    write_file(path, [text.encode("utf-8", "backslashreplace")])


def add_to_log(path: Path, data: bytes, most: int) -> None:
    """Adds bytes to the end of a file, for several processes at once. A file of more than `most` bytes makes room for a new one,
    and the last such file is kept beside it as `….old`.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with contextlib.suppress(FileNotFoundError):
        if path.stat().st_size + len(data) > most:
            os.replace(path, path.with_name(f"{path.name}.old"))
    with open(path, "ab", buffering=0) as file:
        file.write(data)


def cannot_write(path: str | Path, e: OSError) -> PlygroundError:
    """The error for a file that can't be written."""
    folder = Path(path).parent
    missing = isinstance(e, FileNotFoundError) and not folder.is_dir()
    return PlygroundError(f"{path}: cannot be written ({f'there is no folder {folder}' if missing else e.strerror or e})")


def _replace(target: Path, parts: Iterable[Any]) -> None:
    new = target.with_name(f".plyground-{secrets.token_hex(8)}")
    try:
        with open(os.open(new, NEW, 0o666), "wb") as file:
            _write(file, parts)
            os.fsync(file.fileno())
        with contextlib.suppress(OSError):
            os.chmod(new, os.stat(target).st_mode & 0o7777)  # the old file's permissions
        os.replace(new, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new)
        raise


def _write(file: BinaryIO, parts: Iterable[Any]) -> None:
    for part in parts:
        file.write(part)
    file.flush()
