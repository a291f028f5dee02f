"""Kernels as machine code: kept in files of our own, loaded by LLVM and called by address. Nothing here imports all of Numba.

A kernel takes words and reals and returns one. As Numba compiles it, its first two arguments are addresses: one for its result,
and one for a description of the exception if it fails. It returns 0 or the kind of failure.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import pickle
import re
import sys
import types
from collections.abc import Iterable
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from typing import NamedTuple

import llvmlite.binding as llvm

from plyground.compile.cache import DamagedCacheError, read_verified, with_checksum
from plyground.errors import PlygroundError
from plyground.system.files import write_file

FILE = "kernel.nbo"
CNumber = type[ctypes.c_int64] | type[ctypes.c_uint64] | type[ctypes.c_double]
KINDS: dict[str, CNumber] = {
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "float64": ctypes.c_double,
}
RUNTIME = "_nrt_python"
"""Numba's runtime, which machine code calls where the rules make lists; it can be loaded without Numba."""
INTERPRETER = ("Py", "_Py")
"""Prefixes of functions of the interpreter; only Numba can prepare a kernel that calls one."""


class KernelCode(NamedTuple):
    """A kernel as it is kept in the cache."""

    machine: str
    """The processor that the code is for."""
    signature: str
    name: str
    """The name of the entry."""
    needs: tuple[str, ...]
    """The functions it calls that are defined elsewhere: in the C library or in Numba's runtime."""
    data: bytes
    """An object file."""


class _ExceptionInfo(ctypes.Structure):
    """Compiled code's description of an exception."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_int32),
        ("hash", ctypes.c_void_p),
        ("unwrap", ctypes.c_void_p),
        ("allocated", ctypes.c_int32),
    )


class Kernel:
    """A kernel, called without the GIL."""

    def __init__(self, code: KernelCode) -> None:
        returns, arguments = kinds_of(code.signature) or ("", ())
        self._engine = _load(code.data)
        self._returns = KINDS[returns]
        self._casts = tuple(float if kind == "float64" else int for kind in arguments)
        kinds = [KINDS[kind] for kind in arguments]
        address = self._engine.get_function_address(code.name)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *kinds)(address)

    def __call__(self, *args: float) -> int | float:
        """Call the kernel."""
        value, failure = self._returns(), ctypes.POINTER(_ExceptionInfo)()
        given = [cast(x) for cast, x in zip(self._casts, args, strict=True)]
        if self._call(ctypes.byref(value), ctypes.byref(failure), *given) != 0:
            raise _exception(failure)
        return value.value


def _exception(failure: ctypes._Pointer[_ExceptionInfo]) -> Exception:
    """Return the exception that compiled code describes."""
    if not failure:
        return RuntimeError("the kernel failed without a reason")
    kind, args, _ = pickle.loads(ctypes.string_at(failure.contents.data, failure.contents.size))
    found = kind(*(args or ()))
    return found if isinstance(found, Exception) else RuntimeError(str(found))


@functools.cache
def kinds_of(signature: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the kinds of the result and of the arguments in a signature; None if some are neither words nor reals.

    >>> kinds_of("int64(uint64, float64)")
    ('int64', ('uint64', 'float64'))
    """
    found = re.fullmatch(r"(\w+)\(([\w, ]*)\)", signature)
    if found is None:
        return None
    arguments = tuple(filter(None, found[2].replace(" ", "").split(",")))
    return (found[1], arguments) if {found[1], *arguments} <= KINDS.keys() else None


@functools.cache
def machine() -> str:
    """Return the processor that machine code is made for."""
    return f"{llvm.get_process_triple()} {llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _load(data: bytes) -> llvm.ExecutionEngine:
    """Load an object file into an engine of its own, so that equal names in different kernels don't clash."""
    engine = new_engine()
    engine.add_object_file(llvm.object_file.ObjectFileRef.from_data(data))
    engine.finalize_object()
    return engine


def read_kernel(folder: Path | None) -> Kernel | None:
    """Return the kernel in a folder of the cache; None if there is none, or a damaged one, or one for another processor."""
    if folder is None or not (folder / FILE).exists():
        return None
    with contextlib.suppress(OSError, DamagedCacheError):
        code = KernelCode(*pickle.loads(read_verified(folder / FILE, folder.name)))
        if code.machine == machine() and define(code.needs):
            return Kernel(code)
    return None


def write_kernel(folder: Path | None, code: KernelCode) -> None:
    """Keep a kernel; a full disk is no error."""
    if folder is not None:
        with contextlib.suppress(PlygroundError):
            write_file(folder / FILE, [with_checksum(pickle.dumps(tuple(code), protocol=5), folder.name)])


# -- LLVM and Numba's runtime --------------------------------------------------------------------------------------------------


def define(names: Iterable[str]) -> bool:
    """Give LLVM the addresses of these functions; return False if one is missing, for which LLVM would end the process."""
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
def _start_llvm() -> llvm.ExecutionEngine:
    """Prepare LLVM. The first engine makes the functions of this process known, including those of the C library."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return new_engine()


def new_engine() -> llvm.ExecutionEngine:
    """Return an engine that runs machine code, still empty."""
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


@functools.cache
def _runtime() -> types.ModuleType:
    """Return the runtime alone: an extension module that loads without the rest of Numba, whose import takes much longer."""
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
