"""The compiler: from plain Python to machine code.

A `Compiler` compiles kernels (plain functions from `kernels/`) for one game. The rules and their helpers need no decorator: each
function is rebuilt with its globals and closure cells replaced by compiled twins.
"""

from __future__ import annotations

import contextlib
import hashlib
import math
import types
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import carray, int64, njit, uint64
from numba.core import errors as numba_errors
from numba.core import sigutils
from numba.core import types as nb
from numba.core.dispatcher import Dispatcher
from numba.extending import overload

from plyground.compile import vocabulary as names
from plyground.compile.blocks import Block
from plyground.compile.cache import cache_in_folder, clear
from plyground.compile.dialect import inline_generators, link_before_codegen, uint64_arithmetic, vectorise_words
from plyground.compile.fingerprint import kernel_hash, names_in, plain_function
from plyground.compile.intrinsics import TWINS, load, mix, pointer, store, store_byte
from plyground.compile.kernel import INTERPRETER, Kernel, KernelCode, define, kinds_of, machine, write_kernel
from plyground.compile.narrow import mark_rule, narrow_ints_checked
from plyground.compile.net_code import net_functions
from plyground.compile.net_structure import Structure
from plyground.compile.pointers import caster
from plyground.compile.progress import compiling
from plyground.compile.rewrite.replacements import as_table
from plyground.compile.rewrite.rewriter import rewrite_function
from plyground.errors import GameError
from plyground.rules.game import Game
from plyground.rules.hooks import HOOKS, Hook
from plyground.rules.layout import Layout

TextCache: Any = None
try:
    from plyground.compile.function_cache import TextCache, keep_texts
    from plyground.compile.shortcuts import shortcuts
except (ImportError, AttributeError):  # an internal of Numba that we rely on has moved: Numba compiles as it is
    pass

# -- compiled versions of rules and kernels ----------------------------------------------------------------------------------


def _with_unique_name(f: Any, role: str, tag: str) -> types.FunctionType:
    """Return the function under a unique name, and its role, which is the same whatever the function does.

    The linker knows compiled functions only by name and takes the first one it finds. Without unique names, kernels that were
    compiled in different processes and loaded from the cache into one would call each other's functions.
    """
    code = f.__code__
    constants = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    content = hashlib.sha256(code.co_code + repr((constants, code.co_names)).encode("utf-8", "backslashreplace"))
    twin = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    twin.__qualname__, twin.__dict__["role"] = f"{role}_{content.hexdigest()[:8]}_{tag}", role
    return twin


def _compile_helper(f: types.FunctionType, options: dict[str, object]) -> Dispatcher:
    """Return the function compiled, for other compiled functions to call; its text is kept."""
    dispatcher = njit(**options)(f)
    if TextCache is not None:
        dispatcher._cache = TextCache(dispatcher)
    return dispatcher


class _CompiledFunctions:
    """Compiled twins of plain functions, each created once."""

    def __init__(self, game: Game, scope: dict[Any, Any], options: dict[str, object], tag: str) -> None:
        self.game = game
        self.scope = scope
        self.options = options
        self.tag = tag
        self.memo: dict[Any, Any] = {}
        self.counts: Counter[str] = Counter()
        """Functions of each name."""

    def of(self, f: Any) -> Any:
        f = plain_function(f)
        if f in self.memo:
            return self.memo[f]
        new = rewrite_function(f, self.game.where, self.game.layout)
        scope = dict(new.__globals__)
        scope["__name__"] = __name__  # so that a cached kernel never has to import the rules' module
        cells = tuple(types.CellType(c.cell_contents) for c in new.__closure__ or ())
        twin = types.FunctionType(new.__code__, scope, f.__name__, new.__defaults__, cells)
        name = f"rules_{f.__module__}_{f.__name__}".replace(".", "_")
        self.counts[name] += 1
        self.memo[f] = _compile_helper(mark_rule(_with_unique_name(twin, f"{name}_{self.counts[name]}", self.tag)), self.options)
        for name in sorted(names_in(new.__code__)):
            if name in new.__globals__:
                scope[name] = self.swap(new.__globals__[name])
        for cell in cells:
            cell.cell_contents = self.swap(cell.cell_contents)
        return self.memo[f]

    def swap(self, value: Any) -> Any:
        """Return the value that replaces a global in compiled code."""
        value = plain_function(value)
        if isinstance(value, types.FunctionType):
            if value in self.scope:
                return self.scope[value]
            return TWINS[value] if value in TWINS else self.of(value)
        if isinstance(value, type) and issubclass(value, Block):
            return caster(value)
        if isinstance(value, type):
            return TWINS.get(value, value)
        return as_table(value)


