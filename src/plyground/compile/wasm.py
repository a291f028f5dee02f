"""From plain Python to WebAssembly: kernels for one game as a module that runs in a browser.

    module(game, {"search": (node.search_move, node.SIGNATURE)})

A kernel is exported under the name it is given here. Its first two arguments are addresses, in which it puts its result and, if
the rules fail, an unused word; then come its own, words as `BigInt` and reals as numbers. It gives back 0, or another
number where the rules fail. `data_end` is exported too: the module's own data lies below that address. Nothing else of the
memory is touched but what the page hands in. It imports, all from `env`:

    __linear_memory     the memory
    __stack_pointer     a mutable global: the end of the stack, a multiple of 16; it grows downwards
    __heap_base         mutable globals, only where the rules make lists: where there is room for these, multiples of 16.
    __heap_end          A heap whose first word is 0 is empty; between two calls it may be emptied so, for no list outlives a call
    clock               a function, only where the kernel looks at the clock: the time in nanoseconds, a `BigInt`
    log, pow, …         what the rules use of `MATH`, with the meaning it has in JavaScript's `Math`; `fmod` is `(x, y) => x % y`
"""

from __future__ import annotations

import contextlib
import hashlib
import warnings
from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from numba import njit
from numba.core import errors as numba_errors
from numba.core import sigutils

from plyground.compile import compiler as native
from plyground.compile.cache import DamagedError, checked, locked, read_checked
from plyground.compile.dialect import generators_inline, uint64_arithmetic
from plyground.compile.fingerprint import tag_of
from plyground.compile.narrow import narrow_ints_checked
from plyground.compile.native import constants as game_constants
from plyground.compile.net_structure import Structure
from plyground.compile.progress import alone, compiling
from plyground.compile.wasm_binary import AS_FUNCTION, IMPORT, imports, linked, sections
from plyground.compile.wasm_runtime import MULTIPLY, TEXT
from plyground.compile.wasm_target import link, machine, targeting_wasm
from plyground.errors import GameError, PlygroundError
from plyground.rules.game import Game
from plyground.system.files import write_file

MATH = {
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "expm1", "fmod", "hypot"),
    *("log", "log10", "log1p", "log2", "pow", "sin", "sinh", "tan", "tanh"),
}
FUNCTIONS = {"clock", *MATH}
"""The functions that a module may import."""
DATA_END = "data_end"


def module(game: Game, kernels: dict[str, tuple[Any, str]], net: Structure | None = None, **constants: Any) -> bytes:
    """Return a WebAssembly module of kernels for this game, from the disk cache where it was made before.

    Each name is that of a kernel with its native signature; `constants` are frozen into all of them. With a `net`, it judges.
    """
    options, own = {"error_model": "numpy", "boundscheck": False}, game_constants(game, net)
    frozen = {**own, **constants}
    tags = {name: tag_of(game, kernel, {**frozen, "sig": sig}) for name, (kernel, sig) in kernels.items()}
    tag = hashlib.sha256(f"wasm {sorted(tags.items())}".encode()).hexdigest()[:32]
    with alone, locked(tag) as folder:
        file = None if folder is None else folder / "module.wasm"
        if file is not None and file.exists():
            with contextlib.suppress(DamagedError, OSError):
                return read_checked(file, tag)
        compiler = native.Compiler(game, options, own, net)
        entries = {name: native.freeze(kernel, compiler.twins, frozen, tag[:16]) for name, (kernel, _) in kernels.items()}
        with compiling(game.name, "WebAssembly", len(native.calls_below(*entries.values()))):
            made = _made(compiler, {name: (entries[name], sig) for name, (_, sig) in kernels.items()})
        if file is not None:
            with contextlib.suppress(PlygroundError):  # the disk is full: the module works all the same
                write_file(file, [checked(made, tag)])
        return made


def _made(compiler: native.Compiler, kernels: dict[str, tuple[Any, str]]) -> bytes:
    """Return the module of these entry functions with their signatures."""
    try:
        whole, entries = _lowered(compiler, kernels)
    except PlygroundError:
        raise
    except Exception as e:
        raise native.complaint(compiler.game, e) from e
    _optimise(whole, entries)
    data = machine().emit_object(whole.clone())  # which changes what it is given
    if "__multi3" in _asked(data):
        whole.link_in(llvm.parse_assembly(MULTIPLY))
        data = machine().emit_object(whole)
    missing = sorted(_asked(data) - FUNCTIONS)
    if missing:
        what = "a dict" if any(name.startswith("numba_dict") for name in missing) else f"`{'`, `'.join(missing)}`"
        raise GameError(f"{compiler.game.where}: the rules use {what}, which cannot be compiled to WebAssembly")
    return linked(data, kernels, DATA_END)


def _asked(data: bytes) -> set[str]:
    """Return the functions that an object file imports."""
    found = next(imports(content) for kind, content in sections(data) if kind == IMPORT)
    return {i.name for i in found if i.kind == AS_FUNCTION}


def _lowered(compiler: native.Compiler, kernels: dict[str, tuple[Any, str]]) -> tuple[Any, dict[str, str]]:
    """Return one LLVM module of all kernels, not yet optimised, and the name of each in it."""
    results = {}
    with (
        targeting_wasm() as libraries,
        uint64_arithmetic(),
        narrow_ints_checked(),
        generators_inline(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore", numba_errors.NumbaWarning)
        for name, (entry, sig) in kernels.items():
            dispatcher = njit(**compiler.twins.options)(entry)
            dispatcher.compile(sig)
            results[name] = dispatcher.overloads[sigutils.normalize_signature(sig)[0]]
    return link(libraries), {name: result.fndesc.llvm_func_name for name, result in results.items()}


def _optimise(whole: Any, entries: dict[str, str]) -> None:
    """Optimise the module for wasm32. Only the entries can be seen in it then, under their plain names."""
    for name, known in entries.items():
        whole.get_function(known).name = name
    _hide(whole, entries)
    target = machine()
    # As for native code: a cheap round first, so that counting the users of a list up and down can be struck out.
    _run(whole, target, 0)
    _run(whole, target, 3)
    runtime = llvm.parse_assembly(TEXT)
    if {f.name for f in whole.functions if f.is_declaration} & {f.name for f in runtime.functions if not f.is_declaration}:
        whole.link_in(runtime)
        _hide(whole, entries)
        _run(whole, target, 3)


def _hide(whole: Any, entries: Iterable[str]) -> None:
    """Make private whatever is not an entry: what nobody calls is then dropped."""
    for value in (*whole.functions, *whole.global_variables):
        if not value.is_declaration and value.name not in entries:
            value.linkage = "internal"


def _run(whole: Any, target: Any, level: int) -> None:
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
