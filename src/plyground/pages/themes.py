"""Styles for a picture that stands alone: light rules, and after them what the dark changes."""

from __future__ import annotations

import re

LIGHT_DARK, FIRST = re.compile(r"light-dark\(([^,()]+), ([^,()]+)\)"), r"\1"


def standing_alone(css: str, drawn: str) -> str:
    """The rules of a style sheet that a drawing needs, without `light-dark()`: not every program that shows SVG knows it.

    >>> print(standing_alone(".dot { r: 2; fill: light-dark(#000, #fff); } .star { fill: red }", '<circle class="dot"/>'))
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
