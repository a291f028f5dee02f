"""What takes the place of library functions and of tables in compiled rules.

Functions of Python's library that the compiler lacks are written here in plain Python and compiled with the rules that use them.
Long tables become arrays, and tables whose rows have different lengths become two arrays.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyground.bits import put, u64

MAX_DEPTH = 1000
"""The recursion limit for rules: the same as plain Python's."""
STACK = 4 << 20
"""The stack limit for recursive rules, in bytes."""


def here() -> int:
    """Return the stack pointer; the compiler replaces this with an instruction."""
    return 0


def shift_left(x, n):  # type: ignore[no-untyped-def]
    """Compute x << n; the machine would shift by n modulo 64."""
    if n < 0:
        raise ValueError("negative shift count")
    found = x << (n & 63)
    return found if n < 64 else found ^ found


def shift_right(x, n):  # type: ignore[no-untyped-def]
    """Compute x >> n; the machine would shift by n modulo 64."""
    if n < 0:
        raise ValueError("negative shift count")
    return x >> n if n < 64 else x >> 63 >> 1


def floor_divide(x, y):  # type: ignore[no-untyped-def]
    """Compute x // y; native code would return 0 for a y of 0."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return x // y


def modulo(x, y):  # type: ignore[no-untyped-def]
    """Compute x % y; native code would return 0 for a y of 0."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return x % y


def divide(x, y):  # type: ignore[no-untyped-def]
    """Compute x / y; native code would return infinity for a y of 0."""
    if y == 0:
        raise ZeroDivisionError("division by zero")
    return x / y


def divide_both(x, y):  # type: ignore[no-untyped-def]
    """Compute divmod(x, y)."""
    if y == 0:
        raise ZeroDivisionError("integer division or modulo by zero")
    return x // y, x % y


def raise_to(x, n):  # type: ignore[no-untyped-def]
    """Compute x ** n; the compiler replaces this, as an int to a negative power would be a float."""
    return x**n


def row(data, at, i):  # type: ignore[no-untyped-def]
    """Return one row of a ragged table."""
    rows = len(at) - 1
    if i < 0:
        i += rows
    if i < 0 or i >= rows:
        raise IndexError("tuple index out of range")
    return data[at[i] : at[i + 1]]


def rows(data, at):  # type: ignore[no-untyped-def]
    """Return the rows of a ragged table."""
    for i in range(len(at) - 1):
        yield data[at[i] : at[i + 1]]


def replaced(t, i, x):  # type: ignore[no-untyped-def]
    """Return `t[:i] + (x,) + t[i + 1:]`, for an i inside the tuple."""
    if i < 0:
        raise IndexError("tuple index out of range")
    return put(t, i, x)


def isqrt(n):  # type: ignore[no-untyped-def]
    """Compute math.isqrt."""
    if n < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    x = int(math.sqrt(n))
    while x * x > n:
        x -= 1
    while (x + 1) * (x + 1) <= n:
        x += 1
    return x


def comb(n, k):  # type: ignore[no-untyped-def]
    """Compute math.comb."""
    if n < 0 or k < 0:
        raise ValueError("comb() arguments must be nonnegative")
    if k > n:
        return 0
    found = 1
    for i in range(min(k, n - k)):
        found = found * (n - i) // (i + 1)
    return found


def prod(items):  # type: ignore[no-untyped-def]
    """Compute math.prod."""
    found = 1
    for x in items:
        found *= x
    return found


def power(base, exponent, modulus):  # type: ignore[no-untyped-def]
    """Compute pow with three arguments."""
    found = 1
    for _ in range(exponent):
        found = found * base % modulus
    return found % modulus


def product2(xs, ys):  # type: ignore[no-untyped-def]
    """Compute itertools.product of two iterables."""
    for x in xs:
        for y in ys:
            yield x, y


def product3(xs, ys, zs):  # type: ignore[no-untyped-def]
    """Compute itertools.product of three iterables."""
    for x in xs:
        for y in ys:
            for z in zs:
                yield x, y, z


def combinations2(xs):  # type: ignore[no-untyped-def]
    """Compute itertools.combinations of two items."""
    for i, x in enumerate(xs):
        for j, y in enumerate(xs):
            if j > i:
                yield x, y


def combinations3(xs):  # type: ignore[no-untyped-def]
    """Compute itertools.combinations of three items."""
    for i, x in enumerate(xs):
        for j, y in enumerate(xs):
            if j > i:
                for k, z in enumerate(xs):
                    if k > j:
                        yield x, y, z