# -- functions generated from the layout of a state -----------------------------------------------------------------------------


def _cast_text(layout: Layout, source: str) -> str:
    parts = []
    for i, f in enumerate(layout.fields):
        if f.array:
            parts.append(f"{source}[{i}]")
        elif f.shape:
            parts.append("(" + "".join(f"{f.type}({source}[{i}][{j}]), " for j in range(f.shape[0])) + ")")
        else:
            parts.append(f"{f.type}({source}[{i}])")
    return f"State({', '.join(parts)})"


def _read_text(layout: Layout) -> str:
    parts, at = [], 0
    for f in layout.fields:
        if f.array:
            dims = ", ".join(map(str, f.shape))
            parts.append(f"carray(pointer(address + uint64({at * 8})), ({dims},), np.{f.type})")
        elif f.shape:
            words = "".join(f"{f.type}(load(address + uint64({(at + j) * 8}))), " for j in range(f.shape[0]))
            parts.append(f"({words})")
        else:
            parts.append(f"{f.type}(load(address + uint64({at * 8})))")
        at += f.words
    return f"State({', '.join(parts)})"


def _write_text(layout: Layout) -> list[str]:
    lines, at = [], 0
    for i, f in enumerate(layout.fields):
        if f.array:
            other = f"len(s[{i}]) != {f.shape[0]}" if len(f.shape) == 1 else f"s[{i}].shape != {f.shape}"
            lines += [
                f"if {other}:",  # an assignment to a slice would find this too, but its message needs all of Numba's strings
                f"    raise ValueError('State.{f.name} needs the shape {f.shape}')",
                f"items = carray(pointer(address + uint64({at * 8})), ({math.prod(f.shape)},), np.{f.type})",
                "i = 0",
                f"for x in s[{i}].flat:",
                "    items[i] = x",
                "    i += 1",
            ]
        elif f.shape:
            lines += [f"store(address + uint64({(at + j) * 8}), int64(s[{i}][{j}]))" for j in range(f.shape[0])]
        else:
            lines.append(f"store(address + uint64({at * 8}), int64(s[{i}]))")
        at += f.words
    return lines or ["pass"]


def _key_text(layout: Layout) -> list[str]:
    lines = ["h = uint64(0)"]
    for i, f in enumerate(layout.fields):
        if f.array:
            lines += [f"for x in s[{i}].flat:", "    h = mix(h ^ uint64(x))"]
            continue
        for part in [f"s[{i}][{j}]" for j in range(f.shape[0])] if f.shape else [f"s[{i}]"]:
            lines.append(f"h = mix(h ^ uint64({part}))")
    return [*lines, "return h"]


def _define(name: str, arguments: str, lines: list[str], scope: dict[str, Any]) -> Any:
    scope["__name__"] = __name__
    exec(f"def {name}({arguments}):\n" + "\n".join(f"    {line}" for line in lines), scope)
    return scope[name]


def _as_outcome(value):  # type: ignore[no-untyped-def]
    """Return a result as a plain word: ONGOING for None."""


@overload(_as_outcome)
def _as_outcome_native(value):  # type: ignore[no-untyped-def]
    going = names.ONGOING
    if value is nb.none:
        return lambda value: going
    if isinstance(value, nb.Optional):
        return lambda value: going if value is None else int64(value + 0)
    return lambda value: int64(value)


_alive: list[Any] = []
"""Everything compiled or loaded, kept alive: a kernel may call an identical function that was loaded with another kernel."""


