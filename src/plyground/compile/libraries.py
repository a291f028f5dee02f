"""The text of functions, and the machine code of kernels: what takes the place of Numba's code libraries.

Numba links, optimises and turns into machine code every function on its own, though only the entry of a kernel is called from
outside. A `FunctionLibrary` stays LLVM text, optimised bottom-up in Numba's order; only a `KernelLibrary` becomes machine code.
"""

from __future__ import annotations

import hashlib
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import lookup_environment

from plyground.errors import PlygroundError

ENVIRONMENT = "_ZN08NumbaEnv"
"""The prefix of the names by which compiled functions know their constants in the interpreter."""
LARGE = 200
"""Functions with more instructions are never inlined: LLVM's limit is about 50, and several times that for some calls."""
LIBRARY = (
    *("_codegen", "_final_module", "_finalized", "_linking_libraries", "_reload_init", "_ensure_finalized", "finalize"),
    *("_finalize_final_module", "_get_module_for_linking", "_optimize_final_module", "get_pointer_to_function"),
)
"""What a code library of Numba must have."""


class CompileContext:
    """The state of the compilation in progress: where texts are kept, and which functions get names of their own."""

    texts: Any = None
    """A `TextStore` of `cache.py`; None if texts are not kept."""
    roles: dict[str, str]
    """Names that are the same in every process, by the unique names of functions."""

    classes: dict[str, type]
    """The NamedTuples that functions may know, by name."""
    hot: bool
    """Whether the kernel is worth all of LLVM's effort; else everything in it is optimised once, together, and lightly."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Stop keeping texts."""
        if self.texts is not None:
            self.texts.prune()
        self.texts, self.roles, self.classes, self.hot = None, {}, {}, True


compile_context = CompileContext()
_defined: dict[str, FunctionLibrary] = {}
"""The library that defines each function: the last one with that name."""
started: list[FunctionLibrary] = []
"""Libraries that may not be linked in anywhere yet: they are called only by functions that they call."""


class FunctionLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """The optimised text of one function."""

    large = False
    """Whether it is never inlined. Then its callers do without its text, which LLVM would optimise again in each."""
    raw = False
    """Whether it is not optimised yet, because the kernel that it was compiled for is not hot."""
    owner: Any = None
    """The dispatcher, for functions of ours."""
    key: str | None = None
    """The hash under which the text is kept."""
    depth: str | None = None
    """The hash under which the optimised text is kept: that of the text and of everything that may have been inlined."""
    symbol = ""
    text: bytes | None = None
    """The text before it is optimised, if it is kept."""
    complete: llvm.ModuleRef | None = None
    """The optimised text with that of everything it calls."""

    def __init__(self, *args: object, **options: object) -> None:
        self._module: llvm.ModuleRef | None = None
        self._optimised = b""
        self.calls: list[FunctionLibrary] = []
        """The functions of ours that it calls, if the text is kept."""
        self.names: dict[str, str] = {}
        """New names of functions in the text."""
        self.defines: list[str] = []
        super().__init__(*args, **options)

    @property
    def _final_module(self) -> llvm.ModuleRef:
        if self._module is None:
            self._module = llvm.parse_bitcode(self._optimised)
        return self._module

    @_final_module.setter
    def _final_module(self, module: llvm.ModuleRef) -> None:
        self._module = module

    def finalize(self) -> None:
        """Optimise the function, with what it calls linked in, unless the kernel is not hot; it gets no machine code."""
        self.raw = not compile_context.hot
        if self.raw:
            self._parse()
        elif not self._read():
            self._parse()
            self._optimise()
        for name in self.defines:
            _defined[name] = self
        self._finalized = True

    def _read(self) -> bool:
        """Read the optimised text, if it is kept."""
        for called in self.calls:
            if called.raw:
                called.finalize()
        self.depth = self._hash_inlined()
        kept = compile_context.texts.read(self.depth) if self.depth is not None and compile_context.texts is not None else None
        if kept is not None:
            self._module, (self._optimised, self.large), self.defines = None, kept, [self.symbol]
        return kept is not None

    def _hash_inlined(self) -> str | None:
        if self.key is None or any(called.depth is None for called in self.calls):
            return None
        digest = hashlib.sha256(f"{self.key} {self.symbol}".encode())
        for called in self.calls:
            digest.update(f" {called.symbol} {'' if called.large else called.depth}".encode())
        return digest.hexdigest()

    def _parse(self) -> None:
        """Take the text that is kept, if any, and list the functions that it defines."""
        if self.text is not None:
            self._final_module = llvm.parse_bitcode(self.text)
            _rename(self._final_module, self.names)
        if not self.defines:
            defined = [f for f in self._final_module.functions if not f.is_declaration and f.linkage == llvm.Linkage.external]
            self.defines = [f.name for f in defined]
        self._link_as("linkonce_odr")

    def _link_as(self, linkage: str) -> list[Any]:
        functions = [self._final_module.get_function(name) for name in self.defines]
        for f in functions:
            f.linkage = linkage
        return functions

    def _optimise(self) -> None:
        self._link_as("external")  # nothing calls them yet: LLVM would drop them
        _link(self)
        self._optimize_final_module()
        functions = self._link_as("linkonce_odr")
        self.large = all(_is_large(f) for f in functions if not f.name.startswith("cfunc."))  # which only C would call
        if self.depth is not None and compile_context.texts is not None:
            compile_context.texts.write(self.depth, (self._final_module.as_bitcode(), self.large))

    def get_pointer_to_function(self, name: str) -> int:
        """Return 0: the function has no address."""
        started.append(self)
        return 0

    def _get_module_for_linking(self) -> llvm.ModuleRef:
        """Return the function with everything that it calls, for code that is compiled without shortcuts."""
        self._ensure_finalized()
        if self.complete is None:
            self.complete = self._final_module.clone()
            _link_missing(self.complete, self)
        return self.complete


