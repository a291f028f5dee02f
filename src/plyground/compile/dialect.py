"""Compiler behaviour for Plyground's code only: 64-bit arithmetic, generators as loops, functions linked unchanged."""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

import numba
from llvmlite import ir
from numba.core import types as nb
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.errors import UnsupportedError
from numba.core.funcdesc import FunctionDescriptor
from numba.core.generators import GeneratorDescriptor
from numba.core.imputils import lower_builtin
from numba.core.ir import FunctionIR
from numba.core.registry import cpu_target
from numba.core.typing import Signature, signature
from numba.core.typing.templates import ConcreteTemplate, builtin_registry
from numba.cpython.numbers import int_signed_unsigned_cmp, int_unsigned_signed_cmp

Mangler = Callable[..., str]

DICTS = (nb.DictType, nb.DictItemsIterableType, nb.DictKeysIterableType, nb.DictValuesIterableType, nb.DictIteratorType)

# -- uint64 stays uint64 ------------------------------------------------------------------------------------------------------

OPERATORS = ("add", "sub", "mul", "and_", "or_", "xor")
DIVISIONS = ("floordiv", "mod")
COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
MIXED = [signature(nb.uint64, nb.uint64, nb.int64), signature(nb.uint64, nb.int64, nb.uint64)]
MIXED_AS_SIGNED = [signature(nb.int64, *sig.args) for sig in MIXED]
COMPARED = [signature(nb.boolean, *sig.args) for sig in MIXED]
PAIRED = [signature(nb.UniTuple(nb.uint64, 2), *sig.args) for sig in MIXED]
SIGNED = signature(nb.int64, nb.int64, nb.int64)
"""A bool converts to either word; the first of equally good cases wins, so this makes the result a plain int."""
SIGNED_PAIR = signature(nb.UniTuple(nb.int64, 2), nb.int64, nb.int64)
INVERTED = signature(nb.int64, nb.int64)


def _lower_mixed() -> None:
    def lower(op: Callable[..., object], emit: str) -> None:
        for sig in MIXED:

            @lower_builtin(op, *sig.args)
            def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
                return getattr(b, emit)(*args)

    for name in OPERATORS:
        lower(getattr(operator, name), name)
    for name, sign in COMPARISONS.items():
        lower_builtin(getattr(operator, name), nb.uint64, nb.int64)(int_unsigned_signed_cmp(sign))
        lower_builtin(getattr(operator, name), nb.int64, nb.uint64)(int_signed_unsigned_cmp(sign))


_lower_mixed()


def _templates(wanted: set[Callable[..., object]]) -> list[ConcreteTemplate]:
    """Return the compiler's typing tables for these operators."""
    kinds = [kind for op, kind in builtin_registry.globals if any(op is w for w in wanted)]
    return [t for kind in kinds for t in kind.templates if hasattr(t, "cases")]


def _our_cases() -> list[tuple[ConcreteTemplate, list[Signature]]]:
    """Return the compiler's typing tables for `a + b`, `a += b`, `a < b` and `~a`, each with the cases that we want in it."""
    plain = {getattr(operator, name) for name in OPERATORS + DIVISIONS}
    plain |= {getattr(operator, "i" + name.rstrip("_")) for name in OPERATORS + DIVISIONS}
    compared = {getattr(operator, name) for name in COMPARISONS}
    return [
        *((t, [SIGNED, *MIXED, *(case for case in t.cases if case not in MIXED_AS_SIGNED)]) for t in _templates(plain)),
        *((t, [*COMPARED, *t.cases]) for t in _templates(compared)),
        *((t, [SIGNED_PAIR, *PAIRED, *t.cases]) for t in _templates({divmod})),
        *((t, [INVERTED, *(case for case in t.cases if case.args != (nb.boolean,))]) for t in _templates({operator.invert})),
    ]


@contextlib.contextmanager
def replace_attribute(owner: object, name: str, value: object) -> Iterator[None]:
    """Give an attribute of Numba's another value inside this context."""
    old = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, old)


@contextlib.contextmanager
def uint64_arithmetic() -> Iterator[None]:
    """Make an unsigned word and a plain int give an unsigned word while our code is compiled, and compare them as numbers.

    By default the compiler turns `u64 - 1` into a float, `u64 | 1` and `u64 % 3` into signed words, and a variable assigned both
    types into a float; it compares the two as floats, and takes `~` of a bool for `not`. Rules written for plain Python ints
    intend none of that. We hold the compiler's lock, so no other code is compiled meanwhile.
    """
    tables = _our_cases()
    context = cpu_target.typing_context
    unify = context.unify_pairs

    def unify_words(first: nb.Type, second: nb.Type) -> nb.Type:
        pair = {nb.unliteral(first), nb.unliteral(second)}
        return nb.uint64 if pair == {nb.int64, nb.uint64} else unify(first, second)

    with global_compiler_lock:
        old = [t.cases for t, _ in tables]
        for t, cases in tables:
            t.cases = cases
        context.unify_pairs = unify_words
        try:
            yield
        finally:
            del context.unify_pairs
            for (t, _), cases in zip(tables, old, strict=True):
                t.cases = cases


def inline_generators() -> AbstractContextManager[None]:
    """Make generators part of the loops that run them while our code is compiled.

    A generator that is called saves and reloads every live variable at each `yield`; inlined, a generator with one `yield` is as
    fast as a plain loop.
    """
    old = GeneratorDescriptor.__dict__["from_generator_fndesc"]

    def describe(
        cls: type[GeneratorDescriptor], ir: FunctionIR, fndesc: FunctionDescriptor, generator: nb.Generator, mangler: Mangler
    ) -> GeneratorDescriptor:
        if any(isinstance(t, DICTS) for t in generator.state_types):
            # The process would crash: a generator does not keep the dict alive that it iterates over.
            raise UnsupportedError("DictType in a generator", loc=ir.loc)
        found = old.__func__(cls, ir, fndesc, generator, mangler)
        found.inline = True
        return found

    return replace_attribute(GeneratorDescriptor, "from_generator_fndesc", classmethod(describe))


def vectorise_words() -> AbstractContextManager[None]:
    """Let similar operations on several words become one vector operation while our code is compiled: bitboards gain most."""
    return replace_attribute(numba.config, "SLP_VECTORIZE", 1)


def link_before_codegen() -> AbstractContextManager[None]:
    """Let callers link a function as it was before the code generator worked on it, while our code is compiled.

    The code generator lets variables that are never alive at the same time share a place on the stack. It writes that into the
    module too, but without the alignment that the place then has. Callers link the module, and an aligned load crashes the
    process.
    """
    old = JITCodeLibrary._finalize_specific

    def finalize(library: JITCodeLibrary) -> None:
        library._finalized = True  # else `_get_module_for_linking`, which keeps a copy, would call us again
        library._get_module_for_linking()
        old(library)

    return replace_attribute(JITCodeLibrary, "_finalize_specific", finalize)
