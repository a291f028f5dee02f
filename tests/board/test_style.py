"""The colours of `board.css`: what is drawn can be told from what it lies on, light and dark."""

import re

import pytest

from plyground.board.picture import STYLE

RULES = re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", STYLE.read_text(encoding="utf-8"), flags=re.DOTALL))
PAGES = {"light": "#f6f5f1", "dark": "#16181d"}
READABLE, VISIBLE = 4.5, 3


def colour(selector, part, theme):
    """The fill or stroke that the rule for exactly this selector gives."""
    for selectors, body in reversed(RULES):
        if f".board {selector}" in [one.strip() for one in selectors.split(",")]:
            found = re.search(rf"(?<![\w-]){part}: (?:light-dark\((#\w+), (#\w+)\)|(#\w+))", body)
            if found:
                return found[3] or found[1 if theme == "light" else 2]
    raise LookupError(f"{selector} has no {part}")


def contrast(one, other):
    """The contrast of two colours: from 1 to 21 (WCAG)."""

    def light(code):
        values = [int(code[i : i + 2], 16) for i in (1, 3, 5)]
        parts = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in values]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


TEXTS = [
    (".square-number", ".ground.sheet"),
    (".checkered ~ .square-number", ".dark-square"),
    (".points ~ .square-number", ".ground.points"),
    (".felt ~ .square-number", ".ground.felt"),
    (".count", ".ground.sheet"),
    (".count", ".ground.wood"),
    (".frame ~ g .count", ".field"),
    (".on.black", ".stone.black"),
    (".on.white", ".stone.white"),
    (".on.third", ".stone.third"),
    (".on.fourth", ".stone.fourth"),
]
SHAPES = {
    ".stone.black fill": (".ground.felt", ".ground.points", ".dark-square"),
    ".man.black fill": (".dark-square", ".ground.checkered"),
    ".stack.black stroke": (".point", ".point.odd", ".field"),
    ".stone.white fill, .stone.white stroke": (".ground.felt", ".ground.points", ".ground.sheet", ".dark-square"),
    ".man.white fill, .man.white stroke": (".dark-square", ".ground.checkered"),
    ".stack.white stroke, .stack.rim.white stroke": (".point", ".point.odd", ".field"),
    ".stone.black fill, .sheet ~ g .stone.black stroke": (".ground.sheet",),
    ".cross stroke": (".ground.sheet",),
    ".nought stroke": (".ground.sheet",),
    ".disc.second fill": (".ground.drop",),
    ".emblem.first stroke": (".disc.first",),
    ".emblem.second stroke": (".disc.second",),
    ".seeds stroke": (".pit",),
    ".seeds.other stroke": (".pit",),
    ".pebbles stroke": (".ground.sheet",),
    ".crown.black fill": (".stone.black",),
    ".crown.white fill": (".stone.white",),
    ".points ~ .fresh stroke": (".ground.points",),
    ".wood ~ .fresh stroke": (".ground.wood",),
    ".drop ~ .fresh stroke": (".ground.drop",),
}
"""Shapes and what they lie on; of a body and its edge, one must stand out."""


@pytest.mark.parametrize("theme", PAGES)
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_texts_can_be_read(text, ground, theme):
    assert contrast(colour(text, "fill", theme), colour(ground, "fill", theme)) >= READABLE


@pytest.mark.parametrize("theme", PAGES)
def test_names_beside_the_board_can_be_read(theme):
    assert contrast(colour(".coordinate", "fill", theme), PAGES[theme]) >= READABLE


@pytest.mark.parametrize("theme", PAGES)
@pytest.mark.parametrize(("shape", "grounds"), [*SHAPES.items()])
def test_pieces_can_be_seen(shape, grounds, theme):
    colours = [colour(selector, part, theme) for selector, _, part in (one.rpartition(" ") for one in shape.split(", "))]
    for ground in grounds:
        assert max(contrast(one, colour(ground, "fill", theme)) for one in colours) >= VISIBLE, ground


@pytest.mark.parametrize("tint", range(1, 16))
def test_numbers_on_tiles_can_be_read(tint):
    number = ".number" if tint > 4 else f".number.t{tint}"
    assert contrast(colour(number, "fill", "light"), colour(f".tile.t{tint}", "fill", "light")) >= VISIBLE