class KernelLibrary(codegen.JITCodeLibrary):  # type: ignore[misc]
    """A kernel: its entry and everything that it calls, as machine code."""

    def finalize(self) -> None:
        """Optimise and emit the kernel."""
        while started:
            started.pop()._ensure_finalized()
        own = {f.name for f in self._final_module.functions if not f.is_declaration}
        _link(self)
        if compile_context.hot:
            self._optimize_final_module()
        for part in _link_missing(self._final_module, self):
            self._reload_init.update(part._reload_init)
        for f in self._final_module.functions:
            if not f.is_declaration and f.name not in own:
                f.linkage = "internal"  # another kernel may hold another function of that name
        if not compile_context.hot:
            passes, builder = self._codegen._module_pass_manager(opt=1, loop_vectorize=False, slp_vectorize=False)
            passes.run(self._final_module, builder)
        self._final_module.verify()
        _require_symbols(self)
        self._finalize_final_module()
        for variable in self._final_module.global_variables:
            known = lookup_environment(variable.name) if variable.name.startswith(ENVIRONMENT) else None
            if known is not None:
                self._codegen.set_env(variable.name, known)


def _require_symbols(library: JITCodeLibrary) -> None:
    """Raise an error if a kernel calls a function that is nowhere defined: LLVM would end the process."""
    engine = library._codegen._engine
    for name in [f.name for f in library._final_module.functions if f.is_declaration and not f.name.startswith("llvm.")]:
        if not engine.is_symbol_defined(name) and not llvm.address_of_symbol(name):
            raise PlygroundError(f"the compiled kernel {library.name} calls {name}, which is not defined")


def _is_large(f: llvm.ValueRef) -> bool:
    """Return whether LLVM would never inline a function, so that its callers need not know its text."""
    return not any(b"alwaysinline" in a for a in f.attributes) and sum(1 for b in f.blocks for _ in b.instructions) > LARGE


def _rename(module: llvm.ModuleRef, names: dict[str, str]) -> None:
    """Give functions of a module new names, all at once: two may swap theirs."""
    found = [(f, names[f.name]) for f in module.functions if names.get(f.name, f.name) != f.name]
    for i, (f, _) in enumerate(found):
        f.name = f".renamed.{i}"
    for f, name in found:
        f.name = name


def _link(library: JITCodeLibrary) -> None:
    """Link in what a function calls and might inline."""
    for called in dict.fromkeys(library._linking_libraries):
        called._ensure_finalized()
        if not isinstance(called, FunctionLibrary):
            library._final_module.link_in(called._get_module_for_linking(), preserve=True)
            library._reload_init.update(called._reload_init)
            continue
        if called.raw and compile_context.hot:
            called.finalize()
        if not called.large and not called.raw:
            library._final_module.link_in(called._final_module, preserve=True)
        library._reload_init.update(called._reload_init)


def _link_missing(module: llvm.ModuleRef, library: JITCodeLibrary) -> set[FunctionLibrary]:
    """Link in, as they are, functions known only by name: large ones, and those in a call cycle."""
    below = _libraries_below(library)
    linked: set[FunctionLibrary] = set()
    while True:
        names = [f.name for f in module.functions if f.is_declaration]
        missing = {part for part in (below.get(name, _defined.get(name)) for name in names) if part is not None} - linked
        if not missing:
            return linked
        for part in sorted(missing, key=lambda p: str(p.name)):
            module.link_in(part._final_module, preserve=True)
        linked |= missing


def _libraries_below(library: JITCodeLibrary) -> dict[str, FunctionLibrary]:
    """Return the parts that a library calls, directly or not, by the names of what they define."""
    found: dict[str, FunctionLibrary] = {}
    pending, seen = [library], set()
    while pending:
        for called in pending.pop()._linking_libraries:
            if isinstance(called, FunctionLibrary) and called not in seen:
                seen.add(called)
                pending.append(called)
                found.update(dict.fromkeys(called.defines, called))
    return found
