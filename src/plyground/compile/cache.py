"""The disk cache of compiled kernels. Entries are named by a hash of their content, so stale code is never loaded."""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from plyground.compile.folder import cache_folder

CHECKSUM = 32
"""Bytes of the checksum at the start of each file."""


class DamagedError(Exception):
    """A file in the cache is not what was written."""


class _CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one kernel, each with a checksum: a wrong byte in native code could crash, or worse."""

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
    """The contents of a cache file: the data, after its checksum."""
    return hashlib.sha256(data).digest() + data


def read_checked(path: Path) -> bytes:
    """The data in a cache file, after its checksum is verified."""
    kept = path.read_bytes()
    if hashlib.sha256(kept[CHECKSUM:]).digest() != kept[:CHECKSUM]:
        raise DamagedError(path)
    return kept[CHECKSUM:]


def keep_in(dispatcher: Any, folder: Path, tag: str) -> None:
    """Makes the dispatcher cache what it compiles in this folder."""

    class Locator(_CacheLocator):  # type: ignore[misc]
        def __init__(self, f: Any, file: str) -> None:
            self._py_file = file  # for the warning that a kernel can't be cached

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
    """The cache folder of one kernel, locked: processes that need the same kernel compile it once."""
    base = cache_folder()
    if base is None:
        yield None
        return
    folder = base / tag[:2] / tag
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / "lock").touch()
    except OSError:  # the disk is full: the kernel works without the cache
        yield None
        return
    try:
        import fcntl
    except ImportError:  # Windows has no flock: every process compiles, and files are replaced atomically
        yield folder
        return
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
