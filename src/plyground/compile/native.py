"""From plain Python to native code.

`bind` compiles a kernel (a plain function from `search/`) for one game. The rules and their helpers need no decorator: each
function is rebuilt with its globals and closure cells replaced by compiled twins.
"""

from __future__ import annotations

import contextlib
import hashlib
import types
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numba import carray, int64, njit, uint64
from numba.core import errors as numba_errors
from numba.core import sigutils
from numba.core import types as nb
from numba.extending import overload

from plyground.compile import vocabulary as names
from plyground.compile.blocks import Block
from plyground.compile.cache import clear, keep_in, locked
from plyground.compile.dialect import generators_inline, vectors, words_stay_words
from plyground.compile.fingerprint import names_in, plain_function, tag_of
from plyground.compile.intrinsics import TWINS, load, mix, pointer, store
from plyground.compile.net import install, net_constants
from plyground.compile.pointers import caster
from plyground.compile.progress import alone
from plyground.compile.rewrite.constants import as_table
from plyground.compile.rewrite.rewriter import reached, rewritten
from plyground.compile.structure import Structure
from plyground.errors import GameError
from plyground.rules.game import Game
from plyground.rules.hooks import CONSTANTS, HOOKS, Hook
from plyground.rules.layout import Layout

# -- rules and kernels to twins ---------------------------------------------------------------------------------------------


def _named(f: Any, role: str, tag: str) -> Any:
    """The function under a unique name.

    The linker knows compiled functions only by name and takes the first one it finds. Without unique names, kernels that were
    compiled in different processes and loaded from the cache into one would call each other's functions.
    """
    code = f.__code__
    constants = [c for c in code.co_consts if not isinstance(c, types.CodeType)]
    content = hashlib.sha256(code.co_code + repr((constants, code.co_names)).encode("utf-8", "backslashreplace"))
    twin = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
    twin.__qualname__ = f"{role}_{content.hexdigest()[:8]}_{tag}"
    return twin


class _Twins:
    """Compiled twins of plain functions, each created once."""

    def __init__(self, game: Game, scope: dict[Any, Any], options: dict[str, Any], tag: str) -> None:
        self.game = game
        self.scope = scope
        self.options = options
        self.tag = tag
        self.memo: dict[Any, Any] = {}

    def of(self, f: Any) -> Any:
        f = plain_function(f)
        if f in self.memo:
            return self.memo[f]
        new = rewritten(f, self.game.where, self.game.layout)
        scope = dict(new.__globals__)
        scope["__name__"] = __name__  # so that a cached kernel never has to import the rules' module
        cells = tuple(types.CellType(c.cell_contents) for c in new.__closure__ or ())
        twin = types.FunctionType(new.__code__, scope, f.__name__, new.__defaults__, cells)
        name = f"{f.__module__}_{f.__name__}_{len(self.memo)}".replace(".", "_")
        self.memo[f] = njit(**self.options)(_named(twin, name, self.tag))
        for name in names_in(new.__code__):
            if name in new.__globals__:
                scope[name] = self.swap(new.__globals__[name])
        for cell in cells:
            cell.cell_contents = self.swap(cell.cell_contents)
        return self.memo[f]

    def swap(self, value: Any) -> Any:
        """The value that replaces a global in compiled code."""
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
            dims = ", ".join(map(str, f.shape))
            lines.append(f"carray(pointer(address + uint64({at * 8})), ({dims},), np.{f.type})[:] = s[{i}]")
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
    exec(f"def {name}({arguments}):\n" + "\n".join(f"    {line}" for line in lines), scope)
    return scope[name]


def _as_outcome(value):  # type: ignore[no-untyped-def]
    """A result as a plain word: GOING for None."""


@overload(_as_outcome)
def _as_outcome_native(value):  # type: ignore[no-untyped-def]
    going = names.GOING
    if value is nb.none:
        return lambda value: going
    if isinstance(value, nb.Optional):
        return lambda value: going if value is None else int64(value + 0)
    return lambda value: int64(value)


def constants(game: Game, net: Structure | None = None) -> dict[str, Any]:
    """The constants that kernels see for this game: the upper-case names of `compile/vocabulary.py`."""
    return {
        **({} if net is None else net_constants(net)),
        "IN_PLACE": game.in_place,
        "CHANCE": "chance" in game.has,
        "WORDS": game.layout.words,
        "ROLLOUTS": net is None and "evaluate" not in game.has,
        **{name: getattr(game, name.lower()) for name, constant in CONSTANTS.items() if constant.compiled},
        **{hook.flag: name in game.has for name, hook in HOOKS.items() if hook.compiled and not hook.required},
        **{name.upper(): value for name, value in asdict(game.tuning).items()},
    }


