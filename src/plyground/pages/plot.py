"""Small plots as SVG for light and dark pages, with axes, and a description for screen readers.

A plot is readable at its own size. In a page it fits its place (`svg`, with `plot.css` among the styles of the page); as a file
it carries its style (`file`). Titles and names may be any text.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

STYLE = Path(__file__).parent / "plot.css"
WIDTH, HEIGHT = 360, 220
PAD, LETTER = 12, 6.3
"""The padding around a plot, and the approximate width of a letter, in pixels."""
TOP, BOTTOM = 56, 40
"""Room for the title with the name of the y axis, and for the numbers and the name of the x axis."""
ROW, MAX_WIDTH = 30, 64
"""The height of a row, and the width of a bar."""
NAME_WIDTH = 30
"""The room for the names of curves, in letters."""
COLOURS, DASHES = 4, ("", "7 4", "2 3", "10 3 2 3")
"""The number of colours for curves, and the dashes of the curves beyond."""
FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML can't hold."""
LIGHT_DARK, FIRST = re.compile(r"light-dark\(([^,()]+), ([^,()]+)\)"), r"\1"
"""A colour for light and one for dark; and the first of them."""
Write = Callable[[float], str]


class Plot(NamedTuple):
    """A plot: its title, its description in words, and its drawing."""

    title: str
    words: str
    drawn: str
    width: int = WIDTH
    height: int = HEIGHT

    def svg(self) -> str:
        """Return the plot for a page that has `plot.css` among its styles."""
        return self._svg("", f'width="{round(1.35 * self.width)}"')

    def file(self) -> str:
        """Return the plot as an SVG file."""
        paper = f'<rect class="paper" width="{self.width}" height="{self.height}"/>'
        css = inline_themes(STYLE.read_text(encoding="utf-8"), f'<svg class="plot">{paper}{self.drawn}')
        return self._svg(f"<style>{css}</style>{paper}", f'width="{self.width}" height="{self.height}"') + "\n"

    def _svg(self, before: str, size: str) -> str:
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {self.width} {self.height}" {size} role="img">'
            f"<title>{escape(self.title)}</title><desc>{escape(self.words)}</desc>{before}"
            f"{_text('title', PAD, 22, self.title, self.width - 2 * PAD)}{self.drawn}</svg>"
        )


class Dot(NamedTuple):
    """A named value with its interval, and the text of the value if it is not just the number."""

    name: str
    value: float
    low: float
    high: float
    label: str = ""


class Point(NamedTuple):
    """A value at x, with its interval."""

    x: float
    value: float
    low: float
    high: float


class Axis(NamedTuple):
    """An axis: numbers from `low` to `high` lie at pixels from `start` to `end`; `ticks` are the round numbers among them."""

    low: float
    high: float
    start: float
    end: float
    ticks: list[float]

    def at(self, value: float) -> float:
        """Return the pixel of a number; beyond the ends, the nearer end."""
        value = min(self.high, max(self.low, value))
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def line(
    title: str,
    points: Sequence[Point],
    *,
    x: str,
    y: str,
    level: float | None = None,
    write: Write | None = None,
    width: int = 640,
    height: int = 320,
) -> Plot:
    """Draw a line with a band around it, and a dashed line at `level`; `write` gives the text of a value."""
    write = write or short
    points = [point for point in points if math.isfinite(point.x) and math.isfinite(point.value)]
    if not points:
        return _empty_plot(title, width, height)
    limits = [n for point in points for n in point[1:] if math.isfinite(n)] + ([] if level is None else [level])
    across, up = _frame([point.x for point in points], limits, width, height)
    there = [(across.at(p.x), p) for p in points]
    band = [f"{_n(at)} {_n(up.at(p.high))}" for at, p in there] + [f"{_n(at)} {_n(up.at(p.low))}" for at, p in reversed(there)]
    last = points[-1]
    label = f"{write(last.value)} ({write(last.low)} to {write(last.high)})"
    end = across.at(last.x)
    drawn = [
        f'<path class="band" d="M{"L".join(band)}Z"/>',
        _axes(across, up, x, y, short, short),
        "" if level is None else f'<path class="level" d="M{_n(across.start)} {_n(up.at(level))}H{_n(across.end)}"/>',
        f'<path class="curve" d="M{"L".join(f"{_n(at)} {_n(up.at(p.value))}" for at, p in there)}"/>',
        f'<circle class="point" cx="{_n(end)}" cy="{_n(up.at(last.value))}" r="4"/>',
        _text("said end", width - PAD, 40, label, width / 2),
    ]
    words = f"{y} over {x}: after {short(last.x)}, {label}"
    return Plot(title, words, "".join(drawn), width, height)


