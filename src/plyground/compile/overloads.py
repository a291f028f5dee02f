"""Operations on tuples, tables and ranges that plain Python has and the compiler lacks."""

from __future__ import annotations

import functools
import operator
from typing import Any

from numba import njit
from numba.core import types as nb
from numba.extending import overload, overload_method

from plyground.compile.intrinsics import TWINS

# -- tuples whose length the compiler must know -------------------------------------------------------------------------------


def as_tuple(items, like):  # type: ignore[no-untyped-def]
    """The items as a tuple of the same length as `like`."""


@overload(as_tuple)
def _as_tuple_native(items, like):  # type: ignore[no-untyped-def]
    if isinstance(like, nb.BaseTuple):
        of = njit(tuple_of(len(like)))
        return lambda items, like: of(items)
    return None


@functools.cache
def tuple_of(n: int) -> Any:
    """A function that turns a list of n items into a tuple."""
    scope: dict[str, Any] = {}
    items = "".join(f"items[{i}], " for i in range(n))
    check = f"if len(items) != {n}: raise ValueError('the tuple needs {n} items')"
    exec(f"def tuple_of_{n}(items):\n    {check}\n    return ({items})", scope)
    return scope[f"tuple_of_{n}"]


@functools.cache
def replacing(names: tuple[str, ...]) -> Any:
    """`_replace` of a NamedTuple for these fields, as a function of the tuple and their values."""
    arguments = ", ".join(("t", *names))
    scope: dict[str, Any] = {}
    exec(f"def replace_{'_'.join(names)}({arguments}): pass", scope)
    stub = scope[f"replace_{'_'.join(names)}"]

    def native(t, *values):  # type: ignore[no-untyped-def]
        if not isinstance(t, nb.BaseNamedTuple) or not set(names) <= set(t.fields):
            return None
        kinds = dict(zip(t.fields, t.types, strict=True))
        own: dict[str, Any] = {"cls": t.instance_class, "as_int": as_field("int64")}
        truths = [n for n, v in zip(names, values, strict=True) if isinstance(v, nb.Boolean) and kinds[n] == nb.int64]
        parts = [f"as_int({n})" if n in truths else n if n in names else f"t.{n}" for n in t.fields]
        exec(f"def replace({arguments}): return cls({', '.join(parts)})", own)
        return own["replace"]

    exec(f"def typed({arguments}): return native({arguments})", {"native": native}, scope)
    overload(stub)(scope["typed"])
    TWINS[stub] = stub
    return stub


@functools.cache
def as_field(kind: str) -> Any:
    """A function that casts ints, bools and tuples of them to the type of a field; anything else is unchanged."""
    wanted = {"int64": nb.int64, "uint64": nb.uint64}[kind]
    scope: dict[str, Any] = {}
    exec(f"def field_{kind}(x): pass", scope)
    stub = scope[f"field_{kind}"]

    def native(x):  # type: ignore[no-untyped-def]
        items = tuple(x) if isinstance(x, nb.BaseTuple) and not isinstance(x, nb.BaseNamedTuple) else (x,)
        if not all(isinstance(t, nb.Integer | nb.Boolean) for t in items) or all(nb.unliteral(t) == wanted for t in items):
            return lambda x: x
        if items == (x,):
            return lambda x: wanted(x)
        own: dict[str, Any] = {"wanted": wanted}
        exec(f"def cast(x): return ({''.join(f'wanted(x[{i}]), ' for i in range(len(items)))})", own)
        return own["cast"]

    overload(stub)(native)
    TWINS[stub] = stub
    return stub


TWINS[as_tuple] = as_tuple


# -- methods and operators of tuples, tables and ranges -------------------------------------------------------------------------


def _count(t, x):  # type: ignore[no-untyped-def]
    found = 0
    for item in t:
        if item == x:
            found += 1
    return found


def _index(t, x):  # type: ignore[no-untyped-def]
    for i, item in enumerate(t):
        if item == x:
            return i
    raise ValueError("tuple.index(x): x not in tuple")


@overload_method(nb.UniTuple, "count")
@overload_method(nb.Array, "count")
def _count_native(t, x):  # type: ignore[no-untyped-def]
    return _count if isinstance(t, nb.UniTuple) or t.ndim == 1 else None


@overload_method(nb.Array, "index")
def _index_native(t, x):  # type: ignore[no-untyped-def]
    return _index if t.ndim == 1 else None


def _same_items(one, other):  # type: ignore[no-untyped-def]
    if len(one) != len(other):
        return False
    for i in range(len(one)):  # noqa: SIM110 (the compiler has no all)
        if one[i] != other[i]:
            return False
    return True


@overload(operator.contains)
def _contains_row(table, items):  # type: ignore[no-untyped-def]
    """`(r, c) in PAIRS`, for a table PAIRS."""
    if not (isinstance(table, nb.Array) and table.ndim == 2 and isinstance(items, nb.UniTuple)):
        return None

    def contains(table, items):  # type: ignore[no-untyped-def]
        for i in range(len(table)):  # noqa: SIM110
            if same(table[i], items):
                return True
        return False

    same = njit(_same_items)
    return contains


@overload(operator.eq)
def _equal_row(one, other):  # type: ignore[no-untyped-def]
    """`PAIRS[i] == (r, c)`, for a table PAIRS."""
    kinds = (one, other)
    arrays = [k for k in kinds if isinstance(k, nb.Array) and k.ndim == 1]
    if len(arrays) == 1 and sum(isinstance(k, nb.UniTuple) for k in kinds) == 1:
        return _same_items
    return None


@overload(operator.ne)
def _unequal_row(one, other):  # type: ignore[no-untyped-def]
    if _equal_row(one, other) is None:
        return None
    return lambda one, other: not (one == other)  # noqa: SIM201


@overload(operator.getitem)
def _part_of_tuple(t, part):  # type: ignore[no-untyped-def]
    """A slice of a tuple with bounds that are not known at compile time: a list."""
    if isinstance(t, nb.UniTuple) and isinstance(part, nb.SliceType) and not isinstance(part, nb.SliceLiteral):
        return lambda t, part: list(t)[part]
    return None


@overload(operator.getitem)
def _item_of_range(r, i):  # type: ignore[no-untyped-def]
    if not (isinstance(r, nb.RangeType) and isinstance(i, nb.Integer)):
        return None

    def item(r, i):  # type: ignore[no-untyped-def]
        n = len(r)
        if i < 0:
            i += n
        if i < 0 or i >= n:
            raise IndexError("range object index out of range")
        return r.start + i * r.step

    return item


@overload(reversed)
def _reversed_native(items):  # type: ignore[no-untyped-def]
    if isinstance(items, nb.RangeType):
        return lambda items: range(items.start + (len(items) - 1) * items.step, items.start - items.step, -items.step)
    if isinstance(items, nb.BaseTuple | nb.List | nb.Array):
        return lambda items: items[::-1]
    return None