def permutations2(xs):  # type: ignore[no-untyped-def]
    """Compute itertools.permutations of two items."""
    for i, x in enumerate(xs):
        for j, y in enumerate(xs):
            if j != i:
                yield x, y


def permutations3(xs):  # type: ignore[no-untyped-def]
    """Compute itertools.permutations of three items."""
    for i, x in enumerate(xs):
        for j, y in enumerate(xs):
            if j != i:
                for k, z in enumerate(xs):
                    if k not in (i, j):
                        yield x, y, z


def pairwise(xs):  # type: ignore[no-untyped-def]
    """Compute itertools.pairwise."""
    first = True
    for x in xs:
        if first:
            last = x
            first = False
        else:
            yield last, x
            last = x


def chain2(xs, ys):  # type: ignore[no-untyped-def]
    """Compute itertools.chain of two iterables."""
    yield from xs
    yield from ys


def empty_counts():  # type: ignore[no-untyped-def]
    """Return an empty dict of ints by ints; of `{}`, the compiler can't tell what it will hold."""
    d = {0: 0}
    d.clear()
    return d


TWINS: dict[object, Callable[..., object]] = {math.isqrt: isqrt, math.comb: comb, math.prod: prod, itertools.pairwise: pairwise}
"""Replacements of functions with a fixed number of arguments."""
BY_COUNT: dict[tuple[object, int], Callable[..., object]] = {
    (itertools.product, 2): product2,
    (itertools.product, 3): product3,
    (itertools.chain, 2): chain2,
    (divmod, 2): divide_both,
    (pow, 2): raise_to,
    (pow, 3): power,
}
"""Replacements by the number of arguments."""
BY_SIZE: dict[tuple[object, int], Callable[..., object]] = {
    (itertools.combinations, 2): combinations2,
    (itertools.combinations, 3): combinations3,
    (itertools.permutations, 2): permutations2,
    (itertools.permutations, 3): permutations3,
}
"""Replacements by the second argument, which must be a constant."""

# -- tables --------------------------------------------------------------------------------------------------------------------


def _are_words(items: list[object]) -> bool:
    """Return whether these are unsigned ints, or one is too large for a signed word; NumPy would make floats of them."""
    ints = [x for x in items if isinstance(x, int)]
    return 0 < len(ints) == len(items) and (isinstance(ints[0], u64) or max(ints) >> 63 > 0)


def as_table(value: object) -> object:
    """Return a global constant in a form that suits the compiler: long tables become arrays, `u64` constants unsigned words."""
    if isinstance(value, u64):
        return np.uint64(value)
    if isinstance(value, (tuple, list)) and value and not hasattr(value, "_fields"):
        try:
            items = np.array(value, object).reshape(-1).tolist()
            table = np.array(value, np.uint64 if _are_words(items) else None)
        except (ValueError, TypeError, OverflowError):
            return value
        if table.dtype.kind == "b":
            table = table.astype(np.int64)
        if table.dtype.kind not in "iuf" or (table.size <= 4 and isinstance(value, tuple) and table.ndim == 1):
            return value
        return table
    return value


@dataclass
class Ragged:
    """A table whose rows have different lengths: all rows in one array, and where each row begins."""

    data: np.ndarray[Any, Any]
    at: np.ndarray[Any, Any]
    KINDS: ClassVar = (tuple, list)
    _memo: ClassVar[dict[int, tuple[object, Ragged | None]]] = {}

    @staticmethod
    def of(value: object) -> Ragged | None:
        """Return the table as two arrays; None if it is not ragged, or if its rows are ragged themselves."""
        if id(value) not in Ragged._memo:
            Ragged._memo[id(value)] = value, Ragged._split(value)
        return Ragged._memo[id(value)][1]

    @staticmethod
    def fits(value: object) -> bool:
        """Return whether this is a ragged table of numbers."""
        return Ragged.of(value) is not None

    @staticmethod
    def _split(value: object) -> Ragged | None:
        if not isinstance(value, Ragged.KINDS) or hasattr(value, "_fields"):
            return None
        if not value or not all(isinstance(row, (tuple, list)) for row in value):
            return None
        if len({len(row) for row in value}) == 1:
            return None
        items = [item for row in value for item in row]
        try:
            flat = np.array(items, object).reshape(-1).tolist()
            data = np.array(items, np.uint64 if _are_words(flat) else None)
        except (ValueError, TypeError, OverflowError):
            return None
        if data.dtype.kind not in "iuf":
            return None
        return Ragged(data, np.cumsum([0, *(len(row) for row in value)]))
