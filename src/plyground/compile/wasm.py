"""From plain Python to WebAssembly: kernels for one game as a module that runs in a browser.

    module(game, {"search": (node.search_move, node.SIGNATURE)})

A kernel is exported under the name it is given here. Its first two arguments are addresses, where it stores its result and, if
the rules fail, an unused word; its own arguments follow, words as `BigInt` and reals as numbers. It returns 0, or another number
if the rules fail. `data_end` is exported too: the module's own data lies below that address. It touches no other memory than
what the page passes in. It imports, all from `env`:

    __linear_memory     the memory
    __stack_pointer     a mutable global: the end of the stack, a multiple of 16; it grows downwards
    __heap_base         mutable globals, only if the rules make lists: the room for them, from and to multiples of 16.
    __heap_end          A heap whose first word is 0 is empty; the page may empty it between two calls, as no list outlives one
    clock               a function, only if the kernel reads the clock: the time in nanoseconds, a `BigInt`
    log, pow, …         what the rules use of `MATH`, with the meaning it has in JavaScript's `Math`; `fmod` is `(x, y) => x % y`
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba import njit
from numba.core import cgutils, sigutils, typing
from numba.core import errors as numba_errors
from numba.core import types as nb
from numba.core.callconv import CPUCallConv
from numba.core.codegen import CodeLibrary, CPUCodegen, CPUCodeLibrary
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.environment import Environment
from numba.core.ir import Loc
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.runtime.context import NRTContext
from numba.core.typing import Signature

from plyground.compile import compiler as native
from plyground.compile.cache import DamagedCacheError, locked, read_verified, with_checksum
from plyground.compile.dialect import inline_generators, uint64_arithmetic
from plyground.compile.fingerprint import kernel_hash
from plyground.compile.narrow import narrow_ints_checked
from plyground.compile.native import constants as game_constants
from plyground.compile.net_structure import Structure
from plyground.compile.progress import compile_lock, compiling
from plyground.compile.wasm_binary import AS_FUNCTION, IMPORT, imports, link_object, sections
from plyground.errors import GameError, PlygroundError
from plyground.rules.game import Game
from plyground.system.files import write_file

front_end_shortcuts: Callable[[], contextlib.AbstractContextManager[None]] = contextlib.nullcontext
with contextlib.suppress(ImportError, AttributeError):  # an internal of Numba that they rely on has moved
    from plyground.compile.shortcuts import front_end_shortcuts

HERE = Path(__file__).parent
Kernels = dict[str, tuple[Callable[..., object], str]]
"""Functions with their native signatures, by name."""
MATH = {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "fmod", "hypot"),
    *("log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh"),
}
FUNCTIONS = {"clock", *MATH}
"""The functions that a module may import."""
DATA_END = "data_end"
TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""What every browser has since 2023. There are no atomics among them: with one thread, plain loads and stores are the same."""
CONTEXTS = ("_toplevel_typing_context", "_toplevel_target_context")
"""The attributes in which Numba keeps its contexts for this machine."""


def module(game: Game, kernels: Kernels, net: Structure | None = None, **constants: object) -> bytes:
    """Return a WebAssembly module of kernels for this game, from the disk cache if it was made before.

    `kernels` are functions with their native signatures, by the name under which the module exports each; `constants` are frozen
    into all of them. With a `net`, they may evaluate positions by it.
    """
    options, own = {"error_model": "numpy", "boundscheck": False}, game_constants(game, net)
    frozen = {**own, **constants}
    tags = {name: kernel_hash(game, kernel, {**frozen, "sig": sig}) for name, (kernel, sig) in kernels.items()}
    tag = hashlib.sha256(f"wasm {sorted(tags.items())}".encode()).hexdigest()[:32]
    with compile_lock, locked(tag) as folder:
        file = None if folder is None else folder / "module.wasm"
        if file is not None and file.exists():
            with contextlib.suppress(DamagedCacheError, OSError):
                return read_verified(file, tag)
        compiler = native.Compiler(game, options, own, net)
        entries = {name: native.freeze(kernel, compiler.twins, frozen, tag[:16]) for name, (kernel, _) in kernels.items()}
        with compiling(game.name, "WebAssembly", len(native.calls_below(*entries.values()))):
            made = _build(compiler, {name: (entries[name], sig) for name, (_, sig) in kernels.items()})
        if file is not None:
            with contextlib.suppress(PlygroundError):  # the disk is full: the module works all the same
                write_file(file, [with_checksum(made, tag)])
        return made


