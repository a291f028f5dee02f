"""Everything that compiled code depends on, as one hash: the code itself and every value that it can read.

The hash is the key of the cache, so leaving a value out could bring back stale code. Every name that the rules use is followed to
its content: constants, tables, helpers with their defaults and closures, members of enums and classes, attributes of modules.
Values that can't be hashed by content are refused.
"""

from __future__ import annotations

import dis
import enum
import functools
import hashlib
import random
import sys
import sysconfig
import types
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import llvmlite
import numpy as np

from plyground.compile.blocks import Block
from plyground.compile.complaint import DICE, PACKAGE
from plyground.errors import GameError
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS

VERSION = 3
KNOWN_FOLDERS = tuple(Path(str(spec.origin)).parent for name in ("numpy", "numba", "llvmlite") if (spec := find_spec(name)))
"""Packages whose versions are hashed: a name is enough to identify what they define. The same holds for the standard library."""
STANDARD_LIBRARY = tuple({Path(sysconfig.get_path(kind)) for kind in ("stdlib", "platstdlib")})
HEAP_TYPE = 1 << 9
"""The flag of a class that was created at run time; other classes are part of the interpreter or of an extension."""
PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice, np.generic, np.dtype)
NATIVE_POINTERS = ("ctypes", "_ctypes")


def names_in(code: types.CodeType) -> set[str]:
    """Return the global names that code uses, including those of inner functions."""
    found = set(code.co_names)
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            found |= names_in(const)
    return found


def plain_function(x: Any) -> Any:
    """Return the undecorated function, if x has a decorator that does not change its values (a cache, njit); else x itself."""
    while isinstance(x, functools._lru_cache_wrapper) or hasattr(x, "py_func"):
        x = x.__wrapped__ if isinstance(x, functools._lru_cache_wrapper) else x.py_func
    return x


def is_versioned(x: types.FunctionType | types.ModuleType | type) -> bool:
    """Return whether a module, class or function is part of the standard library, or of a package whose version is hashed.

    The file decides, not the name: a `sched.py` beside the rules is not the one of the standard library.
    """
    if isinstance(x, types.FunctionType):
        return known_file(x.__code__.co_filename)
    if isinstance(x, types.ModuleType):
        file = getattr(x, "__file__", None)
        return x.__name__ in sys.builtin_module_names if file is None else known_file(file)
    if not x.__flags__ & HEAP_TYPE:
        return True
    found: Any = sys.modules.get(x.__module__)
    if found is None or not is_versioned(found):
        return False
    for part in x.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is x


@functools.cache
def known_file(file: str) -> bool:
    """Return whether a file is part of the standard library, or of a package whose version is hashed."""
    if file.startswith("<frozen "):
        return True
    path = Path(file)
    if any(path.is_relative_to(folder) for folder in KNOWN_FOLDERS):
        return True
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return not installed and any(path.is_relative_to(folder) for folder in STANDARD_LIBRARY)


@functools.cache
def in_rules(file: str) -> bool:
    """Return whether a file is one of the user's, whose rules are checked more strictly than ours (`narrow.py`)."""
    return not file.startswith("<") and not known_file(file) and not Path(file).is_relative_to(PACKAGE)


def _name_of(x: type) -> str:
    """Return the name of a class, without its module: the same class in another rules file counts as equal."""
    return f"{x.__module__}.{x.__qualname__}" if is_versioned(x) else x.__qualname__


