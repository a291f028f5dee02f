"""The text of each function, kept by content: after an edit of the rules, only what has changed goes through the compiler.

What a function is compiled to depends on its own code, on the values that it reads and on the types of what it calls, but not on
the code of what it calls. So its text is kept under a hash of the former, with a list of the functions that it calls and their
types. When it is read back, these are read or compiled first; if one now returns another type, the function is compiled again.

The text that LLVM has optimised is kept too. It contains functions that were inlined, so its hash includes theirs
(`FunctionLibrary.depth`).

Hashes contain everything that may differ between two machines or versions. Functions that can't be kept are compiled each time:
generators (they become part of their callers), functions in a call cycle or that call themselves with other types,
functions with arguments of unusual types.
"""

from __future__ import annotations

import contextlib
import io
import pickle
import types
from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeGuard

import llvmlite.binding as llvm
from numba.core import compiler, funcdesc, sigutils, typing
from numba.core import types as nb
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment
from numba.core.runtime import rtsys
from numba.extending import intrinsic

from plyground.compile.cache import TextStore
from plyground.compile.fingerprint import Fingerprint, compiler_digest, names_in, versions
from plyground.compile.libraries import CompileContext, FunctionLibrary, compile_context
from plyground.compile.narrow import RULE
from plyground.compile.pointers import Pointer, RowType
from plyground.errors import GameError

GENERATOR = 0x20
DYNAMIC = "numba.dynamic.globals"
"""How the names of variables begin that hold an address of this process."""
Intrinsic = type(intrinsic(lambda context: None))
PLAIN = (nb.Number, nb.Boolean, nb.NoneType, nb.Literal, nb.Omitted, nb.UnicodeType, nb.RangeType, nb.SliceType, Pointer, RowType)


class NotCacheableError(Exception):
    """The text of a function can't be kept."""


class FunctionText(NamedTuple):
    """What is kept of a function."""

    symbol: str
    """Its name in the text."""
    returns: bytes
    calls: list[tuple[str, bytes, str]]
    """The functions that it calls: the name of each in Python, its types, and its name in the text."""
    runtime: bool
    """Whether it uses Numba's runtime, as lists and sets do."""
    abi_tags: tuple[str, ...]
    text: bytes


# -- names ----------------------------------------------------------------------------------------------------------------------


def keep_texts(used: CompileContext, calls: dict[Dispatcher, set[Dispatcher]]) -> None:
    """Keep the texts of these functions, each with those that it calls."""
    used.texts, used.roles, used.classes = TextStore(), _roles(calls), _classes(calls)


def _roles(calls: dict[Dispatcher, set[Dispatcher]]) -> dict[str, str]:
    """Return the role of each function, by the name that Numba knows it by.

    Functions that call each other have none: these are linked by name, so theirs is unique.
    """
    functions = [f for f in calls if is_ours(f)]
    count = Counter(f.py_func.role for f in functions)
    roles = {}
    for f in functions:
        role = f.py_func.role
        if count[role] == 1 and not _in_call_cycle(f, calls):
            roles[f"{f.py_func.__module__}.{f.py_func.__qualname__}"] = f"plyground.{role}"
    return roles


def _in_call_cycle(f: Dispatcher, calls: dict[Dispatcher, set[Dispatcher]]) -> bool:
    """Return whether a function calls itself by way of others."""
    seen, pending = {f}, [g for g in calls[f] if g is not f]
    while pending:
        g = pending.pop()
        if g not in seen:
            seen.add(g)
            if f in calls[g]:
                return True
            pending += calls[g]
    return False


def _classes(functions: Iterable[Dispatcher]) -> dict[str, type]:
    """Return the NamedTuples that functions know, by name; none that share a name."""
    found: dict[str, set[type]] = {}
    for f in functions:
        plain = getattr(f, "py_func", f)
        cells = [cell.cell_contents for cell in plain.__closure__ or ()]
        for x in (*map(plain.__globals__.get, names_in(plain.__code__)), *cells):
            known = x if isinstance(x, type) else type(x)  # of a class, or of a constant
            if hasattr(known, "_fields"):
                found.setdefault(known.__qualname__, set()).add(known)
    return {name: x for name, (x, *others) in found.items() if not others}


