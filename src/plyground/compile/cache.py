"""The disk cache of compiled kernels. It is named by content: stale code is impossible."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

CHECKSUM = 32
"""Bytes of the checksum before everything that is kept."""


class DamagedError(Exception):
    """A file of the cache is not what was written."""


def _wanted() -> Path:
    """The folder that is asked for: $PLYGROUND_CACHE, else the user's cache folder."""
    base = os.environ.get("PLYGROUND_CACHE")
    if base:
        return Path(base)
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(home) / "plyground"


def fault() -> str | None:
    """Why compiled kernels can't be kept, and what would be right; None if they can."""
    folder = _wanted()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return f"{folder} belongs to somebody else; set PLYGROUND_CACHE to a folder of your own"
    except OSError as e:
        return f"{folder} cannot be made ({e.strerror}); set PLYGROUND_CACHE to a folder that can be written"
    return None if os.access(folder, os.W_OK) else f"{folder} cannot be written; set PLYGROUND_CACHE to a folder that can"


def cache_folder() -> Path | None:
    """Where compiled kernels are kept; None if nothing can be kept."""
    return None if fault() else _wanted()


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one kernel, each behind a checksum: native code with a wrong byte would crash, or worse."""

    def _load_index(self) -> dict[Any, str]:
        if not os.path.exists(self._index_path):
            return {}
        version, stamp, overloads = pickle.loads(read_checked(Path(self._index_path)))
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(read_checked(Path(self._data_path(name))))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, data: Any) -> None:
        with self._open_for_write(path) as f:
            f.write(checked(self._dump(data)))


def checked(data: bytes) -> bytes:
    """What a file of the cache has in it: the data behind its checksum."""
    return hashlib.sha256(data).digest() + data


def read_checked(path: Path) -> bytes:
    """What was written to a file of the cache, if it is still whole."""
    kept = path.read_bytes()
    if hashlib.sha256(kept[CHECKSUM:]).digest() != kept[:CHECKSUM]:
        raise DamagedError(path)
    return kept[CHECKSUM:]


def keep_in(dispatcher: Any, folder: Path, tag: str) -> None:
    """From now on what the dispatcher compiles is kept in the folder, and found there."""

    class Locator(_CacheLocator):  # type: ignore[misc]
        def __init__(self, f: Any, file: str) -> None:
            self._py_file = file  # named in the warning that a kernel cannot be kept

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return tag

        def get_disambiguator(self) -> str:
            return "k"

        @classmethod
        def from_function(cls, f: Any, file: str) -> Any:
            return cls(f, file)

    impl = type("Impl", (CompileResultCacheImpl,), {"_locator_classes": [Locator]})
    cache = type("Cache", (FunctionCache,), {"_impl_class": impl})(dispatcher.py_func)
    old = cache._cache_file
    cache._cache_file = _CheckedFile(str(folder), old._index_name.removesuffix(".nbi"), tag)
    dispatcher._cache = cache


def clear(folder: Path) -> None:
    for file in folder.glob("*.nb*"):
        file.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(tag: str) -> Iterator[Path | None]:
    """The cache folder of one kernel, for us alone: processes that need the same kernel compile it once."""
    base = cache_folder()
    if base is None:
        yield None
        return
    folder = base / tag[:2] / tag
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "lock").touch()
    except OSError:  # the disk is full: nothing can be kept, and the kernel works all the same
        yield None
        return
    try:
        import fcntl
    except ImportError:  # no such lock on Windows: each process compiles, the files themselves are replaced in one step
        yield folder
        return
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
