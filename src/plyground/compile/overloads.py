"""Operations on tuples, tables and ranges that Python has and the compiler lacks."""

from __future__ import annotations

import functools
import operator
from typing import Any

from numba import njit
from numba.core import types as nb
from numba.core.errors import TypingError
from numba.extending import overload, overload_method

from plyground.compile.intrinsics import TWINS
from plyground.compile.rewrite import replacements
from plyground.rules.layout import Field, Layout

# -- tuples whose length the compiler must know -------------------------------------------------------------------------------


def as_tuple(items, like):  # type: ignore[no-untyped-def]
    """Return the items as a tuple of the same length as `like`."""


@overload(as_tuple)
def _as_tuple_native(items, like):  # type: ignore[no-untyped-def]
    if isinstance(like, nb.BaseTuple):
        of = njit(tuple_of(len(like)))
        return lambda items, like: of(items)
    return None


@functools.cache
def tuple_of(n: int) -> Any:
    """Return a function that turns a list of n items into a tuple."""
    scope: dict[str, Any] = {}
    items = "".join(f"items[{i}], " for i in range(n))
    check = f"if len(items) != {n}: raise ValueError('the tuple needs {n} items')"
    exec(f"def tuple_of_{n}(items):\n    {check}\n    return ({items})", scope)
    return scope[f"tuple_of_{n}"]


@functools.cache
def replacing(names: tuple[str, ...], layout: Layout) -> Any:
    """Return `_replace` of a NamedTuple for these fields, as a function of the tuple and their values.

    The fields of a State are cast to their declared types. The arguments have names of their own: a field may be called `t`.
    """
    values = [f"x{i}" for i in range(len(names))]
    arguments = ", ".join(("t", *values))
    scope: dict[str, Any] = {}
    exec(f"def replace_{len(names)}({arguments}): pass", scope)
    stub = scope[f"replace_{len(names)}"]
    casts = {f.name: as_field(f) for f in layout.fields if not f.array}

    def native(t, *given):  # type: ignore[no-untyped-def]
        if not isinstance(t, nb.BaseNamedTuple) or not set(names) <= set(t.fields):
            return None
        known = casts if t.instance_class is layout.state else {}
        own: dict[str, Any] = {"cls": t.instance_class}
        parts = [f"t[{i}]" for i in range(len(t.fields))]
        for value, name in zip(values, names, strict=True):
            own[f"as_{value}"] = known.get(name)
            parts[t.fields.index(name)] = f"as_{value}({value})" if name in known else value
        exec(f"def replace({arguments}): return cls({', '.join(parts)})", own)
        return own["replace"]

    exec(f"def typed({arguments}): return native({arguments})", {"native": native}, scope)
    overload(stub)(scope["typed"])
    TWINS[stub] = stub
    return stub


@functools.cache
def as_field(field: Field) -> Any:
    """Return a function that casts a value to the type of a field: numbers, tuples of them, and rows of tables."""
    wanted = {"int64": nb.int64, "uint64": nb.uint64}[field.type]
    length = field.shape[0] if field.shape else None
    scope: dict[str, Any] = {}
    exec(f"def field_{field.type}(x): pass", scope)
    stub = scope[f"field_{field.type}"]

    def native(x):  # type: ignore[no-untyped-def]
        plain = isinstance(x, nb.BaseTuple) and not isinstance(x, nb.BaseNamedTuple)
        items = tuple(x) if plain else (x.dtype,) if isinstance(x, nb.Array) else (x,)
        if not all(isinstance(t, nb.Number | nb.Boolean) for t in items):
            return lambda x: x
        row = length is not None and isinstance(x, nb.Array) and x.ndim == 1
        floats = any(isinstance(t, nb.Float) for t in items)
        if floats or (not row and (isinstance(x, nb.Array) or (len(items) if plain else None) != length)):
            number = "float" if floats else "int"
            given = "a table" if isinstance(x, nb.Array) else _words(number, len(items) if plain else None)
            raise TypingError(f"State.{field.name} is {_words('int', length)}, but gets {given}")
        if not row and all(nb.unliteral(t) == wanted for t in items):
            return lambda x: x
        if length is None:
            return lambda x: wanted(x)
        own: dict[str, Any] = {"wanted": wanted}
        check = f"if len(x) != {length}: raise ValueError('State.{field.name} needs {length} items')\n    " if row else ""
        exec(f"def cast(x):\n    {check}return ({''.join(f'wanted(x[{i}]), ' for i in range(length))})", own)
        return own["cast"]

    overload(stub)(native)
    TWINS[stub] = stub
    return stub


def power_of(x, n):  # type: ignore[no-untyped-def]
    """Return x ** n, for ints only if n is not negative: Python would give a float."""


@overload(power_of)
def _power_of_native(x, n):  # type: ignore[no-untyped-def]
    if not (isinstance(x, nb.Integer | nb.Boolean) and isinstance(n, nb.Integer | nb.Boolean)):
        return lambda x, n: x**n

    def power_of(x, n):  # type: ignore[no-untyped-def]
        if n < 0:
            raise ValueError("an int to a negative power is a float; write 1 / x ** n")
        return x**n

    return power_of


def as_int(x):  # type: ignore[no-untyped-def]
    """Return int(x), which the compiler would leave as narrow as x is."""


@overload(as_int)
def _as_int_native(x):  # type: ignore[no-untyped-def]
    is_narrow = isinstance(x, nb.Integer) and x.bitwidth < 64
    return (lambda x: nb.int64(x)) if is_narrow else lambda x: int(x)


def _words(number: str, n: int | None) -> str:
    if n is None:
        return "an int" if number == "int" else f"a {number}"
    return f"a tuple of {n} {number}{'' if n == 1 else 's'}"


TWINS[as_tuple] = as_tuple
TWINS[as_int] = as_int
TWINS[replacements.raise_to] = power_of


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
    """Compile `(r, c) in PAIRS`, for a table PAIRS."""
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
    """Compile `PAIRS[i] == (r, c)`, for a table PAIRS."""
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
    """Return a slice of a tuple with bounds that are not known at compile time: a list."""
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