# -- what a text depends on -----------------------------------------------------------------------------------------------------


def is_ours(x: object) -> TypeGuard[Dispatcher]:
    """Return whether x is a compiled function whose text may be kept."""
    return isinstance(x, Dispatcher) and isinstance(x._cache, TextCache)


def is_generator(f: types.FunctionType) -> bool:
    """Return whether a Python function is a generator."""
    return bool(f.__code__.co_flags & GENERATOR)


class FunctionHash(Fingerprint):
    """Hashes a function: its code and the values it reads; of functions that it calls, only how they are called."""

    def __init__(self) -> None:
        super().__init__()
        self.inlined = 0

    def add(self, x: object, name: str = "", used: frozenset[str] = frozenset()) -> None:
        """Add a value. A generator becomes part of its callers, so all of it is added, with everything below it."""
        if is_ours(x) and not self.inlined:
            f = x.py_func
            self.text(
                f"function {f.__code__.co_varnames[: f.__code__.co_argcount]} {f.__code__.co_flags} {getattr(f, RULE, False)}"
            )
            self.add((f.__defaults__, f.__kwdefaults__))
            if is_generator(f):
                self.inlined += 1
                self.function(f)
                self.inlined -= 1
        elif isinstance(x, Intrinsic):
            self.text(f"intrinsic {x.__module__}.{x.__qualname__} {_closure(x._defn)}")
        else:
            if isinstance(x, types.FunctionType):
                self.text(x.__qualname__)
            super().add(x, name, used)

    def function(self, f: types.FunctionType) -> None:
        """Add a function. Rules of the user are checked more strictly than ours."""
        self.text(f"rule {getattr(f, RULE, False)}")
        super().function(f)


def _closure(x: object) -> str:
    """Return a text for the values that an intrinsic was made with."""
    if isinstance(x, types.FunctionType):
        return f"{x.__qualname__}({', '.join(_closure(cell.cell_contents) for cell in x.__closure__ or ())})"
    text = f"{x}" if isinstance(x, nb.Type) else repr(x)
    if " at 0x" in text:
        raise NotCacheableError
    return text


def kind(t: nb.Type) -> str:
    """Return a text for a type that is the same in every process."""
    if isinstance(t, nb.BaseNamedTuple):
        return f"{t.instance_class.__qualname__}{t.instance_class._fields}({', '.join(map(kind, t.types))})"
    if isinstance(t, nb.BaseTuple):
        return f"({', '.join(map(kind, t.types))})"
    if isinstance(t, nb.Optional):
        return f"optional({kind(t.type)})"
    if isinstance(t, nb.List | nb.Set | nb.Array):
        return f"{t} of {kind(t.dtype)}"
    if isinstance(t, PLAIN):
        return f"{type(t).__name__} {t}"
    raise NotCacheableError


