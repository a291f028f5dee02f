"""Numba's own cache, for kernels that take arrays: in our folder, with a checksum in every file."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

from plyground.compile.cache import checked, read_checked


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


def keep_in(dispatcher: Any, folder: Path, tag: str) -> None:
    """Make the dispatcher cache what it compiles in this folder."""

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
