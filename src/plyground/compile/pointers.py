"""Blocks in native code: `mem.nodes` is a single load, at an offset known at compile time."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Sequence

import numpy as np
from llvmlite import ir
from numba.core import types as nb
from numba.core.cpu import CPUContext
from numba.core.datamodel import DataModelManager, PrimitiveModel, register_default
from numba.core.imputils import lower_builtin, lower_cast, lower_getattr_generic, lower_setattr_generic
from numba.core.typing import Context as TypingContext
from numba.core.typing import Signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import _Intrinsic as Intrinsic
from numba.extending import intrinsic

from plyground.compile.blocks import Block, BlockField, InnerBlock, Shared

WORD = ir.IntType(64)
Typed = tuple[Signature, Callable[[CPUContext, ir.IRBuilder, Signature, Sequence[ir.Value]], ir.Value]]
"""The result of an intrinsic: its signature, and what builds its code."""
TYPES = {np.int64: nb.int64, np.uint64: nb.uint64, np.float64: nb.float64}


class Pointer(nb.Type):  # type: ignore[misc]
    """The address of a block."""

    def __init__(self, declared: type[Block]) -> None:
        self.declared = declared
        shape = hashlib.sha256(declared.shape().encode()).hexdigest()[:12]
        super().__init__(f"{declared.__name__}({shape})")  # short: it becomes part of function names


class RowType(nb.Type):  # type: ignore[misc]
    """The address of a row of words."""

    def __init__(self, item: nb.Type) -> None:
        self.item = item
        super().__init__(f"Row({item})")


@register_default(Pointer)
@register_default(RowType)
class AddressModel(PrimitiveModel):  # type: ignore[misc]
    """The data model of an address: a word in memory and in registers."""

    def __init__(self, manager: DataModelManager, kind: nb.Type) -> None:
        super().__init__(manager, kind, WORD)


_casters: dict[type[Block], Intrinsic] = {}


def caster(declared: type[Block]) -> Intrinsic:
    """Return the native function that turns an address into a block of this class."""
    if declared in _casters:
        return _casters[declared]
    pointer = Pointer(declared)

    @intrinsic
    def at(ctx: TypingContext, address: nb.Type) -> Typed:
        def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
            return args[0]

        return pointer(nb.uint64), build

    return _casters.setdefault(declared, at)


def _type_of(field: BlockField) -> nb.Type:
    if isinstance(field, InnerBlock):
        return Pointer(field.declared)
    item = TYPES[field.type]
    return item if field.count is None else RowType(item)


@infer_getattr
class PointerAttribute(AttributeTemplate):  # type: ignore[misc]
    """`mem.name`: the word, or the row that begins there."""

    key = Pointer

    def generic_resolve(self, pointer: Pointer, name: str) -> nb.Type | None:
        """Return the type of a field."""
        if name == "end":
            return nb.uint64
        field = pointer.declared.fields.get(name)
        return None if field is None else _type_of(field)


def _at(b: ir.IRBuilder, address: ir.Value, item: nb.Type) -> ir.Value:
    """Return the address as an LLVM pointer to a word or a float."""
    return b.inttoptr(address, (ir.DoubleType() if item is nb.float64 else WORD).as_pointer())


@lower_getattr_generic(Pointer)
def _get(context: CPUContext, b: ir.IRBuilder, kind: Pointer, value: ir.Value, name: str) -> ir.Value:
    if name == "end":
        return b.add(value, ir.Constant(WORD, kind.declared.size))
    field = kind.declared.fields[name]
    address = b.add(value, ir.Constant(WORD, field.offset))
    if field.count is not None:
        return address
    at = _at(b, address, TYPES[field.type])
    return b.load_atomic(at, "acquire", 8) if isinstance(field, Shared) else b.load(at)


@lower_setattr_generic(Pointer)
def _set(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value], name: str) -> None:
    field = sig.args[0].declared.fields[name]
    at = _at(b, b.add(args[0], ir.Constant(WORD, field.offset)), TYPES[field.type])
    if isinstance(field, Shared):
        b.store_atomic(args[1], at, "release", 8)
    else:
        b.store(args[1], at)


@infer_global(operator.getitem)
class RowItem(AbstractTemplate):  # type: ignore[misc]
    """`mem.row[i]`, and `block[i]` in an array of blocks."""

    def generic(self, args: Sequence[nb.Type], kws: dict[str, nb.Type]) -> Signature | None:
        """Return the type of an item."""
        if len(args) == 2 and isinstance(args[0], (RowType, Pointer)) and isinstance(args[1], nb.Integer):
            return signature(args[0].item if isinstance(args[0], RowType) else args[0], args[0], nb.int64)
        return None


@infer_global(operator.setitem)
class RowPut(AbstractTemplate):  # type: ignore[misc]
    """`mem.row[i] = x`."""

    def generic(self, args: Sequence[nb.Type], kws: dict[str, nb.Type]) -> Signature | None:
        """Return the signature of the assignment."""
        if len(args) == 3 and isinstance(args[0], RowType) and isinstance(args[1], nb.Integer):
            return signature(nb.none, args[0], nb.int64, args[0].item)
        return None


def _item(b: ir.IRBuilder, item: nb.Type, row: ir.Value, i: ir.Value) -> ir.Value:
    return _at(b, b.add(row, b.shl(i, ir.Constant(WORD, 3))), item)


@lower_builtin(operator.getitem, RowType, nb.int64)
def _row_get(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    return b.load(_item(b, sig.args[0].item, args[0], args[1]))


@lower_builtin(operator.getitem, Pointer, nb.int64)
def _next(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    return b.add(args[0], b.mul(args[1], ir.Constant(WORD, sig.args[0].declared.size)))


@lower_builtin(operator.setitem, RowType, nb.int64, nb.int64)
@lower_builtin(operator.setitem, RowType, nb.int64, nb.uint64)
@lower_builtin(operator.setitem, RowType, nb.int64, nb.float64)
def _row_set(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
    b.store(args[2], _item(b, sig.args[0].item, args[0], args[1]))
    return context.get_dummy_value()


@lower_cast(Pointer, nb.uint64)
@lower_cast(RowType, nb.uint64)
def _to_word(context: CPUContext, b: ir.IRBuilder, source: nb.Type, target: nb.Type, value: ir.Value) -> ir.Value:
    return value


@intrinsic
def address(ctx: TypingContext, where: nb.Type) -> Typed:
    """Return the address of a block or a row, as a word."""

    def build(context: CPUContext, b: ir.IRBuilder, sig: Signature, args: Sequence[ir.Value]) -> ir.Value:
        return args[0]

    return nb.uint64(where), build