def logarithmic(
    title: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    *,
    x: str,
    y: str,
    reference: str = "",
    width: int = 860,
    height: int = 520,
) -> Plot:
    """Return named curves on a logarithmic scale from 1 up; equal ones share a line, and that of `reference` is dashed."""
    names: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for name, points in series.items():
        if points:
            names.setdefault(tuple(points), []).append(name)
    if not names:
        return _empty_plot(title, width, height)
    decades = math.ceil(math.log10(max([10.0, *(value for points in names for _, value in points)])))
    up = Axis(0, decades, height - BOTTOM, TOP, [float(n) for n in range(decades + 1)])
    right = width - LETTER * NAME_WIDTH - 2 * PAD
    across = _scale([at for points in names for at, _ in points], _left(up, _power), right, 12, tight=True)
    drawn = [_axes(across, up, x, y, short, _power)]
    lines = [[(across.at(at), up.at(math.log10(max(1.0, value)))) for at, value in points] for points in names]
    labels = _spread([line[-1][1] for line in lines], height - PAD)
    for i, (line, group) in enumerate(zip(lines, names.values(), strict=True)):
        kind = "level" if reference in group else "trace"
        path = "L".join(f"{_n(at)} {_n(value)}" for at, value in line)
        dash = f' stroke-dasharray="{DASHES[i // COLOURS % len(DASHES)]}"' if kind == "trace" and i >= COLOURS else ""
        drawn += [
            f'<g class="series{i % COLOURS}"><path class="{kind}" d="M{path}"{dash}/>',
            *(f'<circle class="mark" cx="{_n(at)}" cy="{_n(value)}" r="2.5"/>' for at, value in line),
            f'<path class="thread" d="M{_n(line[-1][0])} {_n(line[-1][1])}L{_n(right + PAD - 4)} {_n(labels[i])}"/></g>',
            _text("label", right + PAD, labels[i] + 4, ", ".join(group), LETTER * NAME_WIDTH),
        ]
    words = "; ".join(f"{', '.join(group)} {short(points[-1][1])}" for points, group in names.items())
    return Plot(title, f"{y} over {x}, at the end of each curve: {words}", "".join(drawn), width, height)


def _power(n: float) -> str:
    return f"{10**n:,.0f}"


def _spread(wanted: Sequence[float], end: float) -> list[float]:
    """Return pixels for labels: at least 15 apart, above the end, and as close to the wanted ones as possible."""
    found, last = [0.0] * len(wanted), -math.inf
    for i in sorted(range(len(wanted)), key=wanted.__getitem__):
        found[i] = last = max(wanted[i], last + 15)
    return [at - max(0.0, last - end) for at in found]


def bars(title: str, rows: Sequence[tuple[str, float]], *, x: str, y: str, write: Write | None = None) -> Plot:
    """Draw bars beside each other from zero up, each with its name; `write` gives the text above a bar."""
    rows = [(name, value) for name, value in rows if math.isfinite(value)]
    if not rows:
        return _empty_plot(title, WIDTH, HEIGHT)
    up = _scale([0, *(value for _, value in rows)], HEIGHT - BOTTOM, TOP, 5)
    left = _left(up, write or short)
    step = min(MAX_WIDTH, (WIDTH - PAD - left) / len(rows))
    first = (WIDTH - PAD + left - step * len(rows)) / 2
    named = math.ceil((max(len(name) for name, _ in rows) + 1) * LETTER / step)
    drawn = [_lines(up, left, WIDTH - PAD, y, write or short), _text("axis end", WIDTH - PAD, HEIGHT - 8, x, WIDTH - left)]
    for i, (name, value) in enumerate(rows):
        at, top = first + i * step, up.at(value)
        gap = min(6.0, 0.16 * step)
        shape = f'x="{_n(at + gap / 2)}" y="{_n(top)}" width="{_n(step - gap)}" height="{_n(up.start - top)}"'
        label = f"{name}: {(write or short)(value)}"
        drawn.append(f'<rect class="bar" {shape}><title>{escape(label)}</title></rect>')
        if i % named == 0:
            drawn.append(_text("tick middle", at + step / 2, HEIGHT - BOTTOM + 14, name, named * step))
    words = f"{y} by {x}: " + ", ".join(f"{name}: {(write or short)(value)}" for name, value in rows)
    return Plot(title, words, "".join(drawn))