class Compiler:
    """Compiles kernels for a game: its rules, with all the defaults that kernels need."""

    def __init__(
        self, game: Game, options: dict[str, object], constants: dict[str, object], net: Structure | None = None
    ) -> None:
        """Prepare the rules; with a `net`, kernels may evaluate it: see `compile/net_code.py`."""
        self.game = game
        self.options = options
        self.scope: dict[Any, Any] = {}
        inner = {**self.options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # only the kernel is called from outside
        tag = kernel_hash(game, None, {**constants, **options})[:16]
        self.twins = _CompiledFunctions(game, self.scope, inner, tag)
        self.written: dict[str, Any] = {
            "State": game.State, "np": np, "carray": carray, "int64": int64, "uint64": uint64, "mix": mix,
            "load": load, "store": store, "pointer": pointer, "as_outcome": _as_outcome,
        }  # fmt: skip
        """The globals of the generated functions."""
        if not game.in_place:
            self.write("cast", "s", f"return {_cast_text(game.layout, 's')}")
        for name, hook in HOOKS.items():
            if hook.compiled:
                self.scope[names.rule(name)] = self._hook(hook)
        self.scope.update(self._generated_functions())
        if net is not None:
            self.written["store_byte"] = store_byte
            self.scope |= net_functions(net, game.layout, self.write)

    def write(self, name: str, arguments: str, *lines: str) -> Any:
        """Compile a function from these lines; later ones may call it."""
        f = _with_unique_name(_define(name, arguments, list(lines), dict(self.written)), name, self.twins.tag)
        self.written[name] = _compile_helper(f, self.twins.options)
        return self.written[name]

    def _hook(self, hook: Hook) -> Any:
        """Return the compiled hook of the game, or its default."""
        name, rules = hook.name, self.game.rules
        if name in rules:
            twin = self.written[name] = self.twins.of(rules[name])
            return self.write(f"cast_{name}", "s", f"return cast({name}(s))") if hook.state and not self.game.in_place else twin
        if name == "key":
            return self.write("key", "s", *_key_text(self.game.layout))
        if name == "code":
            return self._hook(HOOKS["key"]) if "key" in rules else self.write("code", "s", "return 0")
        return _compile_helper(_with_unique_name(hook.default, f"no_{name}", self.twins.tag), self.twins.options)

    def _generated_functions(self) -> dict[Any, Any]:
        """Return the functions for kernels that are generated from the rules and the layout."""
        layout = self.game.layout
        step = ["play(s, m)", "return s"] if self.game.in_place else ["return cast(play(s, m))"]
        return {
            names.step: self.write("step", "s, m", *step),
            names.undo_step: self.scope[names.rule("undo")],
            names.verdict: self.write("verdict", "s", "return as_outcome(result(s))"),
            names.read_state: self.write("read_state", "address", f"return {_read_text(layout)}"),
            names.write_state: self.write("write_state", "address, s", *_write_text(layout)),
        }

    def bind(
        self,
        kernel: Callable[..., object],
        sig: str,
        purpose: str,
        frozen: dict[str, object],
        tag: str,
        folder: Path | None,
        hot: bool,
    ) -> Any:
        """Compile a kernel with these constants and keep it in a folder of the cache. The caller holds `compile_lock`."""
        entry = freeze(kernel, self.twins, frozen, tag[:16])
        shorter: contextlib.AbstractContextManager[bool] = contextlib.nullcontext(False)
        if TextCache is not None:
            shorter = shortcuts(entry.__qualname__, lambda used: keep_texts(used, calls_below(entry)), hot)
        with (
            uint64_arithmetic(),
            narrow_ints_checked(),
            inline_generators(),
            vectorise_words(),
            link_before_codegen(),
            shorter as short,
        ):
            code = self._machine_code(entry, sig, purpose) if short and kinds_of(sig) else None
            if code is None:
                return self._by_numba(entry, sig, purpose, tag, folder, short)
        write_kernel(folder, code)
        return Kernel(code)

    def _machine_code(self, entry: types.FunctionType, sig: str, purpose: str) -> KernelCode | None:
        """Return the kernel as machine code; None if it uses the interpreter, for which Numba must prepare it."""
        try:
            with self._shown(entry, purpose):
                dispatcher = self._compiled(entry, sig, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        except Exception as e:
            # On code that it does not support, the compiler may raise almost any exception.
            raise compile_error(self.game, e) from e
        found = dispatcher.overloads[sigutils.normalize_signature(sig)[0]]
        module = found.library._final_module
        values = (*module.functions, *module.global_variables)
        needs = tuple(sorted(v.name for v in values if v.is_declaration and not v.name.startswith("llvm.")))
        code = KernelCode(machine(), sig, found.fndesc.llvm_func_name, needs, found.library._get_compiled_object())
        return None if any(name.startswith(INTERPRETER) for name in needs) or not define(needs) else code

    def _by_numba(self, entry: types.FunctionType, sig: str, purpose: str, tag: str, folder: Path | None, short: bool) -> Any:
        """Return the kernel as Numba calls it, with arrays among its arguments, from Numba's cache if it is there."""
        cold = folder is None or not any(folder.glob("*.nbi"))
        try:
            with self._shown(entry, purpose) if cold else contextlib.nullcontext():
                dispatcher = self._compiled(entry, sig, folder, tag)
        except OSError:
            # The disk is full: the kernel works without the cache.
            dispatcher = self._compiled(entry, sig)
        except Exception as e:
            if cold or folder is None:
                raise compile_error(self.game, e) from e
            # Damaged files (a full disk, a power failure) are deleted, never used.
            clear(folder)
            with self._shown(entry, purpose):
                dispatcher = self._compiled(entry, sig, folder, tag)
        if folder is not None and cold and not short and self._tangled(entry):
            clear(folder)
        # The entry point itself: the dispatcher would recompile for other argument types.
        _alive.append(dispatcher)
        return dispatcher.overloads[sigutils.normalize_signature(sig)[0]].entry_point

    def _compiled(self, entry: types.FunctionType, sig: str, folder: Path | None = None, tag: str = "", **options: Any) -> Any:
        dispatcher = njit(nogil=True, **self.options, **options)(entry)
        if folder is not None:
            cache_in_folder(dispatcher, folder, tag)
        with warnings.catch_warnings():
            # Performance hints, and that a kernel can't be cached: nothing that the user could fix.
            warnings.simplefilter("ignore", numba_errors.NumbaWarning)
            dispatcher.compile(sig)
        return dispatcher

    def _shown(self, entry: types.FunctionType, purpose: str) -> contextlib.AbstractContextManager[None]:
        return compiling(self.game.name, purpose, len(calls_below(entry)))

    def _tangled(self, entry: types.FunctionType) -> bool:
        """Return whether Numba's cache would lose calls: in a cycle, or of a function by itself with several signatures."""
        calls = calls_below(entry, *self.scope.values())
        if any(f in called and len(f.signatures) > 1 for f, called in calls.items()):
            return True
        alone = {f: {g for g in called if g is not f} for f, called in calls.items()}
        while leaves := [f for f, called in alone.items() if not called & alone.keys()]:
            for f in leaves:
                del alone[f]
        return bool(alone)


def calls_below(*functions: Dispatcher) -> dict[Dispatcher, set[Dispatcher]]:
    """Return the compiled functions that each function calls, for these and all below them."""
    calls: dict[Dispatcher, set[Dispatcher]] = {}
    pending = list(functions)
    while pending:
        f = pending.pop()
        plain = getattr(f, "py_func", f)
        if f in calls or not isinstance(plain, types.FunctionType):
            continue
        used = [plain.__globals__.get(name) for name in names_in(plain.__code__)]
        used += [cell.cell_contents for cell in plain.__closure__ or ()]
        calls[f] = {u for u in used if hasattr(u, "py_func")}
        pending += calls[f]
    return calls


def freeze(kernel: Callable[..., object], twins: _CompiledFunctions, frozen: dict[str, object], tag: str) -> Any:
    """Rebuild the entry function of a kernel: bind the rules, freeze the constants, compile its helpers with them."""
    own: dict[Any, Any] = {}

    def rebuild(f: Any, outermost: bool = False) -> Any:
        if f in own:
            return own[f]
        scope = dict(f.__globals__)
        scope["__name__"] = __name__
        twin = types.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
        twin = _with_unique_name(twin, f"{f.__module__}_{f.__name__}".replace(".", "_"), tag)
        own[f] = twin if outermost else _compile_helper(twin, twins.options)
        for name in sorted(names_in(f.__code__)):
            value = f.__globals__.get(name)
            if name in frozen:
                scope[name] = frozen[name]
            elif isinstance(value, types.FunctionType) and value not in twins.scope and value not in TWINS:
                scope[name] = rebuild(value)
            elif value is not None:
                scope[name] = twins.swap(value)
        return own[f]

    return rebuild(kernel, outermost=True)


# -- errors ------------------------------------------------------------------------------------------------------------------


def compile_error(game: Game, e: BaseException) -> GameError:
    """Return a compiler error in one line: where in the rules, what is wrong, and what to write instead."""
    from plyground.compile.complaint import explain

    compiled = {name: game.rules[name] for name, hook in HOOKS.items() if hook.compiled and name in game.rules}
    return GameError(explain(game.where, compiled, e))
