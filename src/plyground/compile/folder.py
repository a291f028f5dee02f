"""The folder of the disk cache. It is asked for where nothing is compiled too, so this file does without the compiler."""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path


def _wanted() -> Path:
    """The configured folder: $PLYGROUND_CACHE, else one in the user's cache folder."""
    base = os.environ.get("PLYGROUND_CACHE")
    if base:
        return Path(base)
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "plyground"


def fault() -> str | None:
    """Why compiled kernels can't be cached, and what to do; None if they can."""
    folder = _wanted()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return f"{folder} belongs to another user; set PLYGROUND_CACHE to a folder of your own"
    except OSError as e:
        return f"cannot create {folder} ({e.strerror}); set PLYGROUND_CACHE to a writable folder"
    return None if os.access(folder, os.W_OK) else f"cannot write to {folder}; set PLYGROUND_CACHE to a writable folder"


def cache_folder() -> Path | None:
    """The cache folder; None if it can't be used."""
    return None if fault() else _wanted()


def copies_folder() -> Path:
    """Where copies are kept for later: in the cache folder, or if that can't be used, only for this process."""
    return cache_folder() or Path(_for_this_process().name)


@functools.cache
def _for_this_process() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="plyground-")