def dots(
    title: str,
    rows: Sequence[Dot],
    *,
    x: str,
    level: float | None = None,
    ends: tuple[float, float] | None = None,
    write: Write | None = None,
) -> Plot:
    """Draw dots with intervals, one below the other; `ends` are the ends of the axis, by default those of the values."""
    rows = [row for row in rows if math.isfinite(row.value)]
    height = TOP + ROW * len(rows) + BOTTOM - 14
    if not rows:
        return _empty_plot(title, WIDTH, HEIGHT)
    write = write or short
    left = PAD + min(0.4 * WIDTH, LETTER * max(len(row.name) for row in rows) + 10)
    label = [row.label or write(row.value) for row in rows]
    right = WIDTH - PAD - min(0.3 * WIDTH, LETTER * max(map(len, label)) + 20)
    limits = ends or [n for row in rows for n in row[1:4] if math.isfinite(n)]
    scale = _scale([*limits, *([] if level is None else [level])], left + 6, right, 5, tight=ends is not None)
    bottom = height - BOTTOM + 6
    drawn = [
        *(f'<path class="grid" d="M{_n(scale.at(n))} {TOP - 8}V{_n(bottom)}"/>' for n in scale.ticks),
        *(_text("tick middle", scale.at(n), bottom + 13, write(n), 60) for n in scale.ticks),
        "" if level is None else f'<path class="level" d="M{_n(scale.at(level))} {TOP - 8}V{_n(bottom)}"/>',
        _text("axis", PAD, 40, x, WIDTH - 2 * PAD),
    ]
    for i, row in enumerate(rows):
        y = TOP + ROW * (i + 0.5) - 3
        low, high = scale.at(row.low), scale.at(row.high)
        drawn += [
            _text("label", PAD, y + 4, row.name, left - PAD),
            f'<path class="interval" d="M{_n(low)} {_n(y)}H{_n(high)}M{_n(low)} {_n(y - 4)}v8M{_n(high)} {_n(y - 4)}v8"/>',
            f'<circle class="point" cx="{_n(scale.at(row.value))}" cy="{_n(y)}" r="5"/>',
            _text("said end", WIDTH - PAD, y + 4, label[i], WIDTH - PAD - right),
        ]
    each = (f"{row.name}: {text} ({write(row.low)} to {write(row.high)})" for row, text in zip(rows, label, strict=True))
    return Plot(title, f"{x}. {'; '.join(each)}", "".join(drawn), height=height)


def shares(title: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> Plot:
    """Draw rows that are divided into parts of these names (four at most), as shares of the row's sum; the middle is marked."""
    rows = [(name, parts) for name, parts in rows if sum(parts) > 0]
    if not rows:
        return _empty_plot(title, WIDTH, HEIGHT)
    left = PAD + min(0.4 * WIDTH, LETTER * max(len(name) for name, _ in rows) + 10)
    wide, bottom = WIDTH - PAD - left, TOP + ROW * len(rows) + 2
    words, at = [], float(PAD)
    drawn = [f'<path class="level" d="M{_n(left + wide / 2)} {TOP - 4}V{bottom}"/>']
    for n, name in enumerate(names):
        drawn += [
            f'<rect class="part{n}" x="{_n(at)}" y="31" width="10" height="10" rx="2"/>',
            _text("axis", at + 15, 40, name, 120),
        ]
        at += 15 + LETTER * min(len(name), 19) + 14
    for i, (name, parts) in enumerate(rows):
        y, start, whole = TOP + ROW * i + 4, left, sum(parts)
        drawn.append(_text("label", PAD, y + 15, name, left - PAD))
        for n, part in enumerate(parts):
            size, label = wide * part / whole, f"{100 * part / whole:.0f} %"
            if part:
                drawn.append(f'<rect class="part{n}" x="{_n(start)}" y="{y}" width="{_n(size)}" height="{ROW - 8}"/>')
            if size > LETTER * len(label) + 6:
                drawn.append(_text(f"said middle on{n}", start + size / 2, y + 15, label, size))
            start += size
        label = ", ".join(f"{names[n]} {100 * part / whole:.0f} %" for n, part in enumerate(parts))
        words.append(f"{name}: {label}")
    drawn.append(_text("tick middle", left + wide / 2, bottom + 12, "50 %", 60))
    return Plot(title, "; ".join(words), "".join(drawn), height=bottom + 20)


def short(value: float) -> str:
    """Format a number briefly.

    >>> short(1200.0), short(12.345), short(0.5), short(-2.0), short(float("inf"))
    ('1,200', '12.3', '0.5', '−2', '∞')
    """
    if not math.isfinite(value):
        return "?" if math.isnan(value) else "∞" if value > 0 else "−∞"
    text = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}" if abs(value) >= 0.001 else f"{value:.2g}"
    return text.replace("-", "−")


