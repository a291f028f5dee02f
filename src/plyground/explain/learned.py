"""A learned estimate in words: what it is made of, one part per row."""

from __future__ import annotations

from plyground.explain import LARGEST
from plyground.play import words
from plyground.rules.judgement import Judgement

NOTHING = 1e-9
"""Sums of parts are rounded."""
Row = tuple[str, str, str]
"""What a part adds for the side to move, its cells, what lies on them."""


def head(judgement: Judgement) -> str:
    """The estimate, what it means, and how it comes from its parts."""
    means = f" ({judgement.expects})" if judgement.expects else ""
    return f"{words.short(judgement.value)}{means}: {judgement.how} {words.count(len(judgement.parts), judgement.what)}"


def rows(judgement: Judgement, count: int = LARGEST) -> list[Row]:
    """The parts that add most, those that cost most, and the rest."""
    good, bad = judgement.largest(count)
    shown = [*good, *reversed(bad)]
    found = [_row(judgement, part.cells, part.adds) for part in shown]
    others, rest = len(judgement.parts) - len(shown), judgement.total - sum(part.adds for part in shown)
    if others or abs(rest) > NOTHING:
        apart = abs(judgement.total - sum(part.adds for part in judgement.parts)) < NOTHING * max(1.0, abs(judgement.total))
        named = [words.count(others, f"other {judgement.what}")] if others else []
        found.append((_signed(rest), ", and ".join([*named, *([] if apart else ["all together"])]) or "rounding", ""))
    return found


def _row(judgement: Judgement, cells: tuple[int, ...], adds: float) -> Row:
    names = " ".join(judgement.names[c] for c in cells) or "this position"
    return _signed(adds), names, " ".join(judgement.contents[c] for c in cells)


def _signed(x: float) -> str:
    return f"{x:+.1f}" if abs(x) >= 10 else f"{x:+.3g}"
