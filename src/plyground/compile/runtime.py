"""Numba's runtime, which machine code calls where the rules make lists. For kernels from the cache, it comes without Numba."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm

RUNTIME = "_nrt_python"


def define(names: Iterable[str]) -> bool:
    """Tell LLVM where these functions are; False if one is nowhere. LLVM would end the process if it missed one."""
    _start_llvm()

    def missing() -> list[str]:
        return [name for name in names if not llvm.address_of_symbol(name)]

    if missing() and "numba" not in sys.modules:
        with contextlib.suppress(ImportError, AttributeError, OSError):
            for name, address in _runtime().c_helpers.items():
                llvm.add_symbol(f"NRT_{name}", address)
    if missing():
        from numba.core.registry import cpu_target
        from numba.core.runtime import rtsys

        cpu_target.target_context.refresh()
        rtsys.initialize(cpu_target.target_context)
    return not missing()


@functools.cache
def _start_llvm() -> Any:
    """Prepare LLVM. The first engine makes the functions of this process known, among them those of the C library."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return new_engine()


def new_engine() -> Any:
    """Return an engine that runs machine code, still empty."""
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


@functools.cache
def _runtime() -> Any:
    """Return the runtime alone: an extension that needs nothing else of Numba, whose import would take much longer."""
    spec = find_spec("numba")
    folder = Path(str(spec and spec.origin)).parent / "core" / "runtime"
    file = next((f for f in (folder / f"{RUNTIME}{suffix}" for suffix in EXTENSION_SUFFIXES) if f.exists()), None)
    if file is None:
        raise ImportError(f"no {RUNTIME} in {folder}")
    loader = ExtensionFileLoader(RUNTIME, str(file))
    found = spec_from_loader(RUNTIME, loader)
    assert found is not None
    module = module_from_spec(found)
    loader.exec_module(module)
    return module
