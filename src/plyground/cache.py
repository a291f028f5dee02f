"""The disk cache of compiled kernels. It is named by content: stale code is impossible."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from plyground.contract import NEVER_COMPILED
from plyground.game import Game

CACHE_VERSION = 2
COMPILER = ("compile.py", "intrinsics.py", "dialect.py")
"""The files beside this one that shape native code."""


def names_in(code: types.CodeType) -> set[str]:
    """The global names that code uses, that of functions inside it too."""
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= names_in(const)
    return found


def cache_folder() -> Path | None:
    """Where compiled kernels are kept: $PLYGROUND_CACHE, else the user's cache folder; None if neither can be written."""
    base = os.environ.get("PLYGROUND_CACHE")
    if not base:
        home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        base = str(Path(home) / "plyground")
    folder = Path(base)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return None
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


def tag_of(game: Game | None, kernel: Any, options: dict[str, Any]) -> str:
    """A name for the code of rules + kernel + versions: equal just when the native code would be."""
    digest = hashlib.sha256()
    seen: set[Any] = set()

    def add(text: str) -> None:
        digest.update(text.encode("utf-8", "backslashreplace") + b"\0")

    def value(x: Any, used: set[str]) -> None:
        add(type(x).__name__)
        if isinstance(x, types.FunctionType):
            of_function(x)
        elif isinstance(x, np.ndarray):
            digest.update(f"{x.dtype}{x.shape}".encode() + np.ascontiguousarray(x).tobytes())
        elif isinstance(x, (tuple, list)):
            add(str(len(x)))
            for item in x:
                value(item, used)
        elif isinstance(x, (set, frozenset)):
            value(sorted(x, key=repr), used)
        elif isinstance(x, types.ModuleType):
            of_module(x, used)
        else:
            add(f"{x.__module__}.{x.__qualname__} {getattr(x, '_fields', ())}" if isinstance(x, type) else repr(x))

    def of_module(module: types.ModuleType, used: set[str]) -> None:
        """What the code may read of a module that a rules file imports; packages are known by their versions."""
        add(module.__name__)
        package = module.__name__.partition(".")[0] in sys.stdlib_module_names
        package |= "site-packages" in (getattr(module, "__file__", None) or "site-packages")
        if package or (module, frozenset(used)) in seen:
            return
        seen.add((module, frozenset(used)))
        for name in sorted(used & set(vars(module))):
            add(name)
            value(vars(module)[name], used)

    def code(c: types.CodeType) -> None:
        digest.update(c.co_code)
        add(repr((c.co_names, c.co_varnames, c.co_freevars, c.co_cellvars, c.co_argcount)))
        for const in c.co_consts:
            code(const) if isinstance(const, types.CodeType) else value(const, set())

    def of_function(f: Any) -> None:
        if f in seen:
            return
        seen.add(f)
        code(f.__code__)
        used = names_in(f.__code__)
        value(f.__defaults__, used)
        for cell in f.__closure__ or ():
            value(cell.cell_contents, used)
        for name in sorted(used):
            if name in f.__globals__:
                add(name)
                value(f.__globals__[name], used)

    if kernel is not None:
        of_function(kernel)
    if game is not None:
        for name, rule in sorted(game.rules.items()):
            if name not in NEVER_COMPILED:
                add(name)
                value(rule, set())
        add(repr(game.layout.fields))
    add(repr(sorted(options.items(), key=str)))
    add(f"{CACHE_VERSION} {numba.__version__} {llvmlite.__version__} {np.__version__} {sys.version}")
    for file in COMPILER:
        digest.update((Path(__file__).parent / file).read_bytes())
    return digest.hexdigest()[:32]


def keep_in(dispatcher: Any, folder: Path, tag: str) -> None:
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
    dispatcher._cache = type("Cache", (FunctionCache,), {"_impl_class": impl})(dispatcher.py_func)


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