def _build(compiler: native.Compiler, kernels: Kernels) -> bytes:
    """Return the module of these entry functions with their signatures."""
    try:
        whole, entries = _lower(compiler, kernels)
    except PlygroundError:
        raise
    except Exception as e:
        raise native.compile_error(compiler.game, e) from e
    _optimise(whole, entries)
    data = machine().emit_object(whole.clone())  # a clone, as emitting changes the module
    if "__multi3" in _imported_functions(data):
        whole.link_in(llvm.parse_assembly((HERE / "wasm_multiply.ll").read_text(encoding="utf-8")))
        data = machine().emit_object(whole)
    missing = sorted(_imported_functions(data) - FUNCTIONS)
    if missing:
        what = "a dict" if any(name.startswith("numba_dict") for name in missing) else f"`{'`, `'.join(missing)}`"
        raise GameError(f"{compiler.game.where}: the rules use {what}, which cannot be compiled to WebAssembly")
    return link_object(data, kernels, DATA_END)


def _imported_functions(data: bytes) -> set[str]:
    """Return the functions that an object file imports."""
    found = next(imports(content) for kind, content in sections(data) if kind == IMPORT)
    return {i.name for i in found if i.kind == AS_FUNCTION}


def _lower(compiler: native.Compiler, kernels: Kernels) -> tuple[llvm.ModuleRef, dict[str, str]]:
    """Return one LLVM module of all kernels, not yet optimised, and the name of each in it."""
    results = {}
    with (
        targeting_wasm() as libraries,
        front_end_shortcuts(),
        uint64_arithmetic(),
        narrow_ints_checked(),
        inline_generators(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", numba_errors.NumbaWarning)
        for name, (entry, sig) in kernels.items():
            dispatcher = njit(**compiler.twins.options)(entry)
            dispatcher.compile(sig)
            results[name] = dispatcher.overloads[sigutils.normalize_signature(sig)[0]]
    return join(libraries), {name: result.fndesc.llvm_func_name for name, result in results.items()}


def _optimise(whole: llvm.ModuleRef, entries: dict[str, str]) -> None:
    """Optimise the module for wasm32. Only the entries stay visible, under their plain names."""
    for name, known in entries.items():
        whole.get_function(known).name = name
    _hide(whole, entries)
    target = machine()
    # As for native code: a cheap round first, so that reference counts that cancel out can be removed.
    _run_passes(whole, target, 0)
    _run_passes(whole, target, 3)
    runtime = llvm.parse_assembly((HERE / "wasm_runtime.ll").read_text(encoding="utf-8"))
    if {f.name for f in whole.functions if f.is_declaration} & {f.name for f in runtime.functions if not f.is_declaration}:
        whole.link_in(runtime)
        _hide(whole, entries)
        _run_passes(whole, target, 3)


def _hide(whole: llvm.ModuleRef, entries: Iterable[str]) -> None:
    """Make everything but the entries private, so that the optimiser drops what nobody calls."""
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in entries:
            value.linkage = "internal"


def _run_passes(whole: llvm.ModuleRef, target: llvm.TargetMachine, level: int) -> None:
    """Run the optimiser once."""
    tuning = llvm.create_pipeline_tuning_options(speed_level=level)
    tuning.loop_vectorization = tuning.slp_vectorization = level == 3
    builder = llvm.create_pass_builder(target, tuning)
    passes = builder.getModulePassManager()
    if level == 0:
        passes.add_loop_rotate_pass()
        passes.add_instruction_combine_pass()
        passes.add_jump_threading_pass()
    passes.add_refprune_pass()
    passes.run(whole, builder)


# -- the compiler with wasm32 as its target ------------------------------------------------------------------------------------
#
# It types and lowers as for this machine, but with the memory layout of a browser. It keeps the text of LLVM as it was lowered,
# before any optimisation: once optimised, code relies on where this machine puts the parts of a structure, and pointers have
# eight bytes here and four there.


def machine() -> llvm.TargetMachine:
    """Return LLVM's description of the machine."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        found = llvm.Target.from_triple(TRIPLE)
    except RuntimeError as e:
        raise PlygroundError("the installed llvmlite cannot make WebAssembly: it was built without that target") from e
    return found.create_target_machine(opt=3, features=FEATURES, reloc="static")


class Library(CPUCodeLibrary):  # type: ignore[misc]
    """The text of one function."""

    def _optimize_functions(self, module: llvm.ModuleRef) -> None:
        pass

    def add_linking_library(self, library: CodeLibrary) -> None:
        """Do nothing: all libraries are linked in the end, except the compiler's runtime, which is made for this machine."""
        assert isinstance(library, Library) or library is rtsys.library, f"{library} is made for another machine"

    def finalize(self) -> None:
        """Mark the text as complete; it is linked and optimised once, with all others."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: the function has no address, as it can't be called here."""
        return 0


class Codegen(CPUCodegen):  # type: ignore[misc]
    """Makes empty modules and libraries for wasm32."""

    _library_class = Library

    def _init(self, module: llvm.ModuleRef) -> None:
        self.libraries: list[Library] = []
        self._tm, self._tm_features = machine(), FEATURES
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> ir.Module:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module

    def create_library(self, name: str, **options: object) -> Library:
        """Return a new library."""
        self.libraries.append(super().create_library(name, **options))
        return self.libraries[-1]

    def insert_unresolved_ref(self, builder: ir.IRBuilder, kind: ir.FunctionType, name: str) -> ir.Function:
        """Return a function that is still being compiled: all are linked into one module, so its name is enough."""
        return cgutils.get_or_insert_function(builder.module, kind, name)

    def set_env(self, name: str, env: Environment) -> None:
        """Do nothing: functions can't reach an interpreter in a browser."""

    def _customize_tm_features(self) -> str:
        return FEATURES

    def _customize_tm_options(self, options: dict[str, object]) -> None:
        pass

    def _add_module(self, module: llvm.ModuleRef) -> None:
        pass


class Runtime(NRTContext):  # type: ignore[misc]
    """Calls to the runtime of `wasm_runtime.ll`."""

    def meminfo_new_varsize_dtor_unchecked(self, builder: ir.IRBuilder, size: ir.Value, dtor: ir.Value) -> ir.Value:
        """Allocate memory for a list or a set, with the function that releases its items. It takes their address.

        That of a set takes two more arguments, which it does not use. C accepts a call without them; a browser refuses it.
        """
        function = dtor.operands[0] if isinstance(dtor, ir.CastInstr) else dtor
        if len(function.args) > 1:
            kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t])
            short = cgutils.get_or_insert_function(builder.module, kind, f"{function.name}.items")
            if short.is_declaration:
                short.linkage = "linkonce_odr"
                inner = ir.IRBuilder(short.append_basic_block())
                inner.call(function, [short.args[0], *(ir.Constant(a.type, None) for a in function.args[1:])])
                inner.ret_void()
            dtor = builder.bitcast(short, cgutils.voidptr_t)
        return super().meminfo_new_varsize_dtor_unchecked(builder, size, dtor)


