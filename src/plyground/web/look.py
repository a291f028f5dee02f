"""What the page needs to walk through a search: the numbers of the kernel that writes it down, and the explain page to fill."""

from __future__ import annotations

from typing import Any

from plyground.explain.page import SIGNS, template
from plyground.rules.game import Game
from plyground.search import trace
from plyground.search.memory import MAX_PAST, STACK_WORDS
from plyground.search.options import USE_LIKELY, USE_ORDER

EVENTS = {trace.ENTER: "enter", trace.LEAF: "leaf", trace.CHILD: "child", trace.CUTOFF: "cutoff", trace.LEAVE: "leave"}
KINDS = {trace.MAX: "max", trace.MIN: "min", trace.DICE: "chance"}


def traced(game: Game) -> dict[str, Any]:
    """What the scripts must know to run the kernel and to read its events."""
    return {
        "events": [EVENTS[what] for what in range(len(EVENTS))],
        "kinds": [KINDS[kind] for kind in range(len(KINDS))],
        "whole": trace.WHOLE,
        "stack": 8 * STACK_WORDS,
        "past": MAX_PAST,
        "options": {"likely": USE_LIKELY, "order": USE_ORDER if "order" in game.has else 0},
        "signs": SIGNS,
        "page": template("{{title}}", "{{data}}"),
    }
