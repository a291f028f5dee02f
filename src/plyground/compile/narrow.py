"""Ints of fewer than 64 bits, which are items of NumPy arrays: compiled rules treat them as interpreted rules do, or are refused.

NumPy computes with such items in their own few bits and wraps around; the compiler computes in 64. So rules may compare, copy
and use them as indices, and must write int(...) around them for everything else. A plain int that does not fit into an item
raises OverflowError in both. Our own games are tested as they are.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable
from contextlib import AbstractContextManager
from types import FunctionType
from typing import Protocol

import numpy as np
from llvmlite import ir as llvm
from numba.core import ir, typed_passes
from numba.core import types as nb
from numba.core.cpu import CPUContext
from numba.core.datamodel import DataModelManager
from numba.core.datamodel.models import PrimitiveModel
from numba.core.errors import TypingError
from numba.core.imputils import lower_cast
from numba.core.typeconv import Conversion
from numba.core.typing import Context as TypingContext
from numba.core.typing import Signature, signature
from numba.extending import register_model

from plyground.compile.dialect import replace_attribute
from plyground.compile.fingerprint import in_rules
from plyground.compile.overloads import as_int, as_tuple
from plyground.compile.rewrite import replacements

AS_MANY = "items of this array have {} bits, and NumPy computes with as many; "
NUMBER = AS_MANY + "write int(...) around them"
IN_PLACE = AS_MANY + "write a[i] = int(a[i]) + x, not a[i] += x"
ITEM_BY_ITEM = AS_MANY + "take them one by one, as int(a[i])"
CREATED = "items of this array have {} bits, and NumPy refuses larger numbers; make it with np.zeros, then store its items"
STORED = "items of this array have {} bits; store ints, one by one"
CAST = "NumPy refuses numbers of more than {} bits here; write int(...)"
GIVEN = "it returns items of an array of {} bits, and NumPy computes with as many; write int(...) around them"

COMPARISONS = {getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge", "contains", "not_")}
JOINED = (operator.add, operator.iadd, operator.mul, operator.imul)
HARMLESS = (int, as_int, bool, float, slice, len, np.any, np.all, np.argmax, np.argmin, np.count_nonzero, np.array_equal)
"""Functions that return the same for a narrow int, or an array of them, as for a wide one."""
KEEPING = (min, max, sorted, reversed, list, tuple, enumerate, zip, iter, as_tuple)
"""Functions whose result has the items of their arguments."""
MAKERS = (np.zeros, np.ones, np.empty, np.zeros_like, np.ones_like, np.empty_like, np.copy)
METHODS = {"copy", "reshape", "ravel", "flatten", "transpose", "astype", "max", "min", "any", "all", "argmax", "argmin", "sort"}
SEARCHES = {"index", "count", "remove", "pop", "sort", "clear", "copy", "reverse"}
"""Methods of lists and tuples that compare items, or return one."""
INT_BY_GAME = ("cells", "touch")
"""Rules whose numbers `Game` turns into ints."""


RULE = "rule_of_the_user"
"""The attribute that marks a function as one of the user's rules, and not a kernel."""


def mark_rule(twin: FunctionType) -> FunctionType:
    """Return a function made from the rules, marked if it must be checked."""
    setattr(twin, RULE, in_rules(twin.__code__.co_filename))
    return twin


@functools.cache
def numbers_in(t: nb.Type) -> tuple[nb.Type, ...]:
    """Return the types of the numbers in a value of this type: a tuple, a list, an array, a generator, or a number."""
    t = nb.unliteral(t)
    if isinstance(t, nb.Optional):
        return numbers_in(t.type)
    if isinstance(t, nb.BaseTuple):
        return tuple(x for item in t for x in numbers_in(item))
    if isinstance(t, nb.IterableType | nb.Array):
        item = t.dtype if isinstance(t, nb.Array) else t.iterator_type.yield_type
        return () if item == t else numbers_in(item)
    return (t,)


def narrow(t: nb.Type) -> tuple[nb.Type, ...]:
    """Return the types of the narrow ints in a value of this type."""
    return tuple(x for x in numbers_in(t) if isinstance(x, nb.Integer) and x.bitwidth < 64)


def is_number(t: nb.Type) -> bool:
    """Return whether a value of this type is a single number, or None."""
    return isinstance(t.type if isinstance(t, nb.Optional) else t, nb.Integer)


def widens(t: nb.Type, wanted: nb.Type) -> bool:
    """Return whether a narrow int changes its type when a value of type `t` becomes one of type `wanted`."""
    return (bool(narrow(t)) or bool(narrow(wanted))) and numbers_in(t) != numbers_in(wanted)


class TypesFound(Protocol):
    """What type inference finds out about a function."""

    typemap: dict[str, nb.Type]
    calltypes: dict[ir.Inst, Signature]
    return_type: nb.Type


