"""A game's page: the board, and the rules and the engine compiled to WebAssembly, in one file that loads nothing."""

from __future__ import annotations

import html
from pathlib import Path
from typing import Any

from plyground.board.picture import STYLE
from plyground.pages import as_data, packed, packed_scripts, whole
from plyground.pages.bundle import bundle
from plyground.rules.game import Game
from plyground.web.facts import facts_of
from plyground.web.kernels import module

PARTS = Path(__file__).parent / "page"


def page(game: Game, start: Any = None) -> str:
    """The page of a game that begins with this state, ready to be written to a file."""
    return whole(
        PARTS / "page.html",
        title=html.escape(game.title),
        styles=[STYLE, *(PARTS / f"{name}.css" for name in ("page", "analysis", "look"))],
        policy="script-src 'unsafe-inline' 'wasm-unsafe-eval' blob:; worker-src blob:; img-src data:",
        scripts=packed_scripts(
            data=("application/json", as_data(facts_of(game, start) | {"module": packed(module(game))})),
            worker=("text/plain", bundle(PARTS / "worker.js")),
            script=("module", bundle(PARTS / "page.js")),
        ),
    )
