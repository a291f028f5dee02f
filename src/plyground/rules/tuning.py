"""Tunes the solver for one game without changing its answers: `SOLVER = Tuning(local=20, peek=12)` in a rules file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


def _number(default: int, meaning: str) -> Any:
    return field(default=default, metadata={"meaning": meaning})


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """Numbers from 0 up, most of them plies left as `remaining` counts them; 0 turns a technique off."""

    shallow: int = _number(0, "with at most this many plies left, the table is not probed")
    peek: int = _number(0, "with at most this many plies left, moves are not looked up before they are searched")
    mirrored: int = _number(0, "with at most this many plies left, symmetric states are not merged")
    local: int = _number(
        0,
        "with at most this many plies left, and a code of at most 54 bits, states are kept in a small table per thread that fits "
        "the processor's cache",
    )
    dense: int = _number(
        0,
        "if results are margins below 128: states whose code is below this are solved completely once and kept in one byte "
        "each (Kalah: up to 14 seeds in the pits)",
    )
    survey: int = _number(0, "with more plies left than this, moves are ranked by a shallow search with `evaluate`")
    unit: int = _number(1, "what `evaluate` gives for one point of the margin, for that search; at least 1")
    solvable: int = _number(0, "with more plies left than this, a search would not end and is refused; 0 if it always ends")