class NarrowIntCheck:
    """Checks one function of the rules, after type inference."""

    def __init__(self, code: ir.FunctionIR, typed: TypesFound) -> None:
        self.code, self.known, self.calls, self.returned = code, typed.typemap, typed.calltypes, typed.return_type

    def types(self, variables: Iterable[ir.Var]) -> list[nb.Type]:
        return [self.known[x.name] for x in variables]

    def run(self) -> None:
        """Refuse what would differ from interpreted rules, and make stores into narrow items check that the number fits."""
        for block in self.code.blocks.values():
            here = self.code.loc
            for statement in block.body:
                inlined = not in_rules(statement.loc.filename)
                here = here if inlined else statement.loc
                why, types = self.fault(statement, inlined)
                if why is not None:
                    bits = next((x.bitwidth for t in types for x in narrow(getattr(t, "this", t))), 0)
                    raise TypingError(why.format(bits), loc=here)

    def fault(self, statement: ir.Stmt, inlined: bool) -> tuple[str | None, list[nb.Type]]:
        """Return what is wrong with a statement, or None; and the types that matter."""
        if isinstance(statement, ir.Return):
            found = self.known[statement.value.name]
            return NUMBER if not isinstance(self.returned, nb.Generator) and widens(found, self.returned) else None, [found]
        if isinstance(statement, ir.SetItem | ir.StaticSetItem):
            return self.fault_in_store(statement)
        if isinstance(statement, ir.StoreMap):
            types = self.types([statement.key, statement.value])
            return NUMBER if any(map(narrow, types)) else None, types
        if not isinstance(statement, ir.Assign):
            return None, []
        value, target = statement.value, self.known[statement.target.name]
        if isinstance(value, ir.Yield):
            found = self.known[value.value.name]
            return NUMBER if widens(found, self.returned.yield_type) else None, [found]
        if isinstance(value, ir.Var | ir.Arg):
            found = self.known[value.name if isinstance(value, ir.Var) else f"arg.{value.name}"]
            return NUMBER if widens(found, target) else None, [found]
        if not isinstance(value, ir.Expr):
            return None, []
        types = self.types(value.list_vars())
        if inlined and any(map(narrow, types)):
            return NUMBER, types
        return self.fault_in_expression(value, types, target), [*types, target]

    def fault_in_expression(self, value: ir.Expr, types: list[nb.Type], target: nb.Type) -> str | None:
        """Return what is wrong with an expression, from the types of its parts and its value; None if nothing is."""
        op, used = value.op, [t for t in types if narrow(t)]
        if op == "call":
            return self.fault_in_call(value, target)
        if op in ("binop", "inplace_binop", "unary"):
            if not used or value.fn in COMPARISONS:
                return None
            if value.fn in JOINED and all(isinstance(t, nb.BaseTuple | nb.List) for t in used):
                return ITEM_BY_ITEM if isinstance(target, nb.List) and any(widens(t, target) for t in used) else None
            number = IN_PLACE if op == "inplace_binop" and is_number(types[0]) and narrow(types[0]) else NUMBER
            return number if any(map(is_number, used)) else ITEM_BY_ITEM
        if op in ("phi", "cast", "build_list"):
            wanted = target.dtype if op == "build_list" else target
            return NUMBER if any(widens(t, wanted) for t in types if t is not nb.undefined) else None
        if op == "build_tuple":
            return NUMBER if any(map(widens, types, target)) else None
        if op in ("getitem", "static_getitem"):
            sig = self.calls.get(value)
            return NUMBER if sig is not None and widens(sig.return_type, target) else None
        return NUMBER if any(map(is_number, used)) or (used and op in ("build_set", "build_map")) else None

    def fault_in_call(self, value: ir.Expr, target: nb.Type) -> str | None:
        """Return what is wrong with a call; None if nothing is."""
        called, sig = self.known[value.func.name], self.calls[value]
        given = self.types([*value.args, *(x for _, x in value.kws), *([value.vararg] if value.vararg else [])])
        used = [t for t in given if narrow(t)]
        if isinstance(called, nb.NumberClass):
            return CAST if narrow(called.instance_type) else None
        if isinstance(called, nb.NamedTupleClass | nb.RecursiveCall):
            return None
        if isinstance(called, nb.BoundFunction):
            return self.fault_in_method(called, given, sig, target)
        numbers = NUMBER if any(map(is_number, used)) else ITEM_BY_ITEM if used else None
        key = None
        if isinstance(called, nb.Dispatcher):
            key = called.dispatcher.py_func
            if getattr(key, RULE, False) or (key.__code__.co_filename, key.__name__) == (replacements.__file__, "row"):
                return None  # it is checked itself
        elif isinstance(called, nb.Function):
            key = called.typing_key
            if key in HARMLESS or key in COMPARISONS or key in MAKERS:
                return None
        kept = {x for t in given for x in narrow(t)} == set(narrow(target))
        if kept and (key in KEEPING or (isinstance(called, nb.Dispatcher) and numbers is not NUMBER)):
            return None
        return numbers or (CREATED if narrow(target) and isinstance(target, nb.Array) else NUMBER if narrow(target) else None)

    def fault_in_method(self, called: nb.BoundFunction, given: list[nb.Type], sig: Signature, target: nb.Type) -> str | None:
        """Return what is wrong with a call of a method; None if nothing is."""
        this, used = called.this, [t for t in given if narrow(t)]
        key = called.typing_key
        name = key[1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
        numbers = NUMBER if any(map(is_number, used)) else ITEM_BY_ITEM if used else None
        if isinstance(this, nb.List | nb.BaseTuple) and name in SEARCHES:
            return None
        if isinstance(this, nb.List):
            items = given[1:] if name == "insert" else given
            return (numbers or NUMBER) if any(widens(t, sig.recvr.dtype) for t in items) else None
        if isinstance(this, nb.Array) and narrow(this):
            signed = name == "sum" and this.dtype.signed
            return None if signed or (name in METHODS and not used) else ITEM_BY_ITEM
        return numbers

    def fault_in_store(self, statement: ir.SetItem | ir.StaticSetItem) -> tuple[str | None, list[nb.Type]]:
        """Return what is wrong with a store into an item. If the number may not fit, the store is made to check it."""
        owner, value = self.types([statement.target, statement.value])
        if isinstance(owner, nb.List):
            return NUMBER if widens(value, owner.dtype) else None, [value, owner]
        if not isinstance(owner, nb.Array):
            return NUMBER if narrow(value) else None, [value]
        if not narrow(owner) or isinstance(value, nb.Array | nb.Boolean):
            return None, []
        if not isinstance(value, nb.Integer):
            return STORED, [owner]
        item, known = owner.dtype, getattr(value, "literal_value", None)
        least, most = (known, known) if known is not None else (value.minval, value.maxval)
        wraps = bool(narrow(value)) and not item.signed  # in NumPy too
        if not wraps and not item.minval <= least <= most <= item.maxval:
            sig = self.calls.pop(statement)
            self.calls[statement] = signature(sig.return_type, *sig.args[:2], FittingInt(item))
        return None, []


def check_given(code: ir.FunctionIR, typed: TypesFound) -> None:
    """Refuse rules that return narrow ints to one of our functions, which would compute with them."""
    for block in code.blocks.values():
        for statement in block.find_insts(ir.Assign):
            value = statement.value
            called = typed.typemap[value.func.name] if isinstance(value, ir.Expr) and value.op == "call" else None
            if not isinstance(called, nb.Dispatcher):
                continue
            rule, found = called.dispatcher.py_func, typed.typemap[statement.target.name]
            named = isinstance(found, nb.BaseNamedTuple) or rule.__name__ in INT_BY_GAME
            if narrow(found) and not named and getattr(rule, RULE, False):
                place = rule.__code__.co_filename, rule.__code__.co_firstlineno
                raise TypingError(GIVEN.format(narrow(found)[0].bitwidth), loc=ir.Loc(*place))


def narrow_ints_checked() -> AbstractContextManager[None]:
    """Refuse rules that compute with narrow ints while our code is compiled."""
    infer = typed_passes.type_inference_stage

    def checked(typing: TypingContext, target: CPUContext, code: ir.FunctionIR, *args: object, **named: object) -> TypesFound:
        found: TypesFound = infer(typing, target, code, *args, **named)
        if named.get("raise_errors", True):
            NarrowIntCheck(code, found).run() if getattr(code.func_id.func, RULE, False) else check_given(code, found)
        return found

    return replace_attribute(typed_passes, "type_inference_stage", checked)


# -- stores that must fit -------------------------------------------------------------------------------------------------------


class FittingInt(nb.Type):  # type: ignore[misc]
    """An int that is known to fit into an item of this type."""

    def __init__(self, item: nb.Integer) -> None:
        self.item = item
        super().__init__(f"fitting {item}")

    def can_convert_to(self, typingctx: TypingContext, other: nb.Type) -> Conversion | None:
        return Conversion.safe if other == self.item else None


@register_model(FittingInt)
class FittingModel(PrimitiveModel):  # type: ignore[misc]
    """The int itself."""

    def __init__(self, manager: DataModelManager, kind: FittingInt) -> None:
        super().__init__(manager, kind, llvm.IntType(kind.item.bitwidth))


@lower_cast(nb.Integer, FittingInt)
def _fit(context: CPUContext, b: llvm.IRBuilder, given: nb.Integer, kind: FittingInt, x: llvm.Value) -> llvm.Value:
    item, given = kind.item, nb.unliteral(given)
    compare = b.icmp_signed if given.signed else b.icmp_unsigned
    too_large = compare(">", x, x.type(item.maxval))
    wrong = b.or_(too_large, compare("<", x, x.type(item.minval))) if given.signed else too_large
    with b.if_then(wrong, likely=False):
        message = f"an item of this array must be between {item.minval} and {item.maxval}"
        context.call_conv.return_user_exc(b, OverflowError, (message,))
    return b.trunc(x, llvm.IntType(item.bitwidth))


@lower_cast(FittingInt, nb.Integer)
def _as_fitted(context: CPUContext, b: llvm.IRBuilder, given: FittingInt, kind: nb.Integer, x: llvm.Value) -> llvm.Value:
    return x
