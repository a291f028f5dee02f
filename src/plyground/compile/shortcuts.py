"""Shortcuts through the compiler: the same native code in less time. All that we replace inside Numba is in this file.

Only the entry of a kernel becomes machine code (`libraries.py`). The rest replaces hot spots of Numba's own Python: events that
nobody listens to, variable lifetimes after every pass.

Everything is put back when the compilation ends. If a function to replace is missing or takes other arguments than expected, or
if shortcuts were not tried with this version of Numba, plain Numba compiles.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import inspect
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any, NamedTuple

import numba
from llvmlite import ir as llvm_ir
from numba.core import (
    base,
    cgutils,
    codegen,
    compiler_machinery,
    errors,
    event,
    ir,
    lowering,
    postproc,
    targetconfig,
    transforms,
    typeinfer,
    typing,
    untyped_passes,
    utils,
)
from numba.core import types as nb
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.types import functions
from numba.np import linalg

from plyground.compile.libraries import LIBRARY, CompileContext, FunctionLibrary, KernelLibrary, compile_context, started

TESTED = (0, 63), (0, 68)
"""The first and the last version of Numba that the shortcuts work with."""
NUMBERS = {nb.Integer, nb.Float, nb.Boolean, nb.IntegerLiteral, nb.BooleanLiteral, nb.NoneType}
ATOMS = {str, int, float, bool, type(None), ir.Loc, ir.Scope}


class Replacement(NamedTuple):
    """A function of Numba, the arguments that we expect it to take, and what replaces it."""

    owner: Any
    name: str
    arguments: tuple[str, ...]
    make: Callable[[Any], Any]
    """Makes the replacement from the original."""

    def fits(self) -> bool:
        """Return whether the function is there and takes these arguments."""
        try:
            return tuple(inspect.signature(getattr(self.owner, self.name)).parameters) == self.arguments
        except (AttributeError, TypeError, ValueError):
            return False


# -- only the entry becomes machine code ----------------------------------------------------------------------------------------


def _libraries(entry: str) -> Iterator[Replacement]:
    """Replace the making of libraries; `entry` names the function that is called from outside."""
    made = cpu_target.target_context.codegen()

    def create_library(name: str, **options: Any) -> Any:
        return (KernelLibrary if name == entry else FunctionLibrary)(made, name, **options)

    def insert_unresolved_ref(builder: Any, fnty: Any, name: str) -> Any:
        """Return a function that is still being compiled: all are linked into one module, so its name is enough."""
        return cgutils.get_or_insert_function(builder.module, fnty, name)

    def setting(set_env: Any) -> Any:
        def set_env_of_entry(env_name: str, env: Any) -> None:
            if made._engine.is_symbol_defined(env_name):
                set_env(env_name, env)

        return set_env_of_entry

    def naming(mangle: Any) -> Any:
        def name_by_role(name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> Any:
            role = compile_context.roles.get(name)
            return mangle(name, types, abi_tags=abi_tags, uid=uid) if role is None else mangle(role, types, abi_tags=abi_tags)

        return name_by_role

    context = cpu_target.target_context
    yield Replacement(context, "mangler", ("name", "types", "abi_tags", "uid"), naming)
    yield Replacement(made, "create_library", ("name", "kwargs"), lambda old: create_library)
    yield Replacement(made, "insert_unresolved_ref", ("builder", "fnty", "name"), lambda old: insert_unresolved_ref)
    yield Replacement(made, "set_env", ("env_name", "env"), setting)


# -- the compiler's own Python --------------------------------------------------------------------------------------------------


def _list_variables(old: Any) -> Any:
    """List the variables of an instruction into one list, by type."""

    def collect(value: Any, found: list[Any]) -> None:
        kind = type(value)
        if kind is ir.Var:
            found.append(value)
        elif kind in ATOMS:
            pass
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, dict | list | tuple):
            for item in value.values() if isinstance(value, dict) else value:
                collect(item, found)

    def list_variables(self: Any, val: Any) -> list[Any]:
        found: list[Any] = []
        collect(val, found)
        return found

    return list_variables


def _define_in_scopes(old: Any) -> Any:
    """Define all variables in each scope, once; Numba does so for each block, though blocks share theirs."""

    def define(blocks: Any) -> None:
        used = {var: None for block in blocks.values() for inst in block.body for var in inst.list_vars()}
        for scope in {id(block.scope): block.scope for block in blocks.values()}.values():
            for var in used:
                if var.name not in scope.localvars:
                    scope.localvars.define(var.name, var)

    return define


def _refresh_if_registered(old: Any) -> Any:
    """Refresh this machine's contexts only if something was registered since: there are hundreds of refreshes per kernel."""
    known: dict[int, tuple[list[Any], int]] = {}

    def refresh(self: Any) -> None:
        if self is not cpu_target.target_context and self is not cpu_target.typing_context:
            return old(self)  # type: ignore[no-any-return]
        lists, count = known.get(id(self), ([], -1))
        if sum(map(len, lists)) == count:
            return None
        old(self)
        both = cpu_target.target_context, cpu_target.typing_context
        lists = [getattr(r, name) for c in both for r, loader in c._registries.items() for name in loader.registry_items]
        known[id(self)] = lists, sum(map(len, lists))
        return None

    return refresh


