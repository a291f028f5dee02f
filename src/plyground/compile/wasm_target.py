"""The compiler with wasm32 as its target: it types and lowers as for this machine, but with the memory layout of a browser.

It keeps the text of LLVM as it was lowered, before any optimisation: once optimised, code counts on where this machine puts the
parts of a structure, and pointers have eight bytes here and four there.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from llvmlite import ir
from numba.core import cgutils, typing
from numba.core.callconv import CPUCallConv
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.runtime.context import NRTContext

from plyground.errors import PlygroundError

TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+sign-ext,+mutable-globals,+nontrapping-fptoint"
"""What every browser has since 2023. There are no atomics among them: with one thread, plain loads and stores are the same."""
CONTEXTS = ("_toplevel_typing_context", "_toplevel_target_context")
"""Where the compiler keeps what it knows of this machine."""


def machine() -> Any:
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

    def _optimize_functions(self, module: Any) -> None:
        pass

    def add_linking_library(self, library: Any) -> None:
        """Do nothing: all are linked in the end, but for the compiler's runtime, which is made for this machine."""
        assert isinstance(library, Library) or library is rtsys.library, f"{library} is made for another machine"

    def finalize(self) -> None:
        """End the text; it is linked and optimised once, with all others."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: the function has no address, as it can't be called here."""
        return 0


class Codegen(CPUCodegen):  # type: ignore[misc]
    """Makes empty modules and libraries for wasm32."""

    _library_class = Library

    def _init(self, module: Any) -> None:
        self.libraries: list[Library] = []
        self._tm, self._tm_features = machine(), FEATURES
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = TRIPLE
        return module

    def create_library(self, name: str, **options: Any) -> Library:
        """Return a new library."""
        self.libraries.append(super().create_library(name, **options))
        return self.libraries[-1]

    def insert_unresolved_ref(self, builder: Any, kind: Any, name: str) -> Any:
        """Return a function that is still being compiled: all are linked into one module, so its name is enough."""
        return cgutils.get_or_insert_function(builder.module, kind, name)

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: there is no interpreter that a function could reach."""

    def _customize_tm_features(self) -> str:
        return FEATURES

    def _customize_tm_options(self, options: Any) -> None:
        pass

    def _add_module(self, module: Any) -> None:
        pass


class Runtime(NRTContext):  # type: ignore[misc]
    """Calls to the runtime of `wasm_runtime.py`."""

    def meminfo_new_varsize_dtor_unchecked(self, builder: Any, size: Any, dtor: Any) -> Any:
        """Allocate memory for a list or a set, with the function that releases its items. It takes their address.

        That of a set takes two arguments more, which it does not use. In C nobody notices; a browser refuses such a call.
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
        self, builder: Any, exc: Any, arguments: Any, types: Any, loc: Any = None, func_name: str | None = None
    ) -> None:
        """Raise the exception without its arguments."""
        self.set_static_user_exc(builder, exc, (), loc, func_name)


class Context(CPUContext):  # type: ignore[misc]
    """How types lie in memory, and the code of what the compiler has built in."""

    allow_dynamic_globals = False  # large tables become part of the module too: an address of this process means nothing there

    def init(self) -> None:
        """Make the code generator."""
        self.is32bit = False  # words have 64 bits there too; only pointers have not
        self._internal_codegen = Codegen("plyground.wasm")

    @functools.cached_property
    def call_conv(self) -> WasmCallConv:
        """How functions call each other."""
        return WasmCallConv(self)

    @functools.cached_property
    def nrt(self) -> Runtime:
        """The runtime."""
        return Runtime(self, self.enable_nrt)

    def make_constant_array(self, builder: Any, kind: Any, table: Any) -> Any:
        """Return a table of the rules; one with gaps between its items is written without them."""
        return super().make_constant_array(builder, kind, np.ascontiguousarray(table) if kind.layout == "A" else table)

    def add_dynamic_addr(self, builder: Any, address: int, info: str) -> Any:
        """Return null for an object of this process, a compiled function as a value: type inference knew what it stands for."""
        return ir.Constant(cgutils.voidptr_t, None)


@contextlib.contextmanager
def targeting_wasm() -> Iterator[list[Library]]:
    """Compile everything for wasm32 while this lasts; its text gets into the list.

    Nobody else compiles meanwhile: we hold the compiler's lock.
    """
    compiled = Dispatcher.compile
    native: dict[Any, Any] = {}

    def compile(self: Any, sig: Any) -> Any:
        """Compile a function, even if it was compiled for this machine before, and will be again."""
        if self not in native:
            native[self] = self.overloads
            self.overloads = type(self.overloads)()
        return compiled(self, sig)

    with global_compiler_lock:
        rtsys.initialize(cpu_target.target_context)  # the first context to be used makes the runtime: let it be this machine's
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


def link(libraries: Iterable[Library]) -> Any:
    """Return one LLVM module of these libraries."""
    whole = llvm.parse_assembly(f'target triple = "{TRIPLE}"\ntarget datalayout = "{machine().target_data}"')
    for library in libraries:
        text = library._final_module
        for function in text.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "weak_odr"  # two libraries may have the same
        whole.link_in(text)
    return whole