class Fingerprint:
    """Hashes values by content. Call `add` for each; `hexdigest` is the hash of all."""

    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.seen: dict[tuple[int, frozenset[str]], int] = {}
        self.kept: list[object] = []
        """Everything in `seen`, kept alive so that no id is reused."""
        self.inside: list[object] = []
        """The containers being hashed, since one may contain itself."""
        self.open: list[types.FunctionType] = []
        """The functions being hashed, outermost first: for the line in error messages."""

    def hexdigest(self) -> str:
        """Return the hash of everything added so far."""
        return self.digest.hexdigest()

    def text(self, text: str) -> None:
        """Hash a text."""
        self.digest.update(text.encode("utf-8", "backslashreplace") + b"\0")

    def add(self, x: object, name: str = "", used: frozenset[str] = frozenset()) -> None:
        """Add a value that code knows by this name; for a module or a class, only the attributes in `used`."""
        x = plain_function(x)
        self.text(_name_of(type(x)))
        if isinstance(x, types.FunctionType):
            self.text(f"{x.__module__}.{x.__qualname__}") if is_versioned(x) else self.function(x)
        elif isinstance(x, types.CodeType):
            self.code(x)
        elif isinstance(x, type) and issubclass(x, Block):
            self.text(x.shape())
        elif isinstance(x, type):
            self.type(x, name, used)
        elif isinstance(x, types.ModuleType):
            self.module(x, name, used)
        elif isinstance(x, enum.Enum):
            self.text(x.name)
            self.add(x.value, name)
        elif isinstance(x, PLAIN):
            self.text(repr(x) if not isinstance(x, np.generic) else f"{x.dtype} {x!r}")
        elif isinstance(x, np.ndarray) and x.dtype.kind != "O":
            self.text(f"{x.dtype}{x.shape}")
            self.digest.update(np.ascontiguousarray(x).tobytes())
        elif not self.container(x, name, used):
            self.other(x, name, used)

    def container(self, x: object, name: str, used: frozenset[str]) -> bool:
        """Add the items of a tuple, list, set or dict; False if x is none of these."""
        items: Iterable[object]
        if isinstance(x, (tuple, list)):
            items = x
        elif isinstance(x, (set, frozenset)):
            items = sorted(x, key=repr)
        elif isinstance(x, (dict, types.MappingProxyType)):
            items = x.items()
        else:
            return False
        self.text(str(len(x)))
        if any(x is outer for outer in self.inside):
            return True
        self.inside.append(x)
        for item in items:
            self.add(item, name, used)
        self.inside.pop()
        return True

    def other(self, x: object, name: str, used: frozenset[str]) -> None:
        """Add the remaining kinds: partials, methods, and functions of packages whose version is hashed."""
        if isinstance(x, functools.partial):
            for part in (x.func, x.args, x.keywords):
                self.add(part, name, used)
        elif isinstance(x, types.MethodType):
            self.add(x.__func__, name, used)
            self.add(x.__self__, name, used)
        elif _is_numba_type(x):
            self.text(str(x))
        elif callable(x) and hasattr(x, "__name__") and is_versioned(type(x)) and type(x).__module__ not in NATIVE_POINTERS:
            self.text(f"{getattr(x, '__module__', '')} {getattr(x, '__qualname__', x.__name__)}")
        else:
            self.refuse(x, name)

    def first_time(self, x: object, used: frozenset[str] = frozenset()) -> bool:
        """Hash the number of x and return whether x is new: functions may call each other in cycles."""
        known = (id(x), used) in self.seen
        self.text(f"#{self.seen.setdefault((id(x), used), len(self.seen))}")
        self.kept.append(x)
        return not known

    def refuse(self, x: object, name: str) -> None:
        """Raise an error that says which value can't be hashed and where it is used."""
        place = next((p for f in reversed(self.open) for p in _uses(f, name)), "the rules")
        what = f"`{name}` is {type(x).__name__}" if name else f"a constant is {type(x).__name__}"
        if isinstance(x, random.Random):
            raise GameError(f"{place}: `{name}` comes from random and can't be compiled: {DICE}")
        raise GameError(
            f"{place}: {what}, which can't be compiled; rules can use global numbers, tuples of numbers and plain functions"
        )

    def type(self, x: type, name: str, used: frozenset[str]) -> None:
        """Add a class: an enum with its members, a NamedTuple with its fields, any class with the attributes in `used`."""
        self.text(_name_of(x))
        if is_versioned(x) or not self.first_time(x, used):
            return
        if issubclass(x, enum.Enum):
            for member in x.__members__.items():
                self.add(member, name)
        if hasattr(x, "_fields"):
            self.add((x._fields, getattr(x, "_field_defaults", {})), name)
        for base in x.__mro__[:-1]:
            for attribute in sorted(used & set(vars(base))):
                self.text(attribute)
                self.member(vars(base)[attribute], attribute, used)

    def member(self, x: object, name: str, used: frozenset[str]) -> None:
        """Add an attribute of a class; for a property or a static or class method, its function."""
        if isinstance(x, property | staticmethod | classmethod):
            self.add(x.fget if isinstance(x, property) else x.__func__, name, used)
        elif hasattr(x, "__get__") and not isinstance(x, types.FunctionType):
            self.text(repr(type(x)))  # a descriptor for a field: the fields themselves are hashed
        else:
            self.add(x, name, used)

    def module(self, x: types.ModuleType, name: str, used: frozenset[str]) -> None:
        """Add a module: the attributes in `used`."""
        self.text(x.__name__)
        if not is_versioned(x) and self.first_time(x, used):
            # A module may create attributes on demand.
            for attribute in sorted(n for n in used if n in vars(x) or ("__getattr__" in vars(x) and hasattr(x, n))):
                self.text(attribute)
                self.add(getattr(x, attribute), attribute, used)

    def code(self, c: types.CodeType) -> None:
        """Add the code of a function and of its inner functions."""
        self.digest.update(c.co_code)
        self.text(repr((c.co_names, c.co_varnames, c.co_freevars, c.co_cellvars, c.co_argcount, c.co_kwonlyargcount, c.co_flags)))
        for const in c.co_consts:
            self.add(const)

    def function(self, f: types.FunctionType) -> None:
        """Add a function: its code, its defaults, and everything that it can read."""
        if not self.first_time(f):
            return
        self.open.append(f)
        self.code(f.__code__)
        used = frozenset(names_in(f.__code__))
        self.add((f.__defaults__, f.__kwdefaults__), "a default value", used)
        for free, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
            self.text(free)
            self.add(cell.cell_contents, free, used)
        for name in sorted(used):
            if name in f.__globals__:
                self.text(name)
                self.add(f.__globals__[name], name, used)
        self.open.pop()