class WasmCallConv(CPUCallConv):  # type: ignore[misc]
    """How functions call each other and fail: there is no interpreter to take the arguments of an exception."""

    def set_dynamic_user_exc(
        self,
        builder: ir.IRBuilder,
        exc: type[Exception],
        arguments: Sequence[ir.Value],
        types: Sequence[nb.Type],
        loc: Loc | None = None,
        func_name: str | None = None,
    ) -> None:
        """Raise the exception without its arguments."""
        self.set_static_user_exc(builder, exc, (), loc, func_name)


class Context(CPUContext):  # type: ignore[misc]
    """How types lie in memory, and the code of what the compiler has built in."""

    allow_dynamic_globals = False  # large tables become part of the module too: an address of this process means nothing there

    def init(self) -> None:
        """Make the code generator."""
        self.is32bit = False  # words have 64 bits there too, unlike pointers
        self._internal_codegen = Codegen("plyground.wasm")

    @functools.cached_property
    def call_conv(self) -> WasmCallConv:
        """How functions call each other."""
        return WasmCallConv(self)

    @functools.cached_property
    def nrt(self) -> Runtime:
        """The runtime."""
        return Runtime(self, self.enable_nrt)

    def make_constant_array(self, builder: ir.IRBuilder, kind: nb.Array, table: np.ndarray[Any, Any]) -> ir.Value:
        """Return a table of the rules; one with gaps between its items is written without them."""
        return super().make_constant_array(builder, kind, np.ascontiguousarray(table) if kind.layout == "A" else table)

    def add_dynamic_addr(self, builder: ir.IRBuilder, address: int, info: str) -> ir.Value:
        """Return null for an object of this process, a compiled function as a value: type inference knew what it stood for."""
        return ir.Constant(cgutils.voidptr_t, None)


@contextlib.contextmanager
def targeting_wasm() -> Iterator[list[Library]]:
    """Compile everything for wasm32 inside this context; its text goes into the list.

    No other thread compiles meanwhile: this holds the compile lock.
    """
    compiled = Dispatcher.compile
    native: dict[Dispatcher, dict[tuple[nb.Type, ...], CompileResult]] = {}

    def compile(self: Dispatcher, sig: Signature) -> object:
        """Compile a function, even if it was compiled for this machine before, and will be again."""
        if self not in native:
            native[self] = self.overloads
            self.overloads = type(self.overloads)()
        return compiled(self, sig)

    with global_compiler_lock:
        rtsys.initialize(cpu_target.target_context)  # the first context to be used makes the runtime: let it be the native one
        old = {name: getattr(cpu_target, name) for name in CONTEXTS}
        known = typing.Context()
        context = Context(known, "cpu")
        new = dict(zip(CONTEXTS, (known, context), strict=True))
        try:
            vars(cpu_target).update(new)
            Dispatcher.compile = compile
            yield context.codegen().libraries
        finally:
            Dispatcher.compile = compiled
            vars(cpu_target).update(old)
            for dispatcher, overloads in native.items():
                dispatcher.overloads = overloads


def join(libraries: Iterable[Library]) -> llvm.ModuleRef:
    """Return one LLVM module of these libraries."""
    whole = llvm.parse_assembly(f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine().target_data}"')
    for library in libraries:
        text = library._final_module
        for function in text.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "weak_odr"  # two libraries may have the same
        whole.link_in(text)
    return whole
