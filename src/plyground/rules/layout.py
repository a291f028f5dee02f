"""How a state is laid out in memory: each field's native type, from the annotations and the first state.

A state is a row of 64-bit words: one word for a number, one per item for a tuple, and for an array its bytes, rounded up to
whole words. Kernels read this row, the default `key` hashes it, and a copy of an in-place state copies it.
"""

from __future__ import annotations

import enum
import sys
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from plyground.bits import MASK, i64, u64
from plyground.errors import GameError
from plyground.rules.hooks import RulesState, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NATIVE = {int: "int64", i64: "int64", u64: "uint64", bool: "int64"}


@dataclass(frozen=True)
class Field:
    """One field of a state: its name, native type, and shape (`()` for a number, `(n,)` for a tuple).

    If the annotation is an enum of ints, `members` is that enum: compiled rules see its numbers, Python its members.
    """

    name: str
    type: str
    shape: tuple[int, ...] = ()
    array: bool = False
    members: Callable[[int], object] | None = None

    def value(self, items: list[int]) -> object:
        """Return the field's value in Python, from plain numbers."""
        found = [self._member(x) for x in items]
        return tuple(found) if self.shape else found[0]

    def _member(self, x: int) -> object:
        """Return the enum member with this number; the number itself if there is none."""
        try:
            return self.members(x) if self.members else x
        except ValueError:
            return x

    @property
    def words(self) -> int:
        """The number of 64-bit words that the field takes."""
        items = 1
        for n in self.shape:
            items *= n
        if not self.array:
            return items
        import numpy as np

        return (items * np.dtype(self.type).itemsize + 7) // 8


@dataclass(frozen=True)
class Layout:
    """The fields of a state class, in order."""

    state: type[Any]
    fields: tuple[Field, ...]

    @property
    def words(self) -> int:
        """The number of words that a state takes."""
        return sum(f.words for f in self.fields)

    @property
    def arrays(self) -> bool:
        """Whether the state has arrays, as in-place rules do."""
        return any(f.array for f in self.fields)

    def caster(self) -> Callable[[State], RulesState] | None:
        """Return a function that casts the fields of a state to their declared types; None if there is nothing to cast."""
        if self.arrays or all(f.type == "int64" for f in self.fields):
            return None
        parts = []
        for i, f in enumerate(self.fields):
            if f.type != "uint64":
                parts.append(f"s[{i}]")
            elif f.shape:
                parts.append("(" + "".join(f"s[{i}][{j}] & M, " for j in range(f.shape[0])) + ")")
            else:
                parts.append(f"s[{i}] & M")
        scope = {"State": self.state, "M": MASK}
        return typing.cast(Callable[[State], RulesState], eval(f"lambda s: State({', '.join(parts)})", scope))

    def fault(self, s: State) -> str | None:
        """Return what is wrong with s as a state of this layout; None if nothing is."""
        if not isinstance(s, self.state):
            return f"{s!r:.40} is not a State of this game"
        for f, value in zip(self.fields, s, strict=True):
            if f.array:
                if getattr(value, "shape", None) != f.shape or value.dtype.name != f.type:
                    return f"{f.name} is not an array of {f.type} with shape {f.shape}"
                continue
            if f.shape and not (isinstance(value, tuple) and len(value) == f.shape[0]):
                return f"{f.name} is not a tuple of {f.shape[0]} ints: {value!r:.40}"
            low, high = (0, MASK) if f.type == "uint64" else (-(1 << 63), (1 << 63) - 1)
            for item in value if f.shape else (value,):
                if not _is_int(item):
                    return f"{f.name} has {item!r:.40}, which is not an int"
                if not low <= item <= high:
                    return f"{f.name} has {item}, which does not fit in {'an unsigned' if low == 0 else 'a signed'} 64-bit word"
        return None

    def text(self, s: State) -> str:
        """Return the state on one line: `board=0.1.0 turn=1`."""
        parts = []
        for f, value in zip(self.fields, s, strict=True):
            items = value.reshape(-1) if f.array else value if f.shape else (value,)
            parts.append(f"{f.name}={'.'.join(str(int(x)) for x in items)}")
        return " ".join(parts)

    def parse(self, text: str) -> RulesState:
        """Return the state that `text` wrote; raise a ValueError for anything else."""
        given = dict(part.split("=", 1) for part in text.split())
        if set(given) != {f.name for f in self.fields}:
            raise ValueError(f"its fields must be {', '.join(f.name for f in self.fields)}")
        values: list[Any] = []
        for f in self.fields:
            items = [int(x) for x in given[f.name].split(".")]
            if f.array:
                import numpy as np

                values.append(np.array(items, f.type).reshape(f.shape))
            elif not f.shape and len(items) != 1:
                raise ValueError(f"{f.name} must be one number")
            else:
                values.append(f.value(items))
        found: RulesState = self.state(*values)
        return found

    def row(self, s: State) -> NDArray[np.uint64]:
        """Return the state as a row of words."""
        import numpy as np

        row = np.zeros(max(self.words, 1), np.uint64)
        at = 0
        for f, value in zip(self.fields, s, strict=True):
            if f.array:
                data = np.ascontiguousarray(value).view(np.uint8).reshape(-1)
                row[at:].view(np.uint8)[: data.size] = data
            else:
                items = value if f.shape else (value,)
                for j, item in enumerate(items):
                    row[at + j] = int(item) & MASK
            at += f.words
        return row

    def read(self, row: NDArray[np.uint64]) -> RulesState:
        """Return the state from a row of words."""
        import numpy as np

        values: list[Any] = []
        at = 0
        for f in self.fields:
            part = row[at : at + f.words]
            if f.array:
                dtype = np.dtype(f.type)
                count = int(np.prod(f.shape))
                values.append(part.view(np.uint8)[: count * dtype.itemsize].view(dtype).reshape(f.shape).copy())
            else:
                items = [int(x) for x in (part.view(np.int64) if f.type == "int64" else part)]
                values.append(f.value(items))
            at += f.words
        found: RulesState = self.state(*values)
        return found


