"""Constants of the rules in a form that suits the compiler: long tables become arrays, ragged ones two arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from plyground.bits import u64


def _are_words(items: list[Any]) -> bool:
    """Return whether these ints are marked as unsigned or one is too large for a signed word: NumPy would make floats of both."""
    ints = bool(items) and all(isinstance(x, int) for x in items)
    return ints and (isinstance(items[0], u64) or max(items) >> 63 > 0)


def as_table(value: Any) -> Any:
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
    """A table whose rows have different lengths: all rows in one array, and where each begins."""

    data: np.ndarray[Any, Any]
    at: np.ndarray[Any, Any]
    KINDS: ClassVar = (tuple, list)
    _memo: ClassVar[dict[int, tuple[Any, Ragged | None]]] = {}

    @staticmethod
    def of(value: Any) -> Ragged | None:
        """Return the table as two arrays; None if it is not ragged, or if its rows are ragged themselves."""
        if id(value) not in Ragged._memo:
            Ragged._memo[id(value)] = value, Ragged._made(value)
        return Ragged._memo[id(value)][1]

    @staticmethod
    def fits(value: Any) -> bool:
        """Return whether this is a ragged table of numbers."""
        return Ragged.of(value) is not None

    @staticmethod
    def _made(value: Any) -> Ragged | None:
        if hasattr(value, "_fields") or not value or not all(isinstance(row, (tuple, list)) for row in value):
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