def _no_wrapper(old: Any) -> Any:
    """Make no wrapper for C or the interpreter, except for the entry of a native kernel: only those are called from there."""

    def create(self: Any, *args: Any, **options: Any) -> None:
        if isinstance(self.library, codegen.JITCodeLibrary) and not isinstance(self.library, FunctionLibrary):
            old(self, *args, **options)

    return create


def _optimise_definitions(old: Any) -> Any:
    """Run the passes over functions with one pass manager, over definitions only, and only in hot kernels."""

    def optimise(self: Any, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout
        if not compile_context.hot:
            return
        passes, builder = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    return optimise


def _equal_options(old: Any) -> Any:
    """Compare the options of two functions, which are keys of caches: first what is set."""

    def equal(self: Any, other: Any) -> Any:
        return self is other or (type(self) is type(other) and self._values == other._values) or old(self, other)

    return equal


def _hash_options(old: Any) -> Any:
    """Hash the names of the options, as Numba does, once for each class."""

    known: dict[Any, int] = {}

    def hash_names(self: Any) -> int:
        kind = type(self)
        if kind not in known:
            known[kind] = hash(tuple(sorted(kind.options)))
        return known[kind]

    return hash_names


def _event_if_listened(old: Any) -> Any:
    """Make an event only if somebody listens."""

    def make(kind: str, *args: Any, **options: Any) -> None:
        if event._registered.get(kind):
            old(kind, *args, **options)

    return make


def _no_timer(old: Any) -> Any:
    @contextlib.contextmanager
    def install_timer(kind: str, callback: Any) -> Iterator[None]:
        yield

    return install_timer


def _run_pass(old: Any) -> Any:
    """Run a pass without timers, events and formatted flags."""

    def run_pass(self: Any, index: int, pss: Any, internal_state: Any) -> None:
        pss.analysis = self._analysis
        with errors.new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)
        self.exec_times[f"{index}_{pss.name()}"] = compiler_machinery.pass_timings(0, 0, 0)

    return run_pass


def _find_lifetimes(old: Any) -> Any:
    """Find out which variables are alive only where memory is released, and in generators."""

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if emit_dels or self.func_ir.is_generator:
            return old(self, emit_dels, extend_lifetimes)  # type: ignore[no-any-return]
        self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
        self.func_ir.variable_lifetime = postproc.VariableLifetime(self.func_ir.blocks)
        self.func_ir.generator_info = None
        return None

    return run


def _propagate(old: Any) -> Any:
    """Execute the constraints of type inference without a filter of warnings around each: Numba's own are ignored here."""

    def propagate(self: Any, typeinfer: Any) -> list[Exception]:
        failed: list[Exception] = []
        for constraint in self.constraints:
            try:
                constraint(typeinfer)
            except errors.ForceLiteralArg as e:
                failed.append(e)
            except errors.TypingError as e:
                again = errors.TypingError(str(e), loc=constraint.loc, highlighting=False)
                failed.append(utils.chain_exception(again, e))
        return failed

    return propagate