def escape(text: str) -> str:
    """Escape text for XML, whatever it contains."""
    return html.escape(FORBIDDEN.sub("\ufffd", text))


def _n(x: float) -> str:
    return f"{x:.1f}".removesuffix(".0")


def _text(kind: str, x: float, y: float, words: str, room: float) -> str:
    """Draw text at its baseline, cut where the room ends; hovering shows the full text."""
    most = max(2, int(room / LETTER))
    more = f"<title>{escape(words)}</title>" if len(words) > most else ""
    shown = words if not more else words[: most - 1].rstrip() + "…"
    return f'<text class="{kind}" x="{_n(x)}" y="{_n(y)}">{more}{escape(shown)}</text>'


def _empty_plot(title: str, width: int, height: int) -> Plot:
    return Plot(
        title, "nothing to show yet", _text("axis middle", width / 2, height / 2, "nothing to show yet", width), width, height
    )


def _scale(values: Sequence[float], start: float, end: float, most: int, tight: bool = False) -> Axis:
    """Return a scale for these values with at most `most` + 1 round numbers; it ends at round numbers unless it is `tight`."""
    low, high = min(values), max(values)
    if high - low < 1e-9 * max(1.0, abs(high)):
        low, high = low - 1, high + 1
    power = 10.0 ** math.floor(math.log10((high - low) / most))
    step = next(power * n for n in (1, 2, 5, 10, 20) if (high - low) / (power * n) <= most)
    if all(value == int(value) for value in values):
        step = max(1, step)
    first, last = (math.ceil(low / step), math.floor(high / step)) if tight else (math.floor(low / step), math.ceil(high / step))
    ticks = [n * step for n in range(first, last + 1)]
    return Axis(*((low, high) if tight else (ticks[0], ticks[-1])), start, end, ticks)


def _frame(xs: Sequence[float], ys: Sequence[float], width: int, height: int) -> tuple[Axis, Axis]:
    up = _scale(ys, height - BOTTOM, TOP, 5)
    return _scale(xs, _left(up, short), width - PAD - 8, 6, tight=True), up


def _left(up: Axis, write: Write) -> float:
    """Return where the plot begins beside the numbers of its y axis."""
    return PAD + LETTER * max(len(write(n)) for n in up.ticks) + 6


def _lines(up: Axis, left: float, right: float, y: str, write: Write) -> str:
    """Draw the y axis: a line across for each of its numbers, and its name."""
    return "".join(
        [
            *(f'<path class="grid" d="M{_n(left)} {_n(up.at(n))}H{_n(right)}"/>' for n in up.ticks),
            *(_text("tick end", left - 6, up.at(n) + 4, write(n), left) for n in up.ticks),
            _text("axis", PAD, 40, y, (right - left) / 2),
        ]
    )


def _axes(across: Axis, up: Axis, x: str, y: str, write_x: Write, write_y: Write) -> str:
    bottom = up.start
    return "".join(
        [
            _lines(up, across.start, across.end, y, write_y),
            *(_text("tick middle", across.at(n), bottom + 14, write_x(n), 60) for n in across.ticks),
            _text("axis end", across.end + 8, bottom + 30, x, across.end - across.start),
        ]
    )


# -- the style of a plot in its own file ----------------------------------------------------------------------------------------


def inline_themes(css: str, drawn: str) -> str:
    """Return the rules of a style sheet that a drawing needs, without `light-dark()`: not every program that shows SVG knows it.

    >>> print(inline_themes(".dot { r: 2; fill: light-dark(#000, #fff); } .star { fill: red }", '<circle class="dot"/>'))
    <BLANKLINE>
    .dot { r: 2; fill: #000 }
    @media (prefers-color-scheme: dark) {
    .dot { fill: #fff }
    }
    <BLANKLINE>
    """
    used = {name for names in re.findall(r'class="([^"]*)"', drawn) for name in names.split()}
    light, dark = [], []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        wanted = ", ".join(one.strip() for one in selectors.split(",") if set(re.findall(r"\.([\w-]+)", one)) <= used)
        parts = [part.strip() for part in body.split(";") if part.strip()]
        changed = "; ".join(LIGHT_DARK.sub(r"\2", part) for part in parts if LIGHT_DARK.search(part))
        if wanted:
            light.append(f"{wanted} {{ {LIGHT_DARK.sub(FIRST, '; '.join(parts))} }}")
        if wanted and changed:
            dark.append(f"{wanted} {{ {changed} }}")
    return "\n".join(["", *light, "@media (prefers-color-scheme: dark) {", *dark, "}", ""])