def read_layout(state: type[RulesState], first: State, where: str, names: Mapping[str, object] | None = None) -> Layout:
    """Return the layout of a state class, from its annotations and the first state.

    Annotations that are text are looked up in `names`, those of the rules: `sys.modules` has only the file of this name that was
    loaded last.
    """
    module = sys.modules.get(state.__module__)
    known = {**(vars(module) if module else {}), **(names or {})}
    try:
        # No local names, not even those of the class: a field may be called `int` or `tuple`.
        hints = typing.get_type_hints(state, known, {})
    except Exception as e:
        raise GameError(f"{where}: the annotations of State cannot be read: {e}") from e
    fields = []
    for name, value in zip(vars(state)["_fields"], first, strict=True):
        fields.append(_field(name, hints.get(name, int), value, where))
    return Layout(state, tuple(fields))


def _field(name: str, hint: object, value: Any, where: str) -> Field:
    if type(value).__module__ == "numpy" and hasattr(value, "dtype") and hasattr(value, "shape") and value.shape:
        if value.dtype.kind not in "iu":
            raise GameError(f"{where}: State.{name} is an array of {value.dtype}; a state can only have arrays of ints")
        return Field(name, value.dtype.name, tuple(value.shape), array=True)
    if isinstance(value, tuple):
        inner = typing.get_args(hint) or (int,)
        if any(t is not Ellipsis and _native(t) is None for t in inner) or not all(_is_int(x) for x in value):
            raise GameError(f"{where}: State.{name} must be a flat tuple of ints, such as tuple[int, ...]; it is {value!r:.60}")
        return Field(name, str(_native(inner[0])), (len(value),), members=_members(inner[0]))
    native = _native(hint)
    if value is None:
        raise GameError(f"{where}: State.{name} is None, which is not a number; use an int that stands for nothing, such as -1")
    if native is None or not _is_int(value):
        shown = type(value).__name__ if native else getattr(hint, "__name__", str(hint))
        example = repr(value) if len(repr(value)) <= 40 else f"{value!r:.37}..."
        raise GameError(
            f"{where}: State.{name} is {shown} ({example}); a field may be an int, a u64, a tuple of ints, "
            f"or, for in-place rules, an array of ints"
        )
    return Field(name, native, members=_members(hint))


def _native(hint: object) -> str | None:
    """Return the native type for an annotation; None if it is not a number."""
    return "int64" if _members(hint) else NATIVE.get(hint) if isinstance(hint, type) else None


def _members(hint: object) -> Callable[[int], object] | None:
    """Return the annotation itself if it is an enum of ints, else None."""
    return hint if isinstance(hint, type) and issubclass(hint, enum.Enum) and issubclass(hint, int) else None


def _is_int(value: object) -> bool:
    return isinstance(value, int) or (type(value).__module__ == "numpy" and hasattr(value, "__index__"))