def _type_operators_once(old: Any) -> Any:
    """Remember the types of operators on numbers; others may be compiled anew, depending on the options of the caller.

    Nothing is remembered if a function was compiled for the operator: the key of its implementation is then not the operator.
    """
    known: dict[tuple[int, Any], tuple[Any, Any]] = {}
    """Signatures by operator and arguments; the operator is kept alive, so that no id is reused."""

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or context is not cpu_target.typing_context or not all(type(t) in NUMBERS for t in args):
            return old(self, context, args, kws)
        found = known.get((id(self), args))
        if found is None:
            sig = old(self, context, args, kws)
            if self._impl_keys[sig.args] is self.typing_key:
                known[id(self), args] = self, sig
            return sig
        return found[1]

    return get_call_type


def _measure_types_once(old: Any) -> Any:
    """Remember the sizes of types, for each of which llvmlite makes a module; not of named types, which may change."""
    known: dict[tuple[str, str], int] = {}

    def get_abi_size(self: Any, target_data: Any, context: Any = None) -> int:
        kind = str(self)
        if "%" in kind:
            return int(old(self, target_data, context))
        key = str(target_data), kind
        if key not in known:
            known[key] = int(old(self, target_data, context))
        return known[key]

    return get_abi_size


PYTHON = [
    Replacement(typeinfer.ConstraintNetwork, "propagate", ("self", "typeinfer"), _propagate),
    Replacement(functions.BaseFunction, "get_call_type", ("self", "context", "args", "kws"), _type_operators_once),
    Replacement(llvm_ir.types.Type, "get_abi_size", ("self", "target_data", "context"), _measure_types_once),
    Replacement(base.BaseContext, "refresh", ("self",), _refresh_if_registered),
    Replacement(typing.BaseContext, "refresh", ("self",), _refresh_if_registered),
    Replacement(lowering.BaseLower, "create_cfunc_wrapper", ("self",), _no_wrapper),
    Replacement(lowering.BaseLower, "create_cpython_wrapper", ("self", "release_gil"), _no_wrapper),
    Replacement(untyped_passes, "fixup_var_define_in_scope", ("blocks",), _define_in_scopes),
    Replacement(codegen.CPUCodeLibrary, "_optimize_functions", ("self", "ll_module"), _optimise_definitions),
    Replacement(ir.Inst, "_rec_list_vars", ("self", "val"), _list_variables),
    Replacement(targetconfig.TargetConfig, "__eq__", ("self", "other"), _equal_options),
    Replacement(targetconfig.TargetConfig, "__hash__", ("self",), _hash_options),
    Replacement(event, "start_event", ("kind", "data"), _event_if_listened),
    Replacement(event, "end_event", ("kind", "data", "exc_details"), _event_if_listened),
    Replacement(event, "install_timer", ("kind", "callback"), _no_timer),
    Replacement(compiler_machinery.PassManager, "_runPass", ("self", "index", "pss", "internal_state"), _run_pass),
    Replacement(postproc.PostProcessor, "run", ("self", "emit_dels", "extend_lifetimes"), _find_lifetimes),
]


def replacements(entry: str) -> list[Replacement]:
    """Return everything that is replaced while a kernel with this entry is compiled or loaded."""
    return [*_libraries(entry), *PYTHON]


def unavailable_reason(entry: str) -> list[str]:
    """Return why shortcuts can't be taken: another version of Numba, or internals that are not where we expect them."""
    if untested := _untested():
        return untested
    library = cpu_target.target_context.codegen().create_library("probe")
    missing = [f"{type(library).__name__}.{name}" for name in LIBRARY if not hasattr(library, name)]
    if not _makes_passes(library._codegen):
        missing.append("_function_pass_manager()")
    return missing + _unfit(replacements(entry))


