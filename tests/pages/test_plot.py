"""Plots: every value is where it belongs, any text and any number can be shown, and the colours can be told apart."""

import math
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.pages import plot
from plyground.pages.plot import Dot, Point

SVG = "{http://www.w3.org/2000/svg}"
WORST = '<b>"&\x00\x1b\ud800</svg>'


def drawn(found):
    """The elements of a plot, by their class."""
    by_class: dict[str | None, list[ElementTree.Element]] = {}
    for element in ElementTree.fromstring(found.file()).iter():
        by_class.setdefault(element.get("class"), []).append(element)
    return by_class


def kinds(text):
    """One plot of each kind, with this text wherever text can be."""
    return [
        plot.line(text, [Point(1, 2, 1, 3), Point(2, 3, 2, 4)], x=text, y=text, level=0),
        plot.bars(text, [(text, 1), ("two", 2)], x=text, y=text),
        plot.dots(text, [Dot(text, 0.5, 0.4, 0.6, text)], x=text, level=0.5),
        plot.shares(text, [(text, (1, 2, 3))], [text, "draw", "loss"]),
    ]


@pytest.mark.parametrize("kind", range(4))
def test_any_text_is_safe(kind):
    found = kinds(WORST)[kind]
    for svg in (found.svg(), found.file()):
        root = ElementTree.fromstring(svg)
        assert root.find(f"{SVG}title").text.startswith('<b>"&')
        assert root.find(f"{SVG}desc").text
        assert [element.tag for element in root.iter(f"{SVG}b")] == []


@pytest.mark.parametrize("kind", range(4))
def test_a_file_needs_nothing_else(kind):
    svg = kinds("Elo")[kind].file()
    assert not re.search(r"var\(|light-dark|url\(|href|<script|@import", svg)
    assert "prefers-color-scheme: dark" in svg


@pytest.mark.parametrize("kind", range(4))
def test_every_class_has_a_rule(kind):
    ruled = set(re.findall(r"\.([a-z]\w*)", plot.STYLE.read_text(encoding="utf-8")))
    used = {each for names in re.findall(r'class="([^"]*)"', kinds("Elo")[kind].svg()) for each in names.split()}
    assert used <= ruled


def test_a_line_rises_with_its_values_inside_its_band():
    found = drawn(plot.line("Elo", [Point(n, 10 * n, 10 * n - 5, 10 * n + 5) for n in range(1, 6)], x="games", y="Elo", level=0))
    curve = [tuple(map(float, place.split())) for place in found["curve"][0].get("d")[1:].split("L")]
    band = [tuple(map(float, place.split())) for place in found["band"][0].get("d")[1:-1].split("L")]
    assert [x for x, _ in curve] == sorted(x for x, _ in curve)
    assert [y for _, y in curve] == sorted((y for _, y in curve), reverse=True)
    for (x, y), (_, high), (_, low) in zip(curve, band[:5], reversed(band[5:]), strict=True):
        assert high < y < low
        assert x > 0
    assert found["said end"][0].text == "50 (45 to 55)"


def test_bars_stand_on_zero_and_are_as_high_as_their_values():
    found = drawn(plot.bars("Lengths", [("5", 10), ("6", 20), ("7", 0)], x="plies", y="games"))["bar"]
    heights = [float(bar.get("height")) for bar in found]
    assert heights[1] == pytest.approx(2 * heights[0], abs=0.2)
    assert heights[2] == 0
    assert len({float(bar.get("y")) + float(bar.get("height")) for bar in found}) == 1
    assert [bar.find(f"{SVG}title").text for bar in found] == ["5: 10", "6: 20", "7: 0"]


def test_dots_lie_on_the_axis_they_are_given():
    found = drawn(plot.dots("Shares", [Dot("a", 0.0, 0, 0.1), Dot("b", 1.0, 0.9, 1)], x="share", ends=(0, 1)))
    grid = [float(line.get("d")[1:].split()[0]) for line in found["grid"]]
    assert [float(dot.get("cx")) for dot in found["point"]] == [grid[0], grid[-1]]


def test_parts_fill_their_row():
    told = plot.shares("Who wins", [("level 2", (3, 0, 1))], ["first", "draw", "second"])
    found = drawn(told)
    first, second = (float(found[f"part{n}"][-1].get("width")) for n in (0, 2))
    assert first == pytest.approx(3 * second, abs=0.3)
    assert told.words == "level 2: first 75 %, draw 0 %, second 25 %"


def test_nothing_to_show_is_told():
    empty = [
        plot.line("a", [], x="x", y="y"),
        plot.bars("a", [], x="x", y="y"),
        plot.dots("a", [], x="x"),
        plot.shares("a", [], []),
    ]
    assert [found.words for found in empty] == ["nothing to show yet"] * 4
    assert all("nothing to show yet" in found.svg() for found in empty)


numbers = st.one_of(st.floats(-1e9, 1e9), st.sampled_from([math.inf, -math.inf, math.nan, 0.0]))


@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), max_size=5))
def test_any_number_can_be_shown(rows):
    for found in (
        plot.line("a", [Point(*row) for row in rows], x="x", y="y"),
        plot.dots("a", [Dot("b", *row[:3]) for row in rows], x="x"),
        plot.bars("a", [("b", abs(row[0])) for row in rows], x="x", y="y"),
    ):
        ElementTree.fromstring(found.file())
        assert not re.search(r'="[^"]*\b(nan|inf)\b', found.drawn)


def test_what_is_drawn_can_be_told_from_its_ground():
    css = plot.STYLE.read_text(encoding="utf-8")
    for theme, ground in enumerate(("#ffffff", "#1f2229")):
        for kind, least in {"title": 4.5, "axis": 4.5, "curve": 3, "bar": 3, "point": 3, "level": 3}.items():
            rule = re.search(rf"\.plot \.{kind} \{{([^}}]*)\}}", css)[1]
            colours = re.search(r"(?:fill|stroke): light-dark\((#\w+), (#\w+)\)", rule) or re.search(
                r"\.plot text \{ fill: light-dark\((#\w+), (#\w+)\)", css
            )
            assert contrast(colours[theme + 1], ground) >= least, kind
        for n in range(4):
            part, on = (re.search(rf"\.plot \.{kind}{n} \{{ fill: light-dark\((#\w+), (#\w+)\)", css) for kind in ("part", "on"))
            assert contrast(part[theme + 1], on[theme + 1]) >= 4.5


def contrast(one, other):
    """The contrast of two colours: from 1 to 21 (WCAG)."""

    def light(code):
        values = [int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in values]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)
