"""The parameters of a game: board sizes and other numbers that the user can set."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator
from typing import Any, NamedTuple

_given: contextvars.ContextVar[dict[str, int] | None] = contextvars.ContextVar("parameters", default=None)
_declared: contextvars.ContextVar[dict[str, Parameter] | None] = contextvars.ContextVar("declared", default=None)


class Parameter(NamedTuple):
    """A parameter of a game: its default, its minimum and maximum, and what it means."""

    default: int
    low: int | None = None
    high: int | None = None
    meaning: str = ""

    @property
    def range(self) -> str:
        """The allowed values in words; empty if there are no limits."""
        if self.low is None or self.high is None:
            return "" if self.low is None else f"{self.low} or more"
        return f"{self.low} to {self.high}" if self.high - self.low > 1 else f"{self.low} or {self.high}"


def parameters(**defaults: int | Parameter) -> Any:
    """Return the values of a game's parameters, for constants of its rules file: `ROWS, COLS = parameters(rows=6, cols=7)`.

    Loading `'mygame(rows=5)'` runs the file again with that value; importing the file gives the defaults. A default may be a
    `Parameter`, with a range and a meaning: `SIZE = parameters(size=Parameter(15, 5, 22, "cells on a side"))`.
    """
    given = _given.get() or {}
    known = {name: p if isinstance(p, Parameter) else Parameter(p) for name, p in defaults.items()}
    declared = _declared.get()
    if declared is not None:
        declared.update(known)
    values = [given.get(name, p.default) for name, p in known.items()]
    for (name, p), value in zip(known.items(), values, strict=True):
        if (p.low is not None and value < p.low) or (p.high is not None and value > p.high):
            raise ValueError(f"{name}={value} is out of range; {name} must be {p.range}{f' ({p.meaning})' if p.meaning else ''}")
    return values[0] if len(values) == 1 else tuple(values)


@contextlib.contextmanager
def given_parameters(given: dict[str, int]) -> Iterator[dict[str, Parameter]]:
    """Provide these values while a rules file runs, and collect the parameters that it declares."""
    declared: dict[str, Parameter] = {}
    one, two = _given.set(given), _declared.set(declared)
    try:
        yield declared
    finally:
        _given.reset(one)
        _declared.reset(two)
