"""The cache on disk: its folder, files with checksums, and what lies in them. Nothing here imports the compiler.

What lies in the cache is run. So a folder that another user could have written to is never used: it must belong to this user, as
must everything in it, and nobody else may write to it. Entries are named by a hash of their content, so stale code is never
loaded. Every file begins with a checksum, and a damaged one counts as missing.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from plyground.system.files import is_private, not_private, user_folder

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

# -- the folder -----------------------------------------------------------------------------------------------------------------

_refused: dict[Path, str] = {}
"""Folders in the cache that can't be used, each with the reason."""


def _configured_folder() -> Path:
    """Return the configured folder: $PLYGROUND_CACHE, else one in the user's cache folder."""
    base = os.environ.get("PLYGROUND_CACHE")
    return Path(base) if base else user_folder("XDG_CACHE_HOME", ".cache")


def fault() -> str | None:
    """Return why compiled kernels can't be cached, and what to do; None if they can."""
    folder = _configured_folder()
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


def cache_folder(*names: str, inside: bool = True) -> Path | None:
    """Return the cache folder, or the folder below it that these names lead to, which is made; None if it can't be used.

    Without `inside`, the caller checks each file in the folder when it reads it.
    """
    base = _configured_folder()
    if _base_fault(base):
        return None
    folder = base.joinpath(*names)
    _refused.pop(folder, None)
    try:
        found = _make_folders(base, names) or (_fault_inside(folder) if names and inside else None)
    except OSError:  # the disk is full
        return None
    if found:
        _refused[folder] = f"{found}; remove it"
    return None if found else folder


def _make_folders(folder: Path, names: tuple[str, ...]) -> str | None:
    """Make a folder below this one; return the first fault of a folder on the way."""
    for name in names:
        folder /= name
        folder.mkdir(exist_ok=True, mode=0o700)
        if found := not_private(folder):
            return found
    return None


def _fault_inside(folder: Path) -> str | None:
    """Return the first fault of what is in a folder."""
    closed = _is_closed(folder)
    return next(filter(None, (not_private(path, closed=closed) for path in folder.rglob("*"))), None)


def _is_closed(folder: Path) -> bool:
    """Return whether nobody else can enter a folder."""
    return not folder.stat().st_mode & 0o011


def copies_folder(*names: str) -> Path:
    """Return the folder for copies to keep: one in the cache or, if that can't be used, one for this process only."""
    return cache_folder(*names) or Path(_temporary_folder().name, *names)


@functools.cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="plyground-")


# -- files with a checksum -----------------------------------------------------------------------------------------------------

CHECKSUM = 32
"""Bytes of the checksum at the start of each file."""


class DamagedCacheError(Exception):
    """A file in the cache is not what was written."""


def with_checksum(data: bytes, name: str = "") -> bytes:
    """Return the contents of a cache file: the data, after a checksum of the name and the data.

    With the name, a file that was moved or copied to the place of another counts as damaged.
    """
    return hashlib.sha256(name.encode() + b"\0" + data).digest() + data


def read_verified(path: Path, name: str = "") -> bytes:
    """Return the data in a cache file, after its checksum is verified."""
    return _verified(path.read_bytes(), path, name)


def _verified(kept: bytes, path: Path, name: str) -> bytes:
    if with_checksum(kept[CHECKSUM:], name) != kept:
        raise DamagedCacheError(path)
    return kept[CHECKSUM:]


def clear(folder: Path) -> None:
    for file in folder.glob("*.nb*"):
        file.unlink(missing_ok=True)


@contextlib.contextmanager
def locked(tag: str) -> Iterator[Path | None]:
    """Lock the cache folder of one kernel, so that processes that need the same kernel compile it once, and return it."""
    folder = cache_folder(tag[:2], tag)
    if folder is None:
        yield None
        return
    try:
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


# -- LLVM texts ----------------------------------------------------------------------------------------------------------------

TEXTS = "functions"
MAX_TEXTS = 30_000
"""Files in the folder, of some 8 KB each; of more, those that were not used for longest are deleted."""
MINUTE = 60
READ = getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0) | os.O_RDONLY