def _uses(f: types.FunctionType, name: str) -> Iterator[str]:
    """Return the places where a function uses a name: file and line."""
    codes = [f.__code__]
    for code in codes:
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        for i in dis.get_instructions(code):
            if i.argval == name and i.positions is not None and i.positions.lineno:
                yield f"{code.co_filename}:{i.positions.lineno}"


def kernel_hash(game: Game | None, kernel: Callable[..., object] | None, options: dict[str, object]) -> str:
    """Return a hash of rules, kernel and versions: equal if and only if the native code would be."""
    tag = Fingerprint()
    if kernel is not None:
        tag.add(kernel)
    if game is not None:
        _add_rules(tag, game)
        functions = [f for f in map(plain_function, game.rules.values()) if isinstance(f, types.FunctionType)]
        tag.text(str(any(in_rules(f.__code__.co_filename) for f in functions)))
    tag.text(repr(sorted(options.items(), key=str)))
    tag.text(versions())
    tag.digest.update(compiler_digest())
    return tag.hexdigest()[:32]


def rules_tag(game: Game) -> str:
    """Return a hash of the rules alone."""
    tag = Fingerprint()
    _add_rules(tag, game)
    return tag.hexdigest()[:32]


def _add_rules(tag: Fingerprint, game: Game) -> None:
    tag.add(game.State, "State")
    for name, hook in HOOKS.items():
        if hook.compiled:
            tag.text(name)
            tag.add(game.rules.get(name, hook.default), name)
    tag.text(repr(game.layout.fields))


@functools.cache
def versions() -> str:
    """Return the versions of everything that shapes native code; Numba is not imported for its own."""
    return f"{VERSION} {metadata.version('numba')} {llvmlite.__version__} {np.__version__} {sys.version}"


def _is_numba_type(x: object) -> bool:
    """Return whether this is a type of the compiler; unless it is imported, there are none."""
    types = sys.modules.get("numba.core.types")
    return types is not None and isinstance(x, types.Type)


@functools.cache
def compiler_digest() -> bytes:
    """Return the digest of this package, which shapes all native code."""
    digest = hashlib.sha256()
    for file in sorted(path for path in Path(__file__).parent.rglob("*") if path.suffix in (".py", ".ll")):
        digest.update(file.read_bytes())
    return digest.digest()