def _untested() -> list[str]:
    """Return, if shortcuts were not tried with this version of Numba, the sentence that says so."""
    if TESTED[0] <= numba.version_info.short <= TESTED[1]:
        return []
    first, last = (".".join(map(str, version)) for version in TESTED)
    return [f"shortcuts need Numba {first} to {last}, and this is {numba.__version__}"]


def _unfit(wanted: list[Replacement]) -> list[str]:
    """Return those functions that are not there or take other arguments."""
    return [f"{r.owner}.{r.name}{r.arguments}" for r in wanted if not r.fits()]


def _makes_passes(made: Any) -> bool:
    """Return whether Numba makes the passes over functions as `_optimise_definitions` expects: to be run with their builder."""
    try:
        passes, builder = made._function_pass_manager()
        inspect.signature(passes.run).bind(None, builder)
    except (AttributeError, TypeError, ValueError):
        return False
    return True


# -- SciPy and garbage -----------------------------------------------------------------------------------------------------------


def _import_without_blas() -> None:
    """Import Numba's functions of arrays, which load SciPy's linear algebra just to see whether it is there.

    It is still loaded when a function that multiplies matrices is compiled.
    """
    wanted = Replacement(linalg, "ensure_blas", (), lambda old: lambda: None)
    if "numba.np.arraymath" in sys.modules or find_spec("scipy") is None or not wanted.fits():
        return
    ensure_blas = linalg.ensure_blas
    with contextlib.ExitStack() as after:
        _replace(wanted, after)
        from numba.np import arraymath
    arraymath.ensure_blas = ensure_blas


class Garbage:
    """What the compiler leaves behind: looking through it takes a tenth of the time of compiling."""

    MOST = 1_000_000
    """Objects, most of them garbage, that may wait for the collector; a command for one game makes about half as many."""

    def __init__(self) -> None:
        self.waiting = 0

    def resume(self) -> None:
        """Start the garbage collector again, without the objects that were made meanwhile until there are too many."""
        self.waiting += gc.get_count()[0]
        if self.waiting > self.MOST:
            self.waiting = 0
            gc.collect()
        else:
            gc.freeze()
            gc.unfreeze()  # both together make all objects old, and old ones are rarely looked at
        gc.enable()


garbage = Garbage()
atexit.register(gc.freeze)  # a process that ends need not look for garbage


@contextlib.contextmanager
def shortcuts(entry: str, keep_texts: Callable[[CompileContext], None] | None = None, hot: bool = True) -> Iterator[bool]:
    """Compile with shortcuts inside this context, with less effort if it is not hot. The caller holds `compile_lock`.

    We hold Numba's lock, so that a function that another thread compiles waits until all shortcuts are gone. `keep_texts` sets
    where texts are kept, if they are. Yields False if plain Numba compiles, for a reason in `unavailable_reason`.
    """
    with global_compiler_lock, _uncollected(), contextlib.ExitStack() as after:
        rtsys.initialize(cpu_target.target_context)  # before libraries are replaced: others use the runtime too
        short = not unavailable_reason(entry)
        if short:
            for r in replacements(entry):
                _replace(r, after)
            after.callback(started.clear)
            after.callback(compile_context.clear)
            compile_context.hot = hot
            if keep_texts is not None:
                keep_texts(compile_context)
        yield short


@contextlib.contextmanager
def front_end_shortcuts() -> Iterator[None]:
    """Compile for the machine of `cpu_target` at this moment, in Numba's way but with the shortcuts through its Python."""
    with global_compiler_lock, _uncollected(), contextlib.ExitStack() as after:
        if not _untested() and not _unfit(PYTHON):
            for r in PYTHON:
                _replace(r, after)
        yield


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile: the compiler makes millions of objects and few cycles."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            garbage.resume()


def _replace(r: Replacement, after: contextlib.ExitStack) -> None:
    own = r.name in vars(r.owner)
    old = getattr(r.owner, r.name)
    setattr(r.owner, r.name, r.make(old))
    after.callback(setattr, r.owner, r.name, old) if own else after.callback(delattr, r.owner, r.name)


_import_without_blas()