class TextCache:
    """The cache of one compiled function: Numba asks it before it compiles, and tells it afterwards."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher = dispatcher
        self.digest: Any = None

    # -- the interface that Numba calls

    def load_overload(self, sig: typing.Signature, context: CPUContext) -> compiler.CompileResult | None:
        """Return the function for these argument types, with all that it calls; None if it must be compiled."""
        args = tuple(sigutils.normalize_signature(sig)[0])
        if not self.keeps:
            return None
        try:
            key = self.key(args, context)
            record = compile_context.texts.read(key)
            return None if record is None else self._load_function(FunctionText(*record), key, args, context)
        except NotCacheableError:
            return None

    def save_overload(self, sig: typing.Signature, result: compiler.CompileResult) -> None:
        """Keep what was compiled."""
        part = result.library
        if not isinstance(part, FunctionLibrary):
            return
        args = tuple(sigutils.normalize_signature(sig)[0])
        part.owner = self.dispatcher
        self._link_own(part)
        if self.keeps:
            with contextlib.suppress(NotCacheableError):
                self._keep(part, args, result)
        part._ensure_finalized()

    def _link_own(self, part: FunctionLibrary) -> None:
        """Link a function that calls itself with other types to what was compiled for these; Numba knows only their names."""
        if len(self.dispatcher.overloads) > 1:
            declared = {f.name for f in part._final_module.functions if f.is_declaration}
            for other in self.dispatcher.overloads.values():
                if other.fndesc.llvm_func_name in declared and other.library not in part._linking_libraries:
                    part._linking_libraries.append(other.library)

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    disable = flush = enable

    # -- keys

    @property
    def keeps(self) -> bool:
        """Whether the text of this function is kept."""
        f = self.dispatcher.py_func
        return (
            compile_context.texts is not None
            and f"{f.__module__}.{f.__qualname__}" in compile_context.roles
            and not is_generator(f)
        )

    def key(self, args: tuple[nb.Type, ...], context: CPUContext) -> str:
        """Return the hash of everything that the text depends on."""
        if self.digest is None:
            content = FunctionHash()
            content.text(versions())
            content.digest.update(compiler_digest())
            content.text(f"{context.codegen().magic_tuple()} {sorted(self.dispatcher.targetoptions.items())}")
            try:
                content.function(self.dispatcher.py_func)
            except GameError as e:
                raise NotCacheableError from e
            self.digest = content.digest
        digest = self.digest.copy()
        digest.update(", ".join(map(kind, args)).encode())
        return str(digest.hexdigest())

    def scope(self) -> dict[str, Dispatcher]:
        """Return the functions of ours that the function can call, by name."""
        f = self.dispatcher.py_func
        found = {name: f.__globals__[name] for name in sorted(names_in(f.__code__)) if name in f.__globals__}
        found |= {f"{name} (cell)": c.cell_contents for name, c in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)}
        return {name: x for name, x in found.items() if is_ours(x)}

    # -- loading and keeping

    def _load_function(self, record: FunctionText, key: str, args: tuple[nb.Type, ...], context: CPUContext) -> Any:
        scope = self.scope()
        part = context.codegen().create_library(self.dispatcher.py_func.__qualname__)
        part.key, part.owner, part.text = key, self.dispatcher, record.text
        for name, kinds, symbol in record.calls:
            *wanted, returns = _unpickle(kinds)
            try:
                scope[name].compile(tuple(wanted))
            except Exception as e:  # then the function is compiled again, and the error has the right line
                raise NotCacheableError from e
            found = scope[name].overloads[tuple(wanted)]
            if found.signature.return_type != returns:
                return None
            part.names[symbol] = found.fndesc.llvm_func_name
            part._linking_libraries.append(found.library)
            part.calls.append(found.library)
        if record.runtime:
            part._linking_libraries.append(rtsys.library)
        f = self.dispatcher.py_func
        (returned,) = _unpickle(record.returns)
        described = funcdesc.PythonFunctionDescriptor(
            True, f.__module__, f.__qualname__, f"{f.__qualname__}.{key}", "", None, returned, None,
            tuple(f.__code__.co_varnames[: f.__code__.co_argcount]), (), mangler=context.mangler, argtypes=args,
            env_name=f"{f.__qualname__}.{key}", abi_tags=record.abi_tags,
        )  # fmt: skip
        part.symbol = part.names[record.symbol] = described.llvm_func_name
        part._ensure_finalized()
        environment = Environment.from_fndesc(described)
        return compiler.CompileResult(
            typing_context=context.typing_context, target_context=context, typing_error=None, type_annotation="",
            entry_point=context.get_executable(part, described, environment), objectmode=False, lifted=(), fndesc=described,
            signature=typing.signature(returned, *args), library=part, call_helper=None, environment=environment,
            metadata=None, reload_init=(), referenced_envs=(),
        )  # fmt: skip

    def _keep(self, part: FunctionLibrary, args: tuple[nb.Type, ...], result: compiler.CompileResult) -> None:
        """Keep the text of a function, and make `part` what it will be when it is read back."""
        key = self.key(args, result.target_context)
        if result.environment.consts or part._reload_init:
            raise NotCacheableError
        names = {d: name for name, d in reversed(self.scope().items())}
        found = _Callees(names)
        found.walk(part)
        calls, callees = [], []
        for callee, callee_args in found.ours.items():
            if callee.owner is self.dispatcher:  # it calls itself with other types, which may call these in turn
                raise NotCacheableError
            other = callee.owner.overloads[callee_args]
            kinds = _pickle((*callee_args, other.signature.return_type))
            calls.append((names[callee.owner], kinds, other.fndesc.llvm_func_name))
            callees.append(callee)
        text, symbol = part._final_module.clone(), result.fndesc.llvm_func_name
        own = {f.name for f in text.functions if not f.is_declaration}
        for inner in found.others:
            text.link_in(inner._final_module, preserve=True)
        _rename_inner(text, own, key)
        _require_defined(text, {name for _, _, name in calls}, found.runtime)
        returns = _pickle((result.signature.return_type,))
        record = FunctionText(symbol, returns, calls, found.runtime, tuple(result.fndesc.abi_tags), text.as_bitcode())
        part.key, part.symbol, part.text, part.calls = key, symbol, record.text, callees
        part._linking_libraries = [*callees, *([rtsys.library] if found.runtime else [])]
        compile_context.texts.write(key, tuple(record))


class _Callees:
    """What a function calls: functions of ours by name, and others, whose text becomes part of its own."""

    def __init__(self, names: dict[Dispatcher, str]) -> None:
        self.names = names
        self.ours: dict[FunctionLibrary, tuple[nb.Type, ...]] = {}
        self.others: dict[FunctionLibrary, None] = {}
        self.runtime = False

    def walk(self, part: FunctionLibrary, inlined: bool = False) -> None:
        """Add what a part calls; below a generator, which is `inlined`, everything counts as its text."""
        for called in dict.fromkeys(part._linking_libraries):
            if called is rtsys.library:
                self.runtime = True
                continue
            if not isinstance(called, FunctionLibrary) or called._reload_init:
                raise NotCacheableError
            owner = called.owner
            if owner is not None and not inlined:
                if owner not in self.names:
                    raise NotCacheableError
                if not is_generator(owner.py_func):
                    self.ours[called] = next(args for args, r in owner.overloads.items() if r.library is called)
                    continue
            if called not in self.others:
                self.others[called] = None
                self.walk(called, inlined or owner is not None)


def _rename_inner(text: llvm.ModuleRef, own: set[str], key: str) -> None:
    """Give other functions in a text names of their own: those of Numba hold numbers that differ from process to process.

    The runtime's functions keep theirs: LLVM knows those that count references by name and removes pairs of their calls.
    """
    runtime = {f.name for f in rtsys.library._final_module.functions}
    for f in [f for f in text.functions if not f.is_declaration and f.name not in own]:
        if f.name not in runtime:
            f.name = f"{f.name}.{key[:16]}"
        f.linkage = "linkonce_odr"


def _require_defined(text: llvm.ModuleRef, known: set[str], runtime: bool) -> None:
    """Raise an error if a text calls a function that would not be found: LLVM would end the process."""
    if runtime:
        known |= {f.name for f in rtsys.library._final_module.functions}
    for f in text.functions:
        if f.is_declaration and f.name not in known and not f.name.startswith("llvm.") and not llvm.address_of_symbol(f.name):
            raise NotCacheableError
    if any(variable.name.startswith(DYNAMIC) for variable in text.global_variables):
        raise NotCacheableError


class _Pickler(pickle.Pickler):
    def persistent_id(self, x: object) -> str | None:
        """Name the NamedTuples: a game may be loaded under any module's name."""
        if isinstance(x, type) and issubclass(x, tuple) and hasattr(x, "_fields"):
            name = str(x.__qualname__)
            if compile_context.classes.get(name) is not x:
                raise NotCacheableError
            return name
        return None


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, name: str) -> type:
        """Find the NamedTuples."""
        if name not in compile_context.classes:
            raise NotCacheableError
        return compile_context.classes[name]


def _pickle(kinds: tuple[nb.Type, ...]) -> bytes:
    """Return types as bytes, each with the text for it: a class of the same name may have other fields next time."""
    out = io.BytesIO()
    _Pickler(out, protocol=5).dump(([kind(t) for t in kinds], kinds))
    return out.getvalue()


def _unpickle(data: bytes) -> tuple[nb.Type, ...]:
    """Return types from bytes, if they still have the same meaning."""
    try:
        texts, kinds = _Unpickler(io.BytesIO(data)).load()
    except (ImportError, AttributeError) as e:  # kept by a version in which a class had another name
        raise NotCacheableError from e
    if [kind(t) for t in kinds] != texts:
        raise NotCacheableError
    return tuple(kinds)
