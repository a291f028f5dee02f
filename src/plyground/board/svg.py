"""SVG as text: the few elements that boards are made of. Colours come from classes, which `board.css` describes."""

from __future__ import annotations

from plyground.pages.plot import escape

WIDE = 0.62
"""How wide a character is, as a share of the font size."""


def number(x: float) -> int | float:
    """Return a number with at most two decimals, whole if it can be: it is written alike in Python and JavaScript.

    >>> number(2.0), number(1 / 3), number(-0.001)
    (2, 0.33, 0)
    """
    x = round(x, 2)
    return int(x) if x == int(x) else x


def element(name: str, kind: str, /, **attributes: float | str) -> str:
    """Return an element of this class, if it has one.

    >>> element("circle", "hole", cx=5.0, r=0.25)
    '<circle class="hole" cx="5" r="0.25"/>'
    """
    named: dict[str, float | str] = {"class": kind} if kind else {}
    given = [f'{k}="{v if isinstance(v, str) else number(v)}"' for k, v in (named | attributes).items()]
    return f"<{' '.join([name, *given])}/>"


def rect(kind: str, x: float, y: float, width: float, height: float, rx: float = 0) -> str:
    """Return a rectangle, with round corners if `rx` is given."""
    round_corners = {"rx": rx} if rx else {}
    return element("rect", kind, x=x, y=y, width=width, height=height, **round_corners)


def circle(kind: str, x: float, y: float, r: float) -> str:
    """Return a circle around a point."""
    return element("circle", kind, cx=x, cy=y, r=r)


def path(kind: str, d: str) -> str:
    """Return a path."""
    return element("path", kind, d=d)


def dots(kind: str, places: list[tuple[float, float]], size: float) -> str:
    """Many dots of one size as one path: each is a line without length and with round ends."""
    d = "".join(f"M{number(round(x, 1))} {number(round(y, 1))}h0" for x, y in places)
    return f'<path class="{kind}" stroke-width="{number(size)}" d="{d}"/>' if places else ""


def dotted(kind: str, rows: list[tuple[float, float, int]], size: float, apart: float) -> str:
    """Return rows of dots as one path, each from its first dot to the right: lines of dashes without length and round ends."""
    apart = number(apart)
    d = "".join(f"M{number(x)} {number(y)}h{number((count - 1) * apart + 0.01)}" for x, y, count in rows if count)
    return f'<path class="{kind}" stroke-width="{number(size)}" stroke-dasharray="0 {apart}" d="{d}"/>' if d else ""


def text(kind: str, x: float, y: float, size: float, words: str) -> str:
    """Text centred on a point, whatever the reader's program knows about baselines."""
    place = f'x="{number(x)}" y="{number(y + 0.36 * size)}"'
    return f'<text class="{kind}" {place} font-size="{number(size)}">{escape(words)}</text>'


def fitting(words: str, size: float, width: float) -> float:
    """Return the font size, made smaller if the words are wider than this.

    >>> fitting("8", 5, 8), fitting("32768", 5, 8) < 3
    (5, True)
    """
    return min(size, width / (WIDE * max(1, len(words))))