class TextStore:
    """The folder of LLVM texts, each under the hash of what it depends on. Files are written beside their place, then renamed.

    There are thousands of files, so each is checked when it is read, and not all of them when the store is opened.
    """

    def __init__(self) -> None:
        self.folder = cache_folder(TEXTS, inside=False)
        self.closed = self.folder is not None and _is_closed(self.folder)
        self.written = 0

    def read(self, name: str) -> object:
        """Return what is kept under a name; None if it is missing or damaged."""
        if self.folder is None:
            return None
        file = self.folder / name
        try:
            with open(os.open(file, READ), "rb") as opened:
                info = os.fstat(opened.fileno())
                if not is_private(info, closed=self.closed):
                    return None
                found = pickle.loads(_verified(opened.read(), file, name))
            if info.st_mtime < time.time() - MINUTE:
                os.utime(file)
        except (OSError, DamagedCacheError):
            return None
        return found

    def write(self, name: str, value: object) -> None:
        """Keep a value; a full disk is no error."""
        if self.folder is None:
            return
        file = self.folder / name
        new = file.with_name(f"{name}.{os.getpid()}")
        with contextlib.suppress(OSError):
            try:
                new.write_bytes(with_checksum(pickle.dumps(value, protocol=5), name))
                os.replace(new, file)
                self.written += 1
            finally:
                new.unlink(missing_ok=True)

    def prune(self) -> None:
        """Delete the files that were not used for longest, if there are too many."""
        if self.folder is None or not self.written:
            return
        with contextlib.suppress(OSError):
            names = os.listdir(self.folder)
            if len(names) > MAX_TEXTS:
                ages = sorted((_last_used(file), file) for file in map(self.folder.joinpath, names))
                for _, file in ages[: len(ages) - MAX_TEXTS // 2]:
                    file.unlink(missing_ok=True)


def _last_used(file: Path) -> float:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime
    return 0.0


# -- Numba's own cache ----------------------------------------------------------------------------------------------------------


def cache_in_folder(dispatcher: Dispatcher, folder: Path, tag: str) -> None:
    """Make the dispatcher of a kernel that takes arrays cache what it compiles in this folder, with a checksum in every file."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, _CacheLocator

    class CheckedFile(IndexDataCacheFile):  # type: ignore[misc]
        """The files of one kernel: a wrong byte in native code could crash, or worse."""

        def _load_index(self) -> dict[object, str]:
            if not os.path.exists(self._index_path):
                return {}
            version, stamp, overloads = pickle.loads(read_verified(Path(self._index_path)))
            return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

        def _save_index(self, overloads: dict[object, str]) -> None:
            self._write(self._index_path, (self._version, self._source_stamp, overloads))

        def _load_data(self, name: str) -> object:
            return pickle.loads(read_verified(Path(self._data_path(name))))

        def _save_data(self, name: str, data: object) -> None:
            self._write(self._data_path(name), data)

        def _write(self, path: str, data: object) -> None:
            with self._open_for_write(path) as f:
                f.write(with_checksum(self._dump(data)))

    class Locator(_CacheLocator):  # type: ignore[misc]
        def __init__(self, f: Callable[..., object], file: str) -> None:
            self._py_file = file  # for the warning that a kernel can't be cached

        def get_cache_path(self) -> str:
            return str(folder)

        def get_source_stamp(self) -> str:
            return tag

        def get_disambiguator(self) -> str:
            return "k"

        @classmethod
        def from_function(cls, f: Callable[..., object], file: str) -> Locator:
            return cls(f, file)

    impl = type("Impl", (CompileResultCacheImpl,), {"_locator_classes": [Locator]})
    cache = type("Cache", (FunctionCache,), {"_impl_class": impl})(dispatcher.py_func)
    old = cache._cache_file
    cache._cache_file = CheckedFile(str(folder), old._index_name.removesuffix(".nbi"), tag)
    dispatcher._cache = cache