_alive: list[Any] = []
"""Everything compiled or loaded, kept alive: a kernel may call an identical function that was loaded with another kernel."""


class Native:
    """A game's rules as native code, with all the defaults that kernels need."""

    def __init__(self, game: Game, boundscheck: bool = False, net: Structure | None = None) -> None:
        """With a `net`, kernels may ask it: see `compile/net.py`."""
        self.game = game
        self.options: dict[str, Any] = {"error_model": "numpy", "boundscheck": boundscheck}
        self.scope: dict[Any, Any] = {}
        inner = {**self.options, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # only the kernel is called from outside
        self.constants = constants(game, net)
        tag = tag_of(game, None, {**self.constants, **self.options})[:16]
        self.twins = _Twins(game, self.scope, inner, tag)
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
        self.scope.update(self._made())
        if net is not None:
            install(self, net)

    def write(self, name: str, arguments: str, *lines: str) -> Any:
        """Compiles a function from these lines; later ones may call it."""
        f = _named(_define(name, arguments, list(lines), dict(self.written)), name, self.twins.tag)
        self.written[name] = njit(**self.twins.options)(f)
        return self.written[name]

    def _hook(self, hook: Hook) -> Any:
        """The compiled hook of the game, or its default."""
        name, rules = hook.name, self.game.rules
        if name in rules:
            twin = self.written[name] = self.twins.of(rules[name])
            return self.write(f"cast_{name}", "s", f"return cast({name}(s))") if hook.state and not self.game.in_place else twin
        if name == "key":
            return self.write("key", "s", *_key_text(self.game.layout))
        if name == "code":
            return self._hook(HOOKS["key"]) if "key" in rules else self.write("code", "s", "return 0")
        return njit(**self.twins.options)(_named(hook.default, f"no_{name}", self.twins.tag))

    def _made(self) -> dict[Any, Any]:
        """The functions for kernels that are generated from the rules and the layout."""
        layout = self.game.layout
        step = ["play(s, m)", "return s"] if self.game.in_place else ["return cast(play(s, m))"]
        return {
            names.step: self.write("step", "s, m", *step),
            names.back: self.scope[names.rule("undo")],
            names.verdict: self.write("verdict", "s", "return as_outcome(result(s))"),
            names.read_state: self.write("read_state", "address", f"return {_read_text(layout)}"),
            names.write_state: self.write("write_state", "address, s", *_write_text(layout)),
        }

    def bind(self, kernel: Any, sig: Any, label: str = "", rules: bool = True, **constants: Any) -> Callable[..., Any]:
        """The kernel as native code for this game, from the disk cache if it was compiled before.

        `sig` is the native signature of the entry point (words and addresses); `constants` are frozen into the kernel. A kernel
        that does not use the rules (`rules=False`) is compiled once for all games.
        """
        frozen = {**self.constants, **constants} if rules else constants
        tag = tag_of(self.game if rules else None, kernel, {**frozen, **self.options, "sig": str(sig)})
        entry = freeze(kernel, self.twins, frozen, tag[:16])
        with alone, words_stay_words(), generators_inline(), vectors(), locked(tag) as folder:
            cold = folder is None or not any(folder.glob("*.nbi"))
            try:
                with waiting(self.game.name, label or kernel.__name__) if cold else contextlib.nullcontext():
                    dispatcher = self._compiled(entry, sig, folder, tag)
            except OSError:
                # The disk is full: the kernel works without the cache.
                dispatcher = self._compiled(entry, sig, None, tag)
            except Exception as e:
                if cold or folder is None:
                    # On code that it does not support, the compiler may raise almost any exception.
                    raise complaint(self.game, e) from e
                # Damaged files (a full disk, a power failure) are deleted, never used.
                clear(folder)
                with waiting(self.game.name, label or kernel.__name__):
                    dispatcher = self._compiled(entry, sig, folder, tag)
            if folder is not None and cold and self._tangled(entry):
                clear(folder)
            # The entry point itself: the dispatcher would recompile for other argument types.
            _alive.append(dispatcher)
            call = dispatcher.overloads[sigutils.normalize_signature(sig)[0]].entry_point
            return call if self.options["boundscheck"] or not rules else self._told(call)

    def _told(self, call: Any) -> Callable[..., Any]:
        """The kernel, with exceptions from the rules as one-line errors. `check` gets the exceptions themselves."""

        def told(*args: Any) -> Any:
            try:
                return call(*args)
            except Exception as e:
                raise GameError(failure(self.game, e)) from e

        return told

    def _compiled(self, entry: Any, sig: Any, folder: Path | None, tag: str) -> Any:
        dispatcher = njit(nogil=True, **self.options)(entry)
        if folder is not None:
            keep_in(dispatcher, folder, tag)
        with warnings.catch_warnings():
            # Performance hints, and that a kernel can't be cached: nothing that the user could fix.
            warnings.simplefilter("ignore", numba_errors.NumbaWarning)
            dispatcher.compile(sig)
        return dispatcher

    def _tangled(self, entry: Any) -> bool:
        """Do functions call each other in a cycle, or one itself with several signatures? The cache would lose some of them."""
        calls: dict[Any, set[Any]] = {}
        pending = [entry, *self.scope.values()]
        while pending:
            f = pending.pop()
            plain = getattr(f, "py_func", f)
            if f in calls or not isinstance(plain, types.FunctionType):
                continue
            used = (plain.__globals__.get(name) for name in names_in(plain.__code__))
            calls[f] = {u for u in used if hasattr(u, "py_func")}
            if f in calls[f] and len(f.signatures) > 1:
                return True
            pending += calls[f]
        alone = {f: {g for g in called if g is not f} for f, called in calls.items()}
        while leaves := [f for f, called in alone.items() if not called & alone.keys()]:
            for f in leaves:
                del alone[f]
        return bool(alone)


def freeze(kernel: Any, twins: _Twins, frozen: dict[str, Any], tag: str) -> Any:
    """The kernel's entry function, rebuilt: rules bound, constants frozen, its helpers compiled with the same constants."""
    own: dict[Any, Any] = {}

    def rebuild(f: Any, outermost: bool = False) -> Any:
        if f in own:
            return own[f]
        scope = dict(f.__globals__)
        scope["__name__"] = __name__
        twin = types.FunctionType(f.__code__, scope, f.__name__, f.__defaults__, f.__closure__)
        twin = _named(twin, f"{f.__module__}_{f.__name__}".replace(".", "_"), tag)
        own[f] = twin if outermost else njit(**twins.options)(twin)
        for name in names_in(f.__code__):
            value = f.__globals__.get(name)
            if name in frozen:
                scope[name] = frozen[name]
            elif isinstance(value, types.FunctionType) and value not in twins.scope and value not in TWINS:
                scope[name] = rebuild(value)
            elif value is not None:
                scope[name] = twins.swap(value)
        return own[f]

    return rebuild(kernel, outermost=True)


# -- what the user sees: progress and errors ------------------------------------------------------------------------------------


@contextlib.contextmanager
def _silent(game: str, what: str) -> Iterator[None]:
    yield


waiting: Callable[[str, str], contextlib.AbstractContextManager[None]] = _silent
"""Wraps a cold compile; the command line shows a spinner here."""


def on_cold_compile(shown: Callable[[str, str], contextlib.AbstractContextManager[None]]) -> None:
    """Sets what to show while a kernel is compiled for the first time: a context manager, called with (game, kernel)."""
    global waiting
    waiting = shown


def failure(game: Game, e: Exception) -> str:
    """The message for an exception in compiled rules."""
    if not isinstance(e, GameError):
        found = f"the compiled rules fail with {type(e).__name__}: {e}"
        return f"{game.where}: {found}; `plyground check` finds the moves that lead there"
    functions = [f for f in map(plain_function, game.rules.values()) if isinstance(f, types.FunctionType)]
    named = {g for f in functions for g in (f, *reached(f)) if str(e).startswith(f"`{g.__name__}`")}
    codes = sorted((g.__code__.co_filename, g.__code__.co_firstlineno) for g in named)
    file, line = codes[0] if codes else (game.where, 0)
    place = game.where if Path(file).name == Path(game.where).name else file
    return f"{place}{f':{line}' if line else ''}: {e}; `plyground check` finds the moves that lead there"


def complaint(game: Game, e: BaseException) -> GameError:
    """A compiler error in one line: where in the rules, what is wrong, and what to write instead."""
    from plyground.compile.complaint import explain

    compiled = {name: game.rules[name] for name, hook in HOOKS.items() if hook.compiled and name in game.rules}
    return GameError(explain(game.where, compiled, e))
