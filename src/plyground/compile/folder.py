"""The folder of the disk cache. It is asked for where nothing is compiled too, so this file does without the compiler.

What lies in the cache is run. So a folder that another user could have written to is never used: it must belong to this user, as
must everything in it, and nobody else may write to it.
"""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path

from plyground.system.files import not_private, user_folder

_refused: dict[Path, str] = {}
"""Folders in the cache that can't be used, each with the reason."""


def _wanted() -> Path:
    """Return the configured folder: $PLYGROUND_CACHE, else one in the user's cache folder."""
    base = os.environ.get("PLYGROUND_CACHE")
    return Path(base) if base else user_folder("XDG_CACHE_HOME", ".cache")


def fault() -> str | None:
    """Return why compiled kernels can't be cached, and what to do; None if they can."""
    folder = _wanted()
    return _base_fault(folder) or next((why for path, why in _refused.items() if folder in path.parents), None)


def _base_fault(folder: Path) -> str | None:
    """Return why the cache folder itself can't be used."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        found = not_private(folder, link=True)
    except OSError as e:
        return f"cannot create {folder} ({e.strerror}); set PLYGROUND_CACHE to a writable folder"
    if found:
        return f"{found}; set PLYGROUND_CACHE to a folder of your own"
    return None if os.access(folder, os.W_OK) else f"cannot write to {folder}; set PLYGROUND_CACHE to a writable folder"


def cache_folder(*names: str) -> Path | None:
    """Return the cache folder, or the folder below it that these names lead to, which is made; None if it can't be used."""
    base = _wanted()
    if _base_fault(base):
        return None
    folder = base.joinpath(*names)
    _refused.pop(folder, None)
    try:
        found = _made(base, names)
    except OSError:  # the disk is full
        return None
    if found:
        _refused[folder] = f"{found}; remove it"
    return None if found else folder


def _made(folder: Path, names: tuple[str, ...]) -> str | None:
    """Make a folder below this one; return the first fault of a folder on the way or of what is in the last one."""
    for name in names:
        folder /= name
        folder.mkdir(exist_ok=True, mode=0o700)
        if found := not_private(folder):
            return found
    closed = not folder.stat().st_mode & 0o011
    inside = folder.rglob("*") if names else ()
    return next(filter(None, (not_private(path, closed=closed) for path in inside)), None)


def copies_folder(*names: str) -> Path:
    """Return the folder for copies to keep: one in the cache or, if that can't be used, one for this process only."""
    return cache_folder(*names) or Path(_for_this_process().name, *names)


@functools.cache
def _for_this_process() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="plyground-")
